//! Holes in the record, and what was played on after each: kept until somebody fills them in.

use shakmaty::{Chess, Move, Position};

use crate::hand::Hole;

/// The holes of a game, the first one first.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes {
    holes: Vec<Hole>,
    /// Hands play on from the last of them.
    open: bool,
}

impl Holes {
    /// What is seen lies beyond this hole, or beyond none.
    pub(super) fn see(&mut self, hole: Option<Hole>) {
        self.open = hole.is_some();
        let Some(hole) = hole else { return };
        // Where nothing was played on, it was another hole, or it is another player's turn.
        self.holes.pop_if(|last| last.from == hole.from || last.kept == 0);
        self.holes.push(hole);
    }

    /// The one beyond which hands play.
    pub(super) fn seen(&self) -> Option<&Hole> {
        self.holes.last().filter(|_| self.open)
    }

    /// The moves that were played on from this position.
    pub(super) fn kept_from(&self, position: &Chess) -> &[Move] {
        let same = |hole: &&Hole| hole.from.board() == position.board() && hole.from.turn() == position.turn();
        self.holes.iter().find(same).map_or(&[], |hole| &hole.moves[..hole.kept])
    }
}
