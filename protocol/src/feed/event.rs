//! What the hall tells.

use serde::{Deserialize, Serialize};

use super::{Audience, GameResult, Player, ResultReason, Side, State, TableId, TimeControl, Variant};
use crate::board::Link;

/// One thing that happened at a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TableEvent {
    /// Where; absent where only one table is spoken of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableId>,
    /// Milliseconds since the round's epoch.
    pub t: u64,
    /// What.
    #[serde(flatten)]
    pub event: Event,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Event {
    /// Shown at once and replaceable.
    Sight(Sight),
    /// In the record.
    Entry(Entry),
}

impl From<Sight> for Event {
    fn from(sight: Sight) -> Event {
        Event::Sight(sight)
    }
}

impl From<Entry> for Event {
    fn from(entry: Entry) -> Event {
        Event::Entry(entry)
    }
}

/// What is seen at this moment. Replaced by the next sight of its kind, never by silence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Sight {
    /// The visible line has changed, or how far it is final.
    Seen {
        /// The moves in SAN, the provisional tail included.
        line: Vec<String>,
        /// How many of them are final.
        #[serde(rename = "final")]
        settled: usize,
        /// The position after the line: the placement field of a FEN.
        placement: String,
        /// Who is to move after the line.
        turn: Side,
        /// The last move of the line in UCI, for marking its squares.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last: Option<String>,
        /// The side to move is in check.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        check: bool,
    },
    /// The board can't be explained, or can again. The visible line stays at the last sure position.
    Held {
        /// True from here on, or no more.
        held: bool,
        /// The squares that differ; only the operator and the arbiter are told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        squares: Vec<String>,
    },
    /// The clock was pressed, set, stopped or started. Pages count on by themselves.
    Clock {
        /// Milliseconds White has left.
        white_ms: u64,
        /// Milliseconds Black has left.
        black_ms: u64,
        /// Whose time runs.
        running: Option<Side>,
    },
    /// A board at the table can be heard, or not.
    Link {
        /// The board's serial number.
        board: String,
        /// Up or down.
        state: Link,
    },
    /// A man was touched. Evidence, for the operator and the arbiter only.
    Touch {
        /// Whose man.
        side: Side,
        /// Where it stood.
        sq: String,
        /// Which man, as in FEN.
        piece: String,
        /// How long it was off its square.
        held_ms: u64,
        /// How it looks.
        #[serde(rename = "as")]
        kind: TouchKind,
    },
}

/// What a lift and return looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TouchKind {
    /// Put right on its square.
    Adjust,
    /// Too long for adjusting, too short for a touch.
    Unclear,
    /// Touched.
    Touch,
    /// Knocked over.
    Accident,
    /// Lifted as the victim of a capture.
    CapturePart,
}

/// What is in the record from here on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Entry {
    /// A game begins.
    Started {
        /// The how-many-eth game at this table in this round.
        game: u32,
        /// The position it starts from.
        fen: String,
        /// Which chess.
        variant: Variant,
    },
    /// Who plays at this table.
    Paired {
        /// White.
        white: Player,
        /// Black.
        black: Player,
        /// The time control of the round, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_control: Option<TimeControl>,
    },
    /// We stand by this move.
    Final {
        /// From 1.
        ply: usize,
        /// The move as players write it.
        san: String,
        /// The move as programs write it.
        uci: String,
        /// The position after it.
        fen: String,
        /// What the mover's clock showed when it was pressed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        clock_ms: Option<u64>,
        /// Not seen happening: worked out from what stood on the board afterwards.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        inferred: bool,
    },
    /// Final moves are taken back or replaced.
    Corrected {
        /// The first ply that changes.
        from_ply: usize,
        /// What stood there.
        old: Vec<String>,
        /// What stands there.
        new: Vec<String>,
        /// Why.
        reason: Correction,
    },
    /// The game is in another stage of its life.
    State {
        /// Which.
        state: State,
    },
    /// What the arbiter is offered to decide.
    Proposal(Proposal),
    /// The game has ended, or its result was given or taken back.
    Result {
        /// As PGN writes it.
        result: GameResult,
        /// On what ground.
        reason: ResultReason,
    },
    /// Someone should look.
    Alert(Box<Alert>),
}

/// What the arbiter is offered to decide: a result, or what to do about an irregularity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proposal {
    /// The result, where one is proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<GameResult>,
    /// On what ground.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ResultReason>,
    /// What to do besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Seconds to add to clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus_s: Option<Bonus>,
    /// The square of the man that has to be moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_move: Option<String>,
}

/// What the arbiter is offered to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Restore the position before the irregularity and give the opponent time.
    RestoreAndPenalise,
    /// Put a queen in the pawn's place and give the opponent time.
    ReplaceByQueenAndPenalise,
    /// Give the opponent time.
    Penalise,
    /// Decide what the player who touched the rook first must do.
    #[serde(rename = "rule_4_4")]
    RookFirst,
}

