//! The record moves on: a seen ply becomes final, with what its making suggests.

use laws::touch::{castling_duty, examine, victim};
use shakmaty::{Move, Piece, Position, Role, Square};

use super::{Deed, Finished, Hand, explain, feeling::Turn};
use crate::Millis;

impl Hand {
    /// What the open press completes is final: `limit` plies at most, where the opponent's press says what came after it.
    pub(super) fn settle_pressed(&mut self, limit: usize, now: Millis, out: &mut Vec<Deed>) {
        let Some(press) = self.press.take() else { return };
        self.press = self.next_press.take();
        if let Some(count) = self.completed_by_press(&press).map(|count| count.min(limit)) {
            self.completing = Some(press.at);
            self.settle(count, false, now, out);
            self.unpressed[press.side] = false;
        }
    }

    pub(super) fn settle(&mut self, count: usize, inferred: bool, now: Millis, out: &mut Vec<Deed>) {
        let completing = self.completing.take();
        if self.stories.is_some() && !self.rule_out(count, completing.is_some(), now, out) {
            return;
        }
        let count = count.min(self.tail.len());
        let moves = self.tail.drain(..count).collect::<Vec<_>>();
        self.known = self.known.saturating_sub(count);
        let times = moves.iter().map(|played| self.changed_at(*played)).collect::<Vec<_>>();
        for (ply, (played, placed)) in moves.into_iter().zip(times).enumerate() {
            let mover = self.root.turn();
            let pressed_now = self.press.as_ref().filter(|press| press.side == mover).map(|press| press.at);
            let pressed_at = completing.filter(|_| ply + 1 == count).or(pressed_now);
            let inferred = inferred || self.unheard == Some((self.earlier.len(), played));
            let finished = Finished { placed, pressed: pressed_at, ..self.finish(played, inferred) };
            self.pass(played, placed, now);
            self.may_miss = false;
            self.may_be_silent = false;
            self.puzzled = false;
            self.assumed = false;
            self.aside = None;
            out.push(Deed::Final(finished));
        }
        self.squares.name(self.root.board());
        self.squares.move_on(self.root.board());
        // Where nobody can be named, a man that was taken leaves no trace of having been another.
        self.squares.keep(self.tail.iter().flat_map(|played| explain::footprint(*played)).collect());
        self.look(now, out);
    }

    /// The position moves on, and the turn with it.
    pub(super) fn pass(&mut self, played: Move, placed: Millis, now: Millis) {
        let mover = self.root.turn();
        self.advance(played);
        self.turn = Turn::default();
        self.touches.excuse(false);
        // For touches the turn passes when the ply has rested, or is pressed.
        let passed = now.min(placed + self.settings.release_dwell_ms);
        let lifted = self.squares.lifted().iter().map(|lifted| lifted.from).collect::<Vec<_>>();
        self.touches.pass(passed, &lifted);
        // An open press was for this ply, whatever else has made it final meanwhile.
        let pressed = self.press.take_if(|press| press.side == mover).is_some();
        if pressed {
            self.press = self.next_press.take();
        }
        self.unpressed[mover] = !pressed;
        self.placed_at = placed;
        self.unlawful = false;
        self.judged = None;
        self.idle = None;
    }

    pub(super) fn advance(&mut self, played: Move) {
        self.earlier.push(self.root.board().clone());
        self.recent.push((self.root.clone(), played));
        if self.recent.len() > self.settings.plies_rethought {
            self.recent.remove(0);
        }
        self.root.play_unchecked(played);
    }

    /// The pawn went from its square into the box, and the piece came out of it.
    fn is_unstepped(&self, played: Move) -> bool {
        let pawn = Role::Pawn.of(self.root.turn());
        played.promotion().is_some() && self.squares.names() && !self.squares.has_landed(played.to(), pawn)
    }

    /// What the making of a move suggests.
    fn finish(&mut self, played: Move, inferred: bool) -> Finished {
        let part = |square: Square, _: Piece| {
            played.from() == Some(square)
                || victim(played) == Some(square)
                || matches!(played, Move::Castle { rook, .. } if rook == square)
        };
        let touched = self.touches.counted(part, &self.settings);
        let accident = self.touches.accident().is_some();
        let quiet = inferred || accident;
        let touch = if quiet { None } else { examine(&self.root, played, &touched, self.mode) };
        // The man rested, and then it went on or went back and another one moved. Castling goes on from either man.
        let goes_on = |(resting, _): &&(Move, Millis)| {
            let castled = matches!(played, Move::Castle { king, rook }
                if resting.from() == Some(king) || resting.from() == Some(rook));
            !castled && (resting.from() != played.from() || resting.to() != played.to())
        };
        let released = self.turn.released.iter().find(goes_on).map(|(resting, dwell)| (resting.to(), *dwell));
        let touched_both = castling_duty(&self.root, played, &touched, self.mode);
        let duty = self.turn.duty.filter(|meant| *meant != played).or(touched_both).and_then(|meant| {
            let side = meant.castling_side()?;
            Some(side.king_to(self.root.turn()))
        });
        let other = |(square, role): &(Square, Role)| {
            played.to() == *square && played.promotion().is_some_and(|promotion| promotion != *role)
        };
        let exchanged = self.turn.promoted.filter(other).map(|(square, _)| square);
        Finished {
            played,
            inferred,
            assumed: played.promotion().is_some() && !self.squares.names(),
            touch,
            released: released.filter(|_| !quiet),
            exchanged: exchanged.filter(|_| !quiet),
            duty: duty.filter(|_| !quiet),
            two_hands: self.turn.two_hands && !quiet,
            unstepped: !quiet && self.is_unstepped(played),
            touched: self.touches.first_at(part),
            placed: 0,
            pressed: None,
        }
    }
}
