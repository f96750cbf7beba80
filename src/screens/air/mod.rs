//! On air: the record on its way to spectators, who see it later and of some tables only. Public doors read nothing else.
//!
//! Pure. What comes in is committed, and each piece of it knows when it happened; what comes out is what it was, so much
//! later, without what was taken back meanwhile. `docs/security.md` says why this is the same as a second fold of the
//! journal up to then.

mod airing;
mod delays;
mod lag;
mod meaning;
mod rounds;
mod stage;

pub use airing::is_same_player;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use protocol::feed::{
    ClockView, Command, Delay, Entry, Event, Order, Programme, RoundView, Stage as RoundStage, TableEvent, TableId,
    TableView,
};

use self::{
    airing::Airing,
    delays::{Delays, Extent, behind_ms, delay_in},
    lag::{Age, Lag},
    rounds::{Rounds, Said},
    stage::Stage,
};
use super::doors::Open;
use crate::{
    journal::{Committed, Entries},
    record::{Editions, Games, Slip, apart},
};

/// What spectators may know.
///
/// `take` everything that is committed, in order, with the time up to which all that happened is on disk, and come back
/// at `due` with `elapse`. Then `pictures` are what is shown otherwise than before, and the games are as spectators know
/// them. While nothing is recorded nobody comes back, and what is shown stands still. A delay that is raised takes
/// nothing back: it lets nothing more through until what was shown is old enough again.
#[derive(Clone, Debug, Default)]
pub struct Air {
    now: u64,
    delays: Delays,
    /// The orders they come from, with when each was given.
    ordered: Vec<(u64, Extent, Delay)>,
    airing: Airing,
    /// Receivers outside that hold games back by themselves.
    live: BTreeSet<String>,
    /// What waits, of the tables where something does.
    lags: BTreeMap<TableId, Lag>,
    rounds: Rounds,
    stage: Stage,
    games: Games,
    editions: Editions,
    changed: BTreeSet<TableId>,
    /// How rounds stand of which spectators know since `pictures` was asked last.
    news: Vec<RoundView>,
    /// Rounds that are over and on no wall.
    shelved: BTreeSet<(String, u16)>,
}

/// Said with orders about spectators, who may be shown nothing all the same.
const STILL_CLOSED: &str = "; orders may be lost, and nothing is shown but of what the delay was ordered for since";

/// What is shown from here on. Only [`Air`] makes one, and a public door takes nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture(Pictured);

/// What of it, and how it stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Pictured {
    /// A table; none where it is not on air.
    Table(TableId, Option<Box<TableView>>),
    /// A round.
    Round(Box<RoundView>),
}

impl Picture {
    pub(super) fn pictured(&self) -> &Pictured {
        &self.0
    }

    pub(super) fn into_pictured(self) -> Pictured {
        self.0
    }
}

impl Air {
    /// Takes in what was committed. Everything that had happened by `now` is on disk.
    pub fn take(&mut self, committed: &Committed<Entries>, now: u64) {
        self.elapse(now);
        let Entries { done, events } = committed.get();
        done.iter().for_each(|done| self.order(&done.order, now));
        events.iter().for_each(|event| self.hear(event));
        self.elapse(now);
    }

    /// What an order comes to, or that it changes nothing; none where it is about something else.
    pub fn effect(&self, order: &Order) -> Option<String> {
        let said = meaning::of(order)?;
        let state = |air: &Air| (air.delays.clone(), air.airing.clone(), air.live.clone());
        let mut after =
            Air { delays: self.delays.clone(), airing: self.airing.clone(), live: self.live.clone(), ..Air::default() };
        after.order(order, 0);
        let is_news = state(&after) != state(self);
        let closed = if after.airing.is_partly_closed() { STILL_CLOSED } else { "" };
        Some(if is_news { format!("{said}{closed}") } else { format!("nothing has changed: {said} already{closed}") })
    }

