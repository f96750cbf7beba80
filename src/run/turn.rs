//! One turn of the loop: inputs go through the hall; what is to be kept, shown, published and asked comes together.

use std::collections::{BTreeMap, BTreeSet};

use hall::{Ask, Hall, Input, Out, Refusal, Scope};
use protocol::feed::{Command, Event, Order, Sight, TableEvent, TableId};
use serde::Serialize;

use super::words;
use crate::{
    journal::{Batch, Done, Entries, Row, Said},
    screens::{Admission, Giver},
};

/// What came of the inputs that were taken together.
#[derive(Debug)]
pub(super) struct Turn {
    /// Who gives the orders that are taken.
    giver: Giver,
    batches: BTreeMap<Scope, Batch>,
    told: Vec<TableEvent>,
    done: Vec<Done>,
    /// What the order that is taken has to say.
    said: Vec<String>,
    asks: Vec<Ask>,
}

/// What is only seen: it may be shown before anything is on disk, and has no room for what may not.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) table: TableId,
    pub(super) t: u64,
    pub(super) sight: Sight,
}

impl Seen {
    /// What is only seen of an event.
    pub(super) fn of(told: TableEvent) -> Option<Seen> {
        match told {
            TableEvent { table: Some(table), t, event: Event::Sight(sight) } => Some(Seen { table, t, sight }),
            _ => None,
        }
    }
}

/// A turn at its end.
#[derive(Debug)]
pub(super) struct Closed {
    /// To be shown at once.
    pub(super) seen: Vec<Seen>,
    /// To be written down.
    pub(super) batches: Vec<Batch>,
    /// To be told when that is done.
    pub(super) entries: Entries,
}

/// An input with the name of who gave it: for the journal, as nothing in a game follows from it.
#[derive(Serialize)]
struct Signed<'a, T> {
    #[serde(flatten)]
    input: &'a T,
    by: &'a Giver,
}

impl Default for Turn {
    fn default() -> Turn {
        Turn {
            giver: Giver::house(),
            batches: BTreeMap::new(),
            told: Vec::new(),
            done: Vec::new(),
            said: Vec::new(),
            asks: Vec::new(),
        }
    }
}

impl Turn {
    /// Does something in the name of `giver`; all else is the house's own doing.
    pub(super) fn in_the_name_of<T>(&mut self, giver: Giver, act: impl FnOnce(&mut Turn) -> T) -> T {
        let before = std::mem::replace(&mut self.giver, giver);
        let outcome = act(self);
        self.giver = before;
        outcome
    }

    /// Notes what has changed at the doors.
    pub(super) fn admit(&mut self, admission: &Admission, now: u64) {
        let said = self.signed(admission);
        self.batch(&Scope::Hall).inputs.push(Row { t: now, said });
    }

    /// Takes one input. A refused order leaves no trace.
    pub(super) fn take(&mut self, hall: &mut Hall, input: Input, now: u64) -> Result<(), Refusal> {
        if !matches!(input, Input::Resumed { .. }) {
            self.elapse(hall, now);
        }
        let scope = hall.scope(&input);
        let mut out = Vec::new();
        hall.handle(&input, now, &mut out)?;
        self.start(hall, &scope, now);
        if let Input::Ordered(Order { command, .. }) = &input
            && let Command::OpenRound { event, round, .. } = command
        {
            self.start(hall, &Scope::Round { event: event.clone(), round: *round }, now);
        }
        let from = self.told.len();
        self.sort(&scope, out);
        if let Input::Ordered(order) = &input {
            let events = self.told[from..].to_vec();
            let said = std::mem::take(&mut self.said).into_iter().chain(words::sentences(&events)).collect();
            self.done.push(Done { order: order.clone(), events, said });
        }
        self.keep(&scope, input, now);
        Ok(())
    }

    /// Before anything else that happens in a round its thresholds are written down, so that it is read again by them
    /// whatever a later build has for defaults.
    fn start(&mut self, hall: &mut Hall, scope: &Scope, now: u64) {
        let Scope::Round { event, round } = scope else { return };
        let Some(settings) = hall.start(event, *round) else { return };
        hall.handle(&settings, now, &mut Vec::new()).expect("only orders are refused");
        self.keep(scope, settings, now);
    }

