//! A folder that is watched by others: every file is whole at any moment.

use std::{
    ffi::OsString,
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// Writes a file where it reads otherwise, and takes it away where it should not be. With `for_good` it is on disk when
/// this returns.
pub(super) fn put(folder: &Path, path: &str, text: Option<&str>, for_good: bool) -> Result<(), String> {
    let at = folder.join(path);
    let done = match text {
        Some(text) => write(&at, text.as_bytes(), for_good),
        None => remove(&at),
    };
    done.map_err(|cause| advice(&at, &cause))
}

/// Whether files can be written there, tried with one that no watcher looks at.
pub(super) fn probe(folder: &Path) -> Result<(), String> {
    let at = folder.join(".escaque");
    let tried = fs::create_dir_all(folder).and_then(|()| fs::write(&at, b"")).and_then(|()| fs::remove_file(&at));
    tried.map_err(|cause| advice(folder, &cause))
}

fn write(at: &Path, bytes: &[u8], for_good: bool) -> io::Result<()> {
    if fs::metadata(at).is_ok_and(|there| there.len() == bytes.len() as u64) && fs::read(at)? == bytes {
        return Ok(());
    }
    let new = beside(at);
    let draft = create(&new).and_then(|mut file| {
        file.write_all(bytes)?;
        if for_good { file.sync_all() } else { Ok(()) }
    });
    draft.and_then(|()| fs::rename(&new, at)).inspect_err(|_| _ = fs::remove_file(&new))
}

/// Folders are made when the first file wants one.
fn create(path: &Path) -> io::Result<File> {
    match File::create(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            File::create(path)
        }
        created => created,
    }
}

fn remove(at: &Path) -> io::Result<()> {
    match fs::remove_file(at) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Watchers look for `*.pgn`, and this is none.
fn beside(at: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(at.file_name().unwrap_or_default());
    name.push(".new");
    at.with_file_name(name)
}

fn advice(at: &Path, cause: &io::Error) -> String {
    let is = |kind: io::ErrorKind| cause.kind() == kind;
    let advice = if is(io::ErrorKind::ReadOnlyFilesystem) {
        "a service may write only where its unit says: systemctl edit escaque, and ReadWritePaths="
    } else if is(io::ErrorKind::PermissionDenied) {
        "let the daemon's user write there"
    } else if is(io::ErrorKind::StorageFull) {
        "make room on its disk"
    } else {
        "look at the folder"
    };
    format!("{} can't be written ({cause}): {advice}", at.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_only_where_it_reads_otherwise() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = folder.path().join("open/round-1/game-1.pgn");
        let put = |text: Option<&str>| put(folder.path(), "open/round-1/game-1.pgn", text, false);
        put(Some("1. e4 *")).expect("writable");
        let opened = File::open(&at).expect("it is there");
        put(Some("1. e4 *")).expect("writable");
        put(Some("1. d4 *")).expect("writable");
        assert_eq!(io::read_to_string(opened).expect("readable"), "1. e4 *", "who has it open reads it to its end");
        assert_eq!(fs::read_to_string(&at).expect("readable"), "1. d4 *");
        let names = fs::read_dir(at.parent().expect("a folder")).expect("readable").count();
        assert_eq!(names, 1, "no draft is left");
        put(None).expect("writable");
        put(None).expect("it is gone already");
        assert!(!at.exists());
    }

    #[test]
    fn a_folder_that_is_none_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("file"), "").expect("writable");
        let error = probe(&folder.path().join("file/below")).expect_err("a file is in the way");
        assert!(error.contains("file/below can't be written"), "{error}");
        probe(folder.path()).expect("it can be");
    }
}
