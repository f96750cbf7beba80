//! What the hall can be told.

use serde::{Deserialize, Serialize};

use super::{GameResult, Player, TableEvent, TableId, TimeControl, Variant};

/// A command, and the table it is for where it is for one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Order {
    /// The table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableId>,
    /// What to do.
    #[serde(flatten)]
    pub command: Command,
}

/// What can be asked for. Every command that was carried out is an input of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Command {
    /// Opens a round: from here on boards without a table sit down in it.
    OpenRound {
        /// The event's name in addresses and file names.
        event: String,
        /// From 1.
        round: u16,
        /// The event's name for people.
        #[serde(default)]
        title: String,
        /// The place, for the PGN.
        #[serde(default)]
        site: String,
        /// The day, `YYYY.MM.DD`.
        date: String,
        /// The time control, where it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_control: Option<TimeControl>,
    },
    /// Names the players of a table.
    Pair {
        /// White.
        white: Player,
        /// Black.
        black: Player,
    },
    /// Puts a board on a table; it keeps that table wherever it is plugged in.
    Assign {
        /// The board's serial number.
        board: String,
    },
    /// Begins a game, from the initial position or another.
    NewGame {
        /// The position; the initial one if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
        /// Which chess.
        #[serde(default)]
        variant: Variant,
    },
    /// Takes back the last final moves.
    Undo {
        /// How many.
        plies: usize,
    },
    /// Turns the board half round: White sits on the other side.
    TurnBoard,
    /// Gives the result, or takes it back with `*`.
    Result {
        /// As PGN writes it.
        result: GameResult,
    },
}

/// What a command changed, or why nothing did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Done and on disk.
    Done(Vec<TableEvent>),
    /// Not done: a sentence with the next thing to try.
    Refused(String),
}
