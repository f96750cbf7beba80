//! Who is told: screens, doors that hand out PGN, files, spectators, those outside, and blind players. What is final
//! comes here as committed, and in no other form.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use hall::{Hall, Input};
use protocol::feed::{Command, Event, Order, Programme, Sight, TableEvent, TableId};

use super::unheard::{unheard_of, unraised};
use crate::{
    journal::{Committed, Entries},
    press::Press,
    record::{Book, Planned, Scribe},
    screens::{Air, Feed, Glimpses, Notice},
    voice::{Heard, Keypads, Player, Room, Speakers, Standing},
};

/// Owns them all, so that nobody is forgotten.
#[derive(Debug)]
pub(super) struct Outlets {
    /// Where events are told.
    pub(super) feed: Feed,
    /// What was published, for the doors that hand out PGN.
    pub(super) book: Arc<Mutex<Book>>,
    /// All the past is in the book.
    pub(super) whole: Arc<AtomicBool>,
    /// What spectators are shown.
    pub(super) air: Arc<Mutex<Air>>,
    /// Writes the PGN files.
    pub(super) scribe: Scribe,
    /// Tells those outside who take games in their own manner.
    pub(super) press: Press,
    /// Who is told moves aloud.
    pub(super) voices: Room,
    pub(super) speakers: Speakers,
    /// Where they ask.
    pub(super) keypads: Keypads,
}

impl Outlets {
    /// What everybody at a screen ought to know of the daemon itself.
    pub(super) fn notice(&self, notice: Notice) {
        self.feed.notice(notice);
    }

    /// Shows what is only seen.
    pub(super) fn show(&self, table: &TableId, t: u64, sight: Sight) {
        self.feed.show(table, t, vec![sight]);
    }

    /// Clocks go into PGN and are told to the blind.
    pub(super) fn see(&mut self, table: &TableId, t: u64, sight: &Sight) {
        if let Sight::Clock { .. } = sight {
            self.book().see(table, sight);
            self.voices.see(table, t, sight);
        }
    }

    /// How many plies of a table's game are published.
    pub(super) fn plies(&self, table: &TableId) -> usize {
        self.book().plies(table)
    }

    /// What was handed in is on disk: everybody is told. Spectators' time goes on to `now`, or no further than to what is
    /// told: behind it something may wait that takes it back.
    pub(super) fn tell(&mut self, committed: &Committed<Entries>, now: Option<u64>) {
        self.book().apply(committed);
        // What was seen by an order, as clocks that the arbiter has set, is told with it.
        for TableEvent { table, t, event } in &committed.get().events {
            if let (Some(table), Event::Sight(sight)) = (table, event) {
                self.see(table, *t, sight);
            }
        }
        self.feed.publish(committed);
        let last = committed.get().events.iter().map(|event| event.t).max();
        self.put_on_air(|air| air.take(committed, now.or(last).unwrap_or_default()));
        let orders = self.voices.hear(committed);
        self.speakers.order_all(orders);
        self.keypads.keep(self.voices.keypads());
        self.scribe.note(committed);
    }

    /// What was published of a round that is over goes into the book.
    pub(super) fn enter(&self, record: &Committed<Entries>) {
        self.book().apply(record);
        self.on_air().shelve(record);
        self.scribe.note(record);
        self.press.ring();
    }

    /// All the past is in the book.
    pub(super) fn note_whole(&self) {
        self.whole.store(true, Ordering::Relaxed);
        self.scribe.note_whole();
    }

    /// The tables of a round that is over are in the hall again: they may be told aloud.
    pub(super) fn listen_again(&mut self, record: &Committed<Entries>) {
        self.voices.reread_unknown(record);
    }

    /// Nobody is told the games of this round.
    pub(super) fn put_away(&mut self, event: &str, round: u16) {
        self.voices.forget(event, round);
    }

