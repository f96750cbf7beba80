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

mod due;
mod explain;
mod opening;
pub mod press;
mod squares;
mod touch;

use laws::touch::{Suspicion, examine, victim};
use protocol::{
    board::{Content, Contents, Lie, WireSquare},
    feed::TouchKind,
};
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Piece, Position, Role, Square};

pub use due::Wake;
pub use opening::Opening;

use crate::{Millis, Settings};
use explain::Bridge;
use press::{Mismatch, Verdict};
use squares::{Change, Squares};
use touch::{Contacted, Touches};

/// How many plies may be seen ahead of the record: a fast reply to a reply that was not pressed yet.
const PLIES_AHEAD: usize = 3;

/// How many plies are looked for when events were lost: as many as a blitz game has in ten seconds.
const PLIES_LOST: usize = 8;

/// A castling half made when the board is heard again needs a few tries: after so many in vain there is a pause between
/// them, as each takes tens of milliseconds.
const VAIN_SEARCHES: u8 = 4;

/// How far back an assumed promotion can be thought over.
const PLIES_REMEMBERED: usize = 8;

/// The squares kings meet on to show a result.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The hands at one table.
///
/// Drive it in rounds: `handle` one sign with its time, drain `out`, come back at `deadline` with `wake` or the next
/// sign, whichever is first. Times never go backwards. `begin` starts a game; `correct` replaces the record's position.
#[derive(Clone, Debug)]
pub struct Hand {
    settings: Settings,
    /// The record's position, the placements before it, and its last moves.
    root: Chess,
    earlier: Vec<Board>,
    recent: Vec<(Chess, Move)>,
    mode: CastlingMode,
    squares: Squares,
    touches: Touches,
    turn: Turn,
    /// Moves seen and not final yet.
    tail: Vec<Move>,
    /// The board is explained by the tail.
    fits: bool,
    held: bool,
    press: Option<OpenPress>,
    /// The other player's press, while the board does not show yet what the first one was for.
    next_press: Option<OpenPress>,
    pressed: Option<(Color, Millis)>,
    /// The last ply of the record was not pressed.
    unpressed: bool,
    /// When its last man landed.
    placed_at: Millis,
    /// A press found something unlawful, and the record has not moved on since.
    unlawful: bool,
    pressing: Pressing,
    /// A whole board was heard since the link came up. Before it nothing is concluded from rest.
    surveyed: bool,
    /// What happened since the record last moved on was not all heard.
    gap: bool,
    /// Different moves explain the gap, and it has been said.
    puzzled: bool,
    /// Nobody has put a man down since the board was heard again: somebody may have held one all the time.
    may_hold: bool,
    /// How often the open gap was searched in vain, and when last.
    vain_searches: (u8, Millis),
    /// A game is on.
    playing: bool,
    /// When the last game began, and when it ended.
    began_at: Millis,
    ended_at: Option<Millis>,
    /// The kings have shown a result and stand there still.
    signalled: bool,
    asked_at: Option<Millis>,
}

/// What happened in the turn that is on, besides touches.
#[derive(Clone, Debug, Default)]
struct Turn {
    /// The ply that stands at the head of the tail, and since when.
    resting: Option<(Move, Millis)>,
    /// Plies that had rested long enough for a release, and how long.
    released: Vec<(Move, Millis)>,
    /// The first promoted piece that was seen on its square for more than a moment.
    promoted: Option<(Square, Role)>,
    /// A castling whose king was released two squares away.
    duty: Option<Move>,
    two_hands: bool,
}

