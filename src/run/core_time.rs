//! The core's time: it goes on over stops, and never back.

use std::future::pending;

use crate::sensors::Monotonic;

/// What the loop stamps inputs with.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreTime {
    clock: Monotonic,
    /// What the core's time was when that clock began.
    epoch: u64,
    /// The time of the last input.
    last: u64,
}

impl CoreTime {
    /// Goes on behind an input that was stamped `last`.
    pub(super) fn after(last: u64, clock: Monotonic, epoch: u64) -> CoreTime {
        CoreTime { clock, epoch, last }
    }

    /// This moment.
    pub(super) fn now(&self) -> u64 {
        self.at(self.clock.now())
    }

    /// What the clock of the ports calls so.
    pub(super) fn at(&self, ticks: u64) -> u64 {
        self.epoch + ticks
    }

    /// This moment on that clock.
    pub(super) fn ticks(&self) -> u64 {
        self.clock.now()
    }

    /// The same the other way round.
    #[cfg(test)]
    pub(super) fn ticks_at(&self, now: u64) -> u64 {
        now.saturating_sub(self.epoch)
    }

    /// The time of an input that is taken now.
    pub(super) fn stamp(&mut self) -> u64 {
        self.not_before(self.now())
    }

    /// An input that was stamped before the last one was handled is taken at that time: it waited in a channel while
    /// a deadline ran.
    pub(super) fn not_before(&mut self, t: u64) -> u64 {
        self.last = self.last.max(t);
        self.last
    }

    /// Waits until then; for ever where nothing is due.
    pub(super) async fn wait_until(self, due: Option<u64>) {
        match due {
            Some(at) => self.clock.sleep_until(at.saturating_sub(self.epoch)).await,
            None => pending().await,
        }
    }
}
