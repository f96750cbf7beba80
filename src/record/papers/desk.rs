//! Which papers there are, and for whom and when one is made.

use protocol::feed::{Address, Notation, Staff};

use super::day::Day;

/// How the papers look, on a screen and on A4.
pub const STYLE: &str = include_str!("print.css");

/// Which paper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paper {
    /// What has happened in a round.
    Report {
        /// The event.
        event: String,
        /// The round.
        round: u16,
    },
    /// The scoresheets of a round, a sheet a game.
    Sheets {
        /// The event.
        event: String,
        /// The round.
        round: u16,
        /// In which letters, if not in those of the event.
        notation: Option<Notation>,
    },
    /// The scoresheet of a game, or of all games of a table.
    Sheet {
        /// Which.
        at: Address,
        /// In which letters, if not in those of the event.
        notation: Option<Notation>,
    },
    /// All clocks and move numbers of a round, each half hour.
    Clocks {
        /// The event.
        event: String,
        /// The round.
        round: u16,
    },
    /// What has to stand on the envelope of an adjourned game.
    Envelope {
        /// Which game.
        at: Address,
    },
}

/// Where the style of a page comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dress {
    /// From this address: pages of a server may hold none.
    Linked(&'static str),
    /// It stands in the page, which goes alone.
    Inside,
}

/// For whom a paper is made, when, and how it gets its style.
#[derive(Clone, Debug)]
pub struct Desk<'a> {
    /// Who reads it: alerts are for those they name.
    pub reader: Staff,
    /// What the clock on the wall reads.
    pub day: &'a Day,
    /// Where the style comes from.
    pub dress: Dress,
}
