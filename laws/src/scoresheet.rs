//! Who has to write, who is exempt, and what happens to the sheets after a flag has fallen.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | exempt with less than five minutes | to the control, 11.2 | in the period, 8.4 | 8.4 | 8.4 | 8.4 |
//! | but not with an increment of 30 s and more | not mentioned | yes | yes | yes | yes |
//! | in rapid and blitz | - | nobody writes | same | same | same |
//! | both exempt | the arbiter writes, 11.3 | 8.5.a | 8.5.a | 8.5.1 | 8.5.1 |
//! | sheets can't be completed | next move is the next period's first, 11.9 | same, unless more is evident, 8.6 | same | same | same |
//! | asking for the arbiter's record in rapid and blitz | - | - | - | five times | five times |
//!
//! An electronic scoresheet may replace paper where it is certified (2023, 8.1.1.2). A board with sensors is none.

use std::num::NonZeroU32;

use crate::{ByEdition, Edition, TimeClass};

/// Below this much time a player need not write.
const FIVE_MINUTES_MS: u64 = 5 * 60_000;

/// The increment that leaves time to write. The Laws of 1993 know none; who plays by them with one has the time too.
const ENOUGH_TO_WRITE_MS: u64 = 30_000;

/// Whether one player is exempt from writing. Once exempt, a player stays so to the end of the period, whatever the
/// clock says.
///
/// ```
/// use laws::{TimeClass, scoresheet::Exemption};
///
/// let mut white = Exemption::default();
/// assert!(!white.hear(TimeClass::Standard, 0, 300_000), "five minutes are not less than five minutes");
/// assert!(white.hear(TimeClass::Standard, 0, 299_000), "from here on");
/// assert!(!white.hear(TimeClass::Standard, 0, 298_000), "that is known already");
/// white.next_period();
/// assert!(!white.is_exempt());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exemption {
    exempt: bool,
}

impl Exemption {
    /// What the clock says: what is added a move, and the time left. True if the exemption begins here.
    pub fn hear(&mut self, class: TimeClass, added_ms: u64, remaining_ms: u64) -> bool {
        let begins = !self.exempt && begins(class, added_ms, remaining_ms);
        self.exempt |= begins;
        begins
    }

    /// The period is over, and with it the exemption.
    pub fn next_period(&mut self) {
        self.exempt = false;
    }

    /// Whether the player is exempt.
    pub fn is_exempt(self) -> bool {
        self.exempt
    }
}

/// Whether players write in such a game at all.
pub fn must_write(class: TimeClass) -> bool {
    class == TimeClass::Standard
}

/// Whether so much time left begins an exemption. Where nobody writes, nobody is exempt.
pub fn begins(class: TimeClass, added_ms: u64, remaining_ms: u64) -> bool {
    must_write(class) && added_ms < ENOUGH_TO_WRITE_MS && remaining_ms < FIVE_MINUTES_MS
}

/// What has to be done about the sheets after a flag has fallen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterFlag {
    /// Neither was exempt: there is nothing to complete.
    Nothing,
    /// One was: that player completes the sheet at once and with the clock running, and on move may borrow the
    /// opponent's.
    OneCompletes,
    /// Both were: the arbiter stops the clocks, and both complete with the help of the arbiter's record.
    BothComplete,
}

/// What has to be done, given who was exempt.
pub fn after_flag(white_exempt: bool, black_exempt: bool) -> AfterFlag {
    match (white_exempt, black_exempt) {
        (false, false) => AfterFlag::Nothing,
        (true, false) | (false, true) => AfterFlag::OneCompletes,
        (true, true) => AfterFlag::BothComplete,
    }
}

/// The number of the next move when the sheets can't be completed: the first of the next period, unless more moves are
/// evident.
///
/// ```
/// use laws::scoresheet::next_move;
/// assert_eq!(next_move(37, 40), 41, "three are missing, nobody knows which");
/// assert_eq!(next_move(42, 40), 43, "forty-two were found");
/// ```
pub fn next_move(found: u32, control: u32) -> u32 {
    found.max(control) + 1
}

/// How often a player may ask for the arbiter's record in rapid and blitz under full supervision; `None` where the
/// edition does not say.
const MAY_ASK: ByEdition<Option<NonZeroU32>> = ByEdition([None, None, None, NonZeroU32::new(5), NonZeroU32::new(5)]);

/// Counts a player's requests for the arbiter's record.
///
/// ```
/// use laws::{Edition, scoresheet::Requests};
///
/// let mut requests = Requests::default();
/// assert_eq!(requests.left(Edition::E2023), Some(5));
/// requests.ask();
/// assert_eq!(requests.left(Edition::E2023), Some(4));
/// assert_eq!(requests.left(Edition::E2014), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Requests {
    asked: u32,
}

impl Requests {
    /// One more.
    pub fn ask(&mut self) {
        self.asked += 1;
    }

    /// How many are left; `None` where the edition sets no number.
    pub fn left(self, edition: Edition) -> Option<u32> {
        MAY_ASK[edition].map(|most| most.get().saturating_sub(self.asked))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thirty_seconds_a_move_leave_time_to_write() {
        assert!(begins(TimeClass::Standard, 0, 299_999));
        assert!(begins(TimeClass::Standard, 29_000, 299_999));
        assert!(!begins(TimeClass::Standard, 30_000, 1));
        assert!(!begins(TimeClass::Rapid, 0, 1), "nobody writes");
    }

    #[test]
    fn who_is_exempt_stays_so_when_time_is_added() {
        let mut exemption = Exemption::default();
        exemption.hear(TimeClass::Standard, 10_000, 295_000);
        exemption.hear(TimeClass::Standard, 10_000, 420_000);
        assert!(exemption.is_exempt());
    }

    #[test]
    fn after_a_flag_clocks_stop_only_if_nobody_has_written() {
        assert_eq!(after_flag(true, true), AfterFlag::BothComplete);
        assert_eq!(after_flag(true, false), AfterFlag::OneCompletes);
        assert_eq!(after_flag(false, false), AfterFlag::Nothing);
    }
}
