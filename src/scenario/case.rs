//! One written case, as the file has it.

use hall::{Millis, Settings};
use protocol::{
    board::{Link, WireSquare},
    feed::{Blind, ClockMode, Period, PeriodStart, Rules, Side, Supervision, TimeClass, Variant},
};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::keys::thresholds;

/// One case. What is expected of it stands beside it and is not read.
#[derive(Debug, Deserialize)]
pub struct Case {
    pub(super) id: String,
    #[serde(default)]
    editions: Vec<Value>,
    #[serde(default)]
    time_class: TimeClass,
    #[serde(default)]
    supervision: Supervision,
    #[serde(default)]
    pub(super) variant: Variant,
    #[serde(default)]
    pub(super) sensor: Sensor,
    #[serde(default)]
    config: Config,
    #[serde(default = "yes")]
    pub(super) clock: bool,
    #[serde(default)]
    pub(super) turned: bool,
    #[serde(default = "yes")]
    pub(super) start_known: bool,
    pub(super) start_fen: Option<String>,
    pub(super) physical_start: Option<String>,
    #[serde(default)]
    pub(super) moves_uci: Vec<String>,
    #[serde(default)]
    pub(super) prior: Prior,
    pub(super) events: Option<Vec<Event>>,
    #[serde(default)]
    pub(super) end: Millis,
}

/// What a board can tell about its men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Sensor {
    /// Which man stands where.
    #[default]
    Identity,
    /// Where something stands.
    Occupancy,
    /// Which man stands in which hole.
    Pegs,
}

/// What is not as usual.
#[derive(Debug, Default, Deserialize)]
struct Config {
    #[serde(default)]
    blind: Blind,
    period: Option<WhichPeriod>,
    clock: Option<ClockKind>,
    moves_to_control: Option<u16>,
    increment_s: Option<u32>,
    #[serde(default)]
    annex_75_moves: bool,
    draw_offer_ban_until_move: Option<Ban>,
    quickplay_guidelines: Option<String>,
    default_time_s: Option<u32>,
    #[serde(default)]
    show_claim_availability: bool,
    clock_mode: Option<Mode>,
    #[serde(default)]
    periods: Vec<Stretch>,
    #[serde(default)]
    second_period_start: PeriodStart,
    /// Thresholds, by their names.
    #[serde(flatten)]
    thresholds: Map<String, Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WhichPeriod {
    First,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ClockKind {
    Analogue,
    Digital,
}

/// What is added to the clock, as cases write it.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fischer,
    Bronstein,
    Delay,
    Plain,
    None,
}

impl Mode {
    fn clock_mode(self) -> ClockMode {
        match self {
            Mode::Fischer => ClockMode::Fischer,
            Mode::Bronstein => ClockMode::Bronstein,
            Mode::Delay => ClockMode::Delay,
            Mode::Plain | Mode::None => ClockMode::Plain,
        }
    }
}

/// A period, as cases write it. The last one has no number of moves.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stretch {
    moves: Option<Moves>,
    base_s: u32,
    #[serde(default, alias = "increment_s")]
    inc_s: u32,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Moves {
    Number(u16),
    Word(All),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum All {
    All,
}

impl Stretch {
    fn period(&self) -> Period {
        let moves = match self.moves {
            Some(Moves::Number(moves)) => Some(moves),
            Some(Moves::Word(All::All)) | None => None,
        };
        Period { moves, base_s: self.base_s, increment_s: self.inc_s }
    }
}

/// Until which move players may not agree to a draw: a number, `always` or `none`.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Ban {
    Until(u16),
    Word(String),
}

impl Ban {
    fn until(&self) -> Option<u16> {
        match self {
            Ban::Until(moves) => Some(*moves),
            Ban::Word(word) => (word == "always").then_some(u16::MAX),
        }
    }
}

/// What there was before time 0.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Prior {
    pub(super) physical_board: Option<String>,
    pub(super) physical_rotated: Option<u16>,
    pub(super) illegal: Option<Counts>,
    pub(super) claim_right_lost_at_ply: Option<usize>,
    pub(super) initial_wrong: Option<Value>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(super) struct Counts {
    #[serde(default)]
    pub(super) white: u32,
    #[serde(default)]
    pub(super) black: u32,
}

#[derive(Debug, Deserialize)]
pub(super) struct Event {
    pub(super) t: Millis,
    #[serde(flatten)]
    pub(super) what: What,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "ev", rename_all = "snake_case")]
