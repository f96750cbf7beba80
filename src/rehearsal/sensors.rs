//! What the board reads of what hands do: late, twice, wrongly, or not at all.

use std::{cmp::Reverse, collections::BinaryHeap};

use protocol::board::dgt::PieceCode;
use shakmaty::{Board, Piece, Square};

use super::{
    count::Kind,
    dice::Dice,
    noise::{self, Spread},
    trial::Faults,
};

/// A man that a neighbour reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Astray {
    pub(super) square: Square,
    pub(super) read_on: Square,
    pub(super) from: u64,
    pub(super) until: u64,
}

/// One reading of one square, at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reading {
    pub(super) at: u64,
    pub(super) square: Square,
    pub(super) code: PieceCode,
    pub(super) copies: usize,
}

/// The sensors of one board.
///
/// Tell it every real change with `changed`, every passing minute with `minute`; take the readings that are due.
/// Whatever it gets wrong ends with another look at the real board, so that no lie outlasts its time.
#[derive(Clone, Debug)]
pub(super) struct Sensors {
    model: noise::Sensors,
    pub(super) dice: Dice,
    pending: BinaryHeap<Reverse<Look>>,
    number: u64,
    latest: u64,
    late_by: u64,
    beside: f64,
    own: Dice,
    /// Men read beside their squares, for whoever keeps the truth.
    pub(super) astray: Vec<Astray>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Look {
    at: u64,
    number: u64,
    square: Square,
    sees: Sees,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sees {
    /// This code, sent this many times.
    Code(u8, usize),
    /// What really stands there.
    Truth,
}

impl Sensors {
    /// `own` decides about `faults`, so that the everyday noise is the same with them and without.
    pub(super) fn new(model: noise::Sensors, dice: Dice, faults: &Faults, mut own: Dice) -> Sensors {
        let late_by = own.between(faults.late);
        let (pending, astray) = (BinaryHeap::new(), Vec::new());
        Sensors { model, dice, pending, number: 0, latest: 0, late_by, beside: faults.beside, own, astray }
    }

    /// The dice that decide about faults.
    pub(super) fn own(&self) -> &Dice {
        &self.own
    }

    /// `square` has really changed; `board` is as it is from now on.
    pub(super) fn changed(&mut self, square: Square, board: &Board, now: u64) {
        let man = board.piece_at(square);
        let at = self.arrival(now);
        self.leave_astray(square, at);
        if let Some(man) = man {
            if self.beside > 0.0 && self.own.happens(Kind::BesideUntilPut, self.beside) {
                return self.go_astray(square, man, board, at);
            }
            if self.dice.happens(Kind::BetweenSquares, self.model.between) {
                return self.stand_between(square, man, board, at);
            }
            if self.dice.happens(Kind::WrongCode, self.model.wrong_code) {
                let wrong = 1 + self.dice.index(12);
                self.look(at, square, Sees::Code(u8::try_from(wrong).expect("1 to 12"), 1));
                return self.look(at + self.model.scan, square, Sees::Truth);
            }
        }
        let copies = self.copies();
        self.look(at, square, Sees::Code(code(man), copies));
    }

    /// A minute has passed. Gives for how long the link is lost, if it is.
    pub(super) fn minute(&mut self, board: &Board, now: u64) -> Option<u64> {
        const MINUTES: f64 = 60.0;
        // On a bad board several squares flicker within a minute; each burst is an occasion of its own.
        let whole = (1..=10).take_while(|burst| self.model.flicker > f64::from(*burst)).count();
        for _ in 0..=whole {
            let share = self.model.flicker / f64::from(u32::try_from(whole).expect("at most ten") + 1);
            if self.dice.happens(Kind::Flicker, share) {
                self.flicker(board, now);
            }
        }
        let lost = self.dice.happens(Kind::LinkLoss, self.model.link_loss / MINUTES);
        lost.then(|| self.dice.time(self.model.link_lost_for))
    }

    pub(super) fn deadline(&self) -> Option<u64> {
        self.pending.peek().map(|Reverse(look)| look.at)
    }

    /// The next reading that is due.
    pub(super) fn next(&mut self, board: &Board, now: u64) -> Option<Reading> {
        if self.deadline()? > now {
            return None;
        }
        let Reverse(Look { at, square, sees, .. }) = self.pending.pop()?;
        let (code, copies) = match sees {
            Sees::Code(code, copies) => (code, copies),
            Sees::Truth => (code(board.piece_at(square)), 1),
        };
        Some(Reading { at, square, code: PieceCode::new(code), copies })
    }

    /// When the reading arrives. Readings keep their order: a stall delivers what it held back in one burst.
    fn arrival(&mut self, now: u64) -> u64 {
        let mut at = now + self.late_by + self.dice.between(self.model.jitter);
        if self.model.stall > 0.0 && self.dice.happens(Kind::Stall, self.model.stall) {
            at += self.dice.between(self.model.stall_for);
        }
        self.latest = self.latest.max(at);
        self.latest
    }

    fn copies(&mut self) -> usize {
        if self.dice.happens(Kind::UpdateLost, self.model.lost) {
            0
        } else if self.dice.happens(Kind::UpdateTwice, self.model.twice) {
            2
        } else {
            1
        }
    }

    /// The man is read by nobody until it is pushed into the middle; a neighbour may have read it first. A coil reads a
    /// man between two squares for a scan or two; one that is read there for longer has been put there.
    fn stand_between(&mut self, square: Square, man: Piece, board: &Board, at: u64) {
        let until = at + self.dice.time(self.model.between_for);
        // What stood there before a capture is gone in any case.
        self.look(at, square, Sees::Code(0, 1));
        let free: Vec<Square> = (shakmaty::attacks::king_attacks(square) & !board.occupied()).into_iter().collect();
        let neighbour = self.dice.pick(&free);
        let seen_there = self.dice.happens(Kind::NeighbourFirst, self.model.neighbour);
        if let Some(neighbour) = neighbour.filter(|_| seen_there) {
            let scans = self.dice.between((1, 2));
            self.look(at, neighbour, Sees::Code(code(Some(man)), 1));
            self.look(until.min(at + scans * self.model.scan), neighbour, Sees::Truth);
        }
        self.look(until, square, Sees::Truth);
    }

    /// The man stands off centre: a neighbour reads it, and goes on doing so until it is pushed right. Then its own
    /// square reads it within the same scan.
    fn go_astray(&mut self, square: Square, man: Piece, board: &Board, at: u64) {
        /// From the landing to the push: most are seen and put right at once, some only after the press.
        const UNTIL: Spread = Spread { median: 900, sd: 0.7 };
        self.look(at, square, Sees::Code(0, 1));
        let free: Vec<Square> = (shakmaty::attacks::king_attacks(square) & !board.occupied()).into_iter().collect();
        let until = at + self.own.time(UNTIL);
        let Some(read_on) = self.own.pick(&free) else { return self.look(until, square, Sees::Truth) };
        self.look(at, read_on, Sees::Code(code(Some(man)), 1));
        self.look(until, read_on, Sees::Truth);
        let scan = self.own.between((0, self.model.scan / 2));
        self.look(until + scan, square, Sees::Truth);
        self.astray.push(Astray { square, read_on, from: at, until: until + scan });
    }

    /// A man that stands askew is read nowhere once it is taken up or taken.
    fn leave_astray(&mut self, square: Square, at: u64) {
        let astray = self.astray.last_mut().filter(|man| man.square == square && at < man.until);
        if let Some(read_on) = astray.map(|man| (man.until = at, man.read_on).1) {
            self.look(at, read_on, Sees::Truth);
        }
    }

    fn flicker(&mut self, board: &Board, now: u64) {
        const PULSES: (u64, u64) = (2, 6);
        const PULSE_MS: (u64, u64) = (20, 80);
        let men: Vec<Square> = board.occupied().into_iter().collect();
        let Some(square) = self.dice.pick(&men) else { return };
        let mut at = now;
        for _ in 0..self.dice.between(PULSES) {
            self.look(at, square, Sees::Code(0, 1));
            at += self.dice.between(PULSE_MS);
            self.look(at, square, Sees::Truth);
            at += self.dice.between(PULSE_MS);
        }
    }

    fn look(&mut self, at: u64, square: Square, sees: Sees) {
        self.number += 1;
        self.pending.push(Reverse(Look { at, number: self.number, square, sees }));
    }
}

fn code(man: Option<Piece>) -> u8 {
    man.map_or(0, |man| PieceCode::of(man).byte())
}
