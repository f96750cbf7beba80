//! What is handed in.

use hall::{Input, Scope};
use protocol::{
    board::{ClockSense, Observation},
    feed::TableEvent,
};

/// One input.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When, in milliseconds of the round.
    pub t: u64,
    /// What it says.
    pub said: Said,
}

/// What one row says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// An input, in as few bytes as it needs.
    Input(Input),
    /// Anything else, as JSON and word for word: an order with the name of who gave it, a change at the doors.
    Text(String),
}

impl From<Input> for Said {
    fn from(input: Input) -> Said {
        Said::Input(input)
    }
}

impl Said {
    /// What a text says: an input if it says nothing beside it, so that every text is written again as it was.
    pub(super) fn read(text: &str) -> Said {
        let input = serde_json::from_str::<Input>(text).ok();
        let whole = input.filter(|input| serde_json::to_string(input).is_ok_and(|again| again == text));
        whole.map_or_else(|| Said::Text(text.to_owned()), Said::Input)
    }
}

/// Inputs of one file and the entries that follow from them: on disk together or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The file.
    pub scope: Scope,
    /// The inputs, in order.
    pub inputs: Vec<Row>,
    /// The entries, in order.
    pub entries: Vec<TableEvent>,
}

impl Batch {
    /// Whether it may wait some seconds for others to be written with: a clock that counts is worth no commit.
    pub fn can_wait(&self) -> bool {
        let is_clock = |row: &Row| {
            matches!(
                &row.said,
                Said::Input(Input::Observed { observation: Observation::Clock(ClockSense::Reading(_)), .. })
            )
        };
        self.entries.is_empty() && self.inputs.iter().all(is_clock)
    }
}
