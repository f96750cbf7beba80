//! What is handed in.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use hall::Input;
use protocol::{
    board::{ClockSense, Observation},
    feed::{TableEvent, TableId},
};

use super::JournalError;

/// Which file something belongs in.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// What belongs to no round: events, boards, roles.
    Hall,
    /// One round of one event.
    Round {
        /// The event's name: letters, digits, `-`, `_` and `.`.
        event: String,
        /// From 1.
        round: u16,
    },
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Hall => f.write_str("hall"),
            Scope::Round { event, round } => write!(f, "{event}/{round}"),
        }
    }
}

impl Scope {
    /// Where its file is in a state folder.
    pub fn path(&self, state: &Path) -> Result<PathBuf, JournalError> {
        let journal = state.join(FOLDER);
        match self {
            Scope::Hall => Ok(journal.join(HALL)),
            Scope::Round { event, round } if is_folder_name(event) => {
                Ok(journal.join(event).join(format!("{round}.{SUFFIX}")))
            }
            Scope::Round { event, .. } => Err(JournalError::BadName { name: event.clone() }),
        }
    }

    /// Whether there can be a file for it: what a name may be is decided here, before anything is written.
    pub fn check(&self) -> Result<(), JournalError> {
        self.path(Path::new("")).map(|_| ())
    }

    /// Whether a table belongs to it.
    pub(super) fn is_of(&self, id: &TableId) -> bool {
        match self {
            Scope::Hall => false,
            Scope::Round { event, round } => id.event == *event && id.round == *round,
        }
    }

    /// A table of the round.
    pub(super) fn table(&self, table: u16) -> Option<TableId> {
        match self {
            Scope::Hall => None,
            Scope::Round { event, round } => Some(TableId { event: event.clone(), round: *round, table }),
        }
    }

    /// The scope of this name.
    pub(super) fn parse(name: &str) -> Option<Scope> {
        match name.split_once('/') {
            Some((event, round)) => Some(Scope::Round { event: event.to_owned(), round: round.parse().ok()? }),
            None => (name == "hall").then_some(Scope::Hall),
        }
    }

    /// The scope whose file this is, as far as its place tells.
    pub(super) fn of(path: &Path) -> Option<Scope> {
        if path.file_name()? == HALL {
            return Some(Scope::Hall);
        }
        let round = path.file_stem()?.to_str()?.parse().ok()?;
        let event = path.parent()?.file_name()?.to_str()?.to_owned();
        (path.extension()? == SUFFIX && is_folder_name(&event)).then_some(Scope::Round { event, round })
    }
}

/// The folder of all journal files in a state folder.
pub(super) const FOLDER: &str = "journal";
const HALL: &str = "hall.sqlite";
const SUFFIX: &str = "sqlite";

/// A name becomes a folder beside the hall's file: it may neither leave the journal nor take the place of the file or
/// of what SQLite keeps beside it.
fn is_folder_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !name.is_empty() && !name.starts_with('.') && !name.starts_with(HALL) && name.chars().all(allowed)
}

/// One input.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// When, in milliseconds of the round.
    pub t: u64,
    /// What it says.
    pub said: Said,
}

/// What one row says.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// An input, in as few bytes as it needs.
    Input(Input),
    /// Anything else, as JSON and word for word: an order with the name of who gave it, a change at the doors.
    Text(String),
}

impl From<Input> for Said {
    fn from(input: Input) -> Said {
        Said::Input(input)
    }
}

impl Said {
    /// What a text says: an input if it says nothing beside it, so that every text is written again as it was.
    pub(super) fn read(text: &str) -> Said {
        let input = serde_json::from_str::<Input>(text).ok();
        let whole = input.filter(|input| serde_json::to_string(input).is_ok_and(|again| again == text));
        whole.map_or_else(|| Said::Text(text.to_owned()), Said::Input)
    }
}

/// Inputs of one file and the entries that follow from them: on disk together or not at all.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The file.
    pub scope: Scope,
    /// The inputs, in order.
    pub inputs: Vec<Row>,
    /// The entries, in order.
    pub entries: Vec<TableEvent>,
}

impl Batch {
    /// Whether it may wait some seconds for others to be written with: a clock that counts is worth no commit.
    pub fn can_wait(&self) -> bool {
        let is_clock = |row: &Row| {
            matches!(
                &row.said,
                Said::Input(Input::Observed { observation: Observation::Clock(ClockSense::Reading(_)), .. })
            )
        };
        self.entries.is_empty() && self.inputs.iter().all(is_clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_found_again_from_its_file() {
        for scope in [Scope::Hall, Scope::Round { event: "open-2026".to_owned(), round: 7 }] {
            let path = scope.path(Path::new("/state")).expect("the name is fit for a folder");
            assert_eq!(Scope::of(&path), Some(scope));
        }
    }

    #[test]
    fn no_event_leaves_the_folder_or_takes_the_halls_place() {
        for event in ["", "..", ".hidden", "a/b", "../x", "hall.sqlite", "hall.sqlite-wal", "sp ace"] {
            let scope = Scope::Round { event: event.to_owned(), round: 1 };
            assert!(scope.path(Path::new("/state")).is_err(), "{event:?} was taken");
        }
    }
}
