//! After an offence: the position is put back, and what happens meanwhile is neither a touch nor a takeback.

use shakmaty::{Board, Chess, Color, Position};

use super::{Deed, Hand, feeling::Turn};
use crate::Millis;

impl Hand {
    /// The record's position is this one, and it has to be set up first: what the board shows on the way there are no
    /// moves, whatever they look like. A press says that the board is as it should be.
    pub fn restore(&mut self, position: Chess, earlier: Vec<Board>, now: Millis, out: &mut Vec<Deed>) {
        let there = self.squares.misfit_ignoring_air(position.board()).is_empty();
        self.correct(position, earlier, now, out);
        if !there {
            self.find_unlawful();
            self.restoring = true;
            self.look(now, out);
        }
    }

    /// The position is still being set up: nothing is seen yet.
    pub(super) fn is_being_restored(&mut self, out: &mut Vec<Deed>) -> bool {
        if self.restoring && self.squares.misfit_ignoring_air(self.root.board()).is_empty() {
            self.restoring = false;
        }
        if self.restoring {
            self.fits = false;
            self.show(Vec::new(), out);
        }
        self.restoring
    }

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
