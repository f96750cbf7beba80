//! What comes back to whoever gave an order.

use serde::{Deserialize, Serialize};

use super::TableEvent;

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
