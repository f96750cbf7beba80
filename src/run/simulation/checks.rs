//! What has to hold in every evening, whatever befalls it.

use std::collections::BTreeMap;

use hall::{Hall, StoredRecord};
use protocol::feed::{Command, Entry, Event, Order, TableEvent, TableId, TableView};

use super::{
    super::past::{Folded, fold},
    daemon::Daemon,
    plan::Plan,
    referee::Referee,
    station::Station,
};
use crate::{
    journal::{Batch, Disk},
    rehearsal::Record,
    screens::Told,
};

/// A second of a hall's journal, a flood included.
const MOST_BYTES: usize = 50_000;
/// What waits for a disk that hangs for half a minute.
const MOST_WAITING: usize = 4_096;
/// A board that nothing is wrong with is heard again within this: it is asked who it is twice a minute, and met anew if
/// that was misunderstood.
const HEARD_WITHIN_MS: u64 = 45_000;
/// A deadline is seen to within this.
const OVERDUE_MS: u64 = 100;

/// The one who looks at everything.
#[derive(Debug)]
pub(super) struct Checks {
    /// What screens in the hall have been told.
    told: BTreeMap<TableId, Referee>,
    /// The entries of it, in their order.
    published: Vec<TableEvent>,
    /// On disk and not told yet.
    written: Vec<TableEvent>,
    delay_ms: u64,
    bytes: usize,
    /// For so many seconds nothing was written: what was held comes at once.
    idle: usize,
    /// Games that were played by careful hands and heard well.
    pub(super) games: usize,
}

impl Checks {
    pub(super) fn new(plan: &Plan) -> Checks {
        Checks {
            told: BTreeMap::new(),
            published: Vec::new(),
            written: Vec::new(),
            delay_ms: u64::from(plan.delay_s) * 1_000,
            bytes: 0,
            idle: 0,
            games: 0,
        }
    }

    /// This is about to be on disk.
    pub(super) fn note_written<'a>(&mut self, batches: impl Iterator<Item = &'a Batch>) {
        self.written.extend(batches.flat_map(|batch| batch.entries.iter().cloned()));
    }

    /// Nothing is told that is not on disk, and what is told follows from what was.
    pub(super) fn hear(&mut self, notes: Vec<Told>, daemon: &Daemon, now: u64) -> Result<(), String> {
        let by = daemon.core_time(now);
        for note in notes {
            match note {
                Told::Happened(events) => events.iter().try_for_each(|event| self.hear_event(event, by))?,
                Told::Aired(shown) => {
                    shown.iter().try_for_each(|(table, view)| self.see_air(table, view.as_ref(), by))?
                }
            }
        }
        Ok(())
    }

    fn hear_event(&mut self, event: &TableEvent, by: u64) -> Result<(), String> {
        if event.t > by {
            return Err(format!("told at {by} of what has not happened yet: {event:?}"));
        }
        if let Event::Entry(_) = &event.event {
            let at = self.written.iter().position(|written| written == event);
            self.written.remove(at.ok_or_else(|| format!("told and not on disk: {event:?}"))?);
            self.published.push(event.clone());
        }
        let Some(table) = &event.table else { return Ok(()) };
        self.told.entry(table.clone()).or_default().hear(event)
    }

    /// Spectators are shown what stands, as far as it is old enough.
    fn see_air(&self, table: &TableId, view: Option<&TableView>, by: u64) -> Result<(), String> {
        let (Some(view), Some(told)) = (view, self.told.get(table)) else { return Ok(()) };
        let old = told.line().iter().take_while(|told| told.t + self.delay_ms <= by).map(|told| &told.san);
        let old = old.collect::<Vec<_>>();
        let is_shown = view.line.len() <= old.len() && view.line.iter().zip(&old).all(|(shown, old)| shown == *old);
        let is_of_another_game = usize::try_from(view.game).ok() != Some(told.games.len());
        if is_shown || is_of_another_game {
            return Ok(());
        }
        Err(format!("spectators are shown {:?} at {by}, and old enough is {old:?}", view.line))
    }

    /// What was answered as done is on disk.
    pub(super) fn hear_done(&self, done: &[Order], disk: &Disk) -> Result<(), String> {
        for order in done {
            let Command::Pair { white, .. } = &order.command else { continue };
            let is_it = |event: &TableEvent| matches!(&event.event, Event::Entry(Entry::Paired { white: written, .. }) if written.name == white.name);
            if !disk.entries().any(|event| is_it(&event)) {
                return Err(format!("done and not on disk: {order:?}"));
            }
        }
        Ok(())
    }

    /// After a start everything stands that was told before, and perhaps more.
    pub(super) fn come_back(&mut self, folded: &Folded, hall: &Hall, disk: &Disk) -> Result<(), String> {
        let mut on_disk = disk.entries().collect::<Vec<_>>();
        for told in &self.published {
            let at = on_disk.iter().position(|entry| entry == told);
            on_disk.swap_remove(at.ok_or_else(|| format!("told, and gone after a start: {told:?}"))?);
        }
        (self.told, self.published, self.written) = (BTreeMap::new(), disk.entries().collect(), Vec::new());
        for event in &self.published {
            let Some(table) = &event.table else { continue };
            self.told.entry(table.clone()).or_default().hear(event)?;
        }
        self.bytes = disk.bytes();
        if let Some((id, _)) = hall.tables().find(|(_, table)| table.is_linked()) {
            return Err(format!("{id} is shown as heard, and nobody has listened yet"));
        }
        for (id, table) in folded.hall.tables() {
            let read = table.record().map(|record| record.moves).unwrap_or_default();
            let told = self.told.get(id).map(Referee::line).unwrap_or_default();
            if !read.iter().eq(told.iter().map(|told| &told.uci)) {
                return Err(format!("{id} is read as {read:?} and was told as {told:?}"));
            }
        }
        Ok(())
    }

    /// What is looked at each second.
    pub(super) fn look(&mut self, daemon: &Daemon, stations: &[Station], disk: &Disk, now: u64) -> Result<(), String> {
        let grown = disk.bytes() - std::mem::replace(&mut self.bytes, disk.bytes());
        let seconds = self.idle + 1;
        self.idle = if grown == 0 { seconds } else { 0 };
        if grown > MOST_BYTES * seconds {
            return Err(format!("the journal has grown by {grown} bytes in {seconds} s"));
        }
        if daemon.run.awaited.len() > MOST_WAITING {
            return Err(format!("{} turns wait for the disk", daemon.run.awaited.len()));
        }
        if let Some(due) = daemon.run.hall.deadline().filter(|due| due + OVERDUE_MS < daemon.core_time(now)) {
            return Err(format!("something is overdue since {due}"));
        }
        let steady = stations.iter().filter(|station| station.steady_since + HEARD_WITHIN_MS < now);
        for station in steady {
            let missed = [
                (daemon.run.cables.serials().contains(&station.serial), "no cable is known to lead to it"),
                (station.is_heard(), "its port is not listened to"),
                (is_linked(&daemon.run.hall, &station.serial), "its table has no link"),
            ];
            if let Some((_, what)) = missed.iter().find(|(holds, _)| !holds) {
                let (port, since) = (&station.port, station.steady_since);
                return Err(format!("{port} has said nothing wrong since {since} and is not heard: {what}"));
            }
        }
        Ok(())
    }

    /// What holds when everything has come to rest.
    pub(super) fn close(
        &mut self,
        daemon: &Daemon,
        stations: &[Station],
        disk: &Disk,
        plan: &Plan,
        now: u64,
    ) -> Result<(), String> {
        if !daemon.run.awaited.is_empty() || !self.written.is_empty() {
            return Err(format!("on disk and never told: {:?}", self.written));
        }
        let (once, again) = (fold(&disk.past()), fold(&disk.past()));
        read_again(daemon, once, &again, daemon.core_time(now))?;
        for station in stations {
            self.compare(daemon, station, plan)?;
        }
        Ok(())
    }

    /// What stands on a board is known, and what careful hands have played is in the record.
    fn compare(&mut self, daemon: &Daemon, station: &Station, plan: &Plan) -> Result<(), String> {
        let (hall, place) = (&daemon.run.hall, &station.port);
        let id = hall.table_of(&station.serial).ok_or_else(|| format!("{place} has no table"))?;
        let known = hall.table(id).map(hall::table::Table::physical).unwrap_or_default();
        let stands = station.rehearsal.board().board_fen().to_string();
        if known != stands || !is_linked(hall, &station.serial) {
            return Err(format!("on {place} stands {stands}, and {id} knows {known}"));
        }
        if !plan.is_heard_well() {
            return Ok(());
        }
        let nothing = Referee::default();
        let told = self.told.get(id).unwrap_or(&nothing);
        let played = station.rehearsal.records().iter().map(ucis).collect::<Vec<_>>();
        let recorded = told.games.iter().map(|game| game.iter().map(|told| told.uci.clone()).collect::<Vec<_>>());
        let recorded = recorded.filter(|game| !game.is_empty()).collect::<Vec<_>>();
        if played != recorded {
            return Err(format!("{place} has played {played:?}, and the record is {recorded:?}"));
        }
        let offences = station.rehearsal.records().iter().map(|record| record.offences.len()).sum::<usize>();
        if told.accused != offences {
            return Err(format!("{place} has {offences} offences, and {} were called", told.accused));
        }
        self.games += played.len();
        Ok(())
    }
}

