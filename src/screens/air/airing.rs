//! Which tables spectators are shown at all.

use std::collections::{BTreeMap, BTreeSet};

use protocol::feed::{OnAir, TableId};

use super::delays::Extent;

/// What was ordered about it. At first all tables are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Airing {
    all: OnAir,
    events: BTreeMap<String, OnAir>,
    /// Players who are not to be seen.
    withheld: BTreeSet<String>,
    /// Orders about spectators may be lost: nothing is shown but of what the delay was ordered since.
    closed: Option<Vec<Extent>>,
}

/// What was ordered for an event of which nothing is shown.
const NOTHING: &OnAir = &OnAir::None;

impl Airing {
    pub(super) fn set(&mut self, event: Option<&String>, tables: &OnAir) {
        match event {
            None => {
                self.events.clear();
                self.all = tables.clone();
            }
            Some(event) => drop(self.events.insert(event.clone(), tables.clone())),
        }
    }

    pub(super) fn withhold(&mut self, player: &str, withheld: bool) {
        if withheld {
            self.withheld.insert(name_of(player))
        } else {
            self.withheld.remove(&name_of(player))
        };
    }

    /// Nothing is shown from here on, whatever was ordered.
    pub(super) fn close(&mut self) {
        self.closed = Some(Vec::new());
    }

    /// So much is shown again, as it was ordered.
    pub(super) fn reopen(&mut self, extent: &Extent) {
        self.closed.iter_mut().for_each(|reopened| reopened.push(extent.clone()));
        if *extent == Extent::All {
            self.closed = None;
        }
    }

    /// Whether something is closed, and of that nothing was opened again.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.as_ref().is_some_and(Vec::is_empty)
    }

    /// Whether something is closed.
    pub(super) fn is_partly_closed(&self) -> bool {
        self.closed.is_some()
    }

    fn is_open(&self, is_it: impl Fn(&Extent) -> bool) -> bool {
        self.closed.as_ref().is_none_or(|reopened| reopened.iter().any(is_it))
    }

    /// What was ordered for an event.
    pub(super) fn of_event(&self, event: &str) -> &OnAir {
        if !self.is_open(|extent| extent.touches(event)) {
            return NOTHING;
        }
        self.events.get(event).unwrap_or(&self.all)
    }

    /// Whether anything of an event may be shown. Where nothing may, it is not named either.
    pub(super) fn names(&self, event: &str) -> bool {
        match self.of_event(event) {
            OnAir::All => true,
            OnAir::None => false,
            OnAir::First(last) => *last > 0,
            OnAir::List(tables) => !tables.is_empty(),
        }
    }

    /// Who is not to be seen.
    pub(super) fn withheld(&self) -> impl Iterator<Item = &String> {
        self.withheld.iter()
    }

    /// Whether a table at which these people sit is shown.
    pub(super) fn shows<'a>(&self, table: &TableId, mut players: impl Iterator<Item = &'a str>) -> bool {
        let is_listed = match self.of_event(&table.event) {
            OnAir::All => true,
            OnAir::None => false,
            OnAir::First(last) => table.table <= *last,
            OnAir::List(tables) => tables.contains(&table.table),
        };
        let is_open = self.is_open(|extent| extent.covers(table));
        is_open
            && is_listed
            && (self.withheld.is_empty() || !players.any(|player| self.withheld.contains(&name_of(player))))
    }
}

/// Whether lists that write a name in one of these ways and in the other mean the same player.
pub fn is_same_player(name: &str, other: &str) -> bool {
    name_of(name) == name_of(other)
}

/// A name as it is compared: lists write `Polgár,Judit` and `polgár, judit`.
fn name_of(player: &str) -> String {
    player.to_lowercase().split([' ', ',']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_shown_as_they_are_listed_and_players_withheld_however_they_are_written() {
        let table = |event: &str, table| TableId { event: event.to_owned(), round: 1, table };
        let mut airing = Airing::default();
        airing.set(None, &OnAir::First(2));
        airing.set(Some(&"youth".to_owned()), &OnAir::List(vec![1, 3]));
        let shown = |airing: &Airing, event: &str| {
            [1, 2, 3].map(|number| airing.shows(&table(event, number), ["Polgár, Judit", "Xie Jun"].into_iter()))
        };
        assert_eq!(shown(&airing, "open"), [true, true, false]);
        assert_eq!(shown(&airing, "youth"), [true, false, true]);
        airing.withhold("polgár,judit ", true);
        assert_eq!(shown(&airing, "open"), [false; 3]);
        airing.withhold("Polgár Judit", false);
        airing.set(None, &OnAir::None);
        assert_eq!(shown(&airing, "youth"), [false; 3], "what is ordered for all ends what was ordered for some");
    }
}
