//! All games of all rounds, as far as they are final.

use std::{collections::BTreeMap, ops::Deref};

use protocol::feed::{
    AlertKind, Command, Entry, Event, ReportFile, RoundView, Sight, Stage, TableEvent, TableId, TimeControl,
};

use super::{
    editions::Editions,
    imports::Imports,
    papers::Desk,
    sheet::{Game, Glance, Happened, Meeting, Round, Sheet},
};
use crate::journal::{Committed, Done, Entries};

/// The record of the hall: the games as far as they are on disk. What is not committed can't be written into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    games: Games,
    /// What clocks show at tables nothing is written of. A clock is often set before the men are, and is not read out
    /// again until it differs.
    early: BTreeMap<TableId, Glance>,
    editions: Editions,
}

impl Book {
    /// Takes what was committed: the rounds that were opened, and what follows.
    pub fn apply(&mut self, committed: &Committed<Entries>) {
        let entries = committed.get();
        entries.done.iter().for_each(|done| self.games.note(&done.order.command));
        for event in &entries.events {
            self.games.apply(event);
            let Some(table) = &event.table else { continue };
            match &event.event {
                Event::Sight(sight) => self.see(table, sight),
                Event::Entry(_) => self.catch_up(table),
            }
        }
        self.count(entries);
    }

    /// Takes in what is only seen: what a clock shows is told with a game that is on, and is not in the record.
    pub fn see(&mut self, table: &TableId, sight: &Sight) {
        let Sight::Clock { white_ms, black_ms, .. } = sight else { return };
        let clocks = Glance(Some((*white_ms, *black_ms)));
        let Some(sheet) = self.games.sheet_mut(table) else {
            self.early.insert(table.clone(), clocks);
            return;
        };
        sheet.clocks = clocks;
        if sheet.games.last().is_some_and(Game::is_open) {
            self.editions.change(table, None);
        }
    }

    /// Something is written of a table: what its clock showed before belongs there.
    fn catch_up(&mut self, table: &TableId) {
        if let Some(sheet) = self.games.sheet_mut(table)
            && let Some(clocks) = self.early.remove(table)
        {
            sheet.clocks = clocks;
        }
    }

    /// By which is seen that what [`Games::round_pgn`], [`Games::event_pgn`], [`Games::table_pgn`] and [`Games::report`]
    /// give may be another text.
    pub fn editions(&self) -> &Editions {
        &self.editions
    }

    /// The orders that open rounds change the tags of all that is in them.
    fn count(&mut self, entries: &Entries) {
        let opens = |done: &Done| matches!(done.order.command, Command::OpenRound { .. } | Command::Pairings { .. });
        if entries.done.iter().any(opens) {
            self.editions.change_all(None);
        }
        for event in &entries.events {
            match (&event.event, &event.table) {
                (Event::Entry(Entry::Round { round }), _) => self.editions.describe(round, event.t),
                (Event::Entry(_), Some(table)) => self.editions.change(table, Some(event.t)),
                (Event::Entry(_), None) | (Event::Sight(_), _) => {}
            }
        }
    }
}

impl Deref for Book {
    type Target = Games;

    fn deref(&self) -> &Games {
        &self.games
    }
}

/// Games: a fold over what was told, of which a [`Book`] is made, and what a replay tells again.
///
/// `open_round` gives what the tags need, `apply` takes every event in order; then each game can be asked for as PGN.
/// An event for a round that was never opened is kept all the same, and its tags say `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Games {
    rounds: BTreeMap<(String, u16), Round>,
    /// The round that was opened last.
    open: Option<(String, u16)>,
    imports: Imports,
}

impl Games {
    /// Takes an order. What the tags of a round need is in the one that opened it.
    pub fn note(&mut self, command: &Command) {
        self.imports.note(command);
        if let Command::OpenRound { event, round, title, site, date, time_control, rules: _ } = command {
            self.open_round(event, *round, title, site, date);
            if time_control.is_some() {
                self.set_time_control(event, *round, *time_control);
            }
        }
    }

    /// Gives a round the time control of its tables, where a pairing names no other.
    pub fn set_time_control(&mut self, event: &str, round: u16, time_control: Option<TimeControl>) {
        self.rounds.entry((event.to_owned(), round)).or_default().time_control = time_control;
    }

    /// Gives a round what its tags need: the event's name for people, the place and the day.
    pub fn open_round(&mut self, event: &str, round: u16, title: &str, site: &str, date: &str) {
        self.open = Some((event.to_owned(), round));
        let round = self.rounds.entry((event.to_owned(), round)).or_default();
        for (known, given) in [(&mut round.title, title), (&mut round.site, site), (&mut round.date, date)] {
            if !given.is_empty() {
                given.clone_into(known);
            }
        }
    }

    /// A round is as it says.
    fn describe(&mut self, view: &RoundView) {
        let RoundView { event, round, title, site, date, periods, byes, notation, stage, chess960: _ } = view.clone();
        let known = self.rounds.entry((event, round)).or_default();
        (known.title, known.site, known.date, known.periods) = (title, site, date, periods);
        (known.byes, known.notation, known.stage) = (byes, notation, stage);
    }

