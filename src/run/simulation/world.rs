//! The world around one daemon: boards, a disk, a clock on the wall, and what befalls them, in one order of time.

use std::collections::VecDeque;

use protocol::feed::{Command, Order, Player};

use super::{
    super::day::dated,
    chance::Chance,
    checks::Checks,
    daemon::Daemon,
    mutant::Mutant,
    plan::{Mishap, Plan, WALL_MS},
    station::{self, Station},
};
use crate::journal::{Disk, set_wall};

/// A disk that has not answered for so long is late.
const LATE_MS: u64 = 900;
/// What can wait is written with others within this.
const CAN_WAIT_MS: u64 = 4_000;
/// Between two looks at everything.
const LOOK_MS: u64 = 1_000;
/// When all is played and nothing goes wrong any more, everything has come to rest within this: a board is compared with
/// what is known of it twice a minute.
const REST_MS: u64 = 45_000;
/// No evening is longer, and in no millisecond more happens.
const LONGEST_MS: u64 = 3_600_000;
const MOST_AT_ONCE: usize = 1_000;

pub(super) struct World {
    now: u64,
    /// By how much the wall's clock is wrong.
    wall_off_ms: i64,
    plan: Plan,
    mishaps: VecDeque<(u64, Mishap)>,
    stations: Vec<Station>,
    disk: Disk,
    /// When what waits is written.
    commit_at: Option<u64>,
    /// Since when something waits that is late.
    waits_since: Option<u64>,
    hangs_until: u64,
    full_until: u64,
    daemon: Option<Daemon>,
    back_at: u64,
    look_at: u64,
    /// When the last thing went wrong, or the last game ended.
    restless_until: u64,
    checks: Checks,
    chance: Chance,
    mutant: Option<Mutant>,
}

/// What is next in time. The order decides between things of one millisecond.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    Mishap,
    Back,
    Station(usize, station::Due),
    Daemon,
    Commit,
    Late,
    Look,
}

impl World {
    pub(super) fn new(seed: u64, plan: Plan, mutant: Option<Mutant>) -> World {
        let stations = plan.boards.iter().enumerate();
        let mut stations = stations
            .map(|(number, (setting, games))| Station::new(number, *setting, games.clone()))
            .collect::<Vec<_>>();
        if mutant == Some(Mutant::NoLimit) {
            stations.iter_mut().for_each(|station| station.limit = u32::MAX);
        }
        World {
            now: 0,
            wall_off_ms: 0,
            mishaps: plan.mishaps.iter().copied().collect(),
            checks: Checks::new(&plan),
            plan,
            stations,
            disk: Disk::new(),
            commit_at: None,
            waits_since: None,
            hangs_until: 0,
            full_until: 0,
            daemon: None,
            back_at: 0,
            look_at: LOOK_MS,
            restless_until: 0,
            chance: Chance::new(seed, 1),
            mutant,
        }
    }

    /// Plays the evening to its end; a sentence where something was not as it has to be.
    pub(super) fn play(mut self) -> Result<Checks, String> {
        let outcome = self.play_on();
        outcome.map_err(|why| format!("at {} ms: {why}\nafter {:?}", self.now, self.plan.mishaps))?;
        Ok(self.checks)
    }

    fn play_on(&mut self) -> Result<(), String> {
        let mut at_once = 0;
        while !self.is_over() {
            let (at, due) = self.next();
            at_once = if at == self.now { at_once + 1 } else { 0 };
            self.now = at;
            if self.now > LONGEST_MS || at_once > MOST_AT_ONCE {
                let done = self.stations.iter().map(|station| station.is_done).collect::<Vec<_>>();
                return Err(format!("there is no end to it: {due:?} is next, and it is over for {done:?}"));
            }
            set_wall(self.wall());
            self.run(due)?;
            self.attend()?;
        }
        self.close()
    }

    fn is_over(&self) -> bool {
        let is_done = self.mishaps.is_empty() && self.stations.iter().all(|station| station.is_done);
        is_done && self.daemon.is_some() && self.now >= self.restless_until + REST_MS
    }

    fn wall(&self) -> u64 {
        (WALL_MS + self.now).saturating_add_signed(self.wall_off_ms)
    }

