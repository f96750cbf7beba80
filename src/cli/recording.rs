//! The file a capture goes to: never anything else lost for it, never half a line in it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::sensors::capture::{Entry, write};

/// Where entries are kept, one at a time, whole or not at all.
///
/// A file that stood there is emptied, where that was wished, when there is something to put in its place; a file
/// that was made here and got nothing is taken away again.
pub(super) struct Recording {
    path: PathBuf,
    to: To,
}

enum To {
    Stdout,
    File {
        file: File,
        /// Nothing stood there before.
        made: bool,
        /// What it holds of this recording: whole lines.
        bytes: u64,
    },
}

impl Recording {
    /// Takes the place, so that trouble is known before the first byte comes.
    pub(super) fn create(path: &Path, force: bool) -> anyhow::Result<Recording> {
        if path == Path::new("-") {
            return Ok(Recording { path: path.to_owned(), to: To::Stdout });
        }
        let shown = path.display();
        if path.is_dir() {
            bail!("{shown} is a directory: name a file in it with -o");
        }
        let made = !path.exists();
        let opened = match force {
            true => OpenOptions::new().write(true).create(true).truncate(false).open(path),
            false => OpenOptions::new().write(true).create_new(true).open(path),
        };
        match opened {
            Ok(file) => Ok(Recording { path: path.to_owned(), to: To::File { file, made, bytes: 0 } }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                bail!("{shown} exists and is not written over: choose another name, or add --force")
            }
            Err(error) => bail!("{shown} can't be written ({error}): choose another place with -o"),
        }
    }

    /// Keeps one entry.
    pub(super) fn keep(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let mut line = Vec::new();
        write(&mut line, entry)?;
        let outcome = match &mut self.to {
            To::Stdout => io::stdout().write_all(&line).and_then(|()| io::stdout().flush()),
            To::File { file, bytes, .. } => append(file, bytes, &line),
        };
        outcome.with_context(|| {
            format!("{self} can't be written any more; what it holds is whole. Make room and record into another file")
        })
    }
}

fn append(file: &mut File, bytes: &mut u64, line: &[u8]) -> io::Result<()> {
    if *bytes == 0 && file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    if let Err(error) = file.write_all(line) {
        // The part of the line that found room would be damage to whoever reads it. A device has no length to mend.
        let _mended = file.set_len(*bytes);
        return Err(error);
    }
    *bytes += u64::try_from(line.len()).expect("a line is shorter than 2^64 bytes");
    Ok(())
}

impl std::fmt::Display for Recording {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.to {
            To::Stdout => f.write_str("standard output"),
            To::File { .. } => self.path.display().fmt(f),
        }
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        if let To::File { made: true, bytes: 0, .. } = self.to {
            let _already_gone = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sensors::capture::Item;

    #[test]
    fn a_file_that_got_nothing_is_taken_away_and_one_that_stood_there_is_left_as_it_was() {
        let folder = tempfile::tempdir().expect("a folder");
        let (fresh, old) = (folder.path().join("fresh"), folder.path().join("old"));
        drop(Recording::create(&fresh, false).expect("there is room"));
        assert!(!fresh.exists());
        fs::write(&old, "precious").expect("there is room");
        drop(Recording::create(&old, true).expect("it may be written over"));
        assert_eq!(fs::read_to_string(&old).expect("it is there"), "precious");
        let mut recording = Recording::create(&old, true).expect("it may be written over");
        recording.keep(&Entry { t: 1, item: Item::Tx(vec![0x42]) }).expect("there is room");
        drop(recording);
        assert_eq!(fs::read_to_string(&old).expect("it is there"), "{\"t\":1,\"tx\":\"42\"}\n");
    }

    #[test]
    fn a_full_device_gets_a_sentence() {
        let mut recording = Recording::create(Path::new("/dev/full"), true).expect("Linux has one");
        let error = recording.keep(&Entry { t: 1, item: Item::Tx(vec![0x42]) }).expect_err("it is full");
        assert!(format!("{error:#}").starts_with("/dev/full can't be written any more"), "{error:#}");
    }
}
