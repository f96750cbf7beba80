//! Glimpses: what is only seen of each table, read again from the journal. No view by itself: the record is missing.

use protocol::feed::{HallView, Sight, TableEvent, TableId};

/// What is only seen of some tables.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glimpses(HallView);

impl Glimpses {
    /// Takes in what a fold says.
    pub fn take(&mut self, event: &TableEvent) {
        self.0.apply(event);
    }

    /// Takes in what was seen of other tables.
    pub fn add(&mut self, others: Glimpses) {
        self.0.tables.extend(others.0.tables);
        self.0.tables.sort_by(|one, other| one.table.cmp(&other.table));
    }

    /// What the clocks of these tables show, and when they were read.
    pub fn clocks(&self) -> impl Iterator<Item = (&TableId, u64, Sight)> {
        self.0.tables.iter().filter_map(|table| {
            let clock = table.clock?;
            let sight = Sight::Clock { white_ms: clock.white_ms, black_ms: clock.black_ms, running: clock.running };
            Some((&table.table, clock.at, sight))
        })
    }

    pub(super) fn view(&self) -> &HallView {
        &self.0
    }
}
