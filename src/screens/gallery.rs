//! The gallery: where viewers stand. One thread owns all their sockets and writes the same bytes to each.
//!
//! A task per viewer costs a fifth more CPU for each delivery, and the last of a thousand sees the move later.

use std::{
    collections::VecDeque,
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use rustix::{
    buffer::spare_capacity,
    event::{
        Timespec,
        epoll::{self, CreateFlags, EventData, EventFlags},
    },
    fd::OwnedFd,
    io::Errno,
};

use super::{
    desk::{Desk, Guest, Note},
    line::Line,
    notice::Notice,
    stream::{Streams, Subject},
    viewer::{GoodBye, PATIENCE_MS, Viewer},
    views::Views,
};

/// A page that hears nothing for twice as long says that the connection is lost.
const BEAT_MS: u64 = 5_000;
/// Sockets looked after in one turn; with more of them the others come in the next.
const TURN: usize = 256;
/// The bell's place; no viewer stands there.
const BELL: u64 = u64::MAX;

pub(super) struct Gallery {
    clock: Box<dyn Fn() -> u64 + Send>,
    desk: Arc<Desk>,
    streams: Streams,
    floor: Floor,
    /// What waits until it is known how everything stands.
    held: Option<Vec<Note>>,
    opened: Instant,
    /// When the next beat is due, while anybody is there.
    beat_at: Option<u64>,
}

impl Gallery {
    pub(super) fn open(run: String, clock: Box<dyn Fn() -> u64 + Send>, desk: Arc<Desk>) -> io::Result<Gallery> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, desk.bell(), EventData::new_u64(BELL), EventFlags::IN)?;
        let floor = Floor { epoll, places: Vec::new(), free: Vec::new() };
        let (streams, opened) = (Streams::new(run), Instant::now());
        Ok(Gallery { clock, desk, streams, floor, held: None, opened, beat_at: None })
    }

    /// Runs until the feed is over.
    pub(super) fn run(mut self) {
        let mut ready = Vec::with_capacity(TURN);
        loop {
            if let Err(error) = epoll::wait(&self.floor.epoll, spare_capacity(&mut ready), self.pause().as_ref())
                && error != Errno::INTR
            {
                tracing::error!(%error, "waiting for screens failed; the feed ends");
                return;
            }
            // Notes first: what happened leaves before anything that viewers ask for.
            if ready.iter().any(|event| event.data.u64() == BELL) && self.read_notes() {
                return;
            }
            for event in ready.drain(..).filter(|event| event.data.u64() != BELL) {
                self.attend(place_of(event.data), event.flags);
            }
            self.keep_time();
        }
    }

    /// True once the feed is over.
    fn read_notes(&mut self) -> bool {
        let mut notes = VecDeque::from(self.desk.clear());
        while let Some(note) = notes.pop_front() {
            let wants_to_see = matches!(note, Note::Came { .. } | Note::Asked(..) | Note::Read(..));
            if let Some(held) = self.held.as_mut().filter(|_| wants_to_see) {
                held.push(note);
                continue;
            }
            match note {
                Note::Held => self.held = Some(Vec::new()),
                Note::Released => self.held.take().into_iter().flatten().rev().for_each(|note| notes.push_front(note)),
                Note::Happened(events) => events.iter().for_each(|event| self.streams.take(event)),
                Note::Aired(pictures) => pictures.into_iter().for_each(|picture| self.streams.show(picture)),
                Note::Restored(views) => self.restore(*views),
                Note::Recalled(events, glimpses) => {
                    let anew = self.streams.recall(&events, &glimpses);
                    self.show_anew(anew);
                }
                Note::Noticed(notice) => self.notice(notice),
                Note::Came { subject, pass, guest } => self.admit(&subject, pass, guest),
                Note::Expelled(pass) => self.expel(pass),
                // Whoever asked may have gone meanwhile.
                Note::Asked(door, answer) => drop(answer.send(self.streams.view(door))),
                Note::Read(door, answer) => drop(answer.send(self.streams.document(door))),
                Note::Over => {
                    self.dismiss_all();
                    return true;
                }
            }
        }
        self.send_changes();
        false
    }

    fn admit(&mut self, subject: &Subject, pass: Option<u32>, guest: Guest) {
        // What happened before they came is in their snapshot and must not follow it.
        self.send_changes();
        let (now, Guest { line, answer, said }) = (self.now(), guest);
        let at = match self.floor.place(subject, pass, line, now) {
            Ok(at) => at,
            Err(error) => return tracing::debug!(%error, "a viewer went away at the door"),
        };
        self.streams.follow(subject, at);
        self.desk.count(self.floor.count());
        self.beat_at.get_or_insert(now + BEAT_MS);
        let snapshot = self.streams.snapshot(subject, (self.clock)());
        self.one(at, |viewer, _, _| {
            viewer.greet(answer, &snapshot, now)?;
            viewer.hear(&said, now)
        });
    }

    /// Says good-bye to all who came by this pass.
    fn expel(&mut self, pass: u32) {
        let now = self.now();
        for at in self.floor.holders(pass) {
            self.one(at, |viewer, _, _| viewer.dismiss(GoodBye::TAKEN_BACK, now));
        }
    }

    fn restore(&mut self, views: Views) {
        self.streams.restore(views);
        self.show_anew(self.streams.followed());
    }

    /// All who follow these get a snapshot.
    fn show_anew(&mut self, subjects: Vec<Subject>) {
        let (now, clock) = (self.now(), (self.clock)());
        for subject in subjects {
            let snapshot = self.streams.snapshot(&subject, clock);
            self.each(&subject, |viewer| viewer.offer(&snapshot, now));
        }
    }

    /// Nobody waits for the next beat to learn it.
    fn notice(&mut self, notice: Notice) {
        self.send_changes();
        self.streams.notice(notice);
        self.beat();
    }

    fn beat(&mut self) {
        let now = self.now();
        for (subject, beat) in self.streams.beats((self.clock)()) {
            self.each(&subject, |viewer| viewer.offer_beat(&beat, now));
        }
    }

    fn send_changes(&mut self) {
        let now = self.now();
        for (subject, frame) in self.streams.frames((self.clock)()) {
            self.each(&subject, |viewer| viewer.offer(&frame, now));
        }
    }

    /// A socket has something to read, or room again, or is gone.
    fn attend(&mut self, at: usize, flags: EventFlags) {
        let (now, clock) = (self.now(), (self.clock)());
        self.one(at, |viewer, subject, streams| {
            if flags.contains(EventFlags::OUT) {
                viewer.go_on(now, || streams.snapshot(subject, clock))?;
            }
            if flags.intersects(EventFlags::IN | EventFlags::HUP | EventFlags::ERR) {
                viewer.read(now)?;
            }
            Ok(())
        });
    }

    /// The one timer: a beat for everybody, and a look for those who are lost.
    fn keep_time(&mut self) {
        let now = self.now();
        let Some(due) = self.beat_at.filter(|due| *due <= now) else { return };
        self.beat();
        for at in self.floor.lost(now) {
            tracing::info!(patience_ms = PATIENCE_MS, "a screen took nothing for too long and was let go");
            self.let_go(at);
        }
        self.beat_at = (self.floor.count() > 0).then(|| (due + BEAT_MS).max(now));
    }

    fn dismiss_all(&mut self) {
        let now = self.now();
        for subject in self.streams.followed() {
            self.each(&subject, |viewer| viewer.dismiss(GoodBye::ENDING, now));
        }
    }

    fn each(&mut self, subject: &Subject, mut act: impl FnMut(&mut Viewer<Line>) -> io::Result<()>) {
        let mut gone = Vec::new();
        for &at in self.streams.viewers(subject) {
            if self.floor.attend(at, |viewer, _| act(viewer)).is_err() {
                gone.push(at);
            }
        }
        gone.into_iter().for_each(|at| self.let_go(at));
    }

    fn one(&mut self, at: usize, act: impl FnOnce(&mut Viewer<Line>, &Subject, &mut Streams) -> io::Result<()>) {
        let Gallery { floor, streams, .. } = self;
        if floor.attend(at, |viewer, subject| act(viewer, subject, streams)).is_err() {
            self.let_go(at);
        }
    }

    fn let_go(&mut self, at: usize) {
        if let Some(subject) = self.floor.clear(at) {
            self.streams.leave(&subject, at);
            self.desk.count(self.floor.count());
        }
    }

    /// How long nothing will be due: for ever while nobody is there, so that an idle daemon sleeps.
    fn pause(&self) -> Option<Timespec> {
        let wait = Duration::from_millis(self.beat_at?.saturating_sub(self.now()));
        Timespec::try_from(wait).ok()
    }

    /// Milliseconds since the gallery opened. Patience is measured with it, as the round's clock may begin anew.
    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// The sockets, each in its place. The kernel knows them by the number of the place.
