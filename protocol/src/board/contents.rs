//! What stands on the squares, as far as the sensors know.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Piece};

use super::square::{Lie, WireSquare};

/// What a sensor knows about one square. In JSON it is its [`letter`](Content::letter).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "char", into = "char")]
pub enum Content {
    /// Nothing stands there, or nothing the board can name.
    #[default]
    Empty,
    /// A man the board has identified.
    Man(Piece),
    /// Something stands there; boards that only sense occupancy say no more.
    Occupied,
}

impl Content {
    /// The FEN letter, `?` for an unnamed man and `.` for an empty square.
    pub fn letter(self) -> char {
        match self {
            Content::Empty => '.',
            Content::Man(piece) => piece.char(),
            Content::Occupied => '?',
        }
    }
}

impl From<Content> for char {
    fn from(content: Content) -> char {
        content.letter()
    }
}

impl TryFrom<char> for Content {
    type Error = BadPlacement;

    fn try_from(letter: char) -> Result<Content, BadPlacement> {
        match letter {
            '.' => Ok(Content::Empty),
            '?' => Ok(Content::Occupied),
            _ => Piece::from_char(letter).map(Content::Man).ok_or_else(|| BadPlacement(letter.to_string())),
        }
    }
}

/// The content of all squares, in the order of the wire. In JSON it is its [`placement`](Contents::placement).
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Contents(pub [Content; 64]);

impl Contents {
    /// A board with nothing on it.
    pub const EMPTY: Contents = Contents([Content::Empty; 64]);

    /// What stands on `square`.
    pub fn get(&self, square: WireSquare) -> Content {
        self.0[square.index()]
    }

    /// Replaces what stands on `square`.
    pub fn set(&mut self, square: WireSquare, content: Content) {
        self.0[square.index()] = content;
    }

    /// The placement field of a FEN, with the connector at White's left hand and `?` for unnamed men.
    ///
    /// ```
    /// use protocol::board::{Content, Contents, WireSquare};
    ///
    /// let mut contents = Contents::EMPTY;
    /// contents.set("e4".parse()?, Content::Occupied);
    /// assert_eq!(contents.placement(), "8/8/8/8/4?3/8/8/8");
    /// # Ok::<(), protocol::board::BadSquare>(())
    /// ```
    pub fn placement(&self) -> String {
        let rank = |men: &[Content]| {
            let mut text = String::new();
            for run in men.chunk_by(|a, b| *a == Content::Empty && *b == Content::Empty) {
                match run[0] {
                    Content::Empty => text.push_str(&run.len().to_string()),
                    man @ (Content::Man(_) | Content::Occupied) => text.push(man.letter()),
                }
            }
            text
        };
        self.0.chunks(8).map(rank).collect::<Vec<_>>().join("/")
    }

    /// The men as a board of the game, unnamed men left out.
    pub fn board(&self, lie: Lie) -> Board {
        let mut board = Board::empty();
        for (square, content) in WireSquare::all().zip(self.0) {
            if let Content::Man(piece) = content {
                board.set_piece_at(square.on(lie), piece);
            }
        }
        board
    }

    /// The squares of the game on which something stands. A search over a gap asks this of every position it comes to.
    pub fn occupied(&self, lie: Lie) -> Bitboard {
        // A dump begins with the eighth rank.
        let full = self.0.iter().rev().fold(0, |full, content| full << 1 | u64::from(*content != Content::Empty));
        let straight = Bitboard(full).flip_vertical();
        match lie {
            Lie::Straight => straight,
            Lie::Turned => straight.rotate_180(),
        }
    }

    /// The same men as a board reports them that lies half a turn round.
    #[must_use]
    pub fn turned(&self) -> Contents {
        let mut turned = *self;
        turned.0.reverse();
        turned
    }

    /// What a board that names its men would report for `board`.
    pub fn of(board: &Board, lie: Lie) -> Contents {
        let content = |square: WireSquare| board.piece_at(square.on(lie)).map_or(Content::Empty, Content::Man);
        let mut contents = Contents::EMPTY;
        for square in WireSquare::all() {
            contents.set(square, content(square));
        }
        contents
    }
}

impl From<Contents> for String {
    fn from(contents: Contents) -> String {
        contents.placement()
    }
}

impl TryFrom<String> for Contents {
    type Error = BadPlacement;

    fn try_from(text: String) -> Result<Contents, BadPlacement> {
        text.parse()
    }
}

impl FromStr for Contents {
    type Err = BadPlacement;

    fn from_str(text: &str) -> Result<Contents, BadPlacement> {
        let bad = || BadPlacement(text.to_owned());
        let mut squares = WireSquare::all();
        let mut contents = Contents::EMPTY;
        let ranks = text.split('/').collect::<Vec<_>>();
        for rank in &ranks {
            let mut files = 0;
            for letter in rank.chars() {
                let run = letter.to_digit(10).unwrap_or(1);
                let content =
                    if letter.is_ascii_digit() { Content::Empty } else { letter.try_into().map_err(|_| bad())? };
                for _ in 0..run {
                    contents.set(squares.next().ok_or_else(bad)?, content);
                }
                files += run;
            }
            if files != 8 {
                return Err(bad());
            }
        }
        if ranks.len() == 8 { Ok(contents) } else { Err(bad()) }
    }
}

/// Text that is no placement of men.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no placement: write eight ranks from the eighth, as in the first field of a FEN")]
pub struct BadPlacement(pub String);

impl fmt::Debug for Contents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Contents({})", self.placement())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placement_reads_back() {
        for text in ["8/8/8/8/4?3/8/8/8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "7k/8/8/1p1P4/8/8/8/K7"] {
            let contents = text.parse::<Contents>().expect("a placement");
            assert_eq!(contents.placement(), text);
        }
    }

    #[test]
    fn something_stands_where_a_square_says_so_however_the_board_lies() {
        let contents = "r6?/8/8/1p1P4/8/2N5/8/K7".parse::<Contents>().expect("a placement");
        for lie in [Lie::Straight, Lie::Turned] {
            let full = WireSquare::all().filter(|square| contents.get(*square) != Content::Empty);
            assert_eq!(contents.occupied(lie), full.map(|square| square.on(lie)).collect::<Bitboard>());
        }
    }

    #[test]
    fn what_is_no_placement_says_so() {
        for text in
            ["", "8/8/8/8/8/8/8", "8/8/8/8/8/8/8/9", "8/8/8/8/8/8/8/7x", "8/8/8/8/8/8/8/8/8", "44444444444444448"]
        {
            assert!(text.parse::<Contents>().is_err(), "{text} was taken");
        }
    }
}
