//! Endings by rule: the positions in which a game is over without anybody saying so.

use shakmaty::{Chess, Color, Position};

/// How a position ends the game at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Mate, given by this colour.
    Checkmate(Color),
    /// No legal move and no check.
    Stalemate,
    /// Neither side has the material to mate by any sequence of legal moves.
    DeadPosition,
}

impl Ending {
    /// The ending this position is, if it is one.
    ///
    /// ```
    /// use laws::Ending;
    /// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
    ///
    /// let mated: Chess = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
    /// assert_eq!(Ending::of(&mated), Some(Ending::Checkmate(Color::White)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(position: &Chess) -> Option<Ending> {
        if position.is_checkmate() {
            Some(Ending::Checkmate(!position.turn()))
        } else if position.is_stalemate() {
            Some(Ending::Stalemate)
        } else if position.is_insufficient_material() {
            Some(Ending::DeadPosition)
        } else {
            None
        }
    }
}