    fn next(&self) -> (u64, Due) {
        let is_up = self.daemon.is_some();
        let stations = self.stations.iter().enumerate();
        let stations =
            stations.filter_map(|(at, station)| station.next(is_up).map(|(when, due)| (when, Due::Station(at, due))));
        let late = self.waits_since.map(|since| (since + LATE_MS, Due::Late));
        [
            self.mishaps.front().map(|(at, _)| (*at, Due::Mishap)),
            (!is_up).then_some((self.back_at, Due::Back)),
            self.daemon.as_ref().and_then(Daemon::deadline).map(|at| (at, Due::Daemon)),
            self.commit_at.map(|at| (at, Due::Commit)),
            late.filter(|_| is_up),
            Some((self.look_at, Due::Look)),
        ]
        .into_iter()
        .flatten()
        .chain(stations)
        .map(|(at, due)| (at.max(self.now), due))
        .min()
        .expect("there is always another look")
    }

    fn run(&mut self, due: Due) -> Result<(), String> {
        match due {
            Due::Mishap => self.befall(),
            Due::Back => self.come_back(),
            Due::Station(at, due) => {
                let mut heard = Vec::new();
                let was_done = self.stations[at].is_done;
                self.stations[at].run(due, self.now, &mut heard);
                if !was_done && self.stations[at].is_done {
                    self.restless_until = self.restless_until.max(self.now);
                }
                self.tell(at, heard);
                Ok(())
            }
            Due::Daemon => {
                self.daemon.iter_mut().for_each(|daemon| daemon.elapse(self.now));
                Ok(())
            }
            Due::Commit => self.commit(),
            Due::Late => {
                self.waits_since = None;
                self.daemon.iter_mut().for_each(Daemon::miss_disk);
                Ok(())
            }
            Due::Look => {
                self.look_at = self.now + LOOK_MS;
                let Some(daemon) = &mut self.daemon else { return Ok(()) };
                daemon.search(self.now);
                self.checks.look(daemon, &self.stations, &self.disk, self.now)
            }
        }
    }

    fn tell(&mut self, at: usize, heard: Vec<crate::sensors::What>) {
        if let Some(daemon) = &mut self.daemon {
            daemon.hear(&self.stations[at].port, heard, self.now);
        }
    }

    /// What follows from a turn: boards that are asked, what is to be written, what was told.
    fn attend(&mut self) -> Result<(), String> {
        let Some(daemon) = &mut self.daemon else { return Ok(()) };
        for port in daemon.asked() {
            if let Some(at) = self.stations.iter().position(|station| *station.port == *port) {
                let mut heard = Vec::new();
                self.stations[at].ask(self.now, &mut heard);
                daemon.hear(&self.stations[at].port, heard, self.now);
            }
        }
        let (waits, is_urgent) = self.disk.waits();
        if is_urgent && self.mutant == Some(Mutant::ToldBeforeWritten) {
            self.disk.answer_too_early();
            daemon.hear_disk(self.now);
        }
        if is_urgent && self.waits_since.is_none() && !daemon.run.awaited.is_late() {
            self.waits_since = Some(self.now);
        }
        // A disk that takes nothing is tried again when it is time, whoever comes.
        let is_tried_again = self.now < self.full_until && self.commit_at.is_some();
        if waits && !is_tried_again {
            let wait = if is_urgent { self.chance.below(self.plan.commit_ms) } else { CAN_WAIT_MS };
            let at = (self.now + wait).max(self.hangs_until);
            self.commit_at = Some(self.commit_at.map_or(at, |due| due.min(at)).max(self.hangs_until));
        }
        let notes = daemon.notes();
        self.checks.hear(notes, daemon, self.now)?;
        let done = daemon.done();
        self.checks.hear_done(&done, &self.disk)
    }

    fn commit(&mut self) -> Result<(), String> {
        if self.now < self.full_until {
            self.disk.refuse(self.wall());
            self.commit_at = Some(self.now + LOOK_MS);
        } else {
            if let Some(mutant) = self.mutant {
                self.disk.batches_mut().for_each(|batch| mutant.spoil(batch));
            }
            self.checks.note_written(self.disk.batches());
            self.disk.commit(self.wall());
            (self.commit_at, self.waits_since) = (None, None);
        }
        self.daemon.iter_mut().for_each(|daemon| daemon.hear_disk(self.now));
        Ok(())
    }

