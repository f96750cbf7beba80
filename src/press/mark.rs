//! Marks: how far a game was told, in a few bytes.
//!
//! Pure.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::record::Slip;

/// A beginning of a game with its result, as it was told or may be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    pub(super) plies: usize,
    line: u64,
    dress: u64,
    pub(super) result: String,
}

impl Mark {
    pub(super) fn of(slip: &Slip, plies: usize, result: &str) -> Mark {
        let plies = plies.min(slip.plies());
        let line = slip.line(plies).unwrap_or_default();
        Mark { plies, line, dress: slip.dress(plies), result: result.to_owned() }
    }

    /// All of it.
    pub(super) fn whole(slip: &Slip) -> Mark {
        Mark::of(slip, slip.plies(), slip.result())
    }

    /// Whether the game still begins with these moves.
    pub(super) fn begins(&self, slip: &Slip) -> bool {
        slip.line(self.plies) == Some(self.line)
    }

    /// The same moves and result, whatever the tags say.
    pub(super) fn plays_like(&self, other: &Mark) -> bool {
        (self.plies, self.line, &self.result) == (other.plies, other.line, &other.result)
    }

    /// All of it in one number.
    pub(super) fn number(&self) -> u64 {
        let result = self.result.bytes().fold(7, |mark: u64, byte| mark.wrapping_mul(31) + u64::from(byte));
        self.line.rotate_left(17) ^ self.dress ^ result.rotate_left(40)
    }

    pub(super) fn is_over(&self) -> bool {
        self.result != OPEN
    }
}

/// A game, as far as it may be told.
pub(super) type Told<'a> = (&'a Arc<Slip>, &'a Mark);

/// The result of a game that goes on.
pub(super) const OPEN: &str = "*";
