//! The DGT serial protocol: 9600 baud, frames with a marked first byte, one board or a bus of boards on a line.
//!
//! | direction | single board | bus |
//! |---|---|---|
//! | to the board | [`Command`] | [`BusCommand`] |
//! | from the board | [`Message`], through [`Decoder::single`] | [`Message::Bus`], through [`Decoder::bus`] |
//!
//! The ids of the two modes overlap, so a decoder is told the mode and never guesses it.
//! What a frame means to the rest of the house is said by [`Message::observe`]; how a board is met and kept, by [`Dialogue`].

mod bus;
mod clock;
mod command;
mod decoder;
mod dialogue;
mod flaw;
mod frame;
mod json;
mod message;
mod observe;
mod piece;
mod store;

pub use bus::{BusAddress, BusBody, BusCommand, BusMessage, BusVerb};
pub use clock::{AutoAck, Button, ClockAck, ClockCommand, ClockMessage, ClockTimes, FaceTime, SetAndRun, Status};
pub use command::{Command, CommandReader, Lamps, Order};
pub use decoder::{Decoder, Heard};
pub use dialogue::{Dialogue, Identity, Input, Output, Wake};
pub use flaw::Flaw;
pub use frame::FRAME_SILENCE_MS;
pub use json::View;
pub use message::{Battery, HalfBoard, Message};
pub use piece::{Codes, PieceCode};
pub use store::{StoreEvent, StoreMark};