    /// Takes one event. What is only seen, and events without a table, change nothing.
    pub fn apply(&mut self, event: &TableEvent) {
        if let Event::Entry(Entry::Round { round: view }) = &event.event {
            return self.describe(view);
        }
        let (Some(table), Event::Entry(entry)) = (&event.table, &event.event) else { return };
        let round = self.rounds.entry((table.event.clone(), table.round)).or_default();
        round.tables.entry(table.table).or_default().apply(event.t, entry);
    }

    fn sheet_mut(&mut self, table: &TableId) -> Option<&mut Sheet> {
        let round = self.rounds.get_mut(&(table.event.clone(), table.round));
        round.and_then(|round| round.tables.get_mut(&table.table))
    }

    pub(super) fn each_round(&self) -> impl Iterator<Item = (&(String, u16), &Round)> {
        self.rounds.iter()
    }

    /// One round.
    pub(super) fn round(&self, event: &str, round: u16) -> Option<&Round> {
        self.rounds.get(&(event.to_owned(), round))
    }

    /// The round that was opened last.
    pub fn open(&self) -> Option<(&str, u16)> {
        self.open.as_ref().map(|(event, round)| (event.as_str(), *round))
    }

    /// The rounds that are open.
    pub fn open_rounds(&self) -> impl Iterator<Item = (&str, u16)> {
        let open = self.rounds.iter().filter(|(_, round)| round.stage == Stage::Open);
        open.map(|((event, round), _)| (event.as_str(), *round))
    }

    /// How many moves of the game that is on at a table are final.
    pub fn plies(&self, table: &TableId) -> usize {
        let round = self.rounds.get(&(table.event.clone(), table.round));
        let sheet = round.and_then(|round| round.tables.get(&table.table));
        sheet.and_then(|sheet| sheet.games.last()).map_or(0, |game| game.moves.len())
    }

    /// Such an alert was raised at a table at that time.
    pub fn has_alert(&self, table: &TableId, kind: AlertKind, at: u64) -> bool {
        let sheet = self.round(&table.event, table.round).and_then(|round| round.tables.get(&table.table));
        let is_it = |happened: &Happened| {
            happened.t == at && matches!(&happened.entry, Entry::Alert(alert) if alert.kind == kind)
        };
        sheet.is_some_and(|sheet| sheet.log.iter().any(is_it))
    }

    /// What both clocks of a table begin with, where that was said.
    pub fn base_ms(&self, table: &TableId) -> Option<u64> {
        let round = self.round(&table.event, table.round)?;
        round.base_ms(round.tables.get(&table.table)?)
    }

    /// All tables of all rounds of which something was ever said.
    pub fn tables(&self) -> impl Iterator<Item = TableId> {
        self.rounds.iter().flat_map(|((event, round), found)| {
            found.tables.keys().map(|table| TableId { event: event.clone(), round: *round, table: *table })
        })
    }

    /// All games of a round, in the order of the tables. Empty while there are none.
    pub fn round_pgn(&self, event: &str, round: u16) -> String {
        self.pgn_of(event, round, |_| true)
    }

    /// Those of some of its tables.
    pub fn pgn_of(&self, event: &str, round: u16, is_one: impl Fn(&TableId) -> bool) -> String {
        self.pgn_with(event, round, None, is_one)
    }

    /// The same, with what happened beside the moves as comments where it happened.
    pub fn annotated_pgn(&self, event: &str, round: u16, desk: &Desk<'_>, is_one: impl Fn(&TableId) -> bool) -> String {
        self.pgn_with(event, round, Some(desk), is_one)
    }

    fn pgn_with(&self, event: &str, round: u16, desk: Option<&Desk<'_>>, is_one: impl Fn(&TableId) -> bool) -> String {
        let Some(found) = self.rounds.get(&(event.to_owned(), round)) else { return String::new() };
        let sheets = found.there().map(|(table, sheet)| {
            let table = TableId { event: event.to_owned(), round, table };
            if is_one(&table) { sheet.pgn_of_round(found, &table, desk) } else { Vec::new() }
        });
        apart(sheets.flatten())
    }

    /// The names of all who play or have played at a table.
    pub fn players(&self, table: &TableId) -> impl Iterator<Item = &str> {
        let round = self.rounds.get(&(table.event.clone(), table.round));
        let sheet = round.and_then(|round| round.tables.get(&table.table));
        let pairings = sheet
            .into_iter()
            .flat_map(|sheet| sheet.pairing.iter().chain(sheet.games.iter().filter_map(|game| game.pairing.as_ref())));
        pairings.flat_map(|(white, black)| [white.name.as_str(), black.name.as_str()])
    }

    /// The rounds of an event.
    pub fn rounds_of(&self, event: &str) -> Vec<u16> {
        self.rounds.keys().filter(|(name, _)| name == event).map(|(_, round)| *round).collect()
    }

