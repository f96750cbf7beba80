//! Plies, by their numbers.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The number of a ply of a game: with it, so many have been played. Where the game begins is 0.
///
/// It is a place in a game. How many plies lie between two places, or in a line, is an ordinary number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Ply(u32);

impl Ply {
    /// Where a game begins.
    pub const START: Ply = Ply(0);

    /// The first move.
    pub const FIRST: Ply = Ply(1);

    /// With so many played.
    pub fn new(played: usize) -> Ply {
        Ply(u32::try_from(played).unwrap_or(u32::MAX))
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Ply {
        self.on(1)
    }

    /// The one before it; none where the game begins.
    pub fn previous(self) -> Option<Ply> {
        self.0.checked_sub(1).map(Ply)
    }

    /// So many later.
    #[must_use]
    pub fn on(self, plies: usize) -> Ply {
        Ply(self.0.saturating_add(Ply::new(plies).0))
    }

    /// So many earlier, or where the game begins.
    #[must_use]
    pub fn back(self, plies: usize) -> Ply {
        Ply(self.0.saturating_sub(Ply::new(plies).0))
    }

    /// Those after it, up to the last of a game.
    pub fn later(self, last: Ply) -> impl Iterator<Item = Ply> {
        (self.0..last.0).map(|before| Ply(before).next())
    }

    /// How many have been played with it.
    pub fn count(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// How many were played after `earlier`; none if that is not earlier.
    pub fn since(self, earlier: Ply) -> usize {
        Ply(self.0.saturating_sub(earlier.0)).count()
    }

    /// The first player makes it: whoever has the move where the game begins.
    pub fn is_first_players(self) -> bool {
        self.0 % 2 == 1
    }
}

impl fmt::Display for Ply {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(out)
    }
}
