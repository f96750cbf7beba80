//! What spectators can find out. Two futures of one round are played, each with a restart in its middle, while somebody
//! reads every public door again and again, headers included. As long as the futures differ in nothing that is old
//! enough, every byte is the same.
//!
//! Time is set by hand; everything else is real: the journal, the core, the listeners, the sockets. Three ways to get it
//! wrong are kept here, and each of them is found.

mod evening;
mod script;
mod spy;

use std::{collections::BTreeMap, sync::atomic::Ordering};

use axum::{
    Router,
    extract::Request,
    http::HeaderValue,
    middleware::{self, Next},
};
use protocol::feed::{Command, GameResult, Line, Order};
use tokio::sync::OnceCell;

use crate::screens::{AppState, doors::Door, router};
use evening::{Evening, read};
use script::{Deed, Future, behind_some_moves, behind_some_time, delay, game, open_round, play, table};

/// What is ordered for the round: a minute.
const DELAY_S: u32 = 60;
/// Seconds between two readings of all doors.
const STEP_S: u64 = 10;
/// When the daemon is killed and started again, and when it is back.
const KILLED_S: u64 = 300;
const BACK_S: u64 = 400;
const END_S: u64 = 700;
/// When the futures part.
const PARTED_S: u64 = 450;

#[tokio::test]
async fn nobody_outside_can_tell_two_futures_apart_before_they_are_old_enough() {
    let (one, other) = (one().await, read(behind_some_time(Future::Other), router).await);
    let apart = first_difference(one, &other).expect("in the end the futures differ");
    // At 450 the delay is two minutes, since 420, and so it stays until it is lowered at 540.
    assert!(apart >= 540, "the doors differ at {apart} s");
}

#[tokio::test]
async fn what_is_taken_back_late_leaves_less_and_never_what_was_wrong() {
    let (one, late) = (one().await, read(behind_some_time(Future::CorrectedLate), router).await);
    let apart = first_difference(one, &late).expect("in the end the futures differ");
    assert_eq!(apart, PARTED_S, "what was shown and does not stand is gone at once");
    for (at, doors) in &late {
        let (line, full) = (line_in(doors), line_in(&one[at]));
        let is_less = full.first(line.len()) == line;
        let is_right = line.iter().any(|san| san == "Nf6") && *at >= 540;
        assert!(is_less || is_right, "{at}: {line:?} beside {full:?}");
        assert!(*at < PARTED_S || line.iter().all(|san| san != "Nc6"), "{at}: {line:?}");
    }
}

#[tokio::test]
async fn the_last_moves_are_hidden_however_old_they_are_until_others_come_after_them() {
    let [one, other] = [Future::One, Future::Other].map(|future| read(behind_some_moves(future), router));
    let apart = first_difference(&one.await, &other.await).expect("in the end the futures differ");
    // The ninth move is played at 440, and half a minute later it is old enough to let the seventh go.
    assert_eq!(apart, 470);
}

#[tokio::test]
async fn while_something_is_not_on_disk_spectators_are_shown_nothing_more() {
    let state = tempfile::tempdir().expect("a folder");
    let mut evening = Evening::begin(state.path(), 0, router).await;
    for (at, number, command) in [
        (10, None, delay(DELAY_S, 0)),
        (20, Some(3), Command::Assign { board: "3".into() }),
        (20, Some(3), game()),
        (30, Some(3), play("e4")),
        (60, Some(3), play("e5")),
    ] {
        evening.pass(at * 1000).await;
        evening.act(Deed::Order(number, command)).await;
    }
    // A file where the journal of the next round wants its folder.
    std::fs::write(state.path().join("journal/spring"), "in the way").expect("the folder is writable");
    evening.pass(95_000).await;
    evening.run.order(open_round("spring")).await.expect("it waits for the disk");
    assert_eq!(evening.run.on_air_at(), None, "nobody comes back while something waits");
    let shown = evening.spy.get("/pgn/open/1/3", "").await;
    assert!(shown.contains("e4") && !shown.contains("e5"), "{shown}");
    // It is as if time stood still, whatever else is done.
    evening.clock.store(200_000, Ordering::SeqCst);
    let reply = Order { at: Some(table(3).into()), command: play("Nf3") };
    evening.run.order(reply).await.expect("it waits behind it");
    assert_eq!(evening.spy.get("/pgn/open/1/3", "").await, shown);
}

#[tokio::test]
async fn a_door_that_shows_the_games_live_is_found() {
    let live = |mut app: AppState| {
        app.public_shelf = app.shelf.clone();
        router(app)
    };
    assert!(parted(live).await < 540);
}

#[tokio::test]
async fn a_mark_that_changes_with_the_live_games_is_found() {
    let tagged = |app: AppState| {
        let shelf = app.shelf.clone();
        router(app).layer(middleware::from_fn(move |request: Request, next: Next| {
            let mark = shelf.mark_of_all();
            async move {
                let mut response = next.run(request).await;
                if let Ok(mark) = HeaderValue::from_str(&format!("\"{mark}\"")) {
                    response.headers_mut().insert("etag", mark);
                }
                response
            }
        }))
    };
    assert!(parted(tagged).await < 540);
}

#[tokio::test]
async fn a_number_of_live_games_is_found() {
    let counted = |app: AppState| {
        let entrance = app.entrance.clone();
        router(app).layer(middleware::from_fn(move |request: Request, next: Next| {
            let entrance = entrance.clone();
            async move {
                let hall = entrance.view(Door::HallSnapshot).await.expect("the feed moves");
                let on = hall.tables.iter().filter(|table| table.result == GameResult::Open).count();
                let mut response = next.run(request).await;
                response.headers_mut().insert("x-games", on.into());
                response
            }
        }))
    };
    assert!(parted(counted).await < 540);
}

/// The first future, by doors nobody tampered with.
async fn one() -> &'static Readings {
    static ONE: OnceCell<Readings> = OnceCell::const_new();
    ONE.get_or_init(|| read(behind_some_time(Future::One), router)).await
}

/// When the doors show that the futures differ.
async fn parted(doors: impl Fn(AppState) -> Router + Copy) -> u64 {
    let [one, other] = [Future::One, Future::Other].map(|future| read(behind_some_time(future), doors));
    let (one, other) = (one.await, other.await);
    first_difference(&one, &other).expect("they differ in the end")
}

/// What came out of each door at each time.
type Readings = BTreeMap<u64, BTreeMap<String, String>>;

fn first_difference(one: &Readings, other: &Readings) -> Option<u64> {
    assert!(one.keys().eq(other.keys()));
    let (at, doors) = one.iter().find(|(at, doors)| other[at] != **doors)?;
    for (door, text) in doors.iter().filter(|(door, text)| other[at].get(*door) != Some(text)) {
        println!("{at} s, {door}:\n{text}\nbeside\n{:?}\n", other[at].get(door));
    }
    Some(*at)
}

/// The line of the first table.
fn line_in(doors: &BTreeMap<String, String>) -> Line {
    let body = doors["/snapshot"].split("\r\n\r\n").nth(1).unwrap_or_default();
    let view: protocol::feed::HallView = serde_json::from_str(body).expect("a view");
    view.only(&table(1)).tables.pop().map(|table| table.line).unwrap_or_default()
}