/// Reading the journal comes to what was live, and each time to the same.
fn read_again(daemon: &Daemon, mut once: Folded, again: &Folded, by: u64) -> Result<(), String> {
    if once.book.all_pgn() != again.book.all_pgn() || once.views != again.views {
        return Err("the journal was read twice and told two stories".to_owned());
    }
    let mut said = Vec::new();
    once.hall.elapse(by, &mut said);
    let (read, live) = (state(&once.hall), state(&daemon.run.hall));
    if read != live || !said.is_empty() || once.unread > 0 || !once.differing.is_empty() {
        return Err(format!("live is {live:?}, and the journal is read as {read:?}, with {said:?}"));
    }
    let live = daemon.run.book().lock().map_err(|_| "the book is torn")?.all_pgn();
    if without_clocks(&live) != without_clocks(&once.book.all_pgn()) {
        return Err(format!("the book has {live}, and the journal {}", once.book.all_pgn()));
    }
    Ok(())
}

/// Each table's record and how its board stands.
fn state(hall: &Hall) -> BTreeMap<TableId, (Option<StoredRecord>, String, bool, Option<u64>)> {
    let stands = |table: &hall::table::Table| (table.record(), table.physical(), table.is_linked(), table.deadline());
    hall.tables().map(|(id, table)| (id.clone(), stands(table))).collect()
}

/// What a clock shows while a game is on is seen and not written down.
fn without_clocks(pgn: &str) -> String {
    let shown = |line: &&str| !line.starts_with("[WhiteClock") && !line.starts_with("[BlackClock");
    pgn.lines().filter(shown).collect::<Vec<_>>().join("\n")
}

fn is_linked(hall: &Hall, board: &str) -> bool {
    hall.table_of(board).and_then(|id| hall.table(id)).is_some_and(hall::table::Table::is_linked)
}

fn ucis(record: &Record) -> Vec<String> {
    record.moves().map(|played| played.to_uci(record.castling).to_string()).collect()
}
