//! How a journal file comes to be: whole, or not at all.

use std::{fs, io, path::Path};

use rusqlite::Connection;

use super::{
    JournalError, Scope, folder,
    store::{LAYOUT, OURS, beside},
};

/// Makes a new file under another name and gives it its own when it is whole. So an empty or half a journal is never
/// what a start left behind, but damage.
pub(super) fn make(path: &Path, scope: &Scope, build: &str, wall_ms: u64) -> Result<(), JournalError> {
    refuse_widow(path)?;
    let new = beside(path, ".new");
    for left in [beside(&new, "-wal"), beside(&new, "-shm")] {
        match fs::remove_file(&left) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                return Err(JournalError::io(&left, "remove", cause));
            }
            _ => {}
        }
    }
    // Of a forbidden folder SQLite says only that it can't open the file; the kernel says why.
    fs::File::create(&new).map_err(|cause| JournalError::io(&new, "make", cause))?;
    fill(&new, scope, build, wall_ms).map_err(|cause| JournalError::sqlite(path, "make", cause))?;
    fs::rename(&new, path).map_err(|cause| JournalError::io(path, "make", cause))?;
    folder::sync_parent(path)
}

fn fill(path: &Path, scope: &Scope, build: &str, wall_ms: u64) -> rusqlite::Result<()> {
    let mut connection = Connection::open(path)?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA application_id={OURS}; PRAGMA user_version={LAYOUT};"
    ))?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    for (key, value) in [("scope", scope.to_string()), ("build", build.into()), ("begun_wall_ms", wall_ms.to_string())]
    {
        transaction.execute("INSERT INTO meta VALUES (?, ?)", [key.to_owned(), value])?;
    }
    transaction.commit()?;
    connection.close().map_err(|(_, cause)| cause)
}

/// A log whose file is gone: SQLite would write the old log into the new file.
fn refuse_widow(path: &Path) -> Result<(), JournalError> {
    if !beside(path, "-wal").exists() {
        return Ok(());
    }
    let what = "the file is missing, but its log is still there".to_owned();
    Err(JournalError::Damaged { path: path.to_owned(), what })
}
