//! The outbox for a receiver that keeps games and can't take moves back: what it should be told next.
//!
//! Pure. It knows of each game what was sent, which may have arrived though nobody said so, and what was answered. Moves
//! that were sent and do not stand can only be removed with all others of the round (`Step::Reset`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    mark::Mark,
    parcel::Parcel,
    settling::{Key, Settled, key_of},
};
use crate::record::{Manner, Slip};

/// At most so many games in one push: the receiver takes no more.
const TOGETHER: usize = 100;
/// And so many plies, fifty bytes each: it waits five seconds for all of it, on whatever line the hall has.
const PLIES_TOGETHER: usize = 6000;
/// Between two resets of a round. Whoever watches sees it begin anew.
const RESET_PAUSE_MS: u64 = 30_000;

/// What a receiver knows of the games of one round.
#[derive(Clone, Debug, Default)]
pub(super) struct Outbox {
    games: BTreeMap<Key, Entry>,
    /// A push of several was refused as a whole: one of them is in the way.
    is_singly: bool,
    reset_at: Option<u64>,
}

/// What is known of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// What may be there.
    pub(super) sent: Option<Mark>,
    /// What is there.
    pub(super) answered: Option<Mark>,
    /// Or nothing is: the round may have been emptied since, though nobody said so.
    #[serde(default)]
    may_be_gone: bool,
    #[serde(skip)]
    refused: Option<(Mark, String)>,
    /// The moves that were taken before, with the result, were refused as well.
    #[serde(skip)]
    refused_even: Option<Mark>,
}

/// What to do next.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Nothing is due.
    Rest,
    /// Empty the round, and tell everything again.
    Reset,
    /// Send these.
    Send(Push),
}

/// Some games.
#[derive(Clone, Debug)]
pub(super) struct Push {
    pub(super) parts: Vec<Part>,
    pub(super) parcel: Parcel,
}

/// A game, as far as it is sent.
#[derive(Clone, Debug)]
pub(super) struct Part {
    key: Key,
    mark: Mark,
    /// Only what was taken before, and the result.
    is_fallback: bool,
    /// What had been sent before.
    before: Option<Mark>,
    /// What the receiver knows it by: its number, or both names and the round.
    pub(super) id: String,
    pub(super) known_by: [(&'static str, String); 3],
}

/// What became of a game that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reception {
    Taken,
    Refused(String),
}

impl Outbox {
    pub(super) fn resume(games: impl IntoIterator<Item = (Key, Entry)>) -> Outbox {
        Outbox { games: games.into_iter().collect(), ..Outbox::default() }
    }

    /// What to do about these games, of which `gone` were once sent and are shown no more.
    pub(super) fn next(&self, games: &[(Arc<Slip>, Settled)], hidden: &BTreeSet<u16>, now: u64) -> Step {
        let is_early = self.reset_at.is_some_and(|at| now < at + RESET_PAUSE_MS);
        // What nobody may see goes at once. Until it is time for the rest all other games go on.
        if self.shows(hidden) || !is_early && self.is_wrong(games) {
            return Step::Reset;
        }
        let limit = if self.is_singly { 1 } else { TOGETHER };
        let mut plies = 0;
        let taken = self.places_of_others(games);
        let due = games.iter().filter(|(slip, _)| !taken.contains(&slip.table().table));
        let due = due.filter_map(|(slip, settled)| Some((slip, self.part(slip, settled)?)));
        let due = due.take(limit).take_while(|(_, part)| {
            plies += part.mark.plies;
            plies == part.mark.plies || plies <= PLIES_TOGETHER
        });
        let (mut parts, mut parcel) = (Vec::new(), Parcel::default());
        for (slip, part) in due {
            parcel.add(slip, &part.mark, Manner::Plain);
            parts.push(part);
        }
        if parts.is_empty() { Step::Rest } else { Step::Send(Push { parts, parcel }) }
    }

    /// When a reset that has to wait is due.
    pub(super) fn due(&self, now: u64) -> Option<u64> {
        self.reset_at.map(|at| at + RESET_PAUSE_MS).filter(|due| *due > now)
    }

    /// These leave now: they may arrive, whatever is heard of it.
    pub(super) fn note_sent(&mut self, parts: &[Part]) {
        for part in parts {
            self.games.entry(part.key).or_default().sent = Some(part.mark.clone());
        }
    }

    /// They have not left, as nobody was there.
    pub(super) fn note_unsent(&mut self, parts: &[Part]) {
        for part in parts {
            self.games.entry(part.key).or_default().sent.clone_from(&part.before);
        }
    }

    /// What became of them, each in its turn.
    pub(super) fn note_answer(&mut self, parts: &[Part], receptions: Vec<Reception>) {
        for (part, reception) in parts.iter().zip(receptions) {
            let entry = self.games.entry(part.key).or_default();
            match reception {
                Reception::Taken => {
                    (entry.answered, entry.may_be_gone) = (Some(part.mark.clone()), false);
                    if !part.is_fallback {
                        (entry.refused, entry.refused_even) = (None, None);
                    }
                }
                Reception::Refused(_) if part.is_fallback => entry.refused_even = Some(part.mark.clone()),
                Reception::Refused(sentence) => entry.refused = Some((part.mark.clone(), sentence)),
            }
        }
    }

    /// All of them were refused together. Of several each is tried alone.
    pub(super) fn note_refusal(&mut self, parts: &[Part], sentence: &str) {
        if parts.len() > 1 {
            self.is_singly = true;
        } else {
            self.note_answer(parts, vec![Reception::Refused(sentence.to_owned())]);
        }
    }

