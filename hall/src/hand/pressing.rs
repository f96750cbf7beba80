//! A press of the clock: which ply it completes, or what it is judged as.

use shakmaty::{Board, Color, Position};

use super::{
    Deed, Hand,
    press::{self, Verdict},
};
use crate::Millis;

/// A press whose ply is not final yet.
#[derive(Clone, Debug)]
pub(super) struct OpenPress {
    pub(super) side: Color,
    pub(super) at: Millis,
    /// The board as it stood then; none if a man of the presser was in the air, when it is judged as it stands later.
    board: Option<Board>,
    pub(super) until: Millis,
}

impl Hand {
    pub(super) fn pressed(&mut self, side: Color, now: Millis, out: &mut Vec<Deed>) {
        // What is pressed on a board that can't be explained yet shows in the lever, once it can. It is no press yet:
        // read off the lever it must not be taken for a bounce of itself.
        if self.gap {
            return;
        }
        let last = self.pressed.replace((side, now));
        let bounce = last.is_some_and(|(by, at)| by == side && now < at + self.settings.clock_bounce_ms);
        if !self.playing || bounce {
            return;
        }
        // A press of the other side says that the earlier one was for the ply before.
        let earlier = self.press.as_ref().map(|press| press.side).filter(|earlier| *earlier != side);
        if self.fits && earlier.is_some_and(|earlier| self.completed_by(earlier).is_some()) {
            self.settle_pressed(now, out);
        }
        if self.press.as_ref().is_some_and(|press| press.side != side) {
            // Under an open press the turn counts as passed.
            self.next_press =
                Some(OpenPress { side, at: now, board: None, until: now + self.settings.press_unseen_ms });
            return;
        }
        let starts = last.is_none() && self.earlier.is_empty() && side.is_black() && self.root.turn().is_white();
        if starts && self.tail.is_empty() && self.fits {
            return;
        }
        let completes = self.fits && self.completed_by(side).is_some();
        if !completes && self.root.turn() != side {
            self.pressed_without_the_move(side, now, out);
            return;
        }
        let settings = &self.settings;
        let in_air = self.squares.lifted().iter().any(|lifted| lifted.piece.color == side);
        let still = now >= self.squares.last_change() + settings.press_before_ms || self.squares.last_change() == 0;
        let board = (!in_air).then(|| self.squares.board().clone());
        let until = if still && !in_air { now } else { now + settings.press_after_ms };
        self.press = Some(OpenPress { side, at: now, board, until });
        if !completes && until == now {
            self.judge_press(now, out);
        }
    }

    /// The ply before is completed by it, or nothing, or the presser has moved without having the move.
    fn pressed_without_the_move(&mut self, side: Color, now: Millis, out: &mut Vec<Deed>) {
        if std::mem::take(&mut self.unpressed) {
            return out.push(Deed::Completed(side, now));
        }
        if self.unlawful || !self.tail.is_empty() {
            return;
        }
        let own = self.squares.misfit_ignoring_air(self.root.board()).into_iter().any(|square| {
            let of = |board: &Board| board.color_at(square) == Some(side);
            of(self.root.board()) || of(self.squares.board())
        });
        if own {
            self.unlawful = true;
            out.push(Deed::OutOfTurn(side));
        }
    }

    pub(super) fn judge_press(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let Some(press) = self.press.take() else { return };
        if self.unlawful {
            return;
        }
        let board = press.board.as_ref().unwrap_or(self.squares.board());
        let verdict = if self.squares.names() {
            press::judge(&self.root, board, press.side, self.touches.accident().is_some())
        } else if self.squares.misfit_ignoring_air(self.root.board()).is_empty() {
            Verdict::NoMove
        } else {
            Verdict::Mismatch(press::compare(self.root.board(), self.squares.board()))
        };
        match verdict {
            Verdict::Unseen(_) if now < press.at + self.settings.press_unseen_ms => {
                // Later the board is judged as it stands then: only the sensors can have been wrong.
                let until = press.at + self.settings.press_unseen_ms;
                out.push(Deed::AskDump);
                self.press = Some(OpenPress { board: None, until, ..press });
            }
            Verdict::Unseen(mismatch) => {
                self.unlawful = true;
                out.push(Deed::Pressed(press.side, Verdict::Mismatch(mismatch)));
            }
            Verdict::NoMove | Verdict::PromotionLeft(_) | Verdict::Illegal(_) | Verdict::Mismatch(_) => {
                self.unlawful = verdict != Verdict::NoMove;
                out.push(Deed::Pressed(press.side, verdict));
            }
        }
    }
}
