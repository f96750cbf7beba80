//! Fidelity: whole games by virtual hands, byte by byte through the real core, beside what was really played.
//!
//! | file | in | out |
//! |---|---|---|
//! | `session` | games, a setting | what the table was shown and what it told, with the truth beside it |
//! | `judge` | one session | a verdict a game: exact, false finals, lateness, causes |
//! | `figures` | verdicts | the figures of one profile, its bars, the report |
//! | `account` | a session, a verdict | the failing stretch to read, and as a scenario to keep |
//!
//! Time is a number that runs as fast as the machine can; the same seed gives the same verdict everywhere.

mod account;
mod figures;
mod judge;
mod rates;
mod session;

pub use account::Account;
pub use figures::{Bars, Figures};
pub use judge::{Failure, Verdict, judge};
pub use session::{Session, play};

#[cfg(test)]
mod tests;
