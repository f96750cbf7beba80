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

#[cfg(test)]
mod tests {
    use shakmaty::{EnPassantMode, fen::Fen};

    use super::*;

    fn position(fen: &str, mode: CastlingMode) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(mode).expect("a position")
    }

    fn key(fen: &str, mode: CastlingMode) -> Key {
        Key::of(&position(fen, mode))
    }

    #[test]
    fn each_right_to_castle_is_of_the_key() {
        let rights = ["KQkq", "Qkq", "Kkq", "KQq", "KQk", "-"];
        let keys =
            rights.map(|rights| key(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {rights} - 0 1"), CastlingMode::Standard));
        assert!((0..keys.len()).all(|at| !keys[..at].contains(&keys[at])));
    }

    #[test]
    fn in_chess960_it_matters_with_which_rook() {
        let rights = ["HA", "HB", "A", "B", "GA", "-"];
        let keys =
            rights.map(|rights| key(&format!("4k3/8/8/8/8/8/8/RR2K1RR w {rights} - 0 1"), CastlingMode::Chess960));
        assert!((0..keys.len()).all(|at| !keys[..at].contains(&keys[at])));
        // A right is the same, however the castling is written.
        let board = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(key(board, CastlingMode::Standard), key(board, CastlingMode::Chess960));
    }

    #[test]
    fn an_en_passant_capture_is_of_the_key_if_it_is_legal() {
        let double = |board: &str, square: &str| key(&format!("{board} w - {square} 0 1"), CastlingMode::Standard);
        let can = "4k3/8/8/3pP3/8/8/8/4K3";
        assert_ne!(double(can, "d6"), double(can, "-"));
        let both = "4k3/8/8/3pPp2/8/8/8/4K3";
        assert_ne!(double(both, "d6"), double(both, "f6"));
        let nobody_there = "4k3/8/8/3p4/8/8/8/4K3";
        assert_eq!(double(nobody_there, "d6"), double(nobody_there, "-"));
        let pinned = "4k3/4r3/8/3pP3/8/8/8/4K3";
        assert_eq!(double(pinned, "d6"), double(pinned, "-"));
    }

    #[test]
    fn a_key_gives_the_position_back() {
        let fens = [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", CastlingMode::Standard),
            ("nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1", CastlingMode::Chess960),
            ("4k3/8/8/8/8/8/8/RR2K1RR w GB - 0 1", CastlingMode::Chess960),
            ("r3k2r/8/8/3pP3/8/8/8/R3K2R w Kq d6 0 1", CastlingMode::Standard),
            ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", CastlingMode::Standard),
        ];
        for (fen, mode) in fens {
            let start = position(fen, mode);
            let after = start.legal_moves().into_iter().map(|next| {
                let mut after = start.clone();
                after.play_unchecked(next);
                assert_eq!(Key::after(&start, next), Key::of(&after));
                after
            });
            for position in after.chain([start.clone()]) {
                let back = Key::of(&position).position();
                assert_eq!(back, position, "{}", Fen::from_position(&position, EnPassantMode::Legal));
                assert_eq!(Key::of(&back), Key::of(&position));
            }
        }
    }
}
