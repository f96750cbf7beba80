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
//! | [`loss`] | whether a loss is one, or a draw because the opponent could not have won |
//! | [`clock`] | periods, increments and delays, fallen flags, times after a restored position |
//! | [`draws`] | repetition, fifty and seventy-five moves: what ends the game, what can be claimed |
//! | [`notation`] | how moves are written on scoresheets, and read from them |
//! | [`result`] | results, forfeits, points |
//! | [`chess960`] | numbered starting positions and castling |
//! | [`adjourn`] | the sealed move, the envelope, what is checked when a game goes on |
//! | [`scoresheet`] | who has to write, and what happens to the sheets after a flag |
//! | [`arrival`] | how late a player may come |
//! | [`quickplay`] | the last two minutes: what a claim needs, and the record to judge it by |
//! | [`blind`] | announcements, and two boards that must agree |
//! | [`touch`] | what a player who touched men was bound to do |
#![forbid(unsafe_code)]

pub mod adjourn;
pub mod arrival;
mod article;
pub mod blind;
pub mod chess960;
pub mod clock;
mod conditions;
pub mod draws;
mod edition;
mod ending;
pub mod loss;
pub mod notation;
pub mod quickplay;
pub mod result;
pub mod scoresheet;
mod tariff;
pub mod time_class;
pub mod touch;

pub use article::Rule;
pub use conditions::{Conditions, Supervision};
pub use edition::{ByEdition, Edition};
pub use ending::Ending;
pub use tariff::{Offence, Tariff};
pub use time_class::TimeClass;