    /// Orders about spectators may be lost from here on: they are shown nothing but of what the delay is ordered anew.
    pub fn close(&mut self) {
        self.airing.close();
    }

    /// Whether they are shown nothing for that cause.
    pub fn is_closed(&self) -> bool {
        self.airing.is_closed()
    }

    /// After a start: takes in an order of the past and when it was given, in the order in which they were.
    pub fn reread_order(&mut self, order: &Order, t: u64) {
        self.elapse(t);
        self.order(order, t);
    }

    /// After a start, when all orders are known: takes in what was published of some tables, as it was shown under the
    /// orders of its time.
    pub fn reread(&mut self, record: &Committed<Entries>) {
        let mut orders = self.ordered.clone().into_iter().peekable();
        let mut delays = Delays::default();
        let tables = record.get().events.iter().filter_map(|event| event.table.clone()).collect::<BTreeSet<_>>();
        for event in &record.get().events {
            while let Some((t, extent, delay)) = orders.next_if(|(t, _, _)| *t <= event.t) {
                self.show_old_rounds(t, &delays);
                tables.iter().for_each(|table| self.show_old(table, t, delays.of(table)));
                delays.set(&extent, delay);
            }
            self.hear(event);
            // So that what waits is no more than waited then.
            self.show_old_rounds(event.t, &delays);
            if let Some(table) = &event.table {
                self.show_old(table, event.t, delays.of(table));
            }
        }
        for (t, extent, delay) in orders {
            self.show_old_rounds(t, &delays);
            tables.iter().for_each(|table| self.show_old(table, t, delays.of(table)));
            delays.set(&extent, delay);
        }
    }

    /// The same for a round that is over: its games are there for whoever asks, and on no wall.
    pub fn shelve(&mut self, record: &Committed<Entries>) {
        let tables = record.get().events.iter().filter_map(|event| event.table.as_ref());
        self.shelved.extend(tables.map(round_of));
        self.reread(record);
    }

    /// A round that was over is in the hall again.
    pub fn recall(&mut self, record: &Committed<Entries>) {
        for table in record.get().events.iter().filter_map(|event| event.table.as_ref()) {
            self.shelved.remove(&round_of(table));
            self.changed.insert(table.clone());
        }
    }

    /// Shows what has become old enough by `now`.
    pub fn elapse(&mut self, now: u64) {
        self.now = self.now.max(now);
        // What clocks begin with is said with the round.
        self.show_old_rounds(self.now, &self.delays.clone());
        let tables = self.lags.keys().cloned().collect::<Vec<_>>();
        tables.iter().for_each(|table| self.show_old(table, self.now, self.delays.of(table)));
        self.lags.retain(|_, lag| !lag.is_empty());
    }

    /// Adds what spectators are shown of each round.
    pub fn tell(&self, programme: &mut Programme) {
        for plan in &mut programme.rounds {
            plan.delay = self.delays.of_event(&plan.round.event);
            plan.on_air = self.airing.of_event(&plan.round.event).clone();
        }
        programme.withheld = self.airing.withheld().cloned().collect();
    }

    /// When the next of what waits is old enough.
    pub fn due(&self) -> Option<u64> {
        let tables = self.lags.iter().filter_map(|(id, lag)| lag.due(self.now, behind_ms(self.delays.of(id))));
        tables.chain(self.rounds.due(&self.delays)).min()
    }

    /// How rounds and tables are shown that were shown otherwise when this was asked last.
    pub fn pictures(&mut self) -> Vec<Picture> {
        let (news, changed) = (std::mem::take(&mut self.news), std::mem::take(&mut self.changed));
        let rounds = news.into_iter().map(|round| Picture(Pictured::Round(Box::new(round))));
        rounds.chain(changed.into_iter().map(|table| self.picture(table))).collect()
    }

    /// The games of a round as PGN. Empty where none is on air.
    pub fn round_pgn(&self, event: &str, round: u16) -> String {
        self.games.pgn_of(event, round, |table| self.shows(table))
    }

