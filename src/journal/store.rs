//! One journal file: SQLite as a log.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, config::DbConfig, params};

use super::{Chapter, JournalError, Kept, Published, Row, Scope, birth};

/// The layout of the tables. A later one is refused: what it means by a row is not ours to guess.
pub(super) const LAYOUT: i64 = 1;

/// Marks a SQLite file as ours: "Escq".
pub(super) const OURS: i64 = 0x4573_6371;

/// How long to wait for a program that holds the file, for instance to copy it.
const PATIENCE: Duration = Duration::from_secs(2);

/// One file, checked and open.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    connection: Connection,
}

impl Store {
    /// Opens a file for writing, making it if there is none.
    pub(super) fn open(path: &Path, scope: &Scope, build: &str, wall_ms: u64) -> Result<Store, JournalError> {
        if !path.exists() {
            birth::make(path, scope, build, wall_ms)?;
        }
        refuse_odd(path)?;
        let store = Store::connect(path, path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.demand("journal_mode", "WAL", "wal")?;
        store.demand("synchronous", "FULL", "2")?;
        Ok(store)
    }

    /// Reads a file, changing neither it nor what is beside it if nobody writes it.
    pub(super) fn read(path: &Path) -> Result<Chapter, JournalError> {
        refuse_odd(path)?;
        let log = beside(path, "-wal");
        if !log.exists() {
            // Without a log nobody is writing. Saying so to SQLite lets it read a copy in a folder where it may not
            // make the files it would otherwise want.
            let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
            let chapter = Store::connect(path, immutable(path).as_ref(), flags).and_then(|store| store.chapter());
            if !log.exists() {
                return chapter;
            }
        }
        Store::connect(path, path, OpenFlags::SQLITE_OPEN_READ_ONLY)?.chapter()
    }

    /// Adds batches in one transaction. On return they are on disk; gives the number of the last input of each.
    pub(super) fn append<'a>(
        &mut self,
        batches: impl Iterator<Item = (&'a [Row], &'a [Kept])>,
        build: &str,
        wall_ms: u64,
    ) -> Result<Vec<u64>, JournalError> {
        let write = |connection: &mut Connection| {
            let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
            let upto = batches
                .map(|(inputs, entries)| add(&transaction, inputs, entries, build, wall_ms))
                .collect::<Result<_, _>>()?;
            transaction.commit()?;
            Ok(upto)
        };
        write(&mut self.connection).map_err(|cause| JournalError::sqlite(&self.path, "write", cause))
    }

    /// Closes the file after an error without a last attempt to tidy it: the log is read again at the next start.
    pub(super) fn abandon(self) {
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }

    /// All that was ever written.
    pub(super) fn chapter(&self) -> Result<Chapter, JournalError> {
        self.ask("read", |connection| {
            // One transaction, so that no commit of another connection falls between the questions.
            let snapshot = connection.unchecked_transaction()?;
            let meta = snapshot
                .prepare("SELECT key, value FROM meta")?
                .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<Result<BTreeMap<String, String>, _>>()?;
            let inputs = snapshot
                .prepare("SELECT t_ms, table_no, body FROM inputs ORDER BY seq")?
                .query_map((), |row| Ok(Row { t: row.get(0)?, table: row.get(1)?, body: row.get(2)? }))?
                .collect::<Result<Vec<_>, _>>()?;
            let entries = snapshot
                .prepare("SELECT t_ms, table_no, game, body, build, after_input FROM entries ORDER BY seq")?
                .query_map((), |row| {
                    let kept = Kept { t: row.get(0)?, table: row.get(1)?, game: row.get(2)?, body: row.get(3)? };
                    Ok(Published { kept, build: row.get(4)?, after: row.get(5)? })
                })?
                .collect::<Result<Vec<_>, _>>()?;
            let (last_t, last_wall_ms) = snapshot.query_row(
                "SELECT max(t_ms), max(wall_ms) FROM
                   (SELECT t_ms, wall_ms FROM inputs UNION ALL SELECT t_ms, wall_ms FROM entries)",
                (),
                |row| Ok((row.get(0)?, row.get(1)?)),
            )?;
            Ok(Chapter { meta, inputs, entries, last_t, last_wall_ms })
        })
    }

    /// Opens a file that is there, by the name SQLite shall use for it, and refuses it unless it is ours and sound.
    fn connect(path: &Path, name: &Path, mode: OpenFlags) -> Result<Store, JournalError> {
        let flags = mode | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
        let connection =
            Connection::open_with_flags(name, flags).map_err(|cause| JournalError::sqlite(path, "open", cause))?;
        let store = Store { path: path.to_owned(), connection };
        store.ask("set up", |connection| {
            connection.busy_timeout(PATIENCE)?;
            connection.execute_batch("PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON;")
        })?;
        store.refuse_others()?;
        store.check()?;
        Ok(store)
    }

    fn refuse_others(&self) -> Result<(), JournalError> {
        let mark = self.pragma("application_id")?;
        let layout = self.pragma("user_version")?;
        let path = self.path.clone();
        match layout.parse::<i64>().unwrap_or(0) {
            _ if mark != OURS.to_string() => Err(JournalError::Foreign { path }),
            found if found > LAYOUT => Err(JournalError::Newer { path, found, known: LAYOUT }),
            LAYOUT => Ok(()),
            found => Err(JournalError::Damaged { path, what: format!("it says it has layout {found}") }),
        }
    }

