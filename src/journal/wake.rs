//! When the thread that writes went round last.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// A memory card may take a second for a commit; a disk that takes ten is as good as gone.
const ASLEEP: Duration = Duration::from_secs(10);

/// Told by the thread, looked at by others. Cheap to clone; all clones are one.
#[derive(Clone, Debug)]
pub(super) struct Wake {
    began: Instant,
    at_ms: Arc<AtomicU64>,
}

impl Wake {
    pub(super) fn new() -> Wake {
        Wake { began: Instant::now(), at_ms: Arc::default() }
    }

    /// The thread goes round.
    pub(super) fn note(&self) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.at_ms.store(now, Ordering::Relaxed);
    }

    pub(super) fn is_awake(&self) -> bool {
        let last = self.began + Duration::from_millis(self.at_ms.load(Ordering::Relaxed));
        last.elapsed() <= ASLEEP
    }
}
