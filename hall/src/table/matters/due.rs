//! What waits for its time at a table beside the hands.
//!
//! Every rule is one row of `RULES`. Of rules that are due together the first row is followed first, and the hand before all
//! of them: their order is tested, and stands in `docs/hand.md`.

use crate::{
    Millis,
    table::{turn::Turn, whole::Table},
};

/// One rule of time.
struct Rule {
    when: fn(&Table) -> Option<Millis>,
    then: fn(&mut Table, &mut Turn),
}

/// All of them, the first to be followed first.
#[rustfmt::skip]
const RULES: [Rule; 5] = [
    Rule { when: Table::late_at, then: Table::note_late },
    Rule { when: Table::clock_off_at, then: Table::note_clock_off },
    Rule { when: Table::unpressed_at, then: Table::note_unpressed },
    Rule { when: Table::silent_at, then: Table::note_silence },
    Rule { when: Table::twin_at, then: Table::compare_boards },
];

impl Table {
    /// When the next of them is due.
    pub(super) fn own_deadline(&self) -> Option<Millis> {
        self.next_own().map(|(at, _)| at)
    }

    /// Does what is due first.
    pub(super) fn run_own(&mut self, turn: &mut Turn) {
        if let Some((_, rule)) = self.next_own() {
            (rule.then)(self, turn);
        }
    }

    /// What is found to have been due already is due now: nothing is told of a time that has been told of.
    fn next_own(&self) -> Option<(Millis, &'static Rule)> {
        let now = self.hand.now();
        first(RULES.iter().filter_map(|rule| Some(((rule.when)(self)?.max(now), rule))))
    }
}

/// The earliest, and of those that are due together the first.
fn first<T>(due: impl Iterator<Item = (Millis, T)>) -> Option<(Millis, T)> {
    due.min_by_key(|(at, _)| *at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_rules_that_are_due_together_the_first_row_is_followed() {
        assert_eq!(first([(5, "late"), (5, "off")].into_iter()), Some((5, "late")));
        assert_eq!(first([(6, "late"), (5, "off")].into_iter()), Some((5, "off")));
    }
}