/// A press whose ply is not final yet.
#[derive(Clone, Debug)]
struct OpenPress {
    side: Color,
    at: Millis,
    /// The board as it stood then; none if a man of the presser was in the air, when it is judged as it stands later.
    board: Option<Board>,
    until: Millis,
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
    /// The first of the seen moves is final.
    Final(Finished),
    /// Final moves were something else: so many are replaced by these.
    Rewritten {
        /// Why.
        why: Rethought,
        /// How many final moves.
        plies: usize,
        /// By what.
        moves: Vec<Move>,
    },
    /// Moves made while nothing was heard are seen now: how many, and the other lines that would explain them.
    Gap {
        /// How many.
        plies: usize,
        /// Other lines to the same board.
        others: Vec<Vec<Move>>,
    },
    /// Different moves would explain what was not heard; the likeliest is shown, these are the others.
    Undecided(Vec<Vec<Move>>),
    /// A man was touched and put back.
    Touched {
        /// Which man.
        piece: Piece,
        /// On which square.
        square: Square,
        /// How long it was in the air.
        held: Millis,
        /// How it looks.
        kind: TouchKind,
    },
    /// Men of one colour were knocked over.
    Knocked(Color),
    /// The board is as it was before they were.
    Restored,
    /// A player pressed, and the board shows no move of theirs.
    Pressed(Color, Verdict),
    /// A move of the player who does not have the move stands on the board.
    OutOfTurn(Color),
    /// A touch by the player who does not have the move.
    TouchedOutOfTurn(Piece, Square),
    /// Where no press can come: the board has rested and shows something else than the record.
    Mismatched(Mismatch),
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

/// Why final moves are thought over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rethought {
    /// What followed can't be a queen's doing.
    Promotion,
    /// The man was read on a square beside its own, or rested on its way.
    WentOn,
    /// A rook or a king rested, and the castling was completed after it.
    Castled,
}

/// A move that is final, and what its making suggests.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// The move.
    pub played: Move,
    /// Worked out from what stood on the board after a gap.
    pub inferred: bool,
    /// The piece it promoted to was not seen.
    pub assumed: bool,
    /// Touch-move.
    pub touch: Option<Suspicion>,
    /// A legal resting place that was left again: where, and how long the man had rested.
    pub released: Option<(Square, Millis)>,
    /// A promoted piece was exchanged on this square.
    pub exchanged: Option<Square>,
    /// The king was released where castling was meant; its square.
    pub duty: Option<Square>,
    /// King and rook were in the air together.
    pub two_hands: bool,
}

impl Hand {
    /// No game yet: a start array begins one.
    pub fn new(settings: Settings) -> Hand {
        Hand {
            settings,
            root: Chess::default(),
            earlier: Vec::new(),
            recent: Vec::new(),
            mode: CastlingMode::Standard,
            squares: Squares::new(Lie::Straight),
            touches: Touches::default(),
            turn: Turn::default(),
            tail: Vec::new(),
            fits: false,
            held: false,
            press: None,
            next_press: None,
            pressed: None,
            unpressed: false,
            placed_at: 0,
            unlawful: false,
            pressing: Pressing::Impossible,
            surveyed: false,
            gap: false,
            puzzled: false,
            may_hold: false,
            vain_searches: (0, 0),
            playing: false,
            began_at: 0,
            ended_at: None,
            signalled: false,
            asked_at: None,
        }
    }

    /// Begins a game at `position` on a board that lies like this.
    pub fn begin(&mut self, position: Chess, mode: CastlingMode, lie: Lie, now: Millis, out: &mut Vec<Deed>) {
        self.mode = mode;
        self.squares.lay(lie, now);
        if self.squares.board() != position.board() {
            self.root = position.clone();
            self.turn_if_it_fits(now);
        }
        self.playing = true;
        self.began_at = now;
        self.signalled = false;
        self.pressed = None;
        self.touches.clear();
        self.correct(position, Vec::new(), now, out);
    }

    /// The game is over: whatever hands do from here is not the game. A start array begins the next.
    pub fn end(&mut self, now: Millis, out: &mut Vec<Deed>) {
        self.playing = false;
        self.ended_at = Some(now);
        self.press = None;
        self.next_press = None;
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
        self.gap = false;
        self.puzzled = false;
        self.recent.clear();
        self.press = None;
        self.next_press = None;
        self.unlawful = false;
        self.unpressed = false;
        self.turn = Turn::default();
        self.squares.name(self.root.board());
        self.squares.start_from(self.root.board());
        self.show(Vec::new(), out);
        self.look(now, out);
    }

    /// Takes a move into the record that the board does not show.
    pub fn force(&mut self, played: Move, now: Millis, out: &mut Vec<Deed>) {
        self.tail = vec![played];
        self.settle(1, false, now, out);
    }

