//! What is said, key by key. Clients compare some of it letter by letter.

use protocol::feed::Line;
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};

/// What a client says.
#[derive(Debug, Deserialize)]
pub(super) struct Call {
    #[serde(default)]
    pub(super) id: Value,
    pub(super) call: String,
    #[serde(default)]
    pub(super) param: Value,
}

impl Call {
    /// The call's number, to be repeated as one.
    pub(super) fn number(&self) -> Option<Number> {
        match &self.id {
            Value::Number(number) => Some(number.clone()),
            Value::String(text) => text.parse().ok(),
            Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// `subscribe`.
#[derive(Debug, Deserialize)]
pub(super) struct Subscribe {
    pub(super) feed: String,
    pub(super) id: i64,
    pub(super) param: OfBoard,
}

/// Which board.
#[derive(Debug, Deserialize)]
pub(super) struct OfBoard {
    pub(super) serialnr: String,
}

/// `unsubscribe`.
#[derive(Debug, Deserialize)]
pub(super) struct OfFeed {
    pub(super) id: i64,
}

/// `call`: something to be done with what a feed tells.
#[derive(Debug, Deserialize)]
pub(super) struct OnFeed {
    pub(super) id: i64,
    pub(super) method: String,
    #[serde(default)]
    pub(super) param: Value,
}

/// `setup`.
#[derive(Debug, Deserialize)]
pub(super) struct SetUp {
    pub(super) fen: String,
}

/// `flip`.
#[derive(Debug, Deserialize)]
pub(super) struct Flip {
    pub(super) flip: bool,
}

/// What a client is told.
#[derive(Debug, Serialize)]
pub(super) struct Envelope<T> {
    pub(super) response: &'static str,
    pub(super) id: Option<Number>,
    pub(super) param: T,
    /// Milliseconds since 1970.
    pub(super) time: u64,
}

/// What a call is answered.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Given {
    /// That it was done.
    Nothing,
    /// `eboards`.
    Boards(Vec<EBoard>),
    /// `sources`.
    Sources(Vec<Source>),
}

/// Why nothing came of a call.
#[derive(Debug, Serialize)]
pub(super) struct Sentence {
    pub(super) message: String,
}

/// A board, as lists have it. Keys with nothing in them are there all the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct EBoard {
    pub(super) serialnr: String,
    pub(super) source: Option<String>,
    pub(super) state: &'static str,
    pub(super) battery: Option<String>,
    pub(super) comment: Option<String>,
    /// The placement field of a FEN, from White's side.
    pub(super) board: Option<String>,
    pub(super) flipped: bool,
    pub(super) clock: Option<ClockFaces>,
}

/// What a chess clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ClockFaces {
    /// Seconds White has left.
    pub(super) white: u32,
    /// Seconds Black has left.
    pub(super) black: u32,
    /// True while White's time runs, false while Black's does.
    pub(super) run: Option<bool>,
    /// When it was read, in milliseconds since 1970.
    pub(super) time: u64,
}

/// Where boards are found.
#[derive(Debug, Serialize)]
pub(super) struct Source {
    #[serde(rename = "type")]
    pub(super) kind: &'static str,
    pub(super) device: String,
    pub(super) name: Option<String>,
    pub(super) present: bool,
    pub(super) active: bool,
    pub(super) status: Option<String>,
}

/// What a subscriber is told of a board. What has not changed may be absent.
#[derive(Debug, Serialize)]
pub(super) struct BoardEvent<'a> {
    pub(super) serialnr: &'a str,
    pub(super) flipped: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) board: Option<&'a str>,
    /// Outer: whether it is said at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<Option<ClockFaces>>,
    #[serde(flatten)]
    pub(super) moves: Option<Moves<'a>>,
}

/// All moves since the position that was named.
#[derive(Debug, Serialize)]
pub(super) struct Moves<'a> {
    pub(super) start: &'a str,
    pub(super) san: &'a Line,
    /// The board shows what they lead to.
    #[serde(rename = "match")]
    pub(super) matches: bool,
}
