//! How a game is over by rule, as the position and the count tell it.

use laws::{
    Conditions, Edition, Ending,
    draws::{DrawnByRule, History},
};
use protocol::feed::{Alert, GameResult, ResultReason, Side};
use shakmaty::{Chess, Move, Position as _};

use super::finding;

/// How a game is over by rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// By the position.
    Position(Ending),
    /// By counting.
    Counted(DrawnByRule),
}

/// No position can have come back for the fifth time in fewer plies without a capture or a pawn's move.
const LEAST_QUIET: u32 = 16;

impl Over {
    pub(crate) fn at(position: &Chess, history: &History, edition: Edition) -> Option<Over> {
        if let Some(ending) = Ending::of(position) {
            return Some(Over::Position(ending));
        }
        let may_be_drawn = position.halfmoves() >= LEAST_QUIET;
        let drawn = may_be_drawn.then(|| DrawnByRule::of(history, position, edition));
        drawn.flatten().map(Over::Counted)
    }

    /// What is told of it, with the result and its ground.
    pub(crate) fn found(
        self,
        position: &Chess,
        mover: Side,
        conditions: Conditions,
    ) -> Option<(Alert, GameResult, ResultReason)> {
        match self {
            Over::Position(ending) => finding::ending(ending, position, mover, conditions),
            Over::Counted(drawn) => finding::drawn(drawn, mover, conditions),
        }
    }

    /// A position from which nobody can mate ends the game; in 1993 only the few the Laws list.
    pub(crate) fn proven(edition: Edition, is_dead: impl FnOnce() -> bool) -> Option<Over> {
        (edition != Edition::E1993 && is_dead()).then_some(Over::Position(Ending::DeadPosition))
    }
}

/// After which plies the present position has stood.
pub(crate) fn occurrences(history: &History) -> Vec<usize> {
    history.occurrences().into_iter().map(|occurrence| occurrence.ply).collect()
}

/// The position after a move.
pub(crate) fn after(position: &Chess, played: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(played);
    after
}
