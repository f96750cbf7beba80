//! Ten ways to get it wrong, each of which has to be found. They stand where the simulation joins the daemon's rooms, so
//! that the daemon itself has no room for them.

use hall::Input;

use crate::journal::{Batch, Row, Said};

/// A mistake somebody could make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mutant {
    /// The disk says yes before it has written.
    ToldBeforeWritten,
    /// The last commit is gone after a kill.
    LostAtAKill,
    /// What was told is written, and not what it follows from.
    NoInputs,
    /// That time passed is not written.
    NoTime,
    /// Clocks are not written.
    NoClocks,
    /// A start does not say that the daemon was away.
    BackWithoutAWord,
    /// Nothing is done unless somebody moves.
    DeadlinesAreForgotten,
    /// Moves are timed by the clock on the wall.
    TimeOfTheWall,
    /// A port may say what it likes.
    NoLimit,
    /// After a start spectators are shown the games as they are.
    AirIsForgotten,
}

impl Mutant {
    pub(super) const ALL: [Mutant; 10] = [
        Mutant::ToldBeforeWritten,
        Mutant::LostAtAKill,
        Mutant::NoInputs,
        Mutant::NoTime,
        Mutant::NoClocks,
        Mutant::BackWithoutAWord,
        Mutant::DeadlinesAreForgotten,
        Mutant::TimeOfTheWall,
        Mutant::NoLimit,
        Mutant::AirIsForgotten,
    ];

    /// The evening on which it was found last, where to begin to look: most show on any, some need what seldom meets.
    pub(super) fn found_last(self) -> u64 {
        match self {
            Mutant::NoTime => 4,
            Mutant::NoLimit => 5,
            Mutant::AirIsForgotten => 17,
            Mutant::ToldBeforeWritten
            | Mutant::LostAtAKill
            | Mutant::NoInputs
            | Mutant::NoClocks
            | Mutant::BackWithoutAWord
            | Mutant::DeadlinesAreForgotten
            | Mutant::TimeOfTheWall => 1,
        }
    }

    /// Spoils what is about to be written.
    pub(super) fn spoil(self, batch: &mut Batch) {
        let is_time = |row: &Row| matches!(row.said, Said::Input(Input::Elapsed { .. }));
        match self {
            Mutant::NoInputs if !batch.entries.is_empty() => batch.inputs.clear(),
            Mutant::NoTime => batch.inputs.retain(|row| !is_time(row)),
            Mutant::NoClocks if batch.can_wait() => batch.inputs.clear(),
            Mutant::NoInputs
            | Mutant::NoClocks
            | Mutant::ToldBeforeWritten
            | Mutant::LostAtAKill
            | Mutant::BackWithoutAWord
            | Mutant::DeadlinesAreForgotten
            | Mutant::TimeOfTheWall
            | Mutant::NoLimit
            | Mutant::AirIsForgotten => {}
        }
    }
}
