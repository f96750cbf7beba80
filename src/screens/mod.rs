//! Screens: pages, the feed, and the doors through which information leaves. Each door has one audience.
//!
//! What comes in: sights and entries from the run loop, through [`Feed`]. What goes out: frames on sockets, pages, PGN,
//! and what people wish for, handed back to the run loop. Nothing here decides anything about a game, and nothing
//! here can publish an entry: that takes what the journal has committed, which only the run loop gets.

pub mod addresses;
pub mod air;
pub mod doors;
pub mod listen;
pub mod livechess;
pub mod tls;
pub mod token;

mod answering;
mod asker;
mod culprit;
mod desk;
mod diagram;
mod enter;
mod feed;
mod gallery;
mod glimpses;
mod guard;
mod handshake;
mod http;
mod ledger;
mod line;
mod notice;
mod orders;
#[cfg(test)]
mod overheard;
mod pages;
mod papers;
mod parts;
mod pgn;
mod pictures;
mod placed;
mod refusal;
mod register;
mod secret;
mod serve;
mod shelf;
mod stream;
mod targets;
mod unique;
mod viewer;
mod views;
mod visit;
mod vitals;

#[cfg(test)]
mod tests;

pub use air::{Air, Picture};
pub use asker::{Giver, Listener, Role};
pub use enter::{Invited, Opened};
pub use feed::{Entrance, Feed};
pub use glimpses::Glimpses;
pub use http::{AppState, router};
pub use line::Line;
pub use notice::{Notice, Warning};
#[cfg(test)]
pub(crate) use overheard::{Overheard, Told};
pub use pgn::{Library, PgnAddress};
pub use placed::{Outcome, Placed, Refused, Wish};
pub use register::{Admission, Register};
pub use serve::{Gateway, serve};
pub use shelf::Shelf;
pub use stream::{Subject, Version};
pub use views::Views;
pub use visit::{Gate, Manners, Passes};
pub use vitals::{Counts, Vitals};
