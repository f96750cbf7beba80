//! What blind players are told: what is on disk goes to the voices, and what was spoken comes back as an input.

use super::{running::Run, turn::Turn};
use crate::{
    journal::{Committed, Entries},
    voice::{Heard, Order, Player},
};

impl Run {
    /// Begins to speak, with what nobody has heard to its end before the daemon stopped.
    pub(super) fn speak_on(&mut self) {
        let orders = self.voices.wake();
        self.order_speakers(orders);
    }

    /// Something is on disk.
    pub(super) fn speak(&mut self, committed: &Committed<Entries>) {
        let orders = self.voices.hear(committed);
        self.order_speakers(orders);
    }

    /// A speaker reports.
    pub(super) fn hear_voice(&mut self, heard: Heard, turn: &mut Turn) {
        let (input, orders) = self.voices.take(heard);
        self.order_speakers(orders);
        if let Some(input) = input {
            let now = self.not_before(self.now());
            turn.take(&mut self.hall, input, now).expect("only orders are refused");
        }
    }

    fn order_speakers(&mut self, orders: Vec<(Player, Order)>) {
        orders.into_iter().for_each(|(player, order)| self.speakers.order(player, order));
    }
}
