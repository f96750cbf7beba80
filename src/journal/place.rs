//! Which file lies where, and what may name one.

use std::path::{Path, PathBuf};

use hall::Scope;

use super::JournalError;

/// The folder of all journal files in a state folder.
pub(super) const FOLDER: &str = "journal";
const HALL: &str = "hall.sqlite";
/// What takes up room beside them.
pub(super) const BALLAST: &str = "ballast";
/// Where it is written how far each file goes.
pub(super) const POSITIONS: [&str; 2] = ["positions-1", "positions-2"];
const SUFFIX: &str = "sqlite";
/// What follows on the name of a file that was not whole, before the day.
const DAMAGED: &str = ".damaged-";

/// Whether there can be a file for it: what a name may be is decided here, before anything is written.
pub fn check(scope: &Scope) -> Result<(), JournalError> {
    file(scope, Path::new("")).map(|_| ())
}

/// Where its file is in a state folder.
pub fn file(scope: &Scope, state: &Path) -> Result<PathBuf, JournalError> {
    let journal = state.join(FOLDER);
    match scope {
        Scope::Hall => Ok(journal.join(HALL)),
        Scope::Round { event, round } if is_folder_name(event) => {
            Ok(journal.join(event).join(format!("{round}.{SUFFIX}")))
        }
        Scope::Round { event, .. } => Err(JournalError::BadName { name: event.clone() }),
    }
}

/// The scope whose file this is, as far as its place tells.
pub(super) fn scope_of(file: &Path) -> Option<Scope> {
    if file.file_name()? == HALL {
        return Some(Scope::Hall);
    }
    let round = file.file_stem()?.to_str()?.parse().ok()?;
    let event = file.parent()?.file_name()?.to_str()?.to_owned();
    (file.extension()? == SUFFIX && is_folder_name(&event)).then_some(Scope::Round { event, round })
}

/// What was put beside the hall's file because it was not whole, its log aside.
pub(super) fn is_set_aside(file: &Path) -> bool {
    let name = file.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_prefix(HALL));
    let is_log = |name: &str| name.ends_with("-wal") || name.ends_with("-shm");
    name.is_some_and(|name| name.starts_with(DAMAGED) && !is_log(name))
}

/// A name becomes a folder beside the hall's file, and another one beside the games of all events: it may neither leave
/// them nor take the place of a file, or of what SQLite keeps beside it.
fn is_folder_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let taken = name.starts_with(HALL) || name == BALLAST || POSITIONS.contains(&name) || name.ends_with(".pgn");
    !name.is_empty() && !name.starts_with('.') && !taken && name.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scope_is_found_again_from_its_file() {
        for scope in [Scope::Hall, Scope::Round { event: "open-2026".to_owned(), round: 7 }] {
            let path = file(&scope, Path::new("/state")).expect("the name is fit for a folder");
            assert_eq!(scope_of(&path), Some(scope));
        }
    }

    #[test]
    fn no_event_leaves_the_folder_or_takes_the_place_of_a_file() {
        let taken = ["hall.sqlite", "hall.sqlite-wal", "ballast", "positions-1", "positions-2", "open.pgn"];
        for event in ["", "..", ".hidden", "a/b", "../x", "sp ace"].into_iter().chain(taken) {
            let scope = Scope::Round { event: event.to_owned(), round: 1 };
            assert!(file(&scope, Path::new("/state")).is_err(), "{event:?} was taken");
        }
    }
}
