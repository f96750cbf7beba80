//! Plies that are followed and not final: hands play on from them, and nobody stands by them yet.
//!
//! Where the clock tells, presses decide: a ply waits here until it is pressed, or one on top of it.

use shakmaty::{Color, Move};

use super::deed::Finished;
use crate::{Millis, Ply};

/// The plies between the final ones and those that are only seen, the first one first.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed {
    plies: Vec<Waiting>,
    /// What a close of the game would find unpressed.
    close: Close,
    /// What a close has left out: it waits for a press again if the game goes on after all.
    left_out: Vec<Waiting>,
}

/// Of what nobody has pressed the last ply belongs to a game that closes, if it is the only one.
#[derive(Clone, Debug)]
enum Close {
    /// The clock runs. This was the only one until men began to go home, or go home now; none once something was played on
    /// it, and since when.
    Open { last: Option<Box<Waiting>>, answered: Option<Millis> },
    /// The clock was stopped then: the only one there was by then.
    Stopped { at: Millis, left: Option<Box<Waiting>> },
    /// The game was closed after this ply, and nobody has said that it goes on.
    Closed { after: Ply },
}

impl Default for Close {
    fn default() -> Close {
        Close::Open { last: None, answered: None }
    }
}

/// A ply that waits for a press.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) finished: Finished,
    pub(super) mover: Color,
    /// Its player has pressed.
    pub(super) pressed: bool,
    /// Nobody saw it being played: nobody could hear its press either.
    pub(super) hidden: bool,
    /// Both clocks stood when it was made.
    pub(super) at_rest: bool,
}

impl Waiting {
    /// It could have been pressed, and was not.
    pub(super) fn is_unpressed(&self) -> bool {
        !self.pressed && !self.hidden
    }
}

impl Followed {
    pub(super) fn push(&mut self, ply: Waiting) {
        self.plies.push(ply);
    }

    /// The last ply of this player is pressed. True if there is one, and it was not.
    pub(super) fn press(&mut self, side: Color, at: Millis) -> bool {
        let last = self.plies.iter_mut().rfind(|ply| ply.mover == side).filter(|ply| !ply.pressed);
        let Some(last) = last else { return false };
        last.pressed = true;
        last.finished.pressed = Some(at);
        true
    }

    /// How many are final because they are pressed or lie below one that is: up to `most` that nobody has pressed, or any
    /// number below the second such press, one of each side.
    pub(super) fn settled(&self, most: usize) -> usize {
        let mut settled = 0;
        for (at, ply) in self.plies.iter().enumerate().filter(|(_, ply)| ply.pressed) {
            let below = &self.plies[settled..at];
            let unpressed = below.iter().filter(|below| below.is_unpressed()).count();
            if unpressed <= most || below.iter().any(|below| below.pressed && below.mover != ply.mover) {
                settled = at + 1;
            }
        }
        settled
    }

    /// This is the only ply that nobody has pressed, if something was not played on it for a `moment`: what is put back
    /// leaves no last one.
    pub(super) fn note_last(&mut self, lone: Option<Waiting>, moment: Millis, now: Millis) {
        if let Close::Open { last, answered } = &mut self.close
            && answered.is_none_or(|since| now < since + moment)
        {
            (*last, *answered) = (lone.map(Box::new), None);
        }
    }

    /// Something was played on a ply that nobody has pressed.
    pub(super) fn answer(&mut self, now: Millis) {
        if let Close::Open { last, answered } = &mut self.close {
            *last = None;
            answered.get_or_insert(now);
        }
    }

    /// The last ply, as long as the clock runs.
    pub(super) fn last_played(&self) -> Option<Move> {
        let Close::Open { last, .. } = &self.close else { return None };
        last.as_ref().map(|last| last.finished.played)
    }

    /// The clock was stopped then, and this is the only ply that nobody had pressed.
    pub(super) fn leave(&mut self, lone: Option<Waiting>, at: Millis) {
        let left = match std::mem::take(&mut self.close) {
            Close::Open { last, answered: None } => lone.map(Box::new).or(last),
            Close::Open { answered: Some(_), .. } => None,
            Close::Stopped { .. } => lone.map(Box::new),
            closed @ Close::Closed { .. } => return self.close = closed,
        };
        self.close = Close::Stopped { at, left };
    }

    /// When the clock was stopped, if nobody has closed the game since.
    pub(super) fn stopped_at(&self) -> Option<Millis> {
        let Close::Stopped { at, .. } = self.close else { return None };
        Some(at)
    }

    /// It runs again.
    pub(super) fn take_up(&mut self) {
        if let Close::Stopped { left, .. } = &mut self.close {
            self.close = Close::Open { last: left.take(), answered: None };
        }
    }

    /// After which ply it was closed, if nobody has said since that it goes on.
    pub(super) fn closed_after(&self) -> Option<Ply> {
        let Close::Closed { after } = self.close else { return None };
        Some(after)
    }

    /// The game closes after this ply. Gives the one that belongs to it besides: `lone` is the one that nobody has pressed
    /// now.
    pub(super) fn close(&mut self, lone: Option<Waiting>, after: Ply) -> Option<Waiting> {
        let after = self.closed_after().unwrap_or(after);
        match std::mem::replace(&mut self.close, Close::Closed { after }) {
            Close::Open { last, answered: None } => last.map(|last| *last).or(lone),
            Close::Open { answered: Some(_), .. } => None,
            Close::Stopped { left, .. } => left.map(|left| *left),
            Close::Closed { .. } => None,
        }
    }

    /// These plies do not belong to the game that has closed.
    pub(super) fn leave_out(&mut self, plies: Vec<Waiting>) {
        if !plies.is_empty() {
            self.left_out = plies;
        }
    }

    /// It goes on after all. Gives what its close has left out.
    pub(super) fn reopen(&mut self) -> Vec<Waiting> {
        self.close = Close::default();
        std::mem::take(&mut self.left_out)
    }

    /// Takes the first ones: they are final.
    pub(super) fn take(&mut self, plies: usize) -> Vec<Waiting> {
        if plies > 0 && matches!(self.close, Close::Open { .. }) {
            self.close = Close::default();
        }
        self.plies.drain(..plies).collect()
    }

    /// The last ones were not played.
    pub(super) fn drop_last(&mut self, plies: usize) {
        self.plies.truncate(self.plies.len() - plies);
    }

    /// The last ones were these.
    pub(super) fn replace_last(&mut self, moves: &[Move]) {
        let from = self.plies.len() - moves.len();
        for (ply, played) in self.plies[from..].iter_mut().zip(moves) {
            ply.finished.played = *played;
        }
    }

    pub(super) fn clear(&mut self) {
        self.reopen();
        self.plies.clear();
    }

    pub(super) fn plies(&self) -> &[Waiting] {
        &self.plies
    }

    pub(super) fn len(&self) -> usize {
        self.plies.len()
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.plies.iter().map(|ply| ply.finished.played)
    }
}
