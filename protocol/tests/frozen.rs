//! Both versions of the feed are frozen: what `frozen/*.json` says is still said. Words may come, and a reader passes over
//! those it does not know; none goes, becomes something else, or is left out where it had to be.
//!
//! Nothing writes these files anew.
#![cfg(feature = "schema")]

use protocol::feed::{Message, v2};
use serde_json::Value;

#[test]
fn version_1_says_what_it_said_when_it_was_frozen() {
    let frozen = read(include_str!("frozen/feed-v1.json"));
    assert_eq!(missing(&frozen, &schemars::schema_for!(Message).to_value(), "#"), Vec::<String>::new());
}

#[test]
fn version_2_says_what_it_said_when_it_was_frozen() {
    let frozen = read(include_str!("frozen/feed-v2.json"));
    assert_eq!(missing(&frozen, &schemars::schema_for!(v2::Message).to_value(), "#"), Vec::<String>::new());
}

#[test]
fn what_goes_comes_or_changes_is_seen() {
    let frozen = read(r#"{"required": ["a"], "properties": {"a": {"type": "string"}}, "enum": ["x"]}"#);
    let differs = |now: &str| !missing(&frozen, &read(now), "#").is_empty();
    assert!(differs(r#"{"required": ["a"], "properties": {"b": {"type": "string"}}, "enum": ["x"]}"#));
    assert!(differs(r#"{"required": ["a"], "properties": {"a": {"type": "integer"}}, "enum": ["x"]}"#));
    assert!(differs(r#"{"required": [], "properties": {"a": {"type": "string"}}, "enum": ["x"]}"#));
    assert!(differs(r#"{"required": ["a"], "properties": {"a": {"type": "string"}}, "enum": ["y"]}"#));
    let more = r#"{"required": ["a"], "properties": {"a": {"type": "string"}, "b": {}}, "enum": ["x", "y"]}"#;
    assert!(!differs(more), "what old readers may pass over may come");
}

/// Where `now` has not what was frozen, as places in the schema.
fn missing(frozen: &Value, now: &Value, at: &str) -> Vec<String> {
    match (frozen, now) {
        (Value::Object(frozen), Value::Object(now)) => frozen
            .iter()
            .filter(|(name, frozen)| !is_for_people(name, frozen))
            .flat_map(|(name, frozen)| match now.get(name) {
                Some(now) => missing(frozen, now, &format!("{at}/{name}")),
                None => vec![format!("{at}/{name}")],
            })
            .collect(),
        // What may be chosen from: each choice is there still, wherever it stands.
        (Value::Array(frozen), Value::Array(now)) => frozen
            .iter()
            .filter(|frozen| !now.iter().any(|now| missing(frozen, now, "").is_empty()))
            .map(|frozen| format!("{at}: {frozen}"))
            .collect(),
        _ if frozen == now => Vec::new(),
        _ => vec![at.to_owned()],
    }
}

/// What is written for whoever reads the schema may be said better. A member may be called `description`, too.
fn is_for_people(name: &str, value: &Value) -> bool {
    ["description", "title"].contains(&name) && value.is_string()
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).expect("a schema is JSON")
}
