//! The people at the table: whole games as timed deeds, with everything people do beside moving.
//!
//! Nothing here knows how moves are reconstructed, and nothing there may know this.

use std::collections::VecDeque;

use shakmaty::{Board, ByColor, Chess, Color, KnownOutcome, Move, Piece, Position, Square};

use super::{
    clock::TimeControl,
    count::{Kind, NoiseCount},
    deed::{Deed, Meaning, Offence, Timed},
    dice::Dice,
    games::Game,
    gesture::Left,
    hand::{Hand, touches},
    noise::{Noise, Spread},
};

/// How the people play.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Their hands, and the board's sensors.
    pub noise: Noise,
    /// What the clock is set to: nobody thinks his time away.
    pub control: TimeControl,
    /// How many times faster they think.
    pub speed: u32,
    /// After an illegal move they wait to be told to go on.
    pub wait_after_illegal: bool,
}

/// From the clock's start to White's first lift, at most: people are ready when a game begins.
const OPENING_THOUGHT_MS: u64 = 3_000;
/// After an illegal move has been completed, this long until it is taken back.
const ILLEGAL_NOTICED_MS: u64 = 5_000;
/// From the last press until the clock is stopped.
const CLOCK_STOPPED_MS: (u64, u64) = (500, 2_500);
/// From the end of the game until hands shake and something else is done with the men.
const AFTERMATH_MS: (u64, u64) = (3_000, 9_000);
/// All men are back on their squares within this.
const PUT_BACK_WITHIN_MS: u64 = 60_000;
/// From the set-up to the next game. Two seconds of stillness are the least that tells one from the other.
const NEXT_GAME_MS: u64 = 4_000;
/// A player spends at most this part of what he has left on one move.
const LARGEST_THOUGHT: u64 = 6;

/// The deeds of one game: from the start of the clock to the men put back for `next`, if there is a next.
pub(super) fn play(game: &Game, next: Option<&Game>, manner: &Manner, dice: &mut Dice) -> Played {
    let board = game.start.board().clone();
    let hand = Hand { noise: &manner.noise, dice, board, now: 0, deeds: Vec::new() };
    let left = u64::from(manner.control.base + manner.control.increment) * 1_000;
    let mut people =
        People { hand, manner, left: ByColor { white: left, black: left }, all: Vec::new(), noise: Vec::new() };
    people.begin(game.start.turn());
    people.moves(game);
    people.end(game, next);
    people.all.sort_by_key(|timed| timed.at);
    Played { deeds: people.all.into(), noise: people.noise.into() }
}

/// One game to come.
#[derive(Debug, Default)]
pub(super) struct Played {
    /// Its deeds, in the order of their times.
    pub(super) deeds: VecDeque<Timed>,
    /// What goes wrong in it, and by when: a game that is broken off has only the noise it came to.
    pub(super) noise: VecDeque<(u64, NoiseCount)>,
}

struct People<'a> {
    hand: Hand<'a>,
    manner: &'a Manner,
    left: ByColor<u64>,
    all: Vec<Timed>,
    noise: Vec<(u64, NoiseCount)>,
}

