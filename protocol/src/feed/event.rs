//! What the hall tells.

use serde::{Deserialize, Serialize};

use super::{
    Alert, AlertKind, Command, GameResult, Line, Player, Proposal, ResultReason, RoundView, Score, Side, State,
    TableId, TimeControl, Variant, VoiceNews,
};
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
        #[cfg_attr(feature = "schema", schemars(with = "Vec<String>"))]
        line: Line,
        /// How many of them are final.
        #[serde(rename = "final")]
        settled: usize,
        /// The position after the line: the placement field of a FEN.
        placement: String,
        /// Who is to move after the line.
        turn: Side,
        /// What else belongs to the position: the last four fields of its FEN. Version 1 has no word for it.
        #[serde(skip)]
        rest: String,
        /// The last move of the line in UCI, for marking its squares.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last: Option<String>,
        /// The side to move is in check.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        check: bool,
        /// So many moves beyond those that are final were made while the clock did not count them: it stood, or too many
        /// of them were not pressed. For the operator and the arbiter; for a screen in the hall only while both clocks
        /// stand.
        #[serde(default, skip_serializing_if = "is_zero")]
        off_clock: usize,
        /// There are such moves, and both clocks stand.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        at_rest: bool,
    },
    /// The board can't be explained, or can again. The visible line stays at the last sure position.
    Held {
        /// True from here on, or no more.
        held: bool,
        /// The squares that differ; only the operator and the arbiter are told.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        squares: Vec<String>,
    },
    /// What stands on a board that differs from the record; only the operator and the arbiter are told.
    Board {
        /// The placement field of a FEN.
        placement: String,
        /// The squares that differ; none once all is right again.
        squares: Vec<String>,
    },
    /// An arbiter has acknowledged and both clocks stand, or not any more.
    Attended {
        /// True from here on, or no more.
        attended: bool,
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

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields by reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
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
        /// Not legal, and stands all the same; `san` is the move as programs write it then.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        illegal: bool,
    },
    /// When a final move was made, step by step. For the operator and the arbiter only.
    Instants {
        /// From 1.
        ply: usize,
        /// When its first man was touched.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        touched: Option<u64>,
        /// When its last man was put down, as far as sensors can tell.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        placed: Option<u64>,
        /// When the clock was pressed; absent where it was completed without.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pressed: Option<u64>,
        /// When it became final.
        #[serde(rename = "final")]
        settled: u64,
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
    /// What the arbiter is offered to decide; with nothing in it, what was offered is withdrawn.
    Proposal(Proposal),
    /// The game has ended, or its result was given or taken back.
    Result {
        /// As PGN writes it.
        result: GameResult,
        /// On what ground.
        reason: ResultReason,
        /// What both score, where the result alone does not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        score: Option<Score>,
    },
    /// An earlier game of the table was changed; the one that is on was not.
    Earlier {
        /// The how-many-eth.
        game: u32,
        /// What is in its record from here on.
        entry: Box<Entry>,
    },
    /// The table is on the wall from here on, or has left it and stays at its address.
    Shown {
        /// Which.
        shown: bool,
        /// It has left for good: nothing was played there, and nobody is to play there any more.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        removed: bool,
    },
    /// A round was prepared, opened, changed or closed. It is about no table.
    Round {
        /// How it stands.
        round: Box<RoundView>,
    },
    /// What a search aside has found out that an ending or a proposal hangs on. For the operator and the arbiter only.
    Verdict {
        /// After this ply of the game, from 1; 0 is the position it started from.
        ply: usize,
        /// Who can mate or not.
        side: Side,
        /// By some series of legal moves; absent if it was not decided.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        can_mate: Option<bool>,
        /// Moves that lead to mate, as programs write them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        line: Vec<String>,
        /// Why none do, in a sentence for people.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proof: Option<String>,
    },
    /// Somebody declared or decided something that is kept with the game. For the operator and the arbiter only, but for an
    /// adjournment, and in the hall an offer of a draw, its answer and what clocks are set to.
    Noted {
        /// What, as it was ordered.
        order: Box<Command>,
    },
    /// A player is told moves aloud, asks for something, or was told it. For the operator and the arbiter only.
    Voice {
        /// Which player.
        side: Side,
        /// What there is to say.
        #[serde(flatten)]
        news: VoiceNews,
    },
    /// Someone should look.
    Alert(Box<Alert>),
    /// What was unconfirmed is no misreading. For the operator and the arbiter only.
    Confirmed {
        /// The alerts of this kind: they are not repeated.
        of: AlertKind,
    },
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
    /// The players took moves back.
    Takeback,
    /// The arbiter or the operator said so.
    Arbiter,
    /// They were played after the game was over, which was found out later. They are void, and kept here.
    AfterTheEnd,
}
