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

mod aside;
mod asked;
mod assuming;
mod closing;
mod deed;
mod due;
mod explain;
mod feeling;
mod finishing;
mod gap;
mod likely;
mod opening;
pub mod press;
mod pressing;
mod restoring;
mod rethinking;
mod seeing;
mod squares;
mod stories;
mod touch;

use protocol::board::Lie;
use shakmaty::{Bitboard, Board, ByColor, CastlingMode, Chess, Color, Move, Position};

use aside::Aside;
pub use aside::{Reply, Stood, both_in_check, read_reply};
pub use deed::{Deed, Finished, Presses, Pressing, Rethought, Sign};
pub use due::Wake;
pub use opening::Opening;

use crate::{Millis, Settings};
use feeling::Turn;
use pressing::OpenPress;
use squares::{Change, Squares};
use stories::Stories;
use touch::Touches;

/// The squares kings meet on to show a result.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The hands at one table.
///
/// Drive it in rounds: `handle` one sign with its time, drain `out`, come back at `deadline` with `wake` or the next
/// sign, whichever is first. Times never go backwards. `begin` starts a game; `correct` replaces the record's position.
#[derive(Clone, Debug)]
pub struct Hand {
    settings: Settings,
    /// The time of the last sign, order or wake.
    now: Millis,
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
    /// The rest, by its beginning, at which an unexplained board was judged last.
    judged_at: Millis,
    press: Option<OpenPress>,
    /// The other player's press, while the board does not show yet what the first one was for.
    next_press: Option<OpenPress>,
    pressed: Option<(Color, Millis)>,
    /// The press that completes what is becoming final.
    completing: Option<Millis>,
    /// Whose last ply of the record was not pressed.
    unpressed: ByColor<bool>,
    /// When its last man landed.
    placed_at: Millis,
    /// A press found something unlawful, and the record has not moved on since.
    unlawful: bool,
    /// An earlier position is being set up on the board.
    restoring: bool,
    /// Who has pressed without a move, while the other has not pressed and nothing was played.
    idle: Option<Color>,
    /// Since when the board has shown the record again after it.
    restored_at: Option<Millis>,
    /// The board that was found illegal.
    judged: Option<Board>,
    /// The move that was, while it may come to stand.
    aside: Option<Aside>,
    /// An illegal move stands once the opponent has moved.
    limited: bool,
    pressing: Pressing,
    /// The last change after which a release was judged.
    release_judged: Option<Millis>,
    /// A whole board was heard since the link came up. Before it nothing is concluded from rest.
    surveyed: bool,
    /// What happened since the record last moved on was not all heard.
    gap: bool,
    /// That was so already when the board fell silent.
    was_gap: bool,
    /// The board has taken another one's place, and has not shown the game yet.
    is_stranger: bool,
    /// How many plies of the tail were seen before the gap: what the tail shows beyond them is a guess while it is open.
    known: usize,
    /// What the clock tells about it.
    presses: Presses,
    /// The last ply that was played unheard, after so many others. It is not final with those below it.
    unheard: Option<(usize, Move)>,
    /// What may have been played while nothing was heard, until one story is sure. The record's position as it is kept
    /// here is then the one after the story that is shown.
    stories: Option<Stories>,
    /// Different moves explain what no sensor has told, and it has been said.
    puzzled: bool,
    /// Nobody has put a man down since the board was heard again: somebody may have held one all the time.
    may_hold: bool,
    /// How often the open gap was searched in vain, and when last.
    vain_searches: (u8, Millis),
    /// A game is on.
    playing: bool,
    /// Where it begins was read off the board, and nothing is final yet.
    assumed: bool,
    /// It was said from which position it begins.
    announced: bool,
    /// When the last game began, and when it ended.
    began_at: Millis,
    ended_at: Option<Millis>,
    /// What is seen ends the game by rule, as far as anybody has asked.
    ends_game: Option<bool>,
    /// The kings have shown a result and stand there still.
    signalled: bool,
    /// When the board was asked for a dump last, and since when it fits nothing.
    asked_at: Option<Millis>,
    unfit_since: Option<Millis>,
    /// How many men have been put down since then, and not where a game begins.
    unfollowed: usize,
    /// A dump has shown a board that fits nothing: a man may have been taken before it was read.
    may_miss: bool,
    /// A press found a man of the presser nowhere: the square it went to may have told nothing.
    may_be_silent: bool,
    /// When a final move will have turned out to be another one, if the board stays as it is.
    rethinks_at: Option<Millis>,
}

impl Hand {
    /// No game yet: a start array begins one.
    pub fn new(settings: Settings) -> Hand {
        Hand {
            settings,
            now: 0,
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
            judged_at: 0,
            press: None,
            next_press: None,
            pressed: None,
            completing: None,
            unpressed: ByColor::default(),
            placed_at: 0,
            unlawful: false,
            restoring: false,
            idle: None,
            restored_at: None,
            judged: None,
            aside: None,
            limited: false,
            release_judged: None,
            pressing: Pressing::Impossible,
            surveyed: false,
            gap: false,
            was_gap: false,
            is_stranger: false,
            known: 0,
            presses: Presses::Unknown,
            unheard: None,
            stories: None,
            puzzled: false,
            may_hold: false,
            vain_searches: (0, 0),
            playing: false,
            assumed: false,
            announced: false,
            began_at: 0,
            ended_at: None,
            ends_game: None,
            signalled: false,
            asked_at: None,
            unfit_since: None,
            unfollowed: 0,
            may_miss: false,
            may_be_silent: false,
            rethinks_at: None,
        }
    }

