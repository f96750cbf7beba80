//! What can go wrong with the journal, and what to try next.

use std::{
    error::Error,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use rusqlite::ErrorCode;
use rustix::fs::{StatVfs, StatVfsMountFlags, statvfs};

/// Why something is not, or perhaps not, on disk. It can be copied because all who waited for one commit are told.
#[derive(Clone, Debug, thiserror::Error)]
pub enum JournalError {
    /// The rights are missing, or the file system is mounted read-only.
    #[error("this user may not read and write {}", path.display())]
    Denied {
        /// What is closed to us.
        path: PathBuf,
    },
    /// It belongs to somebody else, as the service's does, and was only to be read.
    #[error("this user may not read {}", path.display())]
    Closed {
        /// What is closed to us.
        path: PathBuf,
    },
    /// Root would serve out of it.
    #[error("{} belongs to another user (uid {uid}), who could not write what root leaves there", path.display())]
    Anothers {
        /// The state folder.
        path: PathBuf,
        /// Whose it is.
        uid: u32,
    },
    /// The file system takes nothing.
    #[error("the disk with {} can only be read", path.display())]
    ReadOnly {
        /// What was to be written.
        path: PathBuf,
    },
    /// A file stands where a folder is needed, or the other way round.
    #[error("{} is not a {wanted}", path.display())]
    WrongKind {
        /// What is in the way.
        path: PathBuf,
        /// "file" or "folder".
        wanted: &'static str,
    },
    /// There is nothing to read.
    #[error("there is no journal at {}", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// Locks and syncs can't be relied on there.
    #[error("{} is on a network file system ({kind}), where nothing can be promised to be on disk", path.display())]
    Remote {
        /// The state folder.
        path: PathBuf,
        /// NFS and so on.
        kind: &'static str,
    },
    /// A second daemon was started.
    #[error("another escaque ({holder}) uses this state folder: it holds the lock {}", lock.display())]
    InUse {
        /// The lock file.
        lock: PathBuf,
        /// Who holds it, as far as the file tells.
        holder: String,
    },
    /// The file is not as it was written.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What the check said.
        what: String,
    },
    /// It is some other program's database.
    #[error("{} is no journal of escaque, or its beginning is damaged", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A later version of the program wrote it.
    #[error("{} was written by a later version of escaque (layout {found}, this one knows {known})", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its layout.
        found: i64,
        /// The last layout we know.
        known: i64,
    },
    /// SQLite works otherwise than asked, so a commit would promise too much.
    #[error("SQLite keeps {} with {setting} = {found}, but {wanted} is needed", path.display())]
    Unsafe {
        /// The file.
        path: PathBuf,
        /// The pragma.
        setting: &'static str,
        /// What was asked for.
        wanted: &'static str,
        /// What it is.
        found: String,
    },
    /// A copy is made in a folder of its own.
    #[error("there is a journal in {} already", path.display())]
    Taken {
        /// The folder.
        path: PathBuf,
    },
    /// No room left.
    #[error("the disk is full: {} can't grow", path.display())]
    Full {
        /// The file.
        path: PathBuf,
    },
    /// No room for a copy.
    #[error("there is no room for a copy in {}", path.display())]
    NoRoom {
        /// The folder it was to be made in.
        path: PathBuf,
    },
    /// Someone else writes the file.
    #[error("another program is writing {}", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// The event's name can't be a folder.
    #[error(
        "\"{name}\" can't name an event: a name is made of letters, digits, - _ and ., does not begin with a dot or end \
         with .pgn, and is none of the journal's own: hall.sqlite, ballast, positions-1, positions-2"
    )]
    BadName {
        /// The name.
        name: String,
    },
    /// Anything else the disk or SQLite says.
    #[error("can't {doing} {}: {cause}", path.display())]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// What was said.
        #[source]
        cause: Arc<dyn Error + Send + Sync>,
    },
    /// The writing thread is no longer there.
    #[error("the journal's thread has ended")]
    Gone,
}

impl JournalError {
    /// What happened and what to try, in one line.
    pub fn advice(&self) -> String {
        format!("{self}; {}", self.hint())
    }

