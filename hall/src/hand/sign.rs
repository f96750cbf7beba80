//! What the hand is told.

use std::ops::RangeInclusive;

use protocol::board::{Content, Contents, Face, Lie, WireSquare};
use shakmaty::{Color, Move};

use crate::Course;

/// Whether a press can be expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressing {
    /// A clock is connected and runs.
    Awaited,
    /// A clock runs, but a move is completed when it is released: the Laws of 1993.
    Needless,
    /// A clock is connected and stands.
    Stopped,
    /// No clock that tells, or a flag is down.
    Impossible,
}

/// How often the clock was pressed while the board was not heard, and since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PressCount {
    /// Nobody can tell.
    #[default]
    Unknown,
    /// The clock will show it once it is heard.
    Awaited,
    /// So often, as far as its faces tell, and this player has the move on it.
    Counted {
        /// The fewest and the most.
        count: RangeInclusive<usize>,
        /// Whose end of the lever is up.
        to_move: Color,
    },
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
    /// Another board stands for the game from here on. What it shows was not played there until it shows the game.
    Replaced,
    /// This player pressed the clock.
    Press(Color),
    /// The clock, which tells every second, has told nothing for longer: what the board said meanwhile was not heard, nor
    /// were these presses. The last of them shows in the lever.
    Missed(PressCount),
    /// A press can be expected, or not.
    Pressing(Pressing),
    /// Which end of the lever is up on a clock that runs; none where it stands or is not heard.
    Lever(Option<Face>),
    /// What the clock shows of the plies nobody has heard.
    Unheard(PressCount),
    /// This player has said that men will be adjusted.
    Adjusting(Color),
    /// An illegal move stands once the opponent has moved, or never does.
    Limited(bool),
    /// Games begin from here; none where nobody has said from where.
    Array(Option<Course>),
    /// The board is a blind player's: a man is touched when it leaves its hole.
    Pegs(bool),
    /// Somebody with the right to it says something about the game.
    Ordered(Order),
}

/// What somebody with the right to it says about the game.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// A game begins, or goes on as it was, on a board that lies like this.
    Begin {
        /// Where it began, and what was played since.
        record: Course,
        /// How the board lies.
        lie: Lie,
    },
    /// Somebody has said from which position the game begins: another array on the board is a wrong set-up.
    Announce,
    /// The game closes, or somebody has said so: what nobody has pressed was not played, but for a last ply that nobody had
    /// the time to press.
    Close,
    /// The game is over: whatever hands do from here is not the game. A start array begins the next.
    End,
    /// The board comes from another table and shows this, as the game there has left it: no game here begins from there.
    LeaveOver(Box<Contents>),
    /// The game is adjourned: whatever hands do from here is not the game, and nothing begins another.
    StandStill,
    /// The game goes on after all, with the men as they stand.
    Resume,
    /// The record is this one.
    Correct(Course),
    /// The same, and its position has to be set up first: what the board shows on the way there are no moves, whatever
    /// they look like. A press says that the board is as it should be.
    Restore(Course),
    /// This move enters the record, though the board does not show it.
    Force(Move),
    /// The clock does not tell, whatever it told before; or it does.
    ClockTells(bool),
    /// This player's clock runs: as far as nobody has moved, it is their turn.
    ExpectTurn(Color),
    /// More is known of who can still mate: whether what is seen ends the game is an open question again.
    JudgeEndAgain,
}
