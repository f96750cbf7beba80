//! A press of the clock: which ply it completes, or what it is judged as.

use shakmaty::{Board, Color, Move, Position};

use super::{
    Deed, Hand, explain,
    press::{self, Illegality, Reason, Verdict},
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
    /// A man of the presser was nowhere when it was judged: from then on only the sensors can have been wrong.
    unseen: bool,
}

impl OpenPress {
    /// The man of this ply stood where the ply takes it.
    pub(super) fn found(&self, played: Move) -> bool {
        let man = played.promotion().unwrap_or(played.role()).of(self.side);
        self.board.as_ref().is_some_and(|board| board.piece_at(played.to()) == Some(man))
    }
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
        self.idle.take_if(|by| *by != side);
        if std::mem::take(&mut self.restoring) {
            self.look(now, out);
        }
        if self.answers_aside(side, now, out) {
            return;
        }
        if self.assumed && self.tail.is_empty() && self.shows_whose_turn(side, now, out) {
            return;
        }
        // The opponent has pressed since: the turn is back, and what follows is followed without a word.
        if last.is_some_and(|(by, _)| by != side) {
            self.judged = None;
        }
        if self.rethinks_at.is_some() && self.think_over(self.settings.contact_debounce_ms, now, out) {
            self.look(now, out);
        }
        // A press of the other side says that the earlier one was for the ply before.
        let earlier = self.press.as_ref().map(|press| press.side).filter(|earlier| *earlier != side);
        if self.fits && earlier.is_some_and(|earlier| self.completed_by(earlier).is_some()) {
            let later = self.completed_by(side).filter(|count| *count > 1);
            let before = later.map_or(usize::MAX, |count| count - 1);
            self.settle_pressed(before, now, out);
        }
        if self.press.as_ref().is_some_and(|press| press.side != side) {
            // Under an open press the turn counts as passed.
            let until = now + self.settings.press_queued_ms;
            self.next_press = Some(OpenPress { side, at: now, board: None, until, unseen: false });
            return;
        }
        let starts = last.is_none() && self.earlier.is_empty() && side.is_black() && self.root.turn().is_white();
        if starts && self.tail.is_empty() && self.fits {
            return;
        }
        let completes = self.fits && self.completed_by(side).is_some();
        // A ply that a reply has made final before is completed by it.
        let unchanged = || self.squares.misfit_ignoring_air(self.root.board()).is_empty();
        let before = self.root.turn() != side || self.tail.is_empty() && unchanged();
        if !completes && before && std::mem::take(&mut self.unpressed[side]) {
            // With a ply of a story nobody knows yet which ply of the record that is.
            if self.stories.is_none() {
                out.push(Deed::Completed(side, now));
            }
            return;
        }
        if !completes && self.root.turn() != side {
            self.pressed_without_the_move(side, out);
            return;
        }
        // Another move on top of one that was not seen is judged with it.
        if !completes && self.press.as_ref().is_some_and(|press| press.unseen) {
            return;
        }
        let settings = &self.settings;
        let in_air = self.squares.lifted().iter().any(|lifted| lifted.piece.color == side);
        let still = now >= self.squares.last_change() + settings.press_before_ms || self.squares.last_change() == 0;
        let board = (!in_air).then(|| self.squares.board().clone());
        let until = if still && !in_air { now } else { now + settings.press_after_ms };
        self.press = Some(OpenPress { side, at: now, board, until, unseen: false });
        if !completes && until == now {
            self.judge_press(now, out);
        }
    }

    /// Where it was not known whose turn it is, a press tells: a player who has moved before the board was heard has it no
    /// more, one whose men have changed had it. True if there is nothing to judge.
    fn shows_whose_turn(&mut self, side: Color, now: Millis, out: &mut Vec<Deed>) -> bool {
        let unchanged = self.squares.misfit_ignoring_air(self.root.board()).is_empty();
        let passes = unchanged == (self.root.turn() == side);
        passes && self.pass_turn(now, out) && unchanged
    }

    /// Nothing is completed by it, or the presser has moved without having the move.
    fn pressed_without_the_move(&mut self, side: Color, out: &mut Vec<Deed>) {
        if self.unlawful || !self.tail.is_empty() {
            return;
        }
        let own = self.squares.misfit_ignoring_air(self.root.board()).into_iter().any(|square| {
            let of = |board: &Board| board.color_at(square) == Some(side);
            of(self.root.board()) || of(self.squares.board())
        });
        if own {
            self.find_unlawful();
            out.push(Deed::OutOfTurn(side));
        }
    }

    /// Where a move is completed when it is released, so is one that is not legal. What is only half done is neither: a
    /// capture whose victim still stands, a king on its way to a legal castling, a pawn that is still to be replaced.
    pub(super) fn judge_release(&mut self, out: &mut Vec<Deed>) {
        self.release_judged = Some(self.squares.rests_since());
        if !self.squares.names() {
            return;
        }
        let (side, board) = (self.root.turn(), self.squares.board().clone());
        let changed_at = |square| self.squares.changed_at(square);
        let verdict = press::judge(&self.root, &board, side, self.touches.accident().is_some(), changed_at);
        let Verdict::Illegal(illegality) = verdict else { return };
        let castling = illegality.reason == Reason::CastlingNotAllowed && self.castling_to(illegality.to).is_some();
        if illegality.reason != Reason::CapturedNotRemoved && !castling {
            self.find_unlawful();
            self.keep_judged(side, &verdict, board);
            out.push(Deed::Pressed(side, verdict));
        }
    }

    /// Remembers what was illegal: a second press is judged by it, and it may come to stand.
    pub(super) fn keep_judged(&mut self, side: Color, verdict: &Verdict, board: Board) {
        let illegality = match verdict {
            Verdict::Illegal(illegality) => *illegality,
            Verdict::PromotionLeft(left) => Illegality {
                reason: Reason::NotALegalMove,
                from: left.from().expect("a pawn comes from somewhere"),
                to: left.to(),
                taken: left.capture().map(|_| left.to()),
            },
            Verdict::NoMove | Verdict::Mismatch(_) | Verdict::Unseen(_) => return,
        };
        self.set_aside(side, illegality, board.clone());
        self.judged = Some(board);
    }

    pub(super) fn judge_press(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let Some(press) = self.press.take() else { return };
        let board = press.board.clone().unwrap_or_else(|| self.squares.board().clone());
        if self.unlawful {
            return self.pressed_again(press.side, &board, out);
        }
        // Names that were guessed may have changed places.
        let nothing_moved = !self.squares.names() && board.occupied() == self.root.board().occupied();
        let verdict = if nothing_moved {
            Verdict::NoMove
        } else {
            let changed_at = |square| self.squares.changed_at(square);
            press::judge(&self.root, &board, press.side, self.touches.accident().is_some(), changed_at)
        };
        let verdict = if press.unseen && matches!(verdict, Verdict::Illegal(_)) {
            Verdict::Mismatch(press::compare(self.root.board(), &board))
        } else {
            verdict
        };
        match verdict {
            Verdict::Unseen(_) if now < press.at + self.settings.press_unseen_ms => {
                // Later the board is judged as it stands then: only the sensors can have been wrong.
                let until = press.at + self.settings.press_unseen_ms;
                out.push(Deed::AskDump);
                self.press = Some(OpenPress { board: None, until, unseen: true, ..press });
                self.may_be_silent = true;
                self.look(now, out);
            }
            Verdict::Unseen(_) if self.catch_up(press.side, now, out) => {}
            Verdict::Unseen(_) if self.took_unnoticed(press.side, now, out) => {}
            Verdict::Unseen(mismatch) => {
                // The opponent, who has pressed meanwhile, may still explain it.
                self.press = self.next_press.take();
                self.find_unlawful();
                out.push(Deed::Pressed(press.side, Verdict::Mismatch(mismatch)));
            }
            // The man that was nowhere is back where it was, and the opponent has pressed meanwhile: there and back, and
            // nobody can tell which way.
            Verdict::NoMove if press.unseen && self.next_press.take().is_some() => self.admit_gap(true, out),
            // The same lever can't be pressed twice: what comes again before the other player's press is no offence.
            Verdict::NoMove if self.idle.replace(press.side) == Some(press.side) => {}
            Verdict::NoMove => out.push(Deed::Pressed(press.side, verdict)),
            Verdict::PromotionLeft(_) | Verdict::Illegal(_) | Verdict::Mismatch(_) => {
                self.find_unlawful();
                self.keep_judged(press.side, &verdict, board);
                out.push(Deed::Pressed(press.side, verdict));
            }
        }
    }

    /// The presser's man is nowhere because it was taken before any sensor had read it: the reply shows which move it
    /// made.
    fn catch_up(&mut self, side: Color, now: Millis, out: &mut Vec<Deed>) -> bool {
        let Some(line) = explain::line_with_a_miss(&self.root, &self.squares, &self.settings, now) else {
            return false;
        };
        let below = line.moves.len() - 1;
        self.press = self.next_press.take();
        self.show(line.moves, out);
        self.settle(below, false, now, out);
        self.unpressed[side] = false;
        true
    }

    /// On a board that names nobody the presser's man took another so fast that the square never read empty. If it may
    /// have taken one of several, the next ply has to tell which.
    fn took_unnoticed(&mut self, side: Color, now: Millis, out: &mut Vec<Deed>) -> bool {
        if self.squares.names() {
            return false;
        }
        let mut lines = explain::lines_past_silence(&self.root, &self.squares, &self.settings, 1)
            .into_iter()
            .map(|line| line.moves);
        let Some(best) = lines.next() else { return false };
        let others = lines.collect::<Vec<_>>();
        if others.is_empty() {
            self.press = self.next_press.take();
            self.show(best, out);
            self.settle(1, false, now, out);
            self.unpressed[side] = false;
        } else {
            self.undecided(best, others, out);
        }
        true
    }
}
