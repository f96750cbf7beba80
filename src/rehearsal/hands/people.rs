//! Two people and one game: who thinks, moves and presses when.

use std::collections::VecDeque;

use shakmaty::{Board, ByColor, Chess, Color, Move, Position};

use super::{
    super::{
        clock::TimeControl,
        count::{Kind, NoiseCount},
        deed::{Deed, Meaning, Timed},
        dice::Dice,
        games::Game,
        gesture::Left,
        hand::{Hand, touches},
        noise::Noise,
        trial::Trial,
    },
    swap::Swap,
};

/// How the people play.
#[derive(Clone, Copy, Debug)]
pub(in crate::rehearsal) struct Manner {
    /// Their hands, and the board's sensors.
    pub noise: Noise,
    /// What the clock is set to: nobody thinks his time away.
    pub control: TimeControl,
    /// How many times faster they think.
    pub speed: u32,
    /// After an illegal move they wait to be told to go on.
    pub wait_after_illegal: bool,
    /// What befalls them.
    pub trial: Trial,
}

/// One game and how its men are put up.
#[derive(Clone, Copy, Debug)]
pub(in crate::rehearsal) struct Sitting<'a> {
    pub game: &'a Game,
    pub swap: Option<Swap>,
}

impl Sitting<'_> {
    /// The men as they stand before the first move.
    pub(in crate::rehearsal) fn board(&self) -> Board {
        let mut board = self.game.start.board().clone();
        if let Some(swap) = &self.swap {
            swap.apply(&mut board);
        }
        board
    }
}

/// From the clock's start to White's first lift, at most: people are ready when a game begins.
const OPENING_THOUGHT_MS: u64 = 3_000;
/// After an illegal move has been completed, this long until it is taken back.
const ILLEGAL_NOTICED_MS: u64 = 5_000;
/// A player spends at most this part of what he has left on one move.
const LARGEST_THOUGHT: u64 = 6;

/// The deeds of one game: from the start of the clock to the men put back for `next`, if there is a next.
pub(in crate::rehearsal) fn play(
    sitting: Sitting<'_>,
    next: Option<Sitting<'_>>,
    manner: &Manner,
    dice: &mut Dice,
) -> Played {
    let game = sitting.game;
    let (board, shows_gaps) = (sitting.board(), manner.trial.nameless);
    let hand = Hand { noise: &manner.noise, dice, board, now: 0, deeds: Vec::new(), shows_gaps };
    let left = u64::from(manner.control.base + manner.control.increment) * 1_000;
    let mut people =
        People { hand, manner, left: ByColor { white: left, black: left }, all: Vec::new(), noise: Vec::new() };
    people.begin(sitting);
    people.moves(sitting);
    people.end(game, next.map(|next| next.board()));
    people.all.sort_by_key(|timed| timed.at);
    Played { deeds: people.all.into(), noise: people.noise.into() }
}

/// One game to come.
#[derive(Debug, Default)]
pub(in crate::rehearsal) struct Played {
    /// Its deeds, in the order of their times.
    pub(in crate::rehearsal) deeds: VecDeque<Timed>,
    /// What goes wrong in it, and by when: a game that is broken off has only the noise it came to.
    pub(in crate::rehearsal) noise: VecDeque<(u64, NoiseCount)>,
}

pub(super) struct People<'a> {
    pub(super) hand: Hand<'a>,
    pub(super) manner: &'a Manner,
    pub(super) left: ByColor<u64>,
    pub(super) all: Vec<Timed>,
    noise: Vec<(u64, NoiseCount)>,
}

