//! How far a board is behind its clock: a press is judged with the squares of its moment.
//!
//! Some boards tell of their squares later than of their clock, by a constant: a radio link, a slow scan. Their men seem to
//! land after the press. A press that is heard on such a board waits as long as its men do.

use std::collections::VecDeque;

use shakmaty::Color;

use crate::{Millis, Settings};

/// What presses on this board have shown, and those that wait.
#[derive(Clone, Debug, Default)]
pub(super) struct Lateness {
    /// How long after the last presses their men landed; less than nothing where they landed first.
    after: VecDeque<i64>,
    waiting: VecDeque<(Color, Millis)>,
}

impl Lateness {
    /// A man landed then, for a press that was heard then and waited for it.
    pub(super) fn learn(&mut self, landed: Millis, heard: Millis, settings: &Settings) {
        let after = i64::try_from(landed).unwrap_or(0) - i64::try_from(heard).unwrap_or(0);
        self.after.push_back(after);
        if self.after.len() > settings.lateness_presses {
            self.after.pop_front();
        }
    }

    /// How long a press waits. Where men land well before their press, one that lands after it was pressed early.
    pub(super) fn ms(&self, settings: &Settings) -> Millis {
        let mut after = self.after.iter().copied().collect::<Vec<_>>();
        after.sort_unstable();
        let soon = -i64::try_from(settings.lateness_doubt_ms).unwrap_or(0);
        let is_late = after.get(after.len() / 2).is_some_and(|middle| *middle > soon);
        let tells = is_late && after.len() >= settings.lateness_presses_min;
        let most = after.iter().rev().nth(1).copied().filter(|_| tells);
        most.and_then(|most| Millis::try_from(most).ok()).unwrap_or(0).min(settings.lateness_most_ms)
    }

    /// This press waits until then.
    pub(super) fn wait(&mut self, side: Color, until: Millis) {
        self.waiting.push_back((side, until));
    }

    /// When the next press has waited long enough.
    pub(super) fn next_at(&self) -> Option<Millis> {
        self.waiting.front().map(|(_, until)| *until)
    }

    /// The next press.
    pub(super) fn take(&mut self) -> Option<Color> {
        self.waiting.pop_front().map(|(side, _)| side)
    }
}
