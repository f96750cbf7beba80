//! What the arbiter is offered to decide.

use serde::{Deserialize, Serialize};

use super::{GameResult, MateSearch, ResultReason};

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
    /// The result hangs on whether the opponent can mate, and that is not known: another proposal may follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate_search: Option<MateSearch>,
    /// The game was over with this ply of the record, which was found out later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at_ply: Option<usize>,
    /// Which game of the table it is about, where that is not the one that is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<u32>,
    /// What was played after it all the same: void once that is confirmed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub void: Vec<String>,
    /// What to do besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// Seconds to add to clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus_s: Option<Seconds>,
    /// Seconds to take off clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charge_s: Option<Seconds>,
    /// The square of the man that has to be moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_move: Option<String>,
    /// What the player is bound to once the position is restored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touch_move: Option<Bound>,
    /// The position to restore.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore: Option<String>,
    /// The squares on which the board differs from it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// What the clocks showed in the position to restore, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks_ms: Option<Clocks>,
    /// What they should show there by the formula of 1993: as much of the time used up as of the moves made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks_1993_ms: Option<Clocks>,
}

/// What a player is bound to by having touched a man.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Bound {
    /// The square of the man that has to be moved; none if that man has no legal move.
    pub must_move: Option<String>,
    /// The square of the opponent's man that has to be taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_take: Option<String>,
}

/// What both clocks should show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Clocks {
    /// White's.
    pub white: u64,
    /// Black's.
    pub black: u64,
}

/// What the arbiter is offered to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Restore the position before the irregularity and give the opponent time.
    RestoreAndPenalise,
    /// Restore the position before the irregularity.
    Restore,
    /// Put a queen in the pawn's place and give the opponent time.
    ReplaceByQueenAndPenalise,
    /// Give the opponent time.
    Penalise,
    /// Change the clocks as a wrong claim costs.
    PenaliseWrongClaim,
    /// Decide what the player who touched the rook first must do.
    #[serde(rename = "rule_4_4")]
    RookFirst,
    /// The same by the Laws of 1993.
    #[serde(rename = "rule_5_1_C")]
    RookFirst1993,
    /// The game goes on.
    Continue,
    /// The game goes on unless the arbiter rules otherwise.
    ContinueUnlessArbiterRules,
    /// Begin a new game.
    NewGame,
    /// Begin a new game with the right colours.
    NewGameCorrectColours,
    /// Set the men up right, or with what the Laws allow after so many moves.
    CorrectPosition,
    /// Put the position on a board that lies right.
    TransferPosition,
}

/// Seconds for clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seconds {
    /// White's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<u32>,
    /// Black's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<u32>,
}
