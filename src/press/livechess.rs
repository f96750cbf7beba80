//! Documents as LiveChess writes them, for the uploaders and scrapers that know its folder and its cloud.
//!
//! Pure. The position of a game in a round is its board's number: a board that is not on air leaves a gap without names,
//! so that no other board moves up.

use serde_json::{Value, json};

use super::mark::Told;
use crate::record::{Bulletin, Slip};

/// The number of the ordinary start among the 960.
const ORDINARY: u64 = 518;

/// `tournament.json`.
pub(super) fn tournament(bulletin: &Bulletin, games: &[Told<'_>]) -> String {
    let tag = |name: &str| games.iter().find_map(|(slip, _)| slip.tag(name).filter(|text| *text != "?"));
    let rounds = bulletin.programme.iter().map(|(count, live)| json!({ "count": count, "live": live }));
    let told = json!({
        "id": name_of(&bulletin.event),
        "name": tag("Event").unwrap_or(&bulletin.event),
        "location": tag("Site"),
        "country": null,
        "website": null,
        "rules": "STANDARD",
        "chess960": "STANDARD",
        "timecontrol": tag("TimeControl").unwrap_or_default(),
        "rounds": rounds.collect::<Vec<_>>(),
        "eboards": [],
    });
    told.to_string()
}

/// `round-R/index.json`.
pub(super) fn index(games: &[Told<'_>]) -> String {
    let last = games.iter().map(|(slip, _)| slip.table().table).max().unwrap_or_default();
    let pairings = (1..=last).map(|table| last_of(games, table).map_or_else(gap, pairing));
    let mut told = json!({ "pairings": pairings.collect::<Vec<_>>() });
    let date = games.iter().find_map(|(slip, _)| slip.tag("Date")).filter(|date| !date.contains('?'));
    if let Some(date) = date {
        told["date"] = date.replace('.', "-").into();
    }
    told.to_string()
}

/// `round-R/game-N.json`. `wall` says when something happened, in milliseconds of the calendar.
pub(super) fn game(games: &[Told<'_>], table: u16, wall: impl Fn(u64) -> u64) -> String {
    let Some((slip, mark)) = last_of(games, table) else {
        return told(false, 0, ORDINARY, None, &[]).to_string();
    };
    let moves = slip.moves().take(mark.plies).map(|(san, left, taken)| timed(san, left, taken)).collect::<Vec<_>>();
    let began = slip.began().filter(|_| mark.plies > 0).map_or(0, wall);
    let result = match mark.result.as_str() {
        "1-0" => Some("WHITEWIN"),
        "0-1" => Some("BLACKWIN"),
        "1/2-1/2" => Some("DRAW"),
        _ => None,
    };
    told(is_live((slip, mark)), began, start_number(slip), result, &moves).to_string()
}

/// What the cloud calls an event: 36 characters that follow from its name.
pub(super) fn name_of(event: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, event.as_bytes());
    let hex = digest.as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

fn told(live: bool, first_move: u64, chess960: u64, result: Option<&str>, moves: &[String]) -> Value {
    json!({
        "live": live, "serialNr": null, "firstMove": first_move, "chess960": chess960, "result": result,
        "comment": null, "clock": null, "moves": moves,
    })
}

/// Of several games of a table the last.
fn last_of<'a>(games: &[Told<'a>], table: u16) -> Option<Told<'a>> {
    games.iter().rev().find(|(slip, _)| slip.table().table == table).copied()
}

fn is_live((_, mark): Told<'_>) -> bool {
    mark.plies > 0 && !mark.is_over()
}

fn pairing(game: Told<'_>) -> Value {
    let (slip, mark) = game;
    json!({
        "white": player(slip, "White"), "black": player(slip, "Black"), "result": mark.result, "live": is_live(game),
    })
}

/// A board that is not shown. Readers leave out a game in which nobody has a name.
fn gap() -> Value {
    json!({ "white": nobody(), "black": nobody(), "result": "*", "live": false })
}

fn nobody() -> Value {
    json!({
        "fname": null, "mname": null, "lname": null, "title": null, "federation": null, "gender": null, "fideid": null,
    })
}

fn player(slip: &Slip, colour: &str) -> Value {
    let tag = |name: &str| slip.tag(&format!("{colour}{name}"));
    let name = tag("").filter(|name| *name != "?").unwrap_or_default();
    let (last, first) = name.split_once(',').unwrap_or((name, ""));
    let some = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let mut player = nobody();
    player["fname"] = some(first).into();
    player["lname"] = some(last).into();
    player["title"] = tag("Title").into();
    player["federation"] = tag("Fed").into();
    player["fideid"] = tag("FideId").and_then(|id| id.parse::<u64>().ok()).filter(|id| *id != 0).into();
    player
}

/// A move with what its player had left, and how long it took: `Nc2 34+2`.
fn timed(san: &str, left: Option<u64>, taken: Option<u64>) -> String {
    let seconds = |ms: u64| ms / 1000;
    match (left.map(seconds), taken.map(seconds)) {
        (None, None) => san.to_owned(),
        (Some(left), None) => format!("{san} {left}"),
        (None, Some(taken)) => format!("{san} +{taken}"),
        (Some(left), Some(taken)) => format!("{san} {left}+{taken}"),
    }
}

/// Which of the 960 starts it is; the ordinary one for a position that is none of them.
fn start_number(slip: &Slip) -> u64 {
    let rank = slip.start().split(['/', ' ']).nth(7).unwrap_or_default();
    if slip.is_ordinary() { ORDINARY } else { number_of(rank).unwrap_or(ORDINARY) }
}

/// Scharnagl's number of White's first rank.
fn number_of(rank: &str) -> Option<u64> {
    let men = rank.chars().collect::<Vec<_>>();
    let file_of = |parity: usize| (0..8).find(|file| file % 2 == parity && men.get(*file) == Some(&'B'));
    let (dark, light) = (file_of(0)?, file_of(1)?);
    let rest = men.iter().filter(|man| **man != 'B').collect::<Vec<_>>();
    let queen = rest.iter().position(|man| **man == 'Q')?;
    let rest = rest.into_iter().filter(|man| *man != &'Q').collect::<Vec<_>>();
    let knights = (0..rest.len()).filter(|at| *rest[*at] == 'N').collect::<Vec<_>>();
    let [first, second] = knights[..] else { return None };
    let pairs = (0..5).flat_map(|one| (one + 1..5).map(move |other| (one, other)));
    let knights = pairs.collect::<Vec<_>>().iter().position(|pair| *pair == (first, second))?;
    u64::try_from((light / 2) + 4 * (dark / 2) + 16 * queen + 96 * knights).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_have_the_numbers_everybody_knows_them_by() {
        for (rank, number) in [("RNBQKBNR", 518), ("BBQNNRKR", 0), ("RKRNNQBB", 959)] {
            assert_eq!(number_of(rank), Some(number), "{rank}");
        }
        assert_eq!(number_of("8"), None);
    }

    #[test]
    fn an_event_has_a_name_of_36_characters_that_stays() {
        let name = name_of("open");
        assert!(name.len() == 36 && name.chars().all(|c| c.is_ascii_hexdigit() || c == '-'), "{name}");
        assert_eq!(name, name_of("open"));
        assert_ne!(name, name_of("youth"));
    }
}
