//! Editions: numbers by which is seen that what stands at an address may be another text, and since when.
//!
//! Pure. Two books are the same by what they hold, however it got there: their editions make no difference.

use std::collections::BTreeMap;

use protocol::feed::{RoundView, TableId};

/// How often the games of a table, of a round, or of all have changed.
#[derive(Clone, Debug, Default)]
pub struct Editions {
    last: u64,
    all: Change,
    rounds: BTreeMap<(String, u16), Change>,
    tables: BTreeMap<TableId, Change>,
}

/// The last change, and the time of the latest.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    edition: u64,
    t: u64,
}

impl Change {
    fn note(&mut self, edition: u64, t: u64) {
        *self = Change { edition, t: self.t.max(t) };
    }

    fn time(self) -> Option<u64> {
        Some(self.t).filter(|t| *t > 0)
    }

    fn with(self, other: Change) -> Change {
        Change { edition: self.edition.max(other.edition), t: self.t.max(other.t) }
    }
}

impl PartialEq for Editions {
    fn eq(&self, _: &Editions) -> bool {
        true
    }
}

impl Eq for Editions {}

impl Editions {
    /// Something has changed at a table at the time `t`; none where nobody says when.
    pub fn change(&mut self, table: &TableId, t: Option<u64>) {
        self.last += 1;
        let (edition, t) = (self.last, t.unwrap_or_default());
        self.rounds.entry((table.event.clone(), table.round)).or_default().note(edition, t);
        self.tables.entry(table.clone()).or_default().note(edition, t);
    }

    /// Something has changed everywhere; at the time `t`, where it shows in the texts themselves.
    pub fn change_all(&mut self, t: Option<u64>) {
        self.last += 1;
        self.all.note(self.last, t.unwrap_or_default());
    }

    /// A round is called otherwise, or has another day: it shows in all its games, and in what is meant by the round that
    /// is open.
    pub fn describe(&mut self, round: &RoundView, t: u64) {
        self.change_all(None);
        self.rounds.entry((round.event.clone(), round.round)).or_default().note(self.last, t);
    }

    /// A number that is another whenever the games of a round may be others.
    pub fn of(&self, event: &str, round: u16) -> u64 {
        self.round(event, round).edition
    }

    /// The same of a table.
    pub fn of_table(&self, table: &TableId) -> u64 {
        self.table(table).edition
    }

    /// The same of all rounds of an event.
    pub fn of_event(&self, event: &str) -> u64 {
        self.event(event).edition
    }

    /// When the games of a round have changed last, where somebody has said so.
    pub fn changed(&self, event: &str, round: u16) -> Option<u64> {
        self.round(event, round).time()
    }

    /// The same of a table.
    pub fn table_changed(&self, table: &TableId) -> Option<u64> {
        self.table(table).time()
    }

    /// The same of all rounds of an event.
    pub fn event_changed(&self, event: &str) -> Option<u64> {
        self.event(event).time()
    }

    fn round(&self, event: &str, round: u16) -> Change {
        self.rounds.get(&(event.to_owned(), round)).copied().unwrap_or_default().with(self.all)
    }

    fn table(&self, table: &TableId) -> Change {
        self.tables.get(table).copied().unwrap_or_default().with(self.all)
    }

    fn event(&self, event: &str) -> Change {
        let rounds = self.rounds.iter().filter(|((name, _), _)| name == event);
        rounds.fold(self.all, |all, (_, round)| all.with(*round))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_where_it_shows_and_with_the_latest_time() {
        let table = |round: u16, table: u16| TableId { event: "open".to_owned(), round, table };
        let mut editions = Editions::default();
        assert_eq!(editions.changed("open", 1), None);
        editions.change(&table(1, 1), Some(5000));
        editions.change(&table(1, 2), Some(9000));
        // An earlier round may be read later, and what a clock shows says no time.
        editions.change(&table(2, 1), Some(3000));
        let before = editions.of_table(&table(1, 1));
        editions.change(&table(1, 1), None);
        assert_ne!(editions.of_table(&table(1, 1)), before);
        assert_eq!(editions.table_changed(&table(1, 1)), Some(5000));
        assert_eq!((editions.changed("open", 1), editions.changed("open", 2)), (Some(9000), Some(3000)));
        assert_eq!((editions.event_changed("open"), editions.event_changed("youth")), (Some(9000), None));
        let round = |event: &str| RoundView { event: event.to_owned(), round: 2, ..RoundView::default() };
        let before = editions.of("open", 1);
        editions.describe(&round("youth"), 15_000);
        assert_ne!(editions.of("open", 1), before, "it may be another round that is open");
        assert_eq!((editions.changed("open", 1), editions.changed("youth", 2)), (Some(9000), Some(15_000)));
        editions.change_all(Some(20_000));
        assert_eq!((editions.changed("open", 2), editions.event_changed("youth")), (Some(20_000), Some(20_000)));
    }
}
