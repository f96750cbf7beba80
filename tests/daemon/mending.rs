//! An older state folder in the place of ours: its PGN files know more, nobody writes over them, and they mend it.

use std::fs;

use serde_json::json;
use tempfile::TempDir;

use crate::support::{Board, Daemon, escaque, until};

#[test]
fn an_older_folder_is_recognised_by_its_pgn_and_mended_from_it() {
    let folder = TempDir::new().expect("a folder for the test");
    let (state, older) = (folder.path().join("state"), folder.path().join("older"));
    let [state_path, older_path] = [&state, &older].map(|path| path.display().to_string());
    let run = |arguments: &[&str]| {
        let output = escaque().args(arguments).output().expect("the program starts");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let daemon = Daemon::start(&state, &["--port", &folder.path().join("board-*").display().to_string()]);
    for order in [
        json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }),
        json!({ "command": "assign", "table": "open/1/1", "board": "30001" }),
    ] {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
    }
    let mut board = Board::put_up(&folder.path().join("board-1"), 30_001, &[]);
    let settled = |count: usize| daemon.snapshot().tables.iter().any(|table| table.game > 0 && table.settled == count);
    until("the game to begin", || settled(0).then_some(()));
    board.say("move e2e4");
    until("the move", || settled(1).then_some(()));
    run(&["journal", "copy", &older_path, "--state", &state_path]);
    for (count, played) in [(2, "e7e5"), (3, "g1f3")] {
        board.say(&format!("move {played}"));
        until("the move", || settled(count).then_some(()));
    }
    let (status, answer) = daemon.order(&json!({ "command": "result", "table": "open/1/1", "result": "1/2-0" }));
    assert_eq!(status, 200, "{answer}");
    assert!(daemon.stop().success());
    board.take_down();

    let pgn = state.join("pgn/open/1-1.pgn");
    let whole = fs::read_to_string(&pgn).expect("it was written");
    assert!(whole.contains("Nf3"), "{whole}");
    fs::remove_dir_all(state.join("journal")).expect("the folder is ours");
    fs::rename(older.join("journal"), state.join("journal")).expect("the folder is ours");

    let daemon = Daemon::start(&state, &["--port", "/nowhere/board"]);
    until("the sentence", || daemon.log().contains("1-1.pgn knows moves or names the journal does not").then_some(()));
    let screen = daemon.follow();
    until("the notice", || screen.shown().notice);
    assert!(daemon.stop().success());
    assert_eq!(fs::read_to_string(&pgn).expect("it is kept"), whole);

    let said = run(&["journal", "mend", "--state", &state_path, "--from", &pgn.display().to_string()]);
    assert!(said.contains("open/1/1: 2 moves are taken from the PGN, 3 are final"), "{said}");
    let daemon = Daemon::start(&state, &["--port", "/nowhere/board"]);
    let (_, mended) = until("the games", || Some(daemon.get("/pgn")).filter(|(status, _)| *status == 200));
    // PGN has no word for that result, and says it in a comment.
    for played in ["e4", "e5", "Nf3", "The result is 1/2-0"] {
        assert!(mended.contains(played), "{mended}");
    }
    assert!(daemon.stop().success());
    assert!(run(&["journal", "verify", "--state", &state_path]).contains("are proven"));
}
