//! The demonstration: a round on virtual boards, with an arbiter, and its record held against the truth.

mod arbiter;
mod boards;
mod comparison;
mod programme;

pub use arbiter::Arbiter;
pub use boards::{Boards, Heard, Played};
pub use comparison::Comparison;
pub use programme::{board_order, round_order};
