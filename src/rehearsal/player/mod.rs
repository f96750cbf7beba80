//! The rehearsal as a whole: board, clock, hands, sensors, cable and the typed commands, joined in one order of time.

mod befalling;
mod fate;
mod rehearsal;
mod typed;

pub use rehearsal::{Output, Rehearsal, Setting};
