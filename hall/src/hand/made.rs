//! A ply as it is made: what it leaves on the squares it changes, and what it looks like half done.

use laws::touch::victim;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Rank, Role, Square};

use super::judging::Illegality;

/// One ply of a line, and what it leaves on the squares it changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) played: Move,
    pub(super) side: Color,
    pub(super) changes: Changes,
    /// So far only this much of it is made.
    pub(super) is_half: bool,
}

/// What squares hold from here on.
type Changes = [Option<(Square, Option<Piece>)>; 4];

impl Made {
    /// All of it.
    pub(super) fn whole(side: Color, played: Move) -> Made {
        let man = |role: Role| Some(role.of(side));
        let changes = match played {
            Move::Normal { role, from, to, promotion, .. } => {
                [Some((from, None)), Some((to, man(promotion.unwrap_or(role)))), None, None]
            }
            Move::EnPassant { from, to } => {
                [Some((from, None)), Some((to, man(Role::Pawn))), victim(played).map(|taken| (taken, None)), None]
            }
            Move::Castle { king, rook } => castled(side, played, king, rook),
            Move::Put { role, to } => [Some((to, man(role))), None, None, None],
        };
        Made { played, side, changes, is_half: false }
    }

    /// A move that the Laws do not allow.
    pub(super) fn unlawful(side: Color, man: Piece, illegality: &Illegality) -> Made {
        let Illegality { from, to, taken, .. } = *illegality;
        let played = Move::Normal { role: man.role, from, to, capture: None, promotion: None };
        let taken = taken.filter(|taken| *taken != to).map(|taken| (taken, None));
        Made { played, side, changes: [Some((from, None)), Some((to, Some(man))), taken, None], is_half: false }
    }

    /// The squares it changes.
    pub(super) fn squares(&self) -> impl Iterator<Item = Square> {
        self.changes.into_iter().flatten().map(|(square, _)| square)
    }

    /// The men it puts down, and where.
    pub(super) fn landings(&self) -> impl Iterator<Item = (Square, Piece)> {
        self.changes.into_iter().flatten().filter_map(|(square, man)| Some((square, man?)))
    }

    /// What it may look like while it is made, besides a man in the hand.
    pub(super) fn halves(self) -> impl Iterator<Item = Made> {
        let [first, second, third, fourth] = self.changes;
        let pawn = Role::Pawn.of(self.side);
        let halves: [Option<Changes>; 3] = match self.played {
            Move::EnPassant { .. } => [Some([first, second, None, None]), Some([first, third, None, None]), None],
            Move::Castle { .. } => [Some([first, third, None, None]), Some([second, fourth, None, None]), None],
            // Whatever it is to become: it is told once, of the queen.
            Move::Normal { from, to, promotion: Some(Role::Queen), capture, .. } => [
                Some([Some((from, None)), Some((to, Some(pawn))), None, None]),
                Some([Some((from, None)), None, None, None]),
                capture.map(|_| [Some((from, None)), Some((to, None)), None, None]),
            ],
            Move::Normal { .. } | Move::Put { .. } => [None; 3],
        };
        halves.into_iter().flatten().map(move |changes| Made { changes, is_half: true, ..self })
    }
}

/// In Chess960 king or rook may castle without moving.
fn castled(side: Color, played: Move, king: Square, rook: Square) -> Changes {
    let castling = played.castling_side().expect("castling has a side");
    let (king_to, rook_to) = (castling.king_to(side), castling.rook_to(side));
    let left = |from: Square| Some((from, None)).filter(|_| from != king_to && from != rook_to);
    let put = |from: Square, to: Square, role: Role| Some((to, Some(role.of(side)))).filter(|_| from != to);
    [left(king), left(rook), put(king, king_to, Role::King), put(rook, rook_to, Role::Rook)]
}

/// The one or two men a move carries.
pub(super) fn steps(side: Color, played: Move) -> impl Iterator<Item = (Square, Square)> {
    let steps = match played {
        Move::Castle { king, rook } => {
            let castling = played.castling_side().expect("castling has a side");
            [Some((king, castling.king_to(side))), Some((rook, castling.rook_to(side)))]
        }
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => [Some((from, to)), None],
        Move::Put { .. } => [None, None],
    };
    steps.into_iter().flatten()
}

/// The man who stands there can be taken.
pub(super) fn can_be_taken(position: &Chess, square: Square) -> bool {
    position.legal_moves().iter().any(|candidate| victim(*candidate) == Some(square))
}

/// A man of this ply leaves this square.
pub(super) fn leaves(played: Move, square: Square) -> bool {
    played.from() == Some(square) || matches!(played, Move::Castle { rook, .. } if rook == square)
}

/// The squares a move empties or fills.
pub(super) fn footprint(played: Move) -> Bitboard {
    // Only of castling it matters whose it is, and that shows in its rank.
    let side = Color::from_white(played.from().is_some_and(|from| from.rank() == Rank::First));
    Made::whole(side, played).squares().collect()
}

/// These moves as they are made.
pub(super) fn made(from: &Chess, moves: &[Move]) -> Vec<Made> {
    let sides = [from.turn(), !from.turn()].into_iter().cycle();
    moves.iter().zip(sides).map(|(played, side)| Made::whole(side, *played)).collect()
}