    /// All games of an event, round after round. Empty while there are none.
    pub fn event_pgn(&self, event: &str) -> String {
        let rounds = self.rounds.keys().filter(|(name, _)| name == event);
        let rounds = rounds.map(|(event, round)| self.round_pgn(event, *round));
        apart(rounds)
    }

    /// One game of a table, by its number. Empty where there is none.
    pub fn game_pgn(&self, table: &TableId, number: u32) -> String {
        let Some(round) = self.rounds.get(&(table.event.clone(), table.round)) else { return String::new() };
        let sheet = round.sheet(table.table);
        sheet.and_then(|sheet| sheet.game_pgn(round, table, number)).unwrap_or_default()
    }

    /// All events.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        let mut events = self.rounds.keys().map(|(event, _)| event.as_str()).collect::<Vec<_>>();
        events.dedup();
        events.into_iter()
    }

    /// Who met in the rounds of an event.
    pub fn meetings(&self, event: &str) -> impl Iterator<Item = Meeting> {
        let rounds = self.rounds.iter().filter(move |((name, _), _)| name == event);
        rounds.flat_map(|((_, round), found)| found.there().filter_map(|(_, sheet)| sheet.meeting(*round)))
    }

    pub(super) fn file(&self, event: &str) -> Option<&ReportFile> {
        self.imports.file(event)
    }

    /// All games of all rounds.
    pub fn all_pgn(&self) -> String {
        let rounds = self.rounds.keys().map(|(event, round)| self.round_pgn(event, *round));
        apart(rounds)
    }

    /// The games of one table, in the order they were played, and the one that is coming: who follows the table follows
    /// that one. Empty while there are none.
    pub fn table_pgn(&self, table: &TableId) -> String {
        let round = self.rounds.get(&(table.event.clone(), table.round));
        let Some((round, sheet)) = round.and_then(|round| Some((round, round.sheet(table.table)?))) else {
            return String::new();
        };
        apart(sheet.pgn(round, table))
    }
}

/// Games with an empty line between them, none of them longer in memory than it takes to write it down. Where there are
/// none, nothing stands.
pub(crate) fn apart(games: impl IntoIterator<Item = String>) -> String {
    games.into_iter().filter(|game| !game.is_empty()).fold(String::new(), |mut text, game| {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&game);
        text
    })
}

#[cfg(test)]
mod tests {
    use protocol::feed::{GameResult, ResultReason, Side, Variant};

    use super::*;

    #[test]
    fn a_game_that_is_on_has_the_present_times_and_one_that_is_over_has_not() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        let mut book = Book::default();
        tell(&mut book, Entry::Started { game: 1, fen, variant: Variant::Standard });
        let (san, uci, fen) = ("e4".to_owned(), "e2e4".to_owned(), String::new());
        let clock_ms = Some(5_395_000);
        tell(&mut book, Entry::Final { ply: 1, san, uci, fen, clock_ms, inferred: false, illegal: false });
        let before = book.editions().of_table(&table());
        let times = Sight::Clock { white_ms: 7_195_400, black_ms: 5_400_000, running: Some(Side::Black) };
        book.see(&table(), &times);
        assert_ne!(book.editions().of_table(&table()), before, "whoever asks again is told");
        let pgn = book.table_pgn(&table());
        assert!(pgn.contains("[WhiteClock \"1:59:55\"]\n[BlackClock \"1:30:00\"]"), "{pgn}");
        let drawn = Entry::Result { result: GameResult::Draw, reason: ResultReason::Agreement, score: None };
        tell(&mut book, drawn);
        let at_end = book.editions().of_table(&table());
        book.see(&table(), &times);
        assert!(!book.table_pgn(&table()).contains("Clock"), "{}", book.table_pgn(&table()));
        assert_eq!(book.editions().of_table(&table()), at_end);
    }

    // A live hall sees the clock first, and a restart reads the record first: both come to the same.
    #[test]
    fn a_clock_that_was_set_before_anything_was_written_of_its_table_is_told_with_its_game() {
        let mut book = Book::default();
        book.see(&table(), &Sight::Clock { white_ms: 300_000, black_ms: 300_000, running: None });
        assert_eq!(book.tables().count(), 0, "what is only seen is no record");
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        tell(&mut book, Entry::Started { game: 1, fen, variant: Variant::Standard });
        let (san, uci, fen) = ("e4".to_owned(), "e2e4".to_owned(), String::new());
        tell(&mut book, Entry::Final { ply: 1, san, uci, fen, clock_ms: None, inferred: false, illegal: false });
        assert!(book.table_pgn(&table()).contains("[WhiteClock \"0:05:00\"]\n[BlackClock \"0:05:00\"]"));
    }

    fn tell(book: &mut Book, entry: Entry) {
        let events = vec![TableEvent { table: Some(table()), t: 0, event: entry.into() }];
        book.apply(&Committed::for_a_test(Entries { events, ..Entries::default() }));
    }

    fn table() -> TableId {
        TableId { event: "open".to_owned(), round: 3, table: 1 }
    }
}
