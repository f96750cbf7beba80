//! Documents as LiveChess writes them, for the uploaders and scrapers that know its folder and its cloud.
//!
//! Pure. The position of a game in a round is its board's number: a board that is not on air leaves a gap without names,
//! so that no other board moves up.

use serde_json::{Value, json};

use super::mark::Told;
use crate::record::{Bulletin, Slip};

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
pub(super) fn index(_: &Bulletin, games: &[Told<'_>]) -> String {
    let last = games.iter().map(|(slip, _)| slip.table().table).max().unwrap_or_default();
    let pairings = (1..=last).map(|table| last_of(games, table).map_or_else(gap, pairing));
    let mut told = json!({ "pairings": pairings.collect::<Vec<_>>() });
    let date = games.iter().find_map(|(slip, _)| slip.tag("Date")).filter(|date| !date.contains('?'));
    if let Some(date) = date {
        told["date"] = date.replace('.', "-").into();
    }
    told.to_string()
}

/// What the cloud calls an event: 36 characters that follow from its name.
pub(super) fn name_of(event: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, event.as_bytes());
    let hex = digest.as_ref().iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>();
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_a_name_of_36_characters_that_stays() {
        let name = name_of("open");
        assert!(name.len() == 36 && name.chars().all(|c| c.is_ascii_hexdigit() || c == '-'), "{name}");
        assert_eq!(name, name_of("open"));
        assert_ne!(name, name_of("youth"));
    }
}
