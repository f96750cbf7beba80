//! What makes a game hard to read, one factor at a time, with what is asked of the record all the same.

mod factor;
mod factors;
mod hardship;

pub use factor::{Factor, Row};
pub use factors::FACTORS;
pub use hardship::Hardship;
