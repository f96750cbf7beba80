//! All games of all rounds, as far as they are final.

use std::{collections::BTreeMap, ops::Deref};

use protocol::feed::{
    Command, Correction, Entry, Event, GameResult, Player, TableEvent, TableId, TimeControl, Variant,
};

use super::pgn;
use crate::journal::{Committed, Entries};

/// The record of the hall: the games as far as they are on disk. What is not committed can't be written into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    games: Games,
    editions: Editions,
}

/// How often what stands at an address has changed. Books are the same by what they hold, however it got there.
#[derive(Clone, Debug, Default)]
struct Editions {
    last: u64,
    /// Another round was opened.
    open: u64,
    rounds: BTreeMap<(String, u16), u64>,
    tables: BTreeMap<TableId, u64>,
}

impl PartialEq for Editions {
    fn eq(&self, _: &Editions) -> bool {
        true
    }
}

impl Eq for Editions {}

impl Book {
    /// Takes what was committed: the rounds that were opened, and what follows.
    pub fn apply(&mut self, committed: &Committed<Entries>) {
        let entries = committed.get();
        entries.done.iter().for_each(|done| self.games.note(&done.order.command));
        entries.events.iter().for_each(|event| self.games.apply(event));
        self.editions.note(entries);
    }

    /// A number that is another whenever what [`Games::round_pgn`] gives may be another.
    pub fn round_edition(&self, event: &str, round: u16) -> u64 {
        let of_the_round = self.editions.rounds.get(&(event.to_owned(), round)).copied();
        of_the_round.unwrap_or_default().max(self.editions.open)
    }

    /// The same for [`Games::table_pgn`].
    pub fn table_edition(&self, table: &TableId) -> u64 {
        self.editions.tables.get(table).copied().unwrap_or_default().max(self.editions.open)
    }
}

impl Editions {
    /// The orders that open rounds change the tags of all that is in them.
    fn note(&mut self, entries: &Entries) {
        self.last += 1;
        if entries.done.iter().any(|done| matches!(done.order.command, Command::OpenRound { .. })) {
            self.open = self.last;
        }
        let entered = entries.events.iter().filter(|event| matches!(event.event, Event::Entry(_)));
        for table in entered.filter_map(|event| event.table.as_ref()) {
            self.rounds.insert((table.event.clone(), table.round), self.last);
            self.tables.insert(table.clone(), self.last);
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
}

/// What all games of a round have in common, and its tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) title: String,
    pub(super) site: String,
    pub(super) date: String,
    pub(super) time_control: Option<TimeControl>,
    tables: BTreeMap<u16, Sheet>,
}

/// One pairing and its games: as a rule one, and one more each time the men are put up again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sheet {
    /// The last one that was said.
    pairing: Option<(Player, Player)>,
    pub(super) time_control: Option<TimeControl>,
    games: Vec<Game>,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Game {
    pub(super) number: u32,
    pub(super) start: String,
    pub(super) variant: Variant,
    /// Who plays it.
    pub(super) pairing: Option<(Player, Player)>,
    pub(super) moves: Vec<Move>,
    pub(super) result: GameResult,
    /// Moves that were played after the game was over. They are no part of it.
    pub(super) void: Vec<String>,
}

/// A final move and what the mover's clock showed after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Move {
    pub(super) san: String,
    pub(super) clock_ms: Option<u64>,
    /// Not legal, and it stands: the position after it.
    pub(super) illegal: Option<String>,
}

