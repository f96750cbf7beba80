//! Move reconstruction: what hands did, from what the sensors say and when the clock was pressed.
//!
//! At any moment there is a record (final moves) and a *tail*: the best explanation of everything since, as a legal
//! line of a few plies. The tail is replaced freely while the board changes. A ply of it becomes final by the first
//! of these, and by nothing else:
//!
//! 1. its mover's press, once the board has matched for a moment;
//! 2. a legal reply standing on top of it;
//! 3. after a release, a man of the opponent in the air;
//! 4. a rest, if it ends the game;
//! 5. a rest, where no press can come.

mod explain;
mod opening;
mod squares;

use laws::Ending;
use protocol::board::{Content, Contents, Lie, WireSquare};
use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square};

pub use opening::Opening;

use crate::{Millis, Settings};
use squares::Squares;

/// How many plies may be seen ahead of the record: a fast reply to a reply that was not pressed yet.
const PLIES_AHEAD: usize = 3;

/// How many plies are looked for when events were lost. Four cost less than a millisecond.
const PLIES_LOST: usize = 4;

/// The squares kings meet on to show a result.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The hands at one table.
///
/// Drive it in rounds: `handle` one sign with its time, drain `out`, come back at `deadline` with `wake` or the next
/// sign, whichever is first. Times never go backwards. `begin` starts a game; `correct` replaces the record's position.
#[derive(Clone, Debug)]
pub struct Hand {
    settings: Settings,
    /// The record's position, and the placements before it.
    root: Chess,
    earlier: Vec<Board>,
    squares: Squares,
    /// Moves seen and not final yet.
    tail: Vec<Move>,
    /// The board is explained by the tail.
    fits: bool,
    held: bool,
    press: Option<Press>,
    pressing: Pressing,
    /// A whole board was heard since the link came up. Before it nothing is concluded from rest.
    surveyed: bool,
    /// What happened since the record last moved on was not all heard.
    gap: bool,
    /// A game is on.
    playing: bool,
    /// When the last game ended.
    ended_at: Option<Millis>,
    asked_at: Option<Millis>,
}

/// A press whose ply is not final yet.
#[derive(Clone, Copy, Debug)]
struct Press {
    side: Color,
    at: Millis,
}

/// Whether a press can be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressing {
    /// A clock is connected and runs.
    Awaited,
    /// No clock, or it stands.
    Impossible,
}

/// One thing the hand is told.
#[derive(Clone, Debug, PartialEq)]
pub enum Sign {
    /// A square was reported.
    Square(WireSquare, Content),
    /// The whole board was reported.
    Board(Box<Contents>),
    /// The board can be heard again, or no more.
    Link(bool),
    /// This player pressed the clock.
    Press(Color),
    /// A press can be expected, or not.
    Pressing(Pressing),
}

/// One thing the hand concludes.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// The moves seen beyond the record have changed.
    Seen(Vec<Move>),
    /// The first of the seen moves is final. `inferred`: it was not seen happening.
    Final {
        /// The move.
        played: Move,
        /// Worked out from what stood on the board after a gap.
        inferred: bool,
    },
    /// Moves made while nothing was heard are seen now: how many, and the other lines that would explain them.
    Gap {
        /// How many.
        plies: usize,
        /// Other lines to the same board.
        others: Vec<Vec<Move>>,
    },
    /// The board can't be explained (the squares that differ), or can again (none).
    Held(Bitboard),
    /// An earlier position was restored: so many plies are taken back.
    Takeback(usize),
    /// The kings show a result: the winner, or a draw.
    Signalled(Option<Color>),
    /// The board shows a start array and a new game begins.
    NewGame(Box<Opening>),
    /// The board should be asked for a dump.
    AskDump,
}

/// Why the hand wants to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wake {
    /// A pressed ply is final.
    Pressed,
    /// A ply with a reply on top is final.
    Answered,
    /// A ply under an opponent's hand is final.
    OpponentLifts,
    /// A ply that ends the game is final.
    EndsGame,
    /// A ply is final by rest.
    Settles,
    /// The kings in the centre have stood long enough.
    KingsMeet,
    /// A start array has stood long enough.
    StartsAnew,
    /// An earlier position has stood long enough.
    TakesBack,
    /// A press found no ply in time.
    PressFails,
    /// An unexplained board has stood long enough.
    Holds,
    /// Only a dump can tell more.
    Doubts,
}

