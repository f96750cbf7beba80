//! Where the endpoint is, if it is anywhere.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de::Error as _};

/// Where clients of LiveChess look for it.
pub const USUAL_PORT: u16 = 1982;

/// Where the endpoint is, and for whom beside programs of this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its port on both loopbacks; 0 for any.
    pub port: u16,
    /// Origins of pages that may use it, beside the usual two.
    pub origins: Vec<String>,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The endpoint, at this port.
    At(u16),
    /// None.
    Off,
}

impl Default for Choice {
    fn default() -> Choice {
        Choice::At(USUAL_PORT)
    }
}

impl Choice {
    /// The endpoint that was chosen, for these pages too.
    pub fn lent_to(self, origins: Vec<String>) -> Option<Local> {
        match self {
            Choice::At(port) => Some(Local { port, origins }),
            Choice::Off => None,
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Choice, String> {
        if text == "off" {
            return Ok(Choice::Off);
        }
        let port = text.parse().map_err(|_| format!("\"{text}\" is neither a port nor \"off\": clients look at 1982"));
        port.map(Choice::At)
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Choice, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(i64),
            Word(String),
        }
        // A number is read as it would be on the command line.
        let word = match Written::deserialize(from)? {
            Written::Number(number) => number.to_string(),
            Written::Word(word) => word,
        };
        word.parse().map_err(D::Error::custom)
    }
}
