//! The thread that writes: it takes what waits, commits it together, and tells all who wait.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, RecvTimeoutError},
    time::{Duration, Instant},
};

use hall::Scope;
use tokio::sync::{oneshot, watch};

use super::{
    Batch, Health, JournalError, Outage, Past,
    ballast::Ballast,
    chapter::Chapter,
    leaves::Tail,
    past,
    pending::Written,
    place,
    positions::{Known, Positions, Remembered},
    proof::{tail, wall_ms},
    volume::Volume,
    wake::Wake,
};

/// The most batches of one commit. One sync then serves a whole hall even on a memory card that manages twenty a
/// second, and the first of them still waits for no more than a few milliseconds of writing.
const GROUP: usize = 256;

/// How long a clock that counts may wait for others to be written with: one commit then serves hundreds of readings,
/// and after a kill the clock is read again before anybody could miss them.
const CLOCKS_WAIT: Duration = Duration::from_secs(4);

/// Between two looks at whether the files are still there, and between two tries while they can't be written.
const LOOK: Duration = Duration::from_secs(1);

/// While nothing can be recorded more inputs than these, hours of a large hall, are not kept of clocks that count.
const MOST_HELD: u64 = 4_000_000;

/// How a note in the hall's file begins that names the end of another.
const SEALED: &str = "sealed ";

/// Batches and who waits for them.
#[derive(Debug)]
pub(super) struct Waiting {
    pub(super) batches: Vec<Batch>,
    pub(super) done: Option<oneshot::Sender<Result<Written, JournalError>>>,
}

/// What the thread is asked for.
#[derive(Debug)]
pub(super) enum Task {
    /// To write something down.
    Write(Waiting),
    /// To open a file and hand out what is proven of it.
    Read(Scope, oneshot::Sender<Result<Chapter, JournalError>>),
    /// To close a file until somebody asks for it: nothing will be written to it soon.
    Close(Scope),
}

/// How much is read before anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// Everything.
    All,
    /// The hall's file, and of the others those whose ends are not as they are known to be.
    Hall,
}

/// Owns the only connections that write.
#[derive(Debug)]
pub(super) struct Writer {
    state: PathBuf,
    build: String,
    volumes: BTreeMap<Scope, Volume>,
    /// Files to be closed as soon as all they hold is on disk.
    closing: BTreeSet<Scope>,
    positions: Positions,
    ballast: Ballast,
    health: watch::Sender<Health>,
    drafts: Vec<Batch>,
    waiting: Vec<(oneshot::Sender<Result<Written, JournalError>>, Scope)>,
    /// When what waits is to be written.
    due: Option<Instant>,
    /// When the oldest of what waits came in, in milliseconds since 1970.
    oldest_wall_ms: Option<u64>,
    looked: Instant,
    wake: Wake,
}

impl Writer {
    /// Opens the hall's file and reads as much of the others as is asked for. A round's file is opened again when
    /// something is written to it.
    pub(super) fn open(
        state: &Path,
        build: &str,
        reading: Reading,
        health: watch::Sender<Health>,
    ) -> Result<(Writer, Past), JournalError> {
        let (positions, remembered) = Positions::read(state);
        let mut writer = Writer {
            state: state.to_owned(),
            build: build.to_owned(),
            volumes: BTreeMap::new(),
            closing: BTreeSet::new(),
            positions,
            ballast: Ballast::load(state),
            health,
            drafts: Vec::new(),
            waiting: Vec::new(),
            due: None,
            oldest_wall_ms: None,
            looked: Instant::now(),
            wake: Wake::new(),
        };
        let mut shelved = BTreeMap::new();
        let written = writer.read(&past::files(state)?, remembered, reading, &mut shelved)?;
        writer.doubt_positions(remembered, written);
        writer.seal();
        let is_asked_for = |scope: &Scope| reading == Reading::All || *scope == Scope::Hall;
        let read = writer.volumes.iter().filter(|(scope, _)| is_asked_for(scope));
        let chapters = read.map(|(scope, volume)| (scope.clone(), volume.chapter().clone())).collect();
        for (scope, volume) in writer.volumes.iter().filter(|(scope, _)| !is_asked_for(scope)) {
            let end = volume.chapter().last_moment().unwrap_or(Tail { t: 0, wall_ms: 0 });
            shelved.insert(scope.clone(), end);
        }
        let past = Past { chapters, findings: writer.health.borrow().findings.clone(), shelved };
        // What is whole and not written is read again when it is.
        writer.save_all();
        writer.volumes.retain(|scope, volume| *scope == Scope::Hall || !volume.is_saved());
        Ok((writer, past))
    }

    /// Whether its thread goes round.
    pub(super) fn wake(&self) -> Wake {
        self.wake.clone()
    }

