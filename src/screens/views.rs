//! How everything stands, as each audience may know it: one fold of the same events for each.
//!
//! Pure. What an audience may not know is left out before it is folded, so no snapshot can hold what no change may say;
//! a start folds the journal here again and so can't either.

use protocol::feed::{Audience, HallView, TableEvent, TableView};

use super::{doors::Open, glimpses::Glimpses, on_air::OnAir, parts};

/// The views of all audiences. `apply` takes every event in order; a door shows `of` its audience.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Views {
    on_air: OnAir,
    hall: HallView,
    /// Alerts are in no view, so what operator and arbiter are told differently makes no difference here.
    staff: HallView,
}

impl Views {
    /// Takes in one event, as far as each may know it.
    pub fn apply(&mut self, event: &TableEvent) {
        if let Some(open) = Open::to_public(event) {
            self.on_air.apply(&open);
        }
        if let Some(open) = Open::to_hall(event) {
            self.hall.apply(open.event());
        }
        self.staff.apply(event);
    }

    /// How everything stands for one audience.
    pub fn of(&self, audience: Audience) -> &HallView {
        match audience {
            Audience::Public => self.on_air.view(),
            Audience::Hall => &self.hall,
            Audience::Operator | Audience::Arbiter => &self.staff,
        }
    }

    /// After a start: what is in the record is what was published, whatever this build makes of the inputs; what is only
    /// seen comes from the fold of the inputs.
    pub fn with(self, glimpses: &Glimpses) -> Views {
        Views { on_air: self.on_air, hall: with(self.hall, glimpses), staff: with(self.staff, glimpses) }
    }
}

fn with(mut published: HallView, glimpses: &Glimpses) -> HallView {
    for glimpse in &glimpses.view().tables {
        let at = published.tables.binary_search_by(|table| table.table.cmp(&glimpse.table));
        let there = at.map_or_else(|_| TableView::new(glimpse.table.clone()), |at| published.tables.remove(at));
        let whole = parts::join(parts::part(there).0, parts::part(glimpse.clone()).1);
        published.tables.insert(at.unwrap_or_else(|at| at), whole);
    }
    published
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Entry, State, TableId};

    use super::*;

    #[test]
    fn a_restored_hall_knows_no_more_than_one_that_watched() {
        let table = Some(TableId { event: "open".into(), round: 3, table: 1 });
        let (mut seen, mut told) = (Glimpses::default(), Views::default());
        for state in [State::Playing, State::AwaitingArbiter] {
            let event = TableEvent { table: table.clone(), t: 1, event: Entry::State { state }.into() };
            seen.take(&event);
            told.apply(&event);
        }
        let restored = told.with(&seen);
        let state = |audience| restored.of(audience).tables[0].state;
        assert_eq!(state(Audience::Hall), State::Playing);
        assert_eq!(state(Audience::Public), State::Playing);
        assert_eq!(state(Audience::Operator), State::AwaitingArbiter);
    }
}