impl Hand {
    /// No game yet: a start array begins one.
    pub fn new(settings: Settings) -> Hand {
        Hand {
            settings,
            root: Chess::default(),
            earlier: Vec::new(),
            squares: Squares::new(Lie::Straight),
            tail: Vec::new(),
            fits: false,
            held: false,
            press: None,
            pressing: Pressing::Impossible,
            surveyed: false,
            gap: false,
            playing: false,
            ended_at: None,
            asked_at: None,
        }
    }

    /// Begins a game at `position` on a board that lies like this.
    pub fn begin(&mut self, position: Chess, lie: Lie, now: Millis, out: &mut Vec<Deed>) {
        self.squares.lay(lie, now);
        if self.squares.board() != position.board() {
            self.root = position.clone();
            self.turn_if_it_fits(now);
        }
        self.playing = true;
        self.correct(position, Vec::new(), now, out);
    }

    /// The game is over: whatever hands do from here is not the game. A start array begins the next.
    pub fn end(&mut self, now: Millis, out: &mut Vec<Deed>) {
        self.playing = false;
        self.ended_at = Some(now);
        self.press = None;
        self.release(out);
        self.show(Vec::new(), out);
    }

    /// The game goes on after all.
    pub fn resume(&mut self, now: Millis, out: &mut Vec<Deed>) {
        self.playing = true;
        self.look(now, out);
    }

    /// The record's position is this, after positions with these placements.
    pub fn correct(&mut self, position: Chess, earlier: Vec<Board>, now: Millis, out: &mut Vec<Deed>) {
        self.root = position;
        self.earlier = earlier;
        self.press = None;
        self.squares.move_on(self.root.board());
        self.show(Vec::new(), out);
        self.look(now, out);
    }

    /// Takes one sign. Call `wake` for all deadlines up to `now` first.
    pub fn handle(&mut self, sign: &Sign, now: Millis, out: &mut Vec<Deed>) {
        match sign {
            Sign::Square(square, content) => {
                if self.squares.report(*square, *content, now) {
                    self.asked_at = None;
                    self.look(now, out);
                }
            }
            Sign::Board(contents) => self.survey(contents, now, out),
            Sign::Link(true) => {}
            Sign::Link(false) => {
                self.surveyed = false;
                self.gap = true;
            }
            Sign::Press(side) => self.pressed(*side, now, out),
            Sign::Pressing(pressing) => self.pressing = *pressing,
        }
    }

    /// When to come back, and why. A hand that can't hear its board waits for nothing.
    pub fn deadline(&self) -> Option<(Millis, Wake)> {
        if !self.surveyed {
            return None;
        }
        let mut dues = vec![(self.starts_anew_at(), Wake::StartsAnew), (self.doubts_at(), Wake::Doubts)];
        if self.playing {
            dues.extend([
                (self.pressed_at(), Wake::Pressed),
                (self.answered_at(), Wake::Answered),
                (self.opponent_lifts_at(), Wake::OpponentLifts),
                (self.ends_game_at(), Wake::EndsGame),
                (self.settles_at(), Wake::Settles),
                (self.kings_meet_at(), Wake::KingsMeet),
                (self.takes_back_at(), Wake::TakesBack),
                (self.press_fails_at(), Wake::PressFails),
                (self.holds_at(), Wake::Holds),
            ]);
        }
        dues.into_iter().filter_map(|(at, wake)| Some((at?, wake))).min()
    }

    /// Does what is due first, if it is due by `now`. Call until it returns false, and act on `out` each time:
    /// a takeback stays due until `correct` has answered it, a new game until `begin` has.
    pub fn wake(&mut self, now: Millis, out: &mut Vec<Deed>) -> bool {
        let Some((at, wake)) = self.deadline().filter(|(at, _)| *at <= now) else { return false };
        match wake {
            Wake::Pressed => self.settle_pressed(at, out),
            Wake::Answered => self.settle(self.tail.len() - 1, at, out),
            Wake::OpponentLifts | Wake::EndsGame | Wake::Settles => self.settle(self.tail.len(), at, out),
            Wake::KingsMeet => self.kings_met(at, out),
            Wake::StartsAnew => self.start_anew(out),
            Wake::TakesBack => self.take_back(out),
            Wake::PressFails => self.press = None,
            Wake::Holds => self.hold(out),
            Wake::Doubts => {
                self.asked_at = Some(at);
                out.push(Deed::AskDump);
            }
        }
        true
    }

