//! What waits for the disk, in the order it came: the loop goes on meanwhile.

use std::{collections::VecDeque, future::pending, time::Duration};

use protocol::feed::{Entry, Event, TableEvent, TableId};

use super::reply::Reply;
use crate::journal::{Committed, Entries, JournalError, Pending};

/// A disk that has not answered for so long is not only slow: from here on what is seen is shown without it.
const LATE: Duration = Duration::from_millis(900);

/// What the disk has to say.
#[derive(Debug)]
pub(super) enum News {
    /// The oldest of what waits is on disk.
    Committed {
        /// What is told of it.
        committed: Committed<Entries>,
        /// Whom it answers.
        replies: Vec<Reply>,
        /// How long it has waited.
        took: Duration,
        /// It had been refused, for a cause that was said.
        was_refused: bool,
    },
    /// It has waited for too long.
    Late,
}

/// What was handed in to the journal, each with whom it answers.
#[derive(Debug, Default)]
pub(super) struct Awaited {
    queue: VecDeque<(Pending, Vec<Reply>)>,
    late: bool,
}

impl Awaited {
    pub(super) fn push(&mut self, pending: Pending, mut replies: Vec<Reply>) {
        if self.late {
            std::mem::take(&mut replies).into_iter().for_each(Reply::put_off);
        }
        self.queue.push_back((pending, replies));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.queue.len()
    }

    /// What the disk has to say next; never while nothing waits. May be given up and asked again.
    pub(super) async fn next(&mut self) -> Result<News, JournalError> {
        let late = self.late;
        let Some((oldest, _)) = self.queue.front_mut() else { return pending().await };
        let late_at = (oldest.since() + LATE).into();
        let committed = tokio::select! {
            biased;
            committed = oldest.committed() => committed,
            () = tokio::time::sleep_until(late_at), if !late => return Ok(News::Late),
        };
        let (pending, replies) = self.queue.pop_front().expect("it was the oldest");
        let was_refused = pending.was_refused();
        // A disk that takes again what it had refused does answer: what is left is on disk with this, or has just come.
        self.late &= !self.queue.is_empty() && !was_refused;
        Ok(News::Committed { committed: committed?, replies, took: pending.since().elapsed(), was_refused })
    }

    /// Whether what is seen is shown without waiting for the disk.
    pub(super) fn is_late(&self) -> bool {
        self.late
    }

    /// From here on what is seen does not wait, and nobody waits for an answer. Gives the sights that did.
    pub(super) fn be_late(&mut self) -> Vec<TableEvent> {
        self.late = true;
        self.queue.iter_mut().flat_map(|(_, replies)| std::mem::take(replies)).for_each(Reply::put_off);
        let waiting = self.queue.iter_mut();
        waiting.flat_map(|(pending, _)| take_sights(&mut pending.entries_mut().events)).collect()
    }

    /// Whether entries of a table wait.
    pub(super) fn holds(&self, table: &TableId) -> bool {
        self.events().any(|event| event.table.as_ref() == Some(table))
    }

    /// Whether a new game of a table waits.
    pub(super) fn begins(&self, table: &TableId) -> bool {
        let begins = |event: &TableEvent| matches!(&event.event, Event::Entry(Entry::Started { .. }));
        self.events().any(|event| event.table.as_ref() == Some(table) && begins(event))
    }

    /// Lets something wait with the youngest.
    pub(super) fn put_behind(&mut self, event: TableEvent) {
        if let Some((youngest, _)) = self.queue.back_mut() {
            youngest.entries_mut().events.push(event);
        }
    }

    fn events(&self) -> impl Iterator<Item = &TableEvent> {
        self.queue.iter().flat_map(|(pending, _)| &pending.entries().events)
    }
}

/// Takes what is only seen from among the events.
pub(super) fn take_sights(events: &mut Vec<TableEvent>) -> Vec<TableEvent> {
    let (sights, entries) = std::mem::take(events).into_iter().partition(|told| matches!(told.event, Event::Sight(_)));
    *events = entries;
    sights
}

#[cfg(test)]
mod tests {
    use hall::{Input, Scope};

    use super::*;
    use crate::journal::{Batch, Disk, Row, Said};

    #[tokio::test]
    async fn a_disk_that_takes_what_it_had_refused_is_late_no_more() {
        let mut disk = Disk::new();
        let (journal, _) = disk.open();
        let table = TableId { event: "open".to_owned(), round: 1, table: 1 };
        for refused in [false, true] {
            let mut awaited = Awaited::default();
            for t in 1..=2 {
                let inputs = vec![Row { t, said: Said::Input(Input::Elapsed { table: table.clone() }) }];
                let batch = Batch { scope: Scope::of(&table), inputs, entries: Vec::new() };
                awaited.push(journal.hand_in(vec![batch], Entries::default()), Vec::new());
            }
            assert!(awaited.be_late().is_empty(), "nothing was seen");
            if refused {
                disk.refuse(0);
            }
            assert!(disk.waits().0);
            disk.commit(0);
            let news = awaited.next().await.expect("it is written");
            assert!(matches!(news, News::Committed { was_refused, .. } if was_refused == refused), "{news:?}");
            assert_eq!((awaited.is_late(), awaited.len()), (!refused, 1), "what is left is heard of next");
        }
    }
}
