//! What befalls a hall: all of it follows from a seed.

use protocol::board::Lie;

use super::chance::Chance;
use crate::rehearsal::{Game, Noise, Profile, Sensors, Setting, TimeControl, embedded};

/// One evening.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) boards: Vec<(Setting, Vec<Game>)>,
    /// What goes wrong, and when, the first thing first.
    pub(super) mishaps: Vec<(u64, Mishap)>,
    /// How late spectators are shown the games.
    pub(super) delay_s: u32,
    /// What a commit takes at most.
    pub(super) commit_ms: u64,
    /// Hands without a flaw, on boards without one.
    pub(super) is_careful: bool,
}

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mishap {
    /// The process dies, and comes back. Of what it was about to commit so many files are written.
    Killed {
        down_ms: u64,
        files: usize,
    },
    Unplugged {
        board: usize,
        ms: u64,
    },
    Rebooted {
        board: usize,
    },
    /// So many bytes every hundredth of a second.
    Babbles {
        board: usize,
        ms: u64,
        bytes: usize,
    },
    BadLine {
        board: usize,
        ms: u64,
        harm: Harm,
    },
    /// The disk does not answer.
    DiskHangs {
        ms: u64,
    },
    /// The disk takes nothing, and says so.
    DiskFull {
        ms: u64,
    },
    /// Somebody sets the clock on the wall.
    ClockSet {
        by_ms: i64,
    },
    /// The operator writes down who plays.
    Paired {
        board: usize,
    },
    /// The arbiter takes the last move back.
    TakenBack {
        board: usize,
    },
}

/// What a line does to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Harm {
    Loses,
    Doubles,
    Flips,
    /// What is said in one piece comes in two.
    Cuts,
}

/// What the wall's clock shows when everything begins: the afternoon of 22 November 2026.
pub(super) const WALL_MS: u64 = 1_795_359_600_000;

/// Nothing happens before boards are met, and nothing later than this.
const FROM_MS: u64 = 3_000;
const MOST_MS: u64 = 240_000;

const HARMS: [Harm; 4] = [Harm::Loses, Harm::Doubles, Harm::Flips, Harm::Cuts];
const HOUR_MS: i64 = 3_600_000;
const YEARS_MS: i64 = 10 * 365 * 24 * HOUR_MS;

impl Plan {
    pub(super) fn of(seed: u64) -> Plan {
        let mut chance = Chance::new(seed, 0);
        let is_careful = chance.percent(40);
        let count = chance.between(1, 3);
        let boards = (0..count).map(|number| board(number, is_careful, seed, &mut chance)).collect::<Vec<_>>();
        let many = chance.between(0, 7);
        let span = chance.between(20_000, MOST_MS);
        let mut mishaps =
            (0..many).map(|_| (chance.between(FROM_MS, span), mishap(boards.len(), &mut chance))).collect::<Vec<_>>();
        mishaps.sort_by_key(|(at, _)| *at);
        let delay_s = if chance.percent(50) { 0 } else { u32::try_from(chance.between(5, 60)).expect("small") };
        Plan { boards, mishaps, delay_s, commit_ms: chance.pick(&[1, 20, 400]), is_careful }
    }

    /// Every hand is heard, in time and as it was.
    pub(super) fn is_heard_well(&self) -> bool {
        let is_harmless = |mishap: &Mishap| match mishap {
            Mishap::BadLine { harm, .. } => *harm == Harm::Cuts,
            Mishap::DiskHangs { .. } | Mishap::DiskFull { .. } | Mishap::ClockSet { .. } | Mishap::Paired { .. } => {
                true
            }
            Mishap::Killed { .. }
            | Mishap::Unplugged { .. }
            | Mishap::Rebooted { .. }
            | Mishap::Babbles { .. }
            | Mishap::TakenBack { .. } => false,
        };
        self.is_careful && self.mishaps.iter().all(|(_, mishap)| is_harmless(mishap))
    }
}

fn board(number: u64, is_careful: bool, seed: u64, chance: &mut Chance) -> (Setting, Vec<Game>) {
    let profile = if is_careful {
        Profile::Perfect
    } else {
        chance.pick(&[Profile::Blitz, Profile::Blitz, Profile::Rapid, Profile::Classical])
    };
    let mut noise = profile.noise();
    if !is_careful {
        bump(&mut noise, chance);
    }
    if is_careful && chance.percent(30) {
        noise.unrest.illegal = 0.05;
    }
    let games = (0..chance.between(1, 2)).map(|_| game(chance)).collect();
    let setting = Setting {
        noise,
        control: TimeControl { base: 3_600, ..profile.time_control() },
        seed: seed.wrapping_mul(8).wrapping_add(number),
        speed: 8,
        lie: if chance.percent(20) { Lie::Turned } else { Lie::Straight },
        clock: is_careful || chance.percent(75),
        serial: u32::try_from(30_001 + number).expect("small"),
        ..Setting::of(profile)
    };
    (setting, games)
}

/// Sleeves, worn coils, a line over the air.
fn bump(noise: &mut Noise, chance: &mut Chance) {
    noise.sensors = chance.pick(&[Sensors::USB, Sensors::USB, Sensors::BLUETOOTH, Sensors::WORN]);
    if chance.percent(25) {
        noise.unrest.knock = 0.05;
    }
    if chance.percent(25) {
        noise.unrest.illegal = 0.03;
    }
}

/// The beginning of a game. Nobody waits for the end: the result is agreed upon.
fn game(chance: &mut Chance) -> Game {
    let mut games = embedded();
    let mut game = games.swap_remove(chance.place(games.len()));
    let plies = usize::try_from(chance.between(2, 24)).expect("small");
    game.moves.truncate(plies);
    game
}

fn mishap(boards: usize, chance: &mut Chance) -> Mishap {
    let (board, ms) = (chance.place(boards), chance.between(50, 20_000));
    match chance.below(16) {
        0..=3 => Mishap::Killed { down_ms: chance.pick(&[0, 100, 2_000, 30_000]), files: chance.place(3) },
        4 | 5 => Mishap::Unplugged { board, ms },
        6 => Mishap::Rebooted { board },
        7 => Mishap::Babbles { board, ms, bytes: chance.pick(&[5, 30, 2_000]) },
        8..=10 => Mishap::BadLine { board, ms, harm: chance.pick(&HARMS) },
        11 => Mishap::DiskHangs { ms },
        12 => Mishap::DiskFull { ms },
        13 => Mishap::ClockSet { by_ms: chance.pick(&[-YEARS_MS, -HOUR_MS, -10_000, 10_000, HOUR_MS, YEARS_MS]) },
        14 => Mishap::Paired { board },
        _ => Mishap::TakenBack { board },
    }
}
