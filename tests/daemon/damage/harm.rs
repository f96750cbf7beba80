//! What is done to a state folder.

use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use super::evening::copy;
use crate::dice::Dice;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Harm {
    Flipped,
    Removed,
    Cut,
    Swapped,
}

impl Harm {
    pub(super) const ALL: [Harm; 4] = [Harm::Flipped, Harm::Removed, Harm::Cut, Harm::Swapped];

    pub(super) fn name(self) -> &'static str {
        match self {
            Harm::Flipped => "bit flipped",
            Harm::Removed => "removed",
            Harm::Cut => "cut",
            Harm::Swapped => "swapped",
        }
    }

    /// Does it to some file; gives which, and what exactly.
    pub(super) fn strike(self, state: &Path, earlier: &Path, dice: &mut Dice) -> Struck {
        if self == Harm::Swapped && dice.below(5) == 0 {
            return replace_folder(state, earlier);
        }
        let file = choose(state, dice);
        let name = relative(state, &file);
        let done = match self {
            Harm::Flipped => flip(&file, dice),
            Harm::Removed => fs::remove_file(&file).map(|()| "removed".to_owned()),
            Harm::Cut => cut(&file, dice),
            Harm::Swapped => swap(state, earlier, &file, dice),
        };
        let how = done.unwrap_or_else(|cause| format!("could not be done: {cause}"));
        Struck { class: class(&name), how: format!("{name}: {how}") }
    }
}

/// What was done.
#[derive(Debug)]
pub(super) struct Struck {
    /// The kind of file, for the table.
    pub(super) class: String,
    pub(super) how: String,
}

impl Struck {
    /// A PGN file was struck itself, or changed places with what was.
    pub(super) fn is_pgn(&self) -> bool {
        self.how.contains("pgn/")
    }
}

/// Every kind of file is as likely as any other; so is every file of a kind.
fn choose(state: &Path, dice: &mut Dice) -> PathBuf {
    let mut files = files(state);
    let mut classes = files.iter().map(|file| class(&relative(state, file))).collect::<Vec<_>>();
    classes.sort();
    classes.dedup();
    let chosen = pick(&classes, dice).clone();
    files.retain(|file| class(&relative(state, file)) == chosen);
    pick(&files, dice).clone()
}

/// The files of a state folder in order, without the log that these tests keep there.
pub(super) fn files(state: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(state).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.file_name().is_some_and(|name| name != "log") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn class(name: &str) -> String {
    if name.starts_with("pgn/") { "pgn/*".to_owned() } else { name.to_owned() }
}

fn relative(state: &Path, file: &Path) -> String {
    file.strip_prefix(state).unwrap_or(file).display().to_string()
}

fn flip(file: &Path, dice: &mut Dice) -> io::Result<String> {
    let there = OpenOptions::new().read(true).write(true).open(file)?;
    let (at, bit) = (dice.below(there.metadata()?.len()), dice.below(8));
    let mut byte = [0];
    there.read_exact_at(&mut byte, at)?;
    byte[0] ^= 1 << bit;
    there.write_all_at(&byte, at)?;
    Ok(format!("bit {bit} of byte {at} flipped"))
}

fn cut(file: &Path, dice: &mut Dice) -> io::Result<String> {
    let there = OpenOptions::new().write(true).open(file)?;
    let (was, length) = (there.metadata()?.len(), dice.below(there.metadata()?.len()));
    there.set_len(length)?;
    Ok(format!("cut from {was} to {length} bytes"))
}

/// With itself as it was earlier, or with another file.
fn swap(state: &Path, earlier: &Path, file: &Path, dice: &mut Dice) -> io::Result<String> {
    let older = earlier.join(relative(state, file));
    if older.exists() && dice.below(2) == 0 {
        let aside = file.with_extension("aside");
        fs::copy(&older, &aside)?;
        fs::rename(&aside, file)?;
        return Ok("as it was earlier".to_owned());
    }
    let others = files(state).into_iter().filter(|other| other != file).collect::<Vec<_>>();
    let ending = |path: &Path| path.extension().map(ToOwned::to_owned);
    let alike = others.iter().filter(|other| ending(other) == ending(file)).cloned().collect::<Vec<_>>();
    let other = pick(if alike.is_empty() { &others } else { &alike }, dice);
    let aside = file.with_extension("aside");
    fs::rename(file, &aside)?;
    fs::rename(other, file)?;
    fs::rename(&aside, other)?;
    Ok(format!("exchanged with {}", relative(state, other)))
}

/// The whole journal is what it was earlier; the PGN files know more.
fn replace_folder(state: &Path, earlier: &Path) -> Struck {
    let journal = state.join("journal");
    fs::rename(&journal, state.with_file_name("aside")).expect("the folder is ours");
    copy(&earlier.join("journal"), &journal);
    Struck { class: "journal/".to_owned(), how: "journal: the whole folder as it was earlier".to_owned() }
}

fn pick<'a, T>(of: &'a [T], dice: &mut Dice) -> &'a T {
    let at = dice.below(of.len() as u64);
    &of[usize::try_from(at).expect("a few of them")]
}
