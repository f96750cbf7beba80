//! The clock on the wall: a label for people, and sometimes wrong. Nothing is put in order by it.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::journal::day_at;

/// A clock that is put right slowly never moves by so much between two looks; one that is set does.
const JUMP_MS: u64 = 2_000;

/// How the wall's clock went since it was looked at last, beside one that only goes forward. Time is a value.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wall {
    last: Option<(u64, u64)>,
}

/// The wall's clock was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Jump {
    /// What it would show if nobody had.
    from_ms: u64,
    /// What it shows.
    to_ms: u64,
}

impl Wall {
    /// Looks at both clocks.
    pub(super) fn look(&mut self, wall_ms: u64, now: u64) -> Option<Jump> {
        let (wall_before, before) = self.last.replace((wall_ms, now))?;
        let from_ms = wall_before + now.saturating_sub(before);
        (from_ms.abs_diff(wall_ms) >= JUMP_MS).then_some(Jump { from_ms, to_ms: wall_ms })
    }
}

impl Jump {
    /// What is said of it.
    pub(super) fn sentence(self) -> String {
        let way = if self.to_ms > self.from_ms { "on" } else { "back" };
        // The two clocks are not read in the same instant.
        let by = (self.from_ms.abs_diff(self.to_ms) + 500) / 1000;
        format!("this machine's clock was put {way} by {by} s: moves keep their order and clocks their times")
    }

    /// The date that something was given by the clock as it was, and the one it should have: none where that is the same.
    pub(super) fn mended(self) -> Option<(String, String)> {
        let (wrong, right) = (day_at(self.from_ms), day_at(self.to_ms));
        (wrong != right).then_some((wrong, right))
    }
}

/// When something happened, by the wall's clock: the same of the same moment whenever it is asked, until that clock is
/// set. Of two clocks that are read one after the other one is a millisecond further now and then, and a text in which
/// that shows would say that something was written again which it does not tell.
#[derive(Debug, Default)]
pub(super) struct Calendar {
    /// What the wall's clock showed when the core's time began.
    began: AtomicU64,
}

impl Calendar {
    /// The time of day of `t`, as both clocks stand at this moment.
    pub(super) fn at(&self, t: u64, wall_ms: u64, now: u64) -> u64 {
        let begins = wall_ms.saturating_sub(now);
        if self.began.load(Ordering::Relaxed).abs_diff(begins) >= JUMP_MS {
            self.began.store(begins, Ordering::Relaxed);
        }
        self.began.load(Ordering::Relaxed) + t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR_MS: u64 = 365 * 24 * 60 * 60 * 1000;

    #[test]
    fn a_clock_that_is_put_right_slowly_has_not_jumped() {
        let mut wall = Wall::default();
        assert!((0..1_000).all(|second| wall.look(1_000_000 + second * 1_500, second * 1_000).is_none()));
    }

    #[test]
    fn a_clock_that_is_set_has_and_says_by_how_much() {
        let mut wall = Wall::default();
        assert_eq!(wall.look(11 * YEAR_MS, 1_000), None);
        let jump = wall.look(YEAR_MS, 2_000).expect("ten years");
        assert!(jump.sentence().contains("back by 315360001 s"), "{}", jump.sentence());
        assert!(jump.mended().is_some(), "another day");
        assert_eq!(wall.look(YEAR_MS + 1_000, 3_000), None, "said once");
        let hour = wall.look(YEAR_MS - 3_598_003, 3_998).expect("an hour");
        assert!(hour.sentence().contains("back by 3600 s"), "{}", hour.sentence());
    }

    #[test]
    fn a_moment_has_one_time_of_day_until_the_clock_is_set() {
        let calendar = Calendar::default();
        assert_eq!(calendar.at(5_000, 1_000_000, 10_000), 995_000);
        assert_eq!(calendar.at(5_000, 1_000_001, 10_000), 995_000, "they do not tick together");
        assert_eq!(calendar.at(5_000, 2_001_900, 1_010_000), 995_000, "one is put right slowly");
        assert_eq!(calendar.at(5_000, YEAR_MS, 1_010_000), YEAR_MS - 1_005_000);
    }
}
