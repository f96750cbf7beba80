//! Scenarios: written cases of hands, clocks and arbiters, played through a real table.
//!
//! The format is `escaque-scenario/1`: a JSON array of cases with events in milliseconds. The table is told what a
//! real one would be told, by the same observations and orders; only the pace is the file's.

mod case;
mod file;
mod keys;
mod sense;
mod stage;
mod story;

pub use case::Case;
pub use file::{Unreadable, read};
pub use keys::Unread;
pub use sense::Nonsense;
pub use stage::Outcome;
