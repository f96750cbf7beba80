//! Where games begin: recognising a full start array, whichever way the board lies; and what a board shows that is first
//! heard in the middle of a game.

use std::ops::Range;

use protocol::board::{Content, Contents, Lie};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Rank, Role, Setup, Square,
};

use super::squares::difference;

/// The sockets of the four rows that are empty before the first move, however the board lies.
const MIDDLE_ROWS: Range<usize> = 16..48;

/// A position a game begins with.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// How the board lies under it.
    pub lie: Lie,
    /// The position with all its castling rights.
    pub position: Chess,
    /// Chess960 unless the men stand as in the ordinary game.
    pub mode: CastlingMode,
    /// No start array: whose turn it is and how the board lies is a guess, until the first move is final.
    pub assumed: bool,
    /// On this square nobody is read, and all others stand.
    pub lacks: Option<Square>,
}

impl Opening {
    /// The start array the board shows, if it shows one. Men that can't be named are taken for those of the usual one.
    pub fn of(contents: &Contents, usual: &Opening) -> Option<Opening> {
        // A board that only senses where something stands looks the same either way round.
        let outer = [&contents.0[..MIDDLE_ROWS.start], &contents.0[MIDDLE_ROWS.end..]];
        if outer.into_iter().flatten().all(|content| *content == Content::Occupied) {
            return Some(Opening { lie: Lie::Straight, ..usual.clone() });
        }
        [Lie::Straight, Lie::Turned].into_iter().find_map(|lie| {
            let (position, mode) = start_position(contents.board(lie))?;
            Some(Opening { lie, ..Opening::announced(position, mode) })
        })
    }

    /// With a man in the four middle rows there is none.
    pub(super) fn may_be_at(contents: &Contents) -> bool {
        contents.0[MIDDLE_ROWS].iter().all(|content| *content == Content::Empty)
    }

    /// The ordinary array with two men of a player on each other's squares, or of both, if the board shows that: a game may
    /// be played from it before anybody sees what is wrong. Whether it is one is a guess.
    pub(super) fn swapped(contents: &Contents) -> Option<Opening> {
        [Lie::Straight, Lie::Turned].into_iter().find_map(|lie| Opening::of_exchanged(&contents.board(lie), lie))
    }

    /// The same, if it was played from: these are the squares.
    pub(super) fn exchanging(squares: Bitboard, lie: Lie) -> Option<Opening> {
        let array = Chess::default().board().clone();
        let mut board = array.clone();
        for square in squares {
            board.set_piece_at(square, array.piece_at(exchanged_with(squares, square)?)?);
        }
        Opening::of_exchanged(&board, lie)
    }

    fn of_exchanged(board: &Board, lie: Lie) -> Option<Opening> {
        exchanged(board)?;
        let position = position(board, Color::White, None)?;
        Some(Opening { lie, assumed: true, ..Opening::announced(position, CastlingMode::Standard) })
    }

    /// A start array that lacks the man of one square, which may read nothing.
    pub(super) fn lacking(contents: &Contents, usual: &Opening) -> Option<Opening> {
        const MEN: usize = 32;
        let full = contents.0.iter().filter(|content| **content != Content::Empty).count();
        if full + 1 != MEN {
            return None;
        }
        [Lie::Straight, Lie::Turned].into_iter().find_map(|lie| {
            let lacks = difference(usual.position.board(), &contents.board(lie)).single_square()?;
            Some(Opening { lie, lacks: Some(lacks), ..usual.clone() })
        })
    }

    /// The squares whose men stand on each other's, two of a player.
    pub(super) fn exchanged(&self) -> Option<Bitboard> {
        exchanged(self.position.board())
    }

    /// The ordinary array, on a board that lies like this.
    pub(super) fn usual(lie: Lie) -> Opening {
        Opening { lie, ..Opening::announced(Chess::default(), CastlingMode::Standard) }
    }

    /// An array somebody has named.
    pub(super) fn announced(position: Chess, mode: CastlingMode) -> Opening {
        Opening { lie: Lie::Straight, position, mode, assumed: false, lacks: None }
    }

    /// A game that was on before anybody listened, if the board shows a position of one. With every right to castle that
    /// the men allow; White moves, unless Black is in check. A board lies as the pawns stand: nearer to their own side.
    pub fn in_mid_game(contents: &Contents) -> Option<Opening> {
        let boards = [Lie::Straight, Lie::Turned].map(|lie| (lie, contents.board(lie)));
        let (lie, board) = boards.into_iter().min_by_key(|(_, board)| advance(board))?;
        let position = Color::ALL.into_iter().find_map(|turn| position(&board, turn, None))?;
        Some(Opening { lie, assumed: true, ..Opening::announced(position, CastlingMode::Standard) })
    }

    /// The same with this player to move, if that may be.
    pub fn with_turn(self, turn: Color) -> Opening {
        let position = position(self.position.board(), turn, None).unwrap_or_else(|| self.position.clone());
        Opening { position, ..self }
    }

    /// What the same men may stand for besides: the other player to move, a pawn that has just gone two squares, and all
    /// this on a board that lies the other way round.
    pub(super) fn others(&self) -> Vec<Opening> {
        let mut turned = self.position.board().clone();
        turned.rotate_180();
        let lies = [(self.lie, self.position.board().clone()), (self.lie.turned(), turned)];
        let mut others = Vec::new();
        for (lie, board) in lies {
            for turn in [self.position.turn(), !self.position.turn()] {
                let passed = two_steps(&board, !turn).map(Some);
                let positions = std::iter::once(None).chain(passed).filter_map(|passed| position(&board, turn, passed));
                others.extend(positions.map(|position| Opening { lie, position, ..*self }));
            }
        }
        others.retain(|other| other != self);
        others
    }
}

