//! What the clock shows and what it should show: our own count from one reading to the next, and what follows from
//! little time.

use laws::Rule;
use protocol::feed::{Alert, AlertKind, Clocks, Evidence, Side, Sight};
use shakmaty::ByColor;

use crate::{
    Millis, Refusal,
    table::{
        clocks::{Off, Progress, Reading},
        finding,
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// Compares what the clock shows with our own count. A clock that stands may be set, and one that was not heard may
    /// have been; while the arbiter is at the table nothing is compared. `stood`: it did not run at the reading before.
    pub(crate) fn compare_clock(&mut self, stood: bool, turn: &mut Turn) {
        let Some(game) = self.record.game().filter(|_| self.desk.is_playing()) else {
            return self.clocks.comparison.forget_count();
        };
        let Some(faces) = self.clocks.clock.faces(self.hand.lie()) else { return self.clocks.comparison.stand() };
        let progress = ByColor::new_with(|color| {
            let completed = game.moves_completed(color.into());
            Progress { period: self.period_now(color.into()), completed }
        });
        let control = self.agreed.control();
        let reading = Reading { faces, stood, control: control.as_ref(), progress };
        self.clocks.comparison.hear(&reading, self.agreed.settings(), turn.now());
    }

    /// When the clock will have shown something else than we count for a while.
    pub(crate) fn clock_off_at(&self) -> Option<Millis> {
        self.clocks.comparison.doubted_until(self.agreed.settings())
    }

    pub(crate) fn note_clock_off(&mut self, turn: &mut Turn) {
        let Some(off) = self.clocks.comparison.take_doubt(self.agreed.settings(), turn.now()) else { return };
        if !self.desk.is_playing() {
            return;
        }
        self.clocks.comparison.tell();
        for (side, off) in [Side::White, Side::Black].into_iter().zip(off) {
            let Some(Off { shown_ms, counted_ms }) = off else { continue };
            let evidence = Evidence { shown_ms: Some(shown_ms), counted_ms: Some(counted_ms), ..Evidence::default() };
            let note = finding::plain(AlertKind::ClockDisagrees);
            turn.say(Alert { side: Some(side), evidence: Some(evidence), ..note });
        }
    }

    /// The arbiter sets the clocks: screens count from here on. Whether they were set before the order or are set after
    /// it, what they show then is believed.
    pub(crate) fn adjust_times(&mut self, white_ms: u64, black_ms: u64, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        self.clocks.comparison.set(ByColor { white: white_ms, black: black_ms }, turn.now());
        let running = self.clocks.clock.to_move(self.hand.lie());
        let times = Clocks { white: white_ms, black: black_ms };
        self.clocks.set(times);
        self.spoken.set_envelope(times);
        turn.show(Sight::Clock { white_ms, black_ms, running });
        Ok(())
    }

    /// Players who have little time left need not write; the arbiter should know, so that somebody does.
    pub(crate) fn note_little_time(&mut self, turn: &mut Turn) {
        if self.record.game().is_none() || !self.desk.is_on() {
            return;
        }
        let (class, added) = (self.agreed.conditions().class(), self.agreed.added_ms());
        for side in [Side::White, Side::Black] {
            let Some(left) = self.clocks.clock.left_ms(side, self.hand.lie()) else { continue };
            let period = self.period_now(side);
            if self.clocks.exemption(side, period).hear(class, added, left) {
                let kind = AlertKind::ScoresheetExempt;
                turn.say(finding::by(Rule::ScoresheetExempt, kind, Some(side), self.agreed.conditions()));
            }
        }
    }
}
