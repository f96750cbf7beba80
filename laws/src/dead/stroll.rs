//! A quick try for a line to mate: both sides help, one move after the other, without looking back.
//!
//! While the winner has men enough, mates are everywhere and need no search: the king that is to be mated walks to
//! where its flights are few, the winner's men are brought to bear on them, and every check is looked at for mate.

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{
    checker::{CanMate, Replay},
    guess::{Guess, Mood, mates},
    plan::{Plan, fresh},
};

/// How long each stroll is, and how disorderly.
const EARLY: [(usize, u32); 2] = [(50, 0), (50, 16)];

const LATE: [(usize, u32); 3] = [(70, 24), (80, 32), (100, 40)];

/// How long a stroll from a position of a search is.
const SHORT: usize = 12;

/// How many moves a plan is followed beyond what was intended.
const BEYOND: usize = 2;

/// How often along the way somebody may do what was not intended.
const GUESSES: usize = 3;

/// The longest plan worth following: a longer one is sooner found anew.
const LONGEST: usize = 40;

/// How many of a side's intended moves are tried before it does something else.
const TRIES: usize = 3;

/// A line found without searching. `spent` grows by one for each position looked at.
pub(super) fn early(root: &Chess, winner: Color, spent: &mut u64) -> Option<CanMate> {
    EARLY.iter().find_map(|(plies, disorder)| Stroll::new(root, winner, *disorder).go(*plies, spent))
}

/// The same for when a short search has found nothing.
pub(super) fn late(root: &Chess, winner: Color, spent: &mut u64) -> Option<CanMate> {
    LATE.iter().find_map(|(plies, disorder)| Stroll::new(root, winner, *disorder).go(*plies, spent))
}

/// A short line from one of many positions that a search meets.
pub(super) fn from(position: &Chess, winner: Color, number: u64, spent: &mut u64) -> Option<CanMate> {
    let disorder = u32::try_from(number % 32).unwrap_or(0);
    Stroll::new(position, winner, disorder).go(SHORT, spent)
}

/// A line along a plan as far as it can be followed, and on by guesses.
pub(super) fn along(root: &Chess, winner: Color, mut plan: Plan) -> Option<CanMate> {
    if plan.plies() > LONGEST {
        return None;
    }
    let mut stroll = Stroll::new(root, winner, 0);
    let mut guesses = 0;
    for _ in 0..plan.plies() + BEYOND {
        let step = match stroll.intended(&mut plan) {
            Some(step) => step,
            None if guesses == GUESSES => return None,
            None => {
                guesses += 1;
                stroll.guessed(plan.reserved())?
            }
        };
        match step {
            Guess::Mate(mate) => return stroll.mate(mate),
            Guess::Move(next) => stroll.note(next),
        }
    }
    None
}

struct Stroll {
    replay: Replay,
    winner: Color,
    ply: u32,
    disorder: u32,
    /// The last moves of both sides, the last one second.
    last: [Option<Move>; 2],
}

impl Stroll {
    fn new(root: &Chess, winner: Color, disorder: u32) -> Stroll {
        Stroll { replay: Replay::new(root.clone(), winner), winner, ply: 0, disorder, last: [None; 2] }
    }

    fn go(mut self, plies: usize, spent: &mut u64) -> Option<CanMate> {
        for _ in 0..plies {
            *spent += 1;
            match self.guessed(Bitboard::EMPTY)? {
                Guess::Mate(mate) => return self.mate(mate),
                Guess::Move(next) => self.note(next),
            }
        }
        None
    }

    fn note(&mut self, next: Move) {
        self.ply += 1;
        self.last = [self.last[1], Some(next)];
    }

    fn mate(mut self, mate: Move) -> Option<CanMate> {
        self.replay.play(mate).then(|| self.replay.certificate()).flatten()
    }

    /// A move by guess, played unless it mates.
    fn guessed(&mut self, reserved: Bitboard) -> Option<Guess> {
        let mood = Mood { disorder: self.ply + self.disorder, last: self.last[0], reserved };
        let guess = mood.guess(self.replay.position(), self.winner)?;
        if let Guess::Move(next) = guess
            && !self.replay.play(next)
        {
            let guess = mood.choose_legal(self.replay.position(), self.winner)?;
            if let Guess::Move(next) = guess {
                self.replay.play(next);
            }
            return Some(guess);
        }
        Some(guess)
    }

    /// The next intended move that is legal, played unless it mates. The winner keeps the last one for the mate.
    fn intended(&mut self, plan: &mut Plan) -> Option<Guess> {
        let side = self.replay.position().turn();
        if side == self.winner && plan.left(side) == 1 {
            let last = fresh(plan.moves(side).next()?.1, self.replay.position());
            return mates(self.replay.position(), last).then_some(Guess::Mate(last));
        }
        let played = plan.moves(side).take(TRIES).find_map(|(at, intended)| {
            let next = fresh(intended, self.replay.position());
            self.replay.play(next).then_some((at, next))
        });
        let (at, next) = played?;
        plan.done(side, at);
        Some(Guess::Move(next))
    }
}
