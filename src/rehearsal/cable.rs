//! The way of a message from the board to the computer: in bursts, cut short, or not at all.

use super::{count::Kind, dice::Dice, trial, wire::Said};

/// The first byte of a clock message and of what is said of squares, as they stand on the wire.
const CLOCK: u8 = 0x8d;
const BOARD_DUMP: u8 = 0x86;
const FIELD_UPDATE: u8 = 0x8e;

/// One cable. Messages keep their order.
#[derive(Clone, Debug)]
pub(super) struct Cable {
    model: trial::Cable,
    pub(super) dice: Dice,
    latest: u64,
    silent: Option<(u64, u64)>,
    /// What never arrives at present.
    pub(super) deaf: Deaf,
}

/// What is not carried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Deaf {
    pub(super) squares: bool,
    pub(super) clock: bool,
}

impl Cable {
    pub(super) fn new(model: trial::Cable, dice: Dice) -> Cable {
        Cable { model, dice, latest: 0, silent: None, deaf: Deaf::default() }
    }

    /// Nothing arrives that is said between these two.
    pub(super) fn fall_silent(&mut self, from: u64, until: u64) {
        self.silent = Some((from, until));
    }

    /// What arrives of a message, and when.
    pub(super) fn carry(&mut self, mut said: Said) -> Option<Said> {
        let silent = self.silent.is_some_and(|(from, until)| (from..until).contains(&said.at));
        let unheard = match said.bytes.first() {
            Some(&CLOCK) => self.deaf.clock,
            Some(&(BOARD_DUMP | FIELD_UPDATE)) => self.deaf.squares,
            Some(_) | None => self.deaf.clock && self.deaf.squares,
        };
        if silent || unheard {
            return None;
        }
        if self.model.stall > 0.0 && self.dice.happens(Kind::MessageHeldUp, self.model.stall) {
            said.at += self.dice.between(self.model.stall_for);
        }
        if self.model.batch > 0 {
            said.at = said.at.next_multiple_of(self.model.batch);
        }
        self.latest = self.latest.max(said.at);
        said.at = self.latest;
        let Cable { model, dice, .. } = self;
        if model.bytes_lost > 0.0 {
            said.bytes.retain(|_| !dice.happens(Kind::ByteLost, model.bytes_lost));
        }
        (!said.bytes.is_empty()).then_some(said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cable(model: trial::Cable) -> Cable {
        Cable::new(model, Dice::new(1, 0))
    }

    fn said(at: u64, first: u8) -> Said {
        Said { at, bytes: vec![first, 0, 5, 1, 1] }
    }

    #[test]
    fn batches_arrive_together_and_in_order() {
        let mut cable = cable(trial::Cable { batch: 200, ..trial::Cable::default() });
        let at = [1_001, 1_150, 1_200, 1_201].map(|at| cable.carry(said(at, CLOCK)).expect("it arrives").at);
        assert_eq!(at, [1_200, 1_200, 1_200, 1_400]);
    }

    #[test]
    fn what_is_held_up_holds_up_what_comes_after() {
        let mut cable = cable(trial::Cable { stall: 1.0, stall_for: (500, 500), ..trial::Cable::default() });
        let first = cable.carry(said(1_000, FIELD_UPDATE)).expect("it arrives");
        cable.model.stall = 0.0;
        let second = cable.carry(said(1_010, CLOCK)).expect("it arrives");
        assert_eq!((first.at, second.at), (1_500, 1_500));
    }

    #[test]
    fn a_silence_swallows_what_is_said_in_it_and_nothing_else() {
        let mut cable = cable(trial::Cable::default());
        cable.fall_silent(1_000, 2_000);
        let heard = [999, 1_000, 1_999, 2_000].map(|at| cable.carry(said(at, CLOCK)).is_some());
        assert_eq!(heard, [true, false, false, true]);
    }

    #[test]
    fn deaf_for_squares_still_hears_the_clock() {
        let mut cable = cable(trial::Cable::default());
        cable.deaf.squares = true;
        let heard = [CLOCK, BOARD_DUMP, FIELD_UPDATE, 0x91].map(|first| cable.carry(said(1, first)).is_some());
        assert_eq!(heard, [true, false, false, true]);
    }

    #[test]
    fn lost_bytes_leave_the_rest_in_order() {
        let mut cable = cable(trial::Cable { bytes_lost: 0.5, ..trial::Cable::default() });
        let text: Vec<u8> = (0..100).collect();
        let heard = cable.carry(Said { at: 1, bytes: text }).expect("some of it arrives").bytes;
        assert!(heard.is_sorted() && (20..80).contains(&heard.len()), "{}", heard.len());
    }
}
