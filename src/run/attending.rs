//! What the loop sees to beside games: signs of life, figures, a wall clock that was set.

use super::{day, pulse::Pulse, running::Run, turn::Turn, wall::Jump};
use crate::screens::{Giver, Vitals};

impl Run {
    /// Only where boards are looked for and the journal's thread goes round too: what hangs is not kept alive.
    pub(super) fn give_sign_of_life(&mut self, pulse: &mut Pulse) {
        let (ports, disk) = (self.cables.is_awake(self.time.ticks()), self.journal.is_awake());
        if ports && disk {
            return pulse.beat(&self.vitals());
        }
        tracing::error!(ports, disk, "a part of the daemon hangs: the service manager starts it anew");
    }

    pub(super) fn vitals(&self) -> Vitals {
        let (heard, known) = self.cables.counts();
        Vitals {
            heard,
            known,
            loud: self.alarm.loud(),
            games_on: self.hall.tables().filter(|(_, table)| table.is_in_play()).count(),
            is_recording: !self.alarm.is_outage(),
            is_closed: self.alarm.is_closed(),
            waiting: self.awaited.len(),
            findings: self.alarm.findings(),
            counts: self.counts.clone(),
        }
    }

    /// The wall's clock was set while games are played. What it has dated wrongly is dated again; nothing else changes.
    pub(super) fn see_clock_jump(&mut self, jump: Jump, turn: &mut Turn) {
        tracing::warn!(event = "clock_jumped", "{}", jump.sentence());
        self.counts.clock_jumps += 1;
        let Some((wrong, right)) = jump.mended() else { return };
        let Some((event, round)) = self.hall.open_round() else { return };
        if self.hall.date_of(event, round).as_deref() != Some(&wrong) {
            return;
        }
        let is_on = self.hall.tables().any(|(_, table)| table.is_in_play());
        let order = if event == wrong.replace('.', "-") && !is_on {
            day::round_of_the_day(&right)
        } else {
            day::dated(event, round, &right)
        };
        tracing::warn!(event, round, "the round was dated {wrong} by that clock, and is of {right} now");
        if let Err(why) = self.carry_out(order, Giver::house(), self.now(), turn) {
            tracing::error!("{}", why.sentence);
        }
    }
}
