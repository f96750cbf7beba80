//! How much a port may say: a purse of bytes that fills again with time. Time is a value.

/// What a purse holds: more than a board's whole event store (7939 bytes), which newer boards say at once.
const PURSE: u64 = 12 * 1024;

/// A port that was too loud is listened to again when so much has been saved: at the usual limit after three seconds of
/// silence, so that a loose contact does not ring the operator's bell each second.
const SAVED: u64 = 6 * 1024;

/// What a port may say in a second if nobody says otherwise: twice what a board's line carries.
pub const PORT_BYTES: u32 = 2_000;

/// As good as none: no port of a board is faster.
pub(super) const NO_LIMIT: u32 = u32::MAX;

/// Whether a port keeps within its limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    left: u64,
    at: u64,
    is_loud: bool,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum News {
    /// It says more than it may.
    TooLoud,
    /// It keeps within its limit again.
    Quiet,
}

impl Budget {
    /// A port that has said nothing yet.
    pub(crate) fn full(now: u64) -> Budget {
        Budget { left: PURSE, at: now, is_loud: false }
    }

    /// So many bytes were said, at a limit in bytes a second.
    pub(crate) fn spend(&mut self, bytes: usize, limit: u32, now: u64) -> Option<News> {
        let (bytes, earned) = (bytes as u64, now.saturating_sub(self.at).saturating_mul(u64::from(limit)) / 1000);
        if earned > 0 {
            // What is less than a byte is earned next time.
            self.at = now;
        }
        let had = self.left.saturating_add(earned).min(PURSE);
        self.left = had.saturating_sub(bytes);
        let (was_loud, is_spent) = (self.is_loud, bytes > had);
        self.is_loud = if was_loud { self.left < SAVED } else { is_spent };
        match (was_loud, self.is_loud) {
            (false, true) => Some(News::TooLoud),
            (true, false) => Some(News::Quiet),
            (false, false) | (true, true) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: u32 = 2_000;

    /// Says so many bytes every 10 ms for so long; gives when something changed.
    fn says(budget: &mut Budget, bytes: usize, from: u64, ms: u64) -> Vec<(u64, News)> {
        let times = (from..from + ms).step_by(10);
        times.filter_map(|now| Some((now, budget.spend(bytes, LIMIT, now)?))).collect()
    }

    #[test]
    fn a_board_at_the_full_speed_of_its_line_is_never_too_loud() {
        assert_eq!(says(&mut Budget::full(0), 10, 0, 3_600_000), []);
    }

    #[test]
    fn a_whole_event_store_at_once_is_no_flood() {
        let mut budget = Budget::full(0);
        assert_eq!(budget.spend(7_939 + 67 + 32, LIMIT, 0), None);
    }

    #[test]
    fn a_flood_is_named_within_five_seconds_and_forgotten_once_it_is_over() {
        for each in [50, 100, 10_000] {
            let mut budget = Budget::full(0);
            let heard = says(&mut budget, each, 0, 60_000);
            assert_eq!(heard.len(), 1, "once: {heard:?}");
            assert!(heard[0].1 == News::TooLoud && heard[0].0 <= 5_000, "{heard:?}");
            let after = says(&mut budget, 0, 60_000, 10_000);
            assert_eq!(after.len(), 1, "{after:?}");
            assert!(after[0].1 == News::Quiet && after[0].0 >= 63_000, "{after:?}");
        }
    }

    #[test]
    fn where_nothing_is_limited_nothing_is_too_loud() {
        let mut budget = Budget::full(0);
        assert!((1..10_000).all(|now| budget.spend(1_024, NO_LIMIT, now).is_none()));
    }
}
