//! What is asked of the loop itself: orders, lists, and how everything stands.

use std::time::Duration;

use axum::{
    Extension, Json,
    body::{Bytes, HttpBody as _, to_bytes},
    extract::{Query, Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use pairings::Page;
use protocol::feed::{Answer, Command, Order, Staff, TableId};
use serde::Deserialize;
use tokio::time::timeout;

use super::{
    super::{
        asker::Giver,
        doors::{is_for, is_theirs},
        enter::no_random,
        orders,
        placed::{Outcome, Placed, Wish},
        refusal::Refusal,
        secret,
        shelf::Document,
        targets,
        visit::Visit,
    },
    app::AppState,
};
use crate::{
    journal::today,
    lists::{self, Said},
};

/// The longest order is a pairing with two long names.
const LONGEST_BODY: usize = 64 * 1024;
/// An order fits in a packet; whoever needs longer holds a connection for nothing.
const BODY_PATIENCE: Duration = Duration::from_secs(8);
/// A report file has a line of two hundred letters a player, and ten thousand players at the very most.
const LONGEST_LIST: usize = 8 * 1024 * 1024;
const FILE_PATIENCE: Duration = Duration::from_secs(30);

pub(super) async fn command(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let staff = visit.asker.staff().unwrap_or(Staff::Operator);
    let body = read(request).await?;
    let dice = secret::random().map_err(no_random)?;
    let order = orders::draw(orders::read(&body).map_err(Refusal::bad)?, u64::from_ne_bytes(dice));
    targets::check(&state.counter, &order.command)?;
    let mut answer = Answer::from(wish(&state, Wish::Order(order), giver).await?);
    if let Answer::Done { done, .. } = &mut answer {
        done.retain(|event| is_for(event, staff));
    }
    Ok(answered(answer))
}

fn answered(answer: Answer) -> Response {
    let status = match &answer {
        Answer::Done { .. } => StatusCode::OK,
        Answer::Unrecorded { .. } => StatusCode::ACCEPTED,
        Answer::Refused { .. } => StatusCode::CONFLICT,
    };
    (status, Json(answer)).into_response()
}

/// What stands behind `/pairings?`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    event: Option<String>,
    round: Option<u16>,
    letters: Option<String>,
    /// Take it in; without it is only said what would change.
    #[serde(default)]
    take: bool,
}

/// A whole file, looked at or taken in. Every round of it is looked at before the first is taken in.
pub(super) async fn pairings(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let Query(Asked { event, round, letters, take }) = Query::try_from_uri(request.uri()).map_err(|error| {
        let sentence = format!("{error}. Write /pairings?event=open&round=3, and &take=true to take the list in.");
        Refusal::bad(sentence)
    })?;
    let letters = letters.map(|name| Page::named(&name).ok_or_else(|| unknown_letters(&name))).transpose()?;
    let body = read_up_to(request, LONGEST_LIST, FILE_PATIENCE).await?;
    let list = lists::read(&body, &Said { event, round, letters })
        .map_err(|unread| Refusal::bad(unread.to_string()).known_as(unread.because()))?;
    let about_file = list.about_file(&today()).collect::<Vec<_>>();
    let mut said = list.remarks;
    let several = list.orders.len() > 1;
    for order in &list.orders {
        if let Answer::Done { said: would, .. } =
            place(&state, Wish::Preview(Order::to_hall(order.clone())), &giver).await?
        {
            said.extend(heading(order).filter(|_| several && !would.is_empty()));
            said.extend(would);
        }
    }
    if !said.is_empty() {
        said.extend(about_file);
    }
    if !take {
        return Ok(answered(Answer::Done { done: Vec::new(), said }));
    }
    let (mut done, mut said, mut late) = (Vec::new(), Vec::new(), None);
    for order in list.orders {
        match place(&state, Wish::Order(Order::to_hall(order)), &giver).await? {
            Answer::Done { done: events, said: sentences } => {
                done.extend(events);
                said.extend(sentences);
            }
            // A file is taken in whole, however slow the disk is.
            unrecorded @ (Answer::Unrecorded { .. } | Answer::Refused { .. }) => late = Some(unrecorded),
        }
    }
    Ok(answered(late.unwrap_or(Answer::Done { done, said })))
}

/// Which round the tables below are of: each begins with table 1.
fn heading(order: &Command) -> Option<String> {
    if let Command::Pairings { event, round, .. } = order { Some(format!("round {round} of {event}:")) } else { None }
}

fn unknown_letters(name: &str) -> Refusal {
    let known = Page::ALL.map(Page::name).join(", ");
    Refusal::bad(format!("There are no letters \"{name}\". Write one of {known}, or leave it out."))
}

/// What came of it; what is refused goes no further.
async fn place(state: &AppState, wish: Wish, giver: &Giver) -> Result<Answer, Refusal> {
    match Answer::from(self::wish(state, wish, giver.clone()).await?) {
        Answer::Refused { refused, because } => Err(Refusal::new(StatusCode::CONFLICT, refused).known_as(because)),
        answer @ (Answer::Done { .. } | Answer::Unrecorded { .. }) => Ok(answer),
    }
}

/// All boards, how those of an event stand, or the list of them as a file.
pub(super) async fn boards(
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
    let outcome = find(&state, Wish::Boards { event: event.to_owned(), round }, giver).await?;
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
pub(super) async fn timeline(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let staff = visit.asker.staff().unwrap_or(Staff::Operator);
    let table = request.uri().path().trim_start_matches("/timeline/").parse::<TableId>().map_err(|_| {
        Refusal::not_found("This address names no table. Write /timeline/EVENT/ROUND/TABLE, as in /timeline/open/3/12.")
    })?;
    let outcome = find(&state, Wish::Timeline(table), giver).await?;
    let Outcome::Timeline(mut told) = outcome else { return Err(Refusal::ending()) };
    for moment in &mut told.moments {
        moment.told.retain(|event| is_theirs(event, staff));
    }
    Ok(Json(told).into_response())
}

/// All rounds, and who plays in them.
pub(super) async fn rounds(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let Outcome::Programme(programme) = wish(&state, Wish::Programme, giver).await? else {
        return Err(Refusal::ending());
    };
    Ok(Json(programme).into_response())
}

/// Who is told moves aloud, and how that goes.
pub(super) async fn voices(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
) -> Result<Response, Refusal> {
    let giver = visit.asker.giver().ok_or_else(Refusal::wrong_token)?;
    let Outcome::Voices(voices) = wish(&state, Wish::Voices, giver).await? else { return Err(Refusal::ending()) };
    Ok(Json(serde_json::json!({ "voices": voices })).into_response())
}

/// Puts something to the run loop, and waits for what becomes of it.
pub(super) async fn wish(state: &AppState, wish: Wish, giver: Giver) -> Result<Outcome, Refusal> {
    let (placed, answered) = Placed::new(wish, giver);
    state.orders.send(placed).await.map_err(|_| Refusal::ending())?;
    answered.await.map_err(|_| Refusal::ending())
}

/// The same, where a refusal says that there is no such thing.
async fn find(state: &AppState, wanted: Wish, giver: Giver) -> Result<Outcome, Refusal> {
    let outcome = wish(state, wanted, giver).await?;
    if let Outcome::Refused(refused) = outcome { Err(Refusal::not_found(refused.sentence)) } else { Ok(outcome) }
}

pub(super) async fn read(request: Request) -> Result<Bytes, Refusal> {
    read_up_to(request, LONGEST_BODY, BODY_PATIENCE).await
}

async fn read_up_to(request: Request, longest: usize, patience: Duration) -> Result<Bytes, Refusal> {
    let late =
        || Refusal::new(StatusCode::REQUEST_TIMEOUT, "The order did not arrive in time. Send it again, at once.");
    let long = || {
        let sentence = format!("This has more than {} KiB, which is all that is taken. Send less.", longest / 1024);
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    };
    // Whoever says beforehand that it is too much is not waited for.
    if request.body().size_hint().lower() > longest as u64 {
        return Err(long());
    }
    let body = timeout(patience, to_bytes(request.into_body(), longest)).await;
    body.map_err(|_| late())?.map_err(|_| long())
}
