//! What a board tells of the chess clock that is plugged into it.

use serde::{Deserialize, Serialize};

/// One of the two faces of a chess clock, as seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// The left face: White's, while the board's connector is at White's left hand.
    Left,
    /// The right face.
    Right,
}

impl Face {
    /// The face across the lever.
    pub fn other(self) -> Face {
        match self {
            Face::Left => Face::Right,
            Face::Right => Face::Left,
        }
    }
}

/// What is known about the chess clock at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockSense {
    /// No clock is plugged into the board.
    Absent,
    /// The clock is there and shows this.
    Reading(ClockReading),
}

/// One reading of a chess clock. Up to a second old when it arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// What the left face shows.
    pub left: FaceReading,
    /// What the right face shows.
    pub right: FaceReading,
    /// False while the clock is paused by its start/stop button.
    pub running: bool,
    /// The face whose end of the lever is up: its player has the move. A change is a press.
    pub high: Face,
    /// The face that is counting, or would be if the clock ran; some clocks name neither.
    pub to_move: Option<Face>,
    /// The clock wants new batteries.
    pub battery_low: bool,
}

/// What one face of the clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaceReading {
    /// Time left, or used if the clock counts up.
    pub seconds: u32,
    /// A flag is shown on this face.
    pub flag: bool,
}

impl ClockReading {
    /// The same clock as a board reports it that lies half a turn round.
    #[must_use]
    pub fn turned(self) -> ClockReading {
        let ClockReading { left, right, high, to_move, .. } = self;
        ClockReading { left: right, right: left, high: high.other(), to_move: to_move.map(Face::other), ..self }
    }

    /// What `face` shows.
    pub fn face(&self, face: Face) -> FaceReading {
        match face {
            Face::Left => self.left,
            Face::Right => self.right,
        }
    }
}
