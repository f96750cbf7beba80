//! The record: what was published, kept as games and written as PGN.
//!
//! [`Book`] is a pure fold over what was committed and writes the PGN; [`Files`] keeps the files on disk the same as
//! the book, and [`Scribe`] does so on a thread of its own. Only what is in the record gets here: what is merely seen is never written.

mod book;
mod bulletin;
mod editions;
mod files;
mod guard;
mod imports;
mod moves;
mod naming;
pub mod papers;
mod pgn;
mod report;
mod scribe;
mod sheet;
mod slip;
mod tags;

pub(crate) use book::apart;
pub use book::{Book, Games};
pub use bulletin::Bulletin;
pub use editions::Editions;
pub use files::{Files, Page, write_atomically};
pub use naming::Planned;
pub use pgn::{forfeit_in, unwritten_in};
pub use report::Report;
pub use scribe::Scribe;
pub use sheet::Meeting;
pub use slip::{Cut, Manner, Slip};
