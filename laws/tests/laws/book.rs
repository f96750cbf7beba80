//! The documentation is a book: each page with a table of editions has a cell for each edition, and the table of
//! contents names every page.

use std::{fs, path::Path};

const HEADER: &str = "| 1993 | 2009 | 2014 | 2018 | 2023 |";

#[test]
fn every_row_of_a_table_has_a_cell_for_each_column() {
    let mut tables = 0;
    for (path, text) in pages() {
        let mut columns = None;
        for line in text.lines() {
            let row = line.trim().trim_start_matches("//!").trim_start_matches("///").trim();
            if !line.trim().starts_with("//") || !row.starts_with('|') {
                columns = None;
                continue;
            }
            let cells = row.matches('|').count();
            tables += usize::from(columns.is_none());
            assert_eq!(*columns.get_or_insert(cells), cells, "{path}: {row}");
        }
    }
    assert!(tables >= 12, "{tables} tables");
}

#[test]
fn every_public_page_is_in_the_table_of_contents() {
    let contents = fs::read_to_string(source().join("lib.rs")).expect("the front page");
    for line in contents.lines() {
        if let Some(page) = line.strip_prefix("pub mod ").and_then(|line| line.strip_suffix(';')) {
            assert!(contents.contains(&format!("[`{page}`]")), "{page} is not in the table of contents");
        }
    }
}

#[test]
fn pages_that_differ_between_editions_say_how() {
    for page in ["adjourn", "arrival", "blind/mod", "chess960", "clock/mod", "draws/mod", "draws/agreement", "loss"]
        .into_iter()
        .chain(["quickplay", "result", "scoresheet", "time_class", "wrong_start"])
    {
        let text = fs::read_to_string(source().join(format!("{page}.rs"))).expect(page);
        assert!(text.contains(HEADER), "{page} has no table of editions");
    }
}

fn pages() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut next = vec![source().to_path_buf()];
    while let Some(folder) = next.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                next.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("a source");
                found.push((path.display().to_string(), text));
            }
        }
    }
    found
}

fn source() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
}
