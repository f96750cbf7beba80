//! All boards of the house, and all rounds that are known: what whoever looks after them works with.

use serde::{Deserialize, Serialize};

use super::{Delay, OnAir, Pairing, Place, RoundView, TableId};

/// All boards that were heard since the daemon started, and ports at which none is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fleet {
    /// When this was so, on the clock of the messages.
    pub now: u64,
    /// By their serial numbers.
    pub boards: Vec<BoardState>,
    /// Ports that are there, or should be, and what is in the way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<PortTrouble>,
}

/// One board as it is at a moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardState {
    /// Its serial number.
    pub board: String,
    /// Where it is plugged in; absent while it can't be heard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<String>,
    /// Where it has its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<TableId>,
    /// When something was heard of it last, on the clock of the messages.
    pub heard_at: u64,
    /// What that was.
    pub heard: Heard,
    /// The clock that is plugged into it.
    pub clock: ClockAt,
    /// Both kings are in somebody's hand, or were a moment ago: this is the board.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_lifted: bool,
    /// How good it is.
    pub quality: Quality,
}

/// What a board has said last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heard {
    /// That it is there.
    #[default]
    Link,
    /// That it is not there any more.
    Gone,
    /// What stands on one square.
    Square,
    /// What stands on all of them.
    Board,
    /// What its clock shows.
    Clock,
}

/// The chess clock at a board, as far as its batteries go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockAt {
    /// None is heard.
    #[default]
    None,
    /// Its batteries do.
    Good,
    /// It wants new ones.
    Low,
}

/// What was wrong with what a board said, since the daemon started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quality {
    /// Men that were gone and back at once, as nobody's hand is.
    pub flickers: u32,
    /// Squares of which changes were lost, so that the whole board had to be asked.
    pub lost: u32,
    /// Messages that could not be true.
    pub nonsense: u32,
    /// How often it could not be heard any more.
    pub breaks: u32,
    /// Games that were begun on it.
    pub games: u32,
    /// Corrections of the record in these games.
    pub corrections: u32,
}

/// A port at which no board is heard.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortTrouble {
    /// Its name.
    pub port: String,
    /// A sentence with the next thing to try.
    pub trouble: String,
}

/// All events and their rounds, those that nobody sees yet included.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Programme {
    /// All rounds, by event and number.
    pub rounds: Vec<RoundPlan>,
    /// Players who are not shown to spectators, in small letters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub withheld: Vec<String>,
}

/// A round and who plays in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundPlan {
    /// The round.
    #[serde(flatten)]
    pub round: RoundView,
    /// Who plays whom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<Pairing>,
    /// Which board belongs to which table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
    /// How far spectators are behind.
    pub delay: Delay,
    /// Which of its tables they are shown.
    pub on_air: OnAir,
}
