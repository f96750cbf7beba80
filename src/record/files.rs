//! The PGN files, kept the same as the book.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fmt,
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
};

use protocol::feed::{TableEvent, TableId};

use super::{Book, guard};

/// Keeps `STATE/pgn/EVENT/ROUND.pgn`, `STATE/pgn/EVENT/ROUND-TABLE.pgn` and `STATE/pgn/EVENT.pgn` current.
///
/// Each update writes a file at most once, however many tables of its round have changed, and none whose text is on
/// disk already. What could not be written is tried again with the next update. `pages` only looks into the book;
/// `write` waits for the disk and belongs on a thread that nobody else waits for.
pub struct Files {
    folder: PathBuf,
    /// What could not be written.
    late: BTreeSet<Of>,
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
        let both = changed.into_iter().flat_map(|table| [Of::Table(table.clone()), Of::round(table)]);
        let pages = self.pages(book, both.collect());
        self.write(pages, |event, round| book.round_pgn(event, round))
    }

    /// What the files of these tables, rounds and events should hold, and those that are late.
    pub fn pages(&mut self, book: &Book, mut changed: BTreeSet<Of>) -> Vec<Page> {
        changed.append(&mut self.late);
        let page = |of: Of| {
            let (path, text) = match &of {
                Of::Table(table) => (self.table_path(table), Text::Whole(book.table_pgn(table))),
                Of::Round(event, round) => (self.round_path(event, *round), Text::Whole(book.round_pgn(event, *round))),
                Of::Event(event) => (self.event_path(event), Text::Rounds(event.clone(), book.rounds_of(event))),
            };
            Page { path, text, of }
        };
        changed.into_iter().map(page).collect()
    }

    /// Puts on disk what is not there yet. `round` gives the games of one, when it is their turn. Gives a sentence for each
    /// file that could not be written.
    pub fn write(&mut self, pages: Vec<Page>, round: impl Fn(&str, u16) -> String) -> Vec<String> {
        let mut failed = Vec::new();
        let mut drafts = Vec::new();
        for Page { path, text, of } in pages {
            if let Text::Whole(text) = &text {
                self.look(&path, text, &of);
            }
            let path = if self.kept.contains(&path) { beside(&path) } else { path };
            let draft = match &text {
                Text::Whole(text) if text.is_empty() => take_away(&path).map(|()| None),
                Text::Whole(text) => Draft::of(&path, text.as_bytes()),
                Text::Rounds(event, rounds) => {
                    Draft::in_parts(&path, rounds.iter().map(|number| round(event, *number)))
                }
            };
            match draft {
                Ok(draft) => drafts.extend(draft.map(|draft| (draft, of))),
                Err(cause) => failed.push((path, cause, of)),
            }
            if drafts.len() == TOGETHER {
                failed.extend(put_in_place(std::mem::take(&mut drafts)));
            }
        }
        failed.extend(put_in_place(drafts));
        let sentences = failed.iter().map(|(path, cause, _)| sentence(path, cause)).collect();
        self.late.extend(failed.into_iter().map(|(_, _, of)| of));
        sentences
    }

    /// Before a file is written over for the first time it is read: what stands in it may be more than we know.
    /// An event's is made of those of its rounds, and is no evidence of its own.
    fn look(&mut self, path: &Path, text: &str, of: &Of) {
        let (event, round) = match of {
            Of::Table(table) => (&table.event, table.round),
            Of::Round(event, round) => (event, *round),
            Of::Event(_) => return,
        };
        let Some(past) = &self.past else { return };
        if !self.known.insert(path.to_owned()) {
            return;
        }
        let Ok(there) = fs::read_to_string(path) else { return };
        if there != text && guard::knows_more(&there, text, || past(event, round)) {
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

    /// Where all games of an event are.
    pub fn event_path(&self, event: &str) -> PathBuf {
        self.folder.join(format!("{event}.pgn"))
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

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Of {
    /// The games of a table.
    Table(TableId),
    /// The games of a round of an event.
    Round(String, u16),
    /// The games of an event.
    Event(String),
}

impl Of {
    /// The round that a table is of.
    pub fn round(table: &TableId) -> Of {
        Of::Round(table.event.clone(), table.round)
    }
}

/// What one file should hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    path: PathBuf,
    text: Text,
    of: Of,
}

/// A text, or where it comes from: that of an event grows to megabytes, and is in memory one round after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Text {
    Whole(String),
    Rounds(String, Vec<u16>),
}

/// Where what the journal says goes beside a file that knows more. Programs that watch the folder take what ends in .pgn.
fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".journal");
    name.into()
}

/// A text that is written beside the file whose place it is to take.
struct Draft {
    path: PathBuf,
    new: PathBuf,
    file: File,
}

/// So many files are brought to the disk one by one. When a round is opened there are hundreds: then one word to the
/// file system takes a tenth of the time.
const ONE_BY_ONE: usize = 8;

/// No more are open at a time: descriptors are for boards and screens.
const TOGETHER: usize = 32;

impl Draft {
    /// None where the file says that already.
    fn of(path: &Path, bytes: &[u8]) -> io::Result<Option<Draft>> {
        if fs::read(path).is_ok_and(|there| there == bytes) {
            return Ok(None);
        }
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        Draft::write(path, bytes).map(Some)
    }