    /// Where each file ends.
    pub(super) fn known(&self) -> BTreeMap<Scope, Known> {
        self.positions.known.clone()
    }

    /// Reads every file there is or should be, or sees that it ends as it should. Gives whether one was there that
    /// writes positions.
    fn read(
        &mut self,
        files: &[PathBuf],
        remembered: Remembered,
        reading: Reading,
        shelved: &mut BTreeMap<Scope, Tail>,
    ) -> Result<bool, JournalError> {
        let mut written = self.volume(&Scope::Hall)?.known().is_some();
        self.miss_hall(files)?;
        if remembered != Remembered::Whole {
            self.read_seals();
        }
        let scopes = files.iter().filter_map(|file| place::scope_of(file));
        for scope in scopes.chain(self.positions.known.keys().cloned()).collect::<BTreeSet<_>>() {
            let known = self.positions.known.get(&scope).filter(|_| reading == Reading::Hall && scope != Scope::Hall);
            let path = place::file(&scope, &self.state)?;
            match known.and_then(|known| tail(&path, &scope, known)) {
                Some(end) => _ = shelved.insert(scope, end),
                None => written |= self.volume(&scope)?.known().is_some(),
            }
        }
        Ok(written)
    }

    /// Where rounds were played there was a file of the hall, whether or not positions are left that know of it.
    fn miss_hall(&mut self, files: &[PathBuf]) -> Result<(), JournalError> {
        let scopes = files.iter().filter_map(|file| place::scope_of(file)).collect::<BTreeSet<_>>();
        let is_said = self.health.borrow().doubtful.contains(&Scope::Hall);
        if is_said || scopes.is_empty() || scopes.contains(&Scope::Hall) {
            return Ok(());
        }
        let path = place::file(&Scope::Hall, &self.state)?;
        let sentence = format!("{} is gone: how much was in it can't be proven", path.display());
        self.volume(&Scope::Hall)?.note_loss(&sentence, wall_ms());
        self.doubt(Scope::Hall, sentence);
        Ok(())
    }

    /// What the hall's file knows of the others: less than the positions, and proven by the chain. The last word counts.
    fn read_seals(&mut self) {
        let Some(hall) = self.volumes.get(&Scope::Hall) else { return };
        let sealed = hall.chapter().notes().filter_map(|(_, note)| Known::parse(note.strip_prefix(SEALED)?));
        self.positions.known.extend(sealed);
    }

    /// Names the end of each round's file in the hall's.
    fn seal(&mut self) {
        let mut ends = self.positions.known.clone();
        ends.extend(self.volumes.iter().map(|(scope, volume)| (scope.clone(), Known::of(volume.chapter()))));
        let rounds = ends.iter().filter(|(scope, _)| **scope != Scope::Hall);
        let lines = rounds.map(|(scope, known)| format!("{SEALED}{}", known.line(scope))).collect::<Vec<_>>();
        let Some(hall) = self.volumes.get_mut(&Scope::Hall) else { return };
        let last = hall.chapter().notes().map(|(_, note)| note).collect::<BTreeSet<_>>();
        lines.iter().filter(|line| !last.contains(*line)).for_each(|line| hall.note(line, wall_ms()));
    }

    /// Without the positions a file that has lost its end can't be told from one that has not.
    fn doubt_positions(&mut self, remembered: Remembered, written: bool) {
        let what = match remembered {
            Remembered::Missing if written => "is gone",
            Remembered::Damaged => "is damaged",
            Remembered::Whole | Remembered::Missing => return,
        };
        let place = self.state.join(place::FOLDER).join(place::POSITIONS[0]);
        self.find(format!(
            "{} {what}, with the one beside it: that the journal has lost none of its last inputs can't be proven; all \
             that is there is good, compare the PGN files",
            place.display()
        ));
    }

    fn doubt(&mut self, scope: Scope, sentence: String) {
        self.health.send_modify(|health| _ = health.doubtful.insert(scope));
        self.find(sentence);
    }

    fn find(&mut self, sentence: String) {
        tracing::error!("{sentence}");
        self.health.send_modify(|health| health.findings.push(sentence));
    }

    /// Works until the queue is closed and empty.
    pub(super) fn run(&mut self, queue: &Receiver<Task>) {
        loop {
            self.wake.note();
            match queue.recv_timeout(self.pause()) {
                Ok(first) => {
                    self.take(first);
                    let more = (1..GROUP).map_while(|_| queue.try_recv().ok());
                    more.for_each(|waiting| self.take(waiting));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.flush();
                    self.seal();
                    self.flush();
                    return;
                }
            }
            let now = Instant::now();
            if now.duration_since(self.looked) >= LOOK {
                self.looked = now;
                self.look();
                self.close();
            }
            if self.due.is_some_and(|due| due <= now) {
                self.flush();
            }
        }
    }

