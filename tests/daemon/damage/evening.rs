//! The state folders that are damaged: two rounds of an evening, as a kill and as a clean end leave them, and as they
//! were earlier in the evening.

use std::{
    fs,
    path::{Path, PathBuf},
};

use escaque::rehearsal::{Game, embedded};
use protocol::feed::State;
use serde_json::json;
use shakmaty::san::SanPlus;
use tempfile::TempDir;

use super::ledger::Ledger;
use crate::{
    dice::{Dice, dial},
    support::{Board, Daemon, until},
};

/// The board that plays, and its table in the second round.
pub(super) const BOARD: u32 = 30_001;
const TABLE: &str = "open/2/1";

/// Boards that are never plugged in have numbers behind this one.
const NOBODYS: u32 = 40_000;

/// How many tables a round has; all but one are moved by order.
const TABLES: usize = 4;

/// Nobody plugs anything in.
pub(super) const NO_PORTS: [&str; 2] = ["--port", "/dev/none-of-ours*"];

/// State folders, never changed.
pub(super) struct Evening {
    _folder: TempDir,
    /// In the first round.
    pub(super) earlier: PathBuf,
    /// In the second round, after a kill.
    pub(super) killed: PathBuf,
    /// The same after a clean end.
    pub(super) stopped: PathBuf,
    /// What is told of the second round by a daemon that starts on it.
    pub(super) told: Ledger,
    /// What a start on a sound folder says.
    pub(super) usual: Vec<String>,
}

impl Evening {
    pub(super) fn play() -> Evening {
        let folder = scratch();
        let at = |name: &str| folder.path().join(name);
        let (state, earlier, killed, stopped) = (at("state"), at("earlier"), at("killed"), at("stopped"));
        let pattern = at("board-*").display().to_string();
        let daemon = Daemon::start(&state, &["--port", &pattern]);
        open(&daemon, 1);
        play(&daemon, 1, 0..30);
        daemon.kill();
        copy(&state, &earlier);

        let daemon = Daemon::start(&state, &["--port", &pattern]);
        play(&daemon, 1, 30..60);
        // What the Laws have ended stays so: a file that was written before another result was given would know another one.
        for view in daemon.snapshot().tables.iter().filter(|view| view.state != State::Ended) {
            order(&daemon, &json!({ "command": "result", "table": view.table.to_string(), "result": "1/2-1/2" }));
        }
        open(&daemon, 2);
        let _board = Board::put_up(&at("board-1"), BOARD, &["--games", "--profile", "perfect", "--speed", "1000"]);
        play(&daemon, 2, 0..40);
        let enough = usize::try_from(dial("PLIES", 8)).expect("a few plies");
        until("the board to play", || {
            let view = daemon.snapshot();
            let settled = view.tables.iter().find(|view| view.table.to_string() == TABLE).map(|view| view.settled);
            settled.is_some_and(|settled| settled >= enough).then_some(())
        });
        daemon.kill();
        copy(&state, &killed);

        let daemon = Daemon::start(&state, &NO_PORTS);
        until("the files", || at("state/pgn/open/2.pgn").exists().then_some(()));
        assert!(daemon.stop().success());
        copy(&state, &stopped);

        let (told, usual) = undamaged(&killed);
        Evening { _folder: folder, earlier, killed, stopped, told, usual }
    }
}

/// What is told of a folder as it is.
fn undamaged(state: &Path) -> (Ledger, Vec<String>) {
    let folder = scratch();
    let here = folder.path().join("state");
    copy(state, &here);
    let events = Ledger::events(&here).expect("a sound journal is read");
    let daemon = Daemon::start(&here, &NO_PORTS);
    let told = Ledger { events, ..Ledger::of(&daemon) };
    let usual = daemon.log().lines().map(str::to_owned).collect();
    let (games, events) = (told.games.len(), told.events.len());
    assert!(games >= 2 * TABLES && events > 100, "there is something to lose: {games} games, {events} events");
    daemon.kill();
    (told, usual)
}

fn open(daemon: &Daemon, round: u16) {
    order(daemon, &json!({ "command": "open_round", "event": "open", "round": round, "date": "2026.11.20" }));
    for table in 1..=TABLES {
        let table_id = format!("open/{round}/{table}");
        let name = |side: &str| json!({ "name": format!("{side} {round}.{table}") });
        let plays = (round, table) == (2, 1);
        let board = if plays { BOARD } else { NOBODYS + u32::from(round) * 10 + u32::try_from(table).expect("few") };
        order(daemon, &json!({ "command": "assign", "table": table_id, "board": board.to_string() }));
        if !plays {
            order(daemon, &json!({ "command": "new_game", "table": table_id }));
        }
        order(daemon, &json!({ "command": "pair", "table": table_id, "white": name("White"), "black": name("Black") }));
    }
}

/// Games go on by order, a few moves at a time. The first table of the second round is the board's.
fn play(daemon: &Daemon, round: u16, plies: std::ops::Range<usize>) {
    let games = embedded();
    for at in plies.step_by(5) {
        for table in 1..=TABLES {
            if (round, table) != (2, 1) {
                let game = sans(&games[usize::from(round) * TABLES + table]);
                let moves = game.get(at..game.len().min(at + 5)).unwrap_or_default();
                insert(daemon, round, table, moves);
            }
        }
    }
}

/// A few moves more at a table that is moved by order; gives whether they were taken.
pub(super) fn go_on(daemon: &Daemon, at: usize, dice: &mut Dice) -> bool {
    let table = 2 + usize::try_from(dice.below(TABLES as u64 - 1)).expect("a few tables");
    let game = sans(&embedded()[2 * TABLES + table]);
    let moves = game.get(at..game.len().min(at + 2)).unwrap_or_default();
    let order = json!({ "command": "insert", "table": format!("open/2/{table}"), "moves": moves });
    !moves.is_empty() && daemon.try_order(&daemon.token, &order).is_ok_and(|(status, _)| status == 200)
}

fn insert(daemon: &Daemon, round: u16, table: usize, moves: &[String]) {
    if !moves.is_empty() {
        let table = format!("open/{round}/{table}");
        order(daemon, &json!({ "command": "insert", "table": table, "moves": moves }));
    }
}

fn sans(game: &Game) -> Vec<String> {
    let mut position = game.start.clone();
    let san = |played: &shakmaty::Move| SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string();
    game.moves.iter().map(san).collect()
}

fn order(daemon: &Daemon, order: &serde_json::Value) {
    let (status, answer) = daemon.order(order);
    assert_eq!(status, 200, "{order}: {answer}");
}

/// A folder in memory where there is one: what is tried here is not how fast the disk is.
pub(super) fn scratch() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
    made.expect("a folder for the test")
}

pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder is ours");
    for entry in fs::read_dir(from).expect("it is a folder") {
        let entry = entry.expect("it can be listed");
        let (path, there) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &there);
        } else {
            fs::copy(&path, &there).expect("it can be copied");
        }
    }
}