pub(super) enum What {
    Lift {
        sq: WireSquare,
    },
    Place {
        sq: WireSquare,
        piece: char,
    },
    Dump {
        placement: Option<String>,
        /// Where something stands, for a board that tells no more.
        #[serde(default)]
        occupied: Vec<WireSquare>,
    },
    Press {
        side: Side,
    },
    ClockTime {
        side: Side,
        remaining_ms: u64,
    },
    Flag {
        side: Side,
    },
    /// The clock of this side runs, or none does.
    ClockRun {
        side: Option<Side>,
    },
    /// The clock can be heard, or not.
    ClockLink {
        state: Link,
    },
    Link {
        state: Link,
    },
    Claim {
        side: Side,
        claim: Value,
        intended_uci: Option<String>,
    },
    DrawOffer {
        side: Side,
    },
    DrawAccept {
        side: Side,
    },
    DrawDecline {
        side: Side,
    },
    Resign {
        side: Side,
    },
    AdjustAnnounced {
        side: Side,
    },
    Announce {
        side: Side,
        text: String,
    },
    Arbiter {
        #[serde(flatten)]
        command: Map<String, Value>,
    },
    /// What a table can't be told.
    #[serde(other)]
    Unknown,
}

fn yes() -> bool {
    true
}

impl Case {
    /// The editions it holds for, as they are written.
    pub(super) fn editions(&self) -> impl Iterator<Item = String> {
        self.editions.iter().map(edition_name)
    }

    /// It is played by the castling of Chess960.
    pub(super) fn is_chess960(&self) -> bool {
        self.variant == Variant::Chess960
    }

    /// The rules of the case in one edition; those of the hands alone are for all.
    pub(super) fn rules(&self, edition: &str) -> Rules {
        let usual = Rules::default();
        let Config { period, clock, moves_to_control, increment_s, .. } = self.config;
        let increment_s = increment_s.unwrap_or(0);
        let last = Period { moves: None, base_s: 0, increment_s };
        let first = Period { moves: Some(moves_to_control.unwrap_or(40)), base_s: 5400, increment_s };
        let has_first = moves_to_control.is_some() || period == Some(WhichPeriod::First);
        let told = has_first || period.is_some() || self.config.increment_s.is_some();
        let written = self.config.periods.iter().map(Stretch::period).collect::<Vec<_>>();
        let periods = match (told, has_first) {
            _ if !written.is_empty() => written,
            (false, _) => Vec::new(),
            (true, false) => vec![Period { base_s: 5400, ..last }],
            (true, true) => vec![first, Period { base_s: 1800, ..last }],
        };
        // Absent means standard; a period that was made up above must not make the class.
        let time_class = if self.time_class == TimeClass::Auto { TimeClass::Standard } else { self.time_class };
        Rules {
            edition: edition.parse().unwrap_or(usual.edition),
            time_class,
            supervision: self.supervision,
            periods,
            analogue: clock == Some(ClockKind::Analogue),
            default_time_s: self.config.default_time_s,
            chess960: None,
            no_draw_before_move: self.config.draw_offer_ban_until_move.as_ref().and_then(Ban::until),
            quickplay: self.config.quickplay_guidelines.as_ref().is_some_and(|which| which != "none"),
            annex_75_moves: self.config.annex_75_moves,
            blind: self.config.blind,
            pegs: self.sensor == Sensor::Pegs,
            show_claim_availability: self.config.show_claim_availability,
            clock_mode: self.config.clock_mode.map_or(usual.clock_mode, Mode::clock_mode),
            second_period_start: self.config.second_period_start,
        }
    }

    /// The thresholds of the case.
    pub(super) fn settings(&self) -> serde_json::Result<Settings> {
        let known = thresholds();
        let told = self.config.thresholds.iter().filter(|(key, _)| known.contains(key.as_str()));
        let told = told.map(|(key, value)| (key.clone(), value.clone()));
        let mut usual = serde_json::to_value(Settings::default())?;
        usual.as_object_mut().into_iter().for_each(|usual| usual.extend(told.clone()));
        Settings::deserialize(usual)
    }
}

fn edition_name(edition: &Value) -> String {
    edition.as_str().map_or_else(|| edition.to_string(), str::to_owned)
}