    /// Takes one sign. Call `wake` for all deadlines up to `now` first.
    pub fn handle(&mut self, sign: &Sign, now: Millis, out: &mut Vec<Deed>) {
        match sign {
            Sign::Square(square, content) => {
                let changes = self.squares.report(*square, *content, now);
                if !changes.is_empty() {
                    self.asked_at = None;
                    self.signalled &= self.kings_have_met();
                    self.feel(&changes, now, out);
                    let landed = changes.iter().any(|change| matches!(change, Change::Landed(..)));
                    // A lift explains no gap, and searching one takes milliseconds.
                    self.may_hold &= !landed;
                    if landed || !self.gap {
                        self.look(now, out);
                    }
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

    /// Everything on the board is explained: nothing is missing from the story.
    pub fn is_sure(&self) -> bool {
        self.surveyed && self.fits && !self.gap
    }

    /// How the board lies.
    pub fn lie(&self) -> Lie {
        self.squares.lie()
    }

    /// What stands on the board, as squares of the game.
    pub fn board(&self) -> &Board {
        self.squares.board()
    }

    // What is seen.

    fn survey(&mut self, contents: &Contents, now: Millis, out: &mut Vec<Deed>) {
        let first = !std::mem::replace(&mut self.surveyed, true);
        let changes = self.squares.survey(contents, now);
        if first && !self.playing {
            // A board that already shows a start array when it is first heard has nothing to wait for. Unless it is
            // the array of a game that ended without a move: a cable or a daemon that comes back is no new game.
            if Opening::of(contents).is_some() && (!changes.is_empty() || self.ended_at.is_none()) {
                self.start_anew(out);
            }
            return;
        }
        if self.earlier.is_empty() && self.squares.board() != self.root.board() {
            self.turn_if_it_fits(now);
        }
        if first && self.gap {
            self.touches.clear();
            self.may_hold = true;
            self.vain_searches = (0, now);
            self.squares.forget();
            self.bridge(now, out);
        } else if first || !changes.is_empty() {
            self.feel(&changes, now, out);
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

    /// What the changes mean for men that are touched, castled or promoted.
    fn feel(&mut self, changes: &[Change], now: Millis, out: &mut Vec<Deed>) {
        if !self.playing || !self.surveyed {
            return;
        }
        for change in changes {
            self.feel_special(*change, now);
            let lifted = |color| self.squares.lifted().iter().filter(|lifted| lifted.piece.color == color).count();
            match self.touches.take(*change, lifted, now, &self.settings) {
                Some(Contacted::Knocked(color)) => out.push(Deed::Knocked(color)),
                Some(Contacted::Returned { piece, square, held, kind }) => {
                    out.push(Deed::Touched { piece, square, held, kind });
                    let turn = self.having_the_move(now);
                    if kind == TouchKind::Touch && piece.color != turn && !self.can_be_taken(square) {
                        out.push(Deed::TouchedOutOfTurn(piece, square));
                    }
                }
                None => {}
            }
        }
    }

    /// Kings that leave the square of a castling, king and rook together in the air, promoted pieces exchanged.
    fn feel_special(&mut self, change: Change, now: Millis) {
        let side = self.root.turn();
        match change {
            Change::Lifted(square, piece, since) if piece.color == side => {
                let stood = now - since;
                if piece.role == Role::King && stood >= self.settings.release_dwell_ms {
                    self.turn.duty = self.castling_to(square).or(self.turn.duty);
                }
                if self.turn.promoted == Some((square, piece.role)) && stood < self.settings.contact_debounce_ms {
                    self.turn.promoted = None;
                }
            }
            Change::Landed(square, piece) if piece.color == side => {
                let promotes = |candidate: &Move| candidate.to() == square && candidate.promotion() == Some(piece.role);
                if self.turn.promoted.is_none() && self.root.legal_moves().iter().any(promotes) {
                    self.turn.promoted = Some((square, piece.role));
                }
            }
            Change::Lifted(..) | Change::Landed(..) => {}
        }
        let lifted = |square| self.squares.lifted().iter().any(|lifted| lifted.from == square);
        let together = |candidate: &Move| match *candidate {
            Move::Castle { king, rook } => lifted(king) && lifted(rook),
            Move::Normal { .. } | Move::EnPassant { .. } | Move::Put { .. } => false,
        };
        if self.squares.lifted().len() >= 2 && self.mode == CastlingMode::Standard {
            self.turn.two_hands |= self.root.legal_moves().iter().any(together);
        }
    }

    /// The castling that takes the king to this square, unless it starts from there.
    fn castling_to(&self, square: Square) -> Option<Move> {
        let side = self.root.turn();
        let meant = |candidate: &&Move| {
            let goal = candidate.castling_side().map(|castling| castling.king_to(side));
            goal == Some(square) && candidate.from() != Some(square)
        };
        let standard = self.mode == CastlingMode::Standard;
        self.root.legal_moves().iter().find(meant).copied().filter(|_| standard)
    }

    /// Explains what happened while nothing was heard. A board that was surveyed with a man in the hand can't be
    /// explained yet; the gap stays open until it can.
    fn bridge(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let known = self.tail.len();
        self.fits = false;
        let (vain, last) = self.vain_searches;
        if vain >= VAIN_SEARCHES && now < last + self.settings.gap_pause_ms {
            return;
        }
        self.vain_searches = (vain.saturating_add(1), now);
        let Some((best, others)) = self.stories() else {
            return;
        };
        if has_detour(&best[self.tail.len().min(best.len())..])
            || others.iter().any(|other| !is_reordered(other, &best))
        {
            // Different moves may lead here: the position is shown, and nothing is final until something decides.
            self.undecided(best, others, out);
            return;
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
        }
        self.settle(plies.saturating_sub(1), true, now, out);
    }

    /// What may have been played while nothing was heard, the likeliest first. What was seen before it was played.
    fn stories(&self) -> Option<(Vec<Move>, Vec<Vec<Move>>)> {
        let known = [self.tail.as_slice(), &[]].into_iter().take(if self.tail.is_empty() { 1 } else { 2 });
        for tail in known {
            let Some(base) = play_all(&self.root, tail) else { continue };
            match explain::bridge(&base, &self.squares, PLIES_LOST, self.may_hold) {
                Bridge::Lines(lines) => {
                    let mut stories = lines.into_iter().map(|line| [tail, &line.moves].concat());
                    return Some((stories.next()?, stories.collect()));
                }
                Bridge::InHand => return None,
                Bridge::None => {}
            }
        }
        None
    }

    /// Says once that more than one story leads to the board.
    fn undecided(&mut self, best: Vec<Move>, others: Vec<Vec<Move>>, out: &mut Vec<Deed>) {
        if !std::mem::replace(&mut self.held, true) {
            out.push(Deed::Held(self.squares.misfit_ignoring_air(self.root.board())));
        }
        self.show(best, out);
        if !std::mem::replace(&mut self.puzzled, true) {
            out.push(Deed::Undecided(others));
        }
    }

    /// Looks for the best explanation of the board.
    fn look(&mut self, now: Millis, out: &mut Vec<Deed>) {
        if !self.playing || !self.surveyed {
            return;
        }
        if self.gap {
            return self.bridge(now, out);
        }
        let mut lines = explain::lines(&self.root, &self.squares, PLIES_AHEAD);
        if lines.is_empty() && self.think_over(out) {
            lines = explain::lines(&self.root, &self.squares, PLIES_AHEAD);
        }
        self.fits = !lines.is_empty();
        match lines.into_iter().next() {
            Some(best) => {
                self.release(out);
                if best.moves.is_empty() && best.is_whole() && self.touches.restored() {
                    out.push(Deed::Restored);
                }
                self.show(best.moves, out);
            }
            None => {
                let standing = self.standing();
                self.show(self.tail[..standing].to_vec(), out);
            }
        }
        self.note_rest(now);
    }

    /// How many plies of the tail still stand on their squares, whatever else is going on.
    fn standing(&self) -> usize {
        let stands = |count: usize| {
            let mut position = self.root.clone();
            let mut squares = Bitboard::EMPTY;
            for played in &self.tail[..count] {
                squares |= explain::footprint(*played);
                position.play_unchecked(*played);
            }
            (self.squares.misfit_ignoring_air(position.board()) & squares).is_empty()
        };
        (0..=self.tail.len()).rev().find(|count| stands(*count)).unwrap_or(0)
    }

    /// The board fits nothing: perhaps a final move was read wrongly.
    fn think_over(&mut self, out: &mut Vec<Deed>) -> bool {
        let why = |moves: &[Move]| match moves[0] {
            Move::Castle { .. } => Rethought::Castled,
            Move::Normal { .. } | Move::EnPassant { .. } | Move::Put { .. } => Rethought::WentOn,
        };
        let thought = self.other_square().map(|found| (why(&found.1), found));
        let thought = thought.or_else(|| self.other_promotion().map(|found| (Rethought::Promotion, found)));
        let Some((why, (back, moves, root))) = thought else { return false };
        out.push(Deed::Rewritten { why, plies: moves.len(), moves: moves.clone() });
        self.earlier.truncate(self.earlier.len() - moves.len());
        self.recent.truncate(back);
        self.root = root;
        for played in moves {
            self.advance(played);
        }
        true
    }

    /// The last move, if its man has gone on to another square it could have reached at once.
    fn other_square(&self) -> Option<(usize, Vec<Move>, Chess)> {
        let (before, played) = self.recent.last()?;
        let explains = |candidate: &&Move| {
            let root = play_all(before, &[**candidate]);
            root.is_some_and(|root| !explain::lines(&root, &self.squares, PLIES_AHEAD).is_empty())
        };
        let legal = before.legal_moves();
        // Where no press can come, a rest was taken for the end of the move: the same hand may go on after it.
        let resting = self.unpressed && self.pressing == Pressing::Impossible;
        let went_on = |candidate: &&Move| {
            if resting { goes_on(*played, **candidate) } else { self.was_beside(*played, **candidate) }
        };
        let instead = legal.iter().filter(went_on).find(explains)?;
        Some((self.recent.len() - 1, vec![*instead], before.clone()))
    }

    /// The man is read on the square beside within one scan of leaving the first. A man between two squares is read on
    /// the wrong one until somebody puts it right, and nobody lifts and places within one scan. But a captured man that
    /// is carried off flashes on the squares beside too: not while the opponent could be taking it.
    fn was_beside(&self, played: Move, candidate: Move) -> bool {
        let (left, to) = (played.to(), candidate.to());
        let (left_at, landed_at) = (self.squares.changed_at(left), self.squares.changed_at(to));
        let same_man = candidate.from() == played.from() && candidate.role() == played.role();
        let beside = to.distance(left) == 1 && landed_at.abs_diff(left_at) <= self.settings.scan_ms;
        let soon = left_at <= self.placed_at + self.settings.between_squares_ms;
        let takes = |candidate: &Move| {
            let lifted = |from| self.squares.lifted().iter().any(|lifted| Some(lifted.from) == from);
            victim(*candidate) == Some(left) && lifted(candidate.from())
        };
        let taken = self.squares.board().piece_at(left).is_some() || self.root.legal_moves().iter().any(takes);
        same_man && beside && soon && !taken
    }

    /// The last moves with another promotion that explain the board: from which remembered ply on, and from where.
    fn other_promotion(&self) -> Option<(usize, Vec<Move>, Chess)> {
        if self.squares.names() {
            return None;
        }
        for (back, (before, played)) in self.recent.iter().enumerate().rev() {
            let Move::Normal { role, from, capture, to, promotion: Some(_) } = *played else { continue };
            for other in [Role::Knight, Role::Rook, Role::Bishop] {
                let instead = Move::Normal { role, from, capture, to, promotion: Some(other) };
                let later = self.recent[back + 1..].iter().map(|(_, played)| *played);
                let moves = std::iter::once(instead).chain(later).collect::<Vec<_>>();
                let explains = play_all(before, &moves)
                    .is_some_and(|root| !explain::lines(&root, &self.squares, PLIES_AHEAD).is_empty());
                if explains {
                    return Some((back, moves, before.clone()));
                }
            }
        }
        None
    }

    fn show(&mut self, tail: Vec<Move>, out: &mut Vec<Deed>) {
        if self.tail != tail {
            self.tail.clone_from(&tail);
            out.push(Deed::Seen(tail));
        }
    }

    /// Remembers how long the first ply of the tail rests, and which rested before it.
    fn note_rest(&mut self, now: Millis) {
        let head = self.tail.first().copied();
        if let Some((resting, since)) = self.turn.resting
            && head != Some(resting)
        {
            if now - since >= self.settings.release_dwell_ms {
                self.turn.released.push((resting, now - since));
            }
            self.turn.resting = None;
        }
        if let Some(head) = head
            && self.turn.resting.is_none()
        {
            self.turn.resting = Some((head, now));
        }
    }

    fn release(&mut self, out: &mut Vec<Deed>) {
        if std::mem::take(&mut self.held) {
            out.push(Deed::Held(Bitboard::EMPTY));
        }
    }

    // Presses.

    fn pressed(&mut self, side: Color, now: Millis, out: &mut Vec<Deed>) {
        let last = self.pressed.replace((side, now));
        let bounce = last.is_some_and(|(by, at)| by == side && now < at + self.settings.clock_bounce_ms);
        // What is pressed on a board that can't be explained yet shows in the lever, once it can.
        if !self.playing || bounce || self.gap {
            return;
        }
        // A press of the other side says that the earlier one was for the ply before.
        let earlier = self.press.as_ref().map(|press| press.side).filter(|earlier| *earlier != side);
        if self.fits && earlier.is_some_and(|earlier| self.completed_by(earlier).is_some()) {
            self.settle_pressed(now, out);
        }
        if self.press.as_ref().is_some_and(|press| press.side != side) {
            // Under an open press the turn counts as passed.
            self.next_press =
                Some(OpenPress { side, at: now, board: None, until: now + self.settings.press_unseen_ms });
            return;
        }
        let starts = last.is_none() && self.earlier.is_empty() && side.is_black() && self.root.turn().is_white();
        if starts && self.tail.is_empty() && self.fits {
            return;
        }
        let completes = self.fits && self.completed_by(side).is_some();
        if !completes && self.root.turn() != side {
            self.pressed_without_the_move(side, out);
            return;
        }
        let settings = &self.settings;
        let in_air = self.squares.lifted().iter().any(|lifted| lifted.piece.color == side);
        let still = now >= self.squares.last_change() + settings.press_before_ms || self.squares.last_change() == 0;
        let board = (!in_air).then(|| self.squares.board().clone());
        let until = if still && !in_air { now } else { now + settings.press_after_ms };
        self.press = Some(OpenPress { side, at: now, board, until });
        if !completes && until == now {
            self.judge_press(now, out);
        }
    }

    /// The ply before is completed by it, or nothing, or the presser has moved without having the move.
    fn pressed_without_the_move(&mut self, side: Color, out: &mut Vec<Deed>) {
        if std::mem::take(&mut self.unpressed) || self.unlawful || !self.tail.is_empty() {
            return;
        }
        let own = self.squares.misfit_ignoring_air(self.root.board()).into_iter().any(|square| {
            let of = |board: &Board| board.color_at(square) == Some(side);
            of(self.root.board()) || of(self.squares.board())
        });
        if own {
            self.unlawful = true;
            out.push(Deed::OutOfTurn(side));
        }
    }

    fn judge_press(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let Some(press) = self.press.take() else { return };
        if self.unlawful {
            return;
        }
        let board = press.board.as_ref().unwrap_or(self.squares.board());
        let verdict = if self.squares.names() {
            press::judge(&self.root, board, press.side, self.touches.accident().is_some())
        } else if self.squares.misfit_ignoring_air(self.root.board()).is_empty() {
            Verdict::NoMove
        } else {
            Verdict::Mismatch(press::compare(self.root.board(), self.squares.board()))
        };
        match verdict {
            Verdict::Unseen(_) if now < press.at + self.settings.press_unseen_ms => {
                // Later the board is judged as it stands then: only the sensors can have been wrong.
                let until = press.at + self.settings.press_unseen_ms;
                out.push(Deed::AskDump);
                self.press = Some(OpenPress { board: None, until, ..press });
            }
            Verdict::Unseen(mismatch) => {
                self.unlawful = true;
                out.push(Deed::Pressed(press.side, Verdict::Mismatch(mismatch)));
            }
            Verdict::NoMove | Verdict::PromotionLeft(_) | Verdict::Illegal(_) | Verdict::Mismatch(_) => {
                self.unlawful = verdict != Verdict::NoMove;
                out.push(Deed::Pressed(press.side, verdict));
            }
        }
    }

    // The record moves on.

    fn settle_pressed(&mut self, now: Millis, out: &mut Vec<Deed>) {
        let Some(press) = self.press.take() else { return };
        self.press = self.next_press.take();
        if let Some(count) = self.completed_by(press.side) {
            self.settle(count, false, now, out);
            self.unpressed = false;
        }
    }

    fn settle(&mut self, count: usize, inferred: bool, now: Millis, out: &mut Vec<Deed>) {
        let moves = self.tail.drain(..count).collect::<Vec<_>>();
        let times = moves.iter().map(|played| self.changed_at(*played)).collect::<Vec<_>>();
        for (played, placed) in moves.into_iter().zip(times) {
            let finished = self.finish(played, inferred);
            let mover = self.root.turn();
            self.advance(played);
            self.turn = Turn::default();
            // For touches the turn passes when the ply has rested, or is pressed.
            let passed = now.min(placed + self.settings.release_dwell_ms);
            let lifted = self.squares.lifted().iter().map(|lifted| lifted.from).collect::<Vec<_>>();
            self.touches.pass(passed, &lifted);
            // An open press was for this ply, whatever else has made it final meanwhile.
            let pressed = self.press.take_if(|press| press.side == mover).is_some();
            if pressed {
                self.press = self.next_press.take();
            }
            self.unpressed = !pressed;
            self.placed_at = placed;
            self.unlawful = false;
            out.push(Deed::Final(finished));
        }
        self.squares.name(self.root.board());
        self.squares.move_on(self.root.board());
        self.look(now, out);
    }

    fn advance(&mut self, played: Move) {
        self.earlier.push(self.root.board().clone());
        self.recent.push((self.root.clone(), played));
        if self.recent.len() > PLIES_REMEMBERED {
            self.recent.remove(0);
        }
        self.root.play_unchecked(played);
    }

    /// What the making of a move suggests.
    fn finish(&mut self, played: Move, inferred: bool) -> Finished {
        let part = |square: Square, _: Piece| {
            played.from() == Some(square)
                || victim(played) == Some(square)
                || matches!(played, Move::Castle { rook, .. } if rook == square)
        };
        let touched = self.touches.counted(part, &self.settings);
        let accident = self.touches.accident().is_some();
        let quiet = inferred || accident;
        let touch = if quiet { None } else { examine(&self.root, played, &touched, self.mode) };
        let goes_on = |(resting, _): &&(Move, Millis)| {
            let castled = matches!(played, Move::Castle { .. });
            !castled && resting.from() == played.from() && resting.to() != played.to()
        };
        let released = self.turn.released.iter().find(goes_on).map(|(resting, dwell)| (resting.to(), *dwell));
        let duty = self.turn.duty.filter(|meant| *meant != played).and_then(|meant| {
            let side = meant.castling_side()?;
            Some(side.king_to(self.root.turn()))
        });
        let other = |(square, role): &(Square, Role)| {
            played.to() == *square && played.promotion().is_some_and(|promotion| promotion != *role)
        };
        let exchanged = self.turn.promoted.filter(other).map(|(square, _)| square);
        Finished {
            played,
            inferred,
            assumed: played.promotion().is_some() && !self.squares.names(),
            touch,
            released: released.filter(|_| !quiet),
            exchanged: exchanged.filter(|_| !quiet),
            duty: duty.filter(|_| !quiet),
            two_hands: self.turn.two_hands && !quiet,
        }
    }

    fn having_the_move(&self, now: Millis) -> Color {
        let rested = self.turn.resting.is_some_and(|(_, since)| now >= since + self.settings.release_dwell_ms);
        if rested { !self.root.turn() } else { self.root.turn() }
    }

    fn can_be_taken(&self, square: Square) -> bool {
        self.root.legal_moves().iter().any(|candidate| victim(*candidate) == Some(square))
    }

    fn start_anew(&mut self, out: &mut Vec<Deed>) {
        if let Some(opening) = Opening::of(self.squares.wire()) {
            out.push(Deed::NewGame(Box::new(opening)));
        }
    }
}

/// The same hand could have gone on from the one move to the other: the same man elsewhere, or castling completed.
fn goes_on(played: Move, candidate: Move) -> bool {
    if played == candidate {
        return false;
    }
    match candidate {
        Move::Castle { king, rook } => played.from() == Some(king) || played.from() == Some(rook),
        Move::Normal { from, .. } | Move::EnPassant { from, .. } => played.from() == Some(from),
        Move::Put { .. } => false,
    }
}

/// A man went somewhere and on, and left no trace where it stopped: it may have gone another way, or in more moves.
fn has_detour(line: &[Move]) -> bool {
    let stops = |at: usize, played: Move| {
        let goes_on = line[at..].iter().skip(2).step_by(2).any(|later| later.from() == Some(played.to()));
        goes_on && !played.is_capture() && !played.is_castle()
    };
    line.iter().enumerate().any(|(at, played)| stops(at, *played))
}

/// The same moves in another order.
fn is_reordered(a: &[Move], b: &[Move]) -> bool {
    a.len() == b.len() && a.iter().all(|played| b.contains(played)) && b.iter().all(|played| a.contains(played))
}

fn play_all(from: &Chess, moves: &[Move]) -> Option<Chess> {
    moves.iter().try_fold(from.clone(), |position, played| position.play(*played).ok())
}
