//! What inputs and entries look like on disk: what comes all the time in a few bytes, everything else as JSON.
//!
//! A clock that counts on by itself takes two bytes or three, a man lifted or put down five, a final move about a
//! hundred. What is not known here is kept as JSON, so that a new kind of input needs nothing in this room. The bytes
//! are described in `docs/journal.md` and frozen by `tests`.

mod entries;
mod inputs;

#[cfg(test)]
mod tests;

pub(super) use entries::{read_entries, write_entry};
pub(super) use inputs::{Decoder, Encoder, Step};
