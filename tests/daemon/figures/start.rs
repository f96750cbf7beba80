//! From a kill to the right positions, with a short past and with a long one.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::json;
use tempfile::TempDir;

use super::past::lengthen;
use crate::{
    dice::{dial, percentile},
    support::{Board, Daemon, LOOK, until},
};

const SERIALS: u32 = 30_000;

/// The round that is played, and the one before it.
pub(super) const ROUND: u16 = 9;
const MOVES: [&str; 10] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "c2c3", "g8f6", "d2d3", "d7d6"];

/// A start that has not come so far after this has failed.
const PATIENCE: Duration = Duration::from_secs(900);

#[test]
#[ignore = "takes minutes; `make figures` runs it"]
fn from_a_kill_to_the_right_positions() {
    let (boards, inputs) = (u32::try_from(dial("BOARDS", 50)).expect("some boards"), dial("INPUTS", 200_000));
    let hall = Hall::play(boards);
    measure("a short past", &hall, &hall.state);
    let long = hall.folder.path().join("long");
    let began = Instant::now();
    let count = lengthen(&hall.state, &long, inputs);
    println!("a journal of {count} inputs, {} MB, made in {:.0?}", size(&long) / 1_000_000, began.elapsed());
    measure("a long past", &hall, &long);
    let daemon = Daemon::start_patiently(&long, &["--port", &hall.pattern], PATIENCE);
    order(&daemon, &json!({ "command": "delay", "seconds": 900 }));
    daemon.kill();
    measure("a long past, and spectators a quarter of an hour behind", &hall, &long);
}

fn measure(name: &str, hall: &Hall, state: &Path) {
    let starts = dial("STARTS", 10);
    let (mut pages, mut right, mut heard, mut memory) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for _ in 0..starts {
        let began = Instant::now();
        let daemon = Daemon::start_patiently(state, &["--port", &hall.pattern], PATIENCE);
        let (status, _) = daemon.get("/");
        assert_eq!(status, 200);
        pages.push(began.elapsed());
        wait(began, || hall.is_right(&daemon));
        right.push(began.elapsed());
        memory = memory.max(peak(daemon.pid()));
        wait(began, || hall.is_heard(&daemon));
        heard.push(began.elapsed());
        daemon.kill();
    }
    let line = |what: &str, times: &[Duration], bar: &str| {
        println!("  {what}: half {:.2?}, 95 % {:.2?}{bar}", percentile(times, 50), percentile(times, 95));
    };
    println!("{name}, {} tables, {starts} starts after a kill:", hall.company.len());
    line("first page", &pages, " (bar 500 ms)");
    line("right positions", &right, " (bar 95 % within 1.5 s)");
    line("all boards heard", &heard, "");
    println!("  memory at its peak: {} MB (bar 300 MB)", memory / 1_000);
}

fn wait(began: Instant, so: impl Fn() -> bool) {
    while !so() {
        assert!(began.elapsed() < PATIENCE, "waited in vain");
        sleep(LOOK);
    }
}

/// Boards in the middle of a game, after a round that is over.
struct Hall {
    folder: TempDir,
    state: PathBuf,
    pattern: String,
    company: Vec<Board>,
}

impl Hall {
    fn play(boards: u32) -> Hall {
        let folder = TempDir::new().expect("a folder for the test");
        let (state, pattern) = (folder.path().join("state"), folder.path().join("board-*").display().to_string());
        let mut hall = Hall { folder, state, pattern, company: Vec::new() };
        for round in [ROUND - 1, ROUND] {
            hall.company.clear();
            let daemon = Daemon::start(&hall.state, &["--port", &hall.pattern]);
            order(&daemon, &json!({ "command": "open_round", "event": "open", "round": round, "date": "2026.11.20" }));
            for number in 1..=boards {
                let (serial, table) = (SERIALS + number, format!("open/{round}/{number}"));
                order(&daemon, &json!({ "command": "assign", "board": serial.to_string(), "table": table }));
                let link = hall.folder.path().join(format!("board-{number}"));
                hall.company.push(Board::put_up(&link, serial, &[]));
            }
            hall.make_moves(&daemon);
            for number in (1..=boards).filter(|_| round < ROUND) {
                let table = format!("open/{round}/{number}");
                order(&daemon, &json!({ "command": "result", "table": table, "result": "1/2-1/2" }));
            }
            daemon.kill();
        }
        hall
    }

    fn make_moves(&mut self, daemon: &Daemon) {
        until("all games to begin", || {
            let has_begun =
                |view: &protocol::feed::TableView| view.game > 0 && view.clock.is_some() && view.line.is_empty();
            let begun = daemon.snapshot().tables.into_iter().filter(has_begun).count();
            (begun == self.company.len()).then_some(())
        });
        for (at, played) in MOVES.iter().enumerate() {
            self.company.iter_mut().for_each(|board| board.say(&format!("move {played}")));
            until("the moves", || {
                let done = daemon.snapshot().tables.into_iter().filter(|table| table.settled == at + 1).count();
                (done >= self.company.len()).then_some(())
            });
        }
    }

    /// Every table of the round shows its game as it was.
    fn is_right(&self, daemon: &Daemon) -> bool {
        let right = |table: &protocol::feed::TableView| table.table.round == ROUND && table.settled == MOVES.len();
        daemon.snapshot().tables.iter().filter(|table| right(table)).count() == self.company.len()
    }

    fn is_heard(&self, daemon: &Daemon) -> bool {
        let up = |table: &protocol::feed::TableView| {
            table.table.round == ROUND && table.link == Some(protocol::board::Link::Up) && !table.held
        };
        daemon.snapshot().tables.iter().filter(|table| up(table)).count() == self.company.len()
    }
}

fn peak(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).expect("a count")
}

fn size(folder: &Path) -> u64 {
    let size =
        |path: PathBuf| if path.is_dir() { size(&path) } else { fs::metadata(&path).map_or(0, |file| file.len()) };
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| size(entry.path())).sum()
}

fn order(daemon: &Daemon, order: &serde_json::Value) {
    let (status, answer) = daemon.order(order);
    assert_eq!(status, 200, "{answer}");
}
