//! Pairing files of chess events: who plays whom at which table, out of what organisers have; and results back into it.
//!
//! | page | what it reads |
//! |---|---|
//! | [`text`] | bytes: UTF-8 with or without a mark, UTF-16, and a [`Page`] of Windows, which nothing in a file names |
//! | [`form`] | which of the forms below a text is |
//! | [`pgn`] | games without moves, one a table |
//! | [`trf`] | FIDE's report file, with the coming round as an open block; it is written back with results |
//! | [`csv`] | a table with headings in English, German or Spanish, columns in any order |
//! | [`pasted`] | lines as people write them: `1  Carlsen, Magnus – Caruana, Fabiano` |
//! | [`boards`] | which board belongs to which table |
//!
//! All but the last come to one [`Paper`]. A file is taken whole or not at all: what can't be read is named with its line, what
//! stood there and what was expected, all of it at once.
#![forbid(unsafe_code)]

pub mod boards;
mod cell;
pub mod csv;
mod fault;
pub mod form;
mod heading;
mod nobody;
mod page;
mod paper;
pub mod pasted;
mod person;
pub mod pgn;
mod round;
pub mod text;
pub mod trf;

pub use fault::{Fault, Faults};
pub use form::{read, read_text};
pub use page::Page;
pub use paper::{Bye, Form, Opponent, Pair, Paper, Sheet};
pub use person::Person;
