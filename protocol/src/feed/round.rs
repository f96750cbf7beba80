//! A round as people see it: what it is called, when and where it is played, and how far it is.

use serde::{Deserialize, Serialize};

use super::{Bye, Period};

/// A round at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundView {
    /// The event's name in addresses and file names.
    pub event: String,
    /// From 1.
    pub round: u16,
    /// How far it is.
    pub stage: Stage,
    /// The event's name for people; empty where it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The place.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub site: String,
    /// The day, `YYYY.MM.DD`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
    /// The periods of the clock, where they are known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub periods: Vec<Period>,
    /// Who has nobody to play with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<Bye>,
    /// In which letters its scoresheets are written; English if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<Notation>,
    /// From which start position of Chess960 its games begin, by its number; absent where nobody has said any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chess960: Option<u16>,
}

/// The letters of a scoresheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Notation {
    /// K Q R B N.
    #[default]
    English,
    /// K D T L S.
    German,
    /// R D T A C.
    Spanish,
    /// Pictures of the men.
    Figurines,
}

impl Notation {
    /// By its name.
    pub fn named(name: &str) -> Option<Notation> {
        Some(match name {
            "english" => Notation::English,
            "german" => Notation::German,
            "spanish" => Notation::Spanish,
            "figurines" => Notation::Figurines,
            _ => return None,
        })
    }
}

/// How far a round is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Its pairings may be known; nobody sees them yet.
    #[default]
    Prepared,
    /// It is on the wall.
    Open,
    /// It has left the wall and stays at its address.
    Closed,
}

impl RoundView {
    /// Whether this is that round.
    pub fn is(&self, event: &str, round: u16) -> bool {
        self.event == event && self.round == round
    }
}
