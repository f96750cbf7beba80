//! What the clock shows and what it should show: our own count from one reading to the next, and what follows from
//! little time.

use laws::Rule;
use protocol::feed::{AlertKind, Side, Sight, State};

use super::{Said, Say, Table, finding, flags::place, say};
use crate::Millis;

impl Table {
    /// The arbiter sets the clocks: screens count from here on, and the next reading is believed whatever it shows.
    pub(super) fn adjust_times(&mut self, white_ms: u64, black_ms: u64, now: Millis, out: &mut Vec<Said>) {
        let running = self.clock.to_move(self.hand.lie());
        out.push((now, Say::Sight(Sight::Clock { white_ms, black_ms, running })));
    }

    /// Players who have little time left need not write; the arbiter should know, so that somebody does.
    pub(super) fn note_little_time(&mut self, now: Millis, out: &mut Vec<Said>) {
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
                say(out, now, finding::by(Rule::ScoresheetExempt, kind, Some(side), self.conditions));
            }
        }
    }

    /// What is added a move, as far as is known.
    fn added_ms(&self) -> u64 {
        let most = self.rules.periods.iter().map(|period| period.increment_s).max();
        u64::from(most.unwrap_or(0)) * 1000
    }
}
