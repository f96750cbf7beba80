//! Games that began wrong: men on wrong squares, a board that lies wrong, players at the wrong colours.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | wrong initial position | new game, 8.5 | 7.1.a | 7.2.a | 7.2.1 | 7.2.1 |
//! | board turned by a quarter | goes on, on a right one, 8.7 | 7.1.b | 7.2.b | 7.2.2 | 7.2.2 |
//! | rapid and blitz, limited supervision: too late for both after moves by each | - | 3 | 10 | 10 | 10 |
//! | colours reversed | new game at the arbiter's choice in the first quarter of the time to the control, 8.6 | goes on, unless the arbiter rules otherwise, 7.2 | same, 7.3 | new game before ten moves by each, 7.3 | same, 7.3 |
//!
//! Too late means that nobody can claim any more and the game goes on as it is: a king that stood wrong can't castle
//! then, nor can a rook that did.

use crate::{ByEdition, Conditions, Edition, Supervision};

/// What an arbiter may propose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remedy {
    /// The game is annulled and a new one played, as it should have begun.
    NewGame,
    /// The game goes on.
    GoesOn,
    /// The game goes on unless the arbiter rules otherwise.
    GoesOnUnlessRuled,
    /// A new game, if the arbiter chooses so and the schedule allows it.
    NewGameIfRuled,
}

/// After how many moves by each player it is too late to claim under limited supervision.
const TOO_LATE: ByEdition<Option<u32>> = ByEdition([None, Some(3), Some(10), Some(10), Some(10)]);

/// Up to when reversed colours are put right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reversed {
    /// While less than a quarter of both players' time to the first control has gone, if the arbiter chooses so.
    FirstQuarter,
    /// Whenever the arbiter rules so.
    IfRuled,
    /// While not both players have made so many moves.
    Before(u32),
}

const REVERSED: ByEdition<Reversed> = ByEdition([
    Reversed::FirstQuarter,
    Reversed::IfRuled,
    Reversed::IfRuled,
    Reversed::Before(10),
    Reversed::Before(10),
]);

/// What follows from a wrong initial position that is found after so many moves by White and Black.
///
/// ```
/// use laws::{Conditions, Edition, Supervision::Limited, TimeClass::Rapid, wrong_start::{Remedy, initial_position}};
///
/// let rapid = Conditions::new(Edition::E2023, Rapid, Limited);
/// assert_eq!(initial_position(rapid, [10, 9]), Remedy::NewGame);
/// assert_eq!(initial_position(rapid, [10, 10]), Remedy::GoesOn);
/// assert_eq!(initial_position(Conditions::standard(Edition::E2023), [30, 30]), Remedy::NewGame);
/// ```
pub fn initial_position(conditions: Conditions, moves: [u32; 2]) -> Remedy {
    if can_still_be_claimed(conditions, moves) { Remedy::NewGame } else { Remedy::GoesOn }
}

/// Whether a board that lies wrong, or men that stood wrong, can still be claimed after so many moves by White and Black.
pub fn can_still_be_claimed(conditions: Conditions, moves: [u32; 2]) -> bool {
    let limit = TOO_LATE[conditions.edition()].filter(|_| conditions.supervision() == Supervision::Limited);
    limit.is_none_or(|limit| by_each(moves) < limit)
}

/// What follows from reversed colours that are found after so many moves by White and Black. `in_first_quarter` says
/// whether less than a quarter of both players' time to the first control has gone, which mattered in 1993.
///
/// ```
/// use laws::{Edition, wrong_start::{Remedy, colours_reversed}};
///
/// assert_eq!(colours_reversed(Edition::E2023, [10, 9], true), Remedy::NewGame);
/// assert_eq!(colours_reversed(Edition::E2023, [10, 10], true), Remedy::GoesOn);
/// assert_eq!(colours_reversed(Edition::E2014, [1, 1], true), Remedy::GoesOnUnlessRuled);
/// assert_eq!(colours_reversed(Edition::E1993, [1, 1], true), Remedy::NewGameIfRuled);
/// assert_eq!(colours_reversed(Edition::E1993, [1, 1], false), Remedy::GoesOn);
/// ```
pub fn colours_reversed(edition: Edition, moves: [u32; 2], in_first_quarter: bool) -> Remedy {
    match REVERSED[edition] {
        Reversed::FirstQuarter if in_first_quarter => Remedy::NewGameIfRuled,
        Reversed::Before(limit) if by_each(moves) < limit => Remedy::NewGame,
        Reversed::FirstQuarter | Reversed::Before(_) => Remedy::GoesOn,
        Reversed::IfRuled => Remedy::GoesOnUnlessRuled,
    }
}

fn by_each(moves: [u32; 2]) -> u32 {
    moves[0].min(moves[1])
}
