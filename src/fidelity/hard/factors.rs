//! The factors, each with what it does and what is asked.

use super::factor::{Factor, Row};
use crate::{
    fidelity::{
        bars::Bars,
        conditions::{Conditions, Counts},
    },
    rehearsal::{Cable, Edges, Faults, Given, Noise, Once, Profile},
};

const SHARE: (f64, f64) = (0.0, 1.0);
const ASKED_NOTHING: Bars = Bars::NONE;

const fn row(profile: Profile, bars: Bars) -> Row {
    Row { profile, clock: true, level: None, bars }
}

const fn without_clock(profile: Profile, bars: Bars) -> Row {
    Row { profile, clock: false, level: None, bars }
}

const fn at_least(percent: u64) -> Bars {
    Bars { exact: Some(percent * 100), ..ASKED_NOTHING }
}

/// Analysis after the game leaves no trace in it.
const NOTHING_TOO_MUCH: Bars = Bars { exact: Some(10_000), surplus: Some(0), ..ASKED_NOTHING };
/// Every result is the one that was shown or given.
const RESULTS_RIGHT: Bars = Bars { wrong_results: Some(0), ..ASKED_NOTHING };
const PRESSED_EARLY: Bars = Bars { false_finals: Some(100), out_of_turn: Some(0), ..at_least(99) };
const NEXT_AT_ONCE: Bars = Bars { wrong_results: Some(0), ..at_least(99) };
const DEAD: Bars = Bars { named: Some(95), ..at_least(90) };
const HIDDEN: Bars = Bars { followed: Some(10_000), unmarked: Some(0), ..ASKED_NOTHING };

const fn nameless(percent: u64) -> Bars {
    Bars { silent: Some(0), ..at_least(percent) }
}

/// What ends in blitz before it can be looked at.
const TIME_TO_LOOK_S: u32 = 20 * 60;

fn edges(conditions: &mut Conditions) -> &mut Edges {
    &mut conditions.setting.trial.edges
}

fn once(conditions: &mut Conditions) -> &mut Once {
    &mut conditions.setting.trial.once
}

fn faults(conditions: &mut Conditions) -> &mut Faults {
    &mut conditions.setting.trial.faults
}

fn cable(conditions: &mut Conditions) -> &mut Cable {
    &mut conditions.setting.trial.cable
}

fn noise(conditions: &mut Conditions) -> &mut Noise {
    &mut conditions.setting.noise
}

/// Nobody shows the result, and the moves are looked at.
fn analysed(conditions: &mut Conditions, plies: f64) {
    noise(conditions).ending.signal = 0.0;
    noise(conditions).ending.analysis = 1.0;
    edges(conditions).analysis = Some((2, count(plies)));
}

