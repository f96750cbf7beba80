//! What a board has reported, the same for every make.

use serde::{Deserialize, Serialize};

use super::{
    clock::ClockSense,
    contents::{Content, Contents},
    square::WireSquare,
};

/// One fact a board has reported. Squares are the board's own: [`Lie`](super::Lie) turns them into squares of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observation {
    /// The content of one square has changed, or is reported again.
    Square {
        /// Where, as the board counts.
        square: WireSquare,
        /// What stands there from this moment on.
        content: Content,
    },
    /// The whole board at one moment. It outweighs everything remembered from single squares.
    Board(Box<Contents>),
    /// What the chess clock attached to the board shows.
    Clock(ClockSense),
    /// The connection to the board came or went.
    Link(Link),
}

impl Observation {
    /// What a board would have reported that lies half a turn round.
    #[must_use]
    pub fn turned(&self) -> Observation {
        match self {
            Observation::Square { square, content } => {
                Observation::Square { square: square.turned(), content: *content }
            }
            Observation::Board(contents) => Observation::Board(Box::new(contents.turned())),
            Observation::Clock(ClockSense::Reading(reading)) => {
                Observation::Clock(ClockSense::Reading(reading.turned()))
            }
            Observation::Clock(ClockSense::Absent) | Observation::Link(_) => self.clone(),
        }
    }
}

/// Whether a board can be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Link {
    /// The board answers.
    Up,
    /// The board is silent or its port is gone. Nothing may be concluded from the squares until the next whole board.
    Down,
}