    /// How the board lies.
    pub fn lie(&self) -> Lie {
        self.squares.lie()
    }

    /// What stands on the board, as squares of the game.
    pub fn board(&self) -> &Board {
        self.squares.board()
    }

    /// What the sensors say, as squares of the wire.
    pub fn wire(&self) -> &Contents {
        self.squares.wire()
    }

    /// The board was heard whole since its link came up.
    pub fn is_surveyed(&self) -> bool {
        self.surveyed
    }

    fn survey(&mut self, contents: &Contents, now: Millis, out: &mut Vec<Deed>) {
        let first = !std::mem::replace(&mut self.surveyed, true);
        if first && !self.playing {
            self.squares.survey(contents, now);
            // A board that already shows a start array when it is first heard has nothing to wait for.
            if Opening::of(contents).is_some() {
                self.start_anew(out);
            }
            return;
        }
        let changed = self.squares.survey(contents, now);
        if self.earlier.is_empty() && self.squares.board() != self.root.board() {
            self.turn_if_it_fits(now);
        }
        if first && std::mem::take(&mut self.gap) {
            self.bridge(now, out);
        } else if changed {
            self.look(now, out);
        }
    }

    /// Before the first move half a turn is remapped silently: nobody told us how the board lies.
    fn turn_if_it_fits(&mut self, now: Millis) {
        let turned = match self.squares.lie() {
            Lie::Straight => Lie::Turned,
            Lie::Turned => Lie::Straight,
        };
        if self.squares.wire().board(turned) == *self.root.board() {
            self.squares.lay(turned, now);
        }
    }

    /// Explains what happened while nothing was heard.
    fn bridge(&mut self, now: Millis, out: &mut Vec<Deed>) {
        self.squares.forget();
        let known = self.tail.len();
        let mut lines = explain::lines(&self.root, &self.squares, PLIES_LOST);
        if lines.is_empty() {
            self.look(now, out);
            return;
        }
        let best = lines.remove(0);
        let others = lines.into_iter().map(|line| line.moves).filter(|moves| moves.len() == best.moves.len()).collect();
        let plies = best.moves.len();
        self.fits = true;
        self.release(out);
        self.show(best.moves, out);
        if plies > known {
            out.push(Deed::Gap { plies: plies - known, others });
        }
        self.settle_inferred(plies.saturating_sub(1), now, out);
    }

    /// Looks for the best explanation of the board.
    fn look(&mut self, now: Millis, out: &mut Vec<Deed>) {
        if !self.playing || !self.surveyed {
            return;
        }
        let lines = explain::lines(&self.root, &self.squares, PLIES_AHEAD);
        self.fits = !lines.is_empty();
        let Some(best) = lines.into_iter().next() else { return };
        self.release(out);
        if best.moves.is_empty() && self.press.is_some_and(|press| press.at < now) {
            // The position was put back: what was pressed is gone.
            self.press = None;
        }
        self.show(best.moves, out);
    }

    fn show(&mut self, tail: Vec<Move>, out: &mut Vec<Deed>) {
        if self.tail != tail {
            self.tail.clone_from(&tail);
            out.push(Deed::Seen(tail));
        }
    }

    fn release(&mut self, out: &mut Vec<Deed>) {
        if std::mem::take(&mut self.held) {
            out.push(Deed::Held(Bitboard::EMPTY));
        }
    }

    fn hold(&mut self, out: &mut Vec<Deed>) {
        self.held = true;
        out.push(Deed::Held(self.squares.misfit(self.seen().board())));
    }

