//! What makes two positions the same.

use shakmaty::{Bitboard, Board, Chess, Color, EnPassantMode, Position, Setup, Square};

/// All that has to be the same for a position to have occurred again: placement, the player having the move, the rights
/// to castle, and a capture en passant that could be played.
///
/// A right to castle counts while neither that king nor that rook has moved, whether castling is possible at the moment
/// or not. The square behind a pawn that has just gone two squares counts only if a pawn can legally take there: one
/// that is pinned can't, and where no pawn stands beside, nothing could be taken.
///
/// ```
/// use laws::draws::Identity;
/// use shakmaty::{CastlingMode, Chess, fen::Fen};
///
/// let read = |fen: &str| -> Result<Chess, Box<dyn std::error::Error>> {
///     Ok(fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?)
/// };
/// let no_pawn_beside = read("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1")?;
/// let long_ago = read("4k3/8/8/8/4P3/8/8/4K3 b - - 7 9")?;
/// assert_eq!(Identity::of(&no_pawn_beside), Identity::of(&long_ago));
///
/// let could_take = read("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1")?;
/// let too_late = read("4k3/8/8/8/3pP3/8/8/4K3 b - - 2 2")?;
/// assert_ne!(Identity::of(&could_take), Identity::of(&too_late));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    board: Board,
    turn: Color,
    /// The rooks that may still castle, so that it is right for Chess960 too.
    castling: Bitboard,
    en_passant: Option<Square>,
}

impl Identity {
    /// What identifies this position.
    pub fn of(position: &Chess) -> Identity {
        Identity {
            board: position.board().clone(),
            turn: position.turn(),
            castling: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::Legal),
        }
    }

    /// The same for a position that an illegal move left behind and that no legal game has, such as both kings in
    /// check. Nothing is taken en passant there.
    pub fn of_setup(setup: &Setup) -> Identity {
        Identity { board: setup.board.clone(), turn: setup.turn, castling: setup.castling_rights, en_passant: None }
    }

    pub(super) fn turn(&self) -> Color {
        self.turn
    }

    /// The pawns of the player who has just moved.
    pub(super) fn pawns_of_the_mover(&self) -> Bitboard {
        self.board.pawns() & self.board.by_color(!self.turn)
    }

    /// Where that player's pawns stand here, seen from the next position, in which the other one has just moved.
    pub(super) fn pawns_of_the_player_to_move(&self) -> Bitboard {
        self.board.pawns() & self.board.by_color(self.turn)
    }
}
