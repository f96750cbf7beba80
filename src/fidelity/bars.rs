//! What is asked of the record.

use crate::rehearsal::Profile;

/// What is asked; nothing where nothing is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bars {
    /// Of 10,000 games at least so many are exact.
    pub exact: Option<u64>,
    /// Of a million plies at most so many finals were not played.
    pub false_finals: Option<u64>,
    /// Of 10,000 games at most so many are wrong and not admitted.
    pub silent: Option<u64>,
    /// Of 100,000 games at most so many accusations stand that nobody deserved.
    pub accused: Option<u64>,
    /// At most so many accusations of moving out of turn were raised at all.
    pub out_of_turn: Option<u64>,
    /// At most so many plies too many were ever final.
    pub surplus: Option<u64>,
    /// At most so many results are wrong or missing.
    pub wrong_results: Option<u64>,
    /// Of 100 dead squares at least so many are named in time.
    pub named: Option<u64>,
    /// Of 10,000 tables at least so many are followed to the last position.
    pub followed: Option<u64>,
    /// At most so many false finals are not marked as inferred.
    pub unmarked: Option<u64>,
}

impl Bars {
    /// Nothing is asked.
    pub const NONE: Bars = Bars {
        exact: None,
        false_finals: None,
        silent: None,
        accused: None,
        out_of_turn: None,
        surplus: None,
        wrong_results: None,
        named: None,
        followed: None,
        unmarked: None,
    };

    /// What is asked of the reconstruction where people play like this.
    pub const fn of(profile: Profile, clock: bool) -> Bars {
        let (exact, false_finals, silent) = match (profile, clock) {
            (Profile::Classical, true) => (9_995, Some(10), 0),
            (Profile::Rapid, true) => (9_990, Some(20), 0),
            (Profile::Blitz, true) => (9_980, Some(50), 5),
            (Profile::Classical, false) => (9_950, None, 20),
            (Profile::Rapid, false) => (9_930, None, 20),
            (Profile::Blitz, false) => (9_700, None, 20),
            (Profile::Perfect, _) => (10_000, Some(0), 0),
        };
        Bars { exact: Some(exact), false_finals, silent: Some(silent), ..Bars::NONE }
    }
}
