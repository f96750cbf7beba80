//! What is wrong with the record, for pages that say it in the words and the time of whoever reads them.

use serde::{Deserialize, Serialize};

/// One thing that is wrong with the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Trouble {
    /// Nothing is being recorded.
    NotRecorded {
        /// Since when, in milliseconds since 1970.
        since: u64,
    },
    /// Part of the record of the hall was damaged: boards and players may be wrong.
    HallDamaged,
    /// Part of the record of a round was damaged: its games may lack moves.
    RoundDamaged {
        /// The round's event.
        event: String,
        /// From 1.
        round: u16,
    },
    /// PGN files know more than the record: games shown may lack moves.
    FallenBehind,
}
