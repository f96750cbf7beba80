//! Bulletins: what is on air, as the press gives it to receivers outside.
//!
//! What is on air is asked of [`Air`] alone. Those who hold games back themselves get them out of the book, of the same
//! tables and no others.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use protocol::feed::TableId;

use crate::{
    press::{Published, Source},
    record::{Book, Bulletin, Slip},
    screens::Air,
};

/// Whether a table was asked for live, and which.
type Asked = (bool, TableId);

/// Of which edition its games are, and the games.
type Made = (u64, Vec<Arc<Slip>>);

/// The games on air, each written out once for all who are told it.
#[derive(Default)]
pub(super) struct Bulletins {
    air: Arc<Mutex<Air>>,
    book: Arc<Mutex<Book>>,
    /// Of the tables that were asked for last, live or not: the games, and of which edition they are.
    made: Mutex<BTreeMap<Asked, Made>>,
}

impl Bulletins {
    pub(super) fn of(air: Arc<Mutex<Air>>, book: Arc<Mutex<Book>>) -> Bulletins {
        Bulletins { air, book, made: Mutex::default() }
    }

    fn air(&self) -> MutexGuard<'_, Air> {
        self.air.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The games of a table; none where it is not on air.
    fn slips(&self, table: &TableId, live: bool) -> Option<Vec<Arc<Slip>>> {
        if live {
            let book = self.book();
            self.air().shows(table).then_some(())?;
            return Some(self.made((true, table.clone()), book.editions().of_table(table), || book.slips(table)));
        }
        let air = self.air();
        air.shows(table).then_some(())?;
        let make = || air.slips(table).unwrap_or_default();
        Some(self.made((false, table.clone()), air.editions().of_table(table), make))
    }

    fn live_programme(&self, event: &str) -> Vec<(u16, u16)> {
        let book = self.book();
        let air = self.air();
        book.programme(event, |table| air.shows(table))
    }

    /// The games of a table, made anew where they are others.
    fn made(&self, key: Asked, edition: u64, make: impl FnOnce() -> Vec<Slip>) -> Vec<Arc<Slip>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, slips)) = made.get(&key).filter(|(known, _)| *known == edition) {
            return slips.clone();
        }
        let slips = make().into_iter().map(Arc::new).collect::<Vec<_>>();
        // Nobody asks often for a round that is over.
        made.retain(|(_, table), _| (&table.event, table.round) == (&key.1.event, key.1.round));
        made.insert(key, (edition, slips.clone()));
        slips
    }
}

impl Source for Bulletins {
    fn rounds(&self, live: bool) -> Vec<(String, u16, u64)> {
        if !live {
            let air = self.air();
            let rounds = air.rounds().into_iter();
            return rounds.map(|(event, round)| (event.clone(), round, air.editions().of(&event, round))).collect();
        }
        let (book, air) = (self.book(), self.air());
        // Both only grow, and so does what they come to together.
        let edition = |event: &str, round| book.editions().of(event, round) + air.editions().of(event, round);
        book.rounds().map(|(event, round)| (event.to_owned(), round, edition(event, round))).collect()
    }

    fn bulletin(&self, event: &str, round: u16, live: bool) -> Bulletin {
        let tables = if live { self.book().tables_of(event, round) } else { self.air().tables_of(event, round) };
        // The loop that hears boards wants both as well, so nobody keeps them for longer than a table takes.
        let tables = tables.into_iter().map(|table| (table.table, self.slips(&table, live))).collect();
        let programme = if live { self.live_programme(event) } else { self.air().programme(event) };
        let clocks = if live { BTreeMap::new() } else { self.air().clocks(event, round) };
        Bulletin { event: event.to_owned(), round, programme, tables, clocks }
    }

    fn tells_live(&self, target: &str) -> bool {
        self.air().tells_live(target)
    }

    fn open(&self) -> Vec<(String, u16)> {
        self.air().open_rounds()
    }
}

/// For the tools of this machine: all tables, as they are. Nothing is kept for them: they ask for a round in five seconds.
impl Published for Bulletins {
    fn rounds(&self) -> Vec<(String, u16)> {
        self.book().rounds().map(|(event, round)| (event.to_owned(), round)).collect()
    }

    fn bulletin(&self, event: &str, round: u16) -> Bulletin {
        let tables = self.book().tables_of(event, round).into_iter();
        let slips = |table: &TableId| self.book().slips(table).into_iter().map(Arc::new).collect();
        let tables = tables.map(|table| (table.table, Some(slips(&table)))).collect();
        Bulletin { event: event.to_owned(), round, tables, ..Bulletin::default() }
    }
}
