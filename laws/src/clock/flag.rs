//! What a fallen flag means. The daemon of a hall proposes it; the arbiter rules.

use shakmaty::{Board, Color};

use crate::{
    ByEdition, Edition,
    loss::{Cause, Loss},
};

/// What follows for a player whose flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTime {
    /// All the moves of the period were completed before: nothing is lost.
    InTime,
    /// The time was overstepped.
    Overstepped(Loss),
}

/// What both flags down mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BothFlags {
    /// This player's fell first, so there is nothing to decide about the other's.
    First(Color),
    /// The game goes on.
    GoesOn,
    /// The game is drawn.
    Drawn,
    /// This edition does not say.
    NotRegulated,
}

/// One edition's rule where nobody knows which flag fell first.
struct Both {
    last_period: BothFlags,
    with_increment: BothFlags,
}

const BOTH: ByEdition<Both> = ByEdition([
    Both { last_period: BothFlags::GoesOn, with_increment: BothFlags::GoesOn }, // 1993, 12.8
    Both { last_period: BothFlags::Drawn, with_increment: BothFlags::Drawn },   // 2009, 6.11
    Both { last_period: BothFlags::Drawn, with_increment: BothFlags::Drawn },   // 2014, 6.11
    // From 2018 the rule stands in the Guidelines for games without increment.
    Both { last_period: BothFlags::Drawn, with_increment: BothFlags::NotRegulated },
    Both { last_period: BothFlags::Drawn, with_increment: BothFlags::NotRegulated },
]);

/// What follows for `player`, whose flag has fallen: so many moves completed of those needed (`None`: all the rest had
/// to be made). `opponent_can_mate` is `None` where it has not been proven either way.
///
/// ```
/// use laws::{Edition, clock::{OnTime, out_of_time}, loss::Loss};
/// use shakmaty::{Board, Color};
///
/// let white = |completed, needed| {
///     out_of_time(Edition::E2023, &Board::new(), Color::White, completed, needed, Some(true))
/// };
/// assert_eq!(white(40, Some(40)), OnTime::InTime);
/// assert_eq!(white(39, Some(40)), OnTime::Overstepped(Loss::Lost));
/// assert_eq!(white(89, None), OnTime::Overstepped(Loss::Lost));
/// ```
pub fn out_of_time(
    edition: Edition,
    board: &Board,
    player: Color,
    completed: u32,
    needed: Option<u32>,
    opponent_can_mate: Option<bool>,
) -> OnTime {
    if needed.is_some_and(|needed| completed >= needed) {
        return OnTime::InTime;
    }
    OnTime::Overstepped(Cause::Time.outcome(edition, board, player, opponent_can_mate))
}

/// What both flags down mean. Electronic clocks know which fell first; then the others of these questions don't arise.
///
/// ```
/// use laws::{Edition, clock::{BothFlags, both_flags}};
/// assert_eq!(both_flags(Edition::E2014, None, true, false), BothFlags::Drawn);
/// assert_eq!(both_flags(Edition::E1993, None, true, false), BothFlags::GoesOn);
/// assert_eq!(both_flags(Edition::E2023, None, false, false), BothFlags::GoesOn);
/// ```
pub fn both_flags(edition: Edition, first: Option<Color>, is_last_period: bool, has_increment: bool) -> BothFlags {
    let rule = &BOTH[edition];
    match (first, is_last_period, has_increment) {
        (Some(first), _, _) => BothFlags::First(first),
        (None, true, false) => rule.last_period,
        (None, true, true) => rule.with_increment,
        (None, false, _) => BothFlags::GoesOn,
    }
}