    /// The same of a text in parts, which an empty line parts. It is written before it is known whether it is another.
    fn in_parts(path: &Path, parts: impl Iterator<Item = String>) -> io::Result<Option<Draft>> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut there = File::open(path).ok().map(BufReader::new);
        let mut draft = Draft::create(path)?;
        let mut put = |bytes: &[u8]| {
            if !there.as_mut().is_some_and(|there| goes_on_with(there, bytes)) {
                there = None;
            }
            draft.file.write_all(bytes)
        };
        let written = parts.filter(|part| !part.is_empty()).enumerate().try_for_each(|(nth, part)| {
            put(if nth > 0 { b"\n" } else { b"" })?;
            put(part.as_bytes())
        });
        let is_there = there.is_some_and(|mut there| there.fill_buf().is_ok_and(<[u8]>::is_empty));
        if written.is_err() || is_there {
            let _ = fs::remove_file(&draft.new);
        }
        written.map(|()| (!is_there).then_some(draft))
    }

    fn write(path: &Path, bytes: &[u8]) -> io::Result<Draft> {
        let mut draft = Draft::create(path)?;
        draft.file.write_all(bytes).inspect_err(|_| _ = fs::remove_file(&draft.new))?;
        Ok(draft)
    }

    fn create(path: &Path) -> io::Result<Draft> {
        // The name does not end in .pgn: programs that watch the folder take what does.
        let mut new = OsString::from(path);
        new.push(".new");
        let new = PathBuf::from(new);
        let file = File::create(&new)?;
        Ok(Draft { path: path.to_owned(), new, file })
    }

    /// Takes its place, once it is on disk.
    fn take_place(&self) -> io::Result<()> {
        fs::rename(&self.new, &self.path).inspect_err(|_| _ = fs::remove_file(&self.new))
    }

    fn folder(&self) -> &Path {
        self.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }
}

/// A table that was removed has no file, nor has a round of which nothing is left.
fn take_away(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    }
}

/// Whether these bytes come next.
fn goes_on_with(there: &mut impl Read, bytes: &[u8]) -> bool {
    let mut next = vec![0; bytes.len()];
    there.read_exact(&mut next).is_ok() && next == bytes
}

/// Replaces a file so that whoever opens it, at any moment and even after a power cut, finds the old text or the new
/// one, never half of it. A link leads to the file that is meant; what is no file, as a device or a pipe, is written to.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let meant = fs::canonicalize(path);
    let path = meant.as_deref().unwrap_or(path);
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return File::options().write(true).open(path)?.write_all(bytes);
    }
    let draft = Draft::write(path, bytes)?;
    draft.file.sync_all().inspect_err(|_| _ = fs::remove_file(&draft.new))?;
    draft.take_place()?;
    File::open(draft.folder())?.sync_all()
}

/// The same for many files. Gives those that could not be replaced, and why.
fn put_in_place(drafts: Vec<(Draft, Of)>) -> Vec<(PathBuf, io::Error, Of)> {
    let is_crowd = drafts.len() > ONE_BY_ONE;
    // The kernel writes all of a file system by one call; what it can't say is which file failed, so then each is asked.
    let at_once = is_crowd && drafts.first().is_some_and(|(draft, _)| rustix::fs::syncfs(&draft.file).is_ok());
    let (mut failed, mut folders) = (Vec::new(), BTreeSet::new());
    for (draft, of) in drafts {
        let on_disk = if at_once { Ok(()) } else { draft.file.sync_all() };
        match on_disk.and_then(|()| draft.take_place()) {
            Ok(()) => _ = folders.insert((draft.folder().to_owned(), of)),
            Err(cause) => {
                let _ = fs::remove_file(&draft.new);
                failed.push((draft.path, cause, of));
            }
        }
    }
    let mut synced = BTreeSet::new();
    for (folder, of) in folders {
        if synced.insert(folder.clone())
            && let Err(cause) = File::open(&folder).and_then(|folder| folder.sync_all())
        {
            failed.push((folder, cause, of));
        }
    }
    failed
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

#[cfg(test)]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn a_text_in_parts_takes_the_place_of_another_and_of_none_that_is_the_same() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let path = folder.path().join("pgn/open.pgn");
        let parts = || ["one\n", "", "two\n"].map(str::to_owned).into_iter();
        let drafted = || Draft::in_parts(&path, parts()).expect("the folder is writable");
        for there in [None, Some("one\n\ntwo"), Some("one\n\ntwo\nthree"), Some("one\n\ntoo\n"), Some("")] {
            if let Some(there) = there {
                fs::write(&path, there).expect("the folder is writable");
            }
            let draft = drafted().expect("what is there is another text");
            draft.take_place().expect("the folder is writable");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), "one\n\ntwo\n");
        }
        let before = fs::metadata(&path).expect("it is there").ino();
        assert!(drafted().is_none());
        assert_eq!(fs::metadata(&path).expect("it is there").ino(), before);
        assert_eq!(fs::read_dir(folder.path().join("pgn")).expect("a folder").count(), 1, "no draft stays");
    }

    #[test]
    fn a_link_leads_to_the_file_that_is_meant_and_a_device_stays_one() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let [link, meant, device] = ["link", "meant", "device"].map(|name| folder.path().join(name));
        fs::write(&meant, "old").expect("the folder is writable");
        std::os::unix::fs::symlink(&meant, &link).expect("the folder is writable");
        write_atomically(&link, b"new").expect("the folder is writable");
        assert!(fs::symlink_metadata(&link).expect("it is there").is_symlink());
        assert_eq!(fs::read_to_string(&meant).expect("it is there"), "new");
        std::os::unix::fs::symlink("/dev/null", &device).expect("the folder is writable");
        write_atomically(&device, b"new").expect("it takes all");
        assert!(!fs::metadata(&device).expect("it is there").is_file());
    }
}
