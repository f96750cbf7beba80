//! How everything stands, as each audience may know it: one fold of the same events for each.
//!
//! Pure. What an audience may not know is left out before it is folded, so no snapshot can hold what no change may say;
//! a start folds the journal here again and so can't either.

use protocol::feed::{Audience, HallView, TableEvent};

use super::{
    air::{Picture, Pictured},
    doors::Open,
    glimpses::Glimpses,
    parts,
};
use crate::journal::{Committed, Entries};

/// The views of all audiences. `read` takes every event in order, and `show` what is on air; a door shows `of` its
/// audience.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Views {
    on_air: HallView,
    hall: HallView,
    /// An alert for one of them alone is in no view, so what they are told differently makes no difference here.
    staff: HallView,
}

impl Views {
    /// Takes in what was committed, as far as each in the hall may know it.
    pub fn read(&mut self, committed: &Committed<Entries>) {
        committed.get().events.iter().for_each(|event| self.apply(event));
    }

    /// One event of it.
    pub(super) fn apply(&mut self, event: &TableEvent) {
        if let Some(open) = Open::to_hall(event) {
            self.hall.apply(open.event());
        }
        self.staff.apply(event);
    }

    /// Takes in how a table or a round is shown to spectators.
    pub(super) fn show(&mut self, picture: Picture) {
        let (id, view) = match picture.into_pictured() {
            Pictured::Table(id, view) => (id, view),
            Pictured::Round(round) => return self.on_air.note(&round),
        };
        let tables = &mut self.on_air.tables;
        let at = tables.binary_search_by(|table| table.table.cmp(&id));
        match (at, view) {
            (Ok(at), Some(view)) => tables[at] = *view,
            (Err(at), Some(view)) => tables.insert(at, *view),
            (Ok(at), None) => drop(tables.remove(at)),
            (Err(_), None) => {}
        }
    }

    /// How everything stands for one audience.
    pub fn of(&self, audience: Audience) -> &HallView {
        match audience {
            Audience::Public => &self.on_air,
            Audience::Hall => &self.hall,
            Audience::Operator | Audience::Arbiter => &self.staff,
        }
    }

    /// After a start: what is in the record is what was published, whatever this build makes of the inputs; what is only
    /// seen comes from the fold of the inputs.
    pub fn with(self, glimpses: &Glimpses) -> Views {
        let mut hall = with(self.hall, glimpses);
        hall.tables.iter_mut().for_each(|table| table.matters.hide_board());
        Views { on_air: self.on_air, hall, staff: with(self.staff, glimpses) }
    }
}

fn with(mut published: HallView, glimpses: &Glimpses) -> HallView {
    for glimpse in &glimpses.view().tables {
        let there = published.view_mut(&glimpse.table);
        *there = parts::join(parts::part(there.clone()).0, parts::part(glimpse.clone()).1);
    }
    published
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Entry, Sight, State, TableId};

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
        let differs = Sight::Board { placement: "8/8/8/8/8/8/8/8".into(), squares: vec!["e4".into()] };
        seen.take(&TableEvent { table, t: 2, event: differs.into() });
        let restored = told.with(&seen);
        let board = |audience| restored.of(audience).tables[0].matters.board.clone();
        assert_eq!((board(Audience::Hall), board(Audience::Arbiter)), (None, Some("8/8/8/8/8/8/8/8".into())));
        let state = |audience| restored.of(audience).tables[0].state;
        assert_eq!(state(Audience::Hall), State::Playing);
        assert_eq!(state(Audience::Operator), State::AwaitingArbiter);
    }
}
