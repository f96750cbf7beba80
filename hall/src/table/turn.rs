//! One turn of a table: the time of an input, and what the table says because of it.

use std::collections::VecDeque;

use protocol::feed::{Alert, AlertKind, Entry, Sight};

use super::{desk::Raised, sanction::Sanction};
use crate::{Doubt, Millis, hand::Deed};

/// What a table says: a sight, an entry, or what it asks the shell to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Say {
    /// To be shown at once.
    Sight(Sight),
    /// To be published once the inputs it follows from are on disk.
    Entry(Entry),
    /// Ask this board for a dump.
    AskDump(String),
    /// Search these aside, and nothing else of this table.
    AskProof(Vec<Doubt>),
}

/// What a table says, with the time it said it.
pub type Said = (Millis, Say);

/// What comes out of one input, in order, and when that is.
#[derive(Debug)]
pub(crate) struct Turn {
    now: Millis,
    said: Vec<Said>,
    /// What has to be followed up, the first first.
    ahead: VecDeque<Next>,
    /// What came up since the last of them was taken: it goes before the others.
    fresh: Vec<Next>,
}

/// One thing that has to be followed up. Whoever brings it up leaves that to the entrance, so that nothing is followed in
/// the middle of something else.
#[derive(Debug)]
pub(crate) enum Next {
    /// The hand has concluded this.
    Conclusion(Deed),
    /// An offence was found, and what came of it at once is in the record.
    Sanction(Sanction),
}

impl Turn {
    pub(crate) fn at(now: Millis) -> Turn {
        Turn { now, said: Vec::new(), ahead: VecDeque::new(), fresh: Vec::new() }
    }

    pub(crate) fn now(&self) -> Millis {
        self.now
    }

    /// What is due before the input has its own time.
    pub(crate) fn set(&mut self, now: Millis) {
        self.now = now;
    }

    /// This has to be followed up, before what was ahead already.
    pub(crate) fn then(&mut self, next: Next) {
        self.fresh.push(next);
    }

    /// What has to be followed up first.
    pub(crate) fn next(&mut self) -> Option<Next> {
        for fresh in self.fresh.drain(..).rev() {
            self.ahead.push_front(fresh);
        }
        self.ahead.pop_front()
    }

    /// An alert; nothing where the Laws in force know no such thing.
    pub(crate) fn say(&mut self, alert: impl Into<Option<Alert>>) {
        if let Some(alert) = alert.into() {
            self.entry(Entry::Alert(Box::new(alert)));
        }
    }

    /// Something that is kept with the game.
    pub(crate) fn entry(&mut self, entry: Entry) {
        self.push(Say::Entry(entry));
    }

    /// Something to be shown at once.
    pub(crate) fn show(&mut self, sight: Sight) {
        self.push(Say::Sight(sight));
    }

    pub(crate) fn ask_dump(&mut self, board: String) {
        self.push(Say::AskDump(board));
    }

    pub(crate) fn ask_proof(&mut self, doubts: Vec<Doubt>) {
        self.push(Say::AskProof(doubts));
    }

    /// How much has been said.
    pub(crate) fn mark(&self) -> usize {
        self.said.len()
    }

    /// The kinds of the alerts that have been said since.
    pub(crate) fn alerts_since(&self, mark: usize) -> Vec<AlertKind> {
        let kind = |(_, say): &Said| match say {
            Say::Entry(Entry::Alert(alert)) => Some(alert.kind),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        };
        self.said.iter().skip(mark).filter_map(kind).collect()
    }

    /// The alert that was said last, if that was at this very moment: what comes up now comes from it.
    pub(crate) fn last_alert(&self) -> Option<Raised> {
        let at_once = self.said.iter().rev().take_while(|(at, _)| *at == self.now);
        at_once.map(|(_, say)| say).find_map(|say| match say {
            Say::Entry(Entry::Alert(alert)) => Some((alert.kind, self.now)),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        })
    }

    /// An alert of this kind was said at this very moment.
    pub(crate) fn has_just_said(&self, kind: AlertKind) -> bool {
        let at_once = self.said.iter().rev().take_while(|(at, _)| *at == self.now);
        at_once.map(|(_, say)| say).any(|say| matches!(say, Say::Entry(Entry::Alert(alert)) if alert.kind == kind))
    }

    /// What was said since is not.
    pub(crate) fn take_back(&mut self, mark: usize) {
        self.said.truncate(mark);
    }

    /// Says an entry before what has been said since.
    pub(crate) fn entry_before(&mut self, mark: usize, entry: Entry) {
        self.said.insert(mark, (self.now, Say::Entry(entry)));
    }

    pub(crate) fn said(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.said)
    }

    fn push(&mut self, say: Say) {
        self.said.push((self.now, say));
    }
}
