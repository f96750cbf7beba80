//! The order of the tables, which the file does not say.

use std::cmp::Reverse;

use laws::result::Points;

/// Which of two tables stands further up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    pub(super) bye: bool,
    pub(super) points: Reverse<Points>,
    pub(super) best: u32,
    /// In a match of teams.
    pub(super) board: u32,
}
