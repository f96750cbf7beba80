//! The endpoint that clients of LiveChess already speak to: `ws://localhost:1982/api/v1.0`, and over HTTP its list of
//! boards, and the events, rounds and games that are played on them.
//!
//! A program connects, asks which boards there are, subscribes to one and names a position; from there on it hears what
//! stands on the board and which moves have led there. What it is told is its own affair: its position and its moves are
//! worked out aside, by a hall of one table, from the same observations, and neither table nor record hears of it.
//!
//! | file | what it does |
//! |---|---|
//! | `words` | what is said, key by key |
//! | `boards` | what is known of each board |
//! | `reading` | which moves one subscriber's board has made |
//! | `told` | how far they are said |
//! | `dialogue` | calls and answers, for all who are connected; pure |
//! | `choice` | where it is, if it is anywhere |
//! | `serve` | the sockets, and the one task that owns all of it |
//!
//! What was played comes out of what was published ([`crate::press::LocalAddress`]), as it happens: those tools compare it
//! with what stands on the boards.
//!
//! Raw squares leave by this door, before anything is final: it opens to programs of this machine only, and to the pages of
//! two sites whose players own the board they play on.

mod boards;
mod choice;
mod dialogue;
mod reading;
mod serve;
mod told;
mod words;

pub use choice::{Choice, Local, USUAL_PORT};
pub use serve::{House, LiveChess, Tap};
