//! Written cases of hands and clocks, played by the whole program: whatever once went wrong stays right.
//!
//! Each case names what must come out of it: the final line and where it leads, what was visible when, what was never
//! final, which alerts were raised and which were not. What a case does not name may be anything.

#[path = "../../src/nearest.rs"]
mod nearest;
mod words;

use std::{collections::BTreeMap, path::Path, process::Command};

use serde_json::{Value, json};
use words::{forbidden, unknown};

#[test]
fn every_written_case_of_hands_comes_out_as_it_should() {
    judge_all("tests/scenarios/hands.json");
}

#[test]
fn what_the_arbiter_decides_and_takes_back_comes_out_as_it_should() {
    judge_all("tests/scenarios/arbiter.json");
}

#[test]
fn what_nobody_would_judge_is_refused_with_the_nearest_word() {
    for (expect, refusal) in [
        (json!({"finl": ["e4"]}), "\"finl\" is no word of an expectation: did you mean \"final\"?"),
        (
            json!({"checkpoints": [{"t": 1, "visable": []}]}),
            "\"visable\" is no word of a checkpoint: did you mean \"visible\"?",
        ),
        (json!({"touch": [{"square": "e4"}]}), "\"square\" is no word of a touch: did you mean \"sq\"?"),
        (json!({"alerts_forbidden": ["takback"]}), "\"takback\" is no kind of alert: did you mean \"takeback\"?"),
        (json!({"alerts": [{"kind": "offence"}]}), "\"offence\" is no kind of alert: did you mean \"offences\"?"),
    ] {
        assert_eq!(judge(&expect, &json!({})).as_deref(), Some(refusal));
    }
    assert_eq!(unknown(&json!({"alerts_forbidden": ["offences", "suspicions", "checkmate"]})), None);
}

#[test]
fn a_case_that_makes_no_sense_is_refused_aloud_and_the_others_are_played() {
    let pressed = json!([{ "t": 0, "ev": "press", "side": "white" }]);
    let cases = json!([{ "id": "no clock", "clock": false, "events": pressed }, { "id": "fine", "editions": ["2023"], "events": [] }]);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("senseless.json");
    std::fs::write(&path, cases.to_string()).expect("a file can be written");
    let played = Command::new(env!("CARGO_BIN_EXE_escaque")).arg("scenario").arg(&path).output().expect("it runs");
    let (out, err) = (String::from_utf8_lossy(&played.stdout), String::from_utf8_lossy(&played.stderr));
    assert_eq!(played.status.code(), Some(3));
    assert!(err.contains("no clock") && err.contains("event 1 is about a clock"), "{err}");
    assert!(out.lines().count() == 1 && out.contains("fine"), "{out}");
}

