//! One journal file: SQLite as a log.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Row, Transaction, TransactionBehavior, config::DbConfig, params};

use super::{
    JournalError,
    chapter::Chapter,
    folder,
    leaf::{Chain, Leaf, Position},
};

/// The layout of the tables. A later one is refused: what it means by a row is not ours to guess.
pub(super) const LAYOUT: i64 = 2;

/// Marks a SQLite file as ours: "Escq".
const OURS: i64 = 0x4573_6371;

/// How long to wait for a program that holds the file, for instance to copy it. Who waits longer is told.
const PATIENCE: Duration = Duration::from_millis(500);

/// One file, open.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    connection: Connection,
    is_for_writing: bool,
}

/// What a file holds, as far as it can be read.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) meta: BTreeMap<String, String>,
    pub(super) leaves: Vec<Leaf>,
    /// Why reading ended before its end.
    pub(super) broken: Option<JournalError>,
}

impl Store {
    /// Opens a file for writing.
    pub(super) fn open(path: &Path) -> Result<Store, JournalError> {
        refuse_odd(path)?;
        let store = Store::connect(path, path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        store.demand("journal_mode", "WAL", "wal")?;
        store.demand("synchronous", "FULL", "2")?;
        Ok(Store { is_for_writing: true, ..store })
    }

    /// Puts a file in place that holds a chapter: whole, or not at all. So an empty or half a journal is never what a
    /// start left behind, but damage. What lies there already is kept with its log, when the new one is on disk and
    /// under the name that `aside` gives to each ending.
    pub(super) fn make(
        path: &Path,
        chapter: &Chapter,
        build: &str,
        aside: impl Fn(&str) -> PathBuf,
    ) -> Result<Store, JournalError> {
        folder::make(path.parent().unwrap_or(Path::new(".")))?;
        let new = beside(path, ".new");
        remove(&[beside(&new, "-wal"), beside(&new, "-shm")])?;
        // Of a forbidden folder SQLite says only that it can't open the file; the kernel says why.
        fs::File::create(&new).map_err(|cause| JournalError::io(&new, "make", cause))?;
        // What SQLite makes beside a file it gives to whom the file belongs.
        folder::hand_over(&new)?;
        fill(&new, chapter, build).map_err(|cause| JournalError::sqlite(path, "make", cause))?;
        keep(path, aside)?;
        fs::rename(&new, path).map_err(|cause| JournalError::io(path, "make", cause))?;
        folder::sync_parent(path)?;
        Store::open(path)
    }

    /// Opens a file for reading, changing neither it nor what is beside it if nobody writes it.
    pub(super) fn look(path: &Path) -> Result<Store, JournalError> {
        refuse_odd(path)?;
        if !beside(path, "-wal").exists() {
            return Store::look_at_one_nobody_writes(path);
        }
        let looked = Store::connect(path, path, OpenFlags::SQLITE_OPEN_READ_ONLY).and_then(Store::probed);
        match looked {
            Err(error) if error.is_hindrance() => Store::peek(path),
            looked => looked,
        }
    }

    /// The same where neither room nor a lock is to be had: nothing is made, nobody is asked, and the log is read with
    /// the file. What somebody writes meanwhile may be read torn, which the chain finds.
    pub(super) fn peek(path: &Path) -> Result<Store, JournalError> {
        refuse_odd(path)?;
        // Whoever found no room to open it for writing has left an empty log.
        let has_log = fs::metadata(beside(path, "-wal")).is_ok_and(|log| log.len() > 0);
        let peeked = if has_log { Store::look_without_locks(path) } else { Store::look_at_one_nobody_writes(path) };
        peeked.and_then(Store::probed).map_err(JournalError::of_a_look)
    }

    /// Without a log nobody is writing. Saying so to SQLite lets it read a copy in a folder where it may not make the
    /// files it would otherwise want.
    fn look_at_one_nobody_writes(path: &Path) -> Result<Store, JournalError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        Store::connect(path, immutable(path).as_ref(), flags)
    }

