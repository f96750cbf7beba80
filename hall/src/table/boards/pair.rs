//! Two boards that share a game: whose each is, how they lie to one another, whose clock counts, since when each has shown
//! a ply.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{board::ClockSense, feed::Side};

use crate::{Millis, Ply};

/// What is known of two boards beside what stands on them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pair {
    /// The board White moves on, as somebody has said.
    whites: Option<String>,
    /// Whose a board is, as a move in this game has shown.
    found: Option<(Side, String)>,
    /// Those that lie half a turn round to the other one.
    turned: BTreeSet<String>,
    /// Those that fell silent and are not back.
    lost: BTreeSet<String>,
    /// The board whose clock counts.
    timed: Option<String>,
    /// Since when each has shown a ply that was brought to it from the other one.
    reached: BTreeMap<String, BTreeMap<Ply, Millis>>,
}

impl Pair {
    /// A game begins. What was found out of the one before counts no more: players may have changed sides.
    pub(crate) fn begin(&mut self) {
        self.found = None;
        self.reached.clear();
    }

    /// Somebody has said on which board White moves.
    pub(crate) fn give(&mut self, whites: String) {
        self.whites = Some(whites);
    }

    /// This player has moved on this board first.
    pub(crate) fn find(&mut self, side: Side, board: &str) {
        self.found = Some((side, board.to_owned()));
    }

    /// Whose a board is, where that is known.
    pub(crate) fn side_of(&self, board: &str) -> Option<Side> {
        let told = self.whites.as_ref().map(|own| (Side::White, own));
        let (side, own) = told.or(self.found.as_ref().map(|(side, own)| (*side, own)))?;
        Some(if own == board { side } else { side.other() })
    }

    /// It lies the other way round than was thought.
    pub(crate) fn turn(&mut self, board: &str) {
        if !self.turned.remove(board) {
            self.turned.insert(board.to_owned());
        }
    }

    pub(crate) fn is_turned(&self, board: &str) -> bool {
        self.turned.contains(board)
    }

    /// A board tells of the clock that is plugged into it. True if that is the clock of the game: there is one, and it
    /// counts until it is taken away.
    pub(crate) fn hears_clock(&mut self, board: &str, sense: &ClockSense) -> bool {
        if self.timed.as_ref().is_some_and(|timed| timed != board) {
            return false;
        }
        self.keep_clock(board, sense);
        true
    }

    /// The clock that counts is plugged into this board, if it is there.
    pub(crate) fn keep_clock(&mut self, board: &str, sense: &ClockSense) {
        self.timed = matches!(sense, ClockSense::Reading(_)).then(|| board.to_owned());
    }

    /// The board can't be heard any more. True if the clock of the game is plugged into it.
    pub(crate) fn lose(&mut self, board: &str) -> bool {
        self.lost.insert(board.to_owned());
        self.timed.take_if(|timed| timed == board).is_some()
    }

    /// The board can be heard. True if it was lost before.
    pub(crate) fn find_again(&mut self, board: &str) -> bool {
        self.lost.remove(board)
    }

    /// The board has come to show a ply.
    pub(crate) fn reach(&mut self, board: &str, ply: Ply, at: Millis) {
        self.reached.entry(board.to_owned()).or_default().insert(ply, at);
    }

    /// Since when it has shown it, if it was made on the other one.
    pub(crate) fn reached(&self, board: &str, ply: Ply) -> Option<Millis> {
        self.reached.get(board)?.get(&ply).copied()
    }
}
