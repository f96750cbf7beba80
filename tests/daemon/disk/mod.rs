//! A disk that is full, errs, may only be read, or is held by somebody else: games are shown throughout, a line says
//! that nothing is being recorded, nothing more is called final, and recording goes on by itself.

mod fault;
mod hall;
pub(crate) mod shim;
mod watcher;

use std::{
    fmt, fs,
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    dice::dial,
    support::{Daemon, escaque, until},
};
use fault::{Disk, Fault};
use hall::Hall;

/// How soon it is said that nothing is being recorded, and how soon it goes on being recorded when it can be.
const ALARM: Duration = Duration::from_secs(1);
const AGAIN: Duration = Duration::from_secs(2);

/// Whoever is slower than this to show a move does not show it.
const SHOWN: Duration = Duration::from_secs(5);

#[test]
fn a_game_goes_on_on_a_full_disk_and_nothing_of_it_is_lost() {
    let report = try_fault(Fault::Full);
    assert_eq!(report.losses(), [""; 0], "{report}");
    assert!(report.sentence.contains("recorded"), "{report}");
}

#[test]
#[ignore = "takes some minutes; `make disk` runs it"]
fn games_go_on_while_the_disk_does_not() {
    let reports = Fault::ALL.map(try_fault);
    for report in &reports {
        println!("{report}");
    }
    let red = reports.iter().flat_map(Report::complaints).collect::<Vec<_>>();
    assert!(red.is_empty(), "{}", red.join("\n"));
}

#[test]
fn a_full_disk_is_called_full_once_and_neither_silent_nor_slow() {
    let disk = Disk::make(Fault::Full);
    let mut hall = Hall::open(&disk);
    hall.make_and_see_final();
    let before = hall.log().len();
    let held = disk.strike(hall.state());
    // What waits for the disk is shown when it has waited for too long.
    for _ in 0..3 {
        assert!(hall.make_and_see(SHOWN).is_some(), "{}", hall.log());
    }
    disk.mend(held);
    assert!(hall.wait_for_final(hall.made(), SHOWN), "{}", hall.log());
    let log = hall.log().split_off(before);
    let causes = log
        .lines()
        .filter(|line| ["the disk is", "the disk does"].iter().any(|words| line.contains(words)))
        .collect::<Vec<_>>();
    assert!(matches!(causes[..], [cause] if cause.contains("is full")), "{log}");
}

#[test]
fn a_stop_on_a_full_disk_says_what_is_lost_with_it() {
    let disk = Disk::make(Fault::Full);
    let hall = Hall::open(&disk);
    let _held = disk.strike(hall.state());
    let (code, said) = hall.invite();
    assert_eq!(code, Some(3), "{said}");
    let (code, log) = hall.stop();
    assert_eq!(code, Some(1), "{log}");
    assert_eq!(log.matches("lost with this stop").count(), 1, "{log}");
}

#[test]
fn an_invitation_that_is_not_recorded_opens_and_says_so() {
    let disk = Disk::make(Fault::Full);
    let hall = Hall::open(&disk);
    let (code, said) = hall.invite();
    assert_eq!((code, said.contains("recorded")), (Some(0), false), "{said}");
    let held = disk.strike(hall.state());
    let (code, said) = hall.invite();
    assert_eq!((code, said.contains("/join#")), (Some(3), true), "{said}");
    assert!(said.contains("can't be recorded at the moment"), "{said}");
    disk.mend(held);
    until("what is recorded again", || (hall.invite().0 == Some(0)).then_some(()));
}

#[test]
fn a_journal_that_may_not_grow_goes_on_in_another_file_and_leaves_none_behind() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let state = folder.path().join("state");
    // In halves of a kibibyte: as much as some dozen commits take in the log before it is written back.
    let daemon = Daemon::start_within("-f 240", &state, &["--port", "/nowhere/*"]);
    let (mut passes, mut is_recorded) = (0, false);
    // What is recorded has all before it on disk too.
    while !is_recorded || daemon.log().matches("recorded again").count() < 2 {
        let (status, said) = daemon.hand_in("/invite", r#"{"role":"hall","name":"Screen"}"#);
        assert!(status == 200 || status == 202, "{said}");
        passes += 1;
        is_recorded = status == 200;
    }
    let left = fs::read_dir(state.join("journal")).expect("it is there").map(|entry| entry.expect("a file"));
    let left = left.map(|entry| entry.file_name().display().to_string()).filter(|name| name.contains("damaged"));
    assert_eq!(left.collect::<Vec<_>>(), [""; 0]);
    daemon.kill();
    let _daemon = Daemon::start(&state, &["--port", "/nowhere/*"]);
    let listed = escaque().args(["doors", "--state"]).arg(&state).output().expect("the program starts").stdout;
    assert_eq!(String::from_utf8_lossy(&listed).matches("Screen").count(), passes);
}

