//! The journal: every input, durable and replayable, and beside it what was published from it.
//!
//! One SQLite file for the hall and one for each round, write-ahead log and a full sync at each commit. A batch goes in
//! whole, and what is to be told of it comes back as [`Committed`] when it would survive a power cut. Rows are only
//! ever added.
//!
//! Decides nothing about chess: inputs and entries are text to it. Reads no clock but the wall's, and that only as a label
//! for people.

mod batch;
mod birth;
mod committed;
mod error;
mod folder;
mod past;
mod store;
mod writer;

use std::{path::Path, thread::JoinHandle};

use tokio::sync::{mpsc, oneshot};

pub use batch::{Batch, Kept, Row, Scope};
pub use committed::{Committed, Done, Entries};
pub use error::JournalError;
pub use past::{Chapter, Past, Published};

use folder::Lock;
use writer::{Waiting, Writer};

/// How many batches may wait for the disk before whoever brings the next one waits too. 500 boards at their liveliest
/// bring about a thousand inputs a second, so this is a disk that has not answered for a second.
const QUEUE: usize = 1024;

/// The journal of one state folder, open for writing. There is one at a time for a folder, whatever the process.
///
/// Dropping it writes what still waits and gives the folder free.
///
/// After an error of the disk the journal has stopped: every later commit errs, and nothing is tried again with the
/// same file handle, because the kernel may already have dropped what it could not write. Starting the daemon again
/// reads what is really there.
#[derive(Debug)]
pub struct Journal {
    queue: Option<mpsc::Sender<Waiting>>,
    writer: Option<JoinHandle<()>>,
}

impl Journal {
    /// Opens the journal in a state folder, making folder and files where there are none, and reads all of the past.
    /// `build` names the program that publishes: it is kept with each entry.
    pub fn open(state: &Path, build: &str) -> Result<(Journal, Past), JournalError> {
        let files = state.join(batch::FOLDER);
        folder::make(&files)?;
        folder::refuse_remote(&files)?;
        let lock = Lock::take(state)?;
        let (mut writer, past) = Writer::open(state, build)?;

        let (queue, waiting) = mpsc::channel(QUEUE);
        let work = move || {
            writer.run(waiting);
            drop(writer);
            drop(lock); // Given free when the last file is closed, not before.
        };
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(work)
            .map_err(|cause| JournalError::io(state, "start the thread of", cause))?;
        Ok((Journal { queue: Some(queue), writer: Some(thread) }, past))
    }

    /// Reads one journal file, or all files of a state folder. Takes no lock, changes nothing, and may be used while
    /// the daemon writes.
    pub fn read(path: &Path) -> Result<Past, JournalError> {
        past::read(path)
    }

    /// Puts batches on disk, and gives what follows from them to be told. When it does, all that was handed in before
    /// is on disk as well, in whichever file.
    ///
    /// Batches are handed in in the order in which these futures are first polled. What was handed in is written even
    /// if nobody waits for it any more.
    pub async fn commit(&self, batches: Vec<Batch>, entries: Entries) -> Result<Committed<Entries>, JournalError> {
        let (done, committed) = oneshot::channel();
        let queue = self.queue.as_ref().ok_or(JournalError::Gone)?;
        queue.send(Waiting { batches, done }).await.map_err(|_| JournalError::Gone)?;
        let upto = committed.await.map_err(|_| JournalError::Gone)??;
        Ok(Committed::new(entries, upto))
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(writer) = self.writer.take() {
            // A panic of the writer was printed when it happened, and its waiters were told.
            let _ = writer.join();
        }
    }
}
