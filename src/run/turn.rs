//! One turn of the loop: inputs go through the hall; what is to be kept, shown, published and asked comes together.

use std::collections::{BTreeMap, BTreeSet};

use hall::{Ask, Hall, Input, Out, Refusal, Scope};
use protocol::feed::{Command, Entry, Order, Sight, TableEvent, TableId};

use crate::journal::{Batch, Kept, Row};

/// What came of the inputs that were taken together.
#[derive(Debug, Default)]
pub(super) struct Turn {
    batches: BTreeMap<Scope, Batch>,
    told: Vec<Told>,
    asks: Vec<Ask>,
    opened: Vec<Command>,
}

/// One thing to show or to publish.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) table: TableId,
    pub(super) t: u64,
    pub(super) what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    /// Shown at once, unless an entry of the same table comes first.
    Sight(Sight),
    /// Published with the receipt of the batch of this scope.
    Entry(Scope, Entry),
}

impl Told {
    pub(super) fn event(&self) -> TableEvent {
        let event = match &self.what {
            What::Sight(sight) => sight.clone().into(),
            What::Entry(_, entry) => entry.clone().into(),
        };
        TableEvent { table: Some(self.table.clone()), t: self.t, event }
    }
}

impl Turn {
    /// Takes one input. A refused order leaves no trace.
    pub(super) fn take(&mut self, hall: &mut Hall, input: Input, now: u64) -> Result<Vec<TableEvent>, Refusal> {
        if !matches!(input, Input::Resumed { .. }) {
            self.elapse(hall, now);
        }
        let scope = hall.scope(&input);
        let mut out = Vec::new();
        hall.handle(&input, now, &mut out)?;
        let table = match &input {
            Input::Observed { table, .. }
            | Input::Pressed { table, .. }
            | Input::Elapsed { table }
            | Input::Searched { table, .. }
            | Input::Resumed { table, .. } => Some(table.table),
            Input::Ordered(order) => order.table.as_ref().map(|id| id.table),
            Input::Settings { .. } => None,
        };
        self.start(hall, &scope, now);
        if let Input::Ordered(Order { command, .. }) = &input
            && let Command::OpenRound { event, round, .. } = command
        {
            self.start(hall, &Scope::Round { event: event.clone(), round: *round }, now);
            self.opened.push(command.clone());
        }
        self.keep(&scope, table, &input, now);
        let from = self.told.len();
        self.sort(hall, &scope, out);
        Ok(self.told[from..].iter().map(Told::event).collect())
    }

    /// Before anything else that happens in a round its thresholds are written down, so that it is read again by them
    /// whatever a later build has for defaults.
    fn start(&mut self, hall: &mut Hall, scope: &Scope, now: u64) {
        let Scope::Round { event, round } = scope else { return };
        let Some(settings) = hall.start(event, *round) else { return };
        hall.handle(&settings, now, &mut Vec::new()).expect("only orders are refused");
        self.keep(scope, None, &settings, now);
    }

    /// Lets time pass. What follows from it follows from the journal too: the moment is written down.
    pub(super) fn elapse(&mut self, hall: &mut Hall, now: u64) {
        let mut out = Vec::new();
        for table in hall.elapse(now, &mut out) {
            let input = Input::Elapsed { table: table.clone() };
            self.keep(&hall.scope(&input), Some(table.table), &input, now);
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
            self.sort(hall, &scope, outs);
        }
    }

    /// Nothing has come of it: no reason to wake the disk.
    pub(super) fn is_empty(&self) -> bool {
        self.batches.is_empty() && self.told.is_empty() && self.asks.is_empty()
    }

    pub(super) fn take_batches(&mut self) -> BTreeMap<Scope, Batch> {
        std::mem::take(&mut self.batches)
    }

    /// The orders that opened rounds. The doors may know of them once they are on disk.
    pub(super) fn take_opened(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.opened)
    }

    pub(super) fn take_asks(&mut self) -> Vec<Ask> {
        std::mem::take(&mut self.asks)
    }

    /// What may be shown before anything is on disk, and what waits for it. Sights behind an entry of their own table
    /// wait too: screens get everything of a table in its order.
    pub(super) fn into_parts(self) -> (Vec<Told>, Vec<Told>) {
        let mut waiting = BTreeSet::new();
        self.told.into_iter().partition(|told| match &told.what {
            What::Sight(_) => !waiting.contains(&told.table),
            What::Entry(..) => {
                waiting.insert(told.table.clone());
                false
            }
        })
    }

    fn keep(&mut self, scope: &Scope, table: Option<u16>, input: &Input, now: u64) {
        let body = serde_json::to_string(input).expect("inputs are plain data");
        self.batch(scope).inputs.push(Row { t: now, table, body });
    }

    fn sort(&mut self, hall: &Hall, scope: &Scope, outs: Vec<Out>) {
        for out in outs {
            match out {
                Out::Ask(ask) => self.asks.push(ask),
                Out::Sight(table, t, sight) => self.told.push(Told { table, t, what: What::Sight(sight) }),
                Out::Entry(table, t, entry) => {
                    let game = hall.tables().find(|(id, _)| **id == table).map_or(0, |(_, spot)| spot.games());
                    let told = Told { table, t, what: What::Entry(scope.clone(), entry) };
                    let body = serde_json::to_string(&told.event()).expect("entries are plain data");
                    let table = Some(told.table.table);
                    self.batch(scope).entries.push(Kept { t, table, game, body });
                    self.told.push(told);
                }
            }
        }
    }

    fn batch(&mut self, scope: &Scope) -> &mut Batch {
        self.batches.entry(scope.clone()).or_insert_with(|| Batch {
            scope: place(scope),
            inputs: Vec::new(),
            entries: Vec::new(),
        })
    }
}

fn scope_of(out: &Out) -> Scope {
    match out {
        Out::Sight(id, ..) | Out::Entry(id, ..) => Scope::Round { event: id.event.clone(), round: id.round },
        Out::Ask(_) => Scope::Hall,
    }
}

/// The journal's word for a scope.
pub(super) fn place(scope: &Scope) -> crate::journal::Scope {
    match scope {
        Scope::Hall => crate::journal::Scope::Hall,
        Scope::Round { event, round } => crate::journal::Scope::Round { event: event.clone(), round: *round },
    }
}
