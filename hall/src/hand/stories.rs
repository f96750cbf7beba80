//! Stories: what may have been played while nothing was heard, where the board alone can't tell.
//!
//! Play goes on on top of them, and is shown. What can't have happened after a story rules it out; nothing of all this is
//! final until one is left or somebody has chosen.

use shakmaty::{Board, Chess, Move, Position, Role};

use super::{
    Deed, Hand,
    explain::{self, Line},
    feeling::Turn,
    gap::detours,
    play_all,
};
use crate::{Millis, Settings};

/// Lines that lead to the same board.
#[derive(Clone, Debug)]
pub(super) struct Stories {
    /// The record's position, and how many were before it.
    base: Chess,
    earlier: usize,
    /// The lines from there, the one that is shown first. What was played since is at the end of each.
    lines: Vec<Vec<Move>>,
    /// Other orders of the moves of the only line.
    orders: Vec<Vec<Move>>,
    /// So many plies of each were not heard; those on top of them were.
    unheard: usize,
    /// So many plies of them were seen before the silence.
    known: usize,
    /// Nothing was played on top of them yet.
    fresh: bool,
    /// The clock speaks against the only one.
    doubted: bool,
}

impl Stories {
    /// One story is left, and nothing speaks against it.
    fn is_sure(&self, settings: &Settings) -> bool {
        let [line] = &self.lines[..] else { return false };
        !self.doubted && !is_doubtful(&line[self.known.min(self.unheard)..self.unheard], settings.story_plies)
    }

    fn end(&self, line: &[Move]) -> Option<Chess> {
        play_all(&self.base, line)
    }
}

impl Hand {
    /// Different stories lead to the board, or one that has to prove itself: the position is shown and play goes on.
    pub(super) fn tell_stories(
        &mut self,
        best: Vec<Move>,
        others: Vec<Vec<Move>>,
        lone: bool,
        doubted: bool,
        out: &mut Vec<Deed>,
    ) {
        let before = self.stories.take();
        let (base, earlier, known) = match &before {
            Some(before) => (before.base.clone(), before.earlier, before.known),
            None => (self.root.clone(), self.earlier.len(), self.known),
        };
        let Some(end) = play_all(&self.root, &best) else { return };
        let (lines, orders) = if lone { (vec![best], others) } else { (one_and_all(best, others), Vec::new()) };
        let lines = match before {
            Some(before) => {
                let all = before.lines.iter().flat_map(|first| lines.iter().map(|then| [&first[..], then].concat()));
                all.filter(|line| ends_on(&base, line, end.board())).take(self.settings.stories_kept).collect()
            }
            None => lines,
        };
        let unheard = lines.first().map_or(0, Vec::len);
        self.gap = false;
        self.vain_searches = (0, self.now);
        self.fits = true;
        self.recent.clear();
        self.press = None;
        self.next_press = None;
        self.turn = Turn::default();
        self.unpressed[!end.turn()] = true;
        self.root = end;
        self.squares.move_on(self.root.board());
        let stories =
            self.stories.insert(Stories { base, earlier, lines, orders, unheard, known, fresh: true, doubted });
        let sure = stories.is_sure(&self.settings);
        self.tail.clear();
        self.known = 0;
        out.push(Deed::Seen(self.beyond_record()));
        if sure {
            self.release(out);
        } else {
            self.hold_stories(out);
        }
    }

    /// Everything that is seen beyond the record.
    pub(super) fn beyond_record(&self) -> Vec<Move> {
        let story = self.stories.as_ref().and_then(|stories| stories.lines.first());
        [story.map_or(&[][..], Vec::as_slice), &self.tail].concat()
    }

    /// Somebody has to say which story it was, or whether it was that one.
    pub(super) fn is_undecided(&self) -> bool {
        self.stories.as_ref().is_some_and(|stories| !stories.is_sure(&self.settings))
    }

    /// When the only story has stood long enough to be believed.
    pub(super) fn believes_at(&self) -> Option<Millis> {
        let sure = self.stories.as_ref().is_some_and(|stories| stories.is_sure(&self.settings));
        (sure && self.fits).then_some(self.squares.rests_since() + self.settings.story_rest_ms)
    }

    /// The only story is what was played.
    pub(super) fn believe(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let Some(Stories { base, earlier, lines, orders, known, fresh, .. }) = self.stories.take() else { return };
        let Some(story) = lines.into_iter().next() else { return };
        self.root = base;
        self.earlier.truncate(earlier);
        self.recent.clear();
        self.squares.believe();
        self.release(out);
        out.push(Deed::Gap { plies: story.len().saturating_sub(known), others: orders });
        if fresh && self.tail.is_empty() {
            self.tail = story;
            self.note_unheard();
            self.settle(self.tail.len().saturating_sub(1), true, now, out);
        } else {
            // What was touched since the silence belongs to the plies on top.
            let (touches, turn) = (self.touches.clone(), self.turn.clone());
            let settled = story.len();
            self.tail.splice(..0, story);
            self.settle(settled, true, now, out);
            (self.touches, self.turn) = (touches, turn);
        }
    }