/// What a hall went through.
#[derive(Debug, Default)]
struct Report {
    fault: String,
    /// It passes by itself, perhaps before anybody has to be told.
    passes: bool,
    /// What the daemon said when it ended, if it did.
    ended: Option<String>,
    alarm_in_log: Option<Duration>,
    alarm_on_screens: Option<Duration>,
    /// What the first line on the screens said.
    sentence: String,
    /// How soon each move made meanwhile was shown; none where it was not.
    moves: Vec<Option<Duration>>,
    /// What became final meanwhile.
    finals: usize,
    pgn_changed: bool,
    /// From the room there is again to the first final.
    again: Option<Duration>,
    /// Shown as final at any time, and not there after a start on the sound disk.
    lost: Vec<String>,
}

fn try_fault(fault: Fault) -> Report {
    let disk = Disk::make(fault);
    let mut hall = Hall::open(&disk);
    let mut report = Report { fault: fault.to_string(), passes: fault == Fault::SyncFails, ..Report::default() };
    (0..4).for_each(|_| hall.make_and_see_final());
    hall.settle();

    let watcher = hall.watch();
    let (settled, pgn) = (hall.settled(), hall.pgn_file());
    let held = disk.strike(hall.state());
    let began = Instant::now();
    for _ in 0..fault.moves() {
        report.moves.push(hall.make_and_see(SHOWN));
        report.ended = hall.has_ended();
        if report.ended.is_some() {
            break;
        }
        // People do not move every second, and a lock is held for long.
        sleep(fault.pause());
    }
    report.alarm_in_log = hall.said_at().map(|at| at.saturating_duration_since(began));
    report.finals = hall.settled().saturating_sub(settled);
    report.pgn_changed = hall.pgn_file() != pgn;
    disk.mend(held);
    let mended = Instant::now();
    if report.ended.is_none() {
        let made = hall.made();
        report.again = hall.wait_for_final(made, SHOWN).then(|| mended.elapsed());
        let (at, sentence) = watcher.told();
        report.alarm_on_screens = at.map(|at| at.saturating_duration_since(began));
        report.sentence = sentence;
    }
    report.lost = hall.lost_after_a_kill();
    report
}

impl Report {
    fn complaints(&self) -> Vec<String> {
        let late = |at: Option<Duration>, bar: Duration| at.is_none_or(|at| at > bar);
        let slow = [
            (!self.passes && late(self.alarm_in_log, ALARM), "no alarm in the log within 1 s"),
            (!self.passes && late(self.alarm_on_screens, ALARM), "no alarm on the screens within 1 s"),
            (late(self.again, AGAIN), "not recorded again within 2 s"),
        ];
        self.losses().into_iter().chain(self.named(&slow)).collect()
    }

    /// What is wrong on a machine of any speed.
    fn losses(&self) -> Vec<String> {
        self.named(&[
            (self.ended.is_some(), "the daemon ended"),
            (self.moves.contains(&None), "a move was not shown"),
            (!self.passes && self.finals > 0, "a move became final that nobody recorded"),
            (!self.passes && self.pgn_changed, "a PGN file changed"),
            (!self.lost.is_empty(), "finals are lost"),
        ])
    }

    fn named(&self, found: &[(bool, &str)]) -> Vec<String> {
        let red = found.iter().filter(|(is_red, _)| *is_red);
        red.map(|(_, what)| format!("{}: {what}", self.fault)).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |at: Option<Duration>| at.map_or("never".to_owned(), |at| format!("{at:.1?}"));
        let shown = self.moves.iter().flatten().count();
        let slowest = self.moves.iter().flatten().max().copied();
        writeln!(f, "{}", self.fault)?;
        if let Some(words) = &self.ended {
            writeln!(f, "  the daemon ended: {words}")?;
        }
        writeln!(f, "  alarm: in the log {}, on screens {}", time(self.alarm_in_log), time(self.alarm_on_screens))?;
        if !self.sentence.is_empty() {
            writeln!(f, "  they say: {}", self.sentence)?;
        }
        writeln!(f, "  moves shown: {shown} of {}, the slowest after {}", self.moves.len(), time(slowest))?;
        writeln!(f, "  finals meanwhile: {}; a PGN file changed: {}", self.finals, self.pgn_changed)?;
        writeln!(f, "  recorded again: {}", time(self.again))?;
        write!(f, "  shown as final and lost: {} {}", self.lost.len(), self.lost.join("; "))
    }
}

/// How long a lock is held: ten minutes in earnest.
fn lock_seconds() -> u64 {
    dial("LOCK_S", 20)
}
