//! The scribe: a thread that writes the PGN files, so that nobody who reads boards waits for them.

use std::{
    collections::BTreeSet,
    sync::{
        Arc, Mutex, PoisonError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use protocol::feed::TableId;

use super::{Book, Files, files::Of};
use crate::journal::{Committed, Entries};

/// Between two writings. Programs that watch the folder look every few seconds; two hundred tables in a blitz finish
/// would otherwise keep a memory card syncing all the time.
const PAUSE_MS: u64 = 1000;
/// The same for the file of a round, which is written whole for each move at any of its tables: late in the games of
/// forty tables it would be most of what goes to the disk.
const ROUND_PAUSE_MS: u64 = 15_000;
/// The same for the file of a whole event, which grows to megabytes and which nobody watches.
const EVENT_PAUSE_MS: u64 = 60_000;

/// Keeps the PGN files the same as the book, on a thread of its own. Dropping it writes what is not written yet.
#[derive(Debug)]
pub struct Scribe {
    told: Option<Sender<Told>>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread is told.
#[derive(Debug)]
enum Told {
    /// The games of these tables have changed.
    Changed(BTreeSet<TableId>),
    /// All the past is in the book.
    Whole,
}

impl Scribe {
    /// Starts to write. Files that fell behind the book when the daemon was killed are caught up at once. `find` is told
    /// of files that know more than the journal.
    pub fn start(
        files: Files,
        book: Arc<Mutex<Book>>,
        find: impl Fn(Vec<String>) + Send + 'static,
    ) -> std::io::Result<Scribe> {
        let (told, noted) = channel();
        let mut slates = Slates::default();
        slates.note(book.lock().unwrap_or_else(PoisonError::into_inner).tables().collect());
        let desk = Desk { files, book, slates, find: Box::new(find) };
        let thread = std::thread::Builder::new().name("scribe".to_owned()).spawn(move || desk.work(&noted))?;
        Ok(Scribe { told: Some(told), thread: Some(thread) })
    }

    /// One that writes nothing.
    #[cfg(test)]
    pub(crate) fn idle() -> Scribe {
        Scribe { told: None, thread: None }
    }

    /// All the past is in the book: files about anything else are a finding.
    pub fn note_whole(&self) {
        self.tell(Told::Whole);
    }

    /// The games of the tables this is about have changed.
    pub fn note(&self, committed: &Committed<Entries>) {
        let tables = committed.get().events.iter().filter_map(|event| event.table.clone()).collect::<BTreeSet<_>>();
        if !tables.is_empty() {
            self.tell(Told::Changed(tables));
        }
    }

    fn tell(&self, what: Told) {
        if let Some(told) = &self.told {
            // The thread ends only with the scribe.
            let _ = told.send(what);
        }
    }
}

impl Drop for Scribe {
    fn drop(&mut self) {
        drop(self.told.take());
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread of the PGN files had panicked; start again, they are written from the journal");
        }
    }
}

/// What has changed, and when it is written: at once after a pause, otherwise when the pause is over.
#[derive(Debug)]
struct Slate {
    pause_ms: u64,
    changed: BTreeSet<Of>,
    written_at: Option<u64>,
}

impl Slate {
    fn with_pause(pause_ms: u64) -> Slate {
        Slate { pause_ms, changed: BTreeSet::new(), written_at: None }
    }

    /// How long to wait before the next writing; none while there is nothing to write.
    fn wait_ms(&self, now: u64) -> Option<u64> {
        let due = self.written_at.map_or(0, |at| at + self.pause_ms);
        (!self.changed.is_empty()).then(|| due.saturating_sub(now))
    }

    /// What is to be written.
    fn wipe(&mut self, now: u64) -> BTreeSet<Of> {
        self.written_at = Some(now);
        std::mem::take(&mut self.changed)
    }
}

/// What is to be written of tables, rounds and events.
#[derive(Debug)]
struct Slates {
    tables: Slate,
    rounds: Slate,
    events: Slate,
    /// Until all the past is in the book, it does not hold the whole of any event.
    is_whole: bool,
}

impl Default for Slates {
    fn default() -> Slates {
        let [tables, rounds, events] = [PAUSE_MS, ROUND_PAUSE_MS, EVENT_PAUSE_MS].map(Slate::with_pause);
        Slates { tables, rounds, events, is_whole: false }
    }
}

impl Slates {
    /// The games of these tables have changed, and the rounds and events they are of.
    fn note(&mut self, tables: BTreeSet<TableId>) {
        self.rounds.changed.extend(tables.iter().map(Of::round));
        self.events.changed.extend(tables.iter().map(|table| Of::Event(table.event.clone())));
        self.tables.changed.extend(tables.into_iter().map(Of::Table));
    }

    fn wait_ms(&self, now: u64) -> Option<u64> {
        let events = Some(&self.events).filter(|_| self.is_whole);
        [&self.tables, &self.rounds].into_iter().chain(events).filter_map(|slate| slate.wait_ms(now)).min()
    }

    /// What is due, or all of it.
    fn wipe(&mut self, all: bool, now: u64) -> BTreeSet<Of> {
        let events = Some(&mut self.events).filter(|_| self.is_whole);
        let slates = [&mut self.tables, &mut self.rounds].into_iter().chain(events);
        let due = slates.filter(|slate| all || slate.wait_ms(now) == Some(0));
        due.flat_map(|slate| slate.wipe(now)).collect()
    }
}

struct Desk {
    files: Files,
    book: Arc<Mutex<Book>>,
    slates: Slates,
    find: Box<dyn Fn(Vec<String>) + Send>,
}

impl Desk {
    fn work(mut self, noted: &Receiver<Told>) {
        let began = Instant::now();
        let now = || u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        loop {
            let heard = match self.slates.wait_ms(now()) {
                None => noted.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(wait) => noted.recv_timeout(Duration::from_millis(wait)),
            };
            match heard {
                Ok(Told::Changed(tables)) => self.slates.note(tables),
                Ok(Told::Whole) => {
                    self.slates.is_whole = true;
                    self.look_for_unknown();
                }
                Err(RecvTimeoutError::Timeout) => self.write(false, now()),
                Err(RecvTimeoutError::Disconnected) => return self.write(true, now()),
            }
        }
    }

    fn write(&mut self, all: bool, now: u64) {
        let changed = self.slates.wipe(all, now);
        // The book is free again before the first byte goes to the disk.
        let book = || self.book.lock().unwrap_or_else(PoisonError::into_inner);
        let pages = self.files.pages(&book(), changed);
        for sentence in self.files.write(pages, |event, round| book().round_pgn(event, round)) {
            tracing::error!("{sentence}");
        }
        self.tell_findings();
    }

    fn look_for_unknown(&mut self) {
        let book = self.book.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.files.look_for_unknown(&book);
        self.tell_findings();
    }

    fn tell_findings(&mut self) {
        let findings = self.files.take_findings();
        if !findings.is_empty() {
            findings.iter().for_each(|finding| tracing::error!("{finding}"));
            (self.find)(findings);
        }
    }
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Entry, TableEvent, Variant};

    use super::*;

    #[test]
    fn the_first_change_is_written_at_once_and_the_next_a_second_later() {
        let mut slates = Slates::default();
        assert_eq!(slates.wait_ms(5_000), None);
        slates.note(BTreeSet::from([table(1)]));
        assert_eq!(slates.wait_ms(5_000), Some(0));
        let of_both = |number| BTreeSet::from([Of::Table(table(number)), Of::round(&table(number))]);
        assert_eq!(slates.wipe(false, 5_000), of_both(1));
        slates.note(BTreeSet::from([table(2)]));
        assert_eq!(slates.wait_ms(5_200), Some(800));
        assert_eq!(slates.wait_ms(7_000), Some(0));
        assert_eq!(slates.wipe(false, 7_000), BTreeSet::from([Of::Table(table(2))]), "its round waits for other moves");
        assert_eq!(slates.wait_ms(7_000), Some(13_000));
        slates.note(BTreeSet::from([table(2)]));
        assert_eq!(slates.wipe(false, 20_000), of_both(2));
    }

    #[test]
    fn an_event_is_written_once_a_minute_and_not_before_all_of_it_is_known() {
        let (mut slates, open) = (Slates::default(), || BTreeSet::from([Of::Event("open".to_owned())]));
        slates.note(BTreeSet::from([table(1)]));
        slates.wipe(false, 0);
        assert_eq!(slates.wait_ms(200_000), None);
        slates.is_whole = true;
        assert_eq!(slates.wipe(false, 200_000), open());
        slates.note(BTreeSet::from([table(1)]));
        assert_eq!(slates.wipe(false, 201_000), BTreeSet::from([Of::Table(table(1)), Of::round(&table(1))]));
        assert_eq!(slates.wait_ms(201_000), Some(59_000));
        assert_eq!(slates.wipe(true, 202_000), open(), "nothing is left undone at the end");
    }

    #[test]
    fn what_was_noted_last_is_on_disk_when_the_scribe_is_gone() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let book = Arc::new(Mutex::new(Book::default()));
        let scribe = Scribe::start(Files::new(state.path()), Arc::clone(&book), drop).expect("a thread");
        let pgn = |number: u16| std::fs::read_to_string(Files::new(state.path()).table_path(&table(number)));
        for number in 1..=20 {
            scribe.note(&begin(&book, number));
        }
        scribe.note_whole();
        drop(scribe);
        let all = std::fs::read_to_string(Files::new(state.path()).event_path("open")).expect("the event's file");
        assert_eq!(all.matches("[Board ").count(), 20);
        for number in 1..=20 {
            assert!(pgn(number).expect("the file is there").contains(&format!("[Board \"{number}\"]")), "{number}");
        }
    }

    #[test]
    fn files_that_fell_behind_are_caught_up_at_the_start() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let book = Arc::new(Mutex::new(Book::default()));
        begin(&book, 1);
        drop(Scribe::start(Files::new(state.path()), book, drop).expect("a thread"));
        assert!(Files::new(state.path()).table_path(&table(1)).is_file());
    }

    fn begin(book: &Mutex<Book>, number: u16) -> Committed<Entries> {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        let event = Entry::Started { game: 1, fen, variant: Variant::Standard }.into();
        let events = vec![TableEvent { table: Some(table(number)), t: 0, event }];
        let committed = Committed::for_a_test(Entries { events, ..Entries::default() });
        book.lock().expect("nobody panicked").apply(&committed);
        committed
    }

    fn table(number: u16) -> TableId {
        TableId { event: "open".to_owned(), round: 1, table: number }
    }
}
