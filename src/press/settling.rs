//! How much of each game may leave: the newest of it stands for some seconds first, or until something follows it.
//!
//! Pure. Receivers keep a move that was taken back as a side line, for ever. So a ply leaves when the next one is final,
//! or when it has stood long enough; a result, and the ply before it, when they have stood long enough. What was told
//! once stays told unless the game itself is another one.
//!
//! A king that goes to the middle may be on its way to show a result, and is a move only once that is answered; players take
//! their time over it.

use std::collections::{BTreeMap, BTreeSet};

use super::mark::{Mark, OPEN};
use crate::record::Slip;

/// How long a king stands in the middle before it is a move though nothing follows it.
const KING_STANDS_MS: u64 = 60_000;

/// A game of a round: its table, which of that table's games it is, and which part of it.
pub(super) type Key = (u16, usize, usize);

pub(super) fn key_of(slip: &Slip) -> Key {
    (slip.table().table, slip.nth(), slip.part())
}

/// What stands how long, of each game of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct Settling {
    games: BTreeMap<Key, Standing>,
}

#[derive(Clone, Debug)]
struct Standing {
    latest: Mark,
    since: u64,
    /// The newest ply is a king's that went to the middle.
    is_sign: bool,
    told: Option<Mark>,
}

impl Standing {
    /// When nothing of it is too young any more.
    fn rests_at(&self, wait_ms: u64) -> u64 {
        self.since.saturating_add(if self.is_sign { wait_ms.max(KING_STANDS_MS) } else { wait_ms })
    }
}

/// What may be told of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) mark: Mark,
    /// Nothing of it is younger than it has to be.
    pub(super) is_rested: bool,
}

impl Settling {
    /// After a restart: what had been told stays told.
    pub(super) fn resume(told: impl IntoIterator<Item = (Key, Mark)>) -> Settling {
        let standing = |mark: Mark| Standing { latest: mark.clone(), since: 0, is_sign: false, told: Some(mark) };
        Settling { games: told.into_iter().map(|(key, mark)| (key, standing(mark))).collect() }
    }

    /// Looks at a game, and gives what may be told of it at this moment.
    pub(super) fn look(&mut self, slip: &Slip, now: u64, wait_ms: u64) -> Settled {
        let latest = Mark::whole(slip);
        let standing = self.games.entry(key_of(slip)).or_insert_with(|| Standing {
            latest: latest.clone(),
            since: now,
            is_sign: false,
            told: None,
        });
        if !standing.latest.plays_like(&latest) {
            standing.since = now;
        }
        standing.latest = latest;
        standing.is_sign = is_sign(slip) && standing.told.as_ref().is_none_or(|told| told.plies < slip.plies());
        let is_rested = now >= standing.rests_at(wait_ms);
        let mark = if is_rested { standing.latest.clone() } else { followed(slip, standing.told.as_ref()) };
        standing.told = Some(mark.clone());
        Settled { mark, is_rested }
    }

    /// Of games that are not told any more nothing is due.
    pub(super) fn rest_all_but(&mut self, looked_at: BTreeSet<Key>) {
        let gone = self.games.iter_mut().filter(|(key, _)| !looked_at.contains(key));
        gone.for_each(|(_, one)| one.latest = one.told.clone().unwrap_or_else(|| one.latest.clone()));
    }

    /// When the next of what stands has stood long enough.
    pub(super) fn due(&self, wait_ms: u64) -> Option<u64> {
        let waiting = self.games.values().filter(|one| one.told.as_ref() != Some(&one.latest));
        waiting.map(|one| one.rests_at(wait_ms)).min()
    }

    pub(super) fn told(&self) -> impl Iterator<Item = (Key, &Mark)> {
        self.games.iter().filter_map(|(key, one)| Some((*key, one.told.as_ref()?)))
    }
}

fn is_sign(slip: &Slip) -> bool {
    // When there is a result it is decided what was a move.
    if slip.result() != OPEN {
        return false;
    }
    let newest = slip.moves().last().map(|(san, ..)| san.trim_end_matches(['+', '#']));
    newest
        .is_some_and(|san| san.starts_with('K') && ["d4", "d5", "e4", "e5"].iter().any(|middle| san.ends_with(middle)))
}

/// What something follows, and what was told before where it still stands.
fn followed(slip: &Slip, told: Option<&Mark>) -> Mark {
    let before_last = slip.plies().saturating_sub(1);
    match told.filter(|told| told.begins(slip)) {
        Some(told) => {
            let result = if told.result == slip.result() { &told.result } else { OPEN };
            Mark::of(slip, told.plies.max(before_last), result)
        }
        None => Mark::of(slip, before_last, OPEN),
    }
}
