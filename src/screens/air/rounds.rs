//! What is said of rounds, on its way to spectators: that one was opened, what it is called, that it is over.
//!
//! Pure. It waits as long as everything else of its event does: whoever sees a round open before its tables come knows
//! what spectators may not know yet.

use std::collections::BTreeMap;

use protocol::feed::{Command, Entry, Event, RoundView, Stage};

use super::{
    super::doors::Open,
    delays::{Delays, behind_ms},
};

/// What waits, in the order in which it was said.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    waiting: Vec<Waiting>,
    /// Those that are open, as far as spectators may know.
    open: BTreeMap<(String, u16), RoundView>,
}

/// One of them, the event it is about, and the time that makes it old.
#[derive(Clone, Debug)]
struct Waiting {
    t: u64,
    event: String,
    said: Said,
}

/// What is said of a round.
#[derive(Clone, Debug)]
pub(super) enum Said {
    /// The order that opened it.
    Opened(Command),
    /// How it stands.
    Stands(Open),
}

impl Rounds {
    /// An order that was given at `t`; others than those that open a round say nothing here.
    pub(super) fn order(&mut self, command: &Command, t: u64) {
        if let Command::OpenRound { event, .. } = command {
            self.waiting.push(Waiting { t, event: event.clone(), said: Said::Opened(command.clone()) });
        }
    }

    /// How a round stands. False where something else is said.
    pub(super) fn hear(&mut self, open: &Open) -> bool {
        let Event::Entry(Entry::Round { round }) = &open.event().event else { return false };
        let (t, event) = (open.event().t, round.event.clone());
        self.waiting.push(Waiting { t, event, said: Said::Stands(open.clone()) });
        true
    }

    /// A round stands like this for all who may know of it.
    pub(super) fn note(&mut self, round: &RoundView) {
        let key = (round.event.clone(), round.round);
        match round.stage {
            Stage::Open => drop(self.open.insert(key, round.clone())),
            Stage::Prepared | Stage::Closed => drop(self.open.remove(&key)),
        }
    }

    /// The rounds that are open.
    pub(super) fn open(&self) -> impl Iterator<Item = &RoundView> {
        self.open.values()
    }

    /// When the next of it is old enough.
    pub(super) fn due(&self, delays: &Delays) -> Option<u64> {
        self.waiting.iter().map(|waiting| waiting.due(delays)).min()
    }

    /// What is old enough by `now`.
    pub(super) fn old(&mut self, now: u64, delays: &Delays) -> Vec<Said> {
        let (old, waiting): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.due(delays) <= now);
        self.waiting = waiting;
        old.into_iter().map(|waiting| waiting.said).collect()
    }
}

impl Waiting {
    fn due(&self, delays: &Delays) -> u64 {
        self.t.saturating_add(behind_ms(delays.of_event(&self.event)))
    }
}
