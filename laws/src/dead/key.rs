//! What makes two positions one: men, side to move, castling rights and a legal en passant capture, exactly.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, FromSetup, Move, Position, PositionError, Rank,
    Setup, Square,
};

/// A position, written out whole: two keys are equal if and only if the positions are.
///
/// Four bits a square. Three name the man: 1 to 6 from pawn to king, 7 a pawn that may be taken en passant or, on the
/// first and the last rank, a rook that may castle. The fourth is set on Black's men, and on the empty squares while
/// Black is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key([u64; 4]);

impl Key {
    pub(super) fn of(position: &Chess) -> Key {
        let board = position.board();
        let castling = position.castles().castling_rights();
        let en_passant = position.legal_ep_square().map_or(Bitboard::EMPTY, |square| Bitboard::from(pushed(square)));
        let special = castling | en_passant;
        let black = match position.turn() {
            Color::White => board.black(),
            Color::Black => !board.white(),
        };
        Key([
            (board.pawns() | board.bishops() | board.queens() | special).0,
            (board.knights() | board.bishops() | board.kings() | special).0,
            (board.rooks() | board.queens() | board.kings() | special).0,
            black.0,
        ])
    }

    /// The position that a legal move leads to.
    pub(super) fn after(position: &Chess, next: Move) -> Key {
        let mut after = position.clone();
        after.play_unchecked(next);
        Key::of(&after)
    }

    /// The position, with its clocks at zero.
    pub(super) fn position(&self) -> Chess {
        let [a, b, c, black] = self.0.map(Bitboard);
        let occupied = a | b | c;
        let special = a & b & c;
        let castling_rights = special & Bitboard::BACKRANKS;
        let en_passant = special & !Bitboard::BACKRANKS;
        let by_role = ByRole {
            pawn: (a & !b & !c) | en_passant,
            knight: !a & b & !c,
            bishop: a & b & !c,
            rook: (!a & !b & c) | castling_rights,
            queen: a & !b & c,
            king: !a & b & c,
        };
        let by_color = ByColor { black: occupied & black, white: occupied & !black };
        let empty_bit = (!occupied & black).any();
        let setup = Setup {
            board: Board::try_from_bitboards(by_role, by_color).expect("a key was made of a board"),
            turn: if empty_bit { Color::Black } else { Color::White },
            castling_rights,
            ep_square: en_passant.first().map(pushed),
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .expect("a key was made of a position")
    }

    /// Any bits of it do as an index.
    pub(super) fn hash(&self) -> u64 {
        let mixed =
            self.0.iter().fold(0, |hash: u64, word| (hash.rotate_left(29) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        // Multiplication carries each bit upwards only: what differs on the last ranks is brought down to the lowest bits.
        let folded = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        folded ^ (folded >> 32)
    }
}

/// From the square a pawn passed over to the one it stands on, and back.
fn pushed(square: Square) -> Square {
    let rank = match square.rank() {
        Rank::Third => Rank::Fourth,
        Rank::Fourth => Rank::Third,
        Rank::Sixth => Rank::Fifth,
        Rank::Fifth => Rank::Sixth,
        rank @ (Rank::First | Rank::Second | Rank::Seventh | Rank::Eighth) => rank,
    };
    Square::from_coords(square.file(), rank)
}
