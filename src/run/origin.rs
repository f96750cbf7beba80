//! How long the daemon was stopped, by a clock that nobody sets: the kernel's own goes on until the machine is booted anew.
//!
//! By the wall's clock a stop may seem as long as you like: were it set on by an hour meanwhile, spectators would be shown at
//! once what they may not know for a quarter of an hour yet.

use std::path::Path;

use hall::Scope;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::{
    journal::{Past, Tail, wall_ms},
    sensors::Monotonic,
};

/// In the state folder, of this machine only.
const FILE: &str = "origin";

/// Where core time has its zero on the kernel's clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Origin {
    /// Which boot of the machine that clock counts from.
    boot: String,
    /// The id of the hall's file: another journal has a core time of its own.
    journal: String,
    zero_ms: i64,
}

/// What core time was when `clock` began. It goes on from the last input plus the time since, which is the quiet before the
/// stop as well as the stop.
pub(super) fn epoch(state: &Path, past: &Past, clock: Monotonic) -> u64 {
    let began = boot().map(|boot| (boot, kernel_ms() - signed(clock.now())));
    let journal = past.chapters[&Scope::Hall].id();
    let path = state.join(FILE);
    let kept = std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice::<Origin>(&bytes).ok());
    let is_ours = |kept: &Origin| kept.journal == journal && began.as_ref().is_some_and(|(boot, _)| *boot == kept.boot);
    let zero_ms = kept.filter(is_ours).map(|kept| kept.zero_ms);
    let since_zero = zero_ms.zip(began.as_ref()).map(|(zero, (_, began))| began - zero);
    let epoch = goes_on(past.last_moment(), since_zero, wall_ms());
    if let Some((boot, began)) = began {
        let origin = Origin { boot, journal: journal.to_owned(), zero_ms: began - signed(epoch) };
        let written = serde_json::to_vec(&origin).map_err(Into::into).and_then(|bytes| std::fs::write(&path, bytes));
        if let Err(error) = written {
            tracing::warn!(%error, path = %path.display(), "how long a stop was will be told by the wall's clock");
        }
    }
    epoch
}

/// By the kernel's clock where it has gone on, and by the wall's where it has not: no other survives a boot.
pub(super) fn goes_on(last: Option<Tail>, since_zero: Option<i64>, wall_ms: u64) -> u64 {
    last.map_or(0, |last| match since_zero {
        Some(since) => u64::try_from(since).unwrap_or(0).max(last.t),
        None => last.t + wall_ms.saturating_sub(last.wall_ms),
    })
}

/// What tells this boot of the machine from all others; the unit says it, where the kernel's files are closed.
fn boot() -> Option<String> {
    let told = std::env::var("ESCAQUE_BOOT").ok();
    let boot = told.or_else(|| std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok())?;
    let letters = boot.trim().replace('-', "");
    (!letters.is_empty()).then_some(letters)
}

/// It goes on while the machine sleeps, too.
fn kernel_ms() -> i64 {
    let time = clock_gettime(ClockId::Boottime);
    time.tv_sec * 1000 + time.tv_nsec / 1_000_000
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Journal;

    const HOUR: u64 = 3_600_000;

    #[test]
    fn a_wall_clock_that_was_set_in_a_stop_makes_it_no_longer_within_one_boot() {
        let last = Some(Tail { t: 60_000, wall_ms: 10 * HOUR });
        assert_eq!(goes_on(last, Some(62_000), 11 * HOUR), 62_000, "set on");
        assert_eq!(goes_on(last, Some(62_000), 9 * HOUR), 62_000, "set back");
        assert_eq!(goes_on(last, None, 10 * HOUR + 5_000), 65_000, "booted anew: the wall's clock is all there is");
        assert_eq!(goes_on(last, Some(-5), 10 * HOUR), 60_000, "never behind what was stamped");
        assert_eq!(goes_on(None, Some(HOUR as i64), 10 * HOUR), 0, "a journal that begins");
    }

    #[test]
    fn core_time_goes_on_from_start_to_start_of_one_journal_and_begins_with_another() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let (_journal, past) = Journal::open(state.path(), "test").expect("the folder is writable");
        let kept = || serde_json::from_slice::<Origin>(&std::fs::read(state.path().join(FILE)).expect("it is kept"));
        assert_eq!(epoch(state.path(), &past, Monotonic::start()), 0);
        let first = kept().expect("JSON");
        assert!((kernel_ms() - first.zero_ms) < 60_000, "its zero is now");
        let elsewhere = Origin { journal: "another".to_owned(), zero_ms: 0, ..first.clone() };
        std::fs::write(state.path().join(FILE), serde_json::to_vec(&elsewhere).expect("JSON")).expect("writable");
        epoch(state.path(), &past, Monotonic::start());
        assert_eq!(kept().expect("JSON").journal, first.journal);
    }
}
