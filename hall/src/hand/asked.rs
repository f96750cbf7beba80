//! What the table may ask about the hands when somebody speaks: a claim, an offer, an answer.

use laws::touch::victim;
use shakmaty::{Color, Position};

use super::Hand;
use crate::Millis;

impl Hand {
    /// The player has the move and has touched a man since `since`: put back as a touch, still in the hand, or moved.
    /// Men of the opponent count where they can be taken.
    pub fn has_touched(&self, side: Color, since: Millis, now: Millis) -> bool {
        if let Some(made) = self.tail.first()
            && self.root.turn() == side
        {
            return self.changed_at(*made) >= since;
        }
        let mut position = self.root.clone();
        if let Some(made) = self.tail.first().filter(|_| self.root.turn() != side) {
            position.play_unchecked(*made);
        }
        if position.turn() != side {
            return false;
        }
        let touchable = |piece: shakmaty::Piece, square| {
            piece.color == side || position.legal_moves().iter().any(|candidate| victim(*candidate) == Some(square))
        };
        self.touches.touched(since, now, &self.settings).any(|(piece, square)| touchable(piece, square))
    }

    /// A move of this player stands on the board and has not been completed by the clock: the moment to offer a draw.
    pub fn has_just_moved(&self, side: Color) -> bool {
        let pressed = self.press.as_ref().is_some_and(|press| press.side == side);
        self.fits && !pressed && self.completed_by(side).is_some()
    }

    /// Whether the ply that is seen beyond the record ends the game by rule: the answer to `Deed::AskEnd`.
    pub fn expect_end(&mut self, ends: bool) {
        self.ends_game = Some(ends);
    }

    /// Another ply is seen, or more is known of it: whether it ends the game is an open question.
    pub fn wonder_about_end(&mut self) {
        self.ends_game = None;
    }
}