struct Floor {
    epoll: OwnedFd,
    places: Vec<Option<Place>>,
    free: Vec<usize>,
}

struct Place {
    subject: Subject,
    /// The pass they came by, where they needed one.
    pass: Option<u32>,
    viewer: Viewer<Line>,
    /// The kernel has been asked to tell when there is room.
    armed: bool,
}

impl Floor {
    fn place(&mut self, subject: &Subject, pass: Option<u32>, line: Line, now: u64) -> io::Result<usize> {
        let at = self.free.last().copied().unwrap_or(self.places.len());
        epoll::add(&self.epoll, &line, EventData::new_u64(at as u64), EventFlags::IN)?;
        let place = Place { subject: subject.clone(), pass, viewer: Viewer::new(line, now), armed: false };
        match self.free.pop() {
            Some(at) => self.places[at] = Some(place),
            None => self.places.push(Some(place)),
        }
        Ok(at)
    }

    /// Does something with the viewer at `at`. An error means that they are gone.
    fn attend(&mut self, at: usize, act: impl FnOnce(&mut Viewer<Line>, &Subject) -> io::Result<()>) -> io::Result<()> {
        let Some(Some(place)) = self.places.get_mut(at) else { return Ok(()) };
        act(&mut place.viewer, &place.subject)?;
        let wants_room = place.viewer.wants_room();
        if wants_room != place.armed {
            place.armed = wants_room;
            let interest = if wants_room { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
            epoll::modify(&self.epoll, &place.viewer.wire, EventData::new_u64(at as u64), interest)?;
        }
        Ok(())
    }

    /// Closes the socket at `at`, which takes it off the kernel's list too.
    fn clear(&mut self, at: usize) -> Option<Subject> {
        let place = self.places.get_mut(at)?.take()?;
        self.free.push(at);
        Some(place.subject)
    }

    fn lost(&self, now: u64) -> Vec<usize> {
        let is_lost = |place: &Option<Place>| place.as_ref().is_some_and(|place| place.viewer.is_lost(now));
        (0..self.places.len()).filter(|at| is_lost(&self.places[*at])).collect()
    }

    fn holders(&self, pass: u32) -> Vec<usize> {
        let holds = |place: &Option<Place>| place.as_ref().is_some_and(|place| place.pass == Some(pass));
        (0..self.places.len()).filter(|at| holds(&self.places[*at])).collect()
    }

    fn count(&self) -> usize {
        self.places.len() - self.free.len()
    }
}

fn place_of(data: EventData) -> usize {
    usize::try_from(data.u64()).expect("places are numbers of this machine's size")
}
