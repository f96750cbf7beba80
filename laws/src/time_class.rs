//! Standard, rapid or blitz: which class a time control makes a game.
//!
//! What counts is the time a player would have for sixty moves: all the time of the periods, and sixty times what is
//! added for each move.
//!
//! | minutes for 60 moves | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | standard | any | 60 and more | 60 and more | 60 and more | 60 and more |
//! | rapid | - | 15 to less than 60 | more than 10 to less than 60 | same | same |
//! | blitz | - | less than 15 | 10 and less | same | same |
//!
//! The Laws of 1993 as we have them know one kind of game.

use crate::{ByEdition, Edition};

/// How fast a game is, in the words of the Laws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeClass {
    /// An hour and more.
    #[default]
    Standard,
    /// Less than an hour; Appendix A.
    Rapid,
    /// The shortest; Appendix B.
    Blitz,
}

/// The time for sixty moves at which the classes part, in milliseconds.
struct Bounds {
    /// From here on, standard.
    standard: u64,
    /// Up to here, this included, blitz.
    blitz: u64,
}

const MINUTE: u64 = 60_000;

const BOUNDS: ByEdition<Option<Bounds>> = ByEdition([
    None,
    Some(Bounds { standard: 60 * MINUTE, blitz: 15 * MINUTE - 1 }), // 2009: fifteen minutes are rapid.
    Some(Bounds { standard: 60 * MINUTE, blitz: 10 * MINUTE }),
    Some(Bounds { standard: 60 * MINUTE, blitz: 10 * MINUTE }),
    Some(Bounds { standard: 60 * MINUTE, blitz: 10 * MINUTE }),
]);

impl TimeClass {
    /// How many moves a game is taken to have.
    pub const MOVES: u64 = 60;

    /// The class of a game with so much time for all its moves and so much added for each, in seconds. Whether what is
    /// added is an increment or a delay makes no difference.
    ///
    /// ```
    /// use laws::{Edition, TimeClass};
    ///
    /// assert_eq!(TimeClass::of(Edition::E2023, 30 * 60, 30), TimeClass::Standard);
    /// assert_eq!(TimeClass::of(Edition::E2023, 10 * 60, 0), TimeClass::Blitz);
    /// assert_eq!(TimeClass::of(Edition::E2009, 15 * 60, 0), TimeClass::Rapid);
    /// ```
    pub fn of(edition: Edition, base_s: u32, added_s: u32) -> TimeClass {
        TimeClass::of_total_ms(edition, 1000 * (u64::from(base_s) + TimeClass::MOVES * u64::from(added_s)))
    }

    /// The class of a game with so much time for sixty moves, everything included; of a control with several periods
    /// see [`Control::class`](crate::clock::Control::class).
    pub fn of_total_ms(edition: Edition, total_ms: u64) -> TimeClass {
        match &BOUNDS[edition] {
            None => TimeClass::Standard,
            Some(bounds) if total_ms >= bounds.standard => TimeClass::Standard,
            Some(bounds) if total_ms > bounds.blitz => TimeClass::Rapid,
            Some(_) => TimeClass::Blitz,
        }
    }

    /// Its name in settings and cases.
    pub fn name(self) -> &'static str {
        match self {
            TimeClass::Standard => "standard",
            TimeClass::Rapid => "rapid",
            TimeClass::Blitz => "blitz",
        }
    }
}