impl People<'_> {
    fn begin(&mut self, sitting: Sitting<'_>) {
        self.hand.does(Deed::SetClock(sitting.game.start.turn()));
        self.hand.does(Deed::Meant(Meaning::Begun));
        for (color, _) in sitting.swap.iter().flat_map(Swap::players) {
            self.hand.does(Deed::Meant(Meaning::Swapped(color)));
        }
        self.hand.does(Deed::StartClock);
        self.keep();
    }

    fn moves(&mut self, sitting: Sitting<'_>) {
        let game = sitting.game;
        let astray = self.where_to_stray(game.moves.len());
        let mut position = game.start.clone();
        let mut pressed_at = 0;
        for (ply, mv) in game.moves.iter().enumerate() {
            let think = self.think(position.turn(), ply);
            let busy = astray == Some(ply) || sitting.swap.is_some_and(|swap| swap.until == ply);
            let early = if ply > 0 && !busy { self.early_reply() } else { 0 };
            self.hand.now = if early > 0 { pressed_at - pressed_at.min(early) } else { pressed_at + think };
            if early == 0 {
                self.befalls(sitting.swap.as_ref(), astray, &position, ply);
                self.unrest(&position, ply, *mv);
            }
            let before = self.all.len().saturating_sub(RECENT);
            let is_last = ply + 1 == game.moves.len();
            let done = self.ply(ply, *mv, position.turn(), is_last);
            let shift = self.keep_after(before, pressed_at);
            let spent = (done + shift).saturating_sub(pressed_at);
            let left = self.left.get_mut(position.turn());
            *left = left.saturating_sub(spent) + u64::from(self.manner.control.increment) * 1_000;
            pressed_at = self.hand.now + shift;
            position.play_unchecked(*mv);
        }
        self.hand.now = pressed_at;
    }

    /// Before which ply something is played that will be taken back.
    fn where_to_stray(&mut self, plies: usize) -> Option<usize> {
        /// Hands that have only just begun take nothing back.
        const NOT_BEFORE: usize = 4;
        let room = plies.saturating_sub(NOT_BEFORE);
        let wanted = self.manner.trial.once.takeback > 0 && room > 0;
        wanted.then(|| NOT_BEFORE + self.hand.dice.index(room))
    }

    fn befalls(&mut self, swap: Option<&Swap>, astray: Option<usize>, position: &Chess, ply: usize) {
        if let Some(swap) = swap.filter(|swap| swap.until == ply) {
            self.mend_set_up(swap);
        }
        if astray == Some(ply) {
            self.hand.dice.count.note(Kind::TakenBack, true);
            self.stray(position, ply, self.manner.trial.once.takeback);
        }
    }

    fn think(&mut self, color: Color, ply: usize) -> u64 {
        if let Some(range) = self.manner.trial.edges.first_thought.filter(|_| ply == 0) {
            return self.hand.dice.between(range);
        }
        let thought = self.hand.dice.time(self.manner.noise.think);
        let most = *self.left.get(color) / LARGEST_THOUGHT;
        let most = if ply == 0 { most.min(OPENING_THOUGHT_MS) } else { most };
        thought.min(most) / u64::from(self.manner.speed.max(1))
    }

    /// By how much the reply comes before the press; zero when it waits.
    fn early_reply(&mut self) -> u64 {
        let noise = self.manner.noise;
        if self.hand.dice.happens(Kind::EarlyReply, noise.early_reply) {
            self.hand.dice.between(noise.early_by).max(1)
        } else {
            0
        }
    }

    /// One move and its press. Gives the time of the press; the hand's time is when the opponent may begin to think.
    fn ply(&mut self, ply: usize, mv: Move, color: Color, is_last: bool) -> u64 {
        let left = self.hand.perform(mv, color);
        let landed = self.hand.now;
        self.hand.takes(self.manner.noise.press);
        let noise = self.manner.noise;
        let last = self.hand.deeds.len() - 1;
        let placed_last = matches!(self.hand.deeds[last].deed, Deed::Place(..));
        if self.hand.dice.happens(Kind::PressBeforeRelease, noise.press_early) && placed_last {
            self.hand.now = landed;
            self.hand.deeds[last].at = landed + self.hand.dice.between(noise.press_lead);
        }
        let lands_at = self.hand.deeds[last].at;
        let press_at = self.hand.now;
        self.hand.deeds.push(Timed { at: lands_at, deed: Deed::Meant(Meaning::Landed(ply)) });
        if is_last && left == Left::Nothing && self.nobody_presses() {
            return press_at;
        }
        self.hand.press(color);
        if let Some(offence) = left.offence() {
            self.hand.does(Deed::Meant(Meaning::Illegal(ply, offence)));
        }
        self.hand.does(Deed::Meant(Meaning::Pressed(ply)));
        self.repair(left);
        press_at
    }

    fn nobody_presses(&mut self) -> bool {
        let share = self.manner.trial.edges.last_unpressed;
        share > 0.0 && self.hand.dice.happens(Kind::LastUnpressed, share)
    }

    /// What was forgotten is done after all.
    fn repair(&mut self, left: Left) {
        match left {
            Left::Nothing => {}
            Left::Victim(square) => {
                self.noticed();
                self.hand.lift(square);
                self.resume();
            }
            Left::Promotion(square, piece) => {
                self.noticed();
                self.hand.lift(square);
                self.hand.takes(self.manner.noise.promotion.search);
                self.hand.place(square, piece);
                self.resume();
            }
        }
    }

    /// Somebody sees it, and the clock is stopped.
    pub(super) fn noticed(&mut self) {
        const STOPPED_AFTER_MS: u64 = 2_000;
        self.hand.wait(STOPPED_AFTER_MS);
        self.hand.does(Deed::StopClock);
        if self.manner.wait_after_illegal {
            self.hand.does(Deed::Await);
        }
        self.hand.wait(ILLEGAL_NOTICED_MS - STOPPED_AFTER_MS);
    }

    pub(super) fn resume(&mut self) {
        self.hand.wait(1_000);
        self.hand.does(Deed::StartClock);
    }

    pub(super) fn keep(&mut self) {
        let by = self.hand.deeds.iter().map(|timed| timed.at).max().unwrap_or(self.hand.now);
        self.noise.push((by, std::mem::take(&mut self.hand.dice.count)));
        self.all.append(&mut self.hand.deeds);
    }

    /// Keeps the deeds of a ply. Two hands may be over the board at once, but not on one square, and the clock has
    /// one lever: from the first deed that would collide with the opponent's, everything waits. Gives by how much.
    fn keep_after(&mut self, before: usize, pressed_at: u64) -> u64 {
        /// A lever takes this long to come to rest.
        const LEVER_MS: u64 = 40;
        let mut shift = 0;
        for timed in &mut self.hand.deeds {
            let free_at = if matches!(timed.deed, Deed::Press(_)) && pressed_at > 0 {
                Some(pressed_at + LEVER_MS)
            } else {
                let last = |square| Hand::last_touch(&self.all[before..], square);
                touches(timed.deed).and_then(last).map(|at| at + 1)
            };
            shift = free_at.map_or(shift, |free_at| shift.max(free_at.saturating_sub(timed.at)));
            timed.at += shift;
        }
        self.keep();
        shift
    }
}

/// How many deeds back the opponent's last ones are found.
const RECENT: usize = 32;
