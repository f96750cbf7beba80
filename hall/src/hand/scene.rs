//! All that was heard, and a line that is laid beside it ply by ply: each ply lays anew only the squares it tells of.

use std::{ops::Range, rc::Rc};

use laws::touch::victim;
use protocol::board::Content;
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::{
    made::{Made, steps},
    track::{ALWAYS, Foretold, Told, Track, matches},
    weights as w,
};
use crate::{Millis, Settings};

/// All there is to lay a line beside.
pub(super) struct Scene<'a> {
    pub(super) settings: &'a Settings,
    pub(super) now: Millis,
    /// The board names its men.
    pub(super) names: bool,
    /// Who has the move where lines begin.
    pub(super) first: Color,
    /// A press is judged: it waits no longer.
    pub(super) judges: bool,
    /// Presses can be heard.
    pub(super) tells: bool,
    pub(super) presses: Vec<(Color, Millis)>,
    /// One for each square.
    pub(super) tracks: Vec<Track>,
    /// The squares of which something was read.
    pub(super) read: Bitboard,
}

/// A line, and what each square tells of it.
#[derive(Clone)]
pub(super) struct Laid {
    pub(super) line: Vec<Made>,
    /// Of the squares that were read, or that the line changes, in their order.
    told: Vec<Rc<Told>>,
}

/// When a ply can have been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Time {
    pub(super) leaves: (Millis, Millis),
    pub(super) lands: (Millis, Millis),
}

impl Default for Time {
    fn default() -> Time {
        Time { leaves: ALWAYS, lands: ALWAYS }
    }
}

impl Laid {
    /// What each square tells.
    pub(super) fn told(&self) -> impl Iterator<Item = &Told> {
        self.told.iter().map(Rc::as_ref)
    }

    fn lay(&mut self, scene: &Scene, square: Square, times: &[Time]) {
        let foretold = self.foretold(square, times);
        let visit = |is, when| scene.visit(&self.line, square, is, when);
        let told = Rc::new(scene.track(square).lay(&foretold, scene.names, scene.now, visit));
        match self.told.binary_search_by_key(&square, |told| told.square) {
            Ok(known) => self.told[known] = told,
            Err(new) => self.told.insert(new, told),
        }
    }

    /// What the line foretells for this square, and for when.
    fn foretold(&self, square: Square, times: &[Time]) -> Vec<Foretold> {
        let mut foretold = Vec::new();
        for (ply, made) in self.line.iter().enumerate() {
            let time = times.get(ply).copied().unwrap_or_default();
            let within = |man: Option<Piece>| match man {
                Some(_) => time.lands,
                None if made.played.from() == Some(square) => time.leaves,
                None => ALWAYS,
            };
            let here = made.changes.into_iter().flatten().filter(|(changed, _)| *changed == square);
            foretold.extend(here.map(|(_, man)| Foretold { ply, man, within: within(man) }));
        }
        foretold
    }
}