    /// Whoever has a file alone keeps the index of its log in memory, and has it by not asking.
    fn look_without_locks(path: &Path) -> Result<Store, JournalError> {
        let flags =
            OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
        let connection = Connection::open_with_flags_and_vfs(path, flags, c"unix-none").and_then(|connection| {
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            connection.execute_batch("PRAGMA locking_mode=EXCLUSIVE")?;
            Ok(connection)
        });
        Store::set_up(path, connection)
    }

    /// SQLite opens a file when it is asked the first question, and says then what is in the way.
    fn probed(self) -> Result<Store, JournalError> {
        self.pragma("user_version").map(|_| self)
    }

    /// Whether it was opened for writing: what keeps us from reading it then may be something that only writers need.
    pub(super) fn is_for_writing(&self) -> bool {
        self.is_for_writing
    }

    /// Adds leaves in one transaction. On return they are on disk.
    pub(super) fn append(&mut self, leaves: impl Iterator<Item = Leaf>) -> Result<(), JournalError> {
        let write = |connection: &mut Connection| {
            let transaction = Transaction::new(connection, TransactionBehavior::Immediate)?;
            add(&transaction, leaves)?;
            transaction.commit()
        };
        write(&mut self.connection).map_err(|cause| JournalError::sqlite(&self.path, "write", cause))
    }

    /// Closes the file after an error without a last attempt to tidy it: the log is read again at the next start.
    pub(super) fn abandon(self) {
        let _ = self.connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    }

    /// All that is in it, up to the first row that can't be read.
    pub(super) fn contents(&self) -> Contents {
        let mut contents = Contents::default();
        if let Err(cause) = self.read_into(&mut contents) {
            contents.broken = Some(JournalError::sqlite(&self.path, "read", cause));
        }
        contents
    }

    /// What stands at its beginning, and its last two leaves, the last one first.
    pub(super) fn ends(&self) -> Result<Contents, JournalError> {
        self.ask("read", |connection| {
            let meta = meta(connection)?;
            let mut last = connection.prepare(&format!("{LEAVES} ORDER BY leaf DESC LIMIT 2"))?;
            let leaves = last.query_map((), leaf)?.collect::<rusqlite::Result<_>>()?;
            Ok(Contents { meta, leaves, broken: None })
        })
    }

    fn read_into(&self, contents: &mut Contents) -> rusqlite::Result<()> {
        // One transaction, so that no commit of another connection falls between the questions.
        let snapshot = self.connection.unchecked_transaction()?;
        contents.meta = meta(&snapshot)?;
        let mut leaves = snapshot.prepare(&format!("{LEAVES} ORDER BY leaf"))?;
        let mut rows = leaves.query(())?;
        while let Some(row) = rows.next()? {
            contents.leaves.push(leaf(row)?);
        }
        Ok(())
    }

    /// Which layout it has; refuses what is not ours.
    pub(super) fn layout(&self) -> Result<i64, JournalError> {
        let mark = self.pragma("application_id")?;
        let layout = self.pragma("user_version")?.parse::<i64>().unwrap_or(0);
        let path = self.path.clone();
        if mark != OURS.to_string() {
            return Err(JournalError::Foreign { path });
        }
        match layout {
            found if found > LAYOUT => Err(JournalError::Newer { path, found, known: LAYOUT }),
            1..=LAYOUT => Ok(layout),
            found => Err(JournalError::Damaged { path, what: format!("it says it has layout {found}") }),
        }
    }

