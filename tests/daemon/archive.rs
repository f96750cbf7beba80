//! Rounds that are over: they keep nobody waiting at a start, and are there when somebody asks for them.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Board, Daemon, until};

#[test]
fn a_round_that_is_over_is_read_when_somebody_asks_for_it() {
    let hall = Evening::play();
    let daemon = hall.start();
    let rounds = daemon.snapshot().tables.into_iter().map(|table| table.table.round).collect::<Vec<_>>();
    assert!(!rounds.contains(&1), "nobody plays there: {rounds:?}");
    let pgn = until("the games of round 1", || Some(daemon.get("/pgn/open/1")).filter(|(status, _)| *status == 200)).1;
    assert!(pgn.contains("1. e4") && pgn.contains("1/2-1/2") && pgn.contains("[White \"Anna\"]"), "{pgn}");
    order(&daemon, &json!({ "command": "result", "table": "open/1/1", "result": "1-0" }));
    let (_, pgn) = daemon.get("/pgn/open/1");
    assert!(pgn.contains("1. e4") && pgn.contains("[Result \"1-0\"]") && pgn.contains("[White \"Anna\"]"), "{pgn}");
    daemon.kill();
    let daemon = hall.start();
    until("what was ordered", || daemon.get("/pgn/open/1").1.contains("[Result \"1-0\"]").then_some(()));
    assert!(daemon.stop().success());
}

#[test]
fn a_round_that_left_the_wall_does_not_come_back_to_it_when_it_is_asked_for() {
    let hall = Evening::play();
    for (result, white) in [("1-0", "Clara"), ("0-1", "Emma")] {
        let daemon = hall.start();
        order(&daemon, &json!({ "command": "result", "table": "open/1/1", "result": result }));
        pair(&daemon, 2, white, "Dora");
        // What was told of the one round is seen before what was told later of the other.
        let tables = until("the names", || {
            let tables = daemon.snapshot().tables;
            let is_named = |player: &protocol::feed::Player| player.name == white;
            tables.iter().any(|table| table.white.as_ref().is_some_and(is_named)).then_some(tables)
        });
        let rounds = tables.iter().map(|table| table.table.round).collect::<Vec<_>>();
        assert!(!rounds.contains(&1), "round 1 was played out when round 2 was opened: {rounds:?}");
        assert!(daemon.get("/pgn/open/1").1.contains(&format!("[Result \"{result}\"]")));
        daemon.kill();
    }
}

#[test]
fn damage_in_a_round_that_is_over_is_said_on_every_screen_and_its_games_stay() {
    let hall = Evening::play();
    let pgn = hall.state().join("pgn/open/1-1.pgn");
    assert!(fs::read_to_string(&pgn).expect("it was written").contains("1. e4"));
    spoil(&hall.state().join("journal/open/1.sqlite"));
    let daemon = hall.start();
    let screen = daemon.follow();
    let notice = until("the notice", || screen.shown().notice);
    assert!(notice.contains("Part of the record of round 1 of open was damaged"), "{notice}");
    let aside = hall.state().join("pgn/open/1-1.pgn.journal");
    until("what the journal says", || aside.exists().then_some(()));
    assert!(fs::read_to_string(&pgn).expect("it is kept").contains("1. e4"));
    until("the sentence", || daemon.log().contains("knows moves or names the journal does not").then_some(()));
    assert!(daemon.stop().success());
}

#[test]
fn games_of_a_round_the_journal_has_never_heard_of_are_said() {
    let hall = Evening::play();
    let stranger = hall.state().join("pgn/spring/7.pgn");
    fs::create_dir_all(stranger.parent().expect("a folder")).expect("the folder is ours");
    fs::write(&stranger, "[Event \"spring\"]\n\n1. d4 *\n").expect("the folder is ours");
    let daemon = hall.start();
    until("the sentence", || {
        daemon.log().contains("spring/7.pgn holds games of which the journal says nothing").then_some(())
    });
    assert!(daemon.stop().success());
}

/// A round that was played, and one that has begun; nobody runs.
struct Evening {
    folder: TempDir,
    _board: Board,
}

impl Evening {
    fn play() -> Evening {
        let folder = TempDir::new().expect("a folder for the test");
        let daemon = Daemon::start(&folder.path().join("state"), &["--port", &ports(&folder)]);
        open(&daemon, 1);
        let mut board = Board::put_up(&folder.path().join("board-1"), 30_001, &[]);
        order(&daemon, &json!({ "command": "assign", "board": "30001", "table": "open/1/1" }));
        pair(&daemon, 1, "Anna", "Berta");
        let settled =
            |count: usize| daemon.snapshot().tables.iter().any(|table| table.game > 0 && table.settled == count);
        until("the game to begin", || settled(0).then_some(()));
        board.say("move e2e4");
        until("the move", || settled(1).then_some(()));
        order(&daemon, &json!({ "command": "result", "table": "open/1/1", "result": "1/2-1/2" }));
        open(&daemon, 2);
        pair(&daemon, 2, "Clara", "Dora");
        order(&daemon, &json!({ "command": "assign", "board": "30001", "table": "open/2/1" }));
        assert!(daemon.stop().success());
        Evening { folder, _board: board }
    }

    fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    fn start(&self) -> Daemon {
        Daemon::start(&self.state(), &["--port", &ports(&self.folder)])
    }
}

fn ports(folder: &TempDir) -> String {
    folder.path().join("board-*").display().to_string()
}

fn open(daemon: &Daemon, round: u16) {
    order(daemon, &json!({ "command": "open_round", "event": "open", "round": round, "date": "2026.11.20" }));
}

fn pair(daemon: &Daemon, round: u16, white: &str, black: &str) {
    let (white, black) = (json!({ "name": white }), json!({ "name": black }));
    order(daemon, &json!({ "command": "pair", "table": format!("open/{round}/1"), "white": white, "black": black }));
}

fn order(daemon: &Daemon, order: &Value) {
    let (status, answer) = daemon.order(order);
    assert_eq!(status, 200, "{answer}");
}

/// Changes what was told first: the name of a board. A page of the file is filled from its end.
fn spoil(file: &Path) {
    let mut bytes = fs::read(file).expect("it is there");
    let at = bytes.windows(5).rposition(|five| five == b"30001").expect("the board was heard");
    bytes[at] ^= 1;
    fs::write(file, bytes).expect("the folder is ours");
}
