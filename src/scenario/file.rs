//! A file of cases, each looked through before it is played.

use serde::Deserialize as _;
use serde_json::Value;

use super::{
    case::Case,
    keys::{self, Unread},
    sense::{Nonsense, check},
};

/// Reads a file of cases. One that can't be played is left out of the play and named: the others are worth playing.
pub fn read(text: &str) -> serde_json::Result<Vec<Result<Case, Unreadable>>> {
    let cases: Vec<Value> = serde_json::from_str(text)?;
    Ok(cases.into_iter().map(case).collect())
}

fn case(value: Value) -> Result<Case, Unreadable> {
    let id = value.get("id").and_then(Value::as_str).unwrap_or("a case without an id").to_owned();
    if let Err(unread) = keys::check(&value) {
        return Err(Unreadable::Key { id, unread });
    }
    let case = Case::deserialize(value).and_then(|case| case.settings().map(|_| case));
    let case = match case {
        Ok(case) => case,
        Err(error) => return Err(Unreadable::Words { id, error }),
    };
    match check(&case) {
        Ok(()) => Ok(case),
        Err(nonsense) => Err(Unreadable::Sense { id, nonsense }),
    }
}

/// A case that is left out.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It is not written as cases are.
    #[error("{id} can't be read and is left out: {error}")]
    Words {
        /// Which.
        id: String,
        /// What is wrong with it.
        error: serde_json::Error,
    },
    /// It has a key that nobody reads.
    #[error("{id} is left out: {unread}")]
    Key {
        /// Which.
        id: String,
        /// What nobody reads in it.
        unread: Unread,
    },
    /// It can't be set up, or can't happen.
    #[error("{id} is left out: {nonsense}")]
    Sense {
        /// Which.
        id: String,
        /// What is wrong with it.
        nonsense: Nonsense,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Why a case with these keys beside the usual ones is left out; nothing if it is played.
    fn refusal(keys: &Value) -> Option<String> {
        let mut case = json!({ "id": "X1", "editions": ["2023"], "events": [], "end": 1000 });
        case.as_object_mut()?.extend(keys.as_object()?.clone());
        let mut cases = read(&json!([case]).to_string()).expect("an array of cases");
        cases.remove(0).err().map(|error| error.to_string())
    }

    fn refused(keys: &Value, why: &str) {
        let sentence = refusal(keys).unwrap_or_else(|| panic!("{keys} is played"));
        assert!(sentence.starts_with("X1 is left out: ") && sentence.contains(why), "{sentence}");
    }

    #[test]
    fn a_position_nobody_can_play_from_is_refused_and_not_played_as_another() {
        refused(&json!({ "start_fen": "8/8/8/8/8/8/8/4K3 w - - 0 1" }), "no position to play from");
        refused(&json!({ "start_fen": "nonsense" }), "no position to play from");
        refused(&json!({ "physical_start": "8/8/9" }), "no placement");
        refused(&json!({ "prior": { "physical_board": "x" } }), "no placement");
        assert_eq!(refusal(&json!({ "start_fen": "4k3/8/8/8/8/8/8/4K2R w K - 0 1" })), None);
    }

    #[test]
    fn moves_before_the_events_must_be_legal() {
        refused(&json!({ "moves_uci": ["e2e4", "e7e4"] }), "move 2 of moves_uci, e7e4");
        assert_eq!(refusal(&json!({ "moves_uci": ["e2e4", "e7e5"] })), None);
    }

    #[test]
    fn an_edition_there_never_was_is_refused() {
        refused(&json!({ "editions": ["2020"] }), "edition 2020");
        assert_eq!(refusal(&json!({ "editions": [1993, "2018"] })), None);
    }

    #[test]
    fn what_can_not_happen_is_refused_with_the_number_of_the_event() {
        let lift = json!({ "t": 10, "ev": "lift", "sq": "e2" });
        let events = |second: Value| json!({ "events": [lift, second] });
        refused(&events(json!({ "t": 5, "ev": "lift", "sq": "d2" })), "event 2 is at 5");
        refused(&events(json!({ "t": 20, "ev": "place", "sq": "d2", "piece": "x" })), "event 2 places x");
        refused(&events(json!({ "t": 20, "ev": "dump", "placement": "8/8" })), "event 2 is a dump");
        refused(&events(json!({ "t": 20, "ev": "sneeze" })), "event 2 is of no kind");
        let mut pressed = events(json!({ "t": 20, "ev": "press", "side": "white" }));
        assert_eq!(refusal(&pressed), None);
        pressed["clock"] = false.into();
        refused(&pressed, "event 2 is about a clock");
    }

    #[test]
    fn a_key_nobody_reads_is_refused_with_the_one_that_was_meant() {
        refused(&json!({ "turnd": true }), r#"the case has a key "turnd" that nobody reads: write "turned""#);
        refused(&json!({ "config": { "settel_ms": 900 } }), r#"config has a key "settel_ms""#);
        refused(&json!({ "prior": { "ilegal": {} } }), r#"write "illegal""#);
        refused(&json!({ "prior": { "illegal": { "wite": 1 } } }), r#"illegal has a key "wite""#);
        refused(&json!({ "events": [{ "t": 0, "ev": "lift", "sqr": "e2" }] }), r#"event 1 has a key "sqr""#);
        refused(&json!({ "events": [{ "t": 0, "ev": "arbiter", "command": "start", "tot": 1 }] }), r#"write "to""#);
    }

    #[test]
    fn what_explains_a_case_to_its_reader_may_stand_in_it() {
        assert_eq!(refusal(&json!({ "title": "a move", "seed": 7, "witness_uci": ["e2e4"] })), None);
        assert_eq!(refusal(&json!({ "events": [{ "t": 0, "ev": "lift", "sq": "e2", "note": "her move" }] })), None);
    }

    #[test]
    fn periods_are_configured_as_the_laws_list_them() {
        let periods = json!([{ "moves": 40, "base_s": 5400, "inc_s": 30 }, { "moves": "all", "base_s": 1800 }]);
        let config = json!({ "config": { "periods": periods, "clock_mode": "bronstein" } });
        assert_eq!(refusal(&config), None);
        let config = json!({ "config": { "periods": [{ "mvoes": 40, "base_s": 5400 }] } });
        assert!(refusal(&config).is_some_and(|sentence| sentence.contains("mvoes")));
    }

    #[test]
    fn every_threshold_can_be_configured_by_its_name() {
        assert_eq!(refusal(&json!({ "config": { "press_after_ms": 900, "settle_ms": 1200, "blind": "white" } })), None);
        let sentence = refusal(&json!({ "config": { "press_after_ms": "soon" } })).expect("no number");
        assert!(sentence.starts_with("X1 can't be read and is left out: "), "{sentence}");
    }

    #[test]
    fn a_board_that_is_not_heard_reports_nothing() {
        let events = json!({ "events": [
            { "t": 0, "ev": "link", "state": "down" },
            { "t": 10, "ev": "lift", "sq": "e2" },
        ] });
        refused(&events, "event 2 comes from a board whose link is down");
    }
}
