//! The record: what was published, kept as games and written as PGN.
//!
//! [`Book`] is a pure fold over what the hall tells and writes the PGN; [`Files`] keeps the files on disk the same as
//! the book. Only what is in the record gets here: what is merely seen is never written.

mod book;
mod files;
mod pgn;

pub use book::Book;
pub use files::{Files, write_atomically};
