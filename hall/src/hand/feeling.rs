//! What hands touched on the way: evidence for the Laws, none of it a move.

use laws::touch::victim;
use protocol::feed::TouchKind;
use shakmaty::{CastlingMode, Color, Move, Position, Role, Square};

use super::{Deed, Hand, squares::Change, touch::Contacted};
use crate::Millis;

/// What happened in the turn that is on, besides touches.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    /// The ply that stands at the head of the tail, and since when.
    pub(super) resting: Option<(Move, Millis)>,
    /// Plies that had rested long enough for a release, and how long.
    pub(super) released: Vec<(Move, Millis)>,
    /// The last of them, unless the men have stood as in the record since.
    pub(super) let_go: Option<Move>,
    /// The first promoted piece that was seen on its square for more than a moment.
    pub(super) promoted: Option<(Square, Role)>,
    /// A castling whose king was released two squares away.
    pub(super) duty: Option<Move>,
    pub(super) two_hands: bool,
    /// Since when king and rook of a castling are in the air together.
    pub(super) together_since: Option<Millis>,
    /// When the ply at the head of the tail became another one under its reply.
    pub(super) swapped_at: Option<Millis>,
}

impl Hand {
    /// What the changes mean for men that are touched, castled or promoted.
    pub(super) fn feel(&mut self, changes: &[Change], now: Millis, out: &mut Vec<Deed>) {
        if !self.playing || !self.surveyed {
            return;
        }
        for change in changes {
            self.feel_special(*change, now);
            match self.touches.take(*change, self.squares.lifted(), now, &self.settings) {
                Some(Contacted::Returned { piece, square, held, kind }) => {
                    out.push(Deed::Touched { piece, square, held, kind });
                    let turn = self.having_the_move(now);
                    let excused = self.touches.is_excused() || self.unlawful || self.assumed;
                    if kind == TouchKind::Touch && piece.color != turn && !excused && !self.can_be_taken(square) {
                        out.push(Deed::TouchedOutOfTurn(piece, square));
                    }
                }
                None => {}
            }
        }
    }

    /// Kings that leave the square of a castling, king and rook together in the air, promoted pieces exchanged.
    fn feel_special(&mut self, change: Change, now: Millis) {
        let side = self.root.turn();
        match change {
            Change::Lifted(square, piece, since) if piece.color == side => {
                let stood = now - since;
                if piece.role == Role::King && stood >= self.settings.release_dwell_ms {
                    self.turn.duty = self.castling_to(square).or(self.turn.duty);
                }
                if self.turn.promoted == Some((square, piece.role)) && stood < self.settings.contact_debounce_ms {
                    self.turn.promoted = None;
                }
            }
            Change::Landed(square, piece) if piece.color == side => {
                let promotes = |candidate: &Move| candidate.to() == square && candidate.promotion() == Some(piece.role);
                if self.turn.promoted.is_none() && self.root.legal_moves().iter().any(promotes) {
                    self.turn.promoted = Some((square, piece.role));
                }
            }
            Change::Lifted(..) | Change::Landed(..) => {}
        }
        let lifted = |square| self.squares.lifted().iter().any(|lifted| lifted.from == square);
        let together = |candidate: &Move| match *candidate {
            Move::Castle { king, rook } => lifted(king) && lifted(rook),
            Move::Normal { .. } | Move::EnPassant { .. } | Move::Put { .. } => false,
        };
        let both = self.squares.lifted().len() >= 2
            && self.mode == CastlingMode::Standard
            && self.root.legal_moves().iter().any(together);
        if both {
            self.turn.together_since.get_or_insert(now);
        } else if let Some(since) = self.turn.together_since.take() {
            self.turn.two_hands |= now >= since + self.settings.contact_debounce_ms;
        }
    }

    /// The castling that takes the king to this square, unless it starts from there.
    pub(super) fn castling_to(&self, square: Square) -> Option<Move> {
        let side = self.root.turn();
        let meant = |candidate: &&Move| {
            let goal = candidate.castling_side().map(|castling| castling.king_to(side));
            goal == Some(square) && candidate.from() != Some(square)
        };
        let standard = self.mode == CastlingMode::Standard;
        self.root.legal_moves().iter().find(meant).copied().filter(|_| standard)
    }

    pub(super) fn having_the_move(&self, now: Millis) -> Color {
        let rested = self.turn.resting.is_some_and(|(_, since)| now >= since + self.settings.release_dwell_ms);
        if rested { !self.root.turn() } else { self.root.turn() }
    }

    fn can_be_taken(&self, square: Square) -> bool {
        self.root.legal_moves().iter().any(|candidate| victim(*candidate) == Some(square))
    }
}