    /// The board fits nothing on top of the story that is shown: perhaps it does on top of another one.
    pub(super) fn other_story(&mut self, out: &mut Vec<Deed>) -> Option<Line> {
        let stories = self.stories.as_ref()?;
        let shows = |line: &Vec<Move>| {
            let end = stories.end(line)?;
            let found = explain::lines(&end, &self.squares, &self.settings).into_iter().next()?;
            Some((end, found))
        };
        let (at, (end, found)) =
            stories.lines.iter().map(shows).enumerate().find_map(|(at, found)| Some((at, found?)))?;
        self.root = end;
        self.stories.as_mut()?.lines[..=at].rotate_right(1);
        self.tail.clear();
        out.push(Deed::Seen(self.beyond_record()));
        Some(found)
    }

    /// Hands do not play on from any story: the board was heard in the middle of a move, or there was another one.
    pub(super) fn reopens_gap(&self) -> bool {
        let Some(stories) = self.stories.as_ref().filter(|stories| stories.fresh) else { return false };
        let begins = |line: &Vec<Move>| {
            let end = stories.end(line);
            end.is_some_and(|end| explain::is_begun(&end, self.squares.misfit(end.board()), &self.squares, 0))
        };
        self.squares.lifted().is_empty() && !stories.lines.iter().any(begins)
    }

    /// What was not heard is looked for anew.
    pub(super) fn reopen_gap(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let Some(Stories { base, earlier, lines, known, .. }) = self.stories.take() else { return };
        self.root = base;
        self.earlier.truncate(earlier);
        self.recent.clear();
        self.gap = true;
        self.squares.believe();
        self.known = known;
        self.tail = lines.into_iter().next().map(|line| line[..known].to_vec()).unwrap_or_default();
        self.bridge(now, out);
    }

    /// So many plies of the tail are as good as final: what can't have gone before them is ruled out. True if the
    /// record goes on; otherwise they wait with the stories below them.
    pub(super) fn rule_out(&mut self, count: usize, pressed: bool, now: Millis, out: &mut Vec<Deed>) -> bool {
        let Some(stories) = &mut self.stories else { return true };
        let Some(board) = play_all(&self.root, &self.tail[..count]).map(|end| end.board().clone()) else { return true };
        let known = stories.lines.len();
        let names = self.squares.names();
        for line in &mut stories.lines {
            line.extend(&self.tail[..count]);
        }
        let base = &stories.base;
        stories.lines.retain(|line| {
            let end = play_all(base, line);
            end.is_some_and(
                |end| if names { *end.board() == board } else { end.board().occupied() == board.occupied() },
            )
        });
        stories.fresh = false;
        let (sure, fewer) = (stories.is_sure(&self.settings), stories.lines.len() < known);
        if sure {
            // The plies on top are settled by what has happened to them, not with the story.
            stories.lines.iter_mut().for_each(|line| line.truncate(line.len() - count));
            self.believe(now, out);
            return true;
        }
        // They wait with the stories below them: the turn passes all the same.
        for played in self.tail.drain(..count).collect::<Vec<_>>() {
            let mover = self.root.turn();
            self.pass(played, self.changed_at(played), now);
            self.unpressed[mover] &= !pressed;
        }
        self.squares.name(self.root.board());
        self.squares.move_on(self.root.board());
        if fewer {
            self.hold_stories(out);
        } else if let Some(stories) = &self.stories {
            out.push(Deed::Undecided { lines: stories.lines.clone(), news: false });
        }
        self.look(now, out);
        false
    }

    fn hold_stories(&mut self, out: &mut Vec<Deed>) {
        let Some(Stories { base, lines, .. }) = &self.stories else { return };
        if !std::mem::replace(&mut self.held, true) {
            out.push(Deed::Held(self.squares.misfit_ignoring_air(base.board())));
        }
        out.push(Deed::Undecided { lines: lines.clone(), news: true });
    }
}

pub(super) fn one_and_all(best: Vec<Move>, others: Vec<Vec<Move>>) -> Vec<Vec<Move>> {
    std::iter::once(best).chain(others).collect()
}

fn ends_on(base: &Chess, line: &[Move], board: &Board) -> bool {
    play_all(base, line).is_some_and(|end| end.board() == board)
}

/// A man went a way round, and took something at the end of it: perhaps it was taken elsewhere. (A pawn has no other way.)
fn is_doubtful(story: &[Move], believed: usize) -> bool {
    let takes = |at: usize| {
        let later = story[at..].iter().skip(2).step_by(2).find(|later| later.from() == Some(story[at].to()));
        later.is_some_and(|later| later.is_capture() && later.role() != Role::Pawn)
    };
    let mut detours = detours(story).peekable();
    detours.peek().is_some() && (story.len() > believed || detours.any(takes))
}
