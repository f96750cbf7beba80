//! Draws by agreement: when players may agree, and what an offer is.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | where | 10.6 to 10.9 | 9.1 | 9.1 | 9.1 | 9.1 |
//! | both must have moved | - | - | - | 5.2.3 | 5.2.3 |
//! | an event may forbid it before a move, or always | - | 9.1.a | 9.1.a | 9.1.1 | 9.1.1 |
//! | the right time: after making the move, before pressing | 10.7 | 9.1 | 9.1.b | 9.1.2.1 | 9.1.2.1 |
//! | made at another time it is | valid, the opponent may wait for the move | valid | valid | valid | valid |
//!
//! An offer is unconditional and can't be withdrawn. It ends by being accepted, being refused in words, by the opponent
//! touching a man with intent (1993: moving), or with the game. A claim of repetition or of fifty moves counts as an
//! offer too; and while an event may forbid agreeing, it can't forbid claiming.

use crate::{ByEdition, Edition};

/// What an event says about agreeing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ban {
    /// Nothing.
    #[default]
    None,
    /// Not before so many moves by each player, without the arbiter's consent.
    Before(u32),
    /// Not at all without the arbiter's consent.
    Always,
}

/// Why players may not agree on a draw yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooEarly {
    /// Each player must have made a move (5.2.3).
    NotBothMoved,
    /// The event asks for so many moves by each player.
    Before(u32),
    /// The event forbids it.
    Always,
}

const BOTH_MUST_HAVE_MOVED: ByEdition<bool> = ByEdition([false, false, false, true, true]);

/// What stands in the way of an agreement after so many moves made by White and Black.
///
/// ```
/// use laws::{Edition, draws::agreement::{Ban, TooEarly, hindrance}};
///
/// assert_eq!(hindrance(Edition::E2023, Ban::None, 1, 0), Some(TooEarly::NotBothMoved));
/// assert_eq!(hindrance(Edition::E2014, Ban::None, 0, 0), None);
/// assert_eq!(hindrance(Edition::E2014, Ban::Before(30), 30, 29), Some(TooEarly::Before(30)));
/// assert_eq!(hindrance(Edition::E2014, Ban::Before(30), 30, 30), None);
/// ```
pub fn hindrance(edition: Edition, ban: Ban, white_moves: u32, black_moves: u32) -> Option<TooEarly> {
    let by_each = white_moves.min(black_moves);
    if BOTH_MUST_HAVE_MOVED[edition] && by_each == 0 {
        return Some(TooEarly::NotBothMoved);
    }
    match ban {
        Ban::None => None,
        Ban::Before(moves) => (by_each < moves).then_some(TooEarly::Before(moves)),
        Ban::Always => Some(TooEarly::Always),
    }
}