impl People<'_> {
    fn begin(&mut self, turn: Color) {
        self.hand.does(Deed::SetClock(turn));
        self.hand.does(Deed::Meant(Meaning::Begun));
        self.hand.does(Deed::StartClock);
        self.keep();
    }

    fn moves(&mut self, game: &Game) {
        let mut position = game.start.clone();
        let mut pressed_at = 0;
        for (ply, mv) in game.moves.iter().enumerate() {
            let think = self.think(position.turn(), ply);
            let early = if ply > 0 { self.early_reply() } else { 0 };
            self.hand.now = if early > 0 { pressed_at - pressed_at.min(early) } else { pressed_at + think };
            if early == 0 {
                self.unrest(&position, ply, *mv);
            }
            let before = self.all.len().saturating_sub(RECENT);
            let done = self.ply(ply, *mv, position.turn());
            let shift = self.keep_after(before, pressed_at);
            let spent = (done + shift).saturating_sub(pressed_at);
            let left = self.left.get_mut(position.turn());
            *left = left.saturating_sub(spent) + u64::from(self.manner.control.increment) * 1_000;
            pressed_at = self.hand.now + shift;
            position.play_unchecked(*mv);
        }
        self.hand.now = pressed_at;
    }

    fn think(&mut self, color: Color, ply: usize) -> u64 {
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
    fn ply(&mut self, ply: usize, mv: Move, color: Color) -> u64 {
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
        self.hand.press(color);
        if let Some(offence) = left.offence() {
            self.hand.does(Deed::Meant(Meaning::Illegal(ply, offence)));
        }
        self.hand.does(Deed::Meant(Meaning::Pressed(ply)));
        self.repair(left);
        press_at
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
    fn noticed(&mut self) {
        const STOPPED_AFTER_MS: u64 = 2_000;
        self.hand.wait(STOPPED_AFTER_MS);
        self.hand.does(Deed::StopClock);
        if self.manner.wait_after_illegal {
            self.hand.does(Deed::Await);
        }
        self.hand.wait(ILLEGAL_NOTICED_MS - STOPPED_AFTER_MS);
    }

    fn resume(&mut self) {
        self.hand.wait(1_000);
        self.hand.does(Deed::StartClock);
    }

    /// Adjustments, touches, accidents and offences before a move.
    fn unrest(&mut self, position: &Chess, ply: usize, mv: Move) {
        let noise = self.manner.noise.unrest;
        if self.hand.dice.happens(Kind::Adjust, noise.adjust) {
            self.adjust(position.turn());
        }
        if self.hand.dice.happens(Kind::ThinkingTouch, noise.touch) {
            self.touch(position.turn(), mv);
        }
        if self.hand.dice.happens(Kind::KnockOver, noise.knock) {
            self.knock_over(mv);
        }
        if self.hand.dice.happens(Kind::IllegalMove, noise.illegal) {
            self.illegal_move(position, ply);
        }
    }

    fn adjust(&mut self, color: Color) {
        let mut men: Vec<Square> = self.hand.board.by_color(color).into_iter().collect();
        self.hand.dice.shuffle(&mut men);
        let count = 1 + self.hand.dice.index(4);
        for square in men.into_iter().take(count) {
            self.hold(square, self.manner.noise.unrest.adjust_held);
        }
    }

    fn touch(&mut self, color: Color, mv: Move) {
        let men: Vec<Square> =
            self.hand.board.by_color(color).into_iter().filter(|square| mv.from() != Some(*square)).collect();
        if let Some(square) = self.hand.dice.pick(&men) {
            self.hold(square, self.manner.noise.unrest.touch_held);
        }
    }

    fn hold(&mut self, square: Square, held: Spread) {
        let Some(piece) = self.hand.lift(square) else { return };
        self.hand.takes(held);
        self.hand.place(square, piece);
        self.hand.wait_between((200, 600));
    }

    /// The moving hand brushes its neighbours; then they are put back one by one.
    fn knock_over(&mut self, mv: Move) {
        let noise = self.manner.noise.unrest;
        let near = mv.from().unwrap_or(mv.to());
        let mut men: Vec<Square> = self.hand.board.occupied().into_iter().collect();
        men.sort_by_key(|square| square.distance(near));
        let count = self.hand.dice.between(noise.knock_men);
        men.truncate(usize::try_from(count).expect("a handful"));
        let begun = self.hand.now;
        let mut moments: Vec<u64> = men.iter().map(|_| self.hand.dice.between((0, noise.knock_within))).collect();
        moments.sort_unstable();
        let mut fallen = Vec::new();
        for (square, moment) in men.into_iter().zip(moments) {
            self.hand.now = begun + moment;
            fallen.extend(self.hand.lift(square).map(|piece| (square, piece)));
        }
        self.hand.dice.shuffle(&mut fallen);
        for (square, piece) in fallen {
            self.hand.takes(noise.restore);
            self.put_back(square, piece);
        }
        self.hand.wait(1_000);
    }

    fn put_back(&mut self, square: Square, piece: Piece) {
        let noise = self.manner.noise.unrest;
        let wrong = self.hand.dice.happens(Kind::KnockedToWrongSquare, noise.restore_wrong);
        if let Some(beside) = self.hand.free_beside(square).filter(|_| wrong) {
            self.hand.place(beside, piece);
            self.hand.takes(noise.restore);
            self.hand.lift(beside);
            self.hand.wait_between((200, 600));
        }
        self.hand.place(square, piece);
    }

    /// A move the rules do not know is pressed, seen, taken back with the lever turned, and the game goes on.
    fn illegal_move(&mut self, position: &Chess, ply: usize) {
        let color = position.turn();
        let Some((from, to)) = self.unlawful(position) else { return };
        let victim = self.hand.board.piece_at(to);
        let Some(piece) = self.hand.lift(from) else { return };
        self.hand.takes(self.manner.noise.carry);
        self.hand.place(to, piece);
        self.hand.takes(self.manner.noise.press);
        self.hand.press(color);
        self.hand.does(Deed::Meant(Meaning::Illegal(ply, Offence::IllegalMove)));
        self.noticed();
        self.hand.lift(to);
        self.hand.takes(self.manner.noise.carry);
        self.hand.place(from, piece);
        if let Some(victim) = victim {
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(to, victim);
        }
        self.hand.wait(1_000);
        // The clock stands still: this turns the lever and adds no time.
        self.hand.press(!color);
        self.resume();
        self.hand.takes(self.manner.noise.press);
        self.hand.wait(1_000);
    }

    /// A man and a square where it may not go. No king is taken, and the board looks like no legal move.
    fn unlawful(&mut self, position: &Chess) -> Option<(Square, Square)> {
        let board = position.board();
        let legal = position.legal_moves();
        let men: Vec<Square> = board.by_color(position.turn()).into_iter().collect();
        for _ in 0..100 {
            let from = self.hand.dice.pick(&men)?;
            let to = Square::new(u32::try_from(self.hand.dice.index(64)).expect("below 64"));
            let allowed = !board.by_color(position.turn()).contains(to) && !board.kings().contains(to);
            let is_legal = legal.iter().any(|mv| mv.from() == Some(from) && mv.to() == to);
            if allowed && !is_legal {
                return Some((from, to));
            }
        }
        None
    }

    /// Clock stopped, result shown, men put back.
    fn end(&mut self, game: &Game, next: Option<&Game>) {
        let ending = self.manner.noise.ending;
        self.hand.wait_between(CLOCK_STOPPED_MS);
        self.hand.does(Deed::StopClock);
        self.hand.does(Deed::Meant(Meaning::Ended));
        let before = self.hand.board.clone();
        if let Some(outcome) = game.outcome
            && self.hand.dice.happens(Kind::ResultSignalled, ending.signal)
        {
            self.signal(outcome);
        }
        self.hand.wait_between(AFTERMATH_MS);
        if self.hand.dice.happens(Kind::Analysis, ending.analysis) {
            self.set_up(&before);
            self.analyse(game);
        }
        let back = self.hand.dice.happens(Kind::PutBack, if next.is_some() { 1.0 } else { ending.put_back });
        if back {
            let target = next.map_or(Board::new(), |next| next.start.board().clone());
            self.set_up(&target);
            self.hand.wait(NEXT_GAME_MS);
            self.hand.does(Deed::Meant(Meaning::Ready));
        }
        self.keep();
    }

    /// Both kings in the middle: on light squares White has won, on dark ones Black, on one of each it is a draw.
    fn signal(&mut self, outcome: KnownOutcome) {
        let ending = self.manner.noise.ending;
        let (white, black) = match outcome.winner() {
            Some(Color::White) => (Square::E4, Square::D5),
            Some(Color::Black) => (Square::D4, Square::E5),
            None => (Square::E4, Square::E5),
        };
        let king = |board: &Board, color| board.king_of(color);
        let stands = |board: &Board, color, on| king(board, color) == Some(on);
        let crossed = stands(&self.hand.board, Color::White, black) || stands(&self.hand.board, Color::Black, white);
        let (white, black) = if crossed { (black, white) } else { (white, black) };
        self.hand.wait_between((1_000, 4_000));
        let first = if self.hand.dice.chance(0.5) { Color::White } else { Color::Black };
        for (order, color) in [first, !first].into_iter().enumerate() {
            let to = if color.is_white() { white } else { black };
            if order == 1 {
                self.second_king(ending.late);
            }
            let Some(from) = king(&self.hand.board, color).filter(|from| *from != to) else { continue };
            if self.hand.lift(to).is_some() {
                self.hand.takes(self.manner.noise.carry);
            }
            let Some(piece) = self.hand.lift(from) else { continue };
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(to, piece);
        }
        self.hand.does(Deed::Meant(Meaning::Signalled(outcome)));
    }

    fn second_king(&mut self, late: f64) {
        const SECONDS: (u64, u64) = (3_000, 9_000);
        if self.hand.dice.happens(Kind::ResultLate, late) {
            self.hand.wait_between(SECONDS);
        } else {
            self.hand.takes(self.manner.noise.ending.second_king);
        }
    }

    /// A few legal moves without the clock.
    fn analyse(&mut self, game: &Game) {
        let mut position = game.start.clone();
        game.moves.iter().for_each(|mv| position.play_unchecked(*mv));
        for _ in 0..2 + self.hand.dice.index(5) {
            let legal = position.legal_moves();
            let Some(mv) = self.hand.dice.pick(&legal) else { return };
            self.hand.wait_between((1_000, 6_000));
            let left = self.hand.perform(mv, position.turn());
            match left {
                Left::Nothing => {}
                Left::Victim(square) => {
                    self.hand.wait(1_000);
                    self.hand.lift(square);
                }
                Left::Promotion(square, piece) => {
                    self.hand.wait(1_000);
                    self.hand.place(square, piece);
                }
            }
            position.play_unchecked(mv);
        }
    }

    /// Every man to where `target` has it, in any order.
    fn set_up(&mut self, target: &Board) {
        let begun = self.hand.now;
        let from = self.hand.deeds.len();
        let mut wanted: Vec<(Square, Piece)> = target.clone().into_iter().collect();
        self.hand.dice.shuffle(&mut wanted);
        for (square, piece) in wanted {
            if self.hand.board.piece_at(square) == Some(piece) {
                continue;
            }
            self.hand.lift(square);
            let spare = self.hand.board.by_piece(piece).into_iter().find(|from| target.piece_at(*from) != Some(piece));
            if let Some(spare) = spare {
                self.hand.lift(spare);
            }
            self.hand.takes(self.manner.noise.carry);
            self.hand.place(square, piece);
            self.hand.wait_between((60, 250));
        }
        for surplus in self.hand.board.occupied() & !target.occupied() {
            self.hand.lift(surplus);
            self.hand.wait_between((60, 250));
        }
        self.hurry(from, begun);
    }

    /// Nobody takes longer than a minute for it.
    fn hurry(&mut self, from: usize, begun: u64) {
        let took = self.hand.now - begun;
        if took <= PUT_BACK_WITHIN_MS {
            return;
        }
        for timed in &mut self.hand.deeds[from..] {
            timed.at = begun + (timed.at - begun) * PUT_BACK_WITHIN_MS / took;
        }
        self.hand.now = begun + PUT_BACK_WITHIN_MS;
    }

    fn keep(&mut self) {
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
