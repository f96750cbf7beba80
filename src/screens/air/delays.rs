//! How far spectators are behind: of all, of an event, of a table.

use std::{collections::BTreeMap, fmt};

use protocol::feed::{Command, Delay, Order, TableId};

/// For what something was ordered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    All,
    Event(String),
    Table(TableId),
}

impl Extent {
    /// Of a table where one is named, of an event, or of all.
    pub(super) fn of(table: Option<&TableId>, event: Option<&String>) -> Extent {
        match (table, event) {
            (Some(table), _) => Extent::Table(table.clone()),
            (None, Some(event)) => Extent::Event(event.clone()),
            (None, None) => Extent::All,
        }
    }

    pub(super) fn covers(&self, table: &TableId) -> bool {
        match self {
            Extent::All => true,
            Extent::Event(event) => table.event == *event,
            Extent::Table(one) => table == one,
        }
    }

    /// Whether it is about anything of an event.
    pub(super) fn touches(&self, event: &str) -> bool {
        match self {
            Extent::All => true,
            Extent::Event(one) => event == one,
            Extent::Table(table) => table.event == event,
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Extent::All => f.write_str("all events"),
            Extent::Event(event) => f.write_str(event),
            Extent::Table(table) => table.fmt(f),
        }
    }
}

/// The delays in force. The narrowest counts, and what is ordered for many ends what was ordered for some of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Delays {
    all: Delay,
    events: BTreeMap<String, Delay>,
    tables: BTreeMap<TableId, Delay>,
}

impl Delays {
    pub(super) fn set(&mut self, extent: &Extent, delay: Delay) {
        self.tables.retain(|table, _| !extent.covers(table));
        match extent {
            Extent::All => {
                self.events.clear();
                self.all = delay;
            }
            Extent::Event(event) => drop(self.events.insert(event.clone(), delay)),
            Extent::Table(table) => drop(self.tables.insert(table.clone(), delay)),
        }
    }

    pub(super) fn of(&self, table: &TableId) -> Delay {
        self.tables.get(table).copied().unwrap_or_else(|| self.of_event(&table.event))
    }

    pub(super) fn of_event(&self, event: &str) -> Delay {
        self.events.get(event).copied().unwrap_or(self.all)
    }
}

/// The delay that is ordered, if one is.
pub(super) fn delay_in(order: &Order) -> Option<(Extent, Delay)> {
    let Command::Delay { event, seconds, plies } = &order.command else { return None };
    let delay = Delay { seconds: *seconds, plies: *plies };
    Some((Extent::of(order.table(), event.as_ref()), delay))
}

/// In milliseconds.
pub(super) fn behind_ms(delay: Delay) -> u64 {
    u64::from(delay.seconds) * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_narrowest_delay_counts_until_one_is_ordered_for_more() {
        let table = |event: &str| TableId { event: event.to_owned(), round: 1, table: 7 };
        let seconds = |seconds| Delay { seconds, ..Delay::default() };
        let mut delays = Delays::default();
        let all = |delays: &Delays| [delays.of(&table("a")).seconds, delays.of(&table("b")).seconds];
        delays.set(&Extent::All, seconds(900));
        delays.set(&Extent::Event("a".to_owned()), seconds(60));
        delays.set(&Extent::Table(table("a")), seconds(5));
        delays.set(&Extent::Table(table("b")), seconds(6));
        assert_eq!(all(&delays), [5, 6]);
        delays.set(&Extent::Event("a".to_owned()), seconds(30));
        assert_eq!(all(&delays), [30, 6]);
        delays.set(&Extent::All, seconds(0));
        assert_eq!(all(&delays), [0, 0]);
    }
}
