//! The thread that writes: it takes what waits, commits it together, and tells all who wait.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use tokio::sync::{mpsc, oneshot};

use super::{Batch, JournalError, Past, Scope, folder, past, store::Store};

/// The most batches of one commit. One sync then serves a whole hall even on a memory card that manages twenty a
/// second, and the first of them still waits for no more than a few milliseconds of writing.
const GROUP: usize = 256;

/// Batches and who waits for them: told is the number of the last input.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) batches: Vec<Batch>,
    pub(super) done: oneshot::Sender<Result<u64, JournalError>>,
}

/// Owns the only connections that write.
#[derive(Debug)]
pub(super) struct Writer {
    state: PathBuf,
    build: String,
    stores: BTreeMap<Scope, Store>,
    stopped: Option<JournalError>,
}

impl Writer {
    /// Opens the hall's file and reads all the others. A round's file is opened again when something is written to it:
    /// of the rounds of a season only one or two are still played.
    pub(super) fn open(state: &Path, build: &str) -> Result<(Writer, Past), JournalError> {
        let mut writer =
            Writer { state: state.to_owned(), build: build.to_owned(), stores: BTreeMap::new(), stopped: None };
        let hall = writer.store(&Scope::Hall)?.chapter()?;
        let mut past = Past { chapters: BTreeMap::from([(Scope::Hall, hall)]) };
        for file in past::files(state)? {
            let Some(scope) = Scope::of(&file).filter(|scope| *scope != Scope::Hall) else { continue };
            // Opened for writing so that a log left by a crash is taken into the file.
            let chapter = Store::open(&file, &scope, build, wall_ms())?.chapter()?;
            past.chapters.insert(scope, chapter);
        }
        Ok((writer, past))
    }

    /// Works until the queue is closed and empty.
    pub(super) fn run(&mut self, mut queue: mpsc::Receiver<Waiting>) {
        while let Some(first) = queue.blocking_recv() {
            let mut group = vec![first];
            while group.len() < GROUP
                && let Ok(next) = queue.try_recv()
            {
                group.push(next);
            }
            self.serve(group);
        }
    }

    /// Commits a group, then tells everyone. Nobody is told before the whole group is on disk, so whoever is told knows
    /// of all that came earlier as well, in whichever file.
    fn serve(&mut self, group: Vec<Waiting>) {
        let (batches, waiters): (Vec<_>, Vec<_>) =
            group.into_iter().map(|waiting| (waiting.batches, waiting.done)).unzip();
        let results = self.commit(&batches);
        for (waiter, result) in waiters.into_iter().zip(results) {
            // Whoever stopped waiting does not want to know.
            let _ = waiter.send(result);
        }
    }

    fn commit(&mut self, groups: &[Vec<Batch>]) -> Vec<Result<u64, JournalError>> {
        if let Some(cause) = &self.stopped {
            let cause = Box::new(cause.clone());
            return groups.iter().map(|_| Err(JournalError::Stopped { cause: cause.clone() })).collect();
        }
        match self.write(groups) {
            Ok(results) => results,
            Err(cause) => {
                for store in std::mem::take(&mut self.stores).into_values() {
                    store.abandon();
                }
                self.stopped = Some(cause.clone());
                groups.iter().map(|_| Err(cause.clone())).collect()
            }
        }
    }

    /// One transaction a file. What is meant for a name that can be no file is refused alone: the disk is not at fault.
    fn write(&mut self, groups: &[Vec<Batch>]) -> Result<Vec<Result<u64, JournalError>>, JournalError> {
        let mut files = BTreeMap::<&Scope, Vec<(usize, &Batch)>>::new();
        let mut upto = Vec::with_capacity(groups.len());
        for (at, batches) in groups.iter().enumerate() {
            let fit = batches.iter().try_for_each(|batch| batch.scope.path(&self.state).map(|_| ()));
            for batch in batches.iter().filter(|_| fit.is_ok()) {
                files.entry(&batch.scope).or_default().push((at, batch));
            }
            upto.push(fit.map(|()| 0));
        }
        for (scope, members) in files {
            let build = self.build.clone();
            let rows = members.iter().map(|(_, batch)| (batch.inputs.as_slice(), batch.entries.as_slice()));
            let last = self.store(scope)?.append(rows, &build, wall_ms())?;
            for ((at, _), last) in members.into_iter().zip(last) {
                upto[at] = Ok(last);
            }
        }
        Ok(upto)
    }

    fn store(&mut self, scope: &Scope) -> Result<&mut Store, JournalError> {
        let path = scope.path(&self.state)?;
        match self.stores.entry(scope.clone()) {
            Entry::Occupied(open) => Ok(open.into_mut()),
            Entry::Vacant(place) => {
                folder::make(path.parent().unwrap_or(&self.state))?;
                Ok(place.insert(Store::open(&path, scope, &self.build, wall_ms())?))
            }
        }
    }
}

/// The time of day, in milliseconds since 1970: a label, so that people find the minute they argue about. Nothing is
/// decided by it, and it may jump.
fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::journal::Row;

    #[test]
    fn what_waits_is_committed_together() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let (mut writer, _) = Writer::open(state.path(), "0.1.0").expect("the folder is writable");
        let (queue, waiting) = mpsc::channel(1000);
        let told = (0..1000)
            .map(|t| {
                let (done, committed) = oneshot::channel();
                let inputs = vec![Row { t, table: None, body: "{}".to_owned() }];
                let batches = vec![Batch { scope: Scope::Hall, inputs, entries: vec![] }];
                queue.try_send(Waiting { batches, done }).expect("the queue holds a thousand");
                committed
            })
            .collect::<Vec<_>>();
        drop(queue);

        let before = commits(state.path());
        writer.run(waiting);
        assert_eq!(commits(state.path()) - before, 4, "1000 batches are three full groups and one of 232");
        for (n, committed) in (1..).zip(told) {
            let upto = committed.blocking_recv().expect("everyone is told").expect("the disk works");
            assert_eq!(upto, n);
        }
    }

    /// The commits in SQLite's log: after a head of 32 bytes, pages with a head of 24 each, and a page that ends a
    /// commit has the size of the file in the second word of its head.
    fn commits(state: &Path) -> usize {
        const PAGE: usize = 4096;
        let log = fs::read(state.join("journal/hall.sqlite-wal")).unwrap_or_default();
        let pages = log.get(32..).unwrap_or_default().chunks_exact(24 + PAGE);
        pages.filter(|page| page[4..8] != [0; 4]).count()
    }
}
