//! All that happened at one table, moment by moment: what a dispute is settled with.

use serde::{Deserialize, Serialize};

use super::{ClockView, Event, Order, TableId};

/// A table from its first word to its last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// Which table.
    pub table: TableId,
    /// In the order in which all of it came in.
    pub moments: Vec<Moment>,
}

/// What came in at once, and what followed from it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// When, on the clock of the messages.
    pub t: u64,
    /// What a square of the board said: its own name, and what stood there as in FEN, `.` for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<(String, char)>,
    /// What stands on the board from here on, as squares of the game: the placement field of a FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// What screens show from here on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
    /// What the clock shows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockView>,
    /// What was ordered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Box<Order>>,
    /// By whom.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// What else was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Event>,
}

/// A visible line, as far as it takes to show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The position after it: the placement field of a FEN.
    pub placement: String,
    /// How many plies it has.
    pub plies: usize,
    /// How many of them are final.
    pub settled: usize,
    /// The last of its moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
}

impl Moment {
    /// Nothing of it would be seen.
    pub fn is_empty(&self) -> bool {
        *self == Moment { t: self.t, ..Moment::default() }
    }
}
