//! A disk that is a value, for tests in which time is a value.
//!
//! Leaves are committed whole or not at all and chained as in the files, and a start proves them again. What is not
//! tried here, SQLite and the kernel, is tried by killing, by pulling the plug and by damaging files.

use std::{
    collections::BTreeMap,
    path::Path,
    sync::{
        Arc,
        mpsc::{Receiver, channel},
    },
};

use hall::Scope;
use protocol::feed::TableEvent;
use tokio::sync::watch;

use super::{
    Batch, Chapter, Health, Journal, Outage, Past,
    pending::Written,
    reader::Reader,
    wake::Wake,
    writer::{Task, Waiting},
};

/// What survives a process, and what it has handed in and does not.
#[derive(Debug)]
pub(crate) struct Disk {
    chapters: BTreeMap<Scope, Chapter>,
    queue: Receiver<Task>,
    waiting: Vec<Waiting>,
    health: watch::Sender<Health>,
}

impl Disk {
    /// An empty one.
    pub(crate) fn new() -> Disk {
        Disk {
            chapters: BTreeMap::new(),
            queue: channel().1,
            waiting: Vec::new(),
            health: watch::channel(Health::default()).0,
        }
    }

    /// A process opens its journal: what the one before it had handed in and not committed is gone.
    pub(crate) fn open(&mut self) -> (Journal, Past) {
        let (queue, tasks) = channel();
        let queue = Arc::new(queue);
        let (told, health) = watch::channel(Health::default());
        (self.queue, self.waiting, self.health) = (tasks, Vec::new(), told);
        self.chapters.entry(Scope::Hall).or_insert_with(|| Chapter::begin(Scope::Hall, "hall"));
        self.chapters.values_mut().for_each(prove);
        let reader = Reader::new(Path::new("/nowhere"), BTreeMap::new(), &queue);
        let journal = Journal { queue: Some(queue), writer: None, health, reader, wake: Wake::new() };
        (journal, self.past())
    }

    /// What would be read after a power cut at this moment.
    pub(crate) fn past(&self) -> Past {
        Past { chapters: self.chapters.clone(), ..Past::default() }
    }

    /// Whether anything waits, and whether somebody waits for it.
    pub(crate) fn waits(&mut self) -> (bool, bool) {
        self.listen();
        let urgent = |waiting: &Waiting| waiting.done.is_some() || !waiting.batches.iter().all(Batch::can_wait);
        (!self.waiting.is_empty(), self.waiting.iter().any(urgent))
    }

    /// What waits.
    pub(crate) fn batches(&mut self) -> impl Iterator<Item = &Batch> {
        self.batches_mut().map(|batch| &*batch)
    }

    /// The same, for whoever wants to spoil it.
    pub(crate) fn batches_mut(&mut self) -> impl Iterator<Item = &mut Batch> {
        self.listen();
        self.waiting.iter_mut().flat_map(|waiting| &mut waiting.batches)
    }

    /// Commits all that waits, and says so.
    pub(crate) fn commit(&mut self, wall_ms: u64) {
        self.write(usize::MAX, wall_ms);
        let was_refused = self.health.borrow().outage.is_some();
        for Waiting { batches, done } in std::mem::take(&mut self.waiting) {
            let scope = batches.last().map_or(Scope::Hall, |batch| batch.scope.clone());
            let upto = self.chapters.get(&scope).map_or(0, |chapter| chapter.end().inputs);
            // Who waited may be gone.
            done.into_iter().for_each(|done| _ = done.send(Ok(Written { upto, was_refused })));
        }
        self.health.send_if_modified(|health| health.outage.take().is_some());
    }

    /// Writes all that waits into so many files at most, and dies before anybody is told.
    pub(crate) fn write(&mut self, files: usize, wall_ms: u64) {
        self.listen();
        let batches = self.waiting.iter().flat_map(|waiting| &waiting.batches);
        let mut leaves = BTreeMap::<&Scope, Vec<&Batch>>::new();
        batches.for_each(|batch| leaves.entry(&batch.scope).or_default().push(batch));
        for (scope, batches) in leaves.into_iter().take(files) {
            let chapter = self.chapters.entry(scope.clone());
            let chapter = chapter.or_insert_with(|| Chapter::begin(scope.clone(), &scope.to_string()));
            chapter.add(&batches, "simulated", wall_ms);
        }
    }

    /// Says of all that waits that it is on disk, which is a lie, and goes on waiting with it.
    pub(crate) fn answer_too_early(&mut self) {
        self.listen();
        // Who waited may be gone.
        let waiting = self.waiting.iter_mut().filter_map(|waiting| waiting.done.take());
        waiting.for_each(|done| _ = done.send(Ok(Written { upto: 0, was_refused: false })));
    }

    /// The last leaf of the file that was written last is gone.
    pub(crate) fn forget_last(&mut self) {
        let last = self.chapters.values_mut().max_by_key(|chapter| chapter.last_t());
        last.into_iter().for_each(forget);
    }

    /// Nothing can be written: it is held.
    pub(crate) fn refuse(&mut self, since_wall_ms: u64) {
        let outage = Outage { since_wall_ms, cause: "the disk is full".to_owned(), held: 0 };
        self.health.send_if_modified(|health| {
            let is_news = health.outage.is_none();
            health.outage.get_or_insert(outage);
            is_news
        });
    }

    /// All entries that would survive, file by file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = TableEvent> {
        self.chapters.values().flat_map(Chapter::entries).map(|(_, told)| told)
    }

    /// How many bytes all files hold.
    pub(crate) fn bytes(&self) -> usize {
        let leaves = self.chapters.values().flat_map(Chapter::leaves);
        leaves.map(|leaf| leaf.inputs.len() + leaf.entries.len()).sum()
    }

    fn listen(&mut self) {
        while let Ok(task) = self.queue.try_recv() {
            match task {
                Task::Write(waiting) => self.waiting.push(waiting),
                Task::Close(_) => {}
                Task::Read(scope, answer) => {
                    let nothing = || Chapter::begin(scope.clone(), "nothing");
                    let _ = answer.send(Ok(self.chapters.get(&scope).cloned().unwrap_or_else(nothing)));
                }
            }
        }
    }
}

/// Reads a file again from its leaves, each proven by those before it.
fn prove(chapter: &mut Chapter) {
    read_up_to(chapter, chapter.leaves().count());
}

fn forget(chapter: &mut Chapter) {
    read_up_to(chapter, chapter.leaves().count().saturating_sub(1));
}

fn read_up_to(chapter: &mut Chapter, leaves: usize) {
    let mut read = Chapter::begin(chapter.scope().clone(), chapter.id());
    let are_proven = chapter.leaves().take(leaves).all(|leaf| read.take(&leaf));
    assert!(are_proven, "the chain of {} does not close", chapter.scope());
    *chapter = read;
}
