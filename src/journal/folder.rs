//! The folder the journal lives in: made so that it survives a power cut, on a disk that keeps its word, and ours alone.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{ErrorKind, Read, Write},
    iter,
    os::unix::fs::{DirBuilderExt, MetadataExt, chown},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use rustix::process::geteuid;

use super::JournalError;

/// For everybody whom the umask leaves.
const OPEN: u32 = 0o777;
/// For its user, and root.
const CLOSED: u32 = 0o700;

/// Makes a folder and those above it, each on disk before the next.
pub(super) fn make(path: &Path) -> Result<(), JournalError> {
    make_as(path, OPEN)
}

/// Makes a state folder: what is written there is live, whatever spectators are shown and when, and who was let in stands there
/// too. One that is there is left as it is: somebody may have opened it for an uploader.
pub(super) fn make_state(path: &Path) -> Result<(), JournalError> {
    make_as(path, CLOSED)
}

fn make_as(path: &Path, mode: u32) -> Result<(), JournalError> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        make(parent)?;
    }
    DirBuilder::new().mode(mode).create(path).map_err(|cause| {
        // Where the kernel keeps its own files nobody may make one, and it says so in this way.
        let forbidden = cause.kind() == ErrorKind::NotFound;
        if forbidden {
            JournalError::Denied { path: path.to_owned() }
        } else {
            JournalError::io(path, "make the folder", cause)
        }
    })?;
    hand_over(path)?;
    sync_parent(path)
}

/// Gives what was made to whom its folder belongs. Root mends and copies what is the service's, and what root keeps for
/// itself the service can't write. Nobody else may give anything away.
pub(super) fn hand_over(path: &Path) -> Result<(), JournalError> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let (ours, folder) = (fs::metadata(path), fs::metadata(above(path)));
    let given = ours.and_then(|ours| {
        let owner = folder?;
        let is_theirs = (ours.uid(), ours.gid()) == (owner.uid(), owner.gid());
        if is_theirs { Ok(()) } else { chown(path, Some(owner.uid()), Some(owner.gid())) }
    });
    given.map_err(|cause| JournalError::io(path, "give away", cause))
}

/// Refuses root a folder that is another user's, or would be: what a daemon of root's leaves there is closed to that user,
/// and their own, as the service is, would not start any more.
pub(super) fn refuse_anothers(state: &Path) -> Result<(), JournalError> {
    if !geteuid().is_root() {
        return Ok(());
    }
    let whose = iter::once(state).chain(state.ancestors().map(above)).find_map(|path| fs::metadata(path).ok());
    match whose.map(|folder| folder.uid()).filter(|uid| *uid != 0) {
        Some(uid) => Err(JournalError::Anothers { path: state.to_owned(), uid }),
        None => Ok(()),
    }
}

/// Puts on disk that `path` exists: the sync of a file does not say that its folder knows of it.
pub(super) fn sync_parent(path: &Path) -> Result<(), JournalError> {
    let parent = above(path);
    let sync = File::open(parent).and_then(|folder| folder.sync_all());
    sync.map_err(|cause| JournalError::io(parent, "sync the folder", cause))
}

/// The folder something lies in; that of a bare name is where we are.
fn above(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// File systems of other machines: a sync there may mean only that the other machine has heard of it, and locks may
/// be held by two. The numbers are those of `statfs(2)`.
const REMOTE: [(i64, &str); 5] =
    [(0x6969, "NFS"), (0xFF53_4D42, "CIFS"), (0x517B, "SMB"), (0xFE53_4D42, "SMB"), (0x0102_1997, "9p")];

/// Refuses a folder on another machine.
pub(super) fn refuse_remote(path: &Path) -> Result<(), JournalError> {
    let state = rustix::fs::statfs(path).map_err(|cause| JournalError::io(path, "look at", cause.into()))?;
    match remote_kind(state.f_type) {
        Some(kind) => Err(JournalError::Remote { path: path.to_owned(), kind }),
        None => Ok(()),
    }
}

/// The name of a file system of another machine. The number's type, and so its sign, differs between processors.
fn remote_kind(magic: impl Into<i64>) -> Option<&'static str> {
    let magic = magic.into() & 0xFFFF_FFFF;
    REMOTE.iter().find(|(known, _)| *known == magic).map(|(_, kind)| *kind)
}

