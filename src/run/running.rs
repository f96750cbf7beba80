//! The one loop that joins the rooms.
//!
//! Order is everything here: sights are shown as they come, entries only when the journal has given them back as
//! committed, with the inputs they follow from.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use hall::{Hall, Input, StoredRecord};
use protocol::feed::{Answer, Order, Sight, TableEvent, TableId};
use tokio::sync::mpsc;

use super::{
    alarm::Alarm,
    archive::Archive,
    awaited::{Awaited, News, take_sights},
    cables::Cables,
    core_time::CoreTime,
    outlets::Outlets,
    past::Folded,
    pulse::Pulse,
    reply::Reply,
    tally::{note_commit, note_told},
    turn::{Closed, Seen, Turn},
    wall::Wall,
};
use crate::{
    journal::{Journal, JournalError, wall_ms},
    prover::{Prover, Searched},
    record::Book,
    screens::{Counts, Giver, Placed, Wish},
    sensors::Sensed,
    voice,
};

/// How many inputs share a commit at most. A commit takes a fifth of a millisecond on a good disk and twenty on a bad
/// one; in twenty, fifty boards say far less than this.
const SHARED: usize = 256;

/// How long a start and an end wait for the disk. What it has not taken by then it takes later, or never.
pub(super) const PATIENCE: Duration = Duration::from_secs(2);

/// Everything the loop joins.
#[derive(Debug)]
pub struct Run {
    pub(super) time: CoreTime,
    /// The games.
    pub(super) hall: Hall,
    /// Where inputs are kept.
    pub(super) journal: Journal,
    /// What was handed in to it.
    pub(super) awaited: Awaited,
    /// The rounds that are over.
    pub(super) archive: Archive,
    pub(super) cables: Cables,
    pub(super) outlets: Outlets,
    /// Who searches for what the tables can't decide.
    pub(super) prover: Prover,
    pub(super) alarm: Alarm,
    /// What was counted.
    pub(super) counts: Counts,
    pub(super) wall: Wall,
}

impl Run {
    /// Core time at this moment.
    pub fn now(&self) -> u64 {
        self.time.now()
    }

    /// What was published, for whoever wants to read it while everything runs.
    pub fn book(&self) -> Arc<Mutex<Book>> {
        Arc::clone(&self.outlets.book)
    }

    /// Says that the daemon is back, at every table that may not know, before anything else is heard.
    pub async fn resume(&mut self, folded: &Folded) -> Result<(), JournalError> {
        let mut turn = Turn::default();
        self.come_back(folded, &mut turn);
        self.ask(&mut turn);
        self.close(turn, Vec::new());
        self.settle(PATIENCE).await
    }

    pub(super) fn come_back(&mut self, folded: &Folded, turn: &mut Turn) {
        let gap_ms = self.time.stamp().saturating_sub(folded.last_t);
        self.take_up(folded.interrupted(), &folded.differing, gap_ms, turn);
    }

    pub(super) fn take_up(
        &mut self,
        tables: Vec<TableId>,
        differing: &BTreeMap<TableId, StoredRecord>,
        gap_ms: u64,
        turn: &mut Turn,
    ) {
        let now = self.time.stamp();
        for table in tables {
            let record = differing.get(&table).cloned();
            if record.is_some() {
                tracing::warn!(%table, "this build reads the journal differently; the published record stands");
            }
            let resumed = Input::Resumed { table, gap_ms, record };
            turn.take(&mut self.hall, resumed, now).expect("only orders are refused");
        }
    }

    /// Places an order as the daemon itself, before the loop runs.
    pub async fn order(&mut self, order: Order) -> Result<Answer, JournalError> {
        let (placed, mut answered) = Placed::new(Wish::Order(order), Giver::house());
        let mut turn = Turn::default();
        let reply = self.grant(placed, &mut turn);
        self.ask(&mut turn);
        self.close(turn, vec![reply]);
        self.settle(PATIENCE).await?;
        // Where the disk does not take it, it is done all the same, and on disk when it does.
        Ok(answered.try_recv().map_or_else(|_| Answer::Done { done: Vec::new(), said: Vec::new() }, Answer::from))
    }

