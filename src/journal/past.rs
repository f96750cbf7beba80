//! What was ever written, read back.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use hall::Scope;

use super::{
    JournalError, chapter::Chapter, leaves::Tail, place, place::FOLDER, positions::Positions, proof::examine,
    store::Store,
};

/// All that is proven of the journal files, or of the one that was asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Past {
    /// One chapter a file.
    pub chapters: BTreeMap<Scope, Chapter>,
    /// What is not as it was written: a sentence each.
    pub findings: Vec<String>,
    /// What was not read, and where it ends.
    pub shelved: BTreeMap<Scope, Tail>,
}

impl Past {
    /// The latest time in it, in milliseconds of the round.
    pub fn last_t(&self) -> u64 {
        self.last_moment().map_or(0, |last| last.t)
    }

    /// The same with the time of day when it was written: by this pair all times of the record are told on the wall. What
    /// is written at a stop or a start about the files themselves is no moment of the record, however late it came.
    pub fn last_moment(&self) -> Option<Tail> {
        let read = self.chapters.values().filter_map(Chapter::last_moment);
        read.chain(self.shelved.values().copied()).max_by_key(|last| (last.t, Reverse(last.wall_ms)))
    }
}

/// Reads one file or a whole state folder, changing nothing.
pub(super) fn read(path: &Path) -> Result<Past, JournalError> {
    look_through(path).map_err(JournalError::of_reading)
}

fn look_through(path: &Path) -> Result<Past, JournalError> {
    let mut past = Past::default();
    let mut take = |file: &Path, scope: Scope, known: Option<&_>| {
        let examined = examine(Store::look, file, &scope, known)?;
        past.findings.extend(examined.sentence(file));
        past.chapters.insert(scope, examined.chapter);
        Ok::<_, JournalError>(())
    };
    if !path.is_dir() {
        take(path, scope_in(path)?, None)?;
        return Ok(past);
    }
    let there = files(path)?;
    if there.is_empty() {
        return Err(JournalError::Missing { path: path.to_owned() });
    }
    let (positions, _) = Positions::read(path);
    let mut scopes = there.iter().filter_map(|file| place::scope_of(file)).collect::<Vec<_>>();
    scopes.extend(positions.known.keys().filter(|scope| !scopes.contains(scope)).cloned().collect::<Vec<_>>());
    for scope in scopes {
        take(&place::file(&scope, path)?, scope.clone(), positions.known.get(&scope))?;
    }
    Ok(past)
}

/// The file's own word for what it is, for a copy that lies elsewhere under another name.
fn scope_in(path: &Path) -> Result<Scope, JournalError> {
    let store = Store::look(path)?;
    store.layout()?;
    let says = store.contents().meta.get("scope").and_then(|scope| scope.parse().ok());
    says.or_else(|| place::scope_of(path)).ok_or_else(|| JournalError::Foreign { path: path.to_owned() })
}

/// The journal files of a state folder.
pub(super) fn files(state: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let journal = state.join(FOLDER);
    if !journal.try_exists().map_err(|cause| JournalError::io(&journal, "look at", cause))? {
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    for path in inside(&journal)? {
        if path.is_dir() {
            files.extend(inside(&path)?);
        } else {
            files.push(path);
        }
    }
    files.retain(|path| place::scope_of(path).is_some());
    files.sort();
    Ok(files)
}

/// What is set aside of the hall's file may hold orders that nothing else does, about what spectators may see too.
pub(super) fn set_aside(state: &Path) -> Result<Vec<String>, JournalError> {
    let journal = state.join(FOLDER);
    if !journal.is_dir() {
        return Ok(Vec::new());
    }
    let mut files = inside(&journal)?;
    files.retain(|file| place::is_set_aside(file));
    files.sort();
    let sentence = |file: PathBuf| {
        format!(
            "{} is the hall's file as it was found once, and may know what the one of today does not: stop the daemon, \
             and `escaque journal mend --from COPY` takes in what a copy knows; move it elsewhere when nothing of it \
             is missed",
            file.display()
        )
    };
    Ok(files.into_iter().map(sentence).collect())
}

fn inside(folder: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let list = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    list().map_err(|cause| JournalError::io(folder, "list", cause))
}