    /// Everything that was due has been tried.
    pub(super) fn note_rest(&mut self) {
        self.is_singly = false;
    }

    /// A reset leaves now: the round may be empty, whatever is heard of it. All games are told again, after another reset
    /// or, where what was wrong stands again, without one.
    pub(super) fn note_emptying(&mut self) {
        self.games.values_mut().for_each(|entry| entry.may_be_gone = true);
    }

    /// The round is empty.
    pub(super) fn note_reset(&mut self, now: u64) {
        self.games.clear();
        self.reset_at = Some(now);
    }

    /// Somebody asks for a try at once: what was refused is tried again.
    pub(super) fn forget_refusals(&mut self) {
        for entry in self.games.values_mut() {
            (entry.refused, entry.refused_even) = (None, None);
        }
        self.reset_at = None;
    }

    /// All that is known.
    pub(super) fn games(&self) -> impl Iterator<Item = (Key, &Entry)> {
        self.games.iter().map(|(key, entry)| (*key, entry))
    }

    pub(super) fn get(&self, key: Key) -> Option<&Entry> {
        self.games.get(&key)
    }

    /// Whether a table is there that nobody may see any more.
    fn shows(&self, hidden: &BTreeSet<u16>) -> bool {
        self.games.iter().any(|((table, ..), entry)| hidden.contains(table) && entry.sent.is_some())
    }

    /// Whether something is there that does not stand.
    fn is_wrong(&self, games: &[(Arc<Slip>, Settled)]) -> bool {
        let taken = self.places_of_others(games);
        games.iter().any(|(slip, settled)| {
            // Men that are put up may look like a first move: what was there stays until there is something in its place.
            let is_sure = settled.is_rested || settled.mark.plies > 0;
            let sent = self.games.get(&key_of(slip)).and_then(|entry| entry.sent.as_ref());
            is_sure && taken.contains(&slip.table().table)
                || settled.is_rested && sent.is_some_and(|sent| !sent.begins(slip))
        })
    }

    /// The tables of which a game is there that is told no more. What is told of them waits until it is removed, so that
    /// nobody sees two boards of one table.
    fn places_of_others(&self, games: &[(Arc<Slip>, Settled)]) -> BTreeSet<u16> {
        let told = games.iter().map(|(slip, _)| key_of(slip)).collect::<BTreeSet<_>>();
        let gone = self.games.iter().filter(|(key, entry)| !told.contains(key) && entry.sent.is_some());
        gone.map(|((table, ..), _)| *table).collect()
    }

    /// What to send of a game, if anything.
    fn part(&self, slip: &Slip, settled: &Settled) -> Option<Part> {
        let part = |mark: Mark, is_fallback| {
            let known_by = ["White", "Black", "Round"].map(|tag| (tag, slip.tag(tag).unwrap_or("?").to_owned()));
            let before = self.games.get(&key_of(slip)).and_then(|entry| entry.sent.clone());
            Some(Part { key: key_of(slip), mark, is_fallback, before, id: slip.id(), known_by })
        };
        if unnamed(slip).is_some() {
            return None;
        }
        let Some(entry) = self.games.get(&key_of(slip)) else { return part(settled.mark.clone(), false) };
        // What was corrected waits until the correction stands, and then for a reset.
        if entry.sent.as_ref().is_some_and(|sent| !sent.begins(slip)) {
            return None;
        }
        let wanted = self.at_least(entry, slip, settled);
        if entry.sure() == Some(&wanted) {
            return None;
        }
        if entry.refused.as_ref().is_none_or(|(mark, _)| *mark != wanted) {
            return part(wanted, false);
        }
        let taken = entry.answered.as_ref().map_or(0, |answered| answered.plies);
        let fallback = Mark::of(slip, taken, &wanted.result);
        let is_known = entry.sure() == Some(&fallback) || entry.refused_even.as_ref() == Some(&fallback);
        if !wanted.is_over() || is_known { None } else { part(fallback, true) }
    }

    /// What may be there already is not less than what is told.
    fn at_least(&self, entry: &Entry, slip: &Slip, settled: &Settled) -> Mark {
        let there = entry.sent.as_ref().map_or(0, |sent| sent.plies);
        if there <= settled.mark.plies { settled.mark.clone() } else { Mark::of(slip, there, &settled.mark.result) }
    }
}

impl Entry {
    /// Why the receiver does not take it.
    pub(super) fn refusal(&self) -> Option<&str> {
        self.refused.as_ref().map(|(_, sentence)| sentence.as_str())
    }

    /// How far it has arrived; none before the receiver has said so.
    pub(super) fn taken(&self) -> Option<(usize, &str)> {
        self.sure().map(|mark| (mark.plies, mark.result.as_str()))
    }

    fn sure(&self) -> Option<&Mark> {
        self.answered.as_ref().filter(|_| !self.may_be_gone)
    }
}

/// Why a receiver that knows players by name or number would throw this game away.
pub(super) fn unnamed(slip: &Slip) -> Option<String> {
    let names = slip.players();
    let is_known = |colour: &str, name: &str| {
        let name = name.trim();
        let has_id = slip.tag(&format!("{colour}FideId")).is_some_and(|id| id != "0");
        has_id || name.chars().count() > 1 && !name.eq_ignore_ascii_case("unknown")
    };
    let colours = ["White", "Black"].into_iter().zip(names);
    let missing = colours.filter(|(colour, name)| !is_known(colour, name)).map(|(colour, _)| colour);
    let missing = missing.collect::<Vec<_>>();
    (!missing.is_empty()).then(|| {
        format!("table {}: {} has no name of two letters and no FIDE id", slip.table().table, missing.join(" and "))
    })
}