    /// The games of an event, round after round.
    pub fn event_pgn(&self, event: &str) -> String {
        let rounds = self.games.rounds_of(event).into_iter().map(|round| self.round_pgn(event, round));
        apart(rounds)
    }

    /// One game of a table.
    pub fn game_pgn(&self, table: &TableId, game: u32) -> String {
        if self.shows(table) { self.games.game_pgn(table, game) } else { String::new() }
    }

    /// Those of a table.
    pub fn table_pgn(&self, table: &TableId) -> String {
        if self.shows(table) { self.games.table_pgn(table) } else { String::new() }
    }

    /// The round that was opened last, as far as spectators know.
    pub fn open(&self) -> Option<(&str, u16)> {
        self.games.open()
    }

    /// The rounds that are open, as far as spectators know.
    pub fn open_rounds(&self) -> Vec<(String, u16)> {
        self.games.open_rounds().map(|(event, round)| (event.to_owned(), round)).collect()
    }

    /// By which is seen that the games of a round may be others.
    pub fn editions(&self) -> &Editions {
        &self.editions
    }

    /// All rounds of which spectators know.
    pub fn rounds(&self) -> Vec<(String, u16)> {
        self.games.rounds().map(|(event, round)| (event.to_owned(), round)).collect()
    }

    /// Whether a receiver outside is told what is on air as it happens. Only an order says so.
    pub fn tells_live(&self, target: &str) -> bool {
        self.live.contains(target)
    }

    /// The tables of a round, whether they are shown or not.
    pub fn tables_of(&self, event: &str, round: u16) -> Vec<TableId> {
        self.games.tables_of(event, round)
    }

    /// Of each round of an event how many boards spectators know, and how many of them play.
    pub fn programme(&self, event: &str) -> Vec<(u16, u16)> {
        self.games.programme(event, |table| self.shows(table))
    }

    /// The games of a table for receivers outside; none where it is not on air.
    pub fn slips(&self, table: &TableId) -> Option<Vec<Slip>> {
        self.shows(table).then(|| self.games.slips(table))
    }

    /// What the clocks of a round show to spectators, by table.
    pub fn clocks(&self, event: &str, round: u16) -> BTreeMap<u16, ClockView> {
        let is_here = |view: &&TableView| view.table.event == event && view.table.round == round;
        let shown = self.stage.tables().filter(is_here).filter(|view| self.shows(&view.table));
        shown.filter_map(|view| Some((view.table.table, self.delayed(&view.table, view.clock?)))).collect()
    }

    fn order(&mut self, order: &Order, now: u64) {
        let before = self.airing.clone();
        if let Some((extent, delay)) = delay_in(order) {
            self.delays.set(&extent, delay);
            self.airing.reopen(&extent);
            self.change(&extent);
            self.ordered.push((now, extent, delay));
        }
        self.rounds.order(&order.command, now);
        if let Command::TellLive { target, live } = &order.command {
            if *live {
                self.live.insert(target.clone())
            } else {
                self.live.remove(target)
            };
        }
        if let Command::OnAir { event, tables } = &order.command {
            self.airing.set(event.as_ref(), tables);
        }
        if let Command::Withhold { player, withheld } = &order.command {
            self.airing.withhold(player, *withheld);
        }
        if self.airing != before {
            let changed =
                self.rounds.open().filter(|round| self.airing.names(&round.event) != before.names(&round.event));
            let changed = changed.map(|round| self.as_shown(round)).collect::<Vec<_>>();
            self.news.extend(changed);
            self.editions.change_all(Some(now));
            self.change(&Extent::All);
        }
    }

