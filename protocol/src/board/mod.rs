//! Board sensing: what every make of board reduces to, and one module per wire protocol.
//!
//! Bytes become messages (`dgt::Decoder`), messages become an [`Observation`]. From there on nothing in the
//! house knows which make of board is on the table, only whether it names the men or just senses that a
//! square is occupied.

mod clock;
mod contents;
pub mod dgt;
mod observation;
mod square;

pub use clock::{ClockReading, ClockSense, Face, FaceReading};
pub use contents::{BadPlacement, Content, Contents};
pub use observation::{Link, Observation};
pub use square::{BadSquare, Lie, WireSquare};
