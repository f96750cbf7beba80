//! What can be asked for over HTTP. The router is made from the table of doors, so nothing else can be.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension, Json, Router,
    body::{Bytes, to_bytes},
    extract::{Query, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::{MethodRouter, any},
};
use laws::dead::Budget;
use protocol::feed::{Answer, Order, Side, Staff, TableEvent, TableId};
use serde::Deserialize;
use tokio::{sync::mpsc, time::timeout};

use super::{
    asker::Giver,
    diagram::{self, Wanted},
    doors::{Route, Timing, is_for, is_theirs, shows},
    enter::{Opened, Reception, no_random},
    feed::Entrance,
    handshake,
    ledger::Ledger,
    orders, pages,
    pgn::PgnAddress,
    placed::{Outcome, Placed, Wish},
    refusal::Refusal,
    secret,
    shelf::{Document, Shelf},
    targets,
    visit::{Gate, Seat, Visit, nothing_here},
    vitals::{OPEN_METRICS, Vitals},
};
use crate::{
    lists::{self, Said},
    mates::Mates,
    press::{CloudAddress, Counter},
    record::papers,
    voice,
};

/// The longest order is a pairing with two long names.
const LONGEST_BODY: usize = 64 * 1024;
/// An order fits in a packet; whoever needs longer holds a connection for nothing.
const BODY_PATIENCE: Duration = Duration::from_secs(8);
/// A report file has a line of two hundred letters a player, and ten thousand players at the very most.
const LONGEST_LIST: usize = 8 * 1024 * 1024;
const FILE_PATIENCE: Duration = Duration::from_secs(30);
/// The frames of the feed, frozen: what programs are written against.
const FEED_SCHEMA: &str = include_str!("../../protocol/schema/feed-v1.json");
/// Those of version 2, which may still change.
const FEED_SCHEMA_V2: &str = include_str!("../../protocol/schema/feed-v2.json");
/// What can be ordered.
const ORDER_SCHEMA: &str = include_str!("../../protocol/schema/order-v1.json");
/// How games are told to be text: some readers take nothing else, and none is wrong about the letters then.
const PGN: &str = "text/plain; charset=utf-8";
/// If the feed's thread does not answer for so long, screens stand still and the daemon is not well.
const HEALTHY: Duration = Duration::from_secs(2);

/// What the pages and the feed need of the rest of the daemon.
#[derive(Clone)]
pub struct AppState {
    /// Lets viewers in.
    pub entrance: Entrance,
    /// The run loop's ear.
    pub orders: mpsc::Sender<Placed>,
    /// Where games are kept, rendered.
    pub shelf: Shelf,
    /// The same for spectators.
    pub public_shelf: Shelf,
    /// Who decides whether a visit goes on.
    pub gate: Gate,
    /// The listeners that are open.
    pub opened: Arc<Vec<Opened>>,
    /// Who is told the games, and how that stands.
    pub counter: Counter,
}

/// All addresses of the daemon.
pub fn router(state: AppState) -> Router {
    let mut router = Router::new();
    for route in Route::ALL {
        router = route.paths().iter().fold(router, |router, path| router.route(path, answering(route)));
    }
    router
        .fallback_service(answering(Route::Pages).with_state(state.clone()))
        .layer(middleware::from_fn_with_state(state.clone(), keep_door))
        .with_state(state)
}