    /// From here on these thresholds count.
    pub fn set(&mut self, settings: Settings) {
        self.settings = settings;
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
        self.assumed = false;
        self.announced = false;
        self.began_at = now;
        self.signalled = false;
        self.pressed = None;
        self.touches.clear();
        self.correct(position, Vec::new(), now, out);
    }

    /// Somebody has said that the game begins from this position: another array on the board is a wrong set-up.
    pub fn announce(&mut self) {
        self.announced = true;
    }

    /// The game is over: whatever hands do from here is not the game. A start array begins the next.
    pub fn end(&mut self, now: Millis, out: &mut Vec<Deed>) {
        self.playing = false;
        self.ended_at = Some(now);
        self.press = None;
        self.next_press = None;
        self.stories = None;
        self.release(out);
        self.show(Vec::new(), out);
    }

    /// The game goes on after all, with the men as they stand.
    pub fn resume(&mut self, now: Millis, out: &mut Vec<Deed>) {
        self.now = now;
        self.playing = true;
        self.restoring = false;
        self.look(now, out);
    }

    /// The record's position is this, after positions with these placements.
    pub fn correct(&mut self, position: Chess, earlier: Vec<Board>, now: Millis, out: &mut Vec<Deed>) {
        self.now = now;
        self.root = position;
        self.assumed = false;
        self.earlier = earlier;
        // While the board can't be heard, moves go on all the same.
        self.gap &= !self.surveyed;
        self.stories = None;
        self.unheard = None;
        self.puzzled = false;
        self.recent.clear();
        self.press = None;
        self.next_press = None;
        self.unlawful = false;
        self.restoring = false;
        self.idle = None;
        self.judged = None;
        self.aside = None;
        self.touches.excuse(false);
        self.unpressed = ByColor::default();
        self.may_miss = false;
        self.may_be_silent = false;
        self.turn = Turn::default();
        self.squares.name(self.root.board());
        self.squares.start_from(self.root.board());
        self.is_stranger = false;
        self.show(Vec::new(), out);
        self.look(now, out);
    }

    /// Takes a move into the record that the board does not show.
    pub fn force(&mut self, played: Move, now: Millis, out: &mut Vec<Deed>) {
        self.show(vec![played], out);
        self.settle(1, false, now, out);
    }

    /// Takes one sign. Call `wake` for all deadlines up to `now` first.
    pub fn handle(&mut self, sign: &Sign, now: Millis, out: &mut Vec<Deed>) {
        self.now = now;
        match sign {
            Sign::Square(square, content) => {
                let changes = self.squares.report(*square, *content, &self.settings, now);
                if !changes.is_empty() {
                    self.signalled &= self.kings_have_met();
                    self.feel(&changes, now, out);
                    let landed = changes.iter().any(|change| matches!(change, Change::Landed(..)));
                    // A lift explains no gap, and searching one takes milliseconds.
                    self.may_hold &= !landed;
                    if landed || !self.gap {
                        self.look(now, out);
                    }
                    self.note_unfollowed(&changes);
                }
            }
            Sign::Board(contents) => self.survey(contents, now, out),
            Sign::Link(true) => {}
            Sign::Link(false) => self.fall_silent(now),
            Sign::Replaced => {
                self.fall_silent(now);
                self.is_stranger = true;
            }
            Sign::Press(side) => self.pressed(*side, now, out),
            Sign::Unheard(presses) => self.count(presses, now, out),
            Sign::Pressing(pressing) => self.pressing = *pressing,
            // Only the player having the move may adjust.
            Sign::Adjusting(side) if *side == self.having_the_move(now) => self.touches.excuse(true),
            Sign::Adjusting(_) => {}
            Sign::Limited(limited) => self.limited = *limited,
            Sign::Pegs(pegs) => self.touches.feel_pegs(*pegs),
        }
    }

    /// Everything on the board is explained: nothing is missing from the story.
    pub fn is_sure(&self) -> bool {
        self.surveyed && self.fits && !self.gap && self.stories.is_none()
    }

    /// What the clock shows of plies nobody has heard would help.
    pub fn counts_presses(&self) -> bool {
        self.gap || self.stories.is_some() || self.presses == Presses::Awaited
    }

    /// The men stand as a game begins.
    pub fn is_set_up(&self) -> bool {
        self.opening().is_some()
    }

    /// The start array the board shows. One that names nobody lies as it lay, and what game of Chess960 follows it can't
    /// tell.
    fn opening(&self) -> Option<Opening> {
        let opening = Opening::of(self.squares.wire())?;
        if self.squares.names() {
            return Some(opening);
        }
        (self.mode == CastlingMode::Standard).then(|| Opening { lie: self.lie(), ..opening })
    }

    /// A ply is not completed before its player has pressed.
    pub fn awaits_press(&self) -> bool {
        self.pressing == Pressing::Awaited
    }

    /// How the board lies.
    pub fn lie(&self) -> Lie {
        self.squares.lie()
    }

    /// The squares on which the board differs from this one.
    pub fn difference(&self, expected: &Board) -> Bitboard {
        self.squares.misfit_ignoring_air(expected)
    }

    /// What stands on the board, as squares of the game.
    pub fn board(&self) -> &Board {
        self.squares.board()
    }
}

fn play_all(from: &Chess, moves: &[Move]) -> Option<Chess> {
    moves.iter().try_fold(from.clone(), |position, played| position.play(*played).ok())
}
