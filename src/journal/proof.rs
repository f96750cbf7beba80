//! What of a file is proven: its chain from the first leaf on, and its end by what is known of it elsewhere.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    path::Path,
    time::{SystemTime, UNIX_EPOCH},
};

use hall::Scope;
use jiff::{Timestamp, Zoned, tz::TimeZone};

use super::{
    JournalError,
    chapter::{Chapter, is_note},
    layout_1,
    leaf::Position,
    leaves::Tail,
    positions::Known,
    store::{Contents, LAYOUT, Store, beside},
};

/// A file, looked at.
#[derive(Debug)]
pub(super) struct Examined {
    /// What is proven of it.
    pub(super) chapter: Chapter,
    pub(super) state: State,
    pub(super) store: Option<Store>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// There is none, and none is missed.
    New,
    Sound,
    /// Of the first layout: what it says is in the chapter, as far as it can be read.
    Older {
        broken: Option<String>,
    },
    /// What is there is proven, but there was more.
    Short {
        missed: Position,
    },
    /// What comes behind the proven part can't be relied on.
    Broken {
        what: String,
        missed: Option<Position>,
    },
    /// It is gone.
    Missing {
        missed: Position,
    },
}

/// Looks at a file. An error is no damage, but something that keeps us from looking.
pub(super) fn examine(
    open: impl Fn(&Path) -> Result<Store, JournalError>,
    path: &Path,
    scope: &Scope,
    known: Option<&Known>,
) -> Result<Examined, JournalError> {
    let missed = known.map(|known| known.end).filter(|end| end.leaves > 0);
    let nothing = |state| Ok(Examined { chapter: Chapter::begin(scope.clone(), &new_id()), state, store: None });
    if !path.exists() {
        let widow = beside(path, "-wal").exists().then_some(Position::default());
        return nothing(missed.or(widow).map_or(State::New, |missed| State::Missing { missed }));
    }
    let store = match open(path) {
        Err(error) if error.is_damage() => return nothing(State::Broken { what: error.what(), missed }),
        store => store?,
    };
    let examined = match store.layout() {
        Ok(LAYOUT) => {
            let contents = store.contents();
            let hindered = contents.broken.as_ref().filter(|error| store.is_for_writing() && error.is_hindrance());
            if let Some(error) = hindered {
                return Err(error.clone());
            }
            prove(contents, scope, known)
        }
        Ok(_) => {
            let (chapter, broken) = layout_1::read(&store, scope, &new_id());
            (chapter, State::Older { broken })
        }
        Err(error) if error.is_damage() => return nothing(State::Broken { what: error.what(), missed }),
        Err(error) => return Err(error),
    };
    Ok(Examined { chapter: examined.0, state: examined.1, store: Some(store) })
}

/// Looks at nothing but the two ends of a file: whether it is the one it should be, and ends as it is known to. None
/// where that takes a look at all of it.
pub(super) fn tail(path: &Path, scope: &Scope, known: &Known) -> Option<Tail> {
    if beside(path, "-wal").exists() {
        return None;
    }
    let store = Store::look(path).ok()?;
    let is_ours = store.layout().ok()? == LAYOUT;
    let Contents { meta, leaves, .. } = store.ends().ok()?;
    let says = |key: &str| meta.get(key).map(String::as_str);
    let is_it = says("id") == Some(&known.id) && says("scope") == Some(&scope.to_string());
    let last = leaves.first()?;
    let before = leaves.get(1).map_or_else(|| Chapter::begin(scope.clone(), &known.id).end(), |before| before.end);
    let is_as_known = is_ours && is_it && last.end == known.end && last.follows(&before);
    // Of a note alone nobody can tell when the time was written that it repeats.
    let told = leaves.iter().find(|leaf| !is_note(leaf))?;
    is_as_known.then_some(Tail { t: told.t, wall_ms: told.wall_ms })
}