    fn befall(&mut self) -> Result<(), String> {
        let Some((_, mishap)) = self.mishaps.pop_front() else { return Ok(()) };
        let (now, mut heard) = (self.now, Vec::new());
        let until = match mishap {
            Mishap::Killed { down_ms, files } => return self.die(down_ms, files),
            Mishap::Unplugged { board, ms } => {
                self.stations[board].unplug(ms, now, &mut heard);
                self.tell(board, heard);
                now + ms
            }
            Mishap::Rebooted { board } => {
                self.stations[board].reboot(now, &mut heard);
                self.tell(board, heard);
                now
            }
            Mishap::Babbles { board, ms, bytes } => {
                self.stations[board].begin_to_babble(bytes, now, now + ms);
                now + ms
            }
            Mishap::BadLine { board, ms, harm } => {
                self.stations[board].harm(harm, now + ms);
                now + ms
            }
            Mishap::DiskHangs { ms } => {
                self.hangs_until = now + ms;
                self.commit_at = self.commit_at.map(|at| at.max(self.hangs_until));
                now + ms
            }
            Mishap::DiskFull { ms } => {
                self.full_until = now + ms;
                now + ms
            }
            Mishap::ClockSet { by_ms } => {
                self.wall_off_ms += by_ms;
                now
            }
            Mishap::Paired { board } => {
                let player = |side| Player { name: format!("{side} of {now}"), ..Player::default() };
                let (white, black) = (Box::new(player("White")), Box::new(player("Black")));
                self.order_at(board, Command::Pair { white, black });
                now
            }
            Mishap::TakenBack { board } => {
                self.order_at(board, Command::Undo { plies: 1 });
                now
            }
        };
        self.restless_until = self.restless_until.max(until);
        Ok(())
    }

    fn order_at(&mut self, board: usize, command: Command) {
        let Some(daemon) = &mut self.daemon else { return };
        let table = daemon.run.hall.table_of(&self.stations[board].serial).cloned();
        if let Some(table) = table {
            daemon.order(Order::to_table(table, command), self.now);
        }
    }

    /// The process dies. Of what it was about to commit so many files are written.
    fn die(&mut self, down_ms: u64, files: usize) -> Result<(), String> {
        if self.daemon.take().is_none() {
            return Ok(());
        }
        let is_writable = self.now >= self.full_until && self.now >= self.hangs_until;
        self.disk.write(if is_writable { files } else { 0 }, self.wall());
        if self.mutant == Some(Mutant::LostAtAKill) {
            self.disk.forget_last();
        }
        (self.commit_at, self.waits_since) = (None, None);
        self.back_at = self.now + down_ms;
        self.stations.iter_mut().for_each(|station| station.leave(self.back_at));
        self.restless_until = self.restless_until.max(self.back_at);
        Ok(())
    }

    fn come_back(&mut self) -> Result<(), String> {
        let is_first = self.now == 0;
        let event = is_first.then(opening);
        let (mut daemon, folded) = Daemon::start(&mut self.disk, event, self.now, self.mutant)?;
        if is_first && self.plan.delay_s > 0 {
            let delay = Command::Delay { event: None, seconds: self.plan.delay_s, plies: 0 };
            daemon.order(Order::to_hall(delay), self.now);
        }
        self.checks.come_back(&folded, &daemon.run.hall, &self.disk)?;
        self.daemon = Some(daemon);
        Ok(())
    }

    /// Nothing moves any more: everything is on disk and told, and what is read of it is what is there.
    fn close(&mut self) -> Result<(), String> {
        self.commit()?;
        self.attend()?;
        self.commit()?;
        self.attend()?;
        let daemon = self.daemon.as_ref().ok_or("the daemon is not there")?;
        self.checks.close(daemon, &self.stations, &self.disk, &self.plan, self.now)
    }
}

/// The first word of the operator.
fn opening() -> Order {
    dated("open", 1, "")
}
