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

/// The time for sixty moves at which the classes part, in seconds.
struct Bounds {
    /// From here on, standard.
    standard: u64,
    /// Up to here, this included, blitz.
    blitz: u64,
}

const HOUR: u64 = 3600;

const BOUNDS: ByEdition<Option<Bounds>> = ByEdition([
    None,
    Some(Bounds { standard: HOUR, blitz: 15 * 60 - 1 }), // 2009: fifteen minutes are rapid.
    Some(Bounds { standard: HOUR, blitz: 10 * 60 }),
    Some(Bounds { standard: HOUR, blitz: 10 * 60 }),
    Some(Bounds { standard: HOUR, blitz: 10 * 60 }),
]);

/// How many moves a game is taken to have.
const MOVES: u64 = 60;

impl TimeClass {
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
        let time = u64::from(base_s) + MOVES * u64::from(added_s);
        match &BOUNDS[edition] {
            None => TimeClass::Standard,
            Some(bounds) if time >= bounds.standard => TimeClass::Standard,
            Some(bounds) if time > bounds.blitz => TimeClass::Rapid,
            Some(_) => TimeClass::Blitz,
        }
    }
}
