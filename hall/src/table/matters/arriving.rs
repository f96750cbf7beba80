//! Late arrival: nobody has touched a man or pressed the clock when the default time is over.

use laws::{Rule, arrival::default_time};
use protocol::feed::{AlertKind, Side};

use crate::{
    Millis,
    table::{finding, turn::Turn, whole::Table},
};

impl Table {
    /// When the player whose action is awaited has not come in time. A default time of nothing can't be seen on a board:
    /// players may think before they touch a man.
    pub(crate) fn late_at(&self) -> Option<Millis> {
        let started = self.spoken.arrival.started_at()?;
        let announced = self.agreed.rules().default_time_s.map(|seconds| u64::from(seconds) * 1000);
        let allowed = default_time(self.agreed.conditions().edition(), announced).filter(|allowed| *allowed > 0)?;
        Some(started + allowed)
    }

    /// The default time is over: who should have done something and has not is reported. A forfeit is the arbiter's.
    pub(crate) fn note_late(&mut self, turn: &mut Turn) {
        self.spoken.arrival.end();
        let made = self.record.ply().on(self.record.tail().len());
        let awaited = match made.count() {
            0 => Side::White,
            1 => Side::Black,
            _ => return,
        };
        if self.spoken.arrival.has_pressed(awaited) || self.hand.has_touched(awaited.into(), 0, turn.now()) {
            return;
        }
        turn.say(finding::by(Rule::LateArrival, AlertKind::LateArrival, Some(awaited), self.agreed.conditions()));
    }
}