fn judge_all(file: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(&path).expect("the cases are there")).expect("JSON");
    let played = play(&path);
    let mut wrong = Vec::new();
    for case in &cases {
        for edition in case["editions"].as_array().expect("editions") {
            let name = (text(&case["id"]), text(edition));
            match played.get(&name) {
                Some(outcome) => wrong.extend(judge(&case["expect"], outcome).map(|why| (name, &case["title"], why))),
                None => wrong.push((name, &case["title"], "nothing came out".to_owned())),
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases: {wrong:#?}", wrong.len(), cases.len());
}

fn play(path: &Path) -> BTreeMap<(String, String), Value> {
    let said = Command::new(env!("CARGO_BIN_EXE_escaque")).arg("scenario").arg(path).output().expect("it starts");
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let outcomes = String::from_utf8(said.stdout).expect("text");
    let outcomes = outcomes.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    outcomes.map(|outcome| ((text(&outcome["id"]), text(&outcome["edition"])), outcome)).collect()
}

/// What is not as expected, if anything is.
fn judge(expect: &Value, outcome: &Value) -> Option<String> {
    unknown(expect)
        .or_else(|| line(expect, outcome))
        .or_else(|| times(expect, outcome))
        .or_else(|| told(expect, outcome))
}

fn line(expect: &Value, outcome: &Value) -> Option<String> {
    for key in ["final", "final_uci", "state", "result"] {
        if !expect[key].is_null() && expect[key] != outcome[key] {
            return Some(format!("{key} is {}, not {}", outcome[key], expect[key]));
        }
    }
    let position = |fen: &Value| text(fen).split(' ').take(2).map(str::to_owned).collect::<Vec<_>>();
    if !expect["fen"].is_null() && position(&expect["fen"]) != position(&outcome["fen"]) {
        return Some(format!("fen is {}, not {}", outcome["fen"], expect["fen"]));
    }
    let proposed = |(key, value): (&String, &Value)| !value.is_null() && outcome["proposal"][key] != *value;
    if expect["proposal"].as_object().is_some_and(|wanted| wanted.iter().any(proposed)) {
        return Some(format!("proposal is {}, not {}", outcome["proposal"], expect["proposal"]));
    }
    match (expect["new_game"].as_bool(), outcome["next"].is_null()) {
        (Some(true), true) => Some("no other game began".to_owned()),
        (Some(false), false) => Some("another game began".to_owned()),
        _ => None,
    }
}

fn times(expect: &Value, outcome: &Value) -> Option<String> {
    let finished = list(&outcome["final"]);
    for never in list(&expect["never_final"]).iter().map(list) {
        let was = |correction: &Value| {
            let kept = correction["from_ply"]
                .as_u64()
                .and_then(|ply| usize::try_from(ply.saturating_sub(1)).ok())
                .unwrap_or(0);
            [&finished[..kept.min(finished.len())], list(&correction["old"])].concat().starts_with(never)
        };
        if finished.starts_with(never) || list(&outcome["corrections"]).iter().any(was) {
            return Some(format!("{never:?} was final"));
        }
    }
    for check in list(&expect["checkpoints"]) {
        let at = check["t"].as_i64()?;
        let seen = list(&outcome["seen"]).iter().rfind(|seen| seen["t"].as_i64() <= Some(at));
        let visible = seen.map_or(&[][..], |seen| list(&seen["line"]));
        let count = list(&outcome["final_at"]).iter().filter(|settled| settled.as_i64() <= Some(at)).count();
        let settled = &finished[..count.min(finished.len())];
        let least = list(&check["final_at_least"]);
        let most = &check["final_at_most"];
        let holds = (check["visible"].is_null() || visible == list(&check["visible"]))
            && settled.starts_with(least)
            && (most.is_null() || list(most).starts_with(settled));
        if !holds {
            return Some(format!("at {at} {settled:?} is final and {visible:?} visible: {check}"));
        }
    }
    None
}

fn told(expect: &Value, outcome: &Value) -> Option<String> {
    // What was withdrawn was never said.
    let alerts = list(&outcome["alerts"]).iter().filter(|alert| alert["withdrawn"].is_null()).collect::<Vec<_>>();
    for wanted in list(&expect["alerts"]) {
        let fits =
            |alert: &Value| wanted.as_object().is_some_and(|keys| keys.iter().all(|key| agrees(key, alert, outcome)));
        if !alerts.iter().any(|alert| fits(alert)) {
            return Some(format!("no alert like {wanted} among {alerts:?}"));
        }
    }
    for unwanted in forbidden(expect) {
        if alerts.iter().any(|alert| alert["kind"] == unwanted && alert["severity"] != "trace") {
            return Some(format!("{unwanted} was raised"));
        }
    }
    let touched = |wanted: &Value| {
        let same =
            |touch: &Value| ["side", "sq", "as"].iter().all(|key| wanted[key].is_null() || wanted[key] == touch[key]);
        list(&outcome["touch"]).iter().any(same)
    };
    let missing = list(&expect["touch"]).iter().find(|wanted| !touched(wanted));
    missing.map(|wanted| format!("no touch like {wanted} among {}", outcome["touch"]))
}

/// One field of a wanted alert. Times are bounds, an article may depend on the edition, of evidence all that is named counts.
fn agrees((key, wanted): (&String, &Value), alert: &Value, outcome: &Value) -> bool {
    match (key.as_str(), wanted) {
        (_, Value::Null) => true,
        ("t_min", bound) => alert["t"].as_i64() >= bound.as_i64(),
        ("t_max", bound) => alert["t"].as_i64() <= bound.as_i64(),
        ("article", Value::Object(by_edition)) => {
            by_edition.get(&text(&outcome["edition"])).is_none_or(|article| *article == alert["article"])
        }
        ("evidence", Value::Object(named)) => named.iter().all(|(key, value)| alert["evidence"][key] == *value),
        _ => alert[key] == *wanted,
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
