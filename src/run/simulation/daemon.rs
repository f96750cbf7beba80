//! One process: the real loop's rooms, joined as a start joins them, and driven by hand.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicU64, Ordering},
};

use futures_util::FutureExt as _;
use hall::Scope;
use laws::dead::Budget;
use protocol::feed::Order;
use tokio::sync::{mpsc, oneshot};

use super::{
    super::{
        alarm::Alarm,
        archive::Archive,
        awaited::{Awaited, News},
        bulletins::Bulletins,
        cables::Cables,
        core_time::CoreTime,
        day::round_to_open,
        origin::goes_on,
        outlets::Outlets,
        past::{Folded, fold},
        running::Run,
        turn::Turn,
        wall::Wall,
    },
    mutant::Mutant,
    plan::WALL_MS,
};
use crate::{
    journal::{Disk, today, wall_ms},
    press::{Counter, Source},
    prover::Prover,
    record::{Book, Scribe},
    screens::{Air, Counts, Feed, Giver, Outcome, Overheard, Placed, Told, Wish, livechess::Tap},
    sensors::{Asked, Monotonic, Sensed, Watch, What},
    voice::{self, Keypads, Speakers},
};

/// A search aside may look at so many positions: these games ask for none that is hard.
const SEARCHED: u64 = 2_000;

/// One process, from its start to its end.
pub(super) struct Daemon {
    pub(super) run: Run,
    asked: Asked,
    overheard: Overheard,
    hand: &'static AtomicU64,
    epoch: u64,
    began: u64,
    /// Orders that were given, and who waits for the answer.
    placed: Vec<(Order, oneshot::Receiver<Outcome>)>,
    mutant: Option<Mutant>,
}

impl Daemon {
    /// Reads the journal and says that it is back. Gives how everything stood.
    pub(super) fn start(
        disk: &mut Disk,
        event: Option<Order>,
        now: u64,
        mutant: Option<Mutant>,
    ) -> Result<(Daemon, Folded), String> {
        let (journal, past) = disk.open();
        let folded = fold(&past);
        if folded.unread > 0 || !folded.differing.is_empty() {
            return Err(format!("the past is read otherwise than it was told: {:?}", folded.differing));
        }
        let hand: &'static AtomicU64 = Box::leak(Box::default());
        let (feed, overheard) = Feed::by_hand().map_err(|error| error.to_string())?;
        let (watch, asked) = Watch::by_hand();
        let book: Arc<Mutex<Book>> = Arc::new(Mutex::new(folded.book.clone()));
        let air = if mutant == Some(Mutant::AirIsForgotten) { Air::default() } else { folded.air.clone() };
        let air = Arc::new(Mutex::new(air));
        let source: Arc<dyn Source> = Arc::new(Bulletins::of(Arc::clone(&air), Arc::clone(&book)));
        let press = Counter::default().start("/nowhere".as_ref(), &source).map_err(|error| error.to_string())?;
        let archive = Archive::open(journal.reader(), past.chapters[&Scope::Hall].clone(), [].into());
        let outlets = Outlets {
            feed,
            book,
            whole: Arc::default(),
            air,
            scribe: Scribe::idle(),
            press,
            voices: folded.voices.clone(),
            speakers: Speakers::new(voice::Plan::default()).0,
            keypads: Keypads::new().0,
        };
        let epoch = goes_on(past.last_moment(), None, wall_ms());
        let run = Run {
            time: CoreTime::after(folded.last_t, Monotonic::by_hand(hand), epoch),
            hall: folded.hall.clone(),
            awaited: Awaited::default(),
            archive: archive.map_err(|error| error.to_string())?,
            cables: Cables::new(watch, Tap::default()),
            outlets,
            prover: Prover::by_hand(),
            alarm: Alarm::new(journal.health(), mpsc::unbounded_channel().1),
            journal,
            counts: Counts::default(),
            wall: Wall::default(),
        };
        let mut daemon = Daemon { run, asked, overheard, hand, epoch, began: now, placed: Vec::new(), mutant };
        daemon.run.go_on_air();
        if mutant != Some(Mutant::BackWithoutAWord) {
            daemon.turn(now, |run, turn| run.come_back(&folded, turn));
        }
        let order = event.or_else(|| round_to_open(&daemon.run.hall, folded.last_t, daemon.run.now(), &today()));
        order.into_iter().for_each(|order| daemon.order(order, now));
        Ok((daemon, folded))
    }

