//! Screens: pages, the feed, and the doors through which information leaves. Each door has one audience.
//!
//! What comes in: sights and entries from the run loop, through [`Feed`]. What goes out: frames on sockets, pages, PGN,
//! and the operator's orders, handed back to the run loop. Nothing here decides anything about a game, and nothing
//! here can publish an entry: that takes what the journal has committed, which only the run loop gets.

pub mod doors;
pub mod listen;
pub mod token;

mod feed;
mod gallery;
mod guard;
mod handshake;
mod http;
mod on_air;
mod orders;
mod pages;
mod parts;
mod pgn;
mod pictures;
mod serve;
mod stream;
mod viewer;
mod views;

#[cfg(test)]
mod tests;

pub use feed::{Entrance, Feed};
pub use http::{AppState, Outcome, PlacedOrder, router};
pub use pgn::{Library, PgnAddress};
pub use serve::serve;
pub use stream::{Subject, Version};
pub use views::Views;
