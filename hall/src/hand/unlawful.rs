//! After an offence: what was found, what was judged, and that the position is put back.

use shakmaty::{Board, Color, Square};

use super::irregular::Aside;
use crate::Millis;

/// What was found unlawful, and what has become of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Unlawful {
    found: Found,
    /// The board that was found illegal.
    judged: Option<Board>,
    /// The move that was, while it may come to stand.
    aside: Option<Aside>,
    /// An illegal move stands once the opponent has moved.
    limited: bool,
    /// The last change after which a release was judged.
    release_judged: Option<Millis>,
    /// What was found last may have been misread.
    doubted: Option<Misreading>,
    /// It is a move that is not legal, not men that stand wrong.
    illegal: bool,
    /// Whose press has found it, and when.
    accused: Option<(Color, Millis)>,
    /// Who has pressed without a move since the record moved on, and when.
    idle: Option<(Color, Millis)>,
}

/// A man that may be read beside its square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misreading {
    pub(super) side: Color,
    /// When that player pressed.
    pub(super) pressed: Millis,
    /// Where it is read.
    pub(super) read: Square,
    /// When it will have stood there for so long that it counts, while it has not.
    pub(super) confirmed_at: Option<Millis>,
}

/// What is to be put right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Found {
    #[default]
    Nothing,
    /// Something unlawful, and the record has not moved on since; since when the board has shown the record again.
    Wrong { restored_at: Option<Millis> },
    /// An earlier position is being set up on the board. After that it is wrong still, or not.
    Restoring { wrong: bool },
}

impl Unlawful {
    /// An illegal move stands once the opponent has moved, or never does.
    pub(super) fn limit(&mut self, limited: bool) {
        self.limited = limited;
    }

    /// The record is another one: nothing in it is wrong.
    pub(super) fn reset(&mut self) {
        self.pass();
        self.found = Found::Nothing;
        self.aside = None;
    }

    /// What was found may have been misread.
    pub(super) fn doubt(&mut self, misreading: Misreading) {
        self.doubted = Some(misreading);
    }

    /// The man has stood there long enough. That it was misread may still show.
    pub(super) fn confirm(&mut self) {
        if let Some(doubted) = &mut self.doubted {
            doubted.confirmed_at = None;
        }
    }

    /// It was not misread. What waits to be confirmed is confirmed all the same, at its time.
    pub(super) fn drop_doubt(&mut self) {
        self.doubted.take_if(|doubted| doubted.confirmed_at.is_none());
        if let Some(doubted) = &mut self.doubted {
            doubted.pressed = 0;
        }
    }

    pub(super) fn doubted(&self) -> Option<&Misreading> {
        self.doubted.as_ref()
    }

    /// Something unlawful was found: until the board shows the record again or the record moves on, nothing more is said.
    pub(super) fn find(&mut self, accused: Option<(Color, Millis)>) {
        self.illegal = false;
        self.accused = accused;
        self.found = match self.found {
            Found::Nothing | Found::Wrong { .. } => Found::Wrong { restored_at: None },
            Found::Restoring { .. } => Found::Restoring { wrong: true },
        };
    }

    /// This player has pressed without a move.
    pub(super) fn idle(&mut self, side: Color, now: Millis) {
        self.idle = Some((side, now));
    }

    /// Who has pressed without a move, and when.
    pub(super) fn idler(&self) -> Option<(Color, Millis)> {
        self.idle
    }

    /// The record's position has to be set up first.
    pub(super) fn restore(&mut self) {
        self.found = Found::Restoring { wrong: true };
    }

    /// It is set up, or somebody says so. True if it was being set up.
    pub(super) fn stop_restoring(&mut self) -> bool {
        let Found::Restoring { wrong } = self.found else { return false };
        self.found = if wrong { Found::Wrong { restored_at: None } } else { Found::Nothing };
        true
    }

    /// The record moves on: what was wrong is past.
    pub(super) fn pass(&mut self) {
        self.found = match self.found {
            Found::Nothing | Found::Wrong { .. } => Found::Nothing,
            Found::Restoring { .. } => Found::Restoring { wrong: false },
        };
        self.judged = None;
        self.doubted = None;
        self.accused = None;
        self.idle = None;
    }

    /// The turn is back: the same may be judged again.
    pub(super) fn forget_judged(&mut self) {
        self.judged = None;
    }

    /// The board shows the record, or has left it again. True if it was restored, and the turn begins anew.
    pub(super) fn note_restored(&mut self, shows_record: bool, debounce: Millis, now: Millis) -> bool {
        let Found::Wrong { restored_at } = &mut self.found else { return false };
        if shows_record {
            restored_at.get_or_insert(now);
            return false;
        }
        let restored = restored_at.take().is_some_and(|at| now >= at + debounce);
        if restored {
            self.reset();
        }
        restored
    }

    /// Remembers what was illegal: a second press is judged by it.
    pub(super) fn judge(&mut self, board: Board) {
        self.judged = Some(board);
        self.illegal = true;
    }

    /// It may come to stand, where such moves do; or none may.
    pub(super) fn set_aside(&mut self, aside: Option<Aside>) {
        self.aside = aside.filter(|_| self.limited);
    }

    /// A release was judged after this change.
    pub(super) fn judge_release(&mut self, rest: Millis) {
        self.release_judged = Some(rest);
    }

    /// Something unlawful stands on the board.
    pub(super) fn is_found(&self) -> bool {
        matches!(self.found, Found::Wrong { .. } | Found::Restoring { wrong: true })
    }

    /// Something unlawful stands, and nobody puts it right.
    pub(super) fn is_standing(&self) -> bool {
        matches!(self.found, Found::Wrong { .. })
    }

    /// A move that is not legal stands.
    pub(super) fn is_illegal(&self) -> bool {
        self.is_found() && self.illegal
    }

    /// Whose press has found what is wrong, and when.
    pub(super) fn accused(&self) -> Option<(Color, Millis)> {
        self.accused.filter(|_| self.is_found())
    }

    pub(super) fn is_restoring(&self) -> bool {
        matches!(self.found, Found::Restoring { .. })
    }

    pub(super) fn judged(&self) -> Option<&Board> {
        self.judged.as_ref()
    }

    pub(super) fn aside(&self) -> Option<&Aside> {
        self.aside.as_ref()
    }

    pub(super) fn aside_mut(&mut self) -> Option<&mut Aside> {
        self.aside.as_mut()
    }

    pub(super) fn release_judged(&self) -> Option<Millis> {
        self.release_judged
    }
}
