//! What the Laws of Chess say about a game. Depends on shakmaty only, so that any chess program can use it.
//!
//! A page a topic. Where editions differ there is a table with a column for each, once to read and once as the data that
//! the answers come from. What is proposed here, an arbiter decides.
//!
//! ## The conditions
//!
//! | page | what it answers |
//! |---|---|
//! | [`edition`] | which Laws are in force |
//! | [`time_class`] | whether a game is standard, rapid or blitz |
//! | [`conditions`] | which Laws, how fast, how closely watched: what decides between the rows of a table |
//! | [`article`] | where a finding stands in the Laws |
//!
//! ## The start
//!
//! | page | what it answers |
//! |---|---|
//! | [`arrival`] | how late a player may come |
//! | [`wrong_start`] | what follows when men, board or players were in the wrong place |
//! | [`chess960`] | numbered starting positions, and what castling moves |
//! | [`position`] | which positions can be played on from |
//!
//! ## At the board
//!
//! | page | what it answers |
//! |---|---|
//! | [`touch`] | what a player who touched men was bound to do |
//! | [`tariff`] | what a completed illegal move costs, and what counts as one |
//! | [`blind`] | how moves are announced, and what to do about two boards that differ |
//!
//! ## Time
//!
//! | page | what it answers |
//! |---|---|
//! | [`clock`] | periods, increments and delays, fallen flags, times after a restored position |
//! | [`quickplay`] | the last two minutes: what a claim needs, and the record to judge it by |
//! | [`adjourn`] | the sealed move, the envelope, what is checked when a game goes on |
//!
//! ## The end
//!
//! | page | what it answers |
//! |---|---|
//! | [`ending`] | whether a position ends the game by itself |
//! | [`dead`] | who can still mate by any legal moves, proven |
//! | [`draws`] | repetition, fifty and seventy-five moves: what ends the game, what can be claimed |
//! | [`loss`] | whether a loss is one, or a draw because the opponent could not have won |
//! | [`result`] | results, forfeits, points |
//!
//! ## Paper
//!
//! | page | what it answers |
//! |---|---|
//! | [`notation`] | how moves are written on scoresheets, and read from them |
//! | [`scoresheet`] | who has to write, and what happens to the sheets after a flag |
#![forbid(unsafe_code)]

pub mod adjourn;
pub mod arrival;
pub mod article;
pub mod blind;
pub mod chess960;
pub mod clock;
pub mod conditions;
pub mod dead;
pub mod draws;
pub mod edition;
pub mod ending;
pub mod loss;
pub mod notation;
pub mod position;
pub mod quickplay;
pub mod result;
pub mod scoresheet;
pub mod tariff;
pub mod time_class;
pub mod touch;
pub mod wrong_start;

pub use article::Rule;
pub use conditions::{Conditions, Supervision};
pub use edition::{ByEdition, Edition};
pub use ending::Ending;
pub use tariff::{Offence, Tariff, pawn_left_becomes_queen};
pub use time_class::TimeClass;