    /// Runs until `stop`; what was heard before is on disk when it returns.
    pub async fn run(
        &mut self,
        mut sensed: mpsc::Receiver<Sensed>,
        mut orders: mpsc::Receiver<Placed>,
        mut searched: mpsc::Receiver<Searched>,
        mut players: voice::Reports,
        mut pulse: Pulse,
        stop: impl Future<Output = ()>,
    ) -> Result<(), JournalError> {
        tokio::pin!(stop);
        self.outlets.notice(self.alarm.notice());
        let mut stopping = false;
        while !stopping {
            let mut turn = Turn::default();
            let mut replies = Vec::new();
            let (on_air_at, look_at) = (self.on_air_at(), self.archive.look_at());
            tokio::select! {
                () = &mut stop => stopping = true,
                heard = sensed.recv() => match heard {
                    Some(heard) => self.hear(heard, &mut turn),
                    None => return Ok(()),
                },
                Some(placed) = orders.recv() => replies.extend(self.receive(placed, &mut turn)),
                Some(heard) = players.spoken.recv() => self.hear_voice(heard, &mut turn),
                Some(pressed) = players.pressed.recv() => self.hear_keypad(pressed, &mut turn),
                Some(found) = searched.recv() => self.take_found(found, &mut turn),
                news = self.awaited.next() => self.hear_of(news?),
                found = self.archive.next() => replies.extend(self.take_from_archive(found, &mut turn)),
                () = self.alarm.changed() => self.outlets.notice(self.alarm.notice()),
                () = self.time.wait_until(self.hall.deadline()) => {
                    let now = self.time.stamp();
                    turn.elapse(&mut self.hall, now);
                }
                () = self.time.wait_until(on_air_at) => self.go_on_air(),
                () = self.time.wait_until(Some(look_at)) => self.clear_away(),
                () = pulse.due() => self.give_sign_of_life(&mut pulse),
            }
            if let Some(jump) = self.wall.look(wall_ms(), self.time.ticks()) {
                self.see_clock_jump(jump, &mut turn);
            }
            // What waits shares a commit; before the end all of it is heard, however much it is.
            for _ in 0..if stopping { usize::MAX } else { SHARED } {
                let Ok(heard) = sensed.try_recv() else { break };
                self.hear(heard, &mut turn);
            }
            self.ask(&mut turn);
            self.close(turn, replies);
        }
        self.settle(PATIENCE).await
    }

    /// Shows what may be shown and hands in what must be written down; what follows is told when it is.
    pub(super) fn close(&mut self, turn: Turn, replies: Vec<Reply>) {
        let Closed { seen, batches, mut entries } = turn.close();
        seen.into_iter().for_each(|seen| self.show(seen));
        if self.awaited.is_late() {
            take_sights(&mut entries.events).into_iter().filter_map(Seen::of).for_each(|seen| self.show(seen));
        }
        if batches.is_empty() {
            Reply::send_all(replies, Vec::new());
        } else if entries.events.is_empty() && replies.is_empty() {
            self.journal.note(batches);
        } else {
            self.awaited.push(self.journal.hand_in(batches, entries), replies);
        }
    }

    /// Shows what is seen, behind what of the same table is on its way to the disk. While the disk does not answer it
    /// is shown all the same, and no move of it as final that is not on disk.
    fn show(&mut self, seen: Seen) {
        let Seen { table, t, mut sight } = seen;
        self.outlets.see(&table, t, &sight);
        if !self.awaited.holds(&table) {
            return self.outlets.show(&table, t, sight);
        }
        if !self.awaited.is_late() {
            return self.awaited.put_behind(TableEvent { table: Some(table), t, event: sight.into() });
        }
        if let Sight::Seen { settled, .. } = &mut sight {
            let kept = if self.awaited.begins(&table) { 0 } else { self.outlets.plies(&table) };
            *settled = kept.min(*settled);
        }
        self.outlets.show(&table, t, sight);
    }

    /// The disk does not answer. True if that is news.
    fn be_late(&mut self) -> bool {
        let is_news = self.alarm.note_late();
        if is_news {
            tracing::error!("nothing is being recorded: the disk does not answer");
        }
        let waiting = self.awaited.be_late();
        waiting.into_iter().filter_map(Seen::of).for_each(|seen| self.show(seen));
        is_news
    }

    pub(super) fn hear_of(&mut self, news: News) {
        let is_news = match news {
            News::Committed { committed, replies, took, was_refused } => {
                note_commit(&mut self.counts, took, was_refused);
                note_told(&mut self.counts, &committed.get().events);
                let now = self.is_recording().then(|| self.now());
                self.outlets.tell(&committed, now);
                self.cables.count(&committed.get().events, |table| self.hall.boards_at(table));
                Reply::send_all(replies, committed.into_done());
                let is_answer = !self.awaited.is_late() && self.alarm.note_answer();
                self.alarm.note_closed(self.outlets.is_closed()) || is_answer
            }
            News::Late => self.be_late(),
        };
        if is_news {
            self.outlets.notice(self.alarm.notice());
        }
    }

    /// When something will be old enough for spectators.
    pub(super) fn on_air_at(&self) -> Option<u64> {
        self.outlets.due().filter(|_| self.is_recording())
    }

    /// Whether everything that has happened is on disk. While it is not, what spectators are shown stands still.
    pub(super) fn is_recording(&self) -> bool {
        self.awaited.is_empty() && !self.alarm.is_outage()
    }

    /// Shows spectators what is old enough.
    pub(super) fn go_on_air(&self) {
        self.outlets.go_on_air(self.is_recording().then(|| self.now()));
    }

    /// Waits for the disk, but no longer than a while.
    pub(super) async fn settle(&mut self, patience: Duration) -> Result<(), JournalError> {
        let until = tokio::time::Instant::now() + patience;
        while !self.awaited.is_empty() {
            match tokio::time::timeout_at(until, self.awaited.next()).await {
                Ok(news) => self.hear_of(news?),
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }
}
