//! One trial: an evening's folder, one blow, and what the daemon makes of it.

use std::{
    fmt,
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use super::{
    evening::{self, BOARD, Evening, NO_PORTS, copy, scratch},
    harm::{Harm, Struck},
    ledger::Ledger,
};
use crate::{
    dice::Dice,
    support::{Board, Daemon, LOOK, Start},
};

/// What was told this long before the blow counts.
const BEFORE: Duration = Duration::from_millis(1_100);

/// A running daemon has this long to notice what can be noticed.
const AT_ONCE: Duration = Duration::from_millis(1_500);

/// A check at low priority beside the start has this long to find what is missing.
const ASIDE: Duration = Duration::from_secs(8);

/// Where nothing is missing nothing need be said, and nobody waits for long.
const SOUND: Duration = Duration::from_millis(500);

/// What is tried, by its number and the seed.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) seed: u64,
    pub(super) number: u64,
    pub(super) harm: Harm,
    pub(super) running: bool,
    dice: Dice,
}

/// What came of it.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) struck: Struck,
    /// What was told before the blow and is not there after the next start.
    pub(super) missing: Vec<String>,
    /// The sentences about it.
    pub(super) said: Vec<String>,
    /// One of them came while the daemon ran.
    pub(super) at_once: bool,
    /// It ran no more before anybody ended it.
    pub(super) ended: bool,
    /// There was no start.
    pub(super) refused: bool,
    /// A PGN file that was not struck knows less than before.
    pub(super) overwritten: Vec<String>,
    /// How to look at it again: the files as they were struck.
    pub(super) kept: Option<std::path::PathBuf>,
}

impl Trial {
    /// Kinds of harm, at rest and while running.
    pub(super) const KINDS: u64 = 2 * Harm::ALL.len() as u64;

    pub(super) fn new(seed: u64, number: u64) -> Trial {
        let dice = Dice::new(seed.wrapping_mul(1_000_003).wrapping_add(number));
        let kind = usize::try_from(number % Trial::KINDS).expect("a few kinds");
        let (harm, running) = (Harm::ALL[kind % Harm::ALL.len()], kind >= Harm::ALL.len());
        Trial { seed, number, harm, running, dice }
    }

    pub(super) fn run(&self, evening: &Evening) -> Outcome {
        if self.running { self.while_running(evening) } else { self.at_rest(evening) }
    }

    fn at_rest(&self, evening: &Evening) -> Outcome {
        let (folder, mut dice) = (scratch(), self.dice.clone());
        let state = folder.path().join("state");
        copy(if dice.below(3) == 0 { &evening.stopped } else { &evening.killed }, &state);
        let known = Ledger::of_files(&state);
        let struck = self.harm.strike(&state, &evening.earlier, &mut dice);
        self.judge(evening, &state, &evening.told, &known, struck, Vec::new())
    }

    /// Moves are made on a board and by order; then the blow, more moves, and an end of either kind.
    fn while_running(&self, evening: &Evening) -> Outcome {
        let (folder, mut dice) = (scratch(), self.dice.clone());
        let state = folder.path().join("state");
        copy(&evening.killed, &state);
        let pattern = folder.path().join("board-*").display().to_string();
        let hands = ["--games", "--profile", "perfect", "--speed", "1000"];
        let _board = Board::put_up(&folder.path().join("board-1"), BOARD, &hands);
        let mut daemon = Daemon::start(&state, &["--port", &pattern]);
        evening::go_on(&daemon, 40, &mut dice);
        sleep(dice.within_ms(400));
        let events = Ledger::events(&state).unwrap_or_default();
        let mut told = Ledger { events, ..Ledger::of(&daemon) };
        sleep(BEFORE);
        let (known, usual) = (Ledger::of_files(&state), said_in(&daemon.log(), &[]));
        let struck = self.harm.strike(&state, &evening.earlier, &mut dice);
        let began = Instant::now();
        evening::go_on(&daemon, 42, &mut dice);
        sleep(AT_ONCE.saturating_sub(began.elapsed()));
        let at_once = said_in(&daemon.log(), &usual);
        let ended = daemon.has_ended();
        if at_once.is_empty() && !ended {
            // What is told after the blow counts as well while nobody has been warned.
            told.games.extend(Ledger::of(&daemon).games);
        }
        if dice.below(2) == 0 {
            daemon.kill();
        } else {
            daemon.end();
        }
        Outcome { ended, ..self.judge(evening, &state, &told, &known, struck, at_once) }
    }

    /// Starts on what is there and looks what it tells.
    fn judge(
        &self,
        evening: &Evening,
        state: &Path,
        told: &Ledger,
        known: &Ledger,
        struck: Struck,
        mut said: Vec<String>,
    ) -> Outcome {
        let at_once = !said.is_empty();
        let kept = std::env::temp_dir().join(format!("escaque-damage/{}-{}", self.seed, self.number));
        let _ = std::fs::remove_dir_all(&kept);
        copy(state, &kept);
        let _ = std::fs::remove_file(state.join("log"));
        let (refused, missing) = match Daemon::try_start(state, &NO_PORTS) {
            Start::Serves(daemon) => {
                let mut missing = told.missing_in(&Ledger::of(&daemon));
                missing.extend(events_missing(state, told, &mut said));
                let usual = said_in(&evening.usual.join("\n"), &[]);
                // Damage that is found aside is said a while after the start.
                wait_for_a_word(&daemon, &usual, if missing.is_empty() { SOUND } else { ASIDE });
                said.extend(said_in(&daemon.log(), &usual));
                daemon.end();
                (false, missing)
            }
            Start::Refuses(sentence) => {
                said.extend((!sentence.trim().is_empty()).then_some(sentence));
                (true, vec!["all".to_owned()])
            }
        };
        let overwritten = if struck.is_pgn() { Vec::new() } else { known.missing_in(&Ledger::of_files(state)) };
        let silent = !missing.is_empty() && said.is_empty();
        let kept = if silent || !overwritten.is_empty() {
            Some(kept)
        } else {
            let _ = std::fs::remove_dir_all(kept);
            None
        };
        Outcome { struck, missing, said, at_once, ended: false, refused, overwritten, kept }
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SEED={} ONLY={} make damage", self.seed, self.number)
    }
}

/// Inputs that made no move are seen in the events only.
fn events_missing(state: &Path, told: &Ledger, said: &mut Vec<String>) -> Vec<String> {
    let before = Ledger { events: told.events.clone(), ..Ledger::default() };
    match Ledger::events(state) {
        Ok(events) => before.missing_in(&Ledger { events, ..Ledger::default() }),
        Err(sentence) => {
            said.push(sentence);
            vec!["the journal can't be read again".to_owned()]
        }
    }
}

fn wait_for_a_word(daemon: &Daemon, usual: &[String], patience: Duration) {
    let began = Instant::now();
    while said_in(&daemon.log(), usual).is_empty() && began.elapsed() < patience {
        sleep(LOOK);
    }
}

/// The warnings and errors of a log, without their times and without those that are usual.
fn said_in(log: &str, usual: &[String]) -> Vec<String> {
    let sentence = |line: &str| {
        let (_, rest) = line.split_once("WARN ").or_else(|| line.split_once("ERROR "))?;
        Some(rest.to_owned())
    };
    log.lines().filter_map(sentence).filter(|said| !usual.contains(said)).collect()
}
