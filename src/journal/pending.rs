//! What was handed in and is not on disk yet.

use std::time::Instant;

use tokio::sync::oneshot;

use super::{Committed, Entries, JournalError};

/// What the disk answers whoever has handed something in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// The number of the last input that is in the file.
    pub(super) upto: u64,
    /// It was refused before, for a cause that was said: how long it took tells nothing of how quick the disk is.
    pub(super) was_refused: bool,
}

/// Entries on their way to the disk: they can be added to, and be had back as committed.
#[derive(Debug)]
pub struct Pending {
    done: oneshot::Receiver<Result<Written, JournalError>>,
    entries: Entries,
    since: Instant,
    was_refused: bool,
}

impl Pending {
    pub(super) fn new(done: oneshot::Receiver<Result<Written, JournalError>>, entries: Entries) -> Pending {
        Pending { done, entries, since: Instant::now(), was_refused: false }
    }

    /// Waits for the disk. May be given up and asked again; has an answer once.
    pub async fn committed(&mut self) -> Result<Committed<Entries>, JournalError> {
        let Written { upto, was_refused } = (&mut self.done).await.map_err(|_| JournalError::Gone)??;
        self.was_refused = was_refused;
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

    /// Whether it is on disk only after the disk had refused it: known when it is committed.
    pub fn was_refused(&self) -> bool {
        self.was_refused
    }
}