/// What answers at an address. A new one does not compile until something does.
fn answering(route: Route) -> MethodRouter<AppState> {
    match route {
        Route::Pages => any(page),
        Route::Schema => any(schema),
        Route::Health => any(healthz),
        Route::Readiness => any(readyz),
        Route::Metrics => any(metrics),
        Route::Feed => any(feed),
        Route::Snapshot => any(snapshot),
        Route::Games => any(games),
        Route::Cloud => any(cloud),
        Route::Diagrams => any(diagram),
        Route::Command => any(command),
        Route::Pairings => any(pairings),
        Route::Boards => any(boards),
        Route::Rounds => any(rounds),
        Route::Voices => any(voices),
        Route::Words => any(words),
        Route::Timelines => any(timeline),
        Route::Mates => any(mates),
        Route::Reports => any(reports),
        Route::Sheets | Route::Clocks | Route::Envelopes => any(paper),
        Route::Enter => any(enter),
        Route::Leave => any(leave),
        Route::List => any(list),
        Route::Invite => any(invite),
        Route::Revoke => any(revoke),
        Route::Targets => any(list_targets),
        Route::Target => any(ask_target),
    }
}

/// Checks who knocks before anything else, and puts the same headers on all that goes out.
async fn keep_door(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let [wants_json, wants_page] = ["json", "text/html"].map(|kind| wants(request.headers(), kind));
    let clearing = state.gate.clearing(&request);
    let mut lent_to = None;
    let answered = if request.method() == Method::OPTIONS {
        state.gate.receive_preflight(&request).map(|origin| {
            lent_to = Some(origin);
            lend_address()
        })
    } else {
        state
            .gate
            .receive(&request)
            .map(|visit| {
                lent_to.clone_from(&visit.lent_to);
                request.extensions_mut().insert(visit);
            })
            .map(|()| StatusCode::CONTINUE.into_response())
    };
    let mut response = match answered {
        Ok(ready) if ready.status() == StatusCode::CONTINUE => next.run(request).await,
        Ok(ready) => ready,
        Err(refusal) => refusal.into_response(),
    };
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        response = match (wants_page, wants_json) {
            (true, _) => refusal.as_page(),
            (false, true) => refusal.as_json(),
            (false, false) => response,
        };
    }
    dress(response.headers_mut());
    if let Some(origin) = lent_to {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(cookie) = clearing {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// What a browser is told that asks whether a listed page may ask.
fn lend_address() -> Response {
    let told = [
        ("access-control-allow-methods", "GET, HEAD"),
        ("access-control-allow-headers", "If-None-Match"),
        ("access-control-allow-private-network", "true"),
        ("access-control-max-age", "600"),
    ];
    (StatusCode::NO_CONTENT, told).into_response()
}

fn dress(headers: &mut HeaderMap) {
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; img-src 'self' data:; connect-src 'self'; \
          object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

async fn feed(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    Extension(ledger): Extension<Ledger>,
    Extension(seat): Extension<Seat>,
    request: Request,
) -> Result<Response, Refusal> {
    let crowded = || {
        let sentence = "There are too many screens at this address. Close some, or come back later.";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    };
    // A proxy's connection has no place of its own: those it asks for are counted.
    let place = || seat.take().or_else(|| ledger.enter(visit.arrived.listener, visit.client)).ok_or_else(crowded);
    handshake::accept(request, &visit, &state.entrance, &state.gate.passes, place)
}

async fn schema(request: Request) -> impl IntoResponse {
    let schema = match request.uri().path() {
        "/command/schema.json" => ORDER_SCHEMA,
        "/feed/v2/schema.json" => FEED_SCHEMA_V2,
        _ => FEED_SCHEMA,
    };
    ([(header::CONTENT_TYPE, "application/schema+json")], schema)
}

async fn snapshot(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let document = state.entrance.document(visit.door).await.ok_or_else(Refusal::ending)?;
    Ok(document.answer("application/json", &headers))
}

async fn games(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let rest = request.uri().path().strip_prefix("/pgn").unwrap_or_default();
    let address = PgnAddress::read(rest).map_err(Refusal::not_found)?;
    let shelf = match visit.door.row().timing {
        Timing::OnAir => state.public_shelf,
        Timing::Live | Timing::Timeless => state.shelf,
    };
    let is_annotated = request.uri().query().is_some_and(|query| query.split('&').any(|word| word == "incidents"));
    let document = if is_annotated {
        let reader = visit.asker.staff().ok_or_else(|| {
            let sentence = "What happened beside the moves is for arbiter and operator: come in as one of them.";
            Refusal::new(StatusCode::FORBIDDEN, sentence)
        })?;
        shelf.annotated(&address, reader)
    } else {
        shelf.games(&address)
    };
    let document = document.map_err(Refusal::not_found)?;
    Ok(document.answer(PGN, request.headers()))
}

/// A document of LiveChess's cloud, or where its documents are.
async fn cloud(State(state): State<AppState>, request: Request) -> Result<Response, Refusal> {
    let nothing = || {
        let sentence = "There is no such document. Write /get/EVENT/tournament.json, /get/EVENT/round-3/index.json, \
                        /get/EVENT/round-3/game-12.json or /get/EVENT/round-3/games.pgn.";
        Refusal::not_found(sentence)
    };
    let path = request.uri().path();
    if let Some(event) = path.strip_prefix("/meta/") {
        let address = CloudAddress::read(&format!("{event}/tournament.json")).ok_or_else(nothing)?;
        state.public_shelf.cloud(&address).ok_or_else(nothing)?;
        let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
        return Ok(Json(serde_json::json!({ "host": host, "format": "1" })).into_response());
    }
    let address = CloudAddress::read(path.trim_start_matches("/get/")).ok_or_else(nothing)?;
    let document = state.public_shelf.cloud(&address).ok_or_else(nothing)?;
    let mime = if address.is_pgn() { PGN } else { "application/json" };
    Ok(document.answer(mime, request.headers()))
}

async fn diagram(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let address = request.uri().path().trim_start_matches("/svg/").trim_end_matches(".svg");
    let table = address.parse::<TableId>().map_err(|_| {
        Refusal::not_found("This address names no table. Write /svg/EVENT/ROUND/TABLE.svg, as in /svg/open/3/12.svg.")
    })?;
    let view = state.entrance.view(visit.door).await.ok_or_else(Refusal::ending)?.only(&table);
    let shown =
        view.tables.first().ok_or_else(|| Refusal::not_found("There is no such table in a round that is open."))?;
    let drawn = diagram::svg(shown, Wanted::read(request.uri().query().unwrap_or_default()));
    Ok(Document::new(drawn.into()).answer("image/svg+xml", request.headers()))
}

/// All boards, how those of an event stand, or the list of them as a file.
async fn boards(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let Some(rest) = request.uri().path().strip_prefix("/boards/") else {
        let Outcome::Fleet(fleet) = wish(&state, Wish::Fleet, giver).await? else { return Err(Refusal::ending()) };
        return Ok(Json(fleet).into_response());
    };
    let (address, is_list) = rest.strip_suffix(".csv").map_or((rest, false), |address| (address, true));
    let (event, round) = match address.split_once('/') {
        None => (address, None),
        Some((event, round)) => match round.parse() {
            Ok(round) => (event, Some(round)),
            Err(_) => {
                return Err(Refusal::not_found("Write /boards/EVENT or /boards/EVENT/ROUND, as in /boards/open/3."));
            }
        },
    };
    let outcome = wish(&state, Wish::Boards { event: event.to_owned(), round }, giver).await?;
    if let Outcome::Refused(sentence) = outcome {
        return Err(Refusal::not_found(sentence));
    }
    let Outcome::Boards(view) = outcome else { return Err(Refusal::ending()) };
    if is_list {
        let places = view.places();
        let list = pairings::boards::write(places.iter().map(|place| (place.table, place.board.as_str())));
        return Ok(Document::new(list.into()).answer("text/csv; charset=utf-8", request.headers()));
    }
    let told = serde_json::json!({
        "event": view.event, "round": view.round, "boards": view.boards, "troubles": view.troubles(),
    });
    Ok(Json(told).into_response())
}

/// All that happened at a table, for whoever may know it.
async fn timeline(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let staff = visit.asker.staff().unwrap_or(Staff::Operator);
    let table = request.uri().path().trim_start_matches("/timeline/").parse::<TableId>().map_err(|_| {
        Refusal::not_found("This address names no table. Write /timeline/EVENT/ROUND/TABLE, as in /timeline/open/3/12.")
    })?;
    let outcome = wish(&state, Wish::Timeline(table), giver).await?;
    if let Outcome::Refused(sentence) = outcome {
        return Err(Refusal::not_found(sentence));
    }
    let Outcome::Timeline(mut told) = outcome else { return Err(Refusal::ending()) };
    for moment in &mut told.moments {
        moment.told.retain(|event| is_theirs(event, staff));
    }
    Ok(Json(told).into_response())
}

/// What stands behind `/mates?`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedPosition {
    fen: String,
}

/// Who can still mate in a position. It may take some seconds, and waits for no table.
async fn mates(request: Request) -> Result<Response, Refusal> {
    let Query(AskedPosition { fen }) = Query::try_from_uri(request.uri()).map_err(|error| {
        Refusal::bad(format!("{error}. Write /mates?fen= and a position, as in /mates?fen=8/8/4k3/8/8/4K3/8/8+w+-+-"))
    })?;
    let searched = tokio::task::spawn_blocking(move || Mates::of(&fen, Budget::BACKGROUND)).await;
    let mates = searched.map_err(|_| Refusal::ending())?.map_err(|error| Refusal::bad(format!("{error:#}")))?;
    Ok(Json(mates).into_response())
}

/// All rounds, and who plays in them.
async fn rounds(State(state): State<AppState>, Extension(visit): Extension<Visit>) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let Outcome::Programme(programme) = wish(&state, Wish::Programme, giver).await? else {
        return Err(Refusal::ending());
    };
    Ok(Json(programme).into_response())
}

/// Who is told moves aloud, and how that goes.
async fn voices(State(state): State<AppState>, Extension(visit): Extension<Visit>) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let Outcome::Voices(voices) = wish(&state, Wish::Voices, giver).await? else { return Err(Refusal::ending()) };
    Ok(Json(serde_json::json!({ "voices": voices })).into_response())
}

