//! What travels on the feed's socket.

use serde::{Deserialize, Serialize};

use super::{HallView, TableEvent};

/// One frame of the feed.
///
/// A client keeps `run` and `seq`. Another `run`, or a `seq` that is not the next one, means something was missed:
/// connect again and take the snapshot. There is no backlog.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Message {
    /// Version of the feed.
    pub v: u32,
    /// Names this run of the daemon; new at each start.
    pub run: String,
    /// Counts the changes of this stream. A snapshot and a beat carry the number of the last change.
    pub seq: u64,
    /// The daemon's time when the message was made, on the same clock as every `t`.
    pub now: u64,
    /// What everybody who looks should know of the record, in sentences: damage, or that nothing is being recorded.
    /// Absent while all is well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<String>,
    /// What it says.
    #[serde(flatten)]
    pub body: Body,
}

/// What a frame says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// How everything stands. Replaces all that was known.
    Snapshot(HallView),
    /// What happened since the frame before.
    Changes(Vec<TableEvent>),
    /// Nothing happened, and the daemon is alive. Comes at least every five seconds.
    Beat(()),
}
