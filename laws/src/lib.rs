//! What the Laws of Chess say about a game. Depends on shakmaty only, so that any chess program can use it.
//!
//! | page | what it answers |
//! |---|---|
//! | [`Edition`] | which Laws are in force |
//! | [`Rule`] | where a finding stands in them |
//! | [`Ending`] | whether a position ends the game by itself |
//! | [`touch`] | what a player who touched men was bound to do |
#![forbid(unsafe_code)]

mod article;
mod edition;
mod ending;
pub mod touch;

pub use article::Rule;
pub use edition::Edition;
pub use ending::Ending;
