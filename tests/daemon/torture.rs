//! Kill -9 at any moment, again and again, under boards on which games go on: what a screen was shown as final is still
//! there, nothing is there twice, and no move is there that was not played.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use protocol::feed::{HallView, State};
use serde_json::json;
use tempfile::TempDir;

use crate::{
    dice::{Dice, dial, percentile},
    ledger::Ledger,
    support::{Board, Daemon},
    truth::{games, read_otherwise},
};

/// The boards' serial numbers begin behind this one.
const SERIALS: u32 = 30_000;

/// One kill in so many falls into the start, before the daemon has said a word.
const STILLBORN: u64 = 8;

/// How long systemd waits before it starts the daemon again.
const RESTART: Duration = Duration::from_millis(250);

#[test]
fn nothing_final_is_missing_or_doubled_after_kills_at_random_moments() {
    let tally = torture(&Plan { boards: 8, kills: 16, seed: 2026 });
    // A blow that nobody felt proves nothing.
    assert!(tally.finals > 20, "{tally:?}");
    // However much was played while nobody listened, no move that was not played is there.
    assert_eq!(tally.otherwise, [""; 0]);
}

#[test]
#[ignore = "takes most of an hour; `make torture` runs it"]
fn a_thousand_kills_under_fifty_boards() {
    let number = |name, usual| u32::try_from(dial(name, usual)).expect("a small number");
    let plan = Plan { boards: number("BOARDS", 50), kills: number("KILLS", 1_000), seed: dial("SEED", 1) };
    let tally = torture(&plan);
    let (boards, starts) = (plan.boards, tally.healed.len());
    println!(
        "{} kills under {boards} boards, seed {}: 0 of {} finals shown are missing or doubled",
        plan.kills, plan.seed, tally.finals
    );
    println!("{} games begun; {} corrections shown", tally.games, tally.corrections);
    println!("{} of {} games kept are read otherwise than they were played:", tally.otherwise.len(), tally.kept);
    tally.otherwise.iter().for_each(|otherwise| println!("  {otherwise}"));
    println!(
        "from the start to the first view of the hall: half within {:.2?}, 95 % within {:.2?}, all {starts} within {:.2?}",
        percentile(&tally.healed, 50),
        percentile(&tally.healed, 95),
        percentile(&tally.healed, 100),
    );
    println!("tables held when they were killed: {:.1} %", 100.0 * tally.held as f64 / tally.looked_at.max(1) as f64);
}

#[test]
#[ignore = "takes some minutes; `make torture` runs it"]
fn one_kill_a_blitz_game() {
    let number = |name, usual| u32::try_from(dial(name, usual)).expect("a small number");
    let (boards, halls) = (number("BOARDS", 50), number("HALLS", 3));
    let mut dice = Dice::new(dial("SEED", 1));
    let mut sum = Blitz::default();
    for _ in 0..halls {
        // A game of three minutes a side takes four to six; with the first moves nobody loses the thread.
        let moment = Duration::from_secs(15) + dice.within_ms(dial("WITHIN_S", 225) * 1_000);
        sum.add(kill_in_blitz(boards, moment, dice.throw()));
    }
    let share = |part: usize| 100.0 * part as f64 / sum.games.max(1) as f64;
    println!("one kill a blitz game, {} games in {halls} halls of {boards} boards:", sum.games);
    for (seconds, held) in &sum.held {
        println!("  held {seconds:2} s after the start: {held:3} tables, {:.1} % (bar 5 %)", share(*held));
    }
    println!("  held before the kill already, and not counted: {}", sum.before);
}

/// How hard it is hit.
struct Plan {
    boards: u32,
    kills: u32,
    seed: u64,
}

/// What came of it.
#[derive(Debug, Default)]
struct Tally {
    finals: usize,
    games: usize,
    corrections: usize,
    healed: Vec<Duration>,
    held: usize,
    looked_at: usize,
    kept: usize,
    otherwise: Vec<String>,
}