impl Scene<'_> {
    /// This line.
    pub(super) fn lay(&self, line: &[Made]) -> Laid {
        let mut laid = Laid { line: line.to_vec(), told: Vec::new() };
        let changed = line.iter().flat_map(Made::squares).collect::<Bitboard>();
        for square in self.read | changed {
            laid.lay(self, square, &[]);
        }
        laid
    }

    /// The line, and this ply.
    pub(super) fn go_on(&self, laid: &Laid, ply: Made) -> Laid {
        let mut next = Laid { line: [&laid.line[..], &[ply]].concat(), told: laid.told.clone() };
        let told_otherwise = self.read.into_iter().filter(|square| self.is_told_by(&laid.line, &ply, *square));
        for square in ply.squares().chain(told_otherwise).collect::<Bitboard>() {
            next.lay(self, square, &[]);
        }
        next
    }

    /// The same, if each ply was made at the time that is given for it.
    pub(super) fn at(&self, laid: &Laid, times: &[Time]) -> Laid {
        let mut timed = laid.clone();
        let plies = laid.line.iter().zip(times).filter(|(_, time)| **time != Time::default());
        for square in plies.flat_map(|(ply, _)| ply.squares()).collect::<Bitboard>() {
            timed.lay(self, square, times);
        }
        timed
    }

    pub(super) fn track(&self, square: Square) -> &Track {
        &self.tracks[usize::from(square)]
    }

    /// A man who was read there costs less now that this ply was made.
    fn is_told_by(&self, line: &[Made], ply: &Made, square: Square) -> bool {
        let costs_less = |is: Content| {
            let least = visited_by(ply, square, is);
            least.is_some_and(|cost| line.iter().filter_map(|ply| visited_by(ply, square, is)).all(|it| cost < it))
        };
        self.track(square).seen.iter().any(|seen| seen.is != Content::Empty && costs_less(seen.is))
    }

    /// A man like him had left his square by then, and nobody stands there since.
    fn is_in_the_air(&self, is: Content, by: Millis) -> bool {
        let has_left = |square| {
            let track = self.track(square);
            track.left_at().is_some_and(|left| left <= by) && track.base.is_some_and(|man| matches(is, Some(man)))
        };
        self.read.into_iter().any(has_left)
    }

    /// A man is read then where the line has none.
    fn visit(&self, line: &[Made], square: Square, is: Content, when: Range<Millis>) -> i32 {
        let dwelt = when.end.saturating_sub(when.start);
        let strange = match dwelt {
            _ if self.is_in_the_air(is, when.start) => w::CARRIED,
            by if by <= 2 * self.settings.scan_ms => w::STRANGE / 2,
            _ => w::STRANGE,
        };
        let least = line.iter().filter_map(|ply| visited_by(ply, square, is)).fold(strange, i32::min);
        // Who is read where his captor goes until he lands was taken there, not in passing.
        let in_passing = |ply: &Made| {
            let (man, captor) = (Role::Pawn.of(!ply.side), Role::Pawn.of(ply.side));
            let mut seen = self.track(square).seen.iter();
            let replaced = seen.any(|seen| seen.at == when.end && seen.is == Content::Man(captor));
            ply.played.is_en_passant() && ply.played.to() == square && is == Content::Man(man) && replaced
        };
        let least = if line.iter().any(in_passing) { least.max(w::CARRIED) } else { least };
        let goes_there = || line.iter().any(|ply| ply.played.to() == square);
        let on_the_way = [w::PASSED, w::BESIDE].contains(&least);
        let by_hand = on_the_way && dwelt > self.settings.misread_window_ms && !goes_there();
        least
            + if by_hand { w::BY_HAND } else { 0 }
            + w::DWELT.iter().rfind(|(least, _)| dwelt > *least).map_or(0, |(_, cost)| *cost)
    }
}

/// What it costs that a man of this ply was read there, on his way or off it.
fn visited_by(ply: &Made, square: Square, is: Content) -> Option<i32> {
    let Made { played, side, .. } = *ply;
    let is_he = |man: Piece| matches(is, Some(man));
    let moves = is_he(played.role().of(side)) || played.promotion().is_some_and(|role| is_he(role.of(side)));
    let takes = played.capture().is_some_and(|role| is_he(role.of(!side)));
    if !moves && !takes {
        return None;
    }
    let on_its_way = |(from, to): (Square, Square)| {
        if attacks::between(from, to).contains(square) {
            w::PASSED
        } else if to.distance(square) <= 1 || from.distance(square) <= 1 {
            w::BESIDE
        } else {
            w::CARRIED
        }
    };
    let moved = steps(side, played).filter(|_| moves).map(on_its_way);
    let taken = victim(played).filter(|_| takes);
    let carried = taken.map(|taken| if taken.distance(square) == 1 { w::FLASHED } else { w::CARRIED });
    moved.chain(carried).min()
}
