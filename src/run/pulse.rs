//! The pulse: a sign of life that only a loop that goes round can give.

use std::{fmt, future::pending, time::Duration};

use crate::screens::Vitals;
use tokio::time::{Interval, MissedTickBehavior, interval};

/// Told by the loop itself, so that whoever listens knows that boards are read and commits come back.
pub struct Pulse {
    interval: Option<Interval>,
    beat: Box<dyn FnMut(&Vitals)>,
}

impl Pulse {
    /// Nobody listens.
    pub fn none() -> Pulse {
        Pulse { interval: None, beat: Box::new(|_| {}) }
    }

    /// Calls `beat` every so often with how everything stands.
    pub fn every(period: Duration, beat: impl FnMut(&Vitals) + 'static) -> Pulse {
        let mut interval = interval(period);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Pulse { interval: Some(interval), beat: Box::new(beat) }
    }

    pub(super) async fn due(&mut self) {
        match &mut self.interval {
            Some(interval) => drop(interval.tick().await),
            None => pending().await,
        }
    }

    pub(super) fn beat(&mut self, vitals: &Vitals) {
        (self.beat)(vitals);
    }
}

impl fmt::Debug for Pulse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pulse").field("interval", &self.interval).finish_non_exhaustive()
    }
}