    /// Screens don't know yet that the tables of a round that is over are in the hall again.
    pub(super) fn recall(&mut self, record: &Committed<Entries>, glimpses: Glimpses) {
        glimpses.clocks().for_each(|(table, at, clock)| self.see(table, at, &clock));
        self.feed.recall(record, glimpses);
        self.on_air().recall(record);
    }

    /// When something will be old enough for spectators.
    pub(super) fn due(&self) -> Option<u64> {
        self.on_air().due()
    }

    /// Shows spectators what is old enough by now; their time stands still where there is none.
    pub(super) fn go_on_air(&self, now: Option<u64>) {
        self.put_on_air(|air| now.into_iter().for_each(|now| air.elapse(now)));
    }

    fn put_on_air(&self, change: impl FnOnce(&mut Air)) {
        let mut air = self.on_air();
        change(&mut air);
        self.feed.air(air.pictures());
        self.press.ring();
    }

    /// What an order about spectators comes to, as they are shown things now, and what it names that nobody knows.
    pub(super) fn effect(&self, order: &Order, hall: &Hall) -> Vec<String> {
        let effect = self.on_air().effect(order);
        // Until all of the past is read nobody knows what was raised.
        let is_whole = self.whole.load(Ordering::Relaxed);
        let unraised = Some(()).filter(|()| is_whole).and_then(|()| unraised(order, &self.book()));
        effect.into_iter().chain(unheard_of(order, hall, &self.book())).chain(unraised).collect()
    }

    /// An order that names players with what it leaves unsaid of them, and sentences that say so. The journal holds it whole:
    /// it is read again without the games.
    pub(super) fn completed(&self, mut order: Order, hall: &Hall) -> (Order, Vec<String>) {
        let (Command::Pair { white, black }, Some(at)) = (&mut order.command, &order.at) else {
            return (order, Vec::new());
        };
        let planned = Planned { there: hall.players(&at.table), people: hall.people(&at.table.event) };
        let Some((players, said)) = self.book().renamed(&at.table, at.game, [white, black], &planned) else {
            return (order, Vec::new());
        };
        let [of_white, of_black] = players;
        (**white, **black) = (of_white, of_black);
        (order, said)
    }

    /// What the file of a list says otherwise than the games that are over.
    pub(super) fn contradictions(&self, order: &Order) -> Vec<String> {
        let Command::Pairings { event, file: Some(file), .. } = &order.command else { return Vec::new() };
        self.book().contradictions(event, file)
    }

    /// Whether spectators are shown nothing, because orders about them may be lost.
    pub(super) fn is_closed(&self) -> bool {
        self.on_air().is_closed()
    }

    /// Says of a programme what of it spectators see.
    pub(super) fn complete(&self, mut programme: Programme) -> Programme {
        self.on_air().tell(&mut programme);
        programme
    }

    /// Begins to speak, with what nobody has heard to its end before the daemon stopped.
    pub(super) fn speak_on(&mut self) {
        let orders = self.voices.wake();
        self.speakers.order_all(orders);
        self.keypads.keep(self.voices.keypads());
    }

    /// A speaker reports: something of it may be an input.
    pub(super) fn hear_voice(&mut self, heard: Heard) -> Option<Input> {
        let (input, orders) = self.voices.take(heard);
        self.speakers.order_all(orders);
        input
    }

    /// How a player's keypad stands.
    pub(super) fn note_keypad(&mut self, player: &Player, trouble: Option<String>) {
        self.voices.note_keypad(player, trouble);
    }

    /// What a player asked for may not be asked.
    pub(super) fn refuse(&mut self, player: Player) {
        let orders = self.voices.refuse(player);
        self.speakers.order_all(orders);
    }

    /// How each voice stands.
    pub(super) fn standing(&self) -> Vec<Standing> {
        self.voices.standing()
    }

    pub(super) fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on_air(&self) -> MutexGuard<'_, Air> {
        self.air.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
