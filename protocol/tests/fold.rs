//! The folds of both versions, frozen: `fold/*.json` hold events and the tables they give, `fold_v2/*.json` tables and what
//! changes make of them. The pages' own fold is held to the latter, too (`web/src/fold.test.ts`), so the two can't drift
//! apart.
//!
//! After an addition: `UPDATE_FOLD=1 cargo test -p protocol --test fold`, and read what it wrote.

use std::{fs, path::PathBuf};

use protocol::feed::{
    HallView, TableEvent, TableView,
    v2::{Change, Extent, Table},
};
use serde_json::Value;

#[test]
fn events_give_the_tables_every_page_shows() {
    for path in cases("fold") {
        let text = fs::read_to_string(&path).expect("the case can be read");
        let case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let events: Vec<TableEvent> = serde_json::from_value(case["events"].clone()).expect("events of the feed");
        // A misspelt field would be skipped here and heard there.
        assert_eq!(json(&events), case["events"], "{}", case["says"]);

        let mut view = HallView::default();
        events.iter().for_each(|event| view.apply(event));
        if std::env::var_os("UPDATE_FOLD").is_some() {
            fs::write(&path, with_tables(&text, "tables", &view.tables)).expect("the cases can be written");
        } else {
            assert_eq!(json(&view.tables), case["tables"], "{}", case["says"]);
        }
    }
}

#[test]
fn changes_of_version_2_give_the_tables_every_page_shows() {
    for path in cases("fold_v2") {
        let text = fs::read_to_string(&path).expect("the case can be read");
        let case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let changes: Vec<Change> = serde_json::from_value(case["changes"].clone()).expect("changes of version 2");
        assert_eq!(json(&changes), case["changes"], "{}", case["says"]);

        let mut tables: Vec<Table> = serde_json::from_value(case["before"].clone()).expect("tables of version 2");
        changes.iter().for_each(|change| take(&mut tables, change));
        if std::env::var_os("UPDATE_FOLD").is_some() {
            fs::write(&path, with_tables(&text, "after", &tables)).expect("the cases can be written");
        } else {
            assert_eq!(json(&tables), case["after"], "{}", case["says"]);
        }
    }
}

fn take(tables: &mut Vec<Table>, change: &Change) {
    let id = change.table.as_ref().expect("each change of a case names its table");
    if change.gone {
        return tables.retain(|table| table.table != *id);
    }
    let at = tables.iter().position(|table| table.table == *id).unwrap_or_else(|| {
        tables.push(Table::of(&TableView::new(id.clone()), Extent::LastMove));
        tables.len() - 1
    });
    tables[at].apply(change);
}

fn cases(folder: &str) -> Vec<PathBuf> {
    let folder = format!("{}/tests/{folder}", env!("CARGO_MANIFEST_DIR"));
    let entries = fs::read_dir(&folder).expect("the cases are there").map(|entry| entry.expect("a readable folder"));
    let paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    assert!(!paths.is_empty(), "{folder} holds no cases");
    paths
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).expect("events and tables are plain data")
}

/// One event a line and one table a line, so that a difference reads as one.
fn with_tables(text: &str, name: &str, tables: &[impl serde::Serialize]) -> String {
    let (kept, _old) = text.split_once(&format!("  \"{name}\": [")).expect("a case ends with its tables");
    let row = |table| format!("    {}", serde_json::to_string(table).expect("a table is plain data"));
    let rows: Vec<String> = tables.iter().map(row).collect();
    format!("{kept}  \"{name}\": [\n{}\n  ]\n}}\n", rows.join(",\n"))
}
