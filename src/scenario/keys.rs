//! Which keys a case may have. A word half understood would be a case played as another one.

use std::collections::BTreeSet;

use hall::Settings;
use serde_json::{Map, Value};

use crate::nearest::nearest;

/// What a case is played from.
const CASE: [&str; 16] = [
    "id",
    "editions",
    "time_class",
    "supervision",
    "variant",
    "sensor",
    "config",
    "clock",
    "turned",
    "start_known",
    "start_fen",
    "physical_start",
    "moves_uci",
    "prior",
    "events",
    "end",
];

/// What it tells its reader, and what is expected of it.
const READERS: [&str; 6] = ["title", "group", "why", "kind", "given", "expect"];

const PRIOR: [&str; 5] = ["physical_board", "physical_rotated", "illegal", "claim_right_lost_at_ply", "initial_wrong"];

/// What may be configured beside the thresholds. The last five are no table's business: how results and moves are told.
const CONFIG: [&str; 18] = [
    "blind",
    "period",
    "clock",
    "moves_to_control",
    "increment_s",
    "annex_75_moves",
    "draw_offer_ban_until_move",
    "quickplay_guidelines",
    "default_time_s",
    "show_claim_availability",
    "clock_mode",
    "periods",
    "second_period_start",
    "auto_end",
    "public_delay_s",
    "public_show_clock",
    "notation_language",
    "points",
];

/// The keys of each kind of event beside its time and its kind. An order has those of the order.
const EVENTS: [(&str, &[&str]); 17] = [
    ("lift", &["sq"]),
    ("place", &["sq", "piece"]),
    ("dump", &["placement", "occupied"]),
    ("press", &["side"]),
    ("clock_time", &["side", "remaining_ms"]),
    ("flag", &["side"]),
    ("clock_run", &["side"]),
    ("clock_link", &["state"]),
    ("link", &["state"]),
    ("claim", &["side", "claim", "intended_uci"]),
    ("draw_offer", &["side"]),
    ("draw_accept", &["side"]),
    ("draw_decline", &["side"]),
    ("resign", &["side"]),
    ("adjust_announced", &["side"]),
    ("announce", &["side", "text"]),
    ("arbiter", &["command", "to", "kind", "side", "text", "result", "white_ms", "black_ms", "at"]),
];
const EVERY_EVENT: [&str; 4] = ["t", "ev", "why", "note"];

/// A key that nobody reads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place} has a key \"{key}\" that nobody reads{}", meant(*.nearest))]
pub struct Unread {
    place: String,
    key: String,
    nearest: Option<&'static str>,
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!(": write \"{nearest}\"")).unwrap_or_default()
}

/// The first key nobody reads. A case may explain itself to its reader in any words that are not taken for slips.
pub(super) fn check(case: &Value) -> Result<(), Unread> {
    let keys = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let case = keys(case);
    let slip = |key: &&String| !READERS.contains(&key.as_str()) && is_slip(key);
    if let Some(key) = case.keys().find(slip) {
        return Err(unread("the case", key, &CASE));
    }
    let inner = |key: &str| case.get(key).map(keys).unwrap_or_default();
    all_known("prior", &inner("prior"), &PRIOR)?;
    all_known("illegal", &inner("prior").get("illegal").map(keys).unwrap_or_default(), &["white", "black"])?;
    config(&inner("config"))?;
    let events = case.get("events").and_then(Value::as_array).into_iter().flatten();
    for (number, event) in (1..).zip(events.map(keys)) {
        let kind = event.get("ev").and_then(Value::as_str).unwrap_or_default();
        // An event of no kind has its own sentence.
        let Some((_, known)) = EVENTS.iter().find(|(known, _)| *known == kind) else { continue };
        all_known(&format!("event {number}"), &event, &[&EVERY_EVENT, *known].concat())?;
    }
    Ok(())
}

/// A threshold is configured by its name.
fn config(config: &Map<String, Value>) -> Result<(), Unread> {
    let thresholds = thresholds();
    let others = config.iter().filter(|(key, _)| !thresholds.contains(key.as_str()));
    all_known("config", &others.map(|(key, value)| (key.clone(), value.clone())).collect(), &CONFIG)
}

/// The names of all thresholds.
pub(super) fn thresholds() -> BTreeSet<String> {
    let settings = serde_json::to_value(Settings::default()).unwrap_or_default();
    settings.as_object().into_iter().flat_map(Map::keys).cloned().collect()
}

/// Not one of the keys, and hardly another word.
fn is_slip(key: &str) -> bool {
    // Many a short word is two letters away from another one.
    let most = |known: &str| if known.len() > 4 { 2 } else { 1 };
    !CASE.contains(&key) && CASE.iter().any(|known| strsim::damerau_levenshtein(known, key) <= most(known))
}

fn all_known(place: &str, keys: &Map<String, Value>, known: &[&'static str]) -> Result<(), Unread> {
    let unknown = keys.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| Err(unread(place, key, known)))
}

fn unread(place: &str, key: &str, known: &[&'static str]) -> Unread {
    Unread { place: place.to_owned(), key: key.to_owned(), nearest: nearest(key, known.iter().copied()) }
}
