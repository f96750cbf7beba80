//! What was heard of squares and presses, in its order, for as long as it may be weighed again.

use std::collections::VecDeque;

use protocol::board::Content;
use shakmaty::{ByColor, Color, Square};

use crate::{Millis, Ply, Settings};

/// More than hands do in the plies that are weighed.
const READINGS: usize = 192;
const PRESSES: usize = 24;
const PLIES: usize = 12;
const SURVEYS: usize = 32;

/// Readings and presses of the last plies.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    readings: VecDeque<Reading>,
    presses: VecDeque<(Color, Millis)>,
    /// When each player has pressed last, however long ago: who presses has let go.
    pressed_at: ByColor<Millis>,
    /// When the last plies had landed, and when they were pressed, as far as they had been by then.
    placed: VecDeque<(Ply, Millis, Option<Millis>)>,
    /// Nothing before this is known, or was heard in full.
    begins: Millis,
    /// When the board was not heard any more, last.
    fell_silent: Millis,
    /// When the whole board was read.
    surveys: VecDeque<Millis>,
}

/// A square was something, and is something else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) at: Millis,
    pub(super) square: Square,
    pub(super) was: Content,
    pub(super) is: Content,
    /// Only a dump has told: it may have been so for some time.
    pub(super) found: bool,
}

impl Evidence {
    /// What came before can't be weighed any more: the squares are others, or something was not heard.
    pub(super) fn begin(&mut self, now: Millis) {
        self.readings.clear();
        self.presses.clear();
        self.placed.clear();
        self.begins = now;
    }

    /// What hands did on top of this ply was judged and undone by then: no later ply is told by it.
    pub(super) fn begin_after(&mut self, ply: Ply, at: Millis) {
        self.readings.retain(|reading| reading.at > at);
        self.presses.retain(|(_, pressed)| *pressed > at);
        self.placed = VecDeque::from([(ply, at, None)]);
        self.begins = at;
    }

    /// The whole board is read.
    pub(super) fn survey(&mut self, now: Millis) {
        push(&mut self.surveys, now, SURVEYS);
    }

    /// When it was last.
    pub(super) fn surveyed_at(&self) -> Millis {
        self.surveys.back().copied().unwrap_or(0)
    }

    /// Whoever was read leaving then and coming elsewhere then did so within one scan, as no hand puts him: his reading has
    /// jumped. A board that sends a dump in between, which takes it about as long, reports nothing meanwhile.
    pub(super) fn jumps(&self, left: Millis, came: Millis, settings: &Settings) -> bool {
        let dumped = self.surveys.iter().any(|at| (left..=came).contains(at));
        left.abs_diff(came) <= settings.scan_ms * if dumped { 2 } else { 1 }
    }

    /// The board can't be heard from here on.
    pub(super) fn fall_silent(&mut self, now: Millis) {
        self.fell_silent = now;
    }

    /// When it could not be heard any more, last.
    pub(super) fn fell_silent(&self) -> Millis {
        self.fell_silent
    }

    pub(super) fn read(&mut self, reading: Reading) {
        push(&mut self.readings, reading, READINGS);
    }

    /// The last reading came with a dump.
    pub(super) fn find(&mut self) {
        if let Some(last) = self.readings.back_mut() {
            last.found = true;
        }
    }

    /// Who was read on this square last has landed on that one.
    pub(super) fn misread(&mut self, read: Square, stands: Square) {
        if let Some(last) = self.readings.iter_mut().rev().find(|reading| reading.square == read) {
            last.square = stands;
        }
    }

    /// A lever that bounces is pressed once.
    pub(super) fn press(&mut self, side: Color, now: Millis, bounce: Millis) {
        let last = self.presses.iter().rev().find(|(by, _)| *by == side);
        if last.is_none_or(|(_, at)| now >= at + bounce) {
            push(&mut self.presses, (side, now), PRESSES);
            self.pressed_at[side] = now;
        }
    }

    /// This press was for nothing.
    pub(super) fn idle(&mut self, side: Color, at: Millis) {
        self.presses.retain(|press| *press != (side, at));
    }

    /// When this player has pressed last.
    pub(super) fn pressed_at(&self, side: Color) -> Millis {
        self.pressed_at[side]
    }

    /// This ply has landed then, and was pressed.
    pub(super) fn place(&mut self, ply: Ply, at: Millis, pressed: Option<Millis>) {
        while self.placed.back().is_some_and(|(last, ..)| *last >= ply) {
            self.placed.pop_back();
        }
        push(&mut self.placed, (ply, at, pressed), PLIES);
    }