    fn pressed(&mut self, side: Color, now: Millis, out: &mut Vec<Deed>) {
        let bounce = |press: &Press| press.side == side && now < press.at + self.settings.clock_bounce_ms;
        if !self.playing || self.press.as_ref().is_some_and(bounce) {
            return;
        }
        // A press of the other side says that the earlier one was for the ply before.
        if self.press.is_some_and(|press| press.side != side) && self.fits {
            self.settle_pressed(now, out);
        }
        if side == self.root.turn() || !self.tail.is_empty() {
            self.press = Some(Press { side, at: now });
        }
    }

    // When things are due.

    /// How many plies of the tail a press by `side` completes: up to the last one of that side.
    fn completed_by(&self, side: Color) -> Option<usize> {
        let turn = self.root.turn();
        (1..=self.tail.len()).rev().find(|count| (if count % 2 == 1 { turn } else { !turn }) == side)
    }

    fn pressed_at(&self) -> Option<Millis> {
        let press = self.press.filter(|_| self.fits)?;
        let count = self.completed_by(press.side)?;
        if self.floating(press.side) {
            return None;
        }
        Some(press.at.max(self.changed_at(count - 1) + self.settings.press_before_ms))
    }

    fn answered_at(&self) -> Option<Millis> {
        let last = self.tail.len().checked_sub(1).filter(|last| *last > 0 && self.fits)?;
        Some(self.changed_at(last) + self.settings.contact_debounce_ms)
    }

    fn opponent_lifts_at(&self) -> Option<Millis> {
        let (side, released) = self.lone_release()?;
        let seen = self.seen();
        let lifted = self.squares.in_air(seen.board()).find(|lifted| {
            let king_answer = self.is_to_centre() && (lifted.piece.role == Role::King || CENTRE.contains(lifted.from));
            lifted.piece.color != side && lifted.at >= released && !king_answer
        })?;
        Some(lifted.at + self.settings.opponent_lift_ms)
    }

    fn ends_game_at(&self) -> Option<Millis> {
        let (_, released) = self.lone_release()?;
        Ending::of(&self.seen())?;
        let rest =
            if self.is_extendable() { self.settings.settle_extendable_ms } else { self.settings.release_dwell_ms };
        Some(released - self.settings.release_dwell_ms + rest)
    }

    fn settles_at(&self) -> Option<Millis> {
        let (side, _) = self.lone_release()?;
        if self.pressing == Pressing::Awaited || self.floating(!side) {
            return None;
        }
        let rest = if self.is_to_centre() {
            self.settings.settle_centre_ms
        } else if self.is_extendable() {
            self.settings.settle_extendable_ms
        } else {
            self.settings.settle_ms
        };
        Some(self.squares.last_change() + rest)
    }

    fn kings_meet_at(&self) -> Option<Millis> {
        let kings = self.squares.board().kings();
        (kings.count() == 2 && kings.is_subset(CENTRE))
            .then_some(self.squares.last_change() + self.settings.signal_rest_ms)
    }

    fn starts_anew_at(&self) -> Option<Millis> {
        let opening = Opening::of(self.squares.wire())?;
        let of_this_game = opening.lie == self.lie()
            && (opening.position.board() == self.root.board() || (self.fits && !self.tail.is_empty()));
        let untouched = self.ended_at.is_some_and(|ended| self.squares.last_change() <= ended);
        if (self.playing && of_this_game) || (!self.playing && untouched) {
            return None;
        }
        Some(self.squares.last_change() + self.settings.new_game_rest_ms)
    }

    fn takes_back_at(&self) -> Option<Millis> {
        if self.pressing == Pressing::Awaited || self.fits || Opening::of(self.squares.wire()).is_some() {
            return None;
        }
        self.plies_back()?;
        Some(self.squares.last_change() + self.settings.takeback_rest_ms)
    }

    fn press_fails_at(&self) -> Option<Millis> {
        Some(self.press?.at + self.settings.press_unseen_ms)
    }

    fn holds_at(&self) -> Option<Millis> {
        let unexplained = !self.fits && !self.held;
        unexplained.then_some(self.squares.last_change() + self.settings.mismatch_rest_ms)
    }

    fn doubts_at(&self) -> Option<Millis> {
        if self.asked_at.is_some() || !self.playing {
            return None;
        }
        let rest = match (self.fits, Color::ALL.into_iter().any(|side| self.floating(side))) {
            (true, false) => return None,
            (true, true) => self.settings.dump_air_ms,
            (false, _) => self.settings.dump_rest_ms,
        };
        Some(self.squares.last_change() + rest)
    }

