//! The PGN files, kept the same as the book.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use protocol::feed::TableId;

use super::Book;

/// Keeps `STATE/pgn/EVENT/ROUND.pgn` and `STATE/pgn/EVENT/ROUND-TABLE.pgn` current.
///
/// Each update writes a file at most once, however many tables of its round have changed, and none whose text is on
/// disk already. What could not be written is tried again with the next update. An update waits for the disk: it
/// belongs on a thread that nobody else waits for, and may gather the changes of a second.
#[derive(Debug)]
pub struct Files {
    folder: PathBuf,
    late: BTreeSet<TableId>,
}

impl Files {
    /// The files of a state folder.
    pub fn new(state: &Path) -> Files {
        Files { folder: state.join("pgn"), late: BTreeSet::new() }
    }

    /// Writes what has changed. Gives a sentence for each file that could not be written; the game goes on without.
    pub fn update<'a>(&mut self, book: &Book, changed: impl IntoIterator<Item = &'a TableId>) -> Vec<String> {
        let tables = std::mem::take(&mut self.late).into_iter().chain(changed.into_iter().cloned());
        let tables = tables.collect::<BTreeSet<_>>();
        let mut failed = Vec::new();
        for table in &tables {
            let path = self.table_path(table);
            self.keep(&path, &book.table_pgn(table), table, &mut failed);
        }
        let rounds = tables.into_iter().map(|table| ((table.event.clone(), table.round), table));
        for ((event, round), table) in rounds.collect::<BTreeMap<_, _>>() {
            let path = self.round_path(&event, round);
            self.keep(&path, &book.round_pgn(&event, round), &table, &mut failed);
        }
        failed
    }

    /// Where the games of a round are.
    pub fn round_path(&self, event: &str, round: u16) -> PathBuf {
        self.folder.join(event).join(format!("{round}.pgn"))
    }

    /// Where the games of a table are.
    pub fn table_path(&self, table: &TableId) -> PathBuf {
        self.folder.join(&table.event).join(format!("{}-{}.pgn", table.round, table.table))
    }

    fn keep(&mut self, path: &Path, text: &str, table: &TableId, failed: &mut Vec<String>) {
        if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
            return;
        }
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        if let Err(cause) = made.and_then(|()| write_atomically(path, text.as_bytes())) {
            failed.push(sentence(path, &cause));
            self.late.insert(table.clone());
        }
    }
}

/// Replaces a file so that whoever opens it, at any moment and even after a power cut, finds the old text or the new
/// one, never half of it.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    // The name does not end in .pgn: programs that watch the folder take what does.
    let mut new = OsString::from(path);
    new.push(".new");
    let new = PathBuf::from(new);
    let written = File::create(&new)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
        return written;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the kinds are the operating system's, and most mean one thing")]
fn sentence(path: &Path, cause: &io::Error) -> String {
    let next = match cause.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "give the folder to the user escaque runs as"
        }
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "make room on the disk",
        io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists | io::ErrorKind::IsADirectory => {
            "move away what is in its place"
        }
        _ => "look at the disk with `dmesg`",
    };
    format!("can't write {}: {cause}; {next}, it is tried again with the next move", path.display())
}
