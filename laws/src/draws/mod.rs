//! Draws that are counted: positions that come back, and moves without a capture or a pawn.
//!
//! A [`History`] is told each position of a game. It says how often the present one has occurred and when, and for how
//! many plies nothing irreversible has happened. From that follow the draws that take effect by themselves
//! ([`DrawnByRule`]), what an arbiter answers to a player's [`Claim`], and what a wrong claim costs ([`wrong_claim()`]).
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | third occurrence, by claim | 10.10 | 9.2 | 9.2 | 9.2 | 9.2 |
//! | fifty moves each, by claim | 10.12 | 9.3 | 9.3 | 9.3 | 9.3 |
//! | seventy-five instead of fifty, by claim | [where announced](annex_1993) | - | - | - | - |
//! | the right to claim ends by | moving, 10.11 | touching a man, 9.4 | 9.4 | 9.4 | 9.4 |
//! | fifth occurrence, by itself | - | - | four plies apart, 9.6.a | however far apart, 9.6.1 | 9.6.1 |
//! | seventy-five moves each, by itself | - | - | 9.6.b | 9.6.2 | 9.6.2 |
//! | a wrong claim costs the claimant | 5 min | - | - | - | - |
//! | and gives the opponent | - | 3 min | 2 min, blitz 1 | 2 min, blitz 1 | 2 min, rapid and blitz 1 |
//!
//! Positions are the same when the same player has the move, men of the same kind and colour stand on the same squares
//! and all the possible moves are the same: that is what an [`Identity`] compares.
//!
//! What players agree on is on a page of its own: [`agreement`].
//!
//! That a draw could be claimed is nobody's business but the claimant's: to tell a player, or to show it where players
//! see it, would be advice.

pub mod agreement;
pub mod annex_1993;
mod by_rule;
mod claim;
mod history;
mod identity;
mod wrong_claim;

pub use by_rule::DrawnByRule;
pub use claim::{Answer, Arm, Claim, Confirmation, Ground, Limits, RightEnds, Shortfall, right_ends};
pub use history::{History, Occurrence};
pub use identity::Identity;
pub use wrong_claim::{WrongClaim, wrong_claim};
