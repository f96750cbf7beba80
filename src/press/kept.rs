//! What a target knows of a round, kept over restarts: how far each game was told, and how far it arrived.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    mark::Mark,
    outbox::{Entry, Outbox},
    pages::Pages,
    settling::{Key, Settling},
};

/// The file of a round, as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Written {
    #[serde(default)]
    told: BTreeMap<String, Mark>,
    #[serde(default)]
    games: BTreeMap<String, Entry>,
    #[serde(default)]
    pages: BTreeMap<String, u64>,
}

/// Where it is, and what stands in it.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    path: PathBuf,
    written: Option<String>,
}

impl Kept {
    /// The file of a target and a round. One that can't be read is none: then everything is told again.
    pub(super) fn open(folder: &Path, event: &str, round: u16) -> (Kept, Settling, Outbox, Pages) {
        let path = folder.join(format!("{event}-{round}.json"));
        let text = fs::read_to_string(&path).ok();
        let read = text.as_deref().map(serde_json::from_str::<Written>);
        let Written { told, games, pages } = match read {
            Some(Ok(read)) => read,
            Some(Err(error)) => {
                tracing::warn!(path = %path.display(), %error, "what was sent before is not known: all of it is sent again");
                Written::default()
            }
            None => Written::default(),
        };
        let keyed = |(key, mark): (String, _)| Some((key_in(&key)?, mark));
        let settling = Settling::resume(told.into_iter().filter_map(|one| Some((key_in(&one.0)?, one.1))));
        let outbox = Outbox::resume(games.into_iter().filter_map(keyed));
        (Kept { path, written: text }, settling, outbox, Pages::resume(pages))
    }

    /// Writes down what has changed.
    pub(super) fn keep(&mut self, settling: &Settling, outbox: &Outbox, pages: &Pages) -> io::Result<()> {
        let written = Written {
            told: settling.told().map(|(key, mark)| (name_of(key), mark.clone())).collect(),
            games: outbox.games().map(|(key, entry)| (name_of(key), entry.clone())).collect(),
            pages: pages.taken().map(|(path, mark)| (path.to_owned(), mark)).collect(),
        };
        let text = serde_json::to_string(&written)?;
        if self.written.as_ref() == Some(&text) {
            return Ok(());
        }
        let new = self.path.with_extension("new");
        let write = || write_alone(&new, &text).and_then(|()| fs::rename(&new, &self.path));
        write().or_else(|_| self.path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| write()))?;
        self.written = Some(text);
        Ok(())
    }
}

/// For the daemon alone: some sites want their secret in the address.
fn write_alone(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())
}

/// `12`, or `12.2` for the second game of table 12, or `12+2` for what follows a move of it that was not legal.
pub(super) fn name_of((table, nth, part): Key) -> String {
    let nth = if nth == 1 { String::new() } else { format!(".{nth}") };
    let part = if part == 1 { String::new() } else { format!("+{part}") };
    format!("{table}{nth}{part}")
}

fn key_in(name: &str) -> Option<Key> {
    let (name, part) = name.split_once('+').unwrap_or((name, "1"));
    let (table, nth) = name.split_once('.').unwrap_or((name, "1"));
    Some((table.parse().ok()?, nth.parse().ok()?, part.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_found_by_the_name_it_was_kept_by() {
        for (key, name) in [((12, 1, 1), "12"), ((12, 2, 1), "12.2"), ((12, 1, 2), "12+2"), ((12, 2, 3), "12.2+3")] {
            assert_eq!((name_of(key).as_str(), key_in(name)), (name, Some(key)));
        }
        assert_eq!(key_in("12.x"), None);
    }
}