    fn pause(&self) -> Duration {
        let now = Instant::now();
        let look = (self.looked + LOOK).saturating_duration_since(now);
        self.due.map_or(look, |due| look.min(due.saturating_duration_since(now)))
    }

    fn take(&mut self, task: Task) {
        match task {
            Task::Write(waiting) => self.wait_with(waiting),
            Task::Read(scope, answer) => {
                let chapter = self.volume(&scope).map(|volume| volume.chapter().clone());
                // What was not in order is put right with the next commit, and that is now.
                self.due = self.due.or_else(|| self.needs_saving().then(Instant::now));
                // Whoever stopped waiting does not want to know.
                let _ = answer.send(chapter);
            }
            Task::Close(scope) => _ = self.closing.insert(scope),
        }
    }

    fn needs_saving(&self) -> bool {
        !self.volumes.values().all(Volume::is_saved)
    }

    /// A batch for a name that can be no file is refused alone: the disk is not at fault.
    fn wait_with(&mut self, Waiting { batches, done }: Waiting) {
        if let Some(error) = batches.iter().find_map(|batch| place::file(&batch.scope, &self.state).err()) {
            if let Some(done) = done {
                let _ = done.send(Err(error));
            }
            return;
        }
        let last = batches.last().map_or(Scope::Hall, |batch| batch.scope.clone());
        let urgent = done.is_some() || !batches.iter().all(Batch::can_wait);
        self.waiting.extend(done.map(|done| (done, last)));
        if !urgent && self.is_full() {
            let inputs = batches.iter().map(|batch| batch.inputs.len() as u64).sum::<u64>();
            self.health.send_modify(|health| health.dropped += inputs);
            return;
        }
        self.drafts.extend(batches);
        self.oldest_wall_ms.get_or_insert_with(wall_ms);
        let wanted = Instant::now() + if urgent { Duration::ZERO } else { CLOCKS_WAIT };
        let outage = self.health.borrow().outage.is_some();
        // While nothing can be written the next try is when it is, whoever comes.
        self.due = Some(match self.due {
            Some(due) if outage || due <= wanted => due,
            _ => wanted,
        });
    }

    fn is_full(&self) -> bool {
        self.volumes.values().map(Volume::unsaved).sum::<u64>() > MOST_HELD
    }

    /// Whether the files are still those we write.
    fn look(&mut self) {
        let found = self.volumes.values_mut().filter_map(Volume::check).collect::<Vec<_>>();
        if !found.is_empty() {
            self.due = Some(Instant::now());
            found.into_iter().for_each(|sentence| self.find(sentence));
        }
    }

    /// Of the rounds of a season only one or two are still played: what the others hold leaves memory.
    fn close(&mut self) {
        for scope in std::mem::take(&mut self.closing) {
            if self.volumes.get(&scope).is_some_and(|volume| !volume.is_saved()) {
                self.closing.insert(scope);
            } else {
                self.volumes.remove(&scope);
            }
        }
    }

    /// Commits what waits, then tells everyone. Nobody is told before all of it is on disk, so whoever is told knows
    /// of all that came earlier as well, in whichever file.
    fn flush(&mut self) {
        match self.write() {
            Ok(()) => self.recorded(),
            Err(error) => self.not_recorded(&error),
        }
    }

    fn write(&mut self) -> Result<(), JournalError> {
        let mut files = BTreeMap::<Scope, Vec<Batch>>::new();
        for batch in std::mem::take(&mut self.drafts) {
            files.entry(batch.scope.clone()).or_default().push(batch);
        }
        let (build, wall_ms) = (self.build.clone(), wall_ms());
        let mut outcome = Ok(());
        for (scope, batches) in files {
            match self.volume(&scope) {
                Ok(volume) => volume.add(&batches.iter().collect::<Vec<_>>(), &build, wall_ms),
                Err(error) => {
                    self.drafts.extend(batches);
                    outcome = Err(error);
                }
            }
        }
        outcome.and_then(|()| self.save_each())
    }

    fn save_each(&mut self) -> Result<(), JournalError> {
        for volume in self.volumes.values_mut() {
            match volume.save(&self.build) {
                // Once: what is thrown overboard does not come back before there is room in plenty.
                Err(JournalError::Full { .. }) if self.ballast.drop_it() => volume.save(&self.build)?,
                saved => saved?,
            }
        }
        Ok(())
    }

    /// The first writing after a start: a disk that does not take it keeps nobody from looking at the games.
    fn save_all(&mut self) {
        match self.save_each() {
            Ok(()) => self.recorded(),
            Err(error) => self.not_recorded(&error),
        }
    }

