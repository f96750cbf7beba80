//! Mending: files put right from what is proven of them, and of a copy.

use std::{collections::BTreeSet, path::Path};

use hall::Scope;

use super::{
    Batch, JournalError, Past,
    chapter::{Chapter, is_note},
    folder::Lock,
    leaf::Position,
    past, place,
    positions::{Known, Positions},
    volume::Volume,
};

/// What came of mending: a sentence each.
#[derive(Debug, Default)]
pub struct Mended {
    /// What was not in order, and what was done.
    pub done: Vec<String>,
    /// What a copy knows and could not be taken in.
    pub left: Vec<String>,
}

/// Puts each file of a state folder right: from a copy where that says what ours does not, or from what is proven.
pub(super) fn mend(state: &Path, from: Option<&Path>, wall_ms: u64) -> Result<Mended, JournalError> {
    let copy = from.map(past::read).transpose()?.unwrap_or_default();
    // Before anything is left in a folder that was mistyped.
    if scopes(state, &Positions::read(state).0, &copy)?.is_empty() {
        return Err(JournalError::Missing { path: state.to_owned() });
    }
    let _lock = Lock::take(state)?;
    let is_new = past::files(state)?.is_empty();
    // Whoever held the lock until now may have written on.
    let (mut positions, _) = Positions::read(state);
    let mut mended = Mended::default();
    for scope in scopes(state, &positions, &copy)? {
        let path = place::file(&scope, state)?;
        let known = positions.known.get(&scope);
        let (volume, found) = Volume::open(&path, &scope, known, wall_ms)?;
        let mut patient = Patient { path: &path, volume, found, known, is_new };
        patient.mend(copy.chapters.get(&scope), wall_ms, &mut mended);
        let mut volume = patient.volume;
        volume.save("mend")?;
        positions.known.insert(scope, Known::of(volume.chapter()));
    }
    positions.write();
    Ok(mended)
}

/// All that is there, was there, or is in a copy.
fn scopes(state: &Path, positions: &Positions, copy: &Past) -> Result<BTreeSet<Scope>, JournalError> {
    let files = past::files(state)?;
    let there = files.iter().filter_map(|file| place::scope_of(file));
    Ok(there.chain(positions.known.keys().cloned()).chain(copy.chapters.keys().cloned()).collect())
}

/// One file of ours.
struct Patient<'a> {
    path: &'a Path,
    volume: Volume,
    /// What was found wrong with it just now.
    found: Option<String>,
    /// Where it ended, as far as is known elsewhere.
    known: Option<&'a Known>,
    /// There is no file at all in its folder.
    is_new: bool,
}

impl Patient<'_> {
    fn mend(&mut self, copy: Option<&Chapter>, wall_ms: u64, mended: &mut Mended) {
        let ours = self.volume.chapter();
        let standing = copy.map_or(Standing::Behind, |copy| stand(copy, ours));
        let lost_orders = ours.orders_lost_behind().is_some();
        let path = self.path.display();
        match (standing, copy) {
            (Standing::Ahead, Some(copy)) => {
                mended.done.extend(self.found.clone());
                mended.done.push(format!("{path}: {} inputs are taken from the copy", copy.end().inputs));
                self.put(copy.clone(), copy, wall_ms);
            }
            (Standing::Apart(parting), Some(copy)) if lost_orders => match gone_on(copy, ours, parting, wall_ms) {
                Some(chapter) => {
                    let since = ours.end().inputs - parting.inputs;
                    mended.done.extend(self.found.clone());
                    mended.done.push(format!(
                        "{path}: {} inputs are taken from the copy, and {since} that came since go on behind them",
                        copy.end().inputs
                    ));
                    self.volume.replace(chapter);
                }
                None => mended.left.push(format!(
                    "{path} has inputs that this build can't read, and nothing is taken from the copy: mend with the \
                     build that wrote them"
                )),
            },
            (Standing::Apart(parting), Some(copy)) => {
                mended.done.extend(self.found.clone());
                mended.left.push(format!(
                    "{path}: the copy has {} inputs that ours has not, and ours has {} that the copy has not; nothing \
                     is taken from it: `escaque journal mend --from PGN` brings moves back, and what else is missed is \
                     ordered anew",
                    copy.end().inputs - parting.inputs,
                    ours.end().inputs - parting.inputs
                ));
            }
            (Standing::Behind, _) | (_, None) => {
                let found = self.found.iter();
                mended.done.extend(found.map(|found| format!("{found}; it goes on from what is proven")));
            }
        }
    }

    fn put(&mut self, mut chapter: Chapter, copy: &Chapter, wall_ms: u64) {
        note_copy(&mut chapter, copy, wall_ms);
        if self.may_lack_orders(copy) {
            chapter.note_loss("whether the copy goes as far as the file did can't be proven", wall_ms);
        }
        self.volume.replace(chapter);
    }

    /// Whether the file went on where a copy ends, as far as anybody can tell.
    fn may_lack_orders(&self, copy: &Chapter) -> bool {
        let reaches = |known: &Known| copy.has_been_at(&known.end);
        match (self.found.is_some(), self.known) {
            (true, known) => !known.is_some_and(reaches),
            (false, Some(_)) => self.volume.chapter().orders_lost_behind().is_some(),
            (false, None) => !self.is_new,
        }
    }
}

