//! Documents as LiveChess writes them, for the uploaders and scrapers that know its folder and its cloud.
//!
//! Pure. The position of a game in a round is its board's number: a board that is not on air leaves a gap without names,
//! so that no other board moves up.

use protocol::feed::{ClockView, Side};
use serde_json::{Value, json};

use super::mark::Told;
use crate::record::{Bulletin, Slip};

/// The number of the ordinary start among the 960.
pub(super) const ORDINARY: u64 = 518;

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
    let pairings = (1..=last).map(|table| of_table(games, table).map_or_else(gap, pairing));
    let mut told = json!({ "pairings": pairings.collect::<Vec<_>>() });
    let date = games.iter().find_map(|(slip, _)| slip.tag("Date")).filter(|date| !date.contains('?'));
    if let Some(date) = date {
        told["date"] = date.replace('.', "-").into();
    }
    told.to_string()
}

/// `round-R/game-N.json` of a table's game. `wall` says when something happened, in milliseconds of the calendar.
pub(super) fn game(game: Option<Told<'_>>, clock: Option<&ClockView>, wall: impl Fn(u64) -> u64) -> String {
    let Some((slip, mark)) = game else {
        return told(false, 0, ORDINARY, None, None, &[]).to_string();
    };
    let start = start_number(slip);
    // Readers play the moves from the start that its number names: of any other position they could follow none.
    let plies = if start.is_some() { mark.plies } else { 0 };
    let moves = slip.moves().take(plies).map(|(san, left, taken)| timed(san, left, taken)).collect::<Vec<_>>();
    let clock = clock.map(|clock| faces(clock, &wall));
    let began = slip.began().filter(|_| mark.plies > 0).map_or(0, wall);
    let result = result_word(&mark.result);
    told(is_live((slip, mark)), began, start.unwrap_or(ORDINARY), result, clock, &moves).to_string()
}

/// A result in LiveChess's own word; none while the game goes on, or where it has no word for it.
pub(super) fn result_word(result: &str) -> Option<&'static str> {
    match result {
        "1-0" => Some("WHITEWIN"),
        "0-1" => Some("BLACKWIN"),
        "1/2-1/2" => Some("DRAW"),
        _ => None,
    }
}

/// What both clocks showed, and when: readers count on from there.
fn faces(clock: &ClockView, wall: impl Fn(u64) -> u64) -> Value {
    let run = clock.running.map(|side| side == Side::White);
    json!({ "white": clock.white_ms / 1000, "black": clock.black_ms / 1000, "run": run, "time": wall(clock.at) })
}

/// What the cloud calls an event: 36 characters that follow from its name.
pub(super) fn name_of(event: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, event.as_bytes());
    let hex = digest.as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

fn told(
    live: bool,
    first_move: u64,
    chess960: u64,
    result: Option<&str>,
    clock: Option<Value>,
    moves: &[String],
) -> Value {
    json!({
        "live": live, "serialNr": null, "firstMove": first_move, "chess960": chess960, "result": result,
        "comment": null, "clock": clock, "moves": moves,
    })
}

/// The game of a table: receivers of these documents know one a board.
pub(super) fn of_table<'a>(games: &[Told<'a>], table: u16) -> Option<Told<'a>> {
    games.iter().find(|(slip, _)| slip.table().table == table && slip.counts()).copied()
}

pub(super) fn is_live((_, mark): Told<'_>) -> bool {
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

pub(super) fn player(slip: &Slip, colour: &str) -> Value {
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
pub(super) fn timed(san: &str, left: Option<u64>, taken: Option<u64>) -> String {
    let seconds = |ms: u64| ms / 1000;
    match (left.map(seconds), taken.map(seconds)) {
        (None, None) => san.to_owned(),
        (Some(left), None) => format!("{san} {left}"),
        (None, Some(taken)) => format!("{san} +{taken}"),
        (Some(left), Some(taken)) => format!("{san} {left}+{taken}"),
    }
}

/// Which of the 960 starts it is, if it is one of them.
pub(super) fn start_number(slip: &Slip) -> Option<u64> {
    let ranks = slip.start().split(['/', ' ']).take(8).collect::<Vec<_>>();
    let [black, "pppppppp", "8", "8", "8", "8", "PPPPPPPP", white] = ranks[..] else { return None };
    number_of(white).filter(|_| black == white.to_lowercase())
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
    use std::sync::Arc;

    use protocol::feed::{Entry, TableEvent, TableId, Variant};

    use super::*;
    use crate::{press::mark::Mark, record::Games};

    #[test]
    fn starts_have_the_numbers_everybody_knows_them_by() {
        for (rank, number) in [("RNBQKBNR", 518), ("BBQNNRKR", 0), ("RKRNNQBB", 959)] {
            assert_eq!(number_of(rank), Some(number), "{rank}");
        }
        assert_eq!(number_of("8"), None);
    }

    #[test]
    fn a_game_of_chess960_has_its_number_and_both_clocks() {
        let clock = ClockView { white_ms: 5_390_500, black_ms: 5_400_000, running: Some(Side::Black), at: 7_000 };
        let json = |fen: &str, variant: Variant| -> Value {
            let mut games = Games::default();
            let table = TableId { event: "open".into(), round: 1, table: 1 };
            let san = "e4".to_owned();
            let played = Entry::Final {
                ply: 1,
                san,
                uci: String::new(),
                fen: String::new(),
                clock_ms: Some(5_390_500),
                inferred: false,
                illegal: false,
            };
            for entry in [Entry::Started { game: 1, fen: fen.to_owned(), variant }, played] {
                games.apply(&TableEvent { table: Some(table.clone()), t: 5_000, event: entry.into() });
            }
            let slips = games.slips(&table).into_iter().map(Arc::new).collect::<Vec<_>>();
            let marks = slips.iter().map(|slip| Mark::whole(slip)).collect::<Vec<_>>();
            let told = slips.iter().zip(&marks).collect::<Vec<_>>();
            serde_json::from_str(&game(of_table(&told, 1), Some(&clock), |t| 1_000_000 + t)).expect("JSON")
        };
        let first = json("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", Variant::Chess960);
        assert_eq!(
            (&first["chess960"], &first["moves"], &first["firstMove"]),
            (&0.into(), &json!(["e4 5390"]), &1_005_000.into())
        );
        assert_eq!(first["clock"], json!({ "white": 5390, "black": 5400, "run": false, "time": 1_007_000 }));
        let usual = json("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", Variant::Standard);
        assert_eq!((&usual["chess960"], &usual["moves"]), (&518.into(), &json!(["e4 5390"])));
        let ending = json("8/3k4/8/8/8/5K2/4P3/8 w - - 0 1", Variant::Standard);
        assert_eq!((&ending["chess960"], &ending["moves"]), (&518.into(), &json!([])), "nobody could follow it");
    }

    #[test]
    fn an_event_has_a_name_of_36_characters_that_stays() {
        let name = name_of("open");
        assert!(name.len() == 36 && name.chars().all(|c| c.is_ascii_hexdigit() || c == '-'), "{name}");
        assert_eq!(name, name_of("open"));
        assert_ne!(name, name_of("youth"));
    }
}
