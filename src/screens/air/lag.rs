//! What of one table's record waits until it is old enough, and what of it nobody outside will ever see.
//!
//! Pure. A move that was taken back while it waited is dropped, one that was shown already is cut off at once, and what
//! stands in its place waits for its own time. So what is shown is always a beginning of what is in the record.

use std::collections::VecDeque;

use protocol::feed::{Correction, Entry, Event, GameResult, ResultReason, Score, State, TableEvent};

use super::super::doors::Open;

/// What spectators have been shown of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) game: u32,
    pub(super) plies: usize,
    pub(super) score: Score,
    pub(super) state: State,
}

/// The entries that wait, in order, each with the time that makes it old.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lag {
    waiting: VecDeque<(u64, Open)>,
}

/// How old something has to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Age {
    /// It happened by then.
    pub(super) by: u64,
    /// And so many moves came after it, if it is a move of a game that is on.
    pub(super) plies: usize,
}

impl Lag {
    /// Takes in what is in the record. Gives what spectators are told at once of what was shown to them: that it is less.
    pub(super) fn take(&mut self, open: Open, shown: Shown) -> Vec<Entry> {
        let Event::Entry(entry) = open.event().event.clone() else { return Vec::new() };
        let t = self.waiting.back().map_or(0, |(last, _)| *last).max(open.event().t);
        if let Entry::Corrected { from_ply, old, new, reason } = &entry {
            return self.correct(&open, t, &Correcting::of(*from_ply, old, new, *reason), shown);
        }
        let cuts = match &entry {
            Entry::Started { game, .. } => self.begin_again(*game, shown),
            Entry::Result { result, score, .. } => self.take_back_result(Score::told(*result, *score), shown),
            Entry::Paired { .. } => {
                self.forget_pairing();
                Vec::new()
            }
            Entry::Corrected { .. }
            | Entry::Final { .. }
            | Entry::State { .. }
            | Entry::Instants { .. }
            | Entry::Proposal(_)
            | Entry::Voice { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Alert(_) => Vec::new(),
        };
        // A game that gets another result was over before, and nobody says so again.
        let is_reopened = cuts.iter().any(|cut| matches!(cut, Entry::State { .. }));
        let is_over_again = is_reopened && given_by(&open).is_some_and(|score| score != Score::Open);
        let over = is_over_again
            .then(|| TableEvent { event: Entry::State { state: State::Ended }.into(), ..open.event().clone() });
        self.waiting.push_back((t, open));
        self.waiting.extend(over.and_then(|over| Open::to_public(&over)).map(|over| (t, over)));
        cuts
    }

    /// The next one that is old enough.
    pub(super) fn next_of(&mut self, age: Age, shown: Shown) -> Option<Open> {
        let (t, open) = self.waiting.front()?;
        if *t > age.by || ply_of(open).is_some_and(|ply| !self.is_free(ply, age, shown)) {
            return None;
        }
        self.waiting.pop_front().map(|(_, open)| open)
    }

    /// When the next one is old enough that is not yet, where everything is shown so much later.
    pub(super) fn due(&self, now: u64, behind_ms: u64) -> Option<u64> {
        self.waiting.iter().map(|(t, _)| t.saturating_add(behind_ms)).find(|due| *due > now)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// All names that are on their way.
    pub(super) fn players(&self) -> impl Iterator<Item = &str> {
        let entries = self.waiting.iter().filter_map(|(_, open)| entry_of(open));
        let both = entries.filter_map(|entry| {
            let Entry::Paired { white, black, .. } = entry else { return None };
            Some([white.name.as_str(), black.name.as_str()])
        });
        both.flatten()
    }

    /// Whether a move may be shown as far as those after it go: all of them, once the game is over.
    fn is_free(&self, ply: usize, age: Age, shown: Shown) -> bool {
        if age.plies == 0 || shown.score != Score::Open {
            return true;
        }
        let old = self.waiting.iter().take_while(|(t, _)| *t <= age.by);
        let mut last = 0;
        for (_, open) in old {
            if ends(open) {
                return true;
            }
            last = ply_of(open).unwrap_or(last);
        }
        ply + age.plies <= last
    }

    /// The record keeps so many plies, and others come after them.
    fn correct(&mut self, open: &Open, t: u64, correcting: &Correcting, shown: Shown) -> Vec<Entry> {
        let Correcting { kept, .. } = *correcting;
        let begun = self.begun();
        let stands = |open: &Open| ply_of(open).is_none_or(|ply| ply <= kept);
        self.retain_from(begun.unwrap_or(0), stands);
        let said = |entry: Entry| Open::to_public(&TableEvent { event: entry.into(), ..open.event().clone() });
        self.waiting.extend(correcting.steps().into_iter().filter_map(said).map(|open| (t, open)));
        if begun.is_none() && shown.plies > kept { vec![cut_to(kept)] } else { Vec::new() }
    }

    /// A game that begins takes the place of all games with its number, or later ones.
    fn begin_again(&mut self, game: u32, shown: Shown) -> Vec<Entry> {
        let instead =
            |open: &Open| matches!(entry_of(open), Some(Entry::Started { game: other, .. }) if *other >= game);
        if let Some(at) = self.waiting.iter().position(|(_, open)| instead(open)) {
            self.truncate_games(at);
            return Vec::new();
        }
        if shown.game < game {
            return Vec::new();
        }
        self.truncate_games(0);
        let cut = (shown.plies > 0).then(|| cut_to(0));
        cut.into_iter().chain(Lag::open_again(shown)).collect()
    }

    /// The game has another result than was said, or none.
    fn take_back_result(&mut self, given: Score, shown: Shown) -> Vec<Entry> {
        let begun = self.begun();
        self.retain_from(begun.unwrap_or(0), |open| {
            let is_otherwise = given_by(open).is_some_and(|other| other != given);
            let is_over = matches!(entry_of(open), Some(Entry::State { state: State::Ended }));
            !(is_otherwise || is_over && given == Score::Open)
        });
        if begun.is_none() && shown.score != given { Lag::open_again(shown) } else { Vec::new() }
    }

    fn open_again(shown: Shown) -> Vec<Entry> {
        if shown.score == Score::Open {
            return Vec::new();
        }
        let ended = (shown.state == State::Ended).then_some(Entry::State { state: State::Playing });
        let open = Entry::Result { result: GameResult::Open, reason: ResultReason::Arbiter, score: None };
        [open].into_iter().chain(ended).collect()
    }

    /// A pairing that was put right before anybody saw it is not shown.
    fn forget_pairing(&mut self) {
        let from = self.waiting.iter().rposition(|(_, open)| ends(open)).map_or(0, |at| at + 1);
        self.retain_from(from, |open| !matches!(entry_of(open), Some(Entry::Paired { .. })));
    }

    /// Where the last game that waits as a whole begins.
    fn begun(&self) -> Option<usize> {
        self.waiting.iter().rposition(|(_, open)| matches!(entry_of(open), Some(Entry::Started { .. })))
    }

    /// Of what waits from there on only the pairings stay.
    fn truncate_games(&mut self, from: usize) {
        self.retain_from(from, |open| matches!(entry_of(open), Some(Entry::Paired { .. })));
    }

    fn retain_from(&mut self, from: usize, keeps: impl Fn(&Open) -> bool) {
        let mut at = 0;
        self.waiting.retain(|(_, open)| {
            at += 1;
            at <= from || keeps(open)
        });
    }
}

/// What a correction leaves and brings.
struct Correcting {
    kept: usize,
    old: Vec<String>,
    new: Vec<String>,
    reason: Correction,
}

impl Correcting {
    /// Moves that it repeats are not corrected.
    fn of(from_ply: usize, old: &[String], new: &[String], reason: Correction) -> Correcting {
        let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let kept = from_ply.saturating_sub(1) + same;
        Correcting { kept, old: old[same..].to_vec(), new: new[same..].to_vec(), reason }
    }

    /// Move by move, so that of many the first can be shown before the last.
    fn steps(&self) -> Vec<Entry> {
        let step = |from_ply: usize, old: Vec<String>, new: Vec<String>| Entry::Corrected {
            from_ply,
            old,
            new,
            reason: self.reason,
        };
        if self.new.is_empty() {
            return vec![step(self.kept + 1, self.old.clone(), Vec::new())];
        }
        let plies = (self.kept + 1..).zip(&self.new);
        plies.map(|(ply, san)| step(ply, Vec::new(), vec![san.clone()])).collect()
    }
}

fn cut_to(plies: usize) -> Entry {
    Entry::Corrected { from_ply: plies + 1, old: Vec::new(), new: Vec::new(), reason: Correction::Arbiter }
}

fn entry_of(open: &Open) -> Option<&Entry> {
    match &open.event().event {
        Event::Entry(entry) => Some(entry),
        Event::Sight(_) => None,
    }
}

/// The ply that a move is.
fn ply_of(open: &Open) -> Option<usize> {
    let entry = entry_of(open)?;
    if let Entry::Corrected { from_ply, new, .. } = entry {
        return Some(from_ply.saturating_sub(1) + new.len());
    }
    if let Entry::Final { ply, .. } = entry { Some(*ply) } else { None }
}

/// The score that this gives, or takes back.
fn given_by(open: &Open) -> Option<Score> {
    if let Entry::Result { result, score, .. } = entry_of(open)? { Some(Score::told(*result, *score)) } else { None }
}

/// Whether a game is over by this.
fn ends(open: &Open) -> bool {
    given_by(open).is_some_and(|given| given != Score::Open) || matches!(entry_of(open), Some(Entry::Started { .. }))
}
