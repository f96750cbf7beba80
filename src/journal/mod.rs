//! The journal: every input, durable and replayable, and beside it what was published from it.
//!
//! One SQLite file for the hall and one for each round, write-ahead log and a full sync at each commit. What is handed
//! in goes in whole, and what is to be told of it comes back as [`Committed`] when it would survive a power cut. Rows
//! are only ever added, and a chain of fingerprints holds them together; `docs/journal.md` says what is proven by what.
//!
//! Decides nothing about chess, and knows of inputs only how to keep them small. Reads no clock but the wall's, and that
//! only as a label for people.

mod ballast;
mod batch;
#[cfg(test)]
mod by_hand;
mod chapter;
mod code;
mod committed;
mod copying;
mod day;
mod error;
mod folder;
mod health;
mod layout_1;
mod leaf;
mod leaves;
mod mending;
mod past;
mod pending;
mod place;
mod positions;
mod proof;
mod reader;
#[cfg(test)]
mod set_clock;
mod store;
mod volume;
mod wake;
mod writer;

use std::{
    path::Path,
    sync::{
        Arc,
        mpsc::{Sender, channel},
    },
    thread::JoinHandle,
};

use hall::Scope;
use tokio::sync::{oneshot, watch};

pub use batch::{Batch, Row, Said};
#[cfg(test)]
pub(crate) use by_hand::Disk;
pub use chapter::{Chapter, Inputs};
pub use committed::{Committed, Done, Entries};
pub use day::{day_at, today};
pub use error::JournalError;
pub use health::{Health, Outage};
pub use leaf::{Chain, Position};
pub use leaves::Tail;
pub use mending::Mended;
pub use past::Past;
pub use pending::Pending;
pub use place::{check, file};
pub use proof::{here, wall_ms};
pub use reader::Reader;
#[cfg(test)]
pub(crate) use set_clock::set_wall;

use folder::Lock;
use pending::Written;
use wake::Wake;
use writer::{Reading, Task, Waiting, Writer};

/// The journal of one state folder, open for writing. There is one at a time for a folder, whatever the process.
///
/// Dropping it writes what still waits and gives the folder free.
///
/// While the disk does not take what is handed in, it is held in memory and tried again; [`Journal::health`] says so.
/// After an error that may have cost data the file is never tried again: what it held is written anew beside it.
#[derive(Debug)]
pub struct Journal {
    queue: Option<Arc<Sender<Task>>>,
    writer: Option<JoinHandle<()>>,
    health: watch::Receiver<Health>,
    reader: Reader,
    wake: Wake,
}

impl Journal {
    /// Whether a daemon of this user may work in a state folder without locking out whom it belongs to. Mending may.
    pub fn may_serve(state: &Path) -> Result<(), JournalError> {
        folder::refuse_anothers(state)
    }

    /// Opens the journal in a state folder, making folder and files where there are none, and reads all of the past
    /// that is proven. `build` names the program that publishes: it is kept with what it writes.
    pub fn open(state: &Path, build: &str) -> Result<(Journal, Past), JournalError> {
        Journal::start(state, build, Reading::All)
    }

    /// Opens the journal and reads no more of it than the hall's file. Of the rounds' files only the ends are looked at,
    /// so that a long season starts as quickly as a new one; a file that does not end as it should is read and put right.
    /// The past names what was not read: [`Journal::reader`] reads it.
    pub fn open_shelved(state: &Path, build: &str) -> Result<(Journal, Past), JournalError> {
        Journal::start(state, build, Reading::Hall)
    }

    fn start(state: &Path, build: &str, reading: Reading) -> Result<(Journal, Past), JournalError> {
        let files = state.join(place::FOLDER);
        folder::make_state(state)?;
        folder::make(&files)?;
        folder::refuse_remote(&files)?;
        let lock = Lock::take(state)?;
        let (told, health) = watch::channel(Health::default());
        let (mut writer, past) = Writer::open(state, build, reading, told)?;
        let wake = writer.wake();

        let (queue, waiting) = channel();
        let queue = Arc::new(queue);
        let reader = Reader::new(state, writer.known(), &queue);
        let work = move || {
            writer.run(&waiting);
            drop(writer);
            drop(lock); // Given free when the last file is closed, not before.
        };
        let thread = std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(work)
            .map_err(|cause| JournalError::io(state, "start the thread of", cause))?;
        Ok((Journal { queue: Some(queue), writer: Some(thread), health, reader, wake }, past))
    }

    /// Reads one journal file, or all files of a state folder, as far as they are proven. Takes no lock, changes
    /// nothing, and may be used while the daemon writes.
    pub fn read(path: &Path) -> Result<Past, JournalError> {
        past::read(path)
    }

    /// Writes what is proven of one state folder into a new one, while the daemon writes or not: another machine goes on
    /// with it. Gives what was proven.
    pub fn copy(from: &Path, to: &Path) -> Result<Past, JournalError> {
        copying::copy(from, to)
    }

    /// Puts the files of a state folder right that nobody writes, from a copy where that says what they do not. The old
    /// files are kept.
    pub fn mend(state: &Path, from: Option<&Path>) -> Result<Mended, JournalError> {
        mending::mend(state, from, wall_ms())
    }

    /// The hall's files that lie beside the one that is written, under the names they got when they were not whole: a
    /// sentence each.
    pub fn set_aside(state: &Path) -> Result<Vec<String>, JournalError> {
        past::set_aside(state)
    }

    /// Hands in batches and what follows from them, to be told when both are on disk with all that was handed in
    /// before, in whichever file. They are written in the order of these calls, even if nobody waits for them.
    pub fn hand_in(&self, batches: Vec<Batch>, entries: Entries) -> Pending {
        let (done, committed) = oneshot::channel();
        self.queue(batches, Some(done));
        Pending::new(committed, entries)
    }

    /// Hands in batches nobody waits for. What [can wait](Batch::can_wait) is written with others, seconds later.
    pub fn note(&self, batches: Vec<Batch>) {
        self.queue(batches, None);
    }

    /// Puts batches on disk, and gives what follows from them to be told.
    pub async fn commit(&self, batches: Vec<Batch>, entries: Entries) -> Result<Committed<Entries>, JournalError> {
        self.hand_in(batches, entries).committed().await
    }

    /// Closes a file as soon as all that was handed in is on disk: what it holds leaves memory. Whoever writes to it opens
    /// it again.
    pub fn close(&self, scope: Scope) {
        if let Some(queue) = &self.queue {
            let _ = queue.send(Task::Close(scope));
        }
    }

    /// Who reads what was not read at the start.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// Its thread goes round: it does not hang in the disk.
    pub fn is_awake(&self) -> bool {
        self.wake.is_awake()
    }

    /// How the journal is.
    pub fn health(&self) -> watch::Receiver<Health> {
        self.health.clone()
    }

    fn queue(&self, batches: Vec<Batch>, done: Option<oneshot::Sender<Result<Written, JournalError>>>) {
        if let Some(queue) = &self.queue {
            // Whoever waits learns of a thread that has ended by getting no answer.
            let _ = queue.send(Task::Write(Waiting { batches, done }));
        }
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
