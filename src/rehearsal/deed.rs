//! What hands do, with its time.

use shakmaty::{Color, KnownOutcome, Move, Piece, Square};

/// One thing done at a table, in the squares of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// A man leaves its square.
    Lift(Square),
    /// A man is put down; what stood there is gone.
    Place(Square, Piece),
    /// A player presses the clock.
    Press(Color),
    /// The arbiter or the players stop the clock.
    StopClock,
    /// It runs again.
    StartClock,
    /// It is set for a new game, with this side to begin.
    SetClock(Color),
    /// The hands wait until they are told to go on.
    Await,
    /// Nothing anyone can see: what it meant.
    Meant(Meaning),
}

/// What the hands meant, for whoever compares it with what was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A game begins: the next of the list.
    Begun,
    /// The last man of this ply has landed.
    Landed(usize),
    /// This ply has been pressed, or is done where there is no clock.
    Pressed(usize),
    /// The clock was pressed with this ply unlawfully done.
    Illegal(usize, Offence),
    /// The kings have shown this result.
    Signalled(KnownOutcome),
    /// The game is over.
    Ended,
    /// This was tried after the end, and has landed.
    Tried(Move),
    /// After so many plies something is played that will be taken back.
    Strayed(usize),
    /// One move of it has landed.
    Detour(Move),
    /// They have been taken back.
    TakenBack,
    /// The king and queen of this side stand on each other's squares.
    Swapped(Color),
    /// The desk hears the result.
    Given,
    /// The men stand ready, and everybody has looked at them for a moment.
    Ready,
}

/// What was wrong when the clock was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offence {
    /// A move the rules do not know.
    IllegalMove,
    /// The pawn stands on the last row.
    PromotionForgotten,
    /// The pawn taken en passant is still there.
    VictimForgotten,
}

/// A deed and its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Timed {
    /// Milliseconds since the hands began.
    pub at: u64,
    /// What is done.
    pub deed: Deed,
}
