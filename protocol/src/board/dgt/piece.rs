//! Piece codes: P R N B K Q, not the usual order, white first.

use shakmaty::{Color, Piece, Role};

use crate::board::{Content, Contents, WireSquare};

/// The low four bits of a piece code on the wire. Codes 13 to 15 are the "draw" and "wins" pieces some sets have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PieceCode(u8);

/// In the order of the codes, from 1.
const ROLES: [Role; 6] = [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::King, Role::Queen];

impl PieceCode {
    /// An empty square.
    pub const EMPTY: PieceCode = PieceCode(0);

    /// Reads a byte of the wire; only its low half counts.
    pub const fn new(byte: u8) -> PieceCode {
        PieceCode(byte & 0x0f)
    }

    /// The code of `piece`.
    pub fn of(piece: Piece) -> PieceCode {
        let code = match piece.role {
            Role::Pawn => 1,
            Role::Rook => 2,
            Role::Knight => 3,
            Role::Bishop => 4,
            Role::King => 5,
            Role::Queen => 6,
        };
        PieceCode(if piece.color == Color::White { code } else { code + 6 })
    }

    /// The byte on the wire.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The man, if the code names one: the result pieces 13 to 15 are not men.
    pub fn piece(self) -> Option<Piece> {
        let (index, color) = match self.0 {
            1..=6 => (self.0 - 1, Color::White),
            7..=12 => (self.0 - 7, Color::Black),
            _ => return None,
        };
        Some(ROLES[usize::from(index)].of(color))
    }

    /// What a sensor of any make would say: result pieces count as nothing on the square.
    pub fn content(self) -> Content {
        self.piece().map_or(Content::Empty, Content::Man)
    }

    /// The FEN letter, or `.` where no man stands.
    pub fn fen_char(self) -> char {
        self.content().letter()
    }
}

/// The 64 codes of a board dump, a8 first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Codes(pub [PieceCode; 64]);

impl Codes {
    /// The codes of what stands on a board; men that are only sensed can't be coded and count as nothing.
    pub fn of(contents: &Contents) -> Codes {
        Codes(contents.0.map(|content| match content {
            Content::Man(piece) => PieceCode::of(piece),
            Content::Empty | Content::Occupied => PieceCode::EMPTY,
        }))
    }

    /// What stands on the board.
    pub fn contents(&self) -> Contents {
        Contents(self.0.map(PieceCode::content))
    }

    /// The code of one square.
    pub fn get(&self, square: WireSquare) -> PieceCode {
        self.0[square.index()]
    }

    pub(super) fn decode(payload: &[u8]) -> Option<Codes> {
        let bytes: &[u8; 64] = payload.try_into().ok()?;
        Some(Codes(bytes.map(PieceCode::new)))
    }

    pub(super) fn encode(&self) -> [u8; 64] {
        self.0.map(PieceCode::byte)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kings_come_before_queens() {
        let letters = (1..=12).map(|code| PieceCode::new(code).fen_char()).collect::<String>();
        assert_eq!(letters, "PRNBKQprnbkq");
    }

    #[test]
    fn result_pieces_are_not_men() {
        for code in [0x00, 0x0d, 0x0e, 0x0f] {
            assert_eq!(PieceCode::new(code).content(), Content::Empty);
        }
    }

    #[test]
    fn every_man_has_one_code() {
        for code in 1..=12 {
            let piece = PieceCode::new(code).piece().expect("1 to 12 are men");
            assert_eq!(PieceCode::of(piece), PieceCode::new(code));
        }
    }
}