/// How a copy stands to ours, notes aside.
enum Standing {
    /// It says no more.
    Behind,
    /// It says all that is proven of ours, and more.
    Ahead,
    /// From here on each says what the other does not.
    Apart(Position),
}

fn stand(copy: &Chapter, ours: &Chapter) -> Standing {
    let alike = ours.leaves().zip(copy.leaves()).take_while(|(one, other)| one == other);
    let parting = alike.last().map(|(leaf, _)| leaf.end);
    let says_more = |chapter: &Chapter| {
        let behind = chapter.leaves_behind(parting.unwrap_or(chapter.begins()));
        behind.into_iter().any(|leaf| !is_note(&leaf))
    };
    match (says_more(copy), says_more(ours)) {
        (false, _) => Standing::Behind,
        (true, false) => Standing::Ahead,
        (true, true) => Standing::Apart(parting.unwrap_or(ours.begins())),
    }
}

fn note_copy(chapter: &mut Chapter, copy: &Chapter, wall_ms: u64) {
    chapter.note(&format!("mended from a copy with {} inputs", copy.end().inputs), wall_ms);
}

/// What a copy of the hall's file says, and behind it what ours has recorded since it was begun anew. Orders may be
/// lost between the two. None where something of ours can't be read.
fn gone_on(copy: &Chapter, ours: &Chapter, parting: Position, wall_ms: u64) -> Option<Chapter> {
    let mut chapter = copy.clone();
    note_copy(&mut chapter, copy, wall_ms);
    chapter.note_loss("what came between the copy and what follows is lost", wall_ms);
    let resumes = chapter.last_t().unwrap_or(0);
    let mut inputs = ours.inputs();
    let mut entries = ours.entries().into_iter().map(|(_, told)| told).skip(count(parting.entries));
    (0..parting.inputs).try_for_each(|_| inputs.next_input().map(drop))?;
    let mut before = parting;
    for leaf in ours.leaves_behind(parting) {
        let rows = (before.inputs..leaf.end.inputs).map(|_| inputs.next_row());
        let mut batch =
            Batch { scope: ours.scope().clone(), inputs: rows.collect::<Option<_>>()?, entries: Vec::new() };
        batch.entries.extend(entries.by_ref().take(count(leaf.end.entries - before.entries)));
        // A hall that had lost all its files began its time anew.
        batch.inputs.iter_mut().for_each(|row| row.t = row.t.max(resumes));
        batch.entries.iter_mut().for_each(|told| told.t = told.t.max(resumes));
        before = leaf.end;
        if !is_note(&leaf) {
            chapter.add(&[&batch], "mend", leaf.wall_ms);
        }
    }
    (inputs.unread() == 0).then_some(chapter)
}

fn count(of: u64) -> usize {
    usize::try_from(of).expect("all of a file is in memory")
}