fn torture(plan: &Plan) -> Tally {
    let hall = Hall::set_up(plan.boards, &["--profile", "perfect", "--speed", "200"], plan.seed);
    let mut dice = Dice::new(plan.seed);
    let (mut ledger, mut tally) = (Ledger::default(), Tally::default());
    for _ in 0..plan.kills {
        if dice.below(STILLBORN) == 0 {
            Daemon::kill_within(&hall.state, &hall.ports(), dice.within_ms(300));
        }
        let began = Instant::now();
        let daemon = hall.daemon();
        let screen = daemon.follow();
        let view = screen.opening();
        tally.healed.push(began.elapsed());
        assert_eq!(ledger.missing(&daemon, &view), [""; 0], "{}", daemon.log());
        sleep(dice.within_ms(2_000));
        daemon.kill();
        let shown = screen.last();
        tally.corrections += shown.corrections;
        tally.held += shown.held.values().filter(|held| **held).count();
        tally.looked_at += shown.held.len();
        ledger.note(shown);
    }
    let daemon = hall.daemon();
    let view = daemon.snapshot();
    assert_eq!(ledger.missing_or_doubled(&daemon, &view), [""; 0], "{}", daemon.log());

    let (state, played) = hall.take_down();
    let log = daemon.log();
    assert!(daemon.stop().success(), "{log}");
    for (number, truth) in (1..).zip(&played) {
        let file = state.join(format!("pgn/open/1-{number}.pgn"));
        let kept = games(&std::fs::read_to_string(&file).expect("the file is there"));
        tally.kept += kept.len();
        let otherwise = read_otherwise(&kept, &games(truth)).into_iter();
        tally.otherwise.extend(otherwise.map(|otherwise| format!("table {number}: {otherwise}")));
    }
    if let Some(kept) = std::env::var_os("KEEP").filter(|_| !tally.otherwise.is_empty()) {
        std::process::Command::new("cp").arg("-r").arg(&*state).arg(kept).status().expect("there is a cp");
    }
    tally.finals = ledger.finals();
    tally.games = ledger.lines.len();
    tally
}

/// Boards with people at them, and the folder in which their games are kept.
struct Hall {
    folder: TempDir,
    state: PathBuf,
    company: Vec<Board>,
}

impl Hall {
    fn set_up(boards: u32, hands: &[&str], seed: u64) -> Hall {
        let folder = TempDir::new().expect("a folder for the test");
        let state = folder.path().join("state");
        let mut hall = Hall { folder, state, company: Vec::new() };
        let daemon = hall.daemon();
        order(&daemon, &json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
        for number in 1..=boards {
            let (first, seed) = ((number * 3).to_string(), (seed % 1_000 + u64::from(number)).to_string());
            let (serial, table) = (SERIALS + number, format!("open/1/{number}"));
            order(&daemon, &json!({ "command": "assign", "board": serial.to_string(), "table": table }));
            let hands = [hands, &["--games", "--first", &first, "--seed", &seed]].concat();
            hall.company.push(Board::put_up(&hall.folder.path().join(format!("board-{number}")), serial, &hands));
        }
        daemon.kill();
        hall
    }

    fn ports(&self) -> [String; 2] {
        ["--port".to_owned(), self.folder.path().join("board-*").display().to_string()]
    }

    fn daemon(&self) -> Daemon {
        Daemon::start(&self.state, &self.ports().each_ref().map(String::as_str))
    }

    /// Gives the folder of the daemon, which lives as long as it is held, and what was really played.
    fn take_down(self) -> (Kept, Vec<String>) {
        let played = self.company.into_iter().map(Board::take_down).collect();
        (Kept { _folder: self.folder, state: self.state }, played)
    }
}

/// A state folder whose boards are gone.
struct Kept {
    _folder: TempDir,
    state: PathBuf,
}

impl std::ops::Deref for Kept {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.state
    }
}

/// Tables of blitz that were killed once.
#[derive(Default)]
struct Blitz {
    games: usize,
    before: usize,
    held: BTreeMap<u64, usize>,
}

impl Blitz {
    fn add(&mut self, more: Blitz) {
        self.games += more.games;
        self.before += more.before;
        for (seconds, held) in more.held {
            *self.held.entry(seconds).or_default() += held;
        }
    }
}

/// People at their own pace. Tables that were held already say nothing about the kill.
fn kill_in_blitz(boards: u32, moment: Duration, seed: u64) -> Blitz {
    let hall = Hall::set_up(boards, &["--profile", "blitz"], seed);
    let daemon = hall.daemon();
    sleep(moment);
    let playing = |view: &HallView| {
        let playing = view.tables.iter().filter(|table| table.state == State::Playing);
        playing.map(|table| (table.table.clone(), (table.game, table.held))).collect::<BTreeMap<_, _>>()
    };
    let before = playing(&daemon.snapshot());
    daemon.kill();
    sleep(RESTART);
    let (daemon, began) = (hall.daemon(), Instant::now());
    let well = before.iter().filter(|(_, (_, held))| !held).map(|(table, (game, _))| (table.clone(), *game));
    let well = well.collect::<BTreeMap<_, _>>();
    let mut blitz = Blitz { games: well.len(), before: before.len() - well.len(), held: BTreeMap::new() };
    for seconds in [5, 10, 20] {
        sleep(Duration::from_secs(seconds).saturating_sub(began.elapsed()));
        let now = playing(&daemon.snapshot());
        let held = well.iter().filter(|(table, game)| now.get(table) == Some(&(**game, true))).count();
        blitz.held.insert(seconds, held);
    }
    daemon.kill();
    blitz
}

fn order(daemon: &Daemon, order: &serde_json::Value) {
    let (status, answer) = daemon.order(order);
    assert_eq!(status, 200, "{answer}");
}
