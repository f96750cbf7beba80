//! What was played while nothing was heard.

use std::ops::RangeInclusive;

use shakmaty::{Chess, Move, Position};

use super::{
    Deed, Hand, Presses,
    explain::{self, Bridge},
    play_all,
    stories::one_and_all,
};
use crate::Millis;

impl Hand {
    /// The board can't be heard any more: no rest goes on.
    pub(super) fn fall_silent(&mut self, now: Millis) {
        if std::mem::take(&mut self.surveyed) {
            self.was_gap = self.gap;
        }
        if !self.gap {
            self.known = self.tail.len();
        }
        self.gap = true;
        self.presses = Presses::Unknown;
        if let Some((resting, since)) = self.turn.resting.take() {
            self.note_release(resting, now - since);
        }
    }

    /// The whole board is heard again: all rests and waits begin anew.
    pub(super) fn hear_again(&mut self, now: Millis) {
        self.squares.hear(now);
        self.touches.hear(now);
        for press in [&mut self.press, &mut self.next_press].into_iter().flatten() {
            press.until = press.until.max(now + self.settings.press_after_ms);
        }
    }

    /// The clock tells how much was played unheard. What was open before this silence it can't tell.
    pub(super) fn count(&mut self, presses: &Presses, now: Millis, out: &mut Vec<Deed>) {
        let told = if self.was_gap { Presses::Unknown } else { presses.clone() };
        let before = std::mem::replace(&mut self.presses, told);
        if before == self.presses {
            return;
        }
        if self.gap {
            self.look(now, out);
        } else if self.surveyed && before == Presses::Awaited {
            // The men stand as they stood, and may have gone and come back.
            let plies = play_all(&self.root, &self.tail).and_then(|seen| self.plies_counted(&seen));
            self.admit_gap(plies.is_some_and(|plies| *plies.start() > 1), out);
        }
    }

    /// When the clock will not be waited for any longer.
    pub(super) fn counts_at(&self) -> Option<Millis> {
        let awaited = self.surveyed && self.presses == Presses::Awaited;
        awaited.then_some(self.squares.heard_at() + self.settings.clock_late_ms)
    }

    /// How many plies were played after so many that are known, as far as the clock tells. The last may not be pressed.
    fn plies_counted(&self, base: &Chess) -> Option<RangeInclusive<usize>> {
        let Presses::Counted { count, to_move } = &self.presses else { return None };
        let before = if count.start().is_multiple_of(2) { *to_move } else { !*to_move };
        // One press was for the last ply that is known.
        let known = usize::from(base.turn() != before);
        Some(count.start().saturating_sub(known)..=(count.end() + 1).saturating_sub(known))
    }

    /// Explains what happened while nothing was heard. A board that was surveyed with a man in the hand can't be
    /// explained yet; the gap stays open until it can.
    pub(super) fn bridge(&mut self, now: Millis, out: &mut Vec<Deed>) {
        self.fits = false;
        if self.counts_at().is_some() {
            return;
        }
        let settings = &self.settings;
        let (vain, last) = self.vain_searches;
        let doublings = vain.checked_sub(settings.gap_tries).map(|more| more.min(settings.gap_doublings));
        let pauses = doublings
            .is_some_and(|doublings| now < last + settings.gap_pause_ms.saturating_mul(1 << doublings.min(32)));
        let depth = if pauses { settings.gap_pause_plies } else { settings.gap_plies };
        if !pauses {
            self.vain_searches = (vain.saturating_add(1), now);
        }
        let Some((best, others, doubted)) = self.stories(depth) else {
            return;
        };
        let known = if best.starts_with(&self.tail[..self.known]) { self.known } else { 0 };
        // Men that stand as they stood before were put back, or another board was plugged in. Nobody has played there.
        if best.len() > known && self.plies_back().is_some() {
            return;
        }
        self.is_stranger = false;
        let lone = others.iter().all(|other| is_reordered(other, &best));
        if !lone || doubted || self.stories.is_some() || detours(&best[known..]).next().is_some() {
            self.known = known;
            return self.tell_stories(best, others, lone, doubted, out);
        }
        self.gap = false;
        self.puzzled = false;
        self.vain_searches = (0, now);
        let plies = best.len();
        self.fits = true;
        self.release(out);
        self.show(best, out);
        if plies > known {
            out.push(Deed::Gap { plies: plies - known, others });
            self.note_unheard();
        }
        self.settle(plies.saturating_sub(1), true, now, out);
    }

    /// The tail ends with a ply that was played unheard. It is as open as any that was just seen.
    pub(super) fn note_unheard(&mut self) {
        self.unheard = self.tail.split_last().map(|(last, below)| (self.earlier.len() + below.len(), *last));
    }

    /// What may have been played while nothing was heard, the likeliest first, and whether it may have been something else.
    /// What was seen before it was played.
    fn stories(&self, depth: usize) -> Option<(Vec<Move>, Vec<Vec<Move>>, bool)> {
        let known = &self.tail[..self.known];
        for tail in [known, &[]].into_iter().take(if known.is_empty() { 1 } else { 2 }) {
            let Some(base) = play_all(&self.root, tail) else { continue };
            let last = tail.last().or(self.recent.last().map(|(_, played)| played)).copied();
            let counted = self.plies_counted(&base);
            match explain::bridge(&base, last, &self.squares, &self.settings, depth, self.may_hold, counted) {
                Bridge::Lines { lines, doubted } => {
                    let mut stories = lines.into_iter().map(|line| [tail, &line.moves].concat());
                    return Some((stories.next()?, stories.collect(), doubted));
                }
                Bridge::InHand => return None,
                Bridge::None => {}
            }
        }
        None
    }

    /// What was played while nothing was heard, or by hands nobody could follow, is not found out: the board has rested and
    /// nothing leads to it, or the game closes.
    pub(super) fn admit_gap(&self, lost: bool, out: &mut Vec<Deed>) {
        if self.playing && (lost || self.gap || self.stories.is_some()) {
            out.push(Deed::Gap { plies: 0, others: Vec::new() });
        }
    }

    /// Says once that more than one story leads to the board.
    pub(super) fn undecided(&mut self, best: Vec<Move>, others: Vec<Vec<Move>>, out: &mut Vec<Deed>) {
        if !std::mem::replace(&mut self.held, true) {
            out.push(Deed::Held(self.squares.misfit_ignoring_air(self.root.board())));
        }
        self.show(best.clone(), out);
        if !std::mem::replace(&mut self.puzzled, true) {
            out.push(Deed::Undecided { lines: one_and_all(best, others), news: true });
        }
    }
}

/// The plies after which a man went on and left no trace where it had stopped: it may have gone another way, or in more
/// moves.
pub(super) fn detours(line: &[Move]) -> impl Iterator<Item = usize> {
    let stops = |at: &usize| {
        let goes_on = line[*at..].iter().skip(2).step_by(2).any(|later| later.from() == Some(line[*at].to()));
        goes_on && !line[*at].is_capture() && !line[*at].is_castle()
    };
    (0..line.len()).filter(stops)
}

/// The same moves in another order.
fn is_reordered(a: &[Move], b: &[Move]) -> bool {
    a.len() == b.len() && a.iter().all(|played| b.contains(played)) && b.iter().all(|played| a.contains(played))
}
