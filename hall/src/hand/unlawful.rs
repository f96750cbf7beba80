//! After an offence: what was found, what was judged, and that the position is put back.

use shakmaty::{Bitboard, Board, Color, Square};

use super::irregular::Aside;
use crate::Millis;

/// What was found unlawful, and what has become of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Unlawful {
    /// What is wrong, while the record has not moved on since.
    wrong: Option<Wrong>,
    /// An earlier position is being set up on the board.
    restoring: bool,
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
    /// The board is followed, by hands that take it for misread.
    followed: bool,
    /// Who has pressed without a move since the record moved on, and when.
    idle: Option<(Color, Millis)>,
}

/// A man that may be read beside its square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Misreading {
    pub(super) side: Color,
    /// When that player pressed.
    pub(super) pressed: Millis,
    /// Where it is read, and where it may stand.
    pub(super) read: Square,
    pub(super) meant: Bitboard,
    /// When it will have stood there for so long that it counts, while it has not.
    pub(super) confirmed_at: Option<Millis>,
    /// When the opponent has taken up a man since.
    pub(super) answered_at: Option<Millis>,
}

/// Something unlawful that was found.
#[derive(Clone, Copy, Debug)]
struct Wrong {
    /// It is a move that is not legal, not men that stand wrong.
    illegal: bool,
    /// Whose press has found it.
    accused: Option<Color>,
    /// When that press was heard, or it was found without one.
    found_at: Millis,
    /// Since when the board has shown the record again.
    restored_at: Option<Millis>,
}

impl Unlawful {
    /// An illegal move stands once the opponent has moved, or never does.
    pub(super) fn limit(&mut self, limited: bool) {
        self.limited = limited;
    }

    /// The record is another one: nothing in it is wrong.
    pub(super) fn reset(&mut self) {
        self.pass();
        self.restoring = false;
        self.aside = None;
    }

    /// What was found may have been misread.
    pub(super) fn doubt(&mut self, misreading: Misreading) {
        self.doubted = Some(misreading);
    }

    /// Hands that take it for misread follow the board, or none do any more.
    pub(super) fn note_followed(&mut self, followed: bool) {
        self.followed = followed;
    }

    /// The man has stood there long enough. That it was misread may still show.
    pub(super) fn confirm(&mut self) {
        if let Some(doubted) = &mut self.doubted {
            doubted.confirmed_at = None;
        }
    }

    /// The opponent has taken up a man.
    pub(super) fn answer(&mut self, now: Millis) {
        if let Some(doubted) = &mut self.doubted {
            doubted.answered_at.get_or_insert(now);
        }
    }

    pub(super) fn doubted(&self) -> Option<&Misreading> {
        self.doubted.as_ref()
    }

    /// Something unlawful was found: until the board shows the record again or the record moves on, nothing more is said.
    pub(super) fn find(&mut self, accused: Option<(Color, Millis)>, now: Millis) {
        let (accused, found_at) = accused.map_or((None, now), |(side, pressed)| (Some(side), pressed));
        self.wrong = Some(Wrong { illegal: false, accused, found_at, restored_at: None });
    }

    /// This player has pressed without a move.
    pub(super) fn idle(&mut self, side: Color, now: Millis) {
        self.idle = Some((side, now));
    }

    /// Who has pressed without a move, and when.
    pub(super) fn idler(&self) -> Option<(Color, Millis)> {
        self.idle
    }

    /// A press without a move has passed the turn to this player.
    pub(super) fn has_passed_to(&self, side: Color) -> bool {
        self.idle.is_some_and(|(by, _)| by != side)
    }

    /// The record's position has to be set up first.
    pub(super) fn restore(&mut self, now: Millis) {
        self.find(None, now);
        self.restoring = true;
    }

    /// It is set up, or somebody says so. True if it was being set up.
    pub(super) fn stop_restoring(&mut self) -> bool {
        std::mem::take(&mut self.restoring)
    }

    /// The record moves on: what was wrong is past.
    pub(super) fn pass(&mut self) {
        self.wrong = None;
        self.judged = None;
        self.doubted = None;
        self.idle = None;
    }

    /// The turn is back: the same may be judged again.
    pub(super) fn forget_judged(&mut self) {
        self.judged = None;
    }

    /// The board shows the record, or has left it again. If it was restored, the turn begins anew, from then on.
    pub(super) fn note_restored(&mut self, shows_record: bool, debounce: Millis, now: Millis) -> Option<Millis> {
        let wrong = self.wrong.as_mut().filter(|_| !self.restoring)?;
        if shows_record {
            wrong.restored_at.get_or_insert(now);
            return None;
        }
        let restored_at = wrong.restored_at.take().filter(|at| now >= at + debounce)?;
        self.reset();
        Some(restored_at)
    }

    /// Remembers what was illegal: a second press is judged by it.
    pub(super) fn judge(&mut self, board: Board) {
        self.judged = Some(board);
        self.wrong.iter_mut().for_each(|wrong| wrong.illegal = true);
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
        self.wrong.is_some()
    }

    /// Something unlawful stands, and nobody puts it right: since when.
    pub(super) fn stands_since(&self) -> Option<Millis> {
        self.wrong.filter(|_| !self.restoring).map(|wrong| wrong.found_at)
    }

    /// A move that is not legal stands.
    pub(super) fn is_illegal(&self) -> bool {
        self.wrong.is_some_and(|wrong| wrong.illegal)
    }

    /// Whose press has found what is wrong, and when.
    pub(super) fn accused(&self) -> Option<(Color, Millis)> {
        let wrong = self.wrong?;
        wrong.accused.map(|side| (side, wrong.found_at))
    }

    /// Since when men stand wrong, if that is all that was found.
    pub(super) fn displaced_since(&self) -> Option<Millis> {
        self.wrong.filter(|wrong| !wrong.illegal && !self.restoring).map(|wrong| wrong.found_at)
    }

    /// Hands that take it for misread follow the board.
    pub(super) fn is_followed(&self) -> bool {
        self.followed
    }

    pub(super) fn is_restoring(&self) -> bool {
        self.restoring
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