    /// The mover of a single seen ply with none of its side's men in the air, and when it was released.
    fn lone_release(&self) -> Option<(Color, Millis)> {
        let side = self.root.turn();
        let lone = self.tail.len() == 1 && self.fits && !self.floating(side);
        lone.then(|| (side, self.changed_at(0) + self.settings.release_dwell_ms))
    }

    /// A man of this side that belongs on the seen board is in the air.
    fn floating(&self, side: Color) -> bool {
        self.squares.in_air(self.seen().board()).any(|lifted| lifted.piece.color == side)
    }

    /// When the last square of a ply of the tail changed.
    fn changed_at(&self, ply: usize) -> Millis {
        let footprint = explain::footprint(self.tail[ply]);
        footprint.into_iter().map(|square| self.squares.changed_at(square)).max().unwrap_or(0)
    }

    /// The man could go on: a slide that pauses, a rook before castling, a king on its way to castling.
    fn is_extendable(&self) -> bool {
        let Some(&Move::Normal { role, from, to, .. }) = self.tail.first() else { return false };
        let could_follow = |longer: &Move| match *longer {
            Move::Castle { king, rook } => {
                let side = longer.castling_side().expect("castling has a side");
                let color = self.root.turn();
                (from == rook && to == side.rook_to(color)) || (from == king && role == Role::King)
            }
            Move::Normal { from: start, to: end, .. } => start == from && end != to && is_beyond(from, to, end),
            Move::EnPassant { .. } | Move::Put { .. } => false,
        };
        self.root.legal_moves().iter().any(could_follow)
    }

    fn is_to_centre(&self) -> bool {
        matches!(self.tail.last(), Some(Move::Normal { role: Role::King, to, .. }) if CENTRE.contains(*to))
    }

    /// The position after the tail.
    fn seen(&self) -> Chess {
        let mut position = self.root.clone();
        for played in &self.tail {
            position.play_unchecked(*played);
        }
        position
    }

    fn plies_back(&self) -> Option<usize> {
        let board = self.squares.board();
        self.earlier.iter().rev().position(|earlier| earlier == board).map(|index| index + 1)
    }

    // What is done when they are.

    fn settle_pressed(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let Some(press) = self.press.take() else { return };
        if let Some(count) = self.completed_by(press.side) {
            self.settle(count, now, out);
        }
    }

    fn settle(&mut self, count: usize, now: Millis, out: &mut Vec<Deed>) {
        self.settle_as(false, count, now, out);
    }

    fn settle_inferred(&mut self, count: usize, now: Millis, out: &mut Vec<Deed>) {
        self.settle_as(true, count, now, out);
    }

    fn settle_as(&mut self, inferred: bool, count: usize, now: Millis, out: &mut Vec<Deed>) {
        for played in self.tail.drain(..count) {
            self.earlier.push(self.root.board().clone());
            self.root.play_unchecked(played);
            out.push(Deed::Final { played, inferred });
        }
        // What the rest of the tail did to the board still counts as changed.
        self.squares.move_on(self.root.board());
        self.look(now, out);
    }

    fn kings_met(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let light = (self.squares.board().kings() & Bitboard::LIGHT_SQUARES).count();
        self.end(now, out);
        out.push(Deed::Signalled(match light {
            2 => Some(Color::White),
            0 => Some(Color::Black),
            _ => None,
        }));
    }

    fn start_anew(&mut self, out: &mut Vec<Deed>) {
        if let Some(opening) = Opening::of(self.squares.wire()) {
            out.push(Deed::NewGame(Box::new(opening)));
        }
    }

    fn take_back(&mut self, out: &mut Vec<Deed>) {
        if let Some(plies) = self.plies_back() {
            out.push(Deed::Takeback(plies));
        }
    }
}

/// `end` lies behind `to` on the line from `from`.
fn is_beyond(from: Square, to: Square, end: Square) -> bool {
    shakmaty::attacks::ray(from, to).contains(end) && shakmaty::attacks::between(from, end).contains(to)
}
