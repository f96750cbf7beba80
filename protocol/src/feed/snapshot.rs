//! How everything stands: what a screen gets when it connects, and again whenever it could have missed something.

use serde::{Deserialize, Serialize};

use super::{GameResult, Player, Side, State, TableId, TimeControl};
use crate::board::Link;

/// The hall at one moment.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HallView {
    /// All tables of the rounds that are open, in order.
    pub tables: Vec<TableView>,
}

/// One table at one moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableView {
    /// Which table.
    pub table: TableId,
    /// The how-many-eth game at this table in this round; 0 before the first.
    pub game: u32,
    /// Where the game is in its life.
    pub state: State,
    /// White, once a pairing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<Player>,
    /// Black, once a pairing is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<Player>,
    /// The time control, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_control: Option<TimeControl>,
    /// The position the game started from.
    pub start: String,
    /// The visible line in SAN, the provisional tail included.
    pub line: Vec<String>,
    /// How many of its moves are final.
    #[serde(rename = "final")]
    pub settled: usize,
    /// The position after the visible line: the placement field of a FEN.
    pub placement: String,
    /// Who is to move after the visible line.
    pub turn: Side,
    /// The last move of the visible line in UCI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<String>,
    /// The side to move is in check.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check: bool,
    /// The clock, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockView>,
    /// The board can't be explained at the moment.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// Whether the table's board can be heard; absent while it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// The result, `*` while there is none.
    pub result: GameResult,
}

/// What a clock showed, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockView {
    /// Milliseconds White had left.
    pub white_ms: u64,
    /// Milliseconds Black had left.
    pub black_ms: u64,
    /// Whose time runs.
    pub running: Option<Side>,
    /// When that was, on the clock of the messages.
    pub at: u64,
}
