//! What the hall is told and what it tells: inputs, events and asks.

use std::collections::BTreeMap;

use protocol::{
    board::{Contents, Lie, Observation},
    feed::{Clocks, Entry, GameResult, Order, Score, Side, Sight, Spoken, TableId, Variant},
};
use serde::{Deserialize, Serialize};

use crate::{Answer, Doubt, Millis, Ply, Settings};

/// One input. Everything the hall's state follows from is one of these, and every one is journalled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Input {
    /// A board at a table reported something.
    Observed {
        /// The table the board was assigned to when it spoke.
        table: TableId,
        /// The board's serial number.
        board: String,
        /// What it reported.
        observation: Observation,
    },
    /// A board was given another table: it is missed here no more.
    Left {
        /// The table it had.
        table: TableId,
        /// The board's serial number.
        board: String,
    },
    /// A board was given this table, and stands as the game at its last one has left it: none begins from there.
    LeftOver {
        /// The table it has now.
        table: TableId,
        /// The board's serial number.
        board: String,
        /// What it shows.
        contents: Box<Contents>,
    },
    /// A player pressed a clock that reports presses by itself.
    Pressed {
        /// Where.
        table: TableId,
        /// Who.
        side: Side,
    },
    /// Somebody with the right to it gave an order.
    Ordered(Order),
    /// A deadline passed and something followed from it.
    Elapsed {
        /// Where.
        table: TableId,
    },
    /// A search that a table asked for has come to an end.
    Searched {
        /// Where.
        table: TableId,
        /// What it has come to.
        #[serde(flatten)]
        answer: Answer,
    },
    /// An announcement has come this far on its way into a player's ear.
    Spoken {
        /// Where.
        table: TableId,
        /// Who hears it.
        side: Side,
        /// How far.
        #[serde(flatten)]
        spoken: Spoken,
    },
    /// A game that was begun at another table goes on at this one.
    TakenOver {
        /// Where.
        table: TableId,
        /// All that is known of it.
        game: Box<HandedOver>,
    },
    /// The daemon is back after a stop. What stood in the record stands, whatever this build makes of the past.
    Resumed {
        /// Where.
        table: TableId,
        /// How long nobody listened.
        gap_ms: Millis,
        /// The record as it was published, if this build reads the inputs differently.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        record: Option<StoredRecord>,
    },
    /// The thresholds of the round, written down when it starts.
    Settings {
        /// Which round: its event and number.
        event: String,
        /// Its number.
        round: u16,
        /// The values.
        settings: Box<Settings>,
    },
}

/// What a list of pairings would change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preview {
    /// For people.
    pub said: Vec<String>,
    /// Tables at which others would play on a game that is on.
    pub disturbed: Vec<u16>,
}

/// A game as it was published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredRecord {
    /// The how-many-eth game at the table.
    pub game: u32,
    /// Where it started.
    pub fen: String,
    /// Which chess.
    pub variant: Variant,
    /// The final moves in UCI.
    pub moves: Vec<String>,
    /// Moves that are not legal and stand all the same: by their ply, the position after them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub irregular: BTreeMap<Ply, String>,
    /// The result.
    pub result: GameResult,
    /// What both score, where the result alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
}

impl StoredRecord {
    /// What both score.
    pub fn scored(&self) -> Score {
        Score::told(self.result, self.score)
    }
}

/// A game as it is handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HandedOver {
    /// The record. The number of the game is that of its new table.
    pub record: StoredRecord,
    /// When and with what times each ply was made.
    pub plies: Vec<HandedPly>,
    /// How the board lies.
    pub lie: Lie,
    /// How many illegal moves White and Black have completed.
    #[serde(default)]
    pub offences: [u32; 2],
    /// It stands still, with a move in an envelope.
    #[serde(default)]
    pub adjourned: bool,
    /// What both clocks showed then, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjourned_ms: Option<Clocks>,
}

/// What is known of a ply beside the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HandedPly {
    /// What the clocks showed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clocks: Option<Clocks>,
    /// When its first man was touched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub touched: Option<Millis>,
    /// When its last man was put down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placed: Option<Millis>,
    /// When the clock was pressed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pressed: Option<Millis>,
    /// When it became final.
    pub settled: Millis,
    /// Pressed, or completed without.
    pub completed: bool,
}

/// What comes out of the hall.
#[derive(Clone, Debug, PartialEq)]
pub enum Out {
    /// To be shown at once.
    Sight(TableId, Millis, Sight),
    /// To be published once the inputs it follows from are on disk.
    Entry(TableId, Millis, Entry),
    /// The same about a round, and no table.
    Round(Millis, Entry),
    /// What an order has changed, or why it changed nothing, for whoever gave it. Never journalled.
    Said(String),
    /// For the shell to do. Never journalled; what comes of it is an ordinary input.
    Ask(Ask),
}

/// What the shell is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Ask this board for a dump.
    Dump {
        /// The board's serial number.
        board: String,
    },
    /// Search aside whether players can mate. What was asked for this table before and is not among these is not asked
    /// any more.
    Proof {
        /// For which table.
        table: TableId,
        /// What, in the order of its weight.
        doubts: Vec<Doubt>,
    },
}