/// A game in words: as JSON for pages, as a text a line a move, or for a Braille printer.
async fn words(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let rest = request.uri().path().strip_prefix("/words/").unwrap_or_default();
    let (table, kind) = rest.rsplit_once('.').unwrap_or((rest, "json"));
    let table = table.parse::<TableId>().map_err(|_| {
        Refusal::not_found("Write /words/EVENT/ROUND/TABLE.json, .txt or .brf, as in /words/open/3/12.txt.")
    })?;
    let manner = voice::wanted(request.uri().query().unwrap_or_default()).map_err(Refusal::bad)?;
    let is_on_air = visit.door.row().timing == Timing::OnAir;
    let shelf = if is_on_air { &state.public_shelf } else { &state.shelf };
    let words = shelf.words(&table, &manner).map_err(Refusal::not_found)?;
    let (mime, text) = match kind {
        "json" if is_on_air => ("application/json", words.json(&[])),
        "json" => ("application/json", words.json(&readers(&state, &table).await?)),
        "txt" => ("text/plain; charset=utf-8", words.text()),
        "brf" => ("text/plain; charset=us-ascii", words.brf()),
        _ => return Err(Refusal::not_found("A game in words is a .json, a .txt or a .brf.")),
    };
    Ok(Document::new(text.into()).answer(mime, request.headers()))
}

