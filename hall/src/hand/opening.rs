//! Where games begin: recognising a full start array, whichever way the board lies.

use protocol::board::{Contents, Lie};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, FromSetup, Position, Rank, Role, Setup};

/// A start array on a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// How the board lies under it.
    pub lie: Lie,
    /// The position with all its castling rights.
    pub position: Chess,
    /// Chess960 unless the men stand as in the ordinary game.
    pub mode: CastlingMode,
}

impl Opening {
    /// The start array the board shows, if it shows one.
    pub fn of(contents: &Contents) -> Option<Opening> {
        [Lie::Straight, Lie::Turned].into_iter().find_map(|lie| {
            let (position, mode) = start_position(contents.board(lie))?;
            Some(Opening { lie, position, mode })
        })
    }
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
        Opening::of(&placement.parse().expect("a placement"))
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
