//! What the clock shows and what it should show: our own count from one reading to the next, and what follows from
//! little time.

use laws::Rule;
use protocol::feed::{Alert, AlertKind, Evidence, Side, Sight, State};

use super::{
    Table, Turn,
    count::{Off, OwnCount, Progress},
    finding,
    flags::{control, place},
};
use crate::{Millis, Settings};

/// What is counted beside the clock.
#[derive(Clone, Debug)]
pub(super) struct Counting {
    settings: Settings,
    own: Option<OwnCount>,
    /// The clock has run in this game.
    begun: bool,
    /// The arbiter was told that the clock disagrees, and nobody has touched it since, as far as can be heard.
    told: bool,
    /// What the arbiter has said the clocks would be set to, and when.
    ordered: Option<([Millis; 2], Millis)>,
}

impl Counting {
    pub(super) fn new(settings: Settings) -> Counting {
        Counting { settings, own: None, begun: false, told: false, ordered: None }
    }

    pub(super) fn set(&mut self, settings: Settings) {
        self.settings = settings;
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A game begins.
    pub(super) fn begin(&mut self) {
        *self = Counting::new(self.settings.clone());
    }

    /// Whatever the clock shows next is believed.
    pub(super) fn forget(&mut self) {
        self.own = None;
        self.told = false;
        self.begun = true;
    }

    fn forget_count(&mut self) {
        self.own = None;
    }

    pub(super) fn doubted_until(&self) -> Option<Millis> {
        self.own.as_ref()?.doubted_until(&self.settings)
    }
}

impl Table {
    /// Compares what the clock shows with our own count. A clock that stands may be set, and one that was not heard may
    /// have been; while the arbiter is at the table nothing is compared. `stood`: it did not run at the reading before.
    pub(super) fn compare_clock(&mut self, stood: bool, now: Millis) {
        let lie = self.hand.lie();
        let Some(game) = self.game.as_ref().filter(|_| self.state == State::Playing) else {
            return self.counting.forget_count();
        };
        let Some(faces) = self.clock.faces(lie) else {
            // Before it runs for the first time it is compared with what was agreed.
            return if self.counting.begun { self.counting.forget() } else { self.counting.forget_count() };
        };
        let completed = [Side::White, Side::Black].map(|side| game.moves_completed(side));
        let control = control(&self.rules);
        let progress = [Side::White, Side::Black]
            .map(|side| Progress { period: self.period_now(side), completed: completed[place(side)] });
        let counting = &mut self.counting;
        let first = !std::mem::replace(&mut counting.begun, true);
        let begins = first && stood && completed == [0, 0];
        if counting.told {
            return;
        }
        let agreed = control.as_ref().filter(|_| begins);
        let agreed = agreed.map(|control| OwnCount::at_beginning(control, faces.running, now));
        let afresh = || OwnCount::from(faces, control.as_ref(), progress, now);
        let Some(mut own) = agreed.or_else(|| counting.own.take()) else {
            counting.own = Some(afresh());
            return;
        };
        let compared = own.hear(faces, &counting.settings, now);
        let doubted = own.off().iter().any(Option::is_some);
        let set = counting.ordered.take_if(|(ordered, at)| {
            doubted && OwnCount::is_set_to(faces, *ordered, now.saturating_sub(*at), &counting.settings)
        });
        counting.own = Some(if compared && set.is_none() { own } else { afresh() });
    }

    /// The clock has shown something else than we count for a while.
    pub(super) fn note_clock_off(&mut self, turn: &mut Turn) {
        let Some(own) = self.counting.own.take() else { return };
        if self.state != State::Playing {
            return;
        }
        self.counting.told = true;
        for (side, off) in [Side::White, Side::Black].into_iter().zip(own.off()) {
            let Some(Off { shown_ms, counted_ms }) = off else { continue };
            let evidence = Evidence { shown_ms: Some(shown_ms), counted_ms: Some(counted_ms), ..Evidence::default() };
            let note = finding::plain(AlertKind::ClockDisagrees);
            turn.say(Alert { side: Some(side), evidence: Some(evidence), ..note });
        }
    }

    /// The arbiter sets the clocks: screens count from here on. Whether they were set before the order or are set after
    /// it, what they show then is believed.
    pub(super) fn adjust_times(&mut self, white_ms: u64, black_ms: u64, turn: &mut Turn) {
        self.counting.forget();
        self.counting.ordered = Some(([white_ms, black_ms], turn.now()));
        let running = self.clock.to_move(self.hand.lie());
        turn.show(Sight::Clock { white_ms, black_ms, running });
    }

    /// Players who have little time left need not write; the arbiter should know, so that somebody does.
    pub(super) fn note_little_time(&mut self, turn: &mut Turn) {
        if self.game.is_none() || !matches!(self.state, State::Playing | State::AwaitingArbiter) {
            return;
        }
        let (class, added) = (self.conditions.class(), self.added_ms());
        for side in [Side::White, Side::Black] {
            let Some(left) = self.clock.left_ms(side, self.hand.lie()) else { continue };
            let period = self.period_now(side);
            let (before, exemption) = &mut self.spoken.exempt[place(side)];
            if std::mem::replace(before, period) != period {
                exemption.next_period();
            }
            if exemption.hear(class, added, left) {
                let kind = AlertKind::ScoresheetExempt;
                turn.say(finding::by(Rule::ScoresheetExempt, kind, Some(side), self.conditions));
            }
        }
    }

    /// What is added a move, as far as is known.
    fn added_ms(&self) -> u64 {
        let most = self.rules.periods.iter().map(|period| period.increment_s).max();
        u64::from(most.unwrap_or(0)) * 1000
    }
}
