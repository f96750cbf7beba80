//! Boards and daemons that come back: the table, the record and the cable are as they should be.

use std::{fs, path::Path};

use protocol::{
    board::Link,
    feed::{GameResult, State, TableView},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Board, Daemon, escaque, until};

#[test]
fn moves_made_while_nobody_listened_are_in_the_record() {
    for gap in 1..=2 {
        let mut hall = Hall::open();
        let mut board = hall.board(1, &[]);
        make(&mut board, "e2e4");
        hall.expect(1, &["e4"]);
        let state = hall.state();
        hall.take_daemon().kill();
        for played in ["e7e5", "g1f3"].into_iter().take(gap) {
            make(&mut board, played);
        }
        hall.start(&state);
        hall.expect(1, &["e4", "e5", "Nf3"][..=gap]);
    }
}

#[test]
fn a_board_that_is_first_heard_in_the_middle_of_a_game_is_followed_from_there() {
    let mut hall = Hall::open();
    let mut board = hall.board(1, &[]);
    make(&mut board, "e2e4");
    hall.expect(1, &["e4"]);
    assert!(hall.take_daemon().stop().success());
    // A daemon that has never heard of this game.
    hall.start(&hall.folder.path().join("another"));
    hall.order(&json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
    hall.order(&json!({ "command": "assign", "board": "30001", "table": "open/1/1" }));
    until("the game to be on", || hall.table(1).is_some_and(|table| table.state == State::Playing).then_some(()));
    make(&mut board, "e7e5");
    hall.expect(1, &["e5"]);
    make(&mut board, "g1f3");
    hall.expect(1, &["e5", "Nf3"]);
}

#[test]
fn passes_and_the_names_of_those_who_gave_orders_outlive_a_kill() {
    let folder = TempDir::new().expect("a folder for the test");
    let doors = |more: &[&str]| {
        let mut doors = escaque();
        doors.args(more).arg("--state").arg(folder.path());
        let ran = doors.output().expect("the program starts");
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr)
    };
    let daemon = Daemon::start(folder.path(), &["--port", "/nowhere/board"]);
    doors(&["invite", "arbiter", "--name", "Anna"]);
    doors(&["invite", "hall", "--name", "Screen"]);
    doors(&["doors", "--revoke", "2"]);
    let open = json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" });
    assert_eq!(daemon.order(&open).0, 200);
    daemon.kill();

    let daemon = Daemon::start(folder.path(), &["--port", "/nowhere/board"]);
    let listed = doors(&["doors"]);
    assert!(listed.contains("Anna") && !listed.contains("Screen"), "{listed}");
    assert!(doors(&["invite", "hall", "--name", "Another"]).contains("Pass 3, hall"));
    assert!(daemon.stop().success());
    let written = doors(&["journal", "export"]);
    let written = written.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>();
    let of = |what: &str| written.iter().filter(move |row| row["input"]["input"] == what).collect::<Vec<_>>();
    assert_eq!((of("invited").len(), of("revoked").len()), (3, 1), "{written:?}");
    let opened = of("ordered").into_iter().find(|row| row["input"]["event"] == "open").expect("it was opened");
    assert_eq!(opened["input"]["by"]["name"], "operator.token", "{opened}");
}

#[test]
fn a_board_on_another_device_keeps_its_table() {
    let hall = Hall::open();
    let mut board = hall.board(1, &[]);
    make(&mut board, "e2e4");
    hall.expect(1, &["e4"]);
    let before = fs::canonicalize(&board.link).expect("the board is up");
    board.say("unplug 0.5");
    until("the cable to be out", || (hall.table(1)?.link == Some(Link::Down)).then_some(()));
    until("the cable to be back", || (hall.table(1)?.link == Some(Link::Up)).then_some(()));
    assert_ne!(fs::canonicalize(&board.link).expect("the board is up"), before);
    make(&mut board, "e7e5");
    hall.expect(1, &["e4", "e5"]);
    assert_eq!(hall.daemon().snapshot().tables.len(), 1);
}

#[test]
fn two_boards_that_swap_sockets_keep_their_tables() {
    let mut hall = Hall::open();
    let (mut one, mut two) = (hall.board(1, &[]), hall.board(2, &[]));
    make(&mut one, "e2e4");
    make(&mut two, "d2d4");
    hall.expect(1, &["e4"]);
    hall.expect(2, &["d4"]);
    let state = hall.state();
    assert!(hall.take_daemon().stop().success());
    let (a, b, aside) = (one.link.clone(), two.link.clone(), hall.folder.path().join("aside"));
    for (from, to) in [(&a, &aside), (&b, &a), (&aside, &b)] {
        fs::rename(from, to).expect("links can be renamed");
    }
    hall.start(&state);
    make(&mut one, "e7e5");
    make(&mut two, "d7d5");
    hall.expect(1, &["e4", "e5"]);
    hall.expect(2, &["d4", "d5"]);
}

