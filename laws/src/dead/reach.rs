//! Which squares men attack, for guesses that are made a million times a second.

use shakmaty::{Bitboard, Board, Color, File, Role, Square, attacks};

/// The squares a man attacks.
#[inline]
pub(super) fn reach(role: Role, color: Color, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => attacks::pawn_attacks(color, from),
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::King => attacks::king_attacks(from),
    }
}

/// The squares `men` of a colour attack, all together.
pub(super) fn attacked(board: &Board, men: Bitboard, color: Color, occupied: Bitboard) -> Bitboard {
    let union =
        |men: Bitboard, of: &dyn Fn(Square) -> Bitboard| men.into_iter().fold(Bitboard::EMPTY, |all, at| all | of(at));
    union(men & board.knights(), &attacks::knight_attacks)
        | union(men & board.bishops_and_queens(), &|at| attacks::bishop_attacks(at, occupied))
        | union(men & board.rooks_and_queens(), &|at| attacks::rook_attacks(at, occupied))
        | union(men & board.kings(), &attacks::king_attacks)
        | by_pawns(men & board.pawns(), color)
}

fn by_pawns(pawns: Bitboard, color: Color) -> Bitboard {
    let (queenside, kingside) = ((pawns & !Bitboard::from(File::A)).0, (pawns & !Bitboard::from(File::H)).0);
    Bitboard(match color {
        Color::White => (queenside << 7) | (kingside << 9),
        Color::Black => (queenside >> 9) | (kingside >> 7),
    })
}