    /// The next thing to try.
    pub fn hint(&self) -> &'static str {
        match self {
            JournalError::Denied { .. } => "give the folder to the user escaque runs as, or name another with --state",
            JournalError::Closed { .. } => "type the same with sudo, or name another folder with --state",
            JournalError::Anothers { .. } => {
                "start it as that user, which for the service is `sudo systemctl start escaque`; or name another folder \
                 with --state"
            }
            JournalError::ReadOnly { .. } => {
                "`dmesg` says whether it is failing; have it written to again, or name a folder on another disk with --state"
            }
            JournalError::WrongKind { .. } => "move it out of the way, or name another folder with --state",
            JournalError::Missing { .. } => "name a state folder or a .sqlite file inside its journal folder",
            JournalError::Remote { .. } => "name a folder on a disk of this machine with --state",
            JournalError::InUse { .. } => {
                "use the daemon that runs, or stop it first; or give this one its own --state"
            }
            JournalError::Damaged { .. } => {
                "`escaque journal verify` says what is still good, `escaque journal mend` puts it right"
            }
            JournalError::Foreign { .. } => "give a file of escaque's, or name another folder with --state",
            JournalError::Newer { .. } => "install the later version again, or begin in another folder with --state",
            JournalError::Unsafe { .. } => "put the state folder on an ordinary local disk: name it with --state",
            JournalError::Taken { .. } => "name a folder that is empty or not there yet",
            JournalError::Full { .. } => "make room on the disk: a daemon that runs records by itself then",
            JournalError::NoRoom { .. } => {
                "make room there, or name a folder on another disk; what was begun of it is removed"
            }
            JournalError::Busy { .. } => {
                "close the program that has the file open for writing: a daemon that runs records by itself then"
            }
            JournalError::BadName { .. } => "choose another name for the event; its title may be anything",
            JournalError::Disk { .. } => {
                "look at the disk with `dmesg`; a daemon that runs records by itself when it works again"
            }
            JournalError::Gone => "start escaque again: it goes on from what is on disk",
        }
    }

    /// The file is not what was written; it may lie there as it is, and what is proven of it goes on in another.
    pub(super) fn is_damage(&self) -> bool {
        matches!(self, JournalError::Damaged { .. } | JournalError::Foreign { .. })
    }

    /// Something kept us from opening a file for writing, and it accuses nobody: the same file may be sound.
    pub(super) fn is_hindrance(&self) -> bool {
        matches!(self, JournalError::Full { .. } | JournalError::Busy { .. } | JournalError::Disk { .. })
    }

    /// The same said by a file that was only to be read, which needs neither room nor a lock: it can't be.
    pub(super) fn of_a_look(self) -> JournalError {
        let what = self.to_string();
        if let JournalError::Full { path } | JournalError::Busy { path } | JournalError::Disk { path, .. } = self {
            JournalError::Damaged { path, what }
        } else {
            self
        }
    }

    /// Only room or a lock was missing: nothing was written, and the same file may be tried again.
    pub(super) fn leaves_the_file(&self) -> bool {
        matches!(self, JournalError::Full { .. } | JournalError::Busy { .. })
    }

    /// What is wrong with a file, where a sentence has named it already.
    pub(super) fn what(&self) -> String {
        if let JournalError::Damaged { what, .. } = self { what.clone() } else { self.to_string() }
    }

    /// The same where nobody meant to write: what is closed to us then is somebody else's.
    pub(super) fn of_reading(self) -> JournalError {
        if let JournalError::Denied { path } = self { JournalError::Closed { path } } else { self }
    }

    /// Sorts what the operating system says.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the kinds are the operating system's, and most mean one thing")]
    pub(super) fn io(path: &Path, doing: &'static str, cause: io::Error) -> JournalError {
        let path = path.to_owned();
        match cause.kind() {
            io::ErrorKind::PermissionDenied => JournalError::Denied { path },
            io::ErrorKind::ReadOnlyFilesystem => JournalError::ReadOnly { path },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => JournalError::Full { path },
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                JournalError::WrongKind { path, wanted: "folder" }
            }
            io::ErrorKind::IsADirectory => JournalError::WrongKind { path, wanted: "file" },
            io::ErrorKind::NotFound => JournalError::Missing { path },
            _ => JournalError::Disk { path, doing, cause: Arc::new(cause) },
        }
    }

    /// Sorts what SQLite says.
    pub(super) fn sqlite(path: &Path, doing: &'static str, cause: rusqlite::Error) -> JournalError {
        let path = path.to_owned();
        match cause.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => JournalError::Full { path },
            // Of what it makes beside a file SQLite says only that it can't open or write it; room may be missing.
            Some(ErrorCode::SystemIoFailure | ErrorCode::CannotOpen) if has_no_room(&path) => {
                JournalError::Full { path }
            }
            // SQLite says no more than "can't open" of a file that is there and belongs to somebody else.
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) if is_read_only(&path) => {
                JournalError::ReadOnly { path }
            }
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
                JournalError::Denied { path }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => JournalError::Busy { path },
            Some(ErrorCode::DatabaseCorrupt) => JournalError::Damaged { path, what: cause.to_string() },
            Some(ErrorCode::NotADatabase) => JournalError::Foreign { path },
            _ => JournalError::Disk { path, doing, cause: Arc::new(cause) },
        }
    }
}

/// Whether nobody may write to the disk a file lies on, or would.
fn is_read_only(path: &Path) -> bool {
    disk_of(path).is_ok_and(|disk| disk.f_flag.contains(StatVfsMountFlags::RDONLY))
}

/// What SQLite makes beside a file before the first commit: 32 KiB of an index, and as much for what it is told.
const ROOM: u64 = 64 * 1024;

/// Whether the disk a file lies on, or would, has no room for what is made beside it.
fn has_no_room(path: &Path) -> bool {
    disk_of(path).is_ok_and(|disk| {
        let no_names = disk.f_files > 0 && disk.f_favail == 0;
        no_names || disk.f_bavail.saturating_mul(disk.f_frsize) < ROOM
    })
}

fn disk_of(path: &Path) -> rustix::io::Result<StatVfs> {
    let folder = path.parent().unwrap_or(Path::new("."));
    statvfs(path).or_else(|_| statvfs(folder))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A card that fails is mounted read-only by the kernel: no right that anybody gives helps then.
    #[test]
    fn a_disk_that_can_only_be_read_is_no_matter_of_rights() {
        let cause = io::Error::from(io::ErrorKind::ReadOnlyFilesystem);
        let said = JournalError::io(Path::new("/state/lock"), "open", cause).advice();
        assert!(said.starts_with("the disk with /state/lock can only be read;"), "{said}");
        assert!(said.contains("`dmesg`"), "{said}");
    }
}
