//! After an offence: the position is put back, and what happens meanwhile is neither a touch nor a takeback.

use shakmaty::{Board, Color, Position};

use super::{Deed, Hand, feeling::Turn};
use crate::Millis;

impl Hand {
    /// Something unlawful was found: until the board shows the record again or the record moves on, nothing more is said.
    pub(super) fn find_unlawful(&mut self) {
        self.unlawful = true;
        self.restored_at = None;
        self.touches.excuse(true);
    }

    /// The board shows the record, or has left it again. A board that was restored begins the turn anew.
    pub(super) fn note_restored(&mut self, shows_record: bool, now: Millis) {
        if !self.unlawful {
            return;
        }
        if shows_record {
            self.restored_at.get_or_insert(now);
        } else if let Some(at) = self.restored_at.take()
            && now >= at + self.settings.contact_debounce_ms
        {
            self.unlawful = false;
            self.judged = None;
            self.aside = None;
            self.turn = Turn::default();
            self.touches.begin_at(now);
        }
    }

    /// A player whose illegal move is still open presses again: the turn counts as passed, so a board that they have
    /// changed further was changed out of turn.
    pub(super) fn pressed_again(&mut self, side: Color, board: &Board, out: &mut Vec<Deed>) {
        let Some(judged) = &self.judged else { return };
        let same = |other: &Board| (other.by_color(side) ^ board.by_color(side)).is_empty();
        if !same(judged) && !same(self.root.board()) {
            self.judged = Some(board.clone());
            out.push(Deed::OutOfTurn(side));
        }
    }
}
