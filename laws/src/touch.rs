//! Touch-move: what a player who touched men was bound to do, and whether the move played is it.

use shakmaty::{CastlingMode, Chess, Color, Move, Piece, Position, Role, Square};

/// A man that was deliberately touched, or lifted in the course of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Where it stood.
    pub square: Square,
    /// Which man.
    pub piece: Piece,
}

/// What the order of touching suggests against the move that was played. Evidence, never a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suspicion {
    /// This own man could have moved and was touched first.
    Move(Square),
    /// This opponent's man could have been taken and was touched first.
    Capture(Square),
    /// The first own and the first opponent's man could have met in a capture.
    Both {
        /// The own man.
        own: Square,
        /// The opponent's.
        enemy: Square,
    },
    /// The rook was touched before the king, then castled with.
    RookFirst(Square),
}

/// What the men touched before `played`, in the order of touching, suggest. `played` is legal in `position`.
///
/// ```
/// use laws::touch::{Suspicion, Touched, examine};
/// use shakmaty::{CastlingMode, Chess, Position, Square, san::San};
///
/// let start = Chess::default();
/// let knight = Touched { square: Square::G1, piece: start.board().piece_at(Square::G1).unwrap() };
/// let e4 = "e4".parse::<San>().unwrap().to_move(&start).unwrap();
/// assert_eq!(examine(&start, e4, &[knight], CastlingMode::Standard), Some(Suspicion::Move(Square::G1)));
/// ```
pub fn examine(position: &Chess, played: Move, touched: &[Touched], mode: CastlingMode) -> Option<Suspicion> {
    let side = position.turn();
    if let Some(rook) = rook_before_king(played, touched, side) {
        return (mode == CastlingMode::Standard).then_some(Suspicion::RookFirst(rook));
    }
    let legal = position.legal_moves();
    let first = |color| touched.iter().find(|man| man.piece.color == color).map(|man| man.square);
    if let (Some(own), Some(enemy)) = (first(side), first(!side))
        && legal.iter().any(|candidate| moves(*candidate, own) && victim(*candidate) == Some(enemy))
    {
        let is_it = moves(played, own) && victim(played) == Some(enemy);
        return (!is_it).then_some(Suspicion::Both { own, enemy });
    }
    let bound = |man: &&Touched| legal.iter().any(|candidate| meets(*candidate, man, side));
    let man = touched.iter().find(bound)?;
    if meets(played, man, side) {
        return None;
    }
    Some(if man.piece.color == side { Suspicion::Move(man.square) } else { Suspicion::Capture(man.square) })
}

/// The castling a player was bound to who touched the king and then the rook: nothing if the move played is that, if it
/// is not legal, or if the rook was first. Where the rook may move first to castle, technique binds to nothing.
///
/// | king and rook touched | 1993 | 2009 | 2014 | 2018 | 2023 |
/// |---|---|---|---|---|---|
/// | castling there, if legal | 5.1.B | 4.4.a | 4.4.a | 4.4.1 | 4.4.1 |
///
/// ```
/// use laws::touch::{Touched, castling_duty};
/// use shakmaty::{CastlingMode, Chess, Position, Square, fen::Fen, san::San};
///
/// let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().unwrap();
/// let position: Chess = fen.into_position(CastlingMode::Standard).unwrap();
/// let touch = |square| Touched { square, piece: position.board().piece_at(square).unwrap() };
/// let step = "Kf1".parse::<San>().unwrap().to_move(&position).unwrap();
/// let duty = |first, then| castling_duty(&position, step, &[touch(first), touch(then)], CastlingMode::Standard);
/// assert!(duty(Square::E1, Square::H1).is_some());
/// assert!(duty(Square::H1, Square::E1).is_none());
/// ```
pub fn castling_duty(position: &Chess, played: Move, touched: &[Touched], mode: CastlingMode) -> Option<Move> {
    let own = touched.iter().filter(|man| man.piece.color == position.turn()).map(|man| man.square).collect::<Vec<_>>();
    let [first, then, ..] = own[..] else { return None };
    let meant = |candidate: &Move| matches!(*candidate, Move::Castle { king, rook } if (king, rook) == (first, then));
    let duty = position.legal_moves().into_iter().find(meant)?;
    (duty != played && mode == CastlingMode::Standard).then_some(duty)
}

/// The square of the man a move takes.
pub fn victim(played: Move) -> Option<Square> {
    match played {
        Move::Normal { capture, to, .. } => capture.map(|_| to),
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        Move::Castle { .. } | Move::Put { .. } => None,
    }
}

fn meets(played: Move, man: &Touched, side: Color) -> bool {
    if man.piece.color == side { moves(played, man.square) } else { victim(played) == Some(man.square) }
}

fn moves(played: Move, square: Square) -> bool {
    match played {
        // A rook may be bound by castling only through the king: touched alone it has to move as a rook.
        Move::Castle { king, .. } => king == square,
        Move::Normal { from, .. } | Move::EnPassant { from, .. } => from == square,
        Move::Put { .. } => false,
    }
}

fn rook_before_king(played: Move, touched: &[Touched], side: Color) -> Option<Square> {
    let Move::Castle { king, rook } = played else { return None };
    let at = |square| touched.iter().position(|man| man.square == square && man.piece.color == side);
    let (rook_at, king_at) = (at(rook)?, at(king).unwrap_or(usize::MAX));
    let is_rook = touched[rook_at].piece.role == Role::Rook;
    (is_rook && rook_at < king_at).then_some(rook)
}
