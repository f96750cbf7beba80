//! Orders about spectators that may be lost: they are shown nothing until somebody has answered for it.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::{
    damage::evening::copy,
    support::{Daemon, escaque, said, until},
};

#[test]
fn spectators_are_shown_nothing_of_a_hall_whose_file_was_not_whole_until_the_delay_is_ordered_anew() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let state = home.path().join("state");
    let daemon = start(&state);
    for order in [
        json!({ "command": "delay", "seconds": 900 }),
        json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }),
        json!({ "command": "assign", "table": "open/1/1", "board": "20001" }),
        json!({ "command": "new_game", "table": "open/1/1" }),
        json!({ "command": "insert", "table": "open/1/1", "moves": ["e4", "e5"] }),
    ] {
        give(&daemon, &order);
    }
    assert!(daemon.stop().success());
    let sound = home.path().join("sound");
    fs::rename(&state, &sound).expect("it is ours");

    for (name, harm) in [("changed", change as fn(&Path)), ("beheaded", behead), ("cut", cut), ("removed", remove)] {
        copy(&sound, &state);
        harm(&state.join("journal/hall.sqlite"));
        for start_of in 0..2 {
            let daemon = start(&state);
            let (status, said) = daemon.get("/readyz");
            assert!(status == 503 && said.contains("shown nothing"), "{name}, start {start_of}: {said}");
            assert!(daemon.log().contains("Order `on_air` and `withhold` anew"), "{name}: {}", daemon.log());
            until("the games in the hall", || daemon.get("/pgn/open/1").1.contains("1. e4 e5").then_some(()));
            assert!(!shows(&daemon), "{name}, start {start_of}");
            assert!(daemon.stop().success());
        }
        let (code, said) = verify(&state);
        assert!(code == Some(3) && said.contains("are shown nothing"), "{name}: {said}");
        let daemon = start(&state);
        give(&daemon, &json!({ "command": "delay", "event": "other", "seconds": 0 }));
        assert!(!shows(&daemon), "{name}: it is ordered for another event");
        give(&daemon, &json!({ "command": "delay", "seconds": 0 }));
        until("the games for spectators", || shows(&daemon).then_some(()));
        assert_eq!(daemon.get("/readyz").0, 200, "{name}");
        assert!(daemon.stop().success());
        let daemon = start(&state);
        until("the games for spectators, as ordered", || shows(&daemon).then_some(()));
        assert!(daemon.stop().success());
        let (code, said) = verify(&state);
        // What was removed lies nowhere.
        let lies_beside = said.contains("is the hall's file as it was found once");
        assert!(lies_beside == (name != "removed") && code == Some(if lies_beside { 3 } else { 0 }), "{name}: {said}");
        fs::remove_dir_all(&state).expect("it is ours");
    }
}

fn start(state: &Path) -> Daemon {
    let daemon = Daemon::start(state, &["--port", "/nowhere/*", "--public", "127.0.0.1:0"]);
    until("the hall", || (!daemon.get("/readyz").1.contains("reads its journal")).then_some(()));
    daemon
}

fn verify(state: &Path) -> (Option<i32>, String) {
    said(escaque().args(["journal", "verify", "--state"]).arg(state))
}

fn give(daemon: &Daemon, order: &Value) {
    let (status, answer) = daemon.order(order);
    assert_eq!(status, 200, "{order}: {answer}");
}

/// Whether spectators are shown the moves.
fn shows(daemon: &Daemon) -> bool {
    daemon.get_at(&daemon.public(), "/pgn/open/1").1.contains("1. e4 e5")
}

/// In the order about the delay.
fn change(file: &Path) {
    let mut bytes = fs::read(file).expect("it is there");
    let at = bytes.windows(7).position(|bytes| bytes == b"\"delay\"").expect("it was ordered");
    bytes[at + 1] ^= 1;
    fs::write(file, bytes).expect("it is ours");
}

fn behead(file: &Path) {
    let mut bytes = fs::read(file).expect("it is there");
    bytes[..16].fill(0);
    fs::write(file, bytes).expect("it is ours");
}

fn cut(file: &Path) {
    let bytes = fs::read(file).expect("it is there");
    fs::write(file, &bytes[..bytes.len() / 2]).expect("it is ours");
}

/// With all that knows of it but the round's file.
fn remove(file: &Path) {
    for name in ["hall.sqlite", "positions-1", "positions-2"] {
        fs::remove_file(file.with_file_name(name)).expect("it is ours");
    }
}