    fn check(&self) -> Result<(), JournalError> {
        let what = self.pragma("quick_check")?;
        if what == "ok" { Ok(()) } else { Err(JournalError::Damaged { path: self.path.clone(), what }) }
    }

    /// Sets a pragma and reads it back: where SQLite can't do what is asked it keeps to what it can, silently.
    fn demand(&self, setting: &'static str, wanted: &'static str, reads: &str) -> Result<(), JournalError> {
        self.ask("set up", |connection| connection.execute_batch(&format!("PRAGMA {setting}={wanted}")))?;
        let found = self.pragma(setting)?;
        if found == reads {
            return Ok(());
        }
        Err(JournalError::Unsafe { path: self.path.clone(), setting, wanted, found })
    }

    fn pragma(&self, name: &str) -> Result<String, JournalError> {
        self.ask("check", |connection| {
            connection.query_row(&format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"), (), |row| row.get(0))
        })
    }

    fn ask<T>(
        &self,
        doing: &'static str,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        question(&self.connection).map_err(|cause| JournalError::sqlite(&self.path, doing, cause))
    }
}

fn add(
    transaction: &Transaction<'_>,
    inputs: &[Row],
    entries: &[Kept],
    build: &str,
    wall_ms: u64,
) -> rusqlite::Result<u64> {
    let mut input = transaction.prepare("INSERT INTO inputs (t_ms, wall_ms, table_no, body) VALUES (?, ?, ?, ?)")?;
    for row in inputs {
        input.execute(params![row.t, wall_ms, row.table, row.body])?;
    }
    let upto = transaction.query_row("SELECT coalesce(max(seq), 0) FROM inputs", (), |row| row.get(0))?;
    let mut entry = transaction.prepare(
        "INSERT INTO entries (after_input, t_ms, wall_ms, table_no, game, build, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?;
    for kept in entries {
        entry.execute(params![upto, kept.t, wall_ms, kept.table, kept.game, build, kept.body])?;
    }
    Ok(upto)
}

/// Refuses what SQLite would take for something else than it is: a folder, nothing at all, or an empty file, which it
/// would take for a new database.
fn refuse_odd(path: &Path) -> Result<(), JournalError> {
    let file = fs::metadata(path).map_err(|cause| JournalError::io(path, "open", cause))?;
    if file.is_dir() {
        return Err(JournalError::WrongKind { path: path.to_owned(), wanted: "file" });
    }
    if file.len() == 0 {
        return Err(JournalError::Damaged { path: path.to_owned(), what: "it is empty".to_owned() });
    }
    Ok(())
}

/// The name of what belongs to a file and lies beside it.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The name by which SQLite takes a file as one that nobody changes.
fn immutable(path: &Path) -> PathBuf {
    let escape = |c: char| match c {
        '%' | '?' | '#' => format!("%{:02x}", u32::from(c)),
        _ => c.to_string(),
    };
    format!("file:{}?immutable=1", path.to_string_lossy().chars().map(escape).collect::<String>()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_that_finds_no_room_leaves_nothing_of_its_batches() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("1.sqlite");
        let mut store = Store::open(&path, &Scope::Hall, "0.1.0", 0).expect("the folder is writable");
        let small = vec![Row { t: 0, table: None, body: "{}".to_owned() }];
        let large = vec![Row { t: 1, table: None, body: "x".repeat(1 << 20) }];
        let both = [(small.as_slice(), [].as_slice()), (large.as_slice(), [].as_slice())];
        store.append(both[..1].iter().copied(), "0.1.0", 0).expect("there is room for this");

        store.connection.execute_batch("PRAGMA max_page_count = 20").expect("SQLite takes a limit");
        let full = store.append(both.iter().copied(), "0.1.0", 0).expect_err("a mebibyte needs more than 20 pages");
        assert!(matches!(full, JournalError::Full { .. }), "{full:?}");
        assert_eq!(store.chapter().expect("the file is sound").inputs, small);
    }

    #[test]
    fn a_sync_setting_that_does_not_hold_is_refused() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("1.sqlite");
        let store = Store::open(&path, &Scope::Hall, "0.1.0", 0).expect("the folder is writable");
        assert_eq!(store.pragma("synchronous").expect("it can be read"), "2");
        let refused = store.demand("synchronous", "NORMAL", "2").expect_err("it reads back as 1");
        assert!(matches!(refused, JournalError::Unsafe { setting: "synchronous", .. }), "{refused:?}");
        assert_eq!(store.pragma("synchronous").expect("it can be read"), "1");
        assert_eq!(store.pragma("journal_mode").expect("it can be read"), "wal");
    }

    #[test]
    fn what_a_crash_left_of_a_file_being_made_is_made_again() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("1.sqlite");
        for ending in [".new", ".new-wal", ".new-shm"] {
            fs::write(beside(&path, ending), "half").expect("the folder is writable");
        }
        Store::open(&path, &Scope::Hall, "0.1.0", 0).expect("the leftovers are ours to replace");
        assert!(!beside(&path, ".new").exists());
    }
}
