//! One table with a board that moves when it is told to.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use protocol::feed::TableView;
use serde_json::json;
use shakmaty::{Chess, Position as _, uci::UciMove};

use super::{
    fault::Disk,
    watcher::{WORD, Watcher},
};
use crate::{
    support::{Board, Daemon, LOOK, escaque, until},
    truth::games,
};

/// Knights come out and go home again: as many moves as are wanted. The game would be drawn at the fifth repetition,
/// so pawns move in between.
const MOVES: [&str; 44] = [
    "e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6", "d2d3", "d7d6", "b1d2", "a7a6", "c4b3", "c5a7",
    "h2h3", "h7h6", "d2f1", "c8e6", "f1g3", "d8d7", "g3f5", "e6f5", "e4f5", "d7f5", "f3h4", "f5h7", "d1f3", "e5e4",
    "f3e2", "e8f8", "c1d2", "a8e8", "e1d1", "e8e7", "d1c2", "e7e8", "a1e1", "c6e5", "a2a3", "b7b6", "h1g1", "g7g6",
    "b3a2", "f8g7",
];

const BOARD: u32 = 30_001;

pub(super) struct Hall {
    daemon: Option<Daemon>,
    board: Board,
    state: PathBuf,
    pattern: String,
    made: usize,
    /// The most that was ever seen as final.
    shown: Vec<String>,
    began: Instant,
}

impl Hall {
    pub(super) fn open(disk: &Disk) -> Hall {
        let (state, pattern) = (disk.state(), disk.boards().join("board-*").display().to_string());
        let daemon = Daemon::start_logging(&state, &disk.log(), |command| {
            command.args(["--port", &pattern]);
            disk.prepare(command);
        });
        for order in [
            json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }),
            json!({ "command": "assign", "board": BOARD.to_string(), "table": "open/1/1" }),
        ] {
            let (status, answer) = daemon.order(&order);
            assert_eq!(status, 200, "{answer}");
        }
        let board = Board::put_up(&disk.boards().join("board-1"), BOARD, &[]);
        let began = Instant::now();
        let hall = Hall { daemon: Some(daemon), board, state, pattern, made: 0, shown: Vec::new(), began };
        until("the game to begin", || hall.table().filter(|table| table.game == 1 && table.clock.is_some()));
        hall
    }

    /// How it ends, and all it has said.
    pub(super) fn stop(mut self) -> (Option<i32>, String) {
        let daemon = self.daemon.take().expect("it was started");
        let log = daemon.log_file();
        let code = daemon.stop().code();
        (code, fs::read_to_string(log).unwrap_or_default())
    }

    pub(super) fn state(&self) -> &Path {
        &self.state
    }

    pub(super) fn made(&self) -> usize {
        self.made
    }

    pub(super) fn log(&self) -> String {
        self.daemon().log()
    }

    pub(super) fn watch(&self) -> Watcher {
        Watcher::look_at(&self.daemon().address, &self.daemon().token)
    }

    /// How inviting a screen ends, and what it says.
    pub(super) fn invite(&self) -> (Option<i32>, String) {
        let mut invite = escaque();
        let invited = invite.args(["invite", "hall", "--no-picture", "--state"]).arg(&self.state).output();
        let invited = invited.expect("the program starts");
        let said = [invited.stdout, invited.stderr].concat();
        (invited.status.code(), String::from_utf8_lossy(&said).into_owned())
    }

    pub(super) fn make_and_see_final(&mut self) {
        self.make();
        until("the move to be final", || (self.table()?.settled == self.made).then_some(()));
        self.shown = self.settled_line();
    }

    /// How soon a move is shown, whether final or not.
    pub(super) fn make_and_see(&mut self, patience: Duration) -> Option<Duration> {
        let began = Instant::now();
        self.make();
        while began.elapsed() < patience && self.has_ended().is_none() {
            if self.table().is_some_and(|table| table.line.len() >= self.made) {
                return Some(began.elapsed());
            }
            sleep(LOOK);
        }
        None
    }

    pub(super) fn wait_for_final(&mut self, plies: usize, patience: Duration) -> bool {
        let began = Instant::now();
        while began.elapsed() < patience {
            if self.settled() >= plies {
                self.shown = self.settled_line();
                return true;
            }
            sleep(LOOK);
        }
        false
    }

    pub(super) fn settled(&self) -> usize {
        self.table().map_or(0, |table| table.settled)
    }

    /// Waits until the file is as the screens are.
    pub(super) fn settle(&self) {
        let written = || games(&self.pgn_file()).first().is_some_and(|game| game.len() == self.made);
        until("the PGN file", || written().then_some(()));
    }

    pub(super) fn pgn_file(&self) -> String {
        fs::read_to_string(self.state.join("pgn/open/1-1.pgn")).unwrap_or_default()
    }

    /// The last words of a daemon that is no more.
    pub(super) fn has_ended(&mut self) -> Option<String> {
        let daemon = self.daemon.as_mut().expect("it was started");
        let last = |log: String| log.lines().last().unwrap_or_default().to_owned();
        daemon.has_ended().then(|| last(daemon.log()))
    }

    /// When the log first warned that nothing is recorded, as its own times tell.
    pub(super) fn said_at(&self) -> Option<Instant> {
        let log = self.daemon().log();
        let warns = |line: &&str| (line.contains("WARN ") || line.contains("ERROR ")) && line.contains(WORD);
        let line = log.lines().find(warns)?;
        let said = line.split(' ').next()?.parse::<jiff::Timestamp>().ok()?;
        let ago = jiff::Timestamp::now().duration_since(said);
        let ago = Duration::try_from(ago).ok()?;
        Instant::now().checked_sub(ago).filter(|at| *at > self.began)
    }

    /// The finals of the screens that a daemon does not know after a kill, on a disk that works.
    pub(super) fn lost_after_a_kill(mut self) -> Vec<String> {
        self.daemon.take().expect("it was started").kill();
        self.daemon = Some(Daemon::start(&self.state, &["--port", &self.pattern]));
        let kept = self.settled_line();
        if kept.starts_with(&self.shown) { Vec::new() } else { self.shown.split_off(kept.len().min(self.shown.len())) }
    }

    fn make(&mut self) {
        let played = MOVES.get(self.made).expect("the script is long enough");
        self.board.say(&format!("move {played}"));
        self.made += 1;
    }

    fn settled_line(&self) -> Vec<String> {
        self.table().map(|table| table.line.first(table.settled).after(0)).unwrap_or_default()
    }

    fn table(&self) -> Option<TableView> {
        let view = self.daemon().try_snapshot()?;
        view.tables.into_iter().find(|view| view.table.table == 1 && view.table.event == "open")
    }

    fn daemon(&self) -> &Daemon {
        self.daemon.as_ref().expect("it was started")
    }
}

#[test]
fn the_script_of_the_board_is_a_game() {
    let mut game = Chess::default();
    for played in MOVES {
        let legal = played.parse::<UciMove>().expect("a move").to_move(&game).expect(played);
        game.play_unchecked(legal);
    }
}
