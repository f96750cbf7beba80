//! Draws by counting that end the game without a claim.

use shakmaty::{Chess, Position};

use super::History;
use crate::{ByEdition, Edition};

/// A draw that takes effect by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnByRule {
    /// The position has occurred five times.
    Fivefold,
    /// Seventy-five moves by each player without a capture or a pawn move.
    SeventyFive,
}

/// Which fifth occurrence ends the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fifth {
    /// None does.
    Never,
    /// With the four before it at consecutive moves of each player.
    Running,
    /// Any.
    Any,
}

const FIFTH: ByEdition<Fifth> =
    //          1993          2009          2014            2018        2023
    ByEdition([Fifth::Never, Fifth::Never, Fifth::Running, Fifth::Any, Fifth::Any]);

/// After how many quiet plies the game is over.
const SEVENTY_FIVE: ByEdition<Option<u32>> =
    //          1993  2009  2014       2018       2023
    ByEdition([None, None, Some(150), Some(150), Some(150)]);

impl DrawnByRule {
    /// The draw by counting that the game ends with at `position`, the last of `history`. Mate takes precedence; so
    /// does every other ending by [`position`](crate::Ending).
    ///
    /// ```
    /// use laws::{Edition, draws::{DrawnByRule, History}};
    /// use shakmaty::{CastlingMode, Chess, fen::Fen};
    ///
    /// let quiet: Chess = "8/8/3k4/8/8/3K4/R7/8 w - - 150 200".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
    /// let history = History::starting_from(&quiet);
    /// assert_eq!(DrawnByRule::of(&history, &quiet, Edition::E2023), Some(DrawnByRule::SeventyFive));
    /// assert_eq!(DrawnByRule::of(&history, &quiet, Edition::E2009), None);
    ///
    /// let mated: Chess = "3k4/3Q4/3K4/8/8/8/8/8 b - - 150 200".parse::<Fen>()?.into_position(CastlingMode::Standard)?;
    /// assert_eq!(DrawnByRule::of(&History::starting_from(&mated), &mated, Edition::E2023), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(history: &History, position: &Chess, edition: Edition) -> Option<DrawnByRule> {
        let fivefold = match FIFTH[edition] {
            Fifth::Never => false,
            Fifth::Running => history.times() >= 5 && history.times_running() >= 5,
            Fifth::Any => history.times() >= 5,
        };
        let seventy_five = SEVENTY_FIVE[edition].is_some_and(|limit| history.quiet_plies() >= limit);
        let drawn = match (fivefold, seventy_five) {
            (true, _) => DrawnByRule::Fivefold,
            (false, true) => DrawnByRule::SeventyFive,
            (false, false) => return None,
        };
        // Asked last: it is the only question that has to look at moves.
        (!position.is_checkmate()).then_some(drawn)
    }
}