/// The players whom the arbiter allows to ask where men stand.
async fn readers(state: &AppState, table: &TableId) -> Result<Vec<Side>, Refusal> {
    let Outcome::Voices(voices) = wish(state, Wish::Voices, Giver::house()).await? else {
        return Err(Refusal::ending());
    };
    let here = voices.into_iter().filter(|voice| voice.table == *table && voice.earphone.readings);
    Ok(here.map(|voice| voice.side).collect())
}

async fn reports(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let rest = request.uri().path().strip_prefix("/report/").unwrap_or_default();
    if rest == "print.css" {
        return Ok(Document::new(papers::STYLE.into()).answer("text/css; charset=utf-8", request.headers()));
    }
    let Some(event) = rest.strip_suffix(".trf") else { return paper(State(state), Extension(visit), request).await };
    let document = state.shelf.report(event).map_err(Refusal::not_found)?;
    Ok(document.answer("text/plain", request.headers()))
}

/// What is printed for people.
async fn paper(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let reader = visit.asker.staff().ok_or_else(Refusal::wrong_token)?;
    let wanted = super::papers::read(request.uri().path(), request.uri().query().unwrap_or_default());
    let page = wanted.and_then(|wanted| state.shelf.paper(&wanted, reader)).map_err(Refusal::not_found)?;
    Ok(Document::new(page.into()).answer("text/html; charset=utf-8", request.headers()))
}

