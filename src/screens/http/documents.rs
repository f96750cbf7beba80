//! What can be read: positions, games, pictures, papers, each as it is kept.

use axum::{
    Extension, Json,
    body::Bytes,
    extract::{Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use laws::dead::Budget;
use protocol::feed::{Side, TableId};
use serde::Deserialize;

use super::{
    super::{
        asker::Giver,
        diagram::{self, Wanted},
        doors::Timing,
        papers::read as read_wanted,
        pgn::PgnAddress,
        placed::{Outcome, Wish},
        refusal::Refusal,
        shelf::Document,
        visit::Visit,
    },
    app::AppState,
    wishes::wish,
};
use crate::{mates::Mates, press::CloudAddress, record::papers, voice};

/// The frames of the feed, frozen: what programs are written against.
const FEED_SCHEMA: &str = include_str!("../../../protocol/schema/feed-v1.json");
/// Those of version 2, frozen too.
const FEED_SCHEMA_V2: &str = include_str!("../../../protocol/schema/feed-v2.json");
/// What can be ordered.
const ORDER_SCHEMA: &str = include_str!("../../../protocol/schema/order-v1.json");
/// How games are told to be text: some readers take nothing else, and none is wrong about the letters then.
const PGN: &str = "text/plain; charset=utf-8";

pub(super) async fn schema(request: Request) -> Response {
    let schema = match request.uri().path() {
        "/command/schema.json" => ORDER_SCHEMA,
        "/feed/v2/schema.json" => FEED_SCHEMA_V2,
        _ => FEED_SCHEMA,
    };
    Document::new(Bytes::from_static(schema.as_bytes())).answer("application/schema+json", request.headers())
}

pub(super) async fn snapshot(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    headers: HeaderMap,
) -> Result<Response, Refusal> {
    let document = state.entrance.document(visit.door).await.ok_or_else(Refusal::ending)?;
    Ok(document.answer("application/json", &headers))
}

pub(super) async fn games(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let rest = request.uri().path().strip_prefix("/pgn").unwrap_or_default();
    let address = PgnAddress::read(rest).map_err(Refusal::not_found)?;
    let is_on_air = visit.door.row().timing == Timing::OnAir;
    let shelf = if is_on_air { state.public_shelf } else { state.shelf };
    let is_annotated = request.uri().query().is_some_and(|query| query.split('&').any(|word| word == "incidents"));
    if is_annotated && is_on_air {
        return Err(Refusal::not_found("What happened beside the moves is not public."));
    }
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
pub(super) async fn cloud(State(state): State<AppState>, request: Request) -> Result<Response, Refusal> {
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

pub(super) async fn diagram(
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

/// A game in words: as JSON for pages, as a text a line a move, or for a Braille printer.
pub(super) async fn words(
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

/// So many things that have no place in a report file are told beside it: clients take headers of some kilobytes.
const LEFT_OUT: usize = 8;

pub(super) async fn reports(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let rest = request.uri().path().strip_prefix("/report/").unwrap_or_default();
    if rest == "print.css" {
        return Ok(Document::new(papers::STYLE.into()).answer("text/css; charset=utf-8", request.headers()));
    }
    let Some(event) = rest.strip_suffix(".trf") else { return paper(State(state), Extension(visit), request).await };
    let (document, left_out) = state.shelf.report(event).map_err(Refusal::not_found)?;
    let mut answer = document.answer("text/plain", request.headers());
    // The file is the pairing program's and has no room for remarks; who prints the report of a round reads them there.
    let said = left_out.into_iter().take(LEFT_OUT).collect::<Vec<_>>().join("; ");
    if let Some(said) = HeaderValue::from_bytes(said.as_bytes()).ok().filter(|said| !said.is_empty()) {
        answer.headers_mut().insert("left-out", said);
    }
    Ok(answer)
}

/// What is printed for people.
pub(super) async fn paper(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let reader = visit.asker.staff().ok_or_else(Refusal::wrong_token)?;
    let wanted = read_wanted(request.uri().path(), request.uri().query().unwrap_or_default());
    let page = wanted.and_then(|wanted| state.shelf.paper(&wanted, reader)).map_err(Refusal::not_found)?;
    Ok(Document::new(page.into()).answer("text/html; charset=utf-8", request.headers()))
}

/// What stands behind `/mates?`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskedPosition {
    fen: String,
}

/// Who can still mate in a position. It may take some seconds, and waits for no table.
pub(super) async fn mates(request: Request) -> Result<Response, Refusal> {
    let Query(AskedPosition { fen }) = Query::try_from_uri(request.uri()).map_err(|error| {
        Refusal::bad(format!("{error}. Write /mates?fen= and a position, as in /mates?fen=8/8/4k3/8/8/4K3/8/8+w+-+-"))
    })?;
    let searched = tokio::task::spawn_blocking(move || Mates::of(&fen, Budget::BACKGROUND)).await;
    let mates = searched.map_err(|_| Refusal::ending())?.map_err(|error| Refusal::bad(format!("{error:#}")))?;
    Ok(Json(mates).into_response())
}
