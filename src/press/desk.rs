//! The desk of one round at one target: what may be told of it, and what is due.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use super::{
    kept::{Kept, name_of},
    outbox::{Entry, Outbox, unnamed},
    pages::{Pages, without_query},
    patience::Patience,
    settling::{Key, Settled, Settling, key_of},
    standing::RoundStanding,
    target::{Receiver, Target},
};
use crate::record::{Bulletin, Slip};

/// One round at one target.
pub(super) struct Desk {
    pub(super) event: String,
    pub(super) round: u16,
    kept: Kept,
    pub(super) settling: Settling,
    pub(super) outbox: Outbox,
    pub(super) pages: Pages,
    pub(super) patience: Patience,
    /// Of which edition everything that was due has been told.
    pub(super) done: Option<u64>,
    /// Where the document belongs that was handed over last.
    pub(super) last: String,
    pub(super) standing: RoundStanding,
}

/// What a desk looks at in one go.
pub(super) struct Sheet {
    pub(super) bulletin: Bulletin,
    pub(super) games: Vec<(Arc<Slip>, Settled)>,
    /// Tables that nobody may see.
    pub(super) hidden: BTreeSet<u16>,
}

impl Desk {
    pub(super) fn open(folder: &Path, event: &str, round: u16) -> Desk {
        let (kept, settling, outbox, pages) = Kept::open(folder, event, round);
        let (patience, standing, last) = (Patience::default(), RoundStanding::default(), String::new());
        Desk { event: event.to_owned(), round, kept, settling, outbox, pages, patience, done: None, last, standing }
    }

    /// Looks at what is on air, and says how much of it may be told.
    pub(super) fn look(&mut self, bulletin: Bulletin, target: &Target, now: u64) -> Sheet {
        let look = |slip: &Arc<Slip>| (Arc::clone(slip), self.settling.look(slip, now, target.wait_ms));
        let told = bulletin.parts().filter(|slip| target.second_game || slip.counts());
        let games = told.map(look).collect::<Vec<_>>();
        self.settling.rest_all_but(games.iter().map(|(slip, _)| key_of(slip)).collect());
        let hidden = bulletin.tables.iter().filter(|(_, shown)| shown.is_none()).map(|(table, _)| *table).collect();
        Sheet { bulletin, games, hidden }
    }

    /// When it has to be looked at again though nothing changes.
    pub(super) fn due(&self, target: &Target, now: u64) -> Option<u64> {
        let settling = self.settling.due(target.wait_ms);
        [settling, self.outbox.due(now)].into_iter().flatten().min()
    }

    /// Writes down how far everything was told. Games are told all the same where that fails.
    pub(super) fn keep(&mut self) {
        if let Err(error) = self.kept.keep(&self.settling, &self.outbox, &self.pages) {
            tracing::warn!(%error, event = self.event, round = self.round, "what was sent can't be written down");
        }
    }

    /// Somebody asks for a try at once.
    pub(super) fn forget(&mut self) {
        self.patience.forget();
        self.outbox.forget_refusals();
        self.pages.forget();
        self.done = None;
    }

    /// How it stands, for the operator.
    pub(super) fn account(&mut self, sheet: &Sheet, target: &Target) {
        let is_told = |(slip, settled): &&(Arc<Slip>, Settled)| match &target.receiver {
            Receiver::Lichess { .. } => {
                let entry = self.outbox.get(key_of(slip));
                entry.and_then(Entry::taken) == Some((settled.mark.plies, settled.mark.result.as_str()))
            }
            Receiver::Folder { .. } | Receiver::Http { .. } => {
                self.done.is_some() && self.pages.refusals().next().is_none()
            }
        };
        let (event, round, games) = (self.event.clone(), self.round, sheet.games.len());
        let told = sheet.games.iter().filter(is_told).count();
        self.standing = RoundStanding { event, round, games, told, remarks: self.remarks(sheet, target) };
    }

    fn remarks(&self, sheet: &Sheet, target: &Target) -> Vec<String> {
        let mut remarks = Vec::new();
        for (slip, _) in &sheet.games {
            let key = key_of(slip);
            if let Some(cut) = slip.cut() {
                let after = match (cut.after, target.second_game) {
                    (0, _) => "it is not told".to_owned(),
                    (_, true) => "it is not told, and what follows it is a game of its own".to_owned(),
                    (1, false) => "it and the ply after it are not told".to_owned(),
                    (many, false) => format!("it and {many} plies after it are not told"),
                };
                let table = name_of(key);
                remarks.push(format!("table {table}: {} is not legal and stands: {after}; the result is", cut.san));
            }
            if let Receiver::Lichess { .. } = &target.receiver {
                remarks.extend(unnamed(slip).map(|who| format!("{who}: not sent, as it would be thrown away")));
            }
        }
        remarks.extend(self.refusals());
        remarks
    }

    /// What is not taken there as it is, a sentence each.
    fn refusals(&self) -> impl Iterator<Item = String> {
        let game = |(key, entry): (Key, &Entry)| Some(format!("table {}: refused: {}", name_of(key), entry.refusal()?));
        let documents = self.pages.refusals().map(|(path, said)| format!("{}: {said}", without_query(path)));
        self.outbox.games().filter_map(game).chain(documents)
    }

    /// The same in one sentence, if there is any.
    pub(super) fn refused(&self) -> Option<String> {
        let mut refusals = self.refusals();
        let first = refusals.next()?;
        let others = refusals.count();
        Some(if others == 0 { first } else { format!("{first} (and {others} more)") })
    }
}
