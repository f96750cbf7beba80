//! Move reconstruction: what hands did, from what the sensors say and when the clock was pressed.
//!
//! At any moment there is a record (final moves) and a *tail*: the best explanation of everything since, as a legal
//! line of a few plies. The tail is replaced freely while the board changes. Where a clock tells, presses decide: a ply
//! becomes final by the first of these, and by nothing else.
//!
//! 1. its mover's press, once the board has matched for a moment;
//! 2. a later press that completes a ply on top of it;
//! 3. a rest, if it ends the game;
//! 4. the close of the game, if it is the only one nobody has pressed.
//!
//! Until then it is *followed*: hands play on from it, and it was never said to be more than seen. Where no clock tells, a
//! legal reply on top of it, a man of the opponent in the air, and a rest decide too.
//!
//! The room is built of parts that each own what they know, and of files that work with several of them. A file names
//! only files above it in these tables.
//!
//! | what everything speaks of | |
//! |---|---|
//! | `record` | owns the record: what is final, and the position hands play from; never knows what is only seen |
//! | `evidence` | owns what was heard of squares and presses in the last plies, in its order; never what it means |
//! | `witness` | owns how far each square can be believed, as it has told at this table |
//! | `squares` | owns what each square holds, since when, what landed there, men in the air; knows no rule of chess |
//! | `opening` | positions games begin with, read off a board |
//! | `judging` | what a board shows that shows no legal move: never who is to blame |
//! | `irregular` | a move that is not legal and stands, with the reply to it |
//! | `made` | what a ply leaves on its squares, whole or half made |
//! | `reach`, `likely`, `explain` | legal lines that lead to a board: how few plies can, and which there are |
//! | `weights`, `track` | what is paid for what a line takes for granted; what was read on one square beside what a line foretells |
//! | `scene` | a line laid beside all that was heard |
//! | `score` | what a line costs |
//! | `lateness` | how far the board is behind its clock, and presses that wait for their men |
//! | `sign`, `deed` | what goes in, orders among it, and what comes out: with each deed that changes the record, the record as it is then |
//! | `followed` | plies that wait for a press, between the record and the tail |
//!
//! | part | owns | never |
//! |---|---|---|
//! | `touch` | lifts and returns, accidents | knows which of them were moves |
//! | `making` | what rested in this turn and was left again, castlings and promotions in the making | outlives its turn |
//! | `seen` | the tail, and how well it fits | is in the record |
//! | `lever` | open presses, and whose last ply was not pressed | knows a time on the clock |
//! | `unlawful` | what was found unlawful, judged, set aside, being restored | decides anything |
//! | `edges` | which game there is, and how it began | knows a result |
//! | `hearing` | whether the board is heard, with a gap or all | knows what happened in the gap |
//! | `stories`, `lost` | what nobody heard and what may be misread | is changed outside `recovery` but by its verbs |
//! | `hands` | all of these, and what only several of them can tell | works anything out |
//!
//! | what is worked out | |
//! |---|---|
//! | `step` | what has to be done next: files leave it to whoever asked, and none calls back |
//! | `feel` | what a touch means |
//! | `weighing` | of all lines from some plies ago the few that cost least, whatever they take for granted |
//! | `recovery` | what was not heard or was misread: the one door to all of `lost` |
//! | `assuming` | whose turn it is, and how the board lies, where nobody has said so |
//! | `acquitting` | what a press found wrong was the sensors' doing |
//! | `taking_back` | an earlier position stands again, and a clock tells |
//! | `seeing`, `settling` | the tail; the record |
//! | `last_ply` | which ply belongs to a game that closes, though nobody has pressed it |
//! | `correcting` | the record is another one, and all parts begin anew |
//! | `moving` | takes steps until none is left |
//! | `closing` | kings in the centre, men put up again, the next game |
//! | `beginning` | the next game, if nobody has seen its array standing |
//! | `misreading` | a man that is read beside its square |
//! | `pressing` | what a press completes or is judged as |
//! | `surveying` | a report of a square, or of the whole board |
//! | `finality` | when plies become final |
//! | `resting` | what rest says besides: takebacks, boards nobody can explain, what has to be asked |
//! | `due` | every rule of time, as a table |
//! | `ordering` | signs and orders, each to its place |
//! | `otherwise` | the same hands, with a man where he may stand who is read beside it |

mod acquitting;
mod assuming;
mod beginning;
mod closing;
mod correcting;
mod deed;
mod due;
mod edges;
mod evidence;
mod explain;
mod feel;
mod finality;
mod followed;
mod hands;
mod hearing;
mod irregular;
pub mod judging;
mod last_ply;
mod lateness;
mod lever;
mod likely;
mod lost;
mod made;
mod making;
mod misreading;
mod moving;
mod opening;
mod ordering;
mod otherwise;
mod pressing;
mod reach;
mod record;
mod recovery;
mod resting;
mod scene;
mod score;
mod seeing;
mod seen;
mod settling;
mod sign;
mod squares;
mod step;
mod stories;
mod surveying;
mod taking_back;
mod touch;
mod track;
mod unlawful;
mod weighing;
mod weights;
mod witness;

use protocol::board::{Contents, Lie};
use shakmaty::{Bitboard, Board, Color, Move};

