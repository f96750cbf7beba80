//! One file that is written, and all it holds in memory: some megabytes for a round of a hundred boards, with which a
//! file that was taken from under us is put there again.

use std::{
    fs, mem,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

use hall::Scope;

use super::{
    Batch, JournalError,
    chapter::Chapter,
    leaf::Position,
    positions::Known,
    proof::{Examined, State, clock, examine},
    store::{Store, beside, remove},
};

#[derive(Debug)]
pub(super) struct Volume {
    path: PathBuf,
    chapter: Chapter,
    writing: Writing,
    /// Up to here it is in the file.
    saved: Position,
    looks: [Option<Look>; 2],
}

/// Where what is not in the file yet is going to be written.
#[derive(Debug)]
enum Writing {
    /// Into the file, which is open.
    Into(Store),
    /// Into the file that lies there, as soon as it can be opened for writing: all that was in it is proven.
    Waits,
    /// Into a new one.
    Anew(InTheWay),
}

/// What lies where a new file is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InTheWay {
    /// A file of an older layout.
    Older,
    /// Somebody may know more of it than we do.
    Doubtful,
    /// The one we wrote, which took no more: all that is in it is in the new one.
    Ours,
}

impl InTheWay {
    /// What the name ends with under which it is kept.
    fn ending(self) -> &'static str {
        match self {
            InTheWay::Older => "layout-1",
            InTheWay::Doubtful | InTheWay::Ours => "damaged",
        }
    }
}

/// How a file looked when we wrote it last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Look {
    device: u64,
    inode: u64,
    length: u64,
}

/// What is found behind a name.
fn look(path: &Path) -> Option<Look> {
    let there = fs::metadata(path).ok()?;
    Some(Look { device: there.dev(), inode: there.ino(), length: there.len() })
}

impl Volume {
    /// Opens a file, or what of it is proven. Gives a sentence where that is not all of it.
    pub(super) fn open(
        path: &Path,
        scope: &Scope,
        known: Option<&Known>,
        wall_ms: u64,
    ) -> Result<(Volume, Option<String>), JournalError> {
        let examined = look_through(path, scope, known)?;
        let sentence = examined.sentence(path);
        let Examined { mut chapter, state, store } = examined;
        let saved = chapter.end();
        let path = path.to_owned();
        let in_the_way = if matches!(state, State::Older { .. }) { InTheWay::Older } else { InTheWay::Doubtful };
        let (writing, saved) = match (state, store) {
            (State::Sound, Some(store)) if store.is_for_writing() => (Writing::Into(store), saved),
            (State::Sound, _) => (Writing::Waits, saved),
            // Whoever knows more of it than we do gets the file as it was found, its log untouched.
            (_, store) => {
                store.into_iter().for_each(Store::abandon);
                (Writing::Anew(in_the_way), chapter.begins())
            }
        };
        if let Some(sentence) = &sentence {
            chapter.note_loss(sentence, wall_ms);
        }
        let mut volume = Volume { path, chapter, writing, saved, looks: [None; 2] };
        match volume.writing {
            Writing::Into(_) => volume.remember(),
            // Whoever holds the file now may take its log into it, and away.
            Writing::Waits => volume.looks = [look(&volume.path), None],
            Writing::Anew(_) => {}
        }
        Ok((volume, sentence))
    }

    pub(super) fn chapter(&self) -> &Chapter {
        &self.chapter
    }

    /// What was known of the file when it was written last.
    pub(super) fn known(&self) -> Option<Known> {
        let end = Some(self.saved).filter(|saved| saved.leaves > 0)?;
        Some(Known { id: self.chapter.id().to_owned(), end })
    }

    /// Adds batches, for the next time it is saved.
    pub(super) fn add(&mut self, batches: &[&Batch], build: &str, wall_ms: u64) {
        self.chapter.add(batches, build, wall_ms);
    }

    /// Whether everything is in the file.
    pub(super) fn is_saved(&self) -> bool {
        matches!(self.writing, Writing::Into(_)) && self.saved == self.chapter.end()
    }

    /// Notes that something of it is lost.
    pub(super) fn note_loss(&mut self, sentence: &str, wall_ms: u64) {
        self.chapter.note_loss(sentence, wall_ms);
    }

    /// Notes something about the files.
    pub(super) fn note(&mut self, sentence: &str, wall_ms: u64) {
        self.chapter.note(sentence, wall_ms);
    }

    /// Puts a better chapter in the place of this one.
    pub(super) fn replace(&mut self, chapter: Chapter) {
        self.give_up(InTheWay::Doubtful);
        self.chapter = chapter;
    }

    /// How many inputs are not in the file yet.
    pub(super) fn unsaved(&self) -> u64 {
        self.chapter.end().inputs - self.saved.inputs
    }

