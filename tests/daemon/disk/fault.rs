//! A disk that can be made bad, and good again.

use std::{
    fmt, fs,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use rusqlite::Connection;
use tempfile::TempDir;

use super::shim;

/// What can be wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A file system of its own, filled to the last byte. Only root can make one.
    FullForReal,
    /// Writing fails as on a full disk.
    Full,
    Errs,
    /// One sync fails; what was written is taken.
    SyncFails,
    ReadOnly,
    /// Another program holds a lock on every file.
    Locked,
}

impl Fault {
    pub(super) const ALL: [Fault; 6] =
        [Fault::FullForReal, Fault::Full, Fault::Errs, Fault::SyncFails, Fault::ReadOnly, Fault::Locked];

    /// What the shim is told.
    fn letter(self) -> &'static str {
        match self {
            Fault::Full => "f",
            Fault::Errs => "e",
            Fault::SyncFails => "s",
            Fault::ReadOnly => "r",
            Fault::FullForReal | Fault::Locked => "",
        }
    }

    /// How many moves are made meanwhile.
    pub(super) fn moves(self) -> u64 {
        if self == Fault::Locked { (super::lock_seconds() / self.pause().as_secs()).max(3) } else { 5 }
    }

    pub(super) fn pause(self) -> Duration {
        let long = self == Fault::Locked && super::lock_seconds() > 60;
        Duration::from_secs(if long { 20 } else { 1 })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::FullForReal => f.write_str("a file system filled to the last byte"),
            Fault::Full => f.write_str("ENOSPC at every write"),
            Fault::Errs => f.write_str("EIO at every write and sync"),
            Fault::SyncFails => f.write_str("EIO at one sync"),
            Fault::ReadOnly => f.write_str("EROFS at every write"),
            Fault::Locked => write!(f, "a foreign lock for {} s", super::lock_seconds()),
        }
    }
}

/// The size of the file system that is filled: several times what a journal keeps back for bad times.
const SIZE: &str = "size=256m";

/// A folder on a disk that goes bad, and what makes it so.
pub(super) struct Disk {
    fault: Fault,
    folder: TempDir,
    mounted: bool,
}

/// What has to be taken back.
pub(super) enum Held {
    Nothing,
    Filler(PathBuf),
    Locks(Vec<Connection>),
}

impl Disk {
    pub(super) fn make(fault: Fault) -> Disk {
        let folder = TempDir::new().expect("a folder for the test");
        let at = folder.path().join("disk");
        fs::create_dir(&at).expect("the folder is ours");
        let mount = ["-t", "tmpfs", "-o", SIZE, "escaque-test"];
        let mounted = fault == Fault::FullForReal
            && Command::new("mount").args(mount).arg(&at).status().is_ok_and(|status| status.success());
        let disk = Disk { fault, folder, mounted };
        shim::build(&disk.shim());
        disk
    }

    /// Where the daemon keeps everything.
    pub(super) fn state(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    /// Where the daemon's log goes.
    pub(super) fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// Where links to boards are, which are on no disk that goes bad.
    pub(super) fn boards(&self) -> &Path {
        self.folder.path()
    }

    /// What the daemon is started with.
    pub(super) fn prepare(&self, command: &mut Command) {
        shim::load(command, &self.shim(), &self.switch(), &self.state());
    }

    pub(super) fn strike(&self, state: &Path) -> Held {
        match self.fault {
            Fault::FullForReal if self.mounted => self.fill(),
            Fault::Locked => {
                Held::Locks(journals(&state.join("journal")).iter().filter_map(|file| lock(file)).collect())
            }
            // Without the right to mount, what the shim can do.
            Fault::FullForReal => self.turn(Fault::Full.letter()),
            Fault::Full | Fault::Errs | Fault::SyncFails | Fault::ReadOnly => self.turn(self.fault.letter()),
        }
    }

    pub(super) fn mend(&self, held: Held) {
        match held {
            Held::Nothing => {}
            Held::Filler(file) => fs::remove_file(file).expect("it was filled"),
            Held::Locks(locks) => drop(locks),
        }
        let _ = fs::remove_file(self.switch());
    }

    /// To the last byte: what is left over by large pieces is filled with small ones.
    fn fill(&self) -> Held {
        let filler = self.folder.path().join("disk/filler");
        let file = fs::File::create(&filler).expect("there is room yet");
        let mut at = 0;
        for size in [1 << 20, 4096, 1] {
            let piece = vec![b'x'; size];
            while file.write_all_at(&piece, at).is_ok() {
                at += size as u64;
            }
        }
        Held::Filler(filler)
    }

    fn turn(&self, letter: &str) -> Held {
        fs::write(self.switch(), letter).expect("the folder is ours");
        Held::Nothing
    }

    fn switch(&self) -> PathBuf {
        self.folder.path().join("switch")
    }

    fn shim(&self) -> PathBuf {
        self.folder.path().join("shim.so")
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.mounted {
            // Lazily: whoever still has a file open may close it.
            let _ = Command::new("umount").arg("-l").arg(self.folder.path().join("disk")).status();
        }
    }
}

/// Every SQLite file of a journal.
fn journals(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(journals(&path));
        } else if path.extension().is_some_and(|ending| ending == "sqlite") {
            files.push(path);
        }
    }
    files
}

/// As somebody does who looks at the file with another program and forgets to close it.
fn lock(file: &Path) -> Option<Connection> {
    let connection = Connection::open(file).ok()?;
    connection.busy_timeout(Duration::from_secs(2)).ok()?;
    connection.execute_batch("BEGIN IMMEDIATE").expect("a lock is to be had between two commits");
    Some(connection)
}
