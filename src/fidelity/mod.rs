//! Fidelity: whole games by virtual hands, byte by byte through the real core, beside what was really played.
//!
//! | file | in | out |
//! |---|---|---|
//! | `hard` | a factor, a level | the `conditions` games are played under, and the `bars` to reach all the same |
//! | `session` | games, conditions | what the table was shown and what it told, with the truth beside it |
//! | `expected` | one game's truth | which of its moves the contract makes final |
//! | `judge` | one session | a verdict a game: exact, false finals, lateness, causes |
//! | `blame`, `outcome` | one session | accusations nobody deserved, dead squares, results |
//! | `figures` | verdicts | the figures of one run, its bars, the report |
//! | `account` | a session, a verdict | the failing stretch to read, and as a scenario to keep |
//!
//! Time is a number that runs as fast as the machine can; the same seed gives the same verdict everywhere.

mod account;
mod bars;
mod blame;
mod conditions;
mod expected;
mod figures;
mod hard;
mod judge;
mod outcome;
mod rates;
mod session;
mod told;
mod truth;

pub use account::Account;
pub use bars::Bars;
pub use blame::Squares;
pub use conditions::{Conditions, Counts};
pub use figures::{Check, Figures};
pub use hard::{FACTORS, Factor, Hardship, Row};
pub use judge::{Assessment, Failure, judge};
pub use session::{Session, play};

#[cfg(test)]
mod storms;
#[cfg(test)]
mod tests;