    /// Puts into the file what is not there yet. When it fails nothing of it is, and it may be tried again: in the same
    /// file where only room or a lock was missing, or nothing was begun, and otherwise in a new one, because the kernel
    /// may have dropped what it could not write.
    pub(super) fn save(&mut self, build: &str) -> Result<(), JournalError> {
        let end = self.chapter.end();
        if matches!(self.writing, Writing::Waits) {
            self.open_again()?;
        }
        let saved = match &mut self.writing {
            Writing::Into(_) if self.saved == end => return Ok(()),
            Writing::Into(store) => store.append(self.chapter.leaves_behind(self.saved)),
            Writing::Waits | Writing::Anew(_) => self.make(build),
        };
        match saved {
            Ok(()) => {
                self.saved = end;
                self.remember();
                Ok(())
            }
            Err(error) => {
                if !error.leaves_the_file() {
                    self.give_up(InTheWay::Ours);
                }
                Err(error)
            }
        }
    }

    /// Whether the file is still the one we write. If it is not, what stood in it is written again with the next save.
    pub(super) fn check(&mut self) -> Option<String> {
        if matches!(self.writing, Writing::Anew(_)) {
            return None;
        }
        let [file, log] = self.looks;
        let what = changed(&self.path, file).or_else(|| changed(&beside(&self.path, "-wal"), log))?;
        self.give_up(InTheWay::Doubtful);
        let end = self.chapter.end();
        Some(format!(
            "{} {what} while it was written; its {} inputs and {} entries are written again, and what is found in its \
             place is kept beside it",
            self.path.display(),
            end.inputs,
            end.entries
        ))
    }

    fn give_up(&mut self, in_the_way: InTheWay) {
        // A file that was never made again is none of ours.
        if matches!(self.writing, Writing::Anew(_)) {
            return;
        }
        if let Writing::Into(store) = mem::replace(&mut self.writing, Writing::Anew(in_the_way)) {
            store.abandon();
        }
        self.saved = self.chapter.begins();
    }

    /// Opens the file that could not be opened for writing before, if it is still as it was read. Otherwise a new one
    /// is made with the next try, and that one kept.
    fn open_again(&mut self) -> Result<(), JournalError> {
        let known = Known { id: self.chapter.id().to_owned(), end: self.saved };
        match examine(Store::open, &self.path, self.chapter.scope(), Some(&known))? {
            Examined { chapter, state: State::Sound, store: Some(store) } if chapter.end() == self.saved => {
                self.writing = Writing::Into(store);
                Ok(())
            }
            Examined { store, .. } => {
                store.into_iter().for_each(Store::abandon);
                self.give_up(InTheWay::Doubtful);
                let what = "it is not what was read at the start; a new one takes its place".to_owned();
                Err(JournalError::Damaged { path: self.path.clone(), what })
            }
        }
    }

    fn make(&mut self, build: &str) -> Result<(), JournalError> {
        let Writing::Anew(in_the_way) = self.writing else { return Ok(()) };
        let name = free_name(&self.path, in_the_way.ending(), self.chapter.last_wall_ms().unwrap_or(0));
        let aside = |ending: &str| beside(&name, ending);
        // Somebody else's may have come in its place since.
        let is_ours = in_the_way == InTheWay::Ours && changed(&self.path, self.looks[0]).is_none();
        self.writing = Writing::Into(Store::make(&self.path, &self.chapter, build, aside)?);
        if is_ours {
            // Each try on a disk that takes little would leave one more. What can't be removed does no harm.
            let _ = remove(&["", "-wal", "-shm"].map(aside));
        }
        Ok(())
    }

    fn remember(&mut self) {
        self.looks = [look(&self.path), look(&beside(&self.path, "-wal"))];
    }
}

/// Looks at a file, to write to it if that can be. What keeps us from writing accuses nobody: the file is read then,
/// and written to when it can be.
fn look_through(path: &Path, scope: &Scope, known: Option<&Known>) -> Result<Examined, JournalError> {
    match examine(Store::open, path, scope, known) {
        Err(error) if error.is_hindrance() => {
            let peeked = examine(Store::peek, path, scope, known)?;
            // Whoever holds the file may be writing it, and then it may be read torn.
            let is_certain = peeked.state == State::Sound || !matches!(error, JournalError::Busy { .. });
            if is_certain { Ok(peeked) } else { Err(error) }
        }
        examined => examined,
    }
}

/// What has happened to a file since it looked like this.
fn changed(path: &Path, before: Option<Look>) -> Option<&'static str> {
    let before = before?;
    match look(path) {
        None => Some("was removed"),
        Some(now) if (now.device, now.inode) != (before.device, before.inode) => Some("was replaced by another file"),
        Some(now) if now.length < before.length => Some("was cut short"),
        Some(_) => None,
    }
}

/// A name beside a file that nothing has yet.
fn free_name(path: &Path, kind: &str, wall_ms: u64) -> PathBuf {
    let stamp = clock(wall_ms).replace([' ', ':'], "-");
    let name = |n: u32| beside(path, &format!(".{kind}-{stamp}-{n}"));
    (1..1000).map(name).find(|name| !name.exists()).unwrap_or_else(|| name(1000))
}
