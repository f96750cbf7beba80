//! The PGN files, kept the same as the book.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fmt,
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use protocol::feed::{TableEvent, TableId};

use super::{Book, guard};

/// Keeps `STATE/pgn/EVENT/ROUND.pgn` and `STATE/pgn/EVENT/ROUND-TABLE.pgn` current.
///
/// Each update writes a file at most once, however many tables of its round have changed, and none whose text is on
/// disk already. What could not be written is tried again with the next update. `pages` only looks into the book;
/// `write` waits for the disk and belongs on a thread that nobody else waits for.
pub struct Files {
    folder: PathBuf,
    late: BTreeSet<TableId>,
    /// What the journal ever said of a round: asked before a file is written over for the first time.
    past: Option<History>,
    /// Those that were looked at.
    known: BTreeSet<PathBuf>,
    /// Those that know more than the journal.
    kept: BTreeSet<PathBuf>,
    findings: Vec<String>,
}

/// What the journal ever said of a round, in order.
type History = Box<dyn Fn(&str, u16) -> Vec<TableEvent> + Send>;

impl Files {
    /// The files of a state folder.
    pub fn new(state: &Path) -> Files {
        let folder = state.join("pgn");
        let (late, known, kept) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Files { folder, late, past: None, known, kept, findings: Vec::new() }
    }

    /// The same, but for those that know more than the journal, whose `past` of a round is all it ever said, in order.
    /// They stay as they are, and what is to be written goes beside them.
    pub fn guarded(state: &Path, past: impl Fn(&str, u16) -> Vec<TableEvent> + Send + 'static) -> Files {
        Files { past: Some(Box::new(past)), ..Files::new(state) }
    }

    /// What was found since the last call: a sentence for each file that knows more than the journal.
    pub fn take_findings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.findings)
    }

    /// Looks for files about games of which a whole book says nothing.
    pub fn look_for_unknown(&mut self, book: &Book) {
        let said = match guard::unknown(&self.folder, book) {
            Ok(unknown) => unknown
                .iter()
                .map(|path| {
                    let path = path.display();
                    format!("{path} holds games of which the journal says nothing: is the state folder an older copy?")
                })
                .collect(),
            Err(cause) => vec![sentence(&self.folder, &cause)],
        };
        self.findings.extend(said);
    }

    /// Writes what has changed. Gives a sentence for each file that could not be written; the game goes on without.
    pub fn update<'a>(&mut self, book: &Book, changed: impl IntoIterator<Item = &'a TableId>) -> Vec<String> {
        let pages = self.pages(book, changed.into_iter().cloned().collect());
        self.write(pages)
    }

    /// What the files of these tables and their rounds should hold, and those that are late.
    pub fn pages(&mut self, book: &Book, mut tables: BTreeSet<TableId>) -> Vec<Page> {
        tables.append(&mut self.late);
        let of_tables = tables.iter().map(|table| Page {
            path: self.table_path(table),
            text: book.table_pgn(table),
            table: table.clone(),
        });
        let rounds =
            tables.iter().map(|table| ((table.event.as_str(), table.round), table)).collect::<BTreeMap<_, _>>();
        let of_rounds = rounds.into_iter().map(|((event, round), table)| Page {
            path: self.round_path(event, round),
            text: book.round_pgn(event, round),
            table: table.clone(),
        });
        of_tables.chain(of_rounds).collect()
    }

    /// Puts on disk what is not there yet. Gives a sentence for each file that could not be written.
    pub fn write(&mut self, pages: Vec<Page>) -> Vec<String> {
        let mut failed = Vec::new();
        for Page { path, text, table } in pages {
            self.look(&path, &text, &table);
            let path = if self.kept.contains(&path) { beside(&path) } else { path };
            if let Err(cause) = keep(&path, &text) {
                failed.push(sentence(&path, &cause));
                self.late.insert(table);
            }
        }
        failed
    }

    /// Before a file is written over for the first time it is read: what stands in it may be more than we know.
    fn look(&mut self, path: &Path, text: &str, table: &TableId) {
        let Some(past) = &self.past else { return };
        if !self.known.insert(path.to_owned()) {
            return;
        }
        let Ok(there) = fs::read_to_string(path) else { return };
        if there != text && guard::knows_more(&there, text, || past(&table.event, table.round)) {
            self.kept.insert(path.to_owned());
            self.findings.push(format!(
                "{} knows moves or names the journal does not: it is left as it is, and what the journal says is \
                 written to {}",
                path.display(),
                beside(path).display()
            ));
        }
    }

    /// Where the games of a round are.
    pub fn round_path(&self, event: &str, round: u16) -> PathBuf {
        self.folder.join(event).join(format!("{round}.pgn"))
    }

    /// Where the games of a table are.
    pub fn table_path(&self, table: &TableId) -> PathBuf {
        self.folder.join(&table.event).join(format!("{}-{}.pgn", table.round, table.table))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Files").field("folder", &self.folder).field("kept", &self.kept).finish_non_exhaustive()
    }
}

/// What one file should hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    path: PathBuf,
    text: String,
    /// A table whose game is in it.
    table: TableId,
}

/// Where what the journal says goes beside a file that knows more. Programs that watch the folder take what ends in .pgn.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".journal");
    name.into()
}

fn keep(path: &Path, text: &str) -> io::Result<()> {
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return Ok(());
    }
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    write_atomically(path, text.as_bytes())
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
