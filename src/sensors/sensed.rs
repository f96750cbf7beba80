//! What is sensed, and when: the words of this room, and its clock.

use std::sync::Arc;
#[cfg(test)]
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use protocol::board::dgt::{Flaw, Identity};
use protocol::board::{Observation, WireSquare};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

use super::port::PortError;

/// One thing that happened at one port.
#[derive(Debug)]
pub struct Sensed {
    /// The name the port was found by.
    pub port: Arc<str>,
    /// When, on the clock of the watch.
    pub at: u64,
    /// What.
    pub what: What,
}

/// What can happen at a port.
#[derive(Debug)]
pub enum What {
    /// A port that was named is not there; it is awaited. Told once.
    Awaited,
    /// The port was opened.
    Opened {
        /// The driver passes bytes on at once.
        low_latency: bool,
    },
    /// The port can't be opened; it is tried again. Told once for each kind of trouble.
    Refused(PortError),
    /// An open port ended.
    Lost(PortError),
    /// A board has said who it is.
    Board(Identity),
    /// The device does not answer as a board would; it is asked again.
    NoBoard,
    /// A fact about squares, clock or link.
    Observed(Observation),
    /// Updates were lost; the whole board follows and is right.
    Corrected(Vec<WireSquare>),
    /// Bytes that belong to no message.
    Noise(usize),
    /// A message that can't be true.
    Invalid(Flaw),
    /// More was said than a port may say: until it is quiet nothing of it is listened to.
    TooLoud,
    /// It is quiet again, and met anew.
    QuietAgain,
    /// Bytes as they were read. Only if asked for.
    Received(Vec<u8>),
    /// Bytes as they were written. Only if asked for.
    Sent(Vec<u8>),
}

/// Milliseconds since this was made. The one clock of everything sensed.
#[derive(Clone, Copy, Debug)]
pub struct Monotonic {
    began: Instant,
    /// For tests that set the time themselves.
    #[cfg(test)]
    hand: Option<&'static AtomicU64>,
}

impl Monotonic {
    /// Zero is now.
    pub fn start() -> Monotonic {
        Monotonic {
            began: Instant::now(),
            #[cfg(test)]
            hand: None,
        }
    }

    /// A clock that shows what somebody sets it to.
    #[cfg(test)]
    pub(crate) fn by_hand(hand: &'static AtomicU64) -> Monotonic {
        Monotonic { hand: Some(hand), ..Monotonic::start() }
    }

    /// Now.
    pub fn now(self) -> u64 {
        #[cfg(test)]
        if let Some(hand) = self.hand {
            return hand.load(Ordering::SeqCst);
        }
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Completes when this clock shows `ms`.
    pub async fn sleep_until(self, ms: u64) {
        sleep_until(self.at(ms)).await;
    }

    pub(super) fn at(self, ms: u64) -> Instant {
        self.began + Duration::from_millis(ms)
    }
}

/// The receiver of what is sensed is gone, so there is nobody to go on for.
#[derive(Debug)]
pub(super) struct NobodyListens;

pub(super) async fn tell(
    told: &mpsc::Sender<Sensed>,
    port: &Arc<str>,
    at: u64,
    what: What,
) -> Result<(), NobodyListens> {
    told.send(Sensed { port: port.clone(), at, what }).await.map_err(|_| NobodyListens)
}
