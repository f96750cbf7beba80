//! Which ports are open, which are to be tried, and when again: the decisions of the watch, without its I/O.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The first wait after a port was lost. A plug that is pushed in again bounces for about this long.
const FIRST_WAIT_MS: u64 = 250;

/// The longest wait, so that a board freed by another program is back within two seconds.
const LONGEST_WAIT_MS: u64 = 2_000;

/// A port that stays open this long is in order; one that ends sooner is flapping and waits longer each time.
const STEADY_MS: u64 = 10_000;

/// All ports under watch, by their real path.
#[derive(Debug, Default)]
pub(super) struct Roster {
    ports: BTreeMap<PathBuf, State>,
    missed: BTreeSet<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open { since: u64, wait: u64 },
    Waiting { until: u64, wait: u64 },
}

impl Roster {
    /// What is there now; gives what is to be opened. A port that was gone in between starts afresh.
    pub(super) fn found<'a>(&mut self, there: impl IntoIterator<Item = &'a Path>, now: u64) -> Vec<PathBuf> {
        let there = there.into_iter().collect::<BTreeSet<_>>();
        self.ports.retain(|path, state| matches!(state, State::Open { .. }) || there.contains(path.as_path()));
        let mut to_open = Vec::new();
        for path in there {
            let due = match self.ports.get(path) {
                None => true,
                Some(State::Open { .. }) => false,
                Some(State::Waiting { until, .. }) => *until <= now,
            };
            if due {
                to_open.push(path.to_owned());
            }
        }
        to_open
    }

    /// The port was opened.
    pub(super) fn opened(&mut self, path: &Path, now: u64) {
        self.ports.insert(path.to_owned(), State::Open { since: now, wait: self.wait(path) });
    }

    /// The port could not be opened: the next try comes later than the last.
    pub(super) fn refused(&mut self, path: &Path, now: u64) {
        self.wait_after(self.wait(path), path, now);
    }

    /// An open port was lost.
    pub(super) fn lost(&mut self, path: &Path, now: u64) {
        let steady = matches!(self.ports.get(path), Some(State::Open { since, .. }) if now >= since + STEADY_MS);
        self.wait_after(if steady { 0 } else { self.wait(path) }, path, now);
    }

    fn wait_after(&mut self, last: u64, path: &Path, now: u64) {
        let wait = (last * 2).clamp(FIRST_WAIT_MS, LONGEST_WAIT_MS);
        self.ports.insert(path.to_owned(), State::Waiting { until: now + wait, wait });
    }

    fn wait(&self, path: &Path) -> u64 {
        match self.ports.get(path) {
            Some(State::Open { wait, .. } | State::Waiting { wait, .. }) => *wait,
            None => 0,
        }
    }

    /// When the next try is due.
    pub(super) fn deadline(&self) -> Option<u64> {
        let waiting = self.ports.values().filter_map(|state| match state {
            State::Open { .. } => None,
            State::Waiting { until, .. } => Some(*until),
        });
        waiting.min()
    }

    /// Of the ports somebody named: which are newly missing. Each is told once, until it has been there again.
    pub(super) fn newly_missing<'a>(&mut self, named: impl IntoIterator<Item = &'a Path>) -> Vec<PathBuf> {
        let missing = named.into_iter().filter(|path| !path.exists()).map(Path::to_owned).collect::<BTreeSet<_>>();
        let new = missing.difference(&self.missed).cloned().collect();
        self.missed = missing;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PORT: &str = "/dev/ttyUSB0";

    fn look(roster: &mut Roster, now: u64) -> bool {
        !roster.found([Path::new(PORT)], now).is_empty()
    }

    #[test]
    fn a_port_is_opened_once() {
        let mut roster = Roster::default();
        assert!(look(&mut roster, 0));
        roster.opened(Path::new(PORT), 0);
        assert!(!look(&mut roster, 500));
    }

    #[test]
    fn waits_double_up_to_two_seconds() {
        let mut roster = Roster::default();
        let mut now = 0;
        let mut waits = Vec::new();
        for _ in 0..6 {
            roster.refused(Path::new(PORT), now);
            let due = roster.deadline().expect("a port waits");
            assert!(!look(&mut roster, due - 1) && look(&mut roster, due));
            waits.push(due - now);
            now = due;
        }
        assert_eq!(waits, [250, 500, 1_000, 2_000, 2_000, 2_000]);
    }

    #[test]
    fn a_port_that_came_back_is_tried_at_once() {
        let mut roster = Roster::default();
        for now in [0, 1_000, 2_000] {
            roster.refused(Path::new(PORT), now);
        }
        assert_eq!(roster.found([], 2_100), Vec::<PathBuf>::new());
        assert!(look(&mut roster, 2_200));
    }

    #[test]
    fn a_port_that_ends_as_soon_as_it_is_open_is_not_opened_for_ever() {
        let mut roster = Roster::default();
        let mut now = 0;
        for wait in [250, 500, 1_000, 2_000, 2_000] {
            roster.opened(Path::new(PORT), now);
            roster.lost(Path::new(PORT), now + 10);
            assert_eq!(roster.deadline(), Some(now + 10 + wait));
            now += 10 + wait;
        }
        roster.opened(Path::new(PORT), now);
        roster.lost(Path::new(PORT), now + STEADY_MS);
        assert_eq!(roster.deadline(), Some(now + STEADY_MS + 250), "a steady port has earned a quick return");
    }

    #[test]
    fn a_missing_port_is_told_once() {
        let mut roster = Roster::default();
        let gone = Path::new("/nonexistent/ttyUSB0");
        assert_eq!(roster.newly_missing([gone]), [gone]);
        assert_eq!(roster.newly_missing([gone]), Vec::<PathBuf>::new());
    }
}
