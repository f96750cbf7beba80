//! A line to mate as something two players intend: after what was played instead, it often leads there all the same.

use shakmaty::{Bitboard, ByColor, Chess, Color, Move, Position};

/// What each side still means to play, in its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan(ByColor<Vec<Option<Move>>>);

impl Plan {
    /// The plan of a line, whose first move is `mover`'s.
    pub(super) fn of(line: &[Move], mover: Color) -> Plan {
        let every_other = |first: usize| line.iter().skip(first).step_by(2).map(|next| Some(*next)).collect();
        let mut plan = Plan::default();
        *plan.0.get_mut(mover) = every_other(0);
        *plan.0.get_mut(!mover) = every_other(1);
        plan
    }

    /// Takes note of a move that was played instead of the next one.
    pub(super) fn note(&mut self, played: Move, mover: Color) {
        let same_man = |intended: &&mut Option<Move>| {
            intended.is_some_and(|intended| intended.from().is_some() && intended.from() == played.from())
        };
        let Some(intended) = self.0.get_mut(mover).iter_mut().find(same_man) else { return };
        *intended = match *intended {
            Some(Move::Normal { role, to, promotion, .. }) if to != played.to() && played.promotion().is_none() => {
                // The man goes on from where it is to where it was meant to go next.
                Some(Move::Normal { role, from: played.to(), capture: None, to, promotion })
            }
            Some(Move::Normal { .. } | Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. }) | None => None,
        };
    }

    /// What a side still intends, each with its place in the plan.
    pub(super) fn moves(&self, side: Color) -> impl Iterator<Item = (usize, Move)> + '_ {
        self.0.get(side).iter().enumerate().filter_map(|(at, intended)| Some((at, (*intended)?)))
    }

    pub(super) fn left(&self, side: Color) -> usize {
        self.moves(side).count()
    }

    /// How many moves it takes at most.
    pub(super) fn plies(&self) -> usize {
        self.left(Color::White).max(self.left(Color::Black)) * 2
    }

    /// An intended move was played.
    pub(super) fn done(&mut self, side: Color, at: usize) {
        self.0.get_mut(side)[at] = None;
    }

    /// Squares that are to be left alone by whoever passes the time.
    pub(super) fn reserved(&self) -> Bitboard {
        let moves = Color::ALL.iter().flat_map(|side| self.moves(*side));
        moves.fold(Bitboard::EMPTY, |squares, (_, next)| {
            squares | next.from().map_or(Bitboard::EMPTY, Bitboard::from) | next.to()
        })
    }
}

/// The move with the capture it now makes.
pub(super) fn fresh(intended: Move, position: &Chess) -> Move {
    match intended {
        Move::Normal { role, from, to, promotion, .. } => {
            Move::Normal { role, from, capture: position.board().role_at(to), to, promotion }
        }
        Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => intended,
    }
}
