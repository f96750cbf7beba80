//! A result that is given before its board comes belongs to the pairing, whoever asks and whatever happens since.

use std::fs;

use protocol::{
    board::Link,
    feed::{GameResult, TableView},
};
use serde_json::json;

use crate::support::{Board, Daemon, escaque, until};

/// Two players, and their first round to be played.
const REPORT: &str = "012 Open\n\
    001    1 m    Okafor, Ada                       2341 LAT                         0.0    1     2 w  \n\
    001    2 m    Lindqvist, Jonas                  2412 LAT                         0.0    2     1 b  \n";

#[test]
fn it_stands_in_report_pgn_and_on_the_wall_after_the_board_came_a_restart_and_a_round_closed_and_opened() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let (state, port) = (home.path().join("state"), home.path().join("board"));
    fs::create_dir(&state).expect("the folder is writable");
    let start = || Daemon::start(&state, &["--port", &port.display().to_string()]);
    let mut daemon = start();
    assert_eq!(daemon.hand_in("/pairings?event=open&round=1&take=true", REPORT).0, 200);
    let order = |daemon: &Daemon, order: serde_json::Value| {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
        answer
    };
    let open = || json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" });
    order(&daemon, open());
    let said = order(&daemon, json!({ "table": "open/1/1", "command": "result", "result": "1-0 F" }));
    assert!(said.contains("open/1/1: +/-") && !said.contains("begins"), "{said}");
    let mut board = Board::put_up(&port, 30_001, &[]);
    let table = |daemon: &Daemon| daemon.snapshot().tables.into_iter().find(|view| view.table.table == 1);
    let is_heard = |view: &TableView| view.link == Some(Link::Up) && view.game == 1;
    until("the board at its table", || table(&daemon).is_some_and(|view| is_heard(&view)).then_some(()));
    // How often the men were read. The wall goes on showing the link of before a kill: whoever moves before the board is
    // read again is in the midst of a move then.
    let read = || {
        let journal = escaque().args(["journal", "export", "--state"]).arg(&state).output().expect("it runs").stdout;
        String::from_utf8_lossy(&journal).matches(r#"{"board":"rnbqkbnr/"#).count()
    };
    until("its men in the journal", || (read() > 0).then_some(()));
    let look = |daemon: &Daemon, round: &str| {
        assert_eq!(table(daemon).map(|view| view.result), Some(GameResult::WhiteWins), "{round}");
        let (_, pgn) = daemon.get("/pgn/open/1/1/1");
        assert!(pgn.contains("[Result \"1-0\"]"), "{round}: {pgn}");
        let export = escaque().args(["export", "open", "--trf", "--state"]).arg(&state).output().expect("it runs");
        let report = String::from_utf8(export.stdout).expect("UTF-8");
        assert!(report.contains("   2 w +") && report.contains("   1 b -"), "{round}: {report}");
    };
    look(&daemon, "with the board");
    daemon.kill();
    let before = read();
    daemon = start();
    until("the board again", || (read() > before).then_some(()));
    look(&daemon, "after a kill");
    order(&daemon, json!({ "command": "close_round", "event": "open", "round": 1 }));
    let white = json!({ "name": "Okafor, Adaeze" });
    let renamed =
        json!({ "table": "open/1/1", "command": "pair", "white": white, "black": { "name": "Lindqvist, Jonas" } });
    let said = order(&daemon, renamed);
    assert!(said.contains("open/1/1: Okafor, Adaeze – Lindqvist, Jonas"), "{said}");
    assert!(said.contains("Lindqvist, Jonas keeps "), "who stays loses nothing: {said}");
    assert!(said.contains("stays closed") && daemon.snapshot().tables.is_empty(), "{said}");
    order(&daemon, open());
    look(&daemon, "opened again, under another name");
    assert!(daemon.get("/pgn/open/1/1/1").1.contains("[White \"Okafor, Adaeze\"]"));
    board.say("move e2e4");
    let is_played = |view: TableView| view.game == 2 && view.settled == 1;
    until("the game that is played all the same", || is_played(table(&daemon)?).then_some(()));
    let (_, pgn) = daemon.get("/pgn/open/1/1");
    assert!(pgn.contains("[Result \"1-0\"]") && pgn.matches("[Event ").count() == 2, "{pgn}");
    assert!(daemon.stop().success());
}

#[test]
fn a_result_typed_at_a_game_that_is_on_and_taken_back_keeps_its_board_and_its_moves() {
    let home = tempfile::tempdir().expect("a folder for the test");
    let (state, port) = (home.path().join("state"), home.path().join("board"));
    fs::create_dir(&state).expect("the folder is writable");
    let daemon = Daemon::start(&state, &["--port", &port.display().to_string()]);
    let order = |order: serde_json::Value| {
        let (status, answer) = daemon.order(&order);
        assert_eq!(status, 200, "{answer}");
        answer
    };
    for round in [1, 2] {
        let list = "Board;White;Black\n1;Ann;Ben\n2;Cid;Dee\n";
        assert_eq!(daemon.hand_in(&format!("/pairings?event=ev&round={round}&take=true"), list).0, 200);
    }
    order(json!({ "command": "open_round", "event": "ev", "round": 1 }));
    let mut board = Board::put_up(&port, 30_001, &[]);
    let table = |round: u16| {
        let is_meant = move |view: &TableView| (view.table.round, view.table.table) == (round, 1);
        daemon.snapshot().tables.into_iter().find(is_meant)
    };
    let settled = |plies: usize| until("a move", || (table(1)?.settled == plies).then_some(()));
    until("the board", || table(1).filter(|view| view.link == Some(Link::Up) && view.game == 1));
    board.say("move e2e4");
    settled(1);
    order(json!({ "command": "open_round", "event": "ev", "round": 2 }));
    order(json!({ "command": "result", "table": "ev/1/1", "result": "1-0" }));
    board.say("move e7e5");
    until("the board in the next round", || table(2).filter(|view| view.link == Some(Link::Up)));
    let said = order(json!({ "command": "result", "table": "ev/1/1", "result": "*" }));
    assert!(said.contains("board 30001 has its place at ev/1/1, no more at ev/2/1"), "{said}");
    settled(2);
    board.say("move g1f3");
    settled(3);
    let (_, pgn) = daemon.get("/pgn/ev/1/1");
    assert!(pgn.contains("1. e4") && pgn.contains("2. Nf3") && pgn.contains("[Result \"*\"]"), "{pgn}");
    order(json!({ "command": "result", "table": "ev/1/1", "result": "1/2-1/2" }));
    board.say("move b8c6");
    until("the board in the next round", || table(2).filter(|view| view.link == Some(Link::Up)));
    assert!(daemon.stop().success());
}
