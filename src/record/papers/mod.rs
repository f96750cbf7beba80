//! Papers: what is printed for people. A page of plain HTML each, that a browser puts on A4 as it stands.
//!
//! | page | for whom |
//! |---|---|
//! | `round` | the arbiter, after a round: results, and every incident with its article, what was seen and what was decided |
//! | `scoresheet` | players and organiser: a game in the letters of the event, with times and offers |
//! | `times` | the arbiter, on the day a clock fails: every clock and move number, each half hour |
//! | `envelope` | whoever seals: what has to stand on the envelope of an adjourned game |
//!
//! Pure: it is made of the book and of what the clock on the wall reads, so that it is the same on any day.

mod day;
mod desk;
mod envelope;
mod markup;
mod matches;
mod round;
mod scoresheet;
mod spoken;
mod times;

pub use day::Day;
pub use desk::{Desk, Dress, Paper, STYLE};
pub(crate) use markup::quoted;
pub(super) use round::happened_in;

use super::book::Games;

impl Games {
    /// A paper as HTML, or a sentence that says why there is none.
    pub fn paper(&self, paper: &Paper, desk: &Desk<'_>) -> Result<String, String> {
        let (title, body) = match paper {
            Paper::Report { event, round } => round::report(self, event, *round, desk)?,
            Paper::Sheets { event, round, notation } => scoresheet::all(self, event, *round, *notation)?,
            Paper::Sheet { at, notation } => scoresheet::one(self, at, *notation)?,
            Paper::Clocks { event, round } => times::all(self, event, *round, desk.day)?,
            Paper::Envelope { at } => envelope::sheet(self, at, desk.day)?,
        };
        Ok(markup::page(&title, desk.dress, &body))
    }
}
