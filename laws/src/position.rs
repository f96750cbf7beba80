//! Positions that can be played on from, whether or not a game leads there.
//!
//! An arbiter may set up what no game leads to: two bishops on squares of one colour beside eight pawns, or a check that
//! no move can have given. Such positions still have moves, mates and draws. What has none is refused: a king is missing,
//! or the player who has just moved stands in check.

use std::fmt;

use shakmaty::{CastlingMode, Chess, FromSetup, PositionError, Setup, fen::Fen};

/// Text that is no position to play from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoPosition(String);

/// Reads a FEN.
///
/// ```
/// use laws::position::read;
/// use shakmaty::CastlingMode::Standard;
///
/// assert!(read("4k3/8/8/8/8/2B1B3/PPPPPPPP/2B1K3 w - - 0 1", Standard).is_ok());
/// assert!(read("4k3/8/8/8/8/8/8/8 w - - 0 1", Standard).is_err());
/// ```
pub fn read(fen: &str, mode: CastlingMode) -> Result<Chess, NoPosition> {
    let setup = fen.parse::<Fen>().map_err(|error| NoPosition(error.to_string()))?.into_setup();
    set_up(setup, mode)
}

/// The position as it is set up.
pub fn set_up(setup: Setup, mode: CastlingMode) -> Result<Chess, NoPosition> {
    Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| NoPosition(error.to_string()))
}

impl fmt::Display for NoPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoPosition {}
