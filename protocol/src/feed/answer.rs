//! What comes back to whoever gave an order.

use serde::{Deserialize, Serialize};

use super::{Because, TableEvent};

/// What a command changed, or why nothing did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Answer {
    /// Done and on disk.
    Done {
        /// What came of it.
        done: Vec<TableEvent>,
        /// The same in sentences, and why nothing came of it where nothing did.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        said: Vec<String>,
    },
    /// Done, and not on disk yet: it counts once it is.
    Unrecorded {
        /// A sentence that says so.
        unrecorded: String,
    },
    /// Not done.
    Refused {
        /// A sentence with the next thing to try.
        refused: String,
        /// The same as a word with what belongs to it, where pages have one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        because: Option<Because>,
    },
}