#[test]
fn a_board_that_does_not_come_back_is_not_shown_as_heard() {
    let mut hall = Hall::open();
    let mut board = hall.board(1, &[]);
    make(&mut board, "e2e4");
    hall.expect(1, &["e4"]);
    let state = hall.state();
    hall.take_daemon().kill();
    board.take_down();
    hall.start(&state);
    let table = hall.table(1).expect("the table is kept");
    assert_eq!((table.link, table.line), (Some(Link::Down), ["e4"].into_iter().collect()));
}

#[test]
fn a_game_that_ended_stays_ended_and_the_next_one_begins() {
    let mut hall = Hall::open();
    let mut board = hall.board(1, &[]);
    for played in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        make(&mut board, played);
    }
    until("mate", || (hall.table(1)?.result == GameResult::BlackWins).then_some(()));
    let state = hall.state();
    hall.take_daemon().kill();
    hall.start(&state);
    until("the board", || (hall.table(1)?.link == Some(Link::Up)).then_some(()));
    let table = hall.table(1).expect("the table is kept");
    assert_eq!((table.game, table.state, table.result), (1, State::Ended, GameResult::BlackWins));
    assert_eq!(table.line, ["f3", "e5", "g4", "Qh4#"]);
}

#[test]
fn a_game_forfeited_on_its_start_array_is_not_begun_again_by_a_restart() {
    let mut hall = Hall::open();
    let _board = hall.board(1, &[]);
    hall.order(&json!({ "command": "result", "table": "open/1/1", "result": "1-0" }));
    let state = hall.state();
    hall.take_daemon().kill();
    hall.start(&state);
    until("the board", || (hall.table(1)?.link == Some(Link::Up)).then_some(()));
    // What the board says after its link is the whole board; an order waits behind it.
    hall.order(&json!({ "command": "pair", "table": "open/1/9", "white": { "name": "" }, "black": { "name": "" } }));
    let table = hall.table(1).expect("the table is kept");
    assert_eq!((table.game, table.result), (1, GameResult::WhiteWins));
}

#[test]
fn orders_given_before_a_kill_stand_after_it() {
    let mut hall = Hall::open();
    let mut board = hall.board(1, &[]);
    for played in ["e2e4", "e7e5", "g1f3"] {
        make(&mut board, played);
    }
    hall.expect(1, &["e4", "e5", "Nf3"]);
    let pair = json!({ "command": "pair", "table": "open/1/1", "white": { "name": "A" }, "black": { "name": "B" } });
    hall.order(&pair);
    hall.order(&json!({ "command": "result", "table": "open/1/1", "result": "1/2-1/2" }));
    let state = hall.state();
    let before = hall.table(1).expect("a table");
    hall.take_daemon().kill();
    hall.start(&state);
    let after = hall.table(1).expect("the table is kept");
    let told = |table: &TableView| (table.white.clone(), table.result, table.state, table.line.clone(), table.settled);
    assert_eq!(told(&after), told(&before));
    assert_eq!(after.result, GameResult::Draw);
    let (_, pgn) = hall.daemon().get("/pgn");
    assert!(pgn.contains("[White \"A\"]") && pgn.contains("[Result \"1/2-1/2\"]"), "{pgn}");
}

