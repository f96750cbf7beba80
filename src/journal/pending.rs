//! What was handed in and is not on disk yet.

use std::time::Instant;

use tokio::sync::oneshot;

use super::{Committed, Entries, JournalError};

/// Entries on their way to the disk: they can be added to, and be had back as committed.
#[derive(Debug)]
pub struct Pending {
    done: oneshot::Receiver<Result<u64, JournalError>>,
    entries: Entries,
    since: Instant,
}

impl Pending {
    pub(super) fn new(done: oneshot::Receiver<Result<u64, JournalError>>, entries: Entries) -> Pending {
        Pending { done, entries, since: Instant::now() }
    }

    /// Waits for the disk. May be given up and asked again; has an answer once.
    pub async fn committed(&mut self) -> Result<Committed<Entries>, JournalError> {
        let upto = (&mut self.done).await.map_err(|_| JournalError::Gone)??;
        Ok(Committed::new(std::mem::take(&mut self.entries), upto))
    }

    /// What waits.
    pub fn entries(&self) -> &Entries {
        &self.entries
    }

    /// For sights that must not overtake what waits.
    pub fn entries_mut(&mut self) -> &mut Entries {
        &mut self.entries
    }

    /// Since when.
    pub fn since(&self) -> Instant {
        self.since
    }
}