fn count(level: f64) -> usize {
    usize::try_from(ms(level)).expect("levels are small")
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a level's range is checked before")]
fn ms(level: f64) -> u64 {
    level as u64
}

/// All factors, those of the hands first, then the clock, the squares, the line and the edges of a game.
pub static FACTORS: [Factor; 38] = [
    Factor {
        name: "everyday",
        what: "nothing but the noise of every day; the level says nothing",
        level: 0.0,
        range: (0.0, 0.0),
        rows: &[
            row(Profile::Classical, Bars::of(Profile::Classical, true)),
            row(Profile::Rapid, Bars::of(Profile::Rapid, true)),
            row(Profile::Blitz, Bars::of(Profile::Blitz, true)),
            without_clock(Profile::Classical, Bars::of(Profile::Classical, false)),
            without_clock(Profile::Rapid, Bars::of(Profile::Rapid, false)),
            without_clock(Profile::Blitz, Bars::of(Profile::Blitz, false)),
        ],
        set: |_, _| {},
    },
    Factor {
        name: "calibration",
        what: "other people and boards: 2 is a second guess at all rates and times, 3 draws them anew for every seed",
        level: 2.0,
        range: (1.0, 3.0),
        rows: &[
            row(Profile::Rapid, Bars::of(Profile::Rapid, true)),
            row(Profile::Blitz, Bars::of(Profile::Blitz, true)),
            Row { level: Some(3.0), ..row(Profile::Rapid, Bars::of(Profile::Rapid, true)) },
            Row { level: Some(3.0), ..row(Profile::Blitz, Bars::of(Profile::Blitz, true)) },
            without_clock(Profile::Rapid, Bars::of(Profile::Rapid, false)),
            without_clock(Profile::Blitz, Bars::of(Profile::Blitz, false)),
        ],
        set: |conditions, level| {
            let (profile, seed) = (conditions.profile, conditions.setting.seed);
            *noise(conditions) = match count(level) {
                2 => Noise::second(profile),
                3 => Noise::drawn(profile, seed),
                _ => profile.noise(),
            };
        },
    },
    Factor {
        name: "early-press",
        what: "this share of moves is pressed 30 to 250 ms before the man lands",
        level: 0.1,
        range: SHARE,
        rows: &[
            row(Profile::Classical, PRESSED_EARLY),
            row(Profile::Rapid, PRESSED_EARLY),
            row(Profile::Blitz, PRESSED_EARLY),
        ],
        set: |conditions, level| noise(conditions).press_early = level,
    },
    Factor {
        name: "overlap",
        what: "this share of replies begins before the opponent's press",
        level: 0.4,
        range: SHARE,
        rows: &[row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, level| {
            noise(conditions).early_reply = level;
            noise(conditions).early_by = Noise::BLITZ.early_by;
        },
    },
    Factor {
        name: "slides",
        what: "this share of moves is pushed over the board, not carried",
        level: 1.0,
        range: SHARE,
        rows: &[
            row(Profile::Rapid, ASKED_NOTHING),
            row(Profile::Blitz, ASKED_NOTHING),
            without_clock(Profile::Blitz, ASKED_NOTHING),
        ],
        set: |conditions, level| {
            noise(conditions).slide.far = level;
            noise(conditions).slide.near = level;
        },
    },
    Factor {
        name: "hesitation",
        what: "this share of longer moves rests on a square on the way",
        level: 0.1,
        range: SHARE,
        rows: &[row(Profile::Blitz, ASKED_NOTHING), without_clock(Profile::Rapid, ASKED_NOTHING)],
        set: |conditions, level| noise(conditions).slide.hesitate = level,
    },
    Factor {
        name: "takeback",
        what: "once a game so many plies are played and taken back, without a clock",
        level: 2.0,
        range: (1.0, 8.0),
        rows: &[without_clock(Profile::Rapid, at_least(90))],
        set: |conditions, level| {
            conditions.setting.clock = false;
            once(conditions).takeback = count(level);
        },
    },
    Factor {
        name: "presses-unheard",
        what: "after this share of presses nothing is heard of the clock until the next one",
        level: 0.05,
        range: SHARE,
        rows: &[row(Profile::Rapid, ASKED_NOTHING), row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, level| faults(conditions).press_unheard = level,
    },
    Factor {
        name: "stuck-lever",
        what: "once a game the lever is read where it lay for so many plies; the faces run on",
        level: 12.0,
        range: (1.0, 200.0),
        rows: &[row(Profile::Rapid, ASKED_NOTHING), row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, level| once(conditions).lever_stuck = count(level),
    },
    Factor {
        name: "late-board",
        what: "the squares are behind the clock by up to so many ms, by half of it at least",
        level: 300.0,
        range: (0.0, 5_000.0),
        rows: &[row(Profile::Blitz, at_least(98))],
        set: |conditions, level| faults(conditions).late = (ms(level) / 2, ms(level)),
    },
    Factor {
        name: "beside",
        what: "this share of landings is read on the square beside until the man is put right, often after the press",
        level: 0.0012,
        range: SHARE,
        rows: &[
            row(Profile::Rapid, Bars { exact: Some(9_950), accused: Some(0), ..ASKED_NOTHING }),
            Row { level: Some(0.01), ..row(Profile::Rapid, Bars { accused: Some(100), ..at_least(99) }) },
            Row { level: Some(0.01), ..row(Profile::Blitz, Bars { accused: Some(100), ..at_least(99) }) },
        ],
        set: |conditions, level| faults(conditions).beside = level,
    },
    Factor {
        name: "dead-square",
        what: "so many squares never read anything",
        level: 1.0,
        range: (0.0, 64.0),
        rows: &[row(Profile::Rapid, DEAD), row(Profile::Blitz, DEAD), without_clock(Profile::Rapid, DEAD)],
        set: |conditions, level| faults(conditions).dead = count(level),
    },
    Factor {
        name: "dying-square",
        what: "one square reads nothing from this move on",
        level: 20.0,
        range: (1.0, 200.0),
        rows: &[row(Profile::Rapid, DEAD), row(Profile::Blitz, DEAD)],
        set: |conditions, level| faults(conditions).dies_at_move = Some(count(level)),
    },
    Factor {
        name: "occupancy",
        what: "the board tells only where something stands; the level says nothing",
        level: 0.0,
        range: (0.0, 0.0),
        rows: &[
            row(Profile::Classical, nameless(97)),
            row(Profile::Rapid, nameless(95)),
            row(Profile::Blitz, nameless(85)),
        ],
        set: |conditions, _| conditions.setting.trial.nameless = true,
    },
    Factor {
        name: "reports-lost",
        what: "this share of square reports never comes",
        level: 0.01,
        range: SHARE,
        rows: &[row(Profile::Rapid, ASKED_NOTHING), row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, level| noise(conditions).sensors.lost = level,
    },
    Factor {
        name: "no-dumps",
        what: "the board shows all its squares when it is plugged in and never again; the level says nothing",
        level: 0.0,
        range: (0.0, 0.0),
        rows: &[row(Profile::Rapid, ASKED_NOTHING), row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, _| faults(conditions).mute = true,
    },
    Factor {
        name: "bytes-lost",
        what: "this share of bytes is lost on the line",
        level: 0.001,
        // A board that loses more is never done with saying what it is.
        range: (0.0, 0.1),
        rows: &[row(Profile::Rapid, ASKED_NOTHING), row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, level| cable(conditions).bytes_lost = level,
    },
    Factor {
        name: "batches",
        what: "everything arrives in bursts so many ms apart",
        level: 400.0,
        // One that answers later than that is asked again before it has answered.
        range: (0.0, 2_500.0),
        rows: &[row(Profile::Rapid, ASKED_NOTHING), row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, level| cable(conditions).batch = ms(level),
    },
    Factor {
        name: "stalls",
        what: "one message in a hundred is held up for 300 ms to so many, and all behind it with it",
        level: 1_500.0,
        range: (300.0, 60_000.0),
        rows: &[row(Profile::Blitz, Bars { exact: Some(9_950), ..ASKED_NOTHING })],
        set: |conditions, level| {
            *cable(conditions) = Cable { stall: 0.01, stall_for: (300, ms(level)), ..*cable(conditions) }
        },
    },
    Factor {
        name: "silence",
        what: "once a game everything that is said within a second to so many ms is lost",
        level: 3_000.0,
        range: (1_000.0, 600_000.0),
        rows: &[row(Profile::Blitz, at_least(99))],
        set: |conditions, level| once(conditions).silence = (1_000, ms(level)),
    },
    Factor {
        name: "squares-unheard",
        what: "once a game nothing is heard of the squares for so many plies; the clock is heard and the link is up",
        level: 4.0,
        range: (1.0, 200.0),
        rows: &[
            Row { level: Some(3.0), ..row(Profile::Rapid, HIDDEN) },
            row(Profile::Rapid, HIDDEN),
            row(Profile::Blitz, HIDDEN),
        ],
        set: |conditions, level| once(conditions).squares_unheard = count(level),
    },
    Factor {
        name: "nothing-heard",
        what: "once a game nothing at all is heard for so many plies, and no link event tells",
        level: 3.0,
        range: (1.0, 200.0),
        rows: &[row(Profile::Rapid, HIDDEN), row(Profile::Blitz, HIDDEN), without_clock(Profile::Rapid, HIDDEN)],
        set: |conditions, level| once(conditions).nothing_heard = count(level),
    },
    Factor {
        name: "link-gap",
        what: "once a game the link is down for so many plies",
        level: 10.0,
        range: (1.0, 200.0),
        rows: &[
            Row { level: Some(4.0), ..row(Profile::Rapid, HIDDEN) },
            row(Profile::Rapid, HIDDEN),
            Row { level: Some(20.0), ..row(Profile::Rapid, HIDDEN) },
        ],
        set: |conditions, level| once(conditions).link_gap = count(level),
    },
    Factor {
        name: "analysis-stopped",
        what: "nobody shows the result; after the game up to so many plies are tried with the clock stopped",
        level: 12.0,
        range: (2.0, 60.0),
        rows: &[row(Profile::Rapid, NOTHING_TOO_MUCH), row(Profile::Blitz, NOTHING_TOO_MUCH)],
        set: analysed,
    },
    Factor {
        name: "analysis-running",
        what: "the same, and nobody stops the clock",
        level: 12.0,
        range: (2.0, 60.0),
        rows: &[row(Profile::Rapid, NOTHING_TOO_MUCH), row(Profile::Blitz, NOTHING_TOO_MUCH)],
        set: |conditions, level| {
            analysed(conditions, level);
            edges(conditions).clock_runs_on = true;
            conditions.with_time(TIME_TO_LOOK_S);
        },
    },
    Factor {
        name: "analysis-restored",
        what: "the same with the clock stopped, and the last position of the game is put up again",
        level: 12.0,
        range: (2.0, 60.0),
        rows: &[row(Profile::Rapid, NOTHING_TOO_MUCH)],
        set: |conditions, level| {
            analysed(conditions, level);
            edges(conditions).restored = true;
        },
    },
    Factor {
        name: "clock-runs-on",
        what: "nobody stops the clock after the last move; the level says nothing",
        level: 0.0,
        range: (0.0, 0.0),
        rows: &[row(Profile::Rapid, ASKED_NOTHING), row(Profile::Blitz, ASKED_NOTHING)],
        set: |conditions, _| {
            edges(conditions).clock_runs_on = true;
            conditions.with_time(TIME_TO_LOOK_S);
        },
    },
    Factor {
        name: "last-unpressed",
        what: "this share of games ends with a move that nobody presses, and the result is shown",
        level: 1.0,
        range: SHARE,
        rows: &[row(Profile::Rapid, ASKED_NOTHING)],
        set: |conditions, level| {
            noise(conditions).ending.signal = 1.0;
            edges(conditions).last_unpressed = level;
        },
    },
    Factor {
        name: "results-signalled",
        what: "this share of results is shown with the kings",
        level: 1.0,
        range: SHARE,
        rows: &[row(Profile::Rapid, RESULTS_RIGHT), row(Profile::Blitz, RESULTS_RIGHT)],
        set: |conditions, level| noise(conditions).ending.signal = level,
    },
    Factor {
        name: "kings-pass",
        what: "every result is shown; before this share of them another pair of kings stands in the centre",
        level: 1.0,
        range: SHARE,
        rows: &[row(Profile::Rapid, RESULTS_RIGHT), row(Profile::Blitz, RESULTS_RIGHT)],
        set: |conditions, level| {
            noise(conditions).ending.signal = 1.0;
            edges(conditions).other_kings_first = level;
        },
    },
    Factor {
        name: "second-king-late",
        what: "every result is shown; this share of second kings comes three to nine seconds after the first",
        level: 1.0,
        range: SHARE,
        rows: &[row(Profile::Rapid, RESULTS_RIGHT)],
        set: |conditions, level| {
            noise(conditions).ending.signal = 1.0;
            noise(conditions).ending.late = level;
        },
    },
    Factor {
        name: "result-late",
        what: "nobody shows the result; the desk is told 15 to 120 s after the end, this share after an analysis",
        level: 0.5,
        range: SHARE,
        rows: &[row(Profile::Rapid, Bars { surplus: Some(0), ..RESULTS_RIGHT })],
        set: |conditions, level| {
            noise(conditions).ending.signal = 0.0;
            noise(conditions).ending.analysis = level;
            edges(conditions).given = Some(Given::Late);
        },
    },
    Factor {
        name: "result-after-put-back",
        what: "nobody shows the result; the men go home, and 3 to 20 s later the desk is told; the level says nothing",
        level: 0.0,
        range: (0.0, 0.0),
        rows: &[row(Profile::Rapid, Bars { surplus: Some(0), ..RESULTS_RIGHT })],
        set: |conditions, _| {
            noise(conditions).ending.signal = 0.0;
            noise(conditions).ending.analysis = 0.0;
            noise(conditions).ending.put_back = 1.0;
            edges(conditions).given = Some(Given::PutBack);
        },
    },
    Factor {
        name: "men-home",
        what: "nobody shows the result; the men go home at once, and no next game follows; the level says nothing",
        level: 0.0,
        range: (0.0, 0.0),
        rows: &[row(Profile::Rapid, NOTHING_TOO_MUCH), without_clock(Profile::Rapid, Bars::of(Profile::Rapid, false))],
        set: |conditions, _| {
            noise(conditions).ending.signal = 0.0;
            noise(conditions).ending.analysis = 0.0;
            noise(conditions).ending.put_back = 1.0;
            edges(conditions).at_once = true;
        },
    },
    Factor {
        name: "next-at-once",
        what: "the men go home as soon as a game is over, and so many ms after they stand the next game begins",
        level: 2_500.0,
        range: (2_000.0, 60_000.0),
        rows: &[row(Profile::Rapid, NEXT_AT_ONCE), row(Profile::Blitz, NEXT_AT_ONCE)],
        set: |conditions, level| {
            conditions.counts = Counts::AfterAnother;
            // Kings that a look at the game takes back at once have shown nothing.
            noise(conditions).ending.analysis = 0.0;
            edges(conditions).at_once = true;
            edges(conditions).ready_for = Some((ms(level), ms(level)));
        },
    },
    Factor {
        name: "array-brief",
        what: "the start array stands for less than so many ms before the next game begins",
        level: 1_900.0,
        range: (100.0, 2_000.0),
        rows: &[row(Profile::Rapid, at_least(99)), row(Profile::Blitz, at_least(99))],
        set: |conditions, level| {
            conditions.counts = Counts::AfterAnother;
            // Both times together are what the men stand.
            edges(conditions).ready_for = Some((50, ms(level) / 2));
            edges(conditions).first_thought = Some((0, ms(level) / 2));
        },
    },
    Factor {
        name: "swapped",
        what: "a king and queen stand on each other's squares, of one player or of both, and are put right at this move",
        level: 3.0,
        range: (1.0, 20.0),
        rows: &[row(Profile::Rapid, at_least(95)), row(Profile::Classical, at_least(95))],
        set: |conditions, level| {
            conditions.counts = Counts::Swapped;
            edges(conditions).swapped_until_move = count(level);
        },
    },
    Factor {
        name: "in-a-row",
        what: "everyday games, those that follow another one on their board; the level says nothing",
        level: 0.0,
        range: (0.0, 0.0),
        rows: &[
            row(Profile::Rapid, Bars::of(Profile::Rapid, true)),
            row(Profile::Blitz, Bars::of(Profile::Blitz, true)),
            without_clock(Profile::Rapid, Bars::of(Profile::Rapid, false)),
            without_clock(Profile::Blitz, Bars::of(Profile::Blitz, false)),
        ],
        set: |conditions, _| conditions.counts = Counts::AfterAnother,
    },
];