    fn recorded(&mut self) {
        self.due = None;
        self.oldest_wall_ms = None;
        for (scope, volume) in &self.volumes {
            self.positions.known.insert(scope.clone(), Known::of(volume.chapter()));
        }
        self.positions.write();
        let was_refused = self.health.borrow().outage.is_some();
        for (done, scope) in std::mem::take(&mut self.waiting) {
            let upto = self.volumes.get(&scope).map_or(0, |volume| volume.chapter().end().inputs);
            // Whoever stopped waiting does not want to know.
            let _ = done.send(Ok(Written { upto, was_refused }));
        }
        if was_refused {
            tracing::warn!("everything is recorded again");
            self.health.send_modify(|health| health.outage = None);
        }
    }

    fn not_recorded(&mut self, error: &JournalError) {
        self.due = Some(Instant::now() + LOOK);
        let held = self.volumes.values().map(Volume::unsaved).sum::<u64>()
            + self.drafts.iter().map(|batch| batch.inputs.len() as u64).sum::<u64>();
        let since_wall_ms = *self.oldest_wall_ms.get_or_insert_with(wall_ms);
        if self.health.borrow().outage.is_none() {
            tracing::error!("nothing is being recorded: {}", error.advice());
        }
        let outage = Some(Outage { since_wall_ms, cause: error.advice(), held });
        self.health.send_modify(|health| health.outage = outage);
    }

    fn volume(&mut self, scope: &Scope) -> Result<&mut Volume, JournalError> {
        self.closing.remove(scope);
        let path = place::file(scope, &self.state)?;
        if !self.volumes.contains_key(scope) {
            let (volume, sentence) = Volume::open(&path, scope, self.positions.known.get(scope), wall_ms())?;
            self.volumes.insert(scope.clone(), volume);
            if let Some(sentence) = sentence {
                self.doubt(scope.clone(), sentence);
            }
        }
        Ok(self.volumes.get_mut(scope).expect("it was opened above"))
    }
}

#[cfg(test)]
mod tests {
    use hall::Input;
    use protocol::feed::TableId;

    use super::*;
    use crate::journal::{Row, Said};

    #[test]
    fn a_file_that_is_closed_leaves_memory_and_goes_on_where_it_ended() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let health = watch::channel(Health::default()).0;
        let (mut writer, _) = Writer::open(state.path(), "test", Reading::Hall, health).expect("it is new");
        let open = |writer: &Writer| writer.volumes.keys().cloned().collect::<Vec<_>>();
        writer.drafts.extend([batch(1), batch(2)]);
        writer.flush();
        writer.volume(&round(2)).expect("it is open").add(&[&batch(2)], "test", 0);
        writer.take(Task::Close(round(1)));
        writer.take(Task::Close(round(2)));
        writer.close();
        assert_eq!(open(&writer), [Scope::Hall, round(2)], "what is not on disk stays");
        writer.flush();
        writer.close();
        assert_eq!(open(&writer), [Scope::Hall]);
        writer.drafts.push(batch(2));
        writer.flush();
        writer.close();
        assert_eq!(open(&writer), [Scope::Hall, round(2)], "whoever writes to it opens it");
        assert_eq!(writer.volumes[&round(2)].chapter().end().inputs, 3);
    }

    #[test]
    fn whoever_waited_while_the_disk_refused_is_told_so_and_nobody_after() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let health = watch::channel(Health::default()).0;
        let (mut writer, _) = Writer::open(state.path(), "test", Reading::Hall, health).expect("it is new");
        let hand_in = |writer: &mut Writer| {
            let (done, told) = oneshot::channel();
            writer.take(Task::Write(Waiting { batches: vec![batch(1)], done: Some(done) }));
            writer.flush();
            told
        };
        // A file lies where the event's folder has to be.
        let file = place::file(&round(1), state.path()).expect("a good name");
        let folder = file.parent().expect("it lies in a folder").to_owned();
        std::fs::write(&folder, "").expect("the folder above is ours");
        let mut first = hand_in(&mut writer);
        assert!(first.try_recv().is_err() && writer.health.borrow().outage.is_some());
        std::fs::remove_file(&folder).expect("it was written");
        let mut second = hand_in(&mut writer);
        let mut third = hand_in(&mut writer);
        let told = [&mut first, &mut second, &mut third]
            .map(|told| told.try_recv().expect("an answer").expect("it is written").was_refused);
        assert_eq!(told, [true, true, false]);
    }

    fn batch(number: u16) -> Batch {
        let input = Input::Elapsed { table: TableId { event: "open".to_owned(), round: number, table: 1 } };
        Batch { scope: round(number), inputs: vec![Row { t: 1, said: Said::Input(input) }], entries: Vec::new() }
    }

    fn round(number: u16) -> Scope {
        Scope::Round { event: "open".to_owned(), round: number }
    }
}
