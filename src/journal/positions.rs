//! How far each file goes, kept outside the files: a file that lost its end does not know it.
//!
//! Two small files are written in turn behind each commit, each with a sum over itself. Neither is synced: after a power
//! cut they may know less than the journal, never more.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

use hall::Scope;
use sha2::{Digest as _, Sha256};

use super::{
    chapter::Chapter,
    folder,
    leaf::{Chain, Position},
    place::{FOLDER, POSITIONS},
};

const TITLE: &str = "escaque positions 1";

/// Which file it was, and where it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) id: String,
    pub(super) end: Position,
}

impl Known {
    pub(super) fn of(chapter: &Chapter) -> Known {
        Known { id: chapter.id().to_owned(), end: chapter.end() }
    }

    /// One line: what it is about, which file, how far, and the fingerprint.
    pub(super) fn line(&self, scope: &Scope) -> String {
        let Position { leaves, inputs, entries, chain } = self.end;
        format!("{scope} {} {leaves} {inputs} {entries} {chain}", self.id)
    }

    pub(super) fn parse(line: &str) -> Option<(Scope, Known)> {
        let mut words = line.split(' ');
        let (scope, id) = (words.next()?.parse().ok()?, words.next()?.to_owned());
        let mut number = || words.next()?.parse().ok();
        let (leaves, inputs, entries) = (number()?, number()?, number()?);
        let chain = Chain::parse(words.next()?)?;
        Some((scope, Known { id, end: Position { leaves, inputs, entries, chain } }))
    }
}

/// The two files, written in turn.
#[derive(Debug)]
pub(super) struct Positions {
    paths: [PathBuf; 2],
    open: [Option<File>; 2],
    generation: u64,
    pub(super) known: BTreeMap<Scope, Known>,
}

/// What reading them has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Remembered {
    /// At least one of them is whole.
    Whole,
    /// There is none.
    Missing,
    /// Neither is as it was written.
    Damaged,
}

impl Positions {
    /// Reads what was known last.
    pub(super) fn read(state: &Path) -> (Positions, Remembered) {
        let paths = POSITIONS.map(|name| state.join(FOLDER).join(name));
        let texts = [fs::read_to_string(&paths[0]), fs::read_to_string(&paths[1])];
        let remembered = if texts.iter().all(is_missing) { Remembered::Missing } else { Remembered::Damaged };
        let newest = texts.iter().flatten().filter_map(|text| parse(text)).max_by_key(|(generation, _)| *generation);
        let remembered = if newest.is_some() { Remembered::Whole } else { remembered };
        let (generation, known) = newest.unwrap_or_default();
        (Positions { paths, open: [None, None], generation, known }, remembered)
    }

    /// Writes what is known. A disk that does not take it costs no more than the proof of the last moments.
    pub(super) fn write(&mut self) {
        self.generation += 1;
        let mut text = format!("{TITLE}\ngeneration {}\n", self.generation);
        for (scope, known) in &self.known {
            let _ = writeln!(text, "{}", known.line(scope));
        }
        let _ = writeln!(text, "sum {}", sum(&text));
        let turn = usize::from(self.generation.is_multiple_of(2));
        if self.put(turn, text.as_bytes()).is_err() {
            self.open[turn] = None;
        }
    }

    fn put(&mut self, turn: usize, bytes: &[u8]) -> io::Result<()> {
        let there = self.open[turn].take().filter(|file| file.metadata().is_ok_and(|known| known.nlink() > 0));
        let file = match there {
            Some(file) => file,
            None => {
                let path = &self.paths[turn];
                let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
                folder::hand_over(path).map_err(io::Error::other)?;
                file
            }
        };
        file.write_all_at(bytes, 0)?;
        file.set_len(bytes.len() as u64)?;
        self.open[turn] = Some(file);
        Ok(())
    }
}

fn is_missing(text: &io::Result<String>) -> bool {
    text.as_ref().is_err_and(|cause| cause.kind() == io::ErrorKind::NotFound)
}

fn parse(text: &str) -> Option<(u64, BTreeMap<Scope, Known>)> {
    let at = text.rfind("sum ")?;
    let (said, sum_line) = text.split_at(at);
    if sum_line.trim_end() != format!("sum {}", sum(said)) {
        return None;
    }
    let mut lines = said.lines();
    let generation = lines.next().filter(|title| *title == TITLE).and_then(|_| lines.next())?;
    let generation = generation.strip_prefix("generation ")?.parse().ok()?;
    Some((generation, lines.filter_map(Known::parse).collect()))
}

fn sum(text: &str) -> Chain {
    Chain(Sha256::digest(text).into())
}
