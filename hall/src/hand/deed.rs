//! What the hand concludes.

use laws::touch::Suspicion;
use protocol::feed::TouchKind;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Role, Square};

use super::{
    irregular::Stood,
    judging::{Judgement, Mismatch},
};
use crate::{Course, Millis};

/// One thing the hand concludes.
#[derive(Clone, Debug, PartialEq)]
pub enum Deed {
    /// The moves seen beyond the record have changed.
    Seen(Beyond),
    /// Somebody with the right to it has set the record: it is this one.
    Set(Course),
    /// The first of the seen moves is final.
    Final {
        /// With it.
        record: Course,
        /// How it was made.
        made: Finished,
    },
    /// Final moves were something else.
    Rewritten {
        /// Why.
        why: Rethought,
        /// With what they were.
        record: Course,
    },
    /// Moves made while nothing was heard are seen now: how many, and the other lines that would explain them.
    Gap {
        /// How many.
        plies: usize,
        /// Other lines to the same board.
        others: Vec<Vec<Move>>,
    },
    /// Different moves would explain what was not heard.
    Undecided {
        /// All that would; the likeliest is shown.
        lines: Vec<Vec<Move>>,
        /// Which there are is new; otherwise they have only grown.
        news: bool,
    },
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
    /// The player pressed after the last of their moves had become final: it is completed.
    Completed(Color, Millis),
    /// A player pressed, and the board shows no move of theirs.
    Pressed(Color, Judgement, Certainty),
    /// King and rook were in the air together for a castling that is not legal.
    TwoHands(Color),
    /// What was unconfirmed is what it seemed to be.
    Confirmed,
    /// What was said last was misread: the man on the first of these squares stood on the second.
    Withdrawn {
        /// The two readings.
        squares: [Square; 2],
    },
    /// Whole plies were not heard: whatever was said of presses since the last that was, was said of a board that had not
    /// told of these squares.
    Unfounded(Bitboard),
    /// A move that is not legal stands, because the opponent has completed the next one. Both are final, if play can go
    /// on from there.
    Stood {
        /// With them.
        record: Course,
        /// What they were.
        stood: Box<Stood>,
    },
    /// A move of the player who does not have the move stands on the board.
    OutOfTurn(Color),
    /// A touch by the player who does not have the move.
    TouchedOutOfTurn(Piece, Square),
    /// Where no press can come: the board has rested and shows something else than the record.
    Mismatched(Mismatch),
    /// The board can't be explained (the squares that differ), or can again (none).
    Held(Bitboard),
    /// An earlier position was restored: the last plies are taken back, and the hand goes on from there.
    Takeback(Course),
    /// The kings show a result: the winner, or a draw.
    Signalled(Option<Color>),
    /// A new game begins: the board shows a start array, or what it shows first is all there is.
    NewGame {
        /// Where it begins.
        record: Course,
        /// The game before was only read off the board: if nobody has moved in it, it was none.
        instead: bool,
    },
    /// Two men stood on each other's squares when the game began: it is played from there all the same, or they were put
    /// right.
    Mended {
        /// The same moves from there, if they can be played.
        record: Course,
        /// Where they stood wrong.
        squares: Bitboard,
    },
    /// The game that is on, whose beginning was read off the board, began otherwise.
    Reopened(Course),
    /// A square has not told of men that stood on it.
    Faulty {
        /// The likeliest.
        square: Square,
        /// What it may have been instead.
        others: Bitboard,
    },
    /// This square was called faulty, and it was another one, or a man stood between two.
    Sound(Square),
    /// The clock has told, and several plies in a row were made while it ran that nobody has pressed.
    ClockSilent,
    /// The board should be asked for a dump.
    AskDump,
}

/// What is seen beyond the record.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// The moves.
    pub moves: Vec<Move>,
    /// So many of them were made while the clock did not count them.
    pub off_clock: usize,
    /// Both clocks stand.
    pub at_rest: bool,
    /// What was played on after a hole: nobody knows what led there from those moves.
    pub hole: Option<Hole>,
}

/// What is seen after a hole in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// What stood on the board.
    pub from: Chess,
    /// The moves since.
    pub moves: Vec<Move>,
    /// So many of them wait for the hole to be filled, and for nothing else.
    pub kept: usize,
}

/// How sure it is what a press has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// As sure as sensors are.
    Sure,
    /// A man may be read beside its square: it may be withdrawn.
    Doubted,
    /// The same, and the man has not stood there for long: what can't be mended waits.
    Unconfirmed,
}

/// Why final moves are thought over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rethought {
    /// What followed can't be a queen's doing.
    Promotion,
    /// The man was read on a square beside its own, or rested on its way.
    WentOn {
        /// How long it had stood there, if it had been let go of.
        released: Option<Millis>,
    },
    /// It had gone to another square that reads nothing.
    Unread,
    /// A rook or a king rested, and the castling was completed after it.
    Castled,
    /// A king was on its way to show a result.
    Gesture,
    /// Men were on their way to where they stand before a game.
    WentHome,
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
    /// This promoted piece stood on this square for so long, and was exchanged.
    pub exchanged: Option<(Square, Role, Millis)>,
    /// The king was released where castling was meant; its square.
    pub duty: Option<Square>,
    /// King and rook were in the air together.
    pub two_hands: bool,
    /// A pawn was promoted without having been seen on its last rank.
    pub unstepped: bool,
    /// When the first of its men was touched.
    pub touched: Option<Millis>,
    /// When the last of its men was put down.
    pub placed: Millis,
    /// When its player pressed, if that was before it became final.
    pub pressed: Option<Millis>,
}