    /// What SQLite finds wrong with how the file is built.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        let what = self.pragma("quick_check")?;
        if what == "ok" { Ok(()) } else { Err(JournalError::Damaged { path: self.path.clone(), what }) }
    }

    pub(super) fn ask<T>(
        &self,
        doing: &'static str,
        question: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, JournalError> {
        question(&self.connection).map_err(|cause| JournalError::sqlite(&self.path, doing, cause))
    }

    /// Opens a file that is there, by the name SQLite shall use for it.
    fn connect(path: &Path, name: &Path, mode: OpenFlags) -> Result<Store, JournalError> {
        let flags = mode | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_EXRESCODE;
        Store::set_up(path, Connection::open_with_flags(name, flags))
    }

    fn set_up(path: &Path, connection: rusqlite::Result<Connection>) -> Result<Store, JournalError> {
        let connection = connection.map_err(|cause| JournalError::sqlite(path, "open", cause))?;
        let store = Store { path: path.to_owned(), connection, is_for_writing: false };
        store.ask("set up", |connection| {
            connection.busy_timeout(PATIENCE)?;
            // The schema of a file that somebody else may have changed runs no functions. Who writes at the end of a file, or
            // reads it once from its beginning, needs few pages of it in memory: without a bound it would be two megabytes
            // for each round.
            connection.execute_batch("PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; PRAGMA cache_size=-256;")
        })?;
        Ok(store)
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
}

const LEAVES: &str = "SELECT leaf, inputs, entries, t_ms, wall_ms, told, came, chain FROM leaves";

fn meta(connection: &Connection) -> rusqlite::Result<BTreeMap<String, String>> {
    let mut meta = connection.prepare("SELECT key, value FROM meta")?;
    meta.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn fill(path: &Path, chapter: &Chapter, build: &str) -> rusqlite::Result<()> {
    let mut connection = Connection::open(path)?;
    connection.execute_batch(&format!(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA application_id={OURS}; PRAGMA user_version={LAYOUT};"
    ))?;
    let transaction = connection.transaction()?;
    transaction.execute_batch(include_str!("schema.sql"))?;
    let begun = chapter.begun_wall_ms().unwrap_or(0).to_string();
    let (scope, id) = (chapter.scope().to_string(), chapter.id().to_owned());
    for (key, value) in [("scope", scope), ("id", id), ("build", build.to_owned()), ("begun_wall_ms", begun)] {
        transaction.execute("INSERT INTO meta VALUES (?, ?)", [key.to_owned(), value])?;
    }
    add(&transaction, chapter.leaves())?;
    transaction.commit()?;
    connection.close().map_err(|(_, cause)| cause)
}

fn add(transaction: &Transaction<'_>, leaves: impl Iterator<Item = Leaf>) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO leaves VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?;
    for leaf in leaves {
        let Position { leaves: number, inputs, entries, chain } = leaf.end;
        insert.execute(params![number, inputs, entries, leaf.t, leaf.wall_ms, leaf.inputs, leaf.entries, chain.0])?;
    }
    Ok(())
}

fn leaf(row: &Row<'_>) -> rusqlite::Result<Leaf> {
    let blob = |column: usize| row.get::<_, Vec<u8>>(column).map(Vec::into_boxed_slice);
    let chain = Chain(row.get(7)?);
    let end = Position { leaves: row.get(0)?, inputs: row.get(1)?, entries: row.get(2)?, chain };
    Ok(Leaf { end, t: row.get(3)?, wall_ms: row.get(4)?, inputs: blob(5)?, entries: blob(6)? })
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

/// Gives what lies at a place a second name, so that it is never without one, and moves its log there.
fn keep(path: &Path, aside: impl Fn(&str) -> PathBuf) -> Result<(), JournalError> {
    let there = |cause: io::Result<()>, from: &Path| match cause {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(JournalError::io(from, "keep", cause)),
        _ => Ok(()),
    };
    // Some memory sticks know no second name.
    let linked = fs::hard_link(path, aside("")).or_else(|cause| {
        let is_there = cause.kind() != io::ErrorKind::NotFound;
        if is_there { fs::rename(path, aside("")) } else { Err(cause) }
    });
    there(linked, path)?;
    for ending in ["-wal", "-shm"] {
        let from = beside(path, ending);
        there(fs::rename(&from, aside(ending)), &from)?;
    }
    Ok(())
}

pub(super) fn remove(paths: &[PathBuf]) -> Result<(), JournalError> {
    for path in paths {
        match fs::remove_file(path) {
            Err(cause) if cause.kind() != io::ErrorKind::NotFound => {
                return Err(JournalError::io(path, "remove", cause));
            }
            _ => {}
        }
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
