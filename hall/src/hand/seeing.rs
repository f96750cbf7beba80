//! What is seen: the best explanation of the board as it stands, looked for afresh after every report.

use protocol::board::Contents;
use shakmaty::{Bitboard, Move, Position};

use super::{
    Deed, Hand,
    explain::{self, Line},
    play_all,
};
use crate::Millis;

impl Hand {
    pub(super) fn survey(&mut self, contents: &Contents, now: Millis, out: &mut Vec<Deed>) {
        let first = !std::mem::replace(&mut self.surveyed, true);
        if first {
            self.hear_again(now);
        }
        let changes = self.squares.survey(contents, &self.settings, now);
        // Whatever stands as it stood before the silence was not played on meanwhile.
        self.gap &= self.was_gap || !first || !changes.is_empty();
        if first && !self.playing {
            // A board that already shows a start array when it is first heard has nothing to wait for. Unless it is
            // the array of a game that ended without a move: a cable or a daemon that comes back is no new game.
            if self.opening().is_some() && (!changes.is_empty() || self.ended_at.is_none()) {
                self.start_anew(out);
            } else if self.ended_at.is_none() {
                self.start_in_mid_game(contents, out);
            }
            return;
        }
        if first && self.assumed {
            // Nothing is final yet: what stands there now is as good a beginning.
            self.gap = false;
            self.assume_anew(contents, now, out);
        }
        let unknown = self.earlier.is_empty() || first && self.gap;
        if unknown && self.squares.board() != self.root.board() {
            self.turn_if_it_fits(now);
        }
        if first && self.gap {
            self.touches.clear();
            self.may_hold = true;
            self.vain_searches = (0, now);
            self.squares.forget();
            self.bridge(now, out);
        } else if first || !changes.is_empty() || !self.fits {
            self.feel(&changes, now, out);
            self.touches.found_by_dump(now);
            self.may_miss |= !self.fits;
            self.look(now, out);
        }
    }

    /// Before the first move, and after a silence in which another board may have come, half a turn is remapped
    /// silently: nobody told us how the board lies.
    pub(super) fn turn_if_it_fits(&mut self, now: Millis) {
        let mut turned = self.squares.clone();
        turned.lay(self.lie().turned(), now);
        let root = self.root.board();
        let fits = if self.squares.names() {
            turned.board() == root
        } else {
            self.squares.occupied() != root.occupied() && turned.occupied() == root.occupied()
        };
        if fits {
            turned.name(root);
            self.squares = turned;
        }
    }

    /// On a board that only senses where something stands a start array looks the same either way round: the first move
    /// shows how it lies.
    fn lies_turned(&mut self, now: Millis) -> bool {
        let occupied = self.root.board().occupied();
        let either_way = !self.squares.names() && self.earlier.is_empty() && occupied == occupied.rotate_180();
        if !either_way || !self.squares.lifted().is_empty() {
            return false;
        }
        let mut turned = self.squares.clone();
        turned.lay(self.lie().turned(), now);
        turned.start_from(self.root.board());
        let Some(line) = explain::lines(&self.root, &turned, &self.settings).into_iter().next() else { return false };
        self.squares = turned;
        if let Some(shown) = play_all(&self.root, &line.moves) {
            self.squares.name(shown.board());
        }
        true
    }

    /// Looks for the best explanation of the board.
    pub(super) fn look(&mut self, now: Millis, out: &mut Vec<Deed>) {
        if !self.playing || !self.surveyed {
            return;
        }
        if self.gap {
            return self.bridge(now, out);
        }
        self.rethinks_at = None;
        if self.is_being_restored(out) {
            return;
        }
        let mut best = self.best_line();
        if best.as_ref().is_none_or(|best| best.moves.len() > 1) && self.guess_again(now, out) {
            best = self.best_line();
        }
        if best.is_none() && self.lies_turned(now) {
            best = self.best_line();
        }
        if best.is_none() && self.stories.is_some() {
            best = self.other_story(out);
            if best.is_none() && self.reopens_gap() {
                return self.reopen_gap(now, out);
            }
        }
        if best.is_none() && self.think_over(self.settings.rethink_rest_ms, now, out) {
            best = self.best_line();
        }
        if best.is_none() && self.may_miss {
            // Who is in the air now may have been taken unseen: if nobody has put him down by then.
            let lifted = self.squares.lifted().iter().map(|lifted| lifted.at + self.settings.taken_unread_ms);
            let due = lifted.filter(|at| *at > now).max();
            self.rethinks_at = self.rethinks_at.into_iter().chain(due).min();
        }
        self.fits = best.is_some();
        self.unfit_since = if self.fits { None } else { self.unfit_since.or(Some(now)) };
        self.note_restored(best.as_ref().is_some_and(|best| best.moves.is_empty() && best.is_whole()), now);
        match best {
            Some(best) => {
                self.release(out);
                if best.moves.is_empty() && best.is_whole() {
                    self.turn.let_go = None;
                    if self.touches.restored() {
                        out.push(Deed::Restored);
                    }
                }
                self.show(best.moves, out);
            }
            None => {
                let standing = self.standing();
                self.show(self.tail[..standing].to_vec(), out);
            }
        }
        self.note_rest(now);
        self.look_aside(now, out);
    }

