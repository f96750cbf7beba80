//! What was is told again: the same bytes however often, and on the pages as if it happened now.

use std::{path::Path, process::Stdio, thread::sleep, time::Duration};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Board, Daemon, escaque, until};

#[test]
fn a_journal_is_replayed_to_the_same_bytes_however_often() {
    let (folder, state) = played();
    let replay = |more: &[&str]| said(&[&["replay", "--events", &state], more].concat());
    let told = replay(&[]);
    assert!(told.lines().count() > 20, "{told}");
    assert_eq!(replay(&[]), told);

    let exported = said(&["journal", "export", "--state", &state]);
    for table in 1..=2 {
        let at_table = |line: &Value| line["table"] == format!("open/1/{table}");
        let lines = |text: &str| {
            text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>()
        };
        let published =
            lines(&exported).into_iter().map(|line| line["entry"].clone()).filter(at_table).collect::<Vec<_>>();
        let again = replay(&["--table", &table.to_string()]);
        assert!(lines(&again).iter().all(|line| at_table(line) || line["event"] == "round"), "{again}");
        let entries =
            lines(&again).into_iter().filter(|line| !SIGHTS.contains(&line["event"].as_str().unwrap_or_default()));
        assert_eq!(entries.collect::<Vec<_>>(), published);
    }
    assert_eq!(replay(&["--until", "23:59:59"]), told);
    assert_eq!(replay(&["--until", "00:00"]), "", "nobody played at midnight");
    drop(folder);
}

#[test]
fn a_replay_is_shown_on_the_pages_and_takes_no_orders() {
    let (_folder, state) = played();
    let pgn = said(&["replay", &state]);
    let mut command = escaque();
    command.args(["replay", "--serve=127.0.0.1:0", "--speed", "1000", &state]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let daemon = Daemon::showing(command);
    until("all moves", || (daemon.get("/pgn/open/1").1 == pgn).then_some(()));
    let view = daemon.snapshot();
    assert!(view.tables.iter().all(|table| table.settled > 0), "{view:?}");
    let (status, answer) = daemon.order(&json!({ "command": "undo", "table": "open/1/1" }));
    assert_ne!(status, 200, "{answer}");
    assert!(daemon.stop().success());
}

/// What is no entry of a table.
const SIGHTS: [&str; 6] = ["touch", "seen", "held", "clock", "link", "round"];

/// Two tables on which something was played. Nobody runs any more.
fn played() -> (TempDir, String) {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let daemon = Daemon::start(&state, &["--port", &folder.path().join("board-*").display().to_string()]);
    for order in [
        json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }),
        json!({ "command": "assign", "table": "open/1/1", "board": "30001" }),
        json!({ "command": "assign", "table": "open/1/2", "board": "30002" }),
    ] {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
    }
    let put_up = |number: u32| {
        let hands = ["--games", "--profile", "perfect", "--speed", "200", "--seed", "7"];
        Board::put_up(&folder.path().join(format!("board-{number}")), 30_000 + number, &hands)
    };
    let company = [put_up(1), put_up(2)];
    let has_played = || daemon.snapshot().tables.iter().filter(|table| table.settled > 3).count() == company.len();
    until("some moves", || has_played().then_some(()));
    // Whatever they are at.
    sleep(Duration::from_millis(200));
    assert!(daemon.stop().success());
    drop(company);
    (folder, text(&state))
}

fn said(arguments: &[&str]) -> String {
    let output = escaque().args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn text(path: &Path) -> String {
    path.display().to_string()
}
