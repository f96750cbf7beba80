//! One turn of a table: the time of an input, and what the table says because of it.

use protocol::feed::{Alert, Entry, Sight};

use super::{Said, Say};
use crate::{Doubt, Millis};

/// What comes out of one input, in order, and when that is.
#[derive(Debug)]
pub(super) struct Turn {
    now: Millis,
    said: Vec<Said>,
}

impl Turn {
    pub(super) fn at(now: Millis) -> Turn {
        Turn { now, said: Vec::new() }
    }

    pub(super) fn now(&self) -> Millis {
        self.now
    }

    /// What is due before the input has its own time.
    pub(super) fn set(&mut self, now: Millis) {
        self.now = now;
    }

    /// An alert; nothing where the Laws in force know no such thing.
    pub(super) fn say(&mut self, alert: impl Into<Option<Alert>>) {
        if let Some(alert) = alert.into() {
            self.entry(Entry::Alert(Box::new(alert)));
        }
    }

    /// Something that is kept with the game.
    pub(super) fn entry(&mut self, entry: Entry) {
        self.push(Say::Entry(entry));
    }

    /// Something to be shown at once.
    pub(super) fn show(&mut self, sight: Sight) {
        self.push(Say::Sight(sight));
    }

    pub(super) fn ask_dump(&mut self, board: String) {
        self.push(Say::AskDump(board));
    }

    pub(super) fn ask_proof(&mut self, doubts: Vec<Doubt>) {
        self.push(Say::AskProof(doubts));
    }

    /// How much has been said.
    pub(super) fn mark(&self) -> usize {
        self.said.len()
    }

    /// What was said since is not.
    pub(super) fn take_back(&mut self, mark: usize) {
        self.said.truncate(mark);
    }

    /// Says an entry before what has been said since.
    pub(super) fn entry_before(&mut self, mark: usize, entry: Entry) {
        self.said.insert(mark, (self.now, Say::Entry(entry)));
    }

    pub(super) fn said(self) -> Vec<Said> {
        self.said
    }

    fn push(&mut self, say: Say) {
        self.said.push((self.now, say));
    }
}
