//! The fold that pages do too, frozen: `fold/*.json` hold events and the tables they give. The pages' own fold is held
//! to the same files (`web/src/fold.test.ts`), so the two can't drift apart.
//!
//! After an addition: `UPDATE_FOLD=1 cargo test -p protocol --test fold`, and read what it wrote.

use std::{fs, path::PathBuf};

use protocol::feed::{HallView, TableEvent};
use serde_json::Value;

#[test]
fn events_give_the_tables_every_page_shows() {
    for path in cases() {
        let text = fs::read_to_string(&path).expect("the case can be read");
        let case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let events: Vec<TableEvent> = serde_json::from_value(case["events"].clone()).expect("events of the feed");
        // A misspelt field would be skipped here and heard there.
        assert_eq!(json(&events), case["events"], "{}", case["says"]);

        let mut view = HallView::default();
        events.iter().for_each(|event| view.apply(event));
        if std::env::var_os("UPDATE_FOLD").is_some() {
            fs::write(&path, with_tables(&text, &view)).expect("the cases can be written");
        } else {
            assert_eq!(json(&view.tables), case["tables"], "{}", case["says"]);
        }
    }
}

fn cases() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fold");
    let entries = fs::read_dir(folder).expect("the cases are there").map(|entry| entry.expect("a readable folder"));
    let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    assert!(!paths.is_empty(), "{folder} holds no cases");
    paths
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("events and tables are plain data")
}

/// One event a line and one table a line, so that a difference reads as one.
fn with_tables(text: &str, view: &HallView) -> String {
    let (kept, _old) = text.split_once("  \"tables\": [").expect("a case ends with its tables");
    let row = |table| format!("    {}", serde_json::to_string(table).expect("a table is plain data"));
    let rows: Vec<String> = view.tables.iter().map(row).collect();
    format!("{kept}  \"tables\": [\n{}\n  ]\n}}\n", rows.join(",\n"))
}
