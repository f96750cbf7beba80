//! When a receiver that did not take something is asked again.
//!
//! Pure: time is a number of milliseconds.

/// After the first failure.
const FIRST_MS: u64 = 1000;
/// After many. A receiver that is back is found within a minute.
const LAST_MS: u64 = 60_000;

/// Waits longer after each failure, and not at all after a success.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Patience {
    failures: u32,
    until: u64,
}

impl Patience {
    pub(super) fn succeed(&mut self) {
        *self = Patience::default();
    }

    /// It did not work, and the receiver wants so much time at least.
    pub(super) fn fail(&mut self, now: u64, at_least_ms: u64) {
        let doubled = FIRST_MS.saturating_mul(1 << self.failures.min(10));
        self.failures += 1;
        self.until = now.saturating_add(doubled.min(LAST_MS).max(at_least_ms));
    }

    /// Somebody asks for a try at once.
    pub(super) fn forget(&mut self) {
        self.until = 0;
    }

    /// Until when nothing is tried.
    pub(super) fn until(&self) -> u64 {
        self.until
    }

    pub(super) fn failures(&self) -> u32 {
        self.failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_longer_each_time_and_no_longer_than_a_minute() {
        let mut patience = Patience::default();
        let mut waits = Vec::new();
        for _ in 0..8 {
            patience.fail(0, 0);
            waits.push(patience.until());
        }
        assert_eq!(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
        patience.fail(5, 90_000);
        assert_eq!(patience.until(), 90_005, "who asks for more time gets it");
        patience.succeed();
        assert_eq!((patience.until(), patience.failures()), (0, 0));
    }
}
