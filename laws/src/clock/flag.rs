//! What a fallen flag means. The daemon of a hall proposes it; the arbiter rules.

use shakmaty::{Board, Color};

use crate::{ByEdition, Edition};

/// What follows for a player whose flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnTime {
    /// All the moves of the period were completed before: nothing is lost.
    InTime,
    /// The game is lost.
    Lost,
    /// A draw, because the opponent could not have won.
    Drawn,
    /// Lost or drawn: whether the opponent can mate is not known.
    Open,
}

/// What has to be true of the opponent for a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Excuse {
    /// Has the king only.
    BareKing,
    /// Cannot mate by any series of legal moves.
    CannotMate,
}

const EXCUSE: ByEdition<Excuse> =
    ByEdition([Excuse::BareKing, Excuse::CannotMate, Excuse::CannotMate, Excuse::CannotMate, Excuse::CannotMate]);

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
/// use laws::{Edition, clock::{OnTime, out_of_time}};
/// use shakmaty::{Color, fen::Fen};
///
/// let knight = "8/8/8/4k3/8/8/4K3/6n1 w - - 0 90".parse::<Fen>()?.into_setup().board;
/// let white = |edition| out_of_time(edition, &knight, Color::White, 89, None, Some(false));
/// assert_eq!(white(Edition::E2023), OnTime::Drawn);
/// assert_eq!(white(Edition::E1993), OnTime::Lost, "the king is not bare");
/// assert_eq!(out_of_time(Edition::E2023, &knight, Color::White, 40, Some(40), None), OnTime::InTime);
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    let opponent_has_bare_king = board.by_color(!player).count() == 1;
    match (EXCUSE[edition], opponent_can_mate) {
        (Excuse::BareKing | Excuse::CannotMate, _) if opponent_has_bare_king => OnTime::Drawn,
        (Excuse::BareKing, _) | (Excuse::CannotMate, Some(true)) => OnTime::Lost,
        (Excuse::CannotMate, Some(false)) => OnTime::Drawn,
        (Excuse::CannotMate, None) => OnTime::Open,
    }
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
