//! What the Laws of Chess say about a game. Depends on shakmaty only, so that any chess program can use it.
//!
//! | page | what it answers |
//! |---|---|
//! | [`Edition`] | which Laws are in force |
//! | [`TimeClass`] | whether a game is standard, rapid or blitz |
//! | [`Conditions`] | which Laws, how fast, how closely watched: what decides between the rows of a table |
//! | [`Rule`] | where a finding stands in them |
//! | [`Tariff`], [`Offence`] | what a completed illegal move costs, and what counts as one |
//! | [`Ending`] | whether a position ends the game by itself |
//! | [`clock`] | periods, increments and delays, fallen flags, times after a restored position |
//! | [`draws`] | repetition, fifty and seventy-five moves: what ends the game, what can be claimed |
//! | [`notation`] | how moves are written on scoresheets, and read from them |
//! | [`result`] | results, forfeits, points |
//! | [`chess960`] | numbered starting positions and castling |
//! | [`touch`] | what a player who touched men was bound to do |
#![forbid(unsafe_code)]

mod article;
pub mod chess960;
pub mod clock;
mod conditions;
pub mod draws;
mod edition;
mod ending;
pub mod notation;
pub mod result;
mod tariff;
pub mod time_class;
pub mod touch;

pub use article::Rule;
pub use conditions::{Conditions, Supervision};
pub use edition::{ByEdition, Edition};
pub use ending::Ending;
pub use tariff::{Offence, Tariff};
pub use time_class::TimeClass;