impl Games {
    /// Takes an order. What the tags of a round need is in the one that opened it.
    pub fn note(&mut self, command: &Command) {
        if let Command::OpenRound { event, round, title, site, date, time_control, rules: _ } = command {
            self.open_round(event, *round, title, site, date);
            self.set_time_control(event, *round, *time_control);
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
        title.clone_into(&mut round.title);
        site.clone_into(&mut round.site);
        date.clone_into(&mut round.date);
    }

    /// Takes one event. What is only seen, and events without a table, change nothing.
    pub fn apply(&mut self, event: &TableEvent) {
        let (Some(table), Event::Entry(entry)) = (&event.table, &event.event) else { return };
        let round = self.rounds.entry((table.event.clone(), table.round)).or_default();
        round.tables.entry(table.table).or_default().apply(entry);
    }

    /// The round that was opened last.
    pub fn open(&self) -> Option<(&str, u16)> {
        self.open.as_ref().map(|(event, round)| (event.as_str(), *round))
    }

    /// How many moves of the game that is on at a table are final.
    pub fn plies(&self, table: &TableId) -> usize {
        let round = self.rounds.get(&(table.event.clone(), table.round));
        let sheet = round.and_then(|round| round.tables.get(&table.table));
        sheet.and_then(|sheet| sheet.games.last()).map_or(0, |game| game.moves.len())
    }

    /// All tables of all rounds.
    pub fn tables(&self) -> impl Iterator<Item = TableId> {
        self.rounds.iter().flat_map(|((event, round), found)| {
            found.tables.keys().map(|table| TableId { event: event.clone(), round: *round, table: *table })
        })
    }

    /// All games of a round, in the order of the tables. Empty while there are none.
    pub fn round_pgn(&self, event: &str, round: u16) -> String {
        let key = (event.to_owned(), round);
        let Some(found) = self.rounds.get(&key) else { return String::new() };
        let table = |table: &u16| TableId { event: event.to_owned(), round, table: *table };
        found.tables.iter().flat_map(|(number, sheet)| sheet.pgn(found, &table(number))).collect::<Vec<_>>().join("\n")
    }

    /// All games of all rounds.
    pub fn all_pgn(&self) -> String {
        let rounds = self.rounds.keys().map(|(event, round)| self.round_pgn(event, *round));
        rounds.filter(|pgn| !pgn.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// The games of one table, in the order they were played. Empty while there are none.
    pub fn table_pgn(&self, table: &TableId) -> String {
        let round = self.rounds.get(&(table.event.clone(), table.round));
        let Some((round, sheet)) = round.and_then(|round| Some((round, round.tables.get(&table.table)?))) else {
            return String::new();
        };
        sheet.pgn(round, table).join("\n")
    }
}

impl Sheet {
    fn apply(&mut self, entry: &Entry) {
        match entry {
            Entry::Started { game, fen, variant } => {
                self.games.retain(|earlier| earlier.number < *game);
                self.games.push(Game::new(*game, fen.clone(), *variant, self.pairing.clone()));
            }
            Entry::Paired { white, black, time_control } => {
                self.pair(white, black);
                self.time_control = *time_control;
            }
            Entry::Final { ply, san, clock_ms, fen, illegal, .. } => {
                let illegal = illegal.then(|| fen.clone());
                self.game().set(*ply, Move { san: san.clone(), clock_ms: *clock_ms, illegal });
            }
            Entry::Corrected { from_ply, old, new, reason } => {
                self.game().correct(*from_ply, new);
                if *reason == Correction::AfterTheEnd {
                    self.game().void.clone_from(old);
                }
            }
            Entry::Result { result, .. } => self.game().result = *result,
            Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal(_)
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Alert(_) => {}
        }
    }

    /// Who plays the game that is on, and the next ones. A game that is over keeps its players, but for a name that
    /// was wrong: then the other player is the same.
    fn pair(&mut self, white: &Player, black: &Player) {
        let pairing = (white.clone(), black.clone());
        let mends = self.pairing.as_ref().is_none_or(|known| known.0 == pairing.0 || known.1 == pairing.1);
        if let Some(last) = self.games.last_mut().filter(|last| last.result == GameResult::Open || mends) {
            last.pairing = Some(pairing.clone());
        }
        self.pairing = Some(pairing);
    }

    fn game(&mut self) -> &mut Game {
        if self.games.is_empty() {
            self.games.push(Game::new(1, pgn::INITIAL.to_owned(), Variant::Standard, self.pairing.clone()));
        }
        self.games.last_mut().expect("a game was added if there was none")
    }

    fn pgn(&self, round: &Round, table: &TableId) -> Vec<String> {
        let not_begun = Game::new(0, pgn::INITIAL.to_owned(), Variant::Standard, self.pairing.clone());
        let (last, earlier) = match self.games.split_last() {
            Some((last, earlier)) => (last, earlier),
            None if self.pairing.is_some() => (&not_begun, [].as_slice()),
            None => return Vec::new(),
        };
        // A start that no move followed was only men being put up.
        let earlier = earlier.iter().filter(|game| !game.moves.is_empty() || game.result != GameResult::Open);
        (1..).zip(earlier.chain([last])).map(|(nth, game)| pgn::game(round, table, self, nth, game)).collect()
    }
}

impl Game {
    fn new(number: u32, start: String, variant: Variant, pairing: Option<(Player, Player)>) -> Game {
        Game { number, start, variant, pairing, moves: Vec::new(), result: GameResult::Open, void: Vec::new() }
    }

    /// A move that is there already may come again with its clock. One that does not follow what is there is left out:
    /// a PGN with a hole is worse than a short one.
    fn set(&mut self, ply: usize, played: Move) {
        let Some(at) = ply.checked_sub(1).filter(|at| *at <= self.moves.len()) else { return };
        match self.moves.get_mut(at) {
            Some(known) if known.san == played.san => known.clock_ms = played.clock_ms.or(known.clock_ms),
            _ => {
                self.moves.truncate(at);
                self.moves.push(played);
            }
        }
    }

    /// Moves that the correction repeats keep their clocks.
    fn correct(&mut self, from_ply: usize, new: &[String]) {
        let from = from_ply.saturating_sub(1);
        if from > self.moves.len() {
            return;
        }
        let replaced = self.moves.split_off(from);
        let repeated = replaced.iter().zip(new).take_while(|(old, new)| old.san == **new).count();
        self.moves.extend(replaced.into_iter().take(repeated));
        self.moves.extend(new.iter().skip(repeated).map(|san| Move {
            san: san.clone(),
            clock_ms: None,
            illegal: None,
        }));
    }
}
