//! The people at the table: whole games as timed deeds, with everything people do beside moving.
//!
//! Nothing here knows how moves are reconstructed, and nothing there may know this.

mod edges;
mod ending;
mod people;
mod swap;
mod unrest;

pub(super) use people::{Manner, Sitting, play};
pub(super) use swap::Swap;
