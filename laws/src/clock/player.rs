//! One player's time in the course of a game.

use super::{Control, Extra, NextPeriod};

/// What a player has left, and how many moves have been completed.
///
/// ```
/// use laws::clock::{Control, PlayerClock};
///
/// let mut clock = PlayerClock::new("90+30".parse::<Control>()?);
/// assert_eq!(clock.remaining_ms(), 90 * 60_000 + 30_000);
/// assert_eq!(clock.complete(40_000), None);
/// assert_eq!(clock.remaining_ms(), 90 * 60_000 + 20_000);
/// # Ok::<(), laws::clock::BadControl>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerClock {
    control: Control,
    period: usize,
    remaining_ms: u64,
    completed: u32,
    fallen: Option<Flag>,
}

/// A flag that has fallen with moves lacking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flag {
    /// In which period, 0 the first.
    pub period: usize,
    /// The moves completed by then.
    pub completed: u32,
    /// The moves that were needed; `None` where all the rest had to be made.
    pub needed: Option<u32>,
}

/// What the clock shows while its player thinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Showing {
    /// The main time left.
    pub main_ms: u64,
    /// How long it is until the main time runs.
    pub free_ms: u64,
}

impl PlayerClock {
    /// Before the first move.
    pub fn new(control: Control) -> PlayerClock {
        let first = control.period(0);
        let remaining_ms = first.base_ms + before_a_move(first.extra);
        PlayerClock { control, period: 0, remaining_ms, completed: 0, fallen: None }
    }

    /// In the course of a game: so many moves completed, in this period, with so much left.
    ///
    /// ```
    /// use laws::clock::{Control, PlayerClock};
    ///
    /// let control = "40/90+30:30+30".parse::<Control>()?;
    /// let mut clock = PlayerClock::resumed(control.entered(laws::clock::NextPeriod::ByMoves), 0, 39, 60_000);
    /// clock.complete(20_000);
    /// assert_eq!((clock.period(), clock.remaining_ms()), (1, 40_000 + 30 * 60_000 + 30_000));
    /// # Ok::<(), laws::clock::BadControl>(())
    /// ```
    pub fn resumed(control: Control, period: usize, completed: u32, remaining_ms: u64) -> PlayerClock {
        PlayerClock { control, period, remaining_ms, completed, fallen: None }
    }

    /// The time left when the player last pressed.
    pub fn remaining_ms(&self) -> u64 {
        self.remaining_ms
    }

    /// How many moves have been completed.
    pub fn completed(&self) -> u32 {
        self.completed
    }

    /// Which period it is, 0 the first.
    pub fn period(&self) -> usize {
        self.period
    }

    /// The flag, once it has fallen.
    pub fn fallen(&self) -> Option<Flag> {
        self.fallen
    }

    /// What the clock shows after so much thinking about the present move.
    pub fn showing(&self, thinking_ms: u64) -> Showing {
        let mut later = self.clone();
        let free_ms = match self.control.period(self.period).extra {
            Extra::Delay(free) => free.saturating_sub(thinking_ms),
            Extra::None | Extra::Fischer(_) | Extra::Bronstein(_) => 0,
        };
        later.spend(thinking_ms);
        Showing { main_ms: later.remaining_ms, free_ms }
    }

    /// A move is completed that took so long. The flag, if it fell before.
    pub fn complete(&mut self, used_ms: u64) -> Option<Flag> {
        self.spend(used_ms);
        let made_in = self.control.period(self.period).extra;
        self.completed += 1;
        if self.fallen.is_some() {
            // Nothing is added once a control has been exceeded.
            return self.fallen;
        }
        if self.control.next_period() == NextPeriod::ByMoves
            && self.control.needed(self.period).is_some_and(|needed| self.completed >= needed)
        {
            self.enter_next_period();
        }
        self.remaining_ms += match made_in {
            Extra::Bronstein(most) => used_ms.min(most),
            Extra::None | Extra::Fischer(_) | Extra::Delay(_) => before_a_move(self.control.period(self.period).extra),
        };
        None
    }

    /// Time given by the arbiter.
    pub fn give(&mut self, ms: u64) {
        self.remaining_ms += ms;
    }

    /// Time taken away by the arbiter. It may be more than there is: then the flag has fallen.
    pub fn charge(&mut self, ms: u64) -> Option<Flag> {
        self.run_down(ms);
        self.fallen
    }

    /// Sets the time, whatever it was.
    pub fn set_to(&mut self, ms: u64) {
        self.remaining_ms = ms;
        self.fallen = None;
    }

    fn spend(&mut self, used_ms: u64) {
        let cost = match self.control.period(self.period).extra {
            Extra::Delay(free) => used_ms.saturating_sub(free),
            Extra::None | Extra::Fischer(_) | Extra::Bronstein(_) => used_ms,
        };
        self.run_down(cost);
    }

    fn run_down(&mut self, ms: u64) {
        let mut left = ms;
        while self.fallen.is_none() {
            // A clock that shows nothing any more has run out.
            if left < self.remaining_ms || left == 0 {
                self.remaining_ms -= left;
                return;
            }
            left -= self.remaining_ms;
            self.remaining_ms = 0;
            let needed = self.control.needed(self.period);
            let made = needed.is_some_and(|needed| self.completed >= needed);
            if self.control.next_period() == NextPeriod::ByTime && made {
                self.enter_next_period();
            } else {
                self.fallen = Some(Flag { period: self.period, completed: self.completed, needed });
            }
        }
    }

    fn enter_next_period(&mut self) {
        self.period += 1;
        self.remaining_ms += self.control.period(self.period).base_ms;
    }
}

fn before_a_move(extra: Extra) -> u64 {
    match extra {
        Extra::Fischer(increment) => increment,
        Extra::None | Extra::Bronstein(_) | Extra::Delay(_) => 0,
    }
}