/// How far the pawns have come in all, the kings only where pawns don't tell.
fn advance(board: &Board) -> (u32, u32) {
    let rows = |role| {
        Color::ALL.map(|color| {
            let men = board.by_piece(Piece { color, role }).into_iter();
            men.map(|square| u32::from(square) / 8).map(|row| color.fold_wb(row, 7 - row)).sum::<u32>()
        })
    };
    (rows(Role::Pawn).iter().sum(), rows(Role::King).iter().sum())
}

/// A position in which `turn` moves, with every right to castle the men allow; `passed` is where a pawn has just passed.
fn position(board: &Board, turn: Color, passed: Option<Square>) -> Option<Chess> {
    let mut setup = Setup::empty();
    setup.board = board.clone();
    setup.turn = turn;
    setup.ep_square = passed;
    for color in Color::ALL {
        let back = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
        let home = color.fold_wb(Square::E1, Square::E8);
        if board.king_of(color) == Some(home) {
            setup.castling_rights |= board.by_piece(Role::Rook.of(color)) & back & Bitboard::CORNERS;
        }
    }
    let full = Color::ALL.into_iter().any(|color| board.by_color(color).count() > 16);
    laws::position::set_up(setup, CastlingMode::Standard)
        .ok()
        .filter(|position| !full && (passed.is_none() || position.ep_square(EnPassantMode::Legal).is_some()))
}

/// The squares a pawn of `color` may have passed with its last move.
fn two_steps(board: &Board, color: Color) -> impl Iterator<Item = Square> {
    let fourth = Bitboard::from(color.fold_wb(Rank::Fourth, Rank::Fifth));
    let pawns = board.by_piece(Role::Pawn.of(color)) & fourth;
    let free = board.occupied();
    pawns.into_iter().filter_map(move |pawn| {
        let back = |by: i32| pawn.offset(color.fold_wb(-by, by));
        let (passed, from) = (back(8)?, back(16)?);
        (!free.contains(passed) && !free.contains(from)).then_some(passed)
    })
}

/// The squares of each player's back rank whose men stand on each other's, if nothing else is wrong with the array. Where
/// both have exchanged the same two, they are the king and the queen: all else is Chess960.
fn exchanged(board: &Board) -> Option<Bitboard> {
    let array = Chess::default().board().clone();
    let squares = difference(&array, board);
    let stands_there =
        |square| exchanged_with(squares, square).is_some_and(|other| board.piece_at(square) == array.piece_at(other));
    let others = squares & !(array.kings() | array.queens());
    let is_another_array = squares == squares.flip_vertical() && others.any();
    (squares.any() && squares.into_iter().all(stands_there) && !is_another_array).then_some(squares)
}

/// The other square of the same rank, if these are two of each.
pub(super) fn exchanged_with(squares: Bitboard, square: Square) -> Option<Square> {
    (squares & Bitboard::from(square.rank()) & !Bitboard::from(square)).single_square()
}

fn start_position(board: Board) -> Option<(Chess, CastlingMode)> {
    let standard = Chess::default();
    if board == *standard.board() {
        return Some((standard, CastlingMode::Standard));
    }
    if !is_chess960(&board) {
        return None;
    }
    let mut setup = Setup::empty();
    setup.castling_rights = board.rooks();
    setup.board = board;
    let position = Chess::from_setup(setup, CastlingMode::Chess960).ok()?;
    Some((position, CastlingMode::Chess960))
}

/// Pawns in their rows, the same men behind them on both sides, bishops on both colours, the king between the rooks.
fn is_chess960(board: &Board) -> bool {
    let white = board.by_color(Color::White);
    let mirrored = Role::ALL.into_iter().all(|role| {
        let men = board.by_role(role);
        (men & white).flip_vertical() == men & !white
    });
    let back = Bitboard::from(Rank::First);
    let file = |role| (board.by_role(role) & back).into_iter().map(|square| square.file()).collect::<Vec<_>>();
    let (kings, rooks, bishops) = (file(Role::King), file(Role::Rook), board.bishops() & back);
    mirrored
        && board.pawns() & white == Bitboard::from(Rank::Second)
        && white == back | Bitboard::from(Rank::Second)
        && file(Role::Knight).len() == 2
        && file(Role::Queen).len() == 1
        && bishops.count() == 2
        && (bishops & Bitboard::DARK_SQUARES).count() == 1
        && matches!((&kings[..], &rooks[..]), ([king], [left, right]) if left < king && king < right)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(placement: &str) -> Option<Opening> {
        Opening::of(&placement.parse().expect("a placement"), &Opening::usual(Lie::Straight))
    }

    #[test]
    fn the_initial_position_is_known_either_way_round() {
        let straight = opening("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR").expect("a start array");
        let turned = opening("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr").expect("a start array");
        assert_eq!((straight.lie, straight.mode), (Lie::Straight, CastlingMode::Standard));
        assert_eq!((turned.lie, turned.mode), (Lie::Turned, CastlingMode::Standard));
        assert_eq!(straight.position, turned.position);
    }

    #[test]
    fn a_chess960_array_keeps_its_castling_rights() {
        let start = opening("bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR").expect("a start array");
        assert_eq!(start.mode, CastlingMode::Chess960);
        assert_eq!(start.position.castles().castling_rights().count(), 4);
    }

    #[test]
    fn nearly_a_start_array_is_none() {
        for placement in [
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR",
            "rnbqkbnr/pppppppp/8/8/8/4P3/PPPPPPPP/RNBQKBNR",
            "rbnqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RBNQKBNR",
            "8/8/8/8/8/8/8/8",
        ] {
            assert_eq!(opening(placement), None, "{placement}");
        }
    }
}
