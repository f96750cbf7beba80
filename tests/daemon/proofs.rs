//! A game that is over though the table can't tell at once: the whole way from the hands to the proof and back.

use std::fs;

use protocol::feed::{Entry, Event, GameResult, State, TableEvent, TableView};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Board, Daemon, escaque, until};

/// Bishops behind walls: dead, which takes more than forty thousand positions to prove. The table looks at two thousand.
const WALLED_IN: &str = "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B3/8/8/8 w - - 0 1";

#[test]
fn a_dead_position_the_table_cannot_decide_is_found_aside_and_stands_after_a_kill() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let pattern = folder.path().join("board-*").display().to_string();
    let daemon = Daemon::start(&state, &["--port", &pattern]);
    let order = |order| {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
    };
    order(json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
    order(json!({ "command": "assign", "table": "open/1/1", "board": "30001" }));
    order(json!({ "command": "new_game", "table": "open/1/1", "fen": WALLED_IN }));
    let game = folder.path().join("game.pgn");
    fs::write(&game, format!("[SetUp \"1\"]\n[FEN \"{WALLED_IN}\"]\n\n1. Bd3 *\n")).expect("the folder is writable");
    let games = game.display().to_string();
    let board = Board::put_up(&folder.path().join("board-1"), 30_001, &["--games", &games]);

    until("the game to end", || (table(&daemon)?.state == State::Ended).then_some(()));
    let ended = |daemon: &Daemon| {
        let view = table(daemon).expect("the table is kept");
        (view.line, view.settled, view.result, view.state)
    };
    let expected = (["Bd3"].into_iter().collect(), 1, GameResult::Draw, State::Ended);
    assert_eq!(ended(&daemon), expected);
    assert!(daemon.log().contains("searched for a mate"), "{}", daemon.log());
    daemon.kill();
    // Before the hands put the men up for another game.
    board.take_down();

    // Nothing is searched to read it again but what the answers claim is checked.
    let output = escaque().args(["replay", "--events"]).arg(&state).output().expect("the program starts");
    let told = String::from_utf8_lossy(&output.stdout);
    let told = told.lines().map(|line| serde_json::from_str::<TableEvent>(line).expect("an event"));
    let proofs = told.filter_map(|event| match event.event {
        Event::Entry(Entry::Verdict { ply, can_mate, proof, .. }) => Some((ply, can_mate, proof)),
        Event::Entry(_) | Event::Sight(_) => None,
    });
    let proof = "none of all 42921 positions that can arise is mate";
    assert_eq!(proofs.collect::<Vec<_>>(), [(); 2].map(|()| (1, Some(false), Some(proof.to_owned()))));

    let daemon = Daemon::start(&state, &["--port", &pattern]);
    assert_eq!(ended(&daemon), expected);
    let (_, pgn) = daemon.get("/pgn");
    assert!(pgn.contains("1. Bd3") && pgn.trim_end().ends_with("1/2-1/2"), "{pgn}");
}

#[test]
fn a_search_that_a_kill_cut_off_is_begun_again() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let pattern = folder.path().join("board-*").display().to_string();
    let daemon = Daemon::start(&state, &["--port", &pattern]);
    for order in [
        json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }),
        json!({ "command": "assign", "table": "open/1/1", "board": "30001" }),
        json!({ "command": "new_game", "table": "open/1/1", "fen": WALLED_IN }),
        json!({ "command": "insert", "table": "open/1/1", "moves": ["Bd3"] }),
    ] {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
    }
    daemon.kill();
    let daemon = Daemon::start(&state, &["--port", &pattern]);
    until("the game to end", || (table(&daemon)?.result == GameResult::Draw).then_some(()));
}

fn table(daemon: &Daemon) -> Option<TableView> {
    daemon.snapshot().tables.into_iter().next()
}
