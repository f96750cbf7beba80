//! The journal: every input, durable and replayable, and beside it what was published from it.
//!
//! Knows nothing of chess: inputs and entries are text to it.

mod receipt;

pub use receipt::Receipt;