/// Seconds to add to clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bonus {
    /// To White's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<u32>,
    /// To Black's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<u32>,
}

/// Why final moves were changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Correction {
    /// The man went on after it had seemed to rest.
    SlideContinued,
    /// The rook was put down before the king.
    CastlingRookFirst,
    /// The kings went to the centre to show the result.
    ResultGesture,
    /// Another piece than was taken for granted.
    PromotionPiece,
    /// What was missed is explained better by something else.
    GapReinterpreted,
    /// The players took moves back.
    Takeback,
    /// The arbiter or the operator said so.
    Arbiter,
}

/// Someone should look. The fields below the first five are there where the kind has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Alert {
    /// What it is about.
    pub kind: AlertKind,
    /// How much it matters.
    pub severity: Severity,
    /// Whom it is about, where it is about one player.
    pub side: Option<Side>,
    /// The article of the Laws in the edition in force, where one applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub article: Option<String>,
    /// Who may be told.
    pub audience: Vec<Audience>,
    /// How many moves it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// What the kings say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signalled: Option<GameResult>,
    /// How many of the kind this player has committed, this one included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Why a move is not legal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<IllegalReason>,
    /// How the board differs from the record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<MismatchDetail>,
    /// What was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    /// Lines that explain the board equally well, the chosen one first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
}

impl Alert {
    /// An alert of this kind for these people, and nothing more about it.
    pub fn new(kind: AlertKind, severity: Severity, audience: Vec<Audience>) -> Alert {
        Alert {
            kind,
            severity,
            side: None,
            article: None,
            audience,
            plies: None,
            signalled: None,
            count: None,
            reason: None,
            detail: None,
            evidence: None,
            alternatives: Vec::new(),
        }
    }
}

/// Why a move is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum IllegalReason {
    /// The man can't go there.
    NotALegalMove,
    /// The own king would stand in check.
    LeavesKingInCheck,
    /// King and rook may not castle.
    CastlingNotAllowed,
    /// The captured man still stands.
    CapturedNotRemoved,
}

/// How the board differs from the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MismatchDetail {
    /// Another man stands where one should.
    WrongPiece,
    /// A man is missing.
    MissingPiece,
    /// There is a man too many.
    ExtraPiece,
    /// Two men have changed places.
    SwappedPieces,
    /// Men stand on other squares.
    Displaced,
}

/// What was seen: squares by their names, men by their letters. Each kind of alert has its own few of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Evidence {
    /// The square it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub square: Option<String>,
    /// The own man's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own: Option<String>,
    /// The opponent's man's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub enemy: Option<String>,
    /// Where a man was released first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<String>,
    /// How long it rested there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dwell_ms: Option<u64>,
    /// The man that should stand on the square.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// The man that stands there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<String>,
    /// All squares it is about.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
}

/// One way to explain what was not seen, in SAN.
pub type Alternative = Vec<String>;

/// What an alert is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AlertKind {
    /// The board can't be heard.
    LinkLost,
    /// The board can be heard again.
    LinkRestored,
    /// Moves made while nothing was heard are in the record now.
    Resync,
    /// More than one line explains the board.
    Ambiguous,
    /// An earlier position was restored and stayed.
    Takeback,
    /// The kings in the centre show a result.
    ResultSignalled,
    /// A completed illegal move.
    IllegalMoveCompleted,
    /// The clock was pressed without a move.
    NoMoveClockPress,
    /// A pawn on its last rank was not replaced.
    PromotionIncomplete,
    /// The piece a pawn became was not seen.
    PromotionPieceUnconfirmed,
    /// An own man was touched, another one moved.
    TouchMoveSuspect,
    /// An opponent's man was touched and not taken.
    TouchCaptureSuspect,
    /// An own and an opponent's man were touched and the capture not made.
    TouchBothSuspect,
    /// The rook was touched before the king.
    CastlingRookFirst,
    /// The king was released where castling was meant.
    CastlingDutySuspect,
    /// A released man was moved on.
    ReleasedPieceMoved,
    /// King and rook were in the air together.
    TwoHandsSuspect,
    /// A player moved who did not have the move.
    MoveOutOfTurn,
    /// A man was touched by somebody who did not have the move.
    TouchOutOfTurn,
    /// Men were knocked over.
    DisplacedPieces,
    /// They stand as before.
    PositionRestored,
    /// The board shows something else than the record.
    PositionMismatch,
    /// Mate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side can mate.
    DeadPosition,
    /// The kings show another result than the game's.
    ResultConflict,
    /// After a restart this build reads the past differently; the stored record stands.
    RecordDiffers,
}

/// How much an alert matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Log only.
    Trace,
    /// Passive.
    Info,
    /// Log and badge.
    Minor,
    /// The arbiter should come.
    Major,
    /// Ends the game, or may.
    Critical,
}