    /// Lets time pass. What follows from it follows from the journal too: the moment is written down.
    pub(super) fn elapse(&mut self, hall: &mut Hall, now: u64) {
        let mut out = Vec::new();
        for table in hall.elapse(now, &mut out) {
            let input = Input::Elapsed { table };
            self.keep(&hall.scope(&input), input, now);
        }
        let outs = out.into_iter().map(|out| (scope_of(&out), out));
        let mut by_scope: Vec<(Scope, Vec<Out>)> = Vec::new();
        for (scope, out) in outs {
            match by_scope.last_mut() {
                Some((last, outs)) if *last == scope => outs.push(out),
                _ => by_scope.push((scope, vec![out])),
            }
        }
        for (scope, outs) in by_scope {
            self.sort(&scope, outs);
        }
    }

    /// How many orders were done.
    pub(super) fn orders(&self) -> usize {
        self.done.len()
    }

    /// What was done since the how-many-eth order of the turn followed from it.
    pub(super) fn gather(&mut self, at: usize) {
        let (first, rest) = self.done.split_at_mut(at + 1);
        let Some(first) = first.last_mut() else { return };
        for done in rest {
            first.events.extend(done.events.iter().cloned());
            first.said.extend(done.said.iter().cloned());
        }
    }

    /// What else there is to say to who gave the how-many-eth order.
    pub(super) fn add(&mut self, at: usize, said: Vec<String>) {
        if let Some(done) = self.done.get_mut(at) {
            done.said.extend(said);
        }
    }

    pub(super) fn take_asks(&mut self) -> Vec<Ask> {
        std::mem::take(&mut self.asks)
    }

    /// Parts what may be shown before anything is on disk from what waits for it. Sights behind an entry of their own
    /// table wait too: screens get everything of a table in its order.
    pub(super) fn close(self) -> Closed {
        let (mut waiting, mut seen, mut events) = (BTreeSet::new(), Vec::new(), Vec::new());
        for told in self.told {
            match told {
                TableEvent { table: Some(table), t, event: Event::Sight(sight) } if !waiting.contains(&table) => {
                    seen.push(Seen { table, t, sight });
                }
                told => {
                    waiting.extend(told.table.clone());
                    events.push(told);
                }
            }
        }
        let batches = self.batches.into_values().collect();
        Closed { seen, batches, entries: Entries { done: self.done, events } }
    }

    fn keep(&mut self, scope: &Scope, input: Input, now: u64) {
        let said = if matches!(input, Input::Ordered(_)) { self.signed(&input) } else { Said::Input(input) };
        self.batch(scope).inputs.push(Row { t: now, said });
    }

    /// With the name of who gives it.
    fn signed(&self, input: &impl Serialize) -> Said {
        let text = serde_json::to_string(&Signed { input, by: &self.giver });
        Said::Text(text.expect("inputs and admissions are plain data"))
    }

    fn sort(&mut self, scope: &Scope, outs: Vec<Out>) {
        for out in outs {
            match out {
                Out::Ask(ask) => self.asks.push(ask),
                Out::Sight(table, t, sight) => {
                    self.told.push(TableEvent { table: Some(table), t, event: sight.into() });
                }
                Out::Entry(table, t, entry) => {
                    self.tell(scope, TableEvent { table: Some(table), t, event: entry.into() });
                }
                Out::Round(t, entry) => self.tell(scope, TableEvent { table: None, t, event: entry.into() }),
                Out::Said(sentence) => self.said.push(sentence),
            }
        }
    }

    fn tell(&mut self, scope: &Scope, told: TableEvent) {
        self.batch(scope).entries.push(told.clone());
        self.told.push(told);
    }

    fn batch(&mut self, scope: &Scope) -> &mut Batch {
        self.batches.entry(scope.clone()).or_insert_with(|| Batch {
            scope: scope.clone(),
            inputs: Vec::new(),
            entries: Vec::new(),
        })
    }
}

fn scope_of(out: &Out) -> Scope {
    match out {
        Out::Sight(id, ..) | Out::Entry(id, ..) => Scope::of(id),
        Out::Round(..) | Out::Said(_) | Out::Ask(_) => Scope::Hall,
    }
}
