//! Editions: numbers by which is seen that something is shown otherwise than before.

use std::collections::BTreeMap;

use protocol::feed::TableId;

/// How often the games of a round have changed, or what is shown of all.
#[derive(Clone, Debug, Default)]
pub(super) struct Editions {
    last: u64,
    all: u64,
    rounds: BTreeMap<(String, u16), u64>,
    tables: BTreeMap<TableId, u64>,
}

impl Editions {
    pub(super) fn change(&mut self, table: &TableId) {
        self.last += 1;
        self.rounds.insert((table.event.clone(), table.round), self.last);
        self.tables.insert(table.clone(), self.last);
    }

    pub(super) fn change_all(&mut self) {
        self.last += 1;
        self.all = self.last;
    }

    pub(super) fn of(&self, event: &str, round: u16) -> u64 {
        self.rounds.get(&(event.to_owned(), round)).copied().unwrap_or_default().max(self.all)
    }

    pub(super) fn of_table(&self, table: &TableId) -> u64 {
        self.tables.get(table).copied().unwrap_or_default().max(self.all)
    }
}