    fn best_line(&self) -> Option<Line> {
        let seen = self.likeliest(explain::lines(&self.root, &self.squares, &self.settings));
        let until = self.now.saturating_sub(self.settings.taken_unread_ms);
        let missed = || explain::line_with_a_miss(&self.root, &self.squares, &self.settings, until);
        let best = if self.may_miss { seen.or_else(missed) } else { seen };
        if self.may_be_silent { best.or_else(|| self.line_past_silence()) } else { best }
    }

    /// A reply that landed before the ply it answers has rather answered where the man had stopped before: a line in which
    /// every ply follows the one below it is likelier than a shorter one. Where a press can tell, it must have found the
    /// man there.
    fn likeliest(&self, mut lines: Vec<Line>) -> Option<Line> {
        let (missing, _) = lines.first()?.doubts();
        let in_order = lines.iter().position(|line| line.doubts() == (missing, 0));
        let is_told = |at: &usize| !self.pressing.is_possible() || self.was_there_at_press(&lines[*at]);
        let at = in_order.filter(is_told).unwrap_or(0);
        Some(lines.swap_remove(at))
    }

    /// The open press found the first man of the line where the line puts it.
    fn was_there_at_press(&self, line: &Line) -> bool {
        let (Some(press), Some(first)) = (&self.press, line.moves.first()) else { return false };
        press.side == self.root.turn() && press.found(*first)
    }

    /// The one line of a ply that nothing has told of and its replies.
    fn line_past_silence(&self) -> Option<Line> {
        let mut lines =
            explain::lines_past_silence(&self.root, &self.squares, &self.settings, self.settings.plies_ahead);
        lines.retain(|line| line.moves.len() > 1);
        let alike = lines.windows(2).all(|pair| pair[0].moves == pair[1].moves);
        lines.into_iter().next().filter(|_| alike)
    }

    /// How many plies of the tail still stand on their squares, whatever else is going on.
    fn standing(&self) -> usize {
        let stands = |count: usize| {
            let mut position = self.root.clone();
            let mut squares = Bitboard::EMPTY;
            for played in &self.tail[..count] {
                squares |= explain::footprint(*played);
                position.play_unchecked(*played);
            }
            (self.squares.misfit_ignoring_air(position.board()) & squares).is_empty()
        };
        (0..=self.tail.len()).rev().find(|count| stands(*count)).unwrap_or(0)
    }

    pub(super) fn show(&mut self, tail: Vec<Move>, out: &mut Vec<Deed>) {
        if self.tail != tail {
            self.tail = tail;
            self.known = self.known.min(self.tail.len());
            out.push(Deed::Seen(self.beyond_record()));
        }
    }

    /// Remembers how long the first ply of the tail rests, and which rested before it.
    fn note_rest(&mut self, now: Millis) {
        let head = self.tail.first().copied();
        if let Some((resting, since)) = self.turn.resting
            && head != Some(resting)
        {
            self.note_release(resting, now - since);
            self.turn.resting = None;
            if head.is_some() && self.tail.len() > 1 {
                self.turn.swapped_at = Some(now);
            }
        }
        if let Some(head) = head
            && self.turn.resting.is_none()
        {
            // After a flicker it has rested all the time.
            self.turn.resting = Some((head, self.squares.rests_since()));
        }
    }

    /// A ply was left again after such a rest.
    pub(super) fn note_release(&mut self, rested: Move, dwell: Millis) {
        if dwell >= self.settings.release_dwell_ms {
            self.turn.released.retain(|(earlier, _)| *earlier != rested);
            self.turn.released.push((rested, dwell));
            self.turn.let_go = Some(rested);
        }
    }

    pub(super) fn release(&mut self, out: &mut Vec<Deed>) {
        if !self.is_undecided() && std::mem::take(&mut self.held) {
            out.push(Deed::Held(Bitboard::EMPTY));
        }
    }
}