/// Held while the journal is open; the kernel gives it free when the process ends, however it ends.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

/// A daemon that was killed is gone within this, and a process that is just being started by somebody else lets go of
/// what it inherited within a millisecond. A daemon that runs does not.
const TRIES: u32 = 10;
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

impl Lock {
    /// Takes the lock of a state folder and leaves our process number in it for whoever comes second.
    pub(super) fn take(state: &Path) -> Result<Lock, JournalError> {
        let path = state.join("lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|cause| JournalError::io(&path, "open", cause))?;
        hand_over(&path)?;
        let mut tries = 1;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if tries < TRIES => tries += 1,
                Err(TryLockError::WouldBlock) => return Err(in_use(path, &mut file)),
                Err(TryLockError::Error(cause)) => return Err(JournalError::io(&path, "lock", cause)),
            }
            thread::sleep(BETWEEN_TRIES);
        }
        let note = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        match note.map_err(|cause| JournalError::io(&path, "write", cause)) {
            // It is held all the same: whoever comes second is not told by whom.
            Ok(()) | Err(JournalError::Full { .. }) => Ok(Lock { _file: file }),
            Err(error) => Err(error),
        }
    }
}

fn in_use(lock: PathBuf, file: &mut File) -> JournalError {
    let mut holder = String::new();
    let holder = match file.read_to_string(&mut holder) {
        Ok(1..) => format!("process {}", holder.trim()),
        _ => "its process is not named".to_owned(),
    };
    JournalError::InUse { lock, holder }
}

#[cfg(test)]
mod tests {
    use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[test]
    fn file_systems_of_other_machines_are_known_whatever_the_sign() {
        assert_eq!(remote_kind(0x6969_i64), Some("NFS"));
        assert_eq!(remote_kind(0xFF53_4D42_u32), Some("CIFS"));
        assert_eq!(remote_kind(-11_317_950_i32), Some("CIFS"));
        assert_eq!(remote_kind(0x0102_1997_i64), Some("9p"));
    }

    #[test]
    fn disks_of_this_machine_are_taken() {
        for (magic, name) in
            [(0xEF53_i64, "ext4"), (0x5846_5342, "xfs"), (0x9123_683E, "btrfs"), (0x0102_1994, "tmpfs")]
        {
            assert_eq!(remote_kind(magic), None, "{name}");
        }
    }

    #[test]
    fn a_state_folder_is_closed_and_those_above_it_and_one_that_was_opened_are_as_they_were() {
        let place = tempfile::tempdir().expect("a folder for the test");
        let (above, state) = (place.path().join("above"), place.path().join("above/state"));
        let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
        make_state(&state).expect("the folder is writable");
        assert_eq!((mode(&state), mode(&above) & 0o700), (0o700, 0o700));
        assert_ne!(mode(&above), 0o700, "~/.local is others' too");
        fs::set_permissions(&state, Permissions::from_mode(0o750)).expect("it is ours");
        make_state(&state).expect("it is there");
        assert_eq!(mode(&state), 0o750);
    }

    #[test]
    fn the_second_daemon_is_told_who_holds_the_lock() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let _first = Lock::take(state.path()).expect("the folder is new");

        let second = Lock::take(state.path()).expect_err("the lock is held");
        assert_eq!(
            second.to_string(),
            format!(
                "another escaque (process {}) uses this state folder: it holds the lock {}",
                std::process::id(),
                state.path().join("lock").display()
            )
        );
    }
}
