//! What may be written in an expectation. A word the judge does not know would be judged never: it is refused.

use protocol::feed::AlertKind;
use serde_json::Value;

use super::{list, nearest::nearest, text};

const EXPECT: [&str; 12] = [
    "final",
    "final_uci",
    "fen",
    "state",
    "result",
    "proposal",
    "new_game",
    "never_final",
    "checkpoints",
    "alerts",
    "alerts_forbidden",
    "touch",
];
const CHECKPOINT: [&str; 4] = ["t", "visible", "final_at_least", "final_at_most"];
const TOUCH: [&str; 3] = ["side", "sq", "as"];

/// What nobody hears of hands that made moves by the Laws.
const OFFENCES: [&str; 7] = [
    "illegal_move_completed",
    "position_mismatch",
    "move_out_of_turn",
    "no_move_clock_press",
    "takeback",
    "displaced_pieces",
    "released_piece_moved",
];

/// What besides nobody hears of hands that made nothing but these moves.
const SUSPICIONS: [&str; 10] = [
    "touch_move_suspect",
    "touch_capture_suspect",
    "touch_both_suspect",
    "castling_rook_first",
    "two_hands_suspect",
    "touch_out_of_turn",
    "castling_duty_suspect",
    "ambiguous",
    "resync",
    "promotion_incomplete",
];

/// Words that stand for many kinds in `alerts_forbidden`.
const GROUPS: [&str; 2] = ["offences", "suspicions"];

/// The kinds that must not be raised, groups taken apart.
pub(crate) fn forbidden(expect: &Value) -> Vec<String> {
    let kinds = |word: &Value| match word.as_str() {
        Some("offences") => OFFENCES.map(str::to_owned).to_vec(),
        Some("suspicions") => SUSPICIONS.map(str::to_owned).to_vec(),
        _ => vec![text(word)],
    };
    list(&expect["alerts_forbidden"]).iter().flat_map(kinds).collect()
}

/// What an expectation says that nobody would judge.
pub(crate) fn unknown(expect: &Value) -> Option<String> {
    let checkpoints =
        list(&expect["checkpoints"]).iter().find_map(|check| unknown_key(check, "a checkpoint", &CHECKPOINT));
    let touch = list(&expect["touch"]).iter().find_map(|touch| unknown_key(touch, "a touch", &TOUCH));
    unknown_key(expect, "an expectation", &EXPECT).or(checkpoints).or(touch).or_else(|| unknown_kind(expect))
}

fn unknown_key(object: &Value, place: &str, known: &[&str]) -> Option<String> {
    let keys = object.as_object().into_iter().flat_map(|members| members.keys());
    let unknown = keys.into_iter().find(|key| !known.contains(&key.as_str()))?;
    Some(format!("\"{unknown}\" is no word of {place}{}", hint(unknown, known)))
}

fn unknown_kind(expect: &Value) -> Option<String> {
    let wanted = list(&expect["alerts"]).iter().map(|alert| text(&alert["kind"]));
    let kinds = wanted.chain(forbidden(expect)).collect::<Vec<_>>();
    let is_known = |kind: &String| serde_json::from_value::<AlertKind>(Value::from(kind.as_str())).is_ok();
    let unknown = kinds.iter().find(|kind| !is_known(kind))?;
    let known = [&OFFENCES[..], &SUSPICIONS, &GROUPS].concat();
    Some(format!("\"{unknown}\" is no kind of alert{}", hint(unknown, &known)))
}

fn hint(word: &str, known: &[&str]) -> String {
    nearest(word, known.iter().copied()).map(|known| format!(": did you mean \"{known}\"?")).unwrap_or_default()
}
