//! The archive: rounds that are over. What was published of them is read aside when nobody waits for it; their tables
//! are folded again when somebody gives an order about one of them.

use std::{collections::BTreeSet, future::pending, sync::Arc, thread};

use hall::{Hall, Scope};
use protocol::feed::{Command, TableId};
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::{
    past::{Round, fold_round},
    timeline::timeline,
};
use crate::{
    journal::{Chapter, Committed, Entries, JournalError, Reader},
    screens::{Outcome, Placed, Wish},
};

/// So many timelines are folded at once. Each reads a whole round, and only staff may ask.
const TIMELINES: usize = 4;

/// The kernel's word for work that stands back for all other.
const STANDS_BACK: i32 = 19;

/// What was found.
#[derive(Debug)]
pub(super) enum Found {
    /// What was published of a round.
    Record(Scope, Committed<Entries>),
    /// A round, folded.
    Round(Scope, Box<Round>),
    /// It can't be read now, and why.
    Nothing(Scope, JournalError),
    /// All that was published is found.
    All,
}

/// Rounds that are over, and who asks for them.
#[derive(Debug)]
pub(super) struct Archive {
    reader: Reader,
    /// Where players are named.
    hall: Arc<Chapter>,
    /// Those whose tables are not in the hall.
    closed: BTreeSet<Scope>,
    /// Those of which the book does not know yet.
    unread: BTreeSet<Scope>,
    asked: BTreeSet<Scope>,
    /// Orders about one of those.
    waiting: Vec<Placed>,
    found: mpsc::UnboundedReceiver<Found>,
    tell: mpsc::UnboundedSender<Found>,
    timelines: Arc<Semaphore>,
}

impl Archive {
    /// An archive of these rounds. Reading begins at once, the latest first, on a thread of its own.
    pub(super) fn open(reader: Reader, hall: Chapter, rounds: BTreeSet<Scope>) -> std::io::Result<Archive> {
        let (tell, found) = mpsc::unbounded_channel();
        let hall = Arc::new(hall);
        let desk = Desk { reader: reader.clone(), hall: Arc::clone(&hall), tell: tell.clone() };
        let all = rounds.clone();
        thread::Builder::new().name("archive".to_owned()).spawn(move || desk.read(&all))?;
        let (closed, asked) = (rounds.clone(), BTreeSet::new());
        let (waiting, timelines) = (Vec::new(), Arc::new(Semaphore::new(TIMELINES)));
        Ok(Archive { reader, hall, closed, unread: rounds, asked, waiting, found, tell, timelines })
    }

    /// What is found next. May be given up and asked again.
    pub(super) async fn next(&mut self) -> Found {
        match self.found.recv().await {
            Some(found) => found,
            None => pending().await,
        }
    }

    /// Keeps an order back that is about a round of the archive, and has that round folded. Gives back all others.
    pub(super) fn keep_back(&mut self, placed: Placed, hall: &Hall) -> Option<Placed> {
        let rounds = rounds_of(&placed, &self.closed)
            .into_iter()
            .filter(|scope| self.closed.contains(scope))
            .collect::<Vec<_>>();
        if rounds.is_empty() {
            return Some(placed);
        }
        self.waiting.push(placed);
        for scope in rounds {
            if self.asked.insert(scope.clone()) {
                self.fold(scope, hall);
            }
        }
        None
    }

    /// A round was folded, or can't be: those who waited for it go on. Gives what was published of it to who does not know.
    pub(super) fn done_with(&mut self, scope: &Scope, is_folded: bool) -> Vec<Placed> {
        self.asked.remove(scope);
        if is_folded {
            self.closed.remove(scope);
        }
        std::mem::take(&mut self.waiting)
    }

    /// Whether this is the first word of what was published of a round.
    pub(super) fn is_news(&mut self, scope: &Scope) -> bool {
        self.unread.remove(scope)
    }

    /// Tells what happened at a table, aside: a table's inputs are read from disk and folded again.
    pub(super) fn tell(&self, table: TableId, outcome: oneshot::Sender<Outcome>, hall: &Hall) {
        let scope = Scope::of(&table);
        if hall.table(&table).is_none() && !self.closed.contains(&scope) {
            let _ = outcome.send(Outcome::Refused(format!("there is no table {table}: nothing happened there")));
            return;
        }
        let nothing = hall.apart(&table.event, table.round, |_| false);
        let (reader, timelines) = (self.reader.clone(), Arc::clone(&self.timelines));
        tokio::spawn(async move {
            let turn = timelines.acquire_owned().await;
            tokio::task::spawn_blocking(move || {
                let told = match reader.read(&scope) {
                    Ok(chapter) => Outcome::Timeline(Box::new(timeline(&chapter, nothing, &table))),
                    Err(error) => Outcome::Refused(error.advice()),
                };
                // Who asked may have gone.
                let _ = outcome.send(told);
                drop(turn);
            });
        });
    }

    fn fold(&self, scope: Scope, hall: &Hall) {
        let Scope::Round { event, round } = &scope else { return };
        let part = hall.apart(event, *round, |_| true);
        let (event, round) = (event.clone(), *round);
        let (reader, names, tell) = (self.reader.clone(), Arc::clone(&self.hall), self.tell.clone());
        tokio::task::spawn_blocking(move || {
            let found = match reader.read(&scope) {
                Ok(chapter) => {
                    let folded = fold_round(&chapter, &names, |are_read| part.apart(&event, round, are_read));
                    Found::Round(scope, Box::new(folded))
                }
                Err(error) => Found::Nothing(scope, error),
            };
            // The loop may have ended.
            let _ = tell.send(found);
        });
    }
}

/// Reads aside.
struct Desk {
    reader: Reader,
    hall: Arc<Chapter>,
    tell: mpsc::UnboundedSender<Found>,
}

impl Desk {
    fn read(self, rounds: &BTreeSet<Scope>) {
        // Where the system does not let us stand back we don't.
        let _ = rustix::process::setpriority_process(None, STANDS_BACK);
        for scope in rounds.iter().rev() {
            let found = match self.reader.read(scope) {
                Ok(chapter) => Found::Record(scope.clone(), chapter.record_with(&self.hall).0),
                Err(error) => Found::Nothing(scope.clone(), error),
            };
            if self.tell.send(found).is_err() {
                return;
            }
        }
        let _ = self.tell.send(Found::All);
    }
}

/// The rounds an order is about.
fn rounds_of(placed: &Placed, closed: &BTreeSet<Scope>) -> Vec<Scope> {
    let (Wish::Order(order) | Wish::Preview(order)) = &placed.wish else { return Vec::new() };
    let of = |id: &TableId| Scope::Round { event: id.event.clone(), round: id.round };
    let mut rounds = order.table().into_iter().map(of).collect::<Vec<_>>();
    if let Command::OpenRound { event, round, .. }
    | Command::CloseRound { event, round }
    | Command::Pairings { event, round, .. } = &order.command
    {
        rounds.push(Scope::Round { event: event.clone(), round: *round });
    }
    if let Command::Remove { event: Some(event), round } = &order.command {
        let is_meant = |scope: &&Scope| match scope {
            Scope::Hall => false,
            Scope::Round { event: name, round: number } => name == event && round.is_none_or(|one| one == *number),
        };
        rounds.extend(closed.iter().filter(is_meant).cloned());
    }
    rounds
}
