//! What goes into a dialogue and what comes out of it.

use super::super::Heard;
use crate::board::{Observation, WireSquare};

/// What a dialogue takes.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Read from the port.
    Bytes(&'a [u8]),
    /// The deadline has come.
    Time,
    /// Somebody wants to see the whole board.
    AskBoard,
    /// The port is gone.
    Gone,
}

/// What a dialogue gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Output {
    /// To be written to the port.
    Send(Vec<u8>),
    /// A board answers and has said who it is. Given before each [`Link::Up`](crate::board::Link::Up).
    Identity(Identity),
    /// A fact about squares, clock or link.
    Observed(Observation),
    /// The whole board differs on these squares from what the updates had told: something was lost on the way.
    /// The whole board is right, and follows.
    Corrected(Vec<WireSquare>),
    /// Everything heard, for those who count.
    Heard(Heard),
    /// The device does not answer as a board would. Said once; it is asked again, at a slower pace.
    NoBoard,
}

/// Who a board says it is. Names of devices and ids of adapters say nothing about the board behind them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Five digits.
    pub short_serial: Option<String>,
    /// Ten digits; old boards have none.
    pub long_serial: Option<String>,
    /// Of the software, before and after the point.
    pub version: Option<(u8, u8)>,
}

impl Identity {
    /// The serial number in the form all boards have.
    pub fn serial(&self) -> Option<&str> {
        self.short_serial.as_deref().or(self.long_serial.as_deref())
    }
}

/// Why the driver is to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wake {
    /// A frame has begun and does not go on, or noise wants to be reported.
    LineSilent,
    /// The device was opened long enough ago to be spoken to.
    Settled,
    /// The board has had time for a command that has no answer.
    PauseOver,
    /// An answer is overdue.
    AnswerOverdue,
    /// Nothing was heard for a while: is the board still there?
    KeepAlive,
    /// The remembered position is to be compared with the board.
    Verify,
    /// Nobody answered; perhaps somebody does by then.
    AskAgain,
}
