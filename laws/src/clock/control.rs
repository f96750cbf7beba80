//! What was agreed before the game.

use std::{fmt, num::NonZeroU32, str::FromStr};

use crate::{Edition, TimeClass};

/// A time control: its periods, one after the other.
///
/// In words as events announce it, minutes and seconds: `90+30` is ninety minutes with half a minute a move;
/// `40/90+30:30+30` has thirty minutes more after forty moves; `5` has nothing added. `5b3` gives time back as Bronstein
/// did, `5d3` waits three seconds with each move.
///
/// ```
/// use laws::{Edition, TimeClass, clock::Control};
///
/// let control: Control = "40/90+30:30+30".parse()?;
/// assert_eq!(control.period(0).base_ms, 90 * 60_000);
/// assert_eq!(control.needed(0), Some(40));
/// assert_eq!(control.needed(1), None);
/// assert_eq!(control.class(Edition::E2023), TimeClass::Standard);
/// assert_eq!("3+2".parse::<Control>()?.class(Edition::E2023), TimeClass::Blitz);
/// # Ok::<(), laws::clock::BadControl>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control {
    first: Period,
    more: Vec<Period>,
    next: NextPeriod,
}

/// One period. If the last one names a number of moves, it repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The moves to be made in it; `None` is all the rest.
    pub moves: Option<NonZeroU32>,
    /// The time for them.
    pub base_ms: u64,
    /// What is added.
    pub extra: Extra,
}

/// What a player gets beside the main time, in milliseconds a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Extra {
    /// Nothing.
    #[default]
    None,
    /// An increment: added before the first move and after each completed one.
    Fischer(u64),
    /// What the move took, and this much at most, is given back after it.
    Bronstein(u64),
    /// The main time begins to run so much later.
    Delay(u64),
}

/// When the time of the next period is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NextPeriod {
    /// With the last move of the period.
    #[default]
    ByMoves,
    /// When the time of the period has run out; the count of presses is left alone. If moves are lacking then, the game
    /// is lost, though the clock goes on.
    ByTime,
}

/// Text that is no time control.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadControl(String);

impl Control {
    /// A control of these periods; the first one apart, because there must be one.
    pub fn new(first: Period, more: Vec<Period>, next: NextPeriod) -> Control {
        Control { first, more, next }
    }

    /// A single period for the whole game.
    pub fn simple(base_ms: u64, extra: Extra) -> Control {
        Control::new(Period { moves: None, base_ms, extra }, Vec::new(), NextPeriod::default())
    }

    /// The same periods, entered otherwise.
    #[must_use]
    pub fn entered(self, next: NextPeriod) -> Control {
        Control { next, ..self }
    }

    /// How periods are entered.
    pub fn next_period(&self) -> NextPeriod {
        self.next
    }

    /// A period, 0 the first.
    pub fn period(&self, index: usize) -> Period {
        let later = index.checked_sub(1).and_then(|later| self.more.get(later).or(self.more.last()));
        *later.unwrap_or(&self.first)
    }

    /// How many moves must have been made at the end of a period; `None` in the last one, in which all the rest are.
    pub fn needed(&self, index: usize) -> Option<u32> {
        (0..=index).try_fold(0, |sum, earlier| Some(sum + self.period(earlier).moves?.get()))
    }

    /// Whether all the remaining moves are made in a period.
    pub fn is_last(&self, index: usize) -> bool {
        self.period(index).moves.is_none()
    }

    /// Standard, rapid or blitz: all the main time, and what is added in sixty moves.
    pub fn class(&self, edition: Edition) -> TimeClass {
        let base: u64 = [self.first].iter().chain(&self.more).map(|period| period.base_ms).sum();
        let mut added = 0;
        let mut index = 0;
        for completed in 0..TimeClass::MOVES {
            if self.needed(index).is_some_and(|needed| u64::from(needed) <= completed) {
                index += 1;
            }
            added += self.period(index).extra.ms();
        }
        TimeClass::of_total_ms(edition, base + added)
    }
}

impl Extra {
    /// How much it is a move, whatever its kind.
    pub fn ms(self) -> u64 {
        match self {
            Extra::None => 0,
            Extra::Fischer(ms) | Extra::Bronstein(ms) | Extra::Delay(ms) => ms,
        }
    }
}

impl FromStr for Control {
    type Err = BadControl;

    fn from_str(text: &str) -> Result<Control, BadControl> {
        let bad = || BadControl(text.to_owned());
        let mut periods = text.split(':').map(|period| Period::read(period.trim())).collect::<Option<Vec<_>>>();
        let (first, more) = match periods.as_deref_mut() {
            Some([first, more @ ..]) => (*first, more.to_vec()),
            Some([]) | None => return Err(bad()),
        };
        // Only the last period may hold all the rest.
        let ends_early = !more.is_empty()
            && (first.moves.is_none() || more[..more.len() - 1].iter().any(|period| period.moves.is_none()));
        if ends_early { Err(bad()) } else { Ok(Control::new(first, more, NextPeriod::default())) }
    }
}

impl Period {
    fn read(text: &str) -> Option<Period> {
        let (moves, time) = match text.split_once('/') {
            Some((moves, time)) => (Some(moves.trim().parse().ok()?), time),
            None => (None, text),
        };
        let time = time.trim();
        let (base, extra) = match time.find(['+', 'b', 'd']) {
            None => (time, Extra::None),
            Some(at) => {
                let (base, added) = time.split_at(at);
                let ms = thousandths(added[1..].trim())?;
                let extra = match (&added[..1], ms) {
                    (_, 0) => Extra::None,
                    ("b", ms) => Extra::Bronstein(ms),
                    ("d", ms) => Extra::Delay(ms),
                    (_, ms) => Extra::Fischer(ms),
                };
                (base, extra)
            }
        };
        Some(Period { moves, base_ms: 60 * thousandths(base.trim())?, extra })
    }
}

impl fmt::Display for BadControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no time control: write minutes and seconds a move, such as 90+30, with the moves of a period in \
             front and periods parted by a colon, such as 40/90+30:30+30",
            self.0
        )
    }
}

impl std::error::Error for BadControl {}

/// More minutes or seconds than this are a slip of the pen: a correspondence game of two months.
const LONGEST: u64 = 100_000;

/// A number with up to three decimals, in thousandths.
fn thousandths(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    if whole.is_empty() || part.len() > 3 || !digits(whole) || !digits(part) {
        return None;
    }
    let part: u64 = format!("{part:0<3}").parse().ok()?;
    let whole = whole.parse::<u64>().ok().filter(|whole| *whole <= LONGEST)?;
    Some(whole * 1000 + part)
}