fn prove(contents: Contents, scope: &Scope, known: Option<&Known>) -> (Chapter, State) {
    let Contents { meta, leaves, broken } = contents;
    let missed = known.map(|known| known.end);
    let id = meta.get("id").cloned().unwrap_or_default();
    let says = meta.get("scope").map(String::as_str);
    if says.is_some_and(|says| says != scope.to_string()) || known.is_some_and(|known| known.id != id) {
        let chapter = Chapter::begin(scope.clone(), &new_id());
        let of = says.unwrap_or("something unknown");
        return (chapter, State::Broken { what: format!("it is another file, of {of}"), missed });
    }
    let (mut chapter, there) = (Chapter::begin(scope.clone(), &id), leaves.len());
    let unproven = leaves.iter().find(|leaf| !chapter.take(leaf));
    let proven = chapter.end().leaves;
    let what = match (unproven, broken) {
        (Some(_), _) => Some(format!("leaf {} of {there} is not as it was written", proven + 1)),
        (None, Some(error)) => Some(error.what()),
        (None, None) => None,
    };
    let state = match (what, known) {
        (Some(what), _) => State::Broken { what, missed },
        (None, Some(known)) if chapter.end().leaves < known.end.leaves => State::Short { missed: known.end },
        (None, Some(known)) if known.end.leaves > 0 && !chapter.has_been_at(&known.end) => {
            // Whole in itself, and yet not what we wrote: nothing in it is ours to vouch for.
            chapter = Chapter::begin(scope.clone(), &new_id());
            State::Broken { what: "it was written by somebody else".to_owned(), missed }
        }
        (None, _) => State::Sound,
    };
    (chapter, state)
}

impl Examined {
    /// What an operator is told: which file, from which input on, and what is still good. None where all is well.
    pub(super) fn sentence(&self, path: &Path) -> Option<String> {
        let good = good(&self.chapter);
        let lost = |missed: &Position| lost(&self.chapter.end(), missed);
        let path = path.display();
        Some(match &self.state {
            State::New | State::Sound | State::Older { broken: None } => return None,
            State::Older { broken: Some(what) } => format!("{path} is damaged ({what}); {good}"),
            State::Short { missed } => format!("{path} has lost its end: {}; {good}", lost(missed)),
            State::Broken { what, missed: Some(missed) } => {
                format!("{path} is damaged ({what}): {}; {good}", lost(missed))
            }
            State::Broken { what, missed: None } => format!("{path} is damaged ({what}); {good}"),
            State::Missing { missed } => format!("{path} is gone: {}", lost(missed)),
        })
    }
}

/// What is missing between what is proven and what there was.
fn lost(proven: &Position, missed: &Position) -> String {
    let range = |from: u64, upto: u64, what: &str| match upto.saturating_sub(from) {
        0 => None,
        1 => Some(format!("{what} {upto}")),
        _ => Some(format!("{what}s {} to {upto}", from + 1)),
    };
    let inputs = range(proven.inputs, missed.inputs, "input");
    let entries = range(proven.entries, missed.entries, "entry").map(|text| text.replace("entrys", "entries"));
    match [inputs, entries].into_iter().flatten().collect::<Vec<_>>().as_slice() {
        [] => "nothing that was kept is known to be missing".to_owned(),
        [one] => format!("{one} can't be relied on"),
        all => format!("{} can't be relied on", all.join(" and ")),
    }
}

fn good(chapter: &Chapter) -> String {
    let end = chapter.end();
    match chapter.last_wall_ms() {
        None => "nothing of it is proven".to_owned(),
        Some(at) => {
            format!("the first {} inputs and {} entries are good, up to {}", end.inputs, end.entries, clock(at))
        }
    }
}

/// A time of day as people here say it.
pub(super) fn clock(wall_ms: u64) -> String {
    here(wall_ms).strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A moment as clocks here show it.
pub fn here(wall_ms: u64) -> Zoned {
    let stamp = i64::try_from(wall_ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok()).unwrap_or_default();
    stamp.to_zoned(TimeZone::system())
}

/// The time of day, in milliseconds since 1970: a label, so that people find the minute they argue about. Nothing is
/// decided by it but how old an invitation is, for no other clock survives a stop; and it may jump.
pub fn wall_ms() -> u64 {
    #[cfg(test)]
    if let Some(set) = super::set_clock::wall() {
        return set;
    }
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// A name no other file has: the hasher's keys are random.
pub(super) fn new_id() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}
