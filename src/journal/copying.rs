//! Copies: files made from what is proven of others.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    JournalError, Past,
    chapter::Chapter,
    folder::{self, Lock},
    past, place,
    positions::{Known, Positions},
    store::{Store, beside},
};

/// What in a state folder belongs to the machine and not to the event.
const COPIED: [&str; 1] = ["operator.token"];

/// Writes what is proven of one state folder into another: all of it, or nothing that is in the way of another try.
pub(super) fn copy(from: &Path, to: &Path) -> Result<Past, JournalError> {
    let past = past::read(from)?;
    if !past::files(to)?.is_empty() {
        return Err(JournalError::Taken { path: to.to_owned() });
    }
    let ours = made_by_a_copy(&past, to)?;
    folder::make_state(to)?;
    let lock = Lock::take(to)?;
    let filled = fill(from, &past, to);
    if let Err(error) = filled {
        ours.files.iter().for_each(|file| _ = fs::remove_file(file));
        drop(lock);
        ours.folders.iter().for_each(|folder| _ = fs::remove_dir(folder));
        return Err(if let JournalError::Full { .. } = error { no_room(to) } else { error });
    }
    Ok(past)
}

fn no_room(to: &Path) -> JournalError {
    JournalError::NoRoom { path: to.to_owned() }
}

/// What a copy leaves that is given up.
struct Begun {
    files: Vec<PathBuf>,
    /// The innermost first.
    folders: Vec<PathBuf>,
}

/// What is not there yet and comes with a copy.
fn made_by_a_copy(past: &Past, to: &Path) -> Result<Begun, JournalError> {
    let files = past.chapters.keys().map(|scope| place::file(scope, to)).collect::<Result<Vec<_>, _>>()?;
    let journal = to.join(place::FOLDER);
    let events = files.iter().filter_map(|file| file.parent()).filter(|folder| *folder != journal);
    let mut folders = events.map(Path::to_owned).collect::<Vec<_>>();
    folders.extend([journal.clone(), to.to_owned()]);
    let endings = ["", "-wal", "-shm", ".new", ".new-wal", ".new-shm"];
    let mut files = files.iter().flat_map(|file| endings.map(|ending| beside(file, ending))).collect::<Vec<_>>();
    files.extend(place::POSITIONS.map(|name| journal.join(name)));
    files.extend(COPIED.into_iter().chain(["lock"]).map(|name| to.join(name)));
    let is_new = |path: &PathBuf| !path.exists();
    files.retain(is_new);
    folders.retain(is_new);
    Ok(Begun { files, folders })
}

fn fill(from: &Path, past: &Past, to: &Path) -> Result<(), JournalError> {
    let (mut positions, _) = Positions::read(to);
    for (scope, chapter) in &past.chapters {
        put(&place::file(scope, to)?, chapter)?;
        positions.known.insert(scope.clone(), Known::of(chapter));
    }
    positions.write();
    // A daemon goes on without them; a copy whose end nobody can prove is none.
    if Positions::read(to).0.known != positions.known {
        return Err(no_room(to));
    }
    for name in COPIED {
        let there = from.join(name);
        if there.is_file() {
            fs::copy(&there, to.join(name)).map_err(|cause| JournalError::io(&there, "copy", cause))?;
            folder::hand_over(&to.join(name))?;
        }
    }
    Ok(())
}

fn put(path: &Path, chapter: &Chapter) -> Result<(), JournalError> {
    Store::make(path, chapter, chapter.id(), |ending| beside(path, &format!(".old{ending}"))).map(drop)
}