async fn command(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let staff = visit.asker.staff().unwrap_or(Staff::Operator);
    let body = read(request).await?;
    let dice = secret::random().map_err(no_random)?;
    let order = orders::draw(orders::read(&body).map_err(Refusal::bad)?, u64::from_ne_bytes(dice));
    let mut answer = Answer::from(wish(&state, Wish::Order(order), giver).await?);
    if let Answer::Done { done, .. } = &mut answer {
        done.retain(|event| is_for(event, staff));
    }
    let status = match &answer {
        Answer::Done { .. } => StatusCode::OK,
        Answer::Refused { .. } => StatusCode::CONFLICT,
    };
    Ok((status, Json(answer)).into_response())
}

/// What stands behind `/pairings?`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    event: Option<String>,
    round: Option<u16>,
    /// Take it in; without it is only said what would change.
    #[serde(default)]
    take: bool,
}

/// A whole file, looked at or taken in. Every round of it is looked at before the first is taken in.
async fn pairings(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let Query(Asked { event, round, take }) = Query::try_from_uri(request.uri()).map_err(|error| {
        let sentence = format!("{error}. Write /pairings?event=open&round=3, and &take=true to take the list in.");
        Refusal::bad(sentence)
    })?;
    let body = read_up_to(request, LONGEST_LIST, FILE_PATIENCE).await?;
    let list = lists::read(&body, &Said { event, round }).map_err(Refusal::bad)?;
    let mut said = list.remarks;
    for order in &list.orders {
        said.extend(place(&state, Wish::Preview(Order::to_hall(order.clone())), &giver).await?.1);
    }
    let mut done = Vec::new();
    if take {
        said.clear();
        for order in list.orders.iter().cloned() {
            let (events, sentences) = place(&state, Wish::Order(Order::to_hall(order)), &giver).await?;
            done.extend(events);
            said.extend(sentences);
        }
    }
    Ok(Json(Answer::Done { done, said }).into_response())
}

async fn place(state: &AppState, wish: Wish, giver: &Giver) -> Result<(Vec<TableEvent>, Vec<String>), Refusal> {
    match Answer::from(self::wish(state, wish, giver.clone()).await?) {
        Answer::Done { done, said } => Ok((done, said)),
        Answer::Refused { refused } => Err(Refusal::new(StatusCode::CONFLICT, refused)),
    }
}

/// Puts something to the run loop, and waits for what becomes of it.
async fn wish(state: &AppState, wish: Wish, giver: Giver) -> Result<Outcome, Refusal> {
    let (placed, answered) = Placed::new(wish, giver);
    state.orders.send(placed).await.map_err(|_| Refusal::ending())?;
    answered.await.map_err(|_| Refusal::ending())
}

async fn enter(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    reception(&state).enter(&visit, &read(request).await?).await
}

async fn leave(State(state): State<AppState>, Extension(visit): Extension<Visit>) -> Result<Response, Refusal> {
    reception(&state).leave(&visit).await
}