    fn hear(&mut self, event: &TableEvent) {
        let Some(open) = Open::to_public(event) else { return };
        if self.rounds.hear(&open) {
            return;
        }
        let (Some(table), Event::Entry(entry)) = (&event.table, &event.event) else { return };
        // A name that is withheld hides its table at once.
        if matches!(entry, Entry::Paired { .. }) {
            self.changed.insert(table.clone());
            // When it was said is nothing spectators may know before it is old enough.
            self.editions.change(table, None);
        }
        let shown = self.stage.shown(table);
        let cuts = self.lags.entry(table.clone()).or_default().take(open, shown);
        for cut in cuts {
            let cut = Open::to_public(&TableEvent { event: cut.into(), ..event.clone() });
            cut.into_iter().for_each(|cut| self.show(table, &cut));
        }
    }

    fn show_old(&mut self, table: &TableId, now: u64, delay: Delay) {
        let Some(by) = now.checked_sub(behind_ms(delay)) else { return };
        let age = Age { by, plies: delay.plies.into() };
        while let Some(open) = self.lags.get_mut(table).and_then(|lag| lag.next_of(age, self.stage.shown(table))) {
            self.show(table, &open);
        }
    }

    fn show_old_rounds(&mut self, now: u64, delays: &Delays) {
        for said in self.rounds.old(now, delays) {
            match said {
                Said::Opened(command) => {
                    self.games.note(&command);
                    self.editions.change_all(None);
                }
                Said::Stands(open) => {
                    self.games.apply(open.event());
                    if let Event::Entry(Entry::Round { round }) = &open.event().event {
                        let t = open.event().t.saturating_add(behind_ms(delays.of_event(&round.event)));
                        self.editions.describe(round, t);
                        self.rounds.note(round);
                        self.news.push(self.as_shown(round));
                    }
                }
            }
        }
    }

    /// A round as spectators are shown it: one of an event that is not on air is, for all they are told, not there.
    fn as_shown(&self, round: &RoundView) -> RoundView {
        let is_named = self.airing.names(&round.event);
        RoundView { stage: if is_named { round.stage } else { RoundStage::Closed }, ..round.clone() }
    }

    fn show(&mut self, table: &TableId, open: &Open) {
        self.stage.apply(open, self.games.base_ms(table));
        self.games.apply(open.event());
        let t = open.event().t.saturating_add(behind_ms(self.delays.of(table)));
        self.editions.change(table, Some(t));
        self.changed.insert(table.clone());
    }

    fn change(&mut self, extent: &Extent) {
        let tables = self.stage.tables().map(|table| &table.table).filter(|table| extent.covers(table));
        self.changed.extend(tables.cloned());
    }

    /// Whether spectators are shown a table: by its number, and by those who play there, have played there, or will when
    /// their pairing is old enough.
    pub fn shows(&self, table: &TableId) -> bool {
        let coming = self.lags.get(table).into_iter().flat_map(Lag::players);
        self.airing.shows(table, self.games.players(table).chain(coming))
    }

    fn picture(&self, table: TableId) -> Picture {
        let view = self
            .stage
            .table(&table)
            .filter(|_| {
                self.shows(&table) && self.stage.is_on_wall(&table) && !self.shelved.contains(&round_of(&table))
            })
            .cloned();
        let view = view.map(|view| Box::new(self.with_delay(view)));
        Picture(Pictured::Table(table, view))
    }

    /// A clock reads as it did then, so much later.
    fn delayed(&self, table: &TableId, mut clock: ClockView) -> ClockView {
        let delay = self.delays.of(table);
        clock.at += behind_ms(delay);
        // Whoever is some moves behind sees a player think about one that was made long ago.
        clock.running = clock.running.filter(|_| delay.plies == 0);
        clock
    }

    fn with_delay(&self, mut view: TableView) -> TableView {
        let delay = self.delays.of(&view.table);
        view.clock = view.clock.map(|clock| self.delayed(&view.table, clock));
        view.delay = (delay != Delay::default()).then_some(delay);
        view
    }
}

fn round_of(table: &TableId) -> (String, u16) {
    (table.event.clone(), table.round)
}