    /// When it comes back by itself, by the clock of the world.
    pub(super) fn deadline(&self) -> Option<u64> {
        let hall = self.run.hall.deadline().filter(|_| self.mutant != Some(Mutant::DeadlinesAreForgotten));
        let due = [hall, self.run.on_air_at()].into_iter().flatten().min()?;
        Some(due.saturating_sub(self.epoch) + self.began)
    }

    /// The core's time at a moment of the world.
    pub(super) fn core_time(&self, now: u64) -> u64 {
        self.epoch + now - self.began
    }

    /// What is due by itself.
    pub(super) fn elapse(&mut self, now: u64) {
        self.turn(now, |run, turn| {
            let now = run.time.stamp();
            turn.elapse(&mut run.hall, now);
        });
        self.run.go_on_air();
    }

    /// What was sensed at a port, in one turn.
    pub(super) fn hear(&mut self, port: &Arc<str>, heard: Vec<What>, now: u64) {
        if heard.is_empty() {
            return;
        }
        let at = now - self.began;
        self.turn(now, |run, turn| {
            heard.into_iter().for_each(|what| run.hear(Sensed { port: Arc::clone(port), at, what }, turn));
        });
    }

    pub(super) fn order(&mut self, order: Order, now: u64) {
        let (placed, outcome) = Placed::new(Wish::Order(order.clone()), Giver::house());
        self.placed.push((order, outcome));
        self.set_clock(now);
        let mut turn = Turn::default();
        let replies = self.run.receive(placed, &mut turn).into_iter().collect();
        self.run.ask(&mut turn);
        self.run.close(turn, replies);
    }

    /// The orders that were answered as done since the last look.
    pub(super) fn done(&mut self) -> Vec<Order> {
        let mut done = Vec::new();
        self.placed.retain_mut(|(order, outcome)| match outcome.try_recv() {
            Ok(Outcome::Done(_)) => {
                done.push(order.clone());
                false
            }
            Ok(_) | Err(oneshot::error::TryRecvError::Closed) => false,
            Err(oneshot::error::TryRecvError::Empty) => true,
        });
        done
    }

    /// Takes what the disk has said.
    pub(super) fn hear_disk(&mut self, now: u64) {
        self.set_clock(now);
        while let Some(Ok(news)) = self.run.awaited.next().now_or_never() {
            self.run.hear_of(news);
        }
        while self.run.alarm.changed().now_or_never().is_some() {}
        self.run.go_on_air();
    }

    /// The disk has not answered for too long.
    pub(super) fn miss_disk(&mut self) {
        if !self.run.awaited.is_empty() && !self.run.awaited.is_late() {
            self.run.hear_of(News::Late);
        }
    }

    /// What tables ask is searched aside.
    pub(super) fn search(&mut self, now: u64) {
        while let Some(found) = self.run.prover.answer(Budget(SEARCHED)) {
            self.turn(now, |run, turn| run.take_found(found, turn));
        }
    }

    /// The ports whose boards are to show all their squares.
    pub(super) fn asked(&mut self) -> Vec<String> {
        self.asked.ports()
    }

    pub(super) fn notes(&self) -> Vec<Told> {
        self.overheard.notes()
    }

    fn turn(&mut self, now: u64, act: impl FnOnce(&mut Run, &mut Turn)) {
        self.set_clock(now);
        let mut turn = Turn::default();
        act(&mut self.run, &mut turn);
        if let Some(jump) = self.run.wall.look(wall_ms(), self.run.time.ticks()) {
            self.run.see_clock_jump(jump, &mut turn);
        }
        self.run.ask(&mut turn);
        self.run.close(turn, Vec::new());
    }

    fn set_clock(&self, now: u64) {
        let shown = match self.mutant {
            Some(Mutant::TimeOfTheWall) => wall_ms().saturating_sub(WALL_MS),
            _ => now - self.began,
        };
        self.hand.store(shown, Ordering::SeqCst);
    }
}