#[test]
fn a_record_mended_by_order_is_told_and_stands_after_a_kill() {
    let mut hall = Hall::open();
    let mut board = hall.board(1, &[]);
    for played in ["e2e4", "e7e6", "g1f3"] {
        make(&mut board, played);
    }
    hall.expect(1, &["e4", "e6", "Nf3"]);
    let order = |order: Value| hall.daemon().order(&order);
    let (status, answer) = order(json!({ "command": "replace", "table": "open/1/1", "ply": 2, "move": "e5" }));
    assert!(status == 200 && answer.contains(r#""from_ply":2"#) && answer.contains(r#""arbiter""#), "{answer}");
    let (status, answer) = order(json!({ "command": "insert", "table": "open/1/1", "moves": ["Nc6", "Bb5"] }));
    assert!(status == 200 && answer.contains(r#""new":["Nc6","Bb5"]"#), "{answer}");
    let (status, answer) = order(json!({ "command": "replace", "table": "open/1/1", "ply": 3, "move": "Ke3" }));
    assert!(status == 409 && answer.contains("Ke3 is no legal move for White at move 2"), "{answer}");
    let (status, answer) = order(json!({ "command": "choose", "table": "open/1/1", "alternative": 1 }));
    assert!(status == 409 && answer.contains("there is nothing to choose"), "{answer}");
    let (status, answer) = order(json!({ "command": "set_turn", "table": "open/1/1", "side": "white" }));
    assert!(status == 409 && answer.contains("after 5 moves of the record it is Black's turn"), "{answer}");
    hall.expect(1, &["e4", "e5", "Nf3", "Nc6", "Bb5"]);
    let state = hall.state();
    hall.take_daemon().kill();
    hall.start(&state);
    hall.expect(1, &["e4", "e5", "Nf3", "Nc6", "Bb5"]);
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let (status, answer) = hall.daemon().order(&json!({ "command": "set_position", "table": "open/1/1", "fen": fen }));
    assert!(status == 200 && answer.contains(r#""from_ply":3"#), "{answer}");
    let (_, pgn) = hall.daemon().get("/pgn");
    assert!(pgn.contains("1... e5 {[%clk ") && !pgn.contains("Nf3"), "{pgn}");
}

#[test]
fn boards_keep_their_numbers_in_the_next_round_and_play_at_once() {
    let hall = Hall::open();
    let (mut one, mut two) = (hall.board(1, &[]), hall.board(2, &[]));
    make(&mut one, "e2e4");
    make(&mut two, "d2d4");
    hall.expect(1, &["e4"]);
    hall.expect(2, &["d4"]);
    for (board, from, to) in [(&mut one, "e4", "e2"), (&mut two, "d4", "d2")] {
        put(board, from, to, "P");
    }
    hall.order(&json!({ "command": "open_round", "event": "open", "round": 2, "date": "2026.11.21" }));
    let at = |table: u16| {
        let view = hall.daemon().snapshot();
        view.tables.into_iter().find(|view| view.table.round == 2 && view.table.table == table)
    };
    for table in [1, 2] {
        until("the board at its new table", || (at(table)?.link == Some(Link::Up)).then_some(()));
        assert_eq!(hall.table(table).expect("round 1 is kept").link, Some(Link::Down), "one cable, one table");
    }
    let (_, pgn) = hall.daemon().get("/pgn/open/1");
    assert!(pgn.contains("1. e4") && pgn.contains("1. d4"), "{pgn}");
}

#[test]
fn the_men_of_the_round_before_are_no_game_of_the_next_one() {
    let hall = Hall::open();
    let mut board = hall.board(1, &[]);
    make(&mut board, "e2e4");
    hall.expect(1, &["e4"]);
    hall.order(&json!({ "command": "result", "table": "open/1/1", "result": "1-0" }));
    hall.order(&json!({ "command": "open_round", "event": "open", "round": 2, "date": "2026.11.21" }));
    let at = || hall.daemon().snapshot().tables.into_iter().find(|view| view.table.round == 2);
    until("the board at its new table", || (at()?.link == Some(Link::Up)).then_some(()));
    make(&mut board, "d7d5");
    for (from, to, man) in [("e4", "e2", "P"), ("d5", "d7", "p")] {
        put(&mut board, from, to, man);
    }
    until("the next game", || at().filter(|view| view.game > 0 && view.placement.ends_with("RNBQKBNR")));
    make(&mut board, "c2c4");
    until("its first move", || at().filter(|view| view.settled == 1));
    let view = at().expect("a table");
    assert_eq!((view.game, view.line.iter().collect::<Vec<_>>()), (1, vec!["c4"]), "{view:?}");
}

#[test]
fn that_the_arbiter_was_called_is_withheld_after_a_restart_too() {
    let mut hall = Hall::open();
    let mut board = hall.board(1, &[]);
    make(&mut board, "e2e4");
    hall.expect(1, &["e4"]);
    let claim = json!({ "command": "claim", "table": "open/1/1", "side": "black", "claim": "threefold" });
    let (status, answer) = hall.daemon().order(&claim);
    assert!(status == 200 && answer.contains("awaiting_arbiter"), "{answer}");
    assert_eq!(hall.table(1).expect("a table").state, State::Playing);
    let state = hall.state();
    hall.take_daemon().kill();
    hall.start(&state);
    assert_eq!(hall.table(1).expect("the table is kept").state, State::Playing);
}

#[test]
fn pgn_files_that_a_kill_left_behind_are_caught_up() {
    let mut hall = Hall::open();
    let mut board = hall.board(1, &[]);
    make(&mut board, "e2e4");
    hall.expect(1, &["e4"]);
    let state = hall.state();
    hall.take_daemon().kill();
    let file = state.join("pgn/open/1-1.pgn");
    let _ = fs::remove_file(&file);
    hall.start(&state);
    until("the file", || fs::read_to_string(&file).is_ok_and(|pgn| pgn.contains("1. e4")).then_some(()));
}

/// A daemon, boards, and a round named `open`.
struct Hall {
    folder: TempDir,
    daemon: Option<Daemon>,
}

impl Hall {
    fn open() -> Hall {
        let mut hall = Hall { folder: TempDir::new().expect("a folder for the test"), daemon: None };
        hall.start(&hall.state());
        hall.order(&json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
        hall
    }

    fn state(&self) -> std::path::PathBuf {
        self.folder.path().join("state")
    }

    fn start(&mut self, state: &Path) {
        let pattern = self.folder.path().join("board-*").display().to_string();
        self.daemon = Some(Daemon::start(state, &["--port", &pattern]));
    }

    fn daemon(&self) -> &Daemon {
        self.daemon.as_ref().expect("it runs")
    }

    fn take_daemon(&mut self) -> Daemon {
        self.daemon.take().expect("it runs")
    }

    /// A board whose game has begun at the table of its number.
    fn board(&self, table: u16, more: &[&str]) -> Board {
        let link = self.folder.path().join(format!("board-{table}"));
        let board = Board::put_up(&link, 30_000 + u32::from(table), more);
        let has_begun = |table: TableView| table.game == 1 && table.clock.is_some();
        until("the game to begin", || self.table(table).is_some_and(has_begun).then_some(()));
        board
    }

    fn table(&self, number: u16) -> Option<TableView> {
        let view = self.daemon().snapshot();
        view.tables.into_iter().find(|view| view.table.round == 1 && view.table.table == number)
    }

    /// Waits until so much is final.
    fn expect(&self, table: u16, moves: &[&str]) {
        until(&format!("{moves:?} at table {table}"), || {
            let table = self.table(table)?;
            (table.line.iter().eq(moves.iter().copied()) && table.settled == moves.len()).then_some(())
        });
    }

    fn order(&self, order: &Value) {
        let (status, answer) = self.daemon().order(order);
        assert_eq!(status, 200, "{answer}");
    }
}

impl Drop for Hall {
    /// Whoever reads a failure wants to know what the daemon heard.
    fn drop(&mut self) {
        if std::thread::panicking() {
            let output = escaque().args(["replay", "--events"]).arg(self.state()).output().expect("the program starts");
            eprintln!("{}", String::from_utf8_lossy(&output.stdout));
        }
    }
}

fn make(board: &mut Board, played: &str) {
    board.say(&format!("move {played}"));
}

/// A man is put there by hand, and nobody presses.
fn put(board: &mut Board, from: &str, to: &str, man: &str) {
    board.say(&format!("lift {from}"));
    board.say(&format!("place {to} {man}"));
}

/// The wall's clock can't be set in a test, and need not be: what counts is which clock a stop is told by.
#[test]
fn how_long_a_stop_was_is_told_by_the_kernels_clock_until_the_machine_is_booted_anew() {
    const HOUR: u64 = 3_600_000;
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let start = |boot: &str| {
        Daemon::start_as(&state, |command| {
            command.args(["--port", "/dev/none-of-ours*"]).env("ESCAQUE_BOOT", boot);
        })
    };
    // When an order was carried out, by the core's own time.
    let moment = |daemon: Daemon, table: u16| {
        let black = json!({ "name": table.to_string() });
        let table = format!("open/1/{table}");
        let (_, answer) =
            daemon.order(&json!({ "command": "pair", "table": table, "white": { "name": "A" }, "black": black }));
        assert!(daemon.stop().success());
        let answer = serde_json::from_str::<Value>(&answer).expect("JSON");
        answer["done"][0]["t"].as_u64().unwrap_or_else(|| panic!("{answer}"))
    };
    // As if the kernel had counted an hour since.
    let an_hour_passes = || {
        let file = state.join("origin");
        let mut origin = serde_json::from_slice::<Value>(&fs::read(&file).expect("it is kept")).expect("JSON");
        origin["zero_ms"] = json!(origin["zero_ms"].as_i64().expect("a number") - 3_600_000);
        fs::write(&file, origin.to_string()).expect("the folder is writable");
    };
    let daemon = start("one");
    daemon.order(&json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
    assert!(moment(daemon, 1) < HOUR);
    an_hour_passes();
    assert!((HOUR..2 * HOUR).contains(&moment(start("one"), 2)));
    an_hour_passes();
    assert!((HOUR..2 * HOUR).contains(&moment(start("another"), 3)), "its clock has counted anew");
}