async fn list(State(state): State<AppState>) -> Response {
    reception(&state).list()
}

async fn invite(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    reception(&state).invite(&visit, &read(request).await?).await
}

async fn revoke(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    reception(&state).revoke(&visit, &read(request).await?).await
}

async fn list_targets(State(state): State<AppState>) -> Response {
    targets::list(&state.counter)
}

async fn ask_target(State(state): State<AppState>, request: Request) -> Result<Response, Refusal> {
    targets::ask(&state.counter, &read(request).await?).await
}

async fn healthz(State(state): State<AppState>, Extension(visit): Extension<Visit>) -> Result<&'static str, Refusal> {
    match timeout(HEALTHY, state.entrance.document(visit.door)).await {
        Ok(Some(_)) => Ok("ok\n"),
        Ok(None) => Err(Refusal::ending()),
        Err(_) => Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The feed does not move: screens stand still. Restart the daemon; the record is on disk.",
        )),
    }
}

/// Asks the loop itself: whoever gets an answer knows that it goes round.
async fn vitals(state: &AppState) -> Option<Vitals> {
    let (placed, answered) = Placed::new(Wish::Vitals, Giver::house());
    let asked = async {
        state.orders.send(placed).await.ok()?;
        answered.await.ok()
    };
    match timeout(HEALTHY, asked).await {
        Ok(Some(Outcome::Vitals(vitals))) => Some(*vitals),
        _ => None,
    }
}

async fn readyz(State(state): State<AppState>) -> Result<&'static str, Refusal> {
    let unready = |sentence: &str| Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, sentence));
    match vitals(&state).await {
        Some(vitals) if vitals.is_recording => Ok("ready\n"),
        Some(_) => unready("Nothing is being recorded: the log says why. Games are shown meanwhile."),
        None => unready("The daemon reads its journal, or does not go round. Ask again in a moment."),
    }
}

async fn metrics(State(state): State<AppState>) -> Result<Response, Refusal> {
    let late = || Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "The daemon does not answer itself. Ask again.");
    let vitals = vitals(&state).await.ok_or_else(late)?;
    Ok(([(header::CONTENT_TYPE, OPEN_METRICS)], vitals.open_metrics(state.entrance.viewers())).into_response())
}

async fn page(Extension(visit): Extension<Visit>, request: Request) -> Result<Response, Refusal> {
    let page = pages::page(request.uri().path()).ok_or_else(nothing_here)?;
    if !shows(visit.door, &visit.asker, request.uri().path()) {
        // A stranger is shown the way in; a spectator never learns that there is more.
        let is_stranger = visit.asker.audience().is_none();
        return if is_stranger { Ok(Redirect::to("/join").into_response()) } else { Err(nothing_here()) };
    }
    let headers = [
        (header::CONTENT_TYPE, page.mime),
        (header::ETAG, page.etag),
        (header::CACHE_CONTROL, if page.is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" }),
    ];
    if request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| known == page.etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Ok((headers, page.bytes).into_response())
}

fn reception(state: &AppState) -> Reception {
    let AppState { entrance, orders, gate, opened, .. } = state.clone();
    Reception { gate, orders, entrance, opened }
}

async fn read(request: Request) -> Result<Bytes, Refusal> {
    read_up_to(request, LONGEST_BODY, BODY_PATIENCE).await
}

async fn read_up_to(request: Request, longest: usize, patience: Duration) -> Result<Bytes, Refusal> {
    let late =
        || Refusal::new(StatusCode::REQUEST_TIMEOUT, "The order did not arrive in time. Send it again, at once.");
    let long = || {
        let sentence = format!("This has more than {} KiB, which is all that is taken. Send less.", longest / 1024);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    };
    let body = timeout(patience, to_bytes(request.into_body(), longest)).await;
    body.map_err(|_| late())?.map_err(|_| long())
}

fn wants(headers: &HeaderMap, kind: &str) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains(kind))
}