    /// When the last ply has landed.
    pub(super) fn placed_at(&self) -> Millis {
        self.placed.back().map_or(self.begins, |(_, at, _)| *at)
    }

    /// Since when what was heard belongs to the plies after this one, if all of that is known.
    pub(super) fn since(&self, ply: Ply) -> Option<Millis> {
        let forgotten =
            if self.readings.len() < READINGS { 0 } else { self.readings.front().map_or(0, |first| first.at) };
        let placed = self.placed.iter().find(|(placed, ..)| *placed == ply).map(|(_, at, _)| *at);
        let none_yet = self.placed.front().is_none_or(|(first, ..)| *first == ply.next());
        let since = placed.or_else(|| none_yet.then_some(self.begins))?;
        // Of a ply that stood there already when the board was heard again nothing was heard.
        let next = self.placed.iter().find(|(placed, ..)| *placed == ply.next());
        let heard = next.is_none_or(|(_, at, _)| *at > self.begins);
        (heard && since >= self.begins && since >= forgotten).then_some(since)
    }

    /// How long whoever has left this square last had been read there.
    pub(super) fn last_stood(&self, square: Square) -> Option<Millis> {
        let last = self.readings.iter().rev().filter(|reading| reading.square == square);
        let mut last = last.skip_while(|reading| reading.is != Content::Empty);
        let (left, landed) = (last.next()?, last.next()?);
        (landed.is != Content::Empty).then(|| left.at - landed.at)
    }

    /// Since when nothing was heard for longest after the last ply; where the board was silent before, since it was.
    pub(super) fn silent_since(&self) -> Millis {
        let Some((_, placed, _)) = self.placed.back().copied() else { return self.fell_silent };
        let read = self.readings(placed).map(|reading| reading.at);
        let mut heard = read.chain(self.presses(placed).map(|(_, at)| at)).collect::<Vec<_>>();
        heard.sort_unstable();
        let pauses = heard.iter().skip(1).zip(&heard).map(|(next, at)| (next - at, *at));
        pauses.max_by_key(|(pause, _)| *pause).map_or(0, |(_, at)| at)
    }

    /// When this square was read last after this moment.
    pub(super) fn read_at(&self, square: Square, since: Millis) -> Option<Millis> {
        self.readings_of(square, since).last().map(|reading| reading.at)
    }

    /// What was read after this moment.
    pub(super) fn readings(&self, since: Millis) -> impl Iterator<Item = &Reading> {
        self.readings.iter().filter(move |reading| reading.at > since)
    }

    /// How often the one and the other in turn have set a man down after this moment where he did not stand then.
    pub(super) fn turns_taken(&self, since: Millis) -> usize {
        let stood = |square: Square| self.readings_of(square, since).next().map(|first| first.was);
        let sets_down = |reading: &Reading| match reading.is {
            Content::Man(man) if stood(reading.square) != Some(reading.is) => Some(man.color),
            Content::Man(_) | Content::Occupied | Content::Empty => None,
        };
        let mut last = None;
        self.readings(since).filter_map(sets_down).filter(|by| last.replace(*by) != Some(*by)).count()
    }

    /// What this square was read after this moment.
    pub(super) fn readings_of(&self, square: Square, since: Millis) -> impl Iterator<Item = &Reading> {
        self.readings(since).filter(move |reading| reading.square == square)
    }

    /// Who has pressed after this ply had landed, at this moment: not for the one below it, whose press came under it. If
    /// it was pressed itself by then, nobody has pressed for others since but later.
    pub(super) fn presses_after(&self, ply: Ply, landed: Millis) -> impl Iterator<Item = (Color, Millis)> {
        let below = self.pressed(ply.back(1)).unwrap_or(0);
        let own = self.pressed(ply).map_or(0, |own| own.saturating_sub(1));
        self.presses(landed.max(below).max(own))
    }

    /// When this ply was pressed, if it was by the time it was followed.
    pub(super) fn pressed(&self, ply: Ply) -> Option<Millis> {
        self.placed.iter().find(|(placed, ..)| *placed == ply).and_then(|(.., pressed)| *pressed)
    }

    /// Who has pressed after this moment.
    pub(super) fn presses(&self, since: Millis) -> impl Iterator<Item = (Color, Millis)> {
        self.presses.iter().copied().filter(move |(_, at)| *at > since)
    }
}

fn push<T>(all: &mut VecDeque<T>, one: T, most: usize) {
    if all.len() == most {
        all.pop_front();
    }
    all.push_back(one);
}
