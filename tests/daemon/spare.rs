//! The spare machine: another daemon goes on with a copy that was made while the first one ran.

use serde_json::json;
use tempfile::TempDir;

use crate::support::{Board, Daemon, escaque, until};

#[test]
fn another_machine_goes_on_in_the_middle_of_a_round() {
    let folder = TempDir::new().expect("a folder for the test");
    let (state, spare) = (folder.path().join("state"), folder.path().join("spare"));
    let ports = folder.path().join("board-*").display().to_string();
    let run = |arguments: &[&str]| {
        let output = escaque().args(arguments).output().expect("the program starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    let (state_path, spare_path) = (state.display().to_string(), spare.display().to_string());

    let daemon = Daemon::start(&state, &["--port", &ports]);
    for order in [
        json!({ "command": "open_round", "event": "open", "round": 1, "title": "Open", "date": "2026.11.20" }),
        json!({ "command": "assign", "table": "open/1/7", "board": "30001" }),
        json!({ "command": "pair", "table": "open/1/7", "white": { "name": "Anna" }, "black": { "name": "Berta" } }),
    ] {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
    }
    run(&["invite", "hall", "--name", "Screen", "--state", &state_path]);
    let mut board = Board::put_up(&folder.path().join("board-1"), 30_001, &[]);
    until("the game to begin", || daemon.snapshot().tables.iter().any(|table| table.game > 0).then_some(()));
    board.say("move e2e4");
    let line = |daemon: &Daemon| {
        let table = daemon.snapshot().tables.pop().expect("a table");
        (table.table.to_string(), table.line.first(table.settled).to_string())
    };
    until("the move", || (line(&daemon) == ("open/1/7".to_owned(), "e4".to_owned())).then_some(()));
    run(&["journal", "copy", &spare_path, "--state", &state_path]);
    // The first machine is gone, and a move is made before the second one is there.
    daemon.kill();
    board.say("move e7e5");

    let daemon = Daemon::start(&spare, &["--port", &ports]);
    board.say("move g1f3");
    until("the moves", || (line(&daemon) == ("open/1/7".to_owned(), "e4 e5 Nf3".to_owned())).then_some(()));
    let (_, pgn) = daemon.get("/pgn");
    assert!(pgn.contains("[Event \"Open\"]") && pgn.contains("[White \"Anna\"]"), "{pgn}");
    assert!(run(&["doors", "--state", &spare_path]).contains("Screen"));
    assert!(daemon.stop().success());
    run(&["journal", "verify", "--state", &spare_path]);
}