pub use deed::{Beyond, Certainty, Deed, Finished, Hole, Rethought};
pub use due::Wake;
pub use irregular::{Reply, Stood, read_reply};
pub use lever::player_at;
pub use opening::Opening;
pub(crate) use record::play_all;
pub use sign::{Order, PressCount, Pressing, Sign};
pub(crate) use squares::difference;

use crate::{Course, Millis, Settings};
use hands::Hands;
use otherwise::Others;

/// The hands at one table.
///
/// Drive it in rounds: `handle` one sign with its time, drain `out`, come back at `deadline` with `wake` or the next
/// sign, whichever is first. Times never go backwards. Orders are signs too, and nothing else changes it: the same signs
/// at the same times give the same deeds.
#[derive(Clone, Debug)]
pub struct Hand {
    hands: Hands,
    /// What may have been instead, where a press has found something wrong.
    others: Others,
}

impl Hand {
    /// No game yet: a start array begins one.
    pub fn new(settings: Settings) -> Hand {
        Hand { hands: Hands::new(settings), others: Others::default() }
    }

    /// Takes one sign. Call `wake` for all deadlines up to `now` first.
    pub fn handle(&mut self, sign: &Sign, now: Millis, out: &mut Vec<Deed>) {
        self.hands.come_to(now);
        ordering::heed(&mut self.hands, sign);
        self.others.heed(sign, now);
        self.others.compare(&mut self.hands);
        self.hands.drain(out);
    }

    /// From here on these thresholds count. They are no sign: nothing has happened at the table.
    pub fn set(&mut self, settings: Settings) {
        self.hands.set(settings);
    }

    /// What has been told of by now.
    pub fn now(&self) -> Millis {
        self.hands.now()
    }

    /// When to come back, and why. A hand that can't hear its board waits for nothing.
    pub fn deadline(&self) -> Option<(Millis, Wake)> {
        due::deadline(&self.hands)
    }

    /// Does what is due first, if it is due by `now`. Call until it returns false, and follow `out` each time.
    ///
    /// Whoever counts repetitions and knows who can still mate says whether the game `ends` by rule with these moves on
    /// top of the record.
    pub fn wake(&mut self, now: Millis, ends: impl FnOnce(&[Move]) -> bool, out: &mut Vec<Deed>) -> bool {
        let woken = due::wake(&mut self.hands, now, ends);
        self.others.compare(&mut self.hands);
        self.hands.drain(out);
        woken
    }

    /// The record: all that is final.
    pub fn record(&self) -> &Course {
        self.hands.record.course()
    }

    /// Everything on the board is explained: nothing is missing from the story.
    pub fn is_sure(&self) -> bool {
        let Hands { hearing, seen, lost, .. } = &self.hands;
        hearing.is_surveyed() && seen.fits() && !hearing.is_gap() && lost.stories.is_none()
    }

    /// What the clock shows of plies nobody has heard would help.
    pub fn counts_presses(&self) -> bool {
        let lost = &self.hands.lost;
        self.hands.hearing.is_gap() || lost.stories.is_some() || lost.presses == PressCount::Awaited
    }

    /// The men stand as a game begins.
    pub fn is_set_up(&self) -> bool {
        self.hands.opening().is_some()
    }

    /// Where the game begins was read off the board, and nothing is final yet.
    pub fn is_assumed(&self) -> bool {
        self.hands.edges.is_assumed()
    }

    /// That is how presses can be expected, as far as the hand was told.
    pub fn expects(&self, pressing: Pressing) -> bool {
        self.hands.lever.expects(pressing)
    }

    /// A ply is not completed before its player has pressed.
    pub fn awaits_press(&self) -> bool {
        self.hands.lever.pressing() == Pressing::Awaited
    }

    /// The player has the move and has touched a man since `since`: put back as a touch, still in the hand, or moved.
    /// Men of the opponent count where they can be taken.
    pub fn has_touched(&self, side: Color, since: Millis, now: Millis) -> bool {
        feel::has_touched(&self.hands, side, since, now)
    }

    /// A move of this player stands on the board and has not been completed by the clock: the moment to offer a draw.
    pub fn has_just_moved(&self, side: Color) -> bool {
        self.hands.lever.opened_by(side).is_none() && self.hands.completes(side)
    }

    /// The man of the last ply that is seen had landed when the lever was read, or in time for a press that was heard; for
    /// all that was heard of him.
    pub fn has_landed_for(&self, read: Millis) -> bool {
        let Hands { squares, lever, settings, .. } = &self.hands;
        let in_time = |(last, mover): (Move, Color)| {
            let pressed = squares.evidence.pressed_at(mover) + settings.press_after_ms;
            let until = pressed.max(read + lever.lateness.ms(settings));
            squares.heard_landing(last.to()).is_none_or(|landed| landed <= until)
        };
        self.hands.tail_by_side().last().is_none_or(in_time)
    }

    /// The board names its men.
    pub fn names(&self) -> bool {
        self.hands.squares.names()
    }

    /// How the board lies.
    pub fn lie(&self) -> Lie {
        self.hands.squares.lie()
    }

    /// The squares on which the board differs from this one.
    pub fn difference(&self, expected: &Board) -> Bitboard {
        self.hands.squares.misfit_ignoring_air(expected)
    }

    /// What the board shows, as it counts.
    pub fn contents(&self) -> &Contents {
        self.hands.squares.wire()
    }

    /// What stands on the board, as squares of the game.
    pub fn board(&self) -> &Board {
        self.hands.squares.board()
    }
}
