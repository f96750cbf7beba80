//! What was ever written, read back.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use hall::Input;

use super::{Committed, Done, Entries, JournalError, Kept, Row, Scope, batch::FOLDER, store::Store};

/// All that is in the journal files, or in the one that was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    /// One chapter a file.
    pub chapters: BTreeMap<Scope, Chapter>,
}

/// All that is in one journal file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chapter {
    /// How the file began: `scope`, `build` and `begun_wall_ms`.
    pub meta: BTreeMap<String, String>,
    /// All inputs, in order.
    pub inputs: Vec<Row>,
    /// All entries, in order.
    pub entries: Vec<Published>,
    /// The latest time of an input or an entry.
    pub last_t: Option<u64>,
    /// When the last commit was, in milliseconds since 1970, by this machine's clock.
    pub last_wall_ms: Option<u64>,
}

/// An entry as it was published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Published {
    /// The entry.
    pub kept: Kept,
    /// The build that published it.
    pub build: String,
    /// The number of the last input it follows from; the first input has number 1.
    pub after: u64,
}

/// How the orders among the inputs begin.
const ORDERED: &str = r#"{"input":"ordered""#;

/// Reads one file or a whole state folder, changing nothing.
pub(super) fn read(path: &Path) -> Result<Past, JournalError> {
    let files = if path.is_dir() { files(path)? } else { vec![path.to_owned()] };
    if files.is_empty() {
        return Err(JournalError::Missing { path: path.to_owned() });
    }
    let chapter = |file: PathBuf| {
        let chapter = Store::read(&file)?;
        let scope = Scope::of(&file).or_else(|| chapter.scope()).ok_or(JournalError::Foreign { path: file })?;
        Ok((scope, chapter))
    };
    Ok(Past { chapters: files.into_iter().map(chapter).collect::<Result<_, _>>()? })
}

impl Chapter {
    /// What was told of it: the orders that were done, and the entries. It was read from the disk, so it is committed.
    /// What this build can't read is left out.
    pub fn record(&self) -> Committed<Entries> {
        let orders = self.inputs.iter().filter(|row| row.body.starts_with(ORDERED));
        let done = |row: &Row| match serde_json::from_str(&row.body) {
            Ok(Input::Ordered(order)) => Some(Done { order, events: Vec::new() }),
            Ok(
                Input::Observed { .. }
                | Input::Pressed { .. }
                | Input::Elapsed { .. }
                | Input::Searched { .. }
                | Input::Resumed { .. }
                | Input::Settings { .. },
            )
            | Err(_) => None,
        };
        let event = |published: &Published| serde_json::from_str(&published.kept.body).ok();
        let entries = Entries {
            done: orders.filter_map(done).collect(),
            events: self.entries.iter().filter_map(event).collect(),
        };
        Committed::new(entries, self.inputs.len() as u64)
    }

    /// The file's own word for what it is, for a copy that lies elsewhere under another name.
    fn scope(&self) -> Option<Scope> {
        match self.meta.get("scope")?.split_once('/') {
            Some((event, round)) => Some(Scope::Round { event: event.to_owned(), round: round.parse().ok()? }),
            None => Some(Scope::Hall),
        }
    }
}

/// The journal files of a state folder.
pub(super) fn files(state: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let journal = state.join(FOLDER);
    if !journal.exists() {
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
    files.retain(|path| Scope::of(path).is_some());
    files.sort();
    Ok(files)
}

fn inside(folder: &Path) -> Result<Vec<PathBuf>, JournalError> {
    let list = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
    list().map_err(|cause| JournalError::io(folder, "list", cause))
}
