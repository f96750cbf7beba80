//! What a game is played by: which Laws, how fast, how closely watched, and what the event has decided besides.

use serde::{Deserialize, Serialize};

use super::Side;

/// The rules of a round or of one table. What is left out is as the Laws in force have it for a standard game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// The year the edition of the Laws came into force: 1993, 2009, 2014, 2018 or 2023.
    pub edition: u16,
    /// How fast the game is.
    pub time_class: TimeClass,
    /// How closely the arbiters can watch.
    pub supervision: Supervision,
    /// The periods of the clock, the first one first; none where the time control is not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<Period>,
    /// What is added to the clock, and when.
    pub clock_mode: ClockMode,
    /// When the next period begins.
    pub second_period_start: PeriodStart,
    /// The clock does not show whose flag has fallen first.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub analogue: bool,
    /// Seconds after which a player who has not come is too late; what the Laws say if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_time_s: Option<u32>,
    /// Players may not agree to a draw before they have made so many moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_draw_before_move: Option<u16>,
    /// The annex of 1993 applies: 75 moves for some endings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub annex_75_moves: bool,
    /// The quickplay rules were announced.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub quickplay: bool,
    /// Games begin from this start position of Chess960, by its number; 518 is the ordinary one. Absent where nobody has
    /// said any: whatever array stands begins a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chess960: Option<u16>,
    /// The table's board is a blind player's: men stand in holes, and one is touched when it leaves its hole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub pegs: bool,
    /// The players who play on a blind player's board.
    pub blind: Blind,
    /// The arbiter is told when a claim would succeed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub show_claim_availability: bool,
}

impl Rules {
    /// Nothing was decided that is not so anyway.
    pub fn are_usual(&self) -> bool {
        *self == Rules::default()
    }
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            edition: 2023,
            time_class: TimeClass::default(),
            supervision: Supervision::default(),
            periods: Vec::new(),
            clock_mode: ClockMode::default(),
            second_period_start: PeriodStart::default(),
            analogue: false,
            default_time_s: None,
            no_draw_before_move: None,
            annex_75_moves: false,
            quickplay: false,
            chess960: None,
            pegs: false,
            blind: Blind::default(),
            show_claim_availability: false,
        }
    }
}

/// How fast a game is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TimeClass {
    /// As the periods say; standard where they are not known.
    #[default]
    Auto,
    /// An hour and more.
    Standard,
    /// Less.
    Rapid,
    /// Still less.
    Blitz,
}

/// How closely the arbiters can watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Supervision {
    /// The Competition Rules apply in full.
    #[default]
    Full,
    /// One arbiter watches many games.
    Limited,
}

/// One period of a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Period {
    /// How many moves have to be made in it; absent for all the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u16>,
    /// Seconds for it.
    pub base_s: u32,
    /// Seconds for each move besides.
    #[serde(default)]
    pub increment_s: u32,
}

/// What is added to the clock, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ClockMode {
    /// The increment comes with each move, the first included.
    #[default]
    Fischer,
    /// What was used comes back, up to so much.
    Bronstein,
    /// The main time begins to run only so much later.
    Delay,
    /// Nothing.
    Plain,
}

/// When the next period begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PeriodStart {
    /// When the clock has counted the moves.
    ByMoves,
    /// When the time of the period is used up.
    #[default]
    ByTime,
}

/// Who plays on a blind player's board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Blind {
    /// Nobody.
    #[default]
    None,
    /// White.
    White,
    /// Black.
    Black,
    /// Both.
    Both,
}

impl Blind {
    /// Whether `side` is one of them.
    pub fn is(self, side: Side) -> bool {
        match self {
            Blind::None => false,
            Blind::White => side == Side::White,
            Blind::Black => side == Side::Black,
            Blind::Both => true,
        }
    }
}
