//! The agenda: which table has something to do when, so that nobody has to ask those that have not.

use std::collections::{BTreeMap, BTreeSet};

use protocol::feed::TableId;

use crate::Millis;

/// When each table has to be seen to at the latest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Agenda {
    /// The earliest first, and of those at the same time in the order of the tables.
    dues: BTreeSet<(Millis, TableId)>,
    of: BTreeMap<TableId, Millis>,
}

impl Agenda {
    /// This table has something to do then, or nothing that waits for its time.
    pub(crate) fn note(&mut self, table: &TableId, due: Option<Millis>) {
        let before = self.of.get(table).copied();
        if before == due {
            return;
        }
        if let Some(before) = before {
            self.dues.remove(&(before, table.clone()));
        }
        match due {
            Some(due) => {
                self.of.insert(table.clone(), due);
                self.dues.insert((due, table.clone()));
            }
            None => _ = self.of.remove(table),
        }
    }

    /// When the first of them has something to do.
    pub(crate) fn next(&self) -> Option<Millis> {
        self.dues.first().map(|(due, _)| *due)
    }

    /// Whether this one has something to do by `now`.
    pub(crate) fn is_due(&self, table: &TableId, now: Millis) -> bool {
        self.of.get(table).is_some_and(|due| *due <= now)
    }

    /// Those that have something to do by `now`, in the order of the tables.
    pub(crate) fn due(&self, now: Millis) -> Vec<TableId> {
        let due = self.dues.iter().take_while(|(due, _)| *due <= now).map(|(_, table)| table.clone());
        let mut due = due.collect::<Vec<_>>();
        due.sort_unstable();
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: u16) -> TableId {
        TableId { event: "open".to_owned(), round: 1, table: number }
    }

    #[test]
    fn whoever_is_due_comes_in_the_order_of_the_tables() {
        let mut agenda = Agenda::default();
        for (number, due) in [(3, 10), (1, 30), (2, 20)] {
            agenda.note(&table(number), Some(due));
        }
        assert_eq!(agenda.next(), Some(10));
        assert_eq!(agenda.due(9), []);
        assert_eq!(agenda.due(20), [table(2), table(3)]);
    }

    #[test]
    fn only_the_latest_word_of_a_table_counts() {
        let mut agenda = Agenda::default();
        agenda.note(&table(1), Some(10));
        agenda.note(&table(1), Some(40));
        assert_eq!(agenda.due(30), []);
        agenda.note(&table(1), None);
        assert_eq!((agenda.next(), agenda.due(50)), (None, Vec::new()));
    }
}
