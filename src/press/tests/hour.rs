//! An hour with receivers that hang. Time is a number and passes at once.

use std::{
    fs,
    net::TcpListener,
    path::Path,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tokio::{
    sync::{mpsc, watch},
    task::LocalSet,
    time::{Instant, sleep},
};

use super::*;
use crate::{
    press::{Counter, Source, State, courier::Courier, standing::Standing, target::Target},
    record::Bulletin,
};

const TABLES: u16 = 4;

#[tokio::test(start_paused = true)]
async fn who_hangs_for_an_hour_costs_the_others_nothing_and_is_asked_now_and_then() {
    // Connections are made, and nobody ever reads.
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let hall = Arc::new(Hall::begin());
    let address = silent.local_addr().expect("it is bound");
    let hanging = format!("name = 'silent'\nkind = 'http'\nurl = 'http://{address}/{{round}}.pgn'");
    let written = format!("name = 'plain'\nkind = 'folder'\nfolder = '{}'", at.join("plain").display());
    LocalSet::new()
        .run_until(async {
            let (bell, heard) = watch::channel(0);
            let kept = [hanging, written].map(|text| {
                let (wanted, asked) = mpsc::unbounded_channel();
                let courier = courier(&text, &hall, &at.join("air"));
                let standing = Arc::clone(&courier.standing);
                tokio::task::spawn_local(courier.work(heard.clone(), asked));
                (wanted, standing)
            });
            for minute in 0..60 {
                hall.play();
                bell.send_modify(|rung| *rung += 1);
                sleep(Duration::from_secs(60)).await;
                let text = fs::read_to_string(at.join("plain/open/1.pgn")).expect("it is written");
                assert_eq!(text.matches("[%clk").count(), usize::from(TABLES) * (minute + 1), "minute {minute}");
            }
            let [silent, plain] = kept.map(|(_, standing)| standing.lock().expect("nobody panics").clone());
            assert_eq!((silent.state, plain.state), (State::Failing, State::Told));
            assert_eq!((silent.rounds[0].told, plain.rounds[0].told), (0, usize::from(TABLES)));
            assert_eq!(
                silent.error.map(|said| said.text).as_deref(),
                Some("it does not answer within 10 s: look whether it is well, and at the network")
            );
        })
        .await;
    let visits = visits(&silent);
    assert!((45..=60).contains(&visits), "a visit of ten seconds in seventy, not {visits} in all");
    let kept = fs::read(at.join("air/silent/open-1.json")).map_or(0, |text| text.len());
    assert!(kept < 4096, "{kept} bytes are kept of four games");
}

#[test]
fn a_folder_that_hangs_is_named_and_holds_nobody_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    // Whoever writes to a pipe waits until somebody reads it, as with a disk of the network that has gone.
    fs::create_dir_all(at.join("gone/open")).expect("writable");
    let pipe = at.join("gone/open/.1-1.pgn.new");
    mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    let hall = Arc::new(Hall::begin());
    hall.play();
    let target = |name: &str| -> Target {
        let text = format!("name = '{name}'\nkind = 'folder'\nfolder = '{}'\nwait = 0", at.join(name).display());
        toml::from_str(&text).expect("a target")
    };
    let counter = Counter::new(vec![target("gone"), target("plain")]);
    let source: Arc<dyn Source> = Arc::<Hall>::clone(&hall);
    let press = counter.start(&at.join("state"), &source).expect("threads");
    let told = |plies: usize| {
        let text = fs::read_to_string(at.join("plain/open/1.pgn")).unwrap_or_default();
        text.matches("[%clk").count() == plies * usize::from(TABLES)
    };
    until(|| told(1));
    hall.play();
    press.ring();
    until(|| told(2));
    let standing = |name: &str, later: Duration| {
        let standings = counter.standings_at(Instant::now() + later).into_iter();
        standings.into_iter().find(|standing| standing.name == name).expect("it is there")
    };
    until(|| standing("plain", Duration::from_secs(60)).state == State::Told);
    assert_eq!(standing("gone", Duration::ZERO).error, None, "every disk takes its time");
    let gone = standing("gone", Duration::from_secs(60));
    assert_eq!(gone.state, State::Failing);
    let said = gone.error.expect("it is named").text;
    assert!(said.contains("it hangs: no sign of it for"), "{said}");
    // It is back.
    let read = std::thread::spawn(move || fs::read(pipe));
    until(|| at.join("gone/open/1.pgn").exists());
    read.join().expect("nobody panics").expect("it was written");
}

/// Tables that play, as the press sees them.
pub(super) struct Hall(Mutex<(u64, Round)>);

impl Hall {
    pub(super) fn begin() -> Hall {
        Hall(Mutex::new((0, Round::begin(TABLES))))
    }

    /// A ply at each table.
    pub(super) fn play(&self) {
        let mut hall = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        hall.0 += 1;
        for table in 1..=TABLES {
            let ply = hall.1.line(table).len();
            hall.1.play(table, ["Nf3", "Nf6", "Ng1", "Ng8"][ply % 4]);
        }
    }
}

impl Source for Hall {
    fn rounds(&self, _: bool) -> Vec<(String, u16, u64)> {
        vec![("open".to_owned(), 1, self.0.lock().unwrap_or_else(PoisonError::into_inner).0)]
    }

    fn bulletin(&self, event: &str, round: u16, _: bool) -> Bulletin {
        let hall = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tables = std::collections::BTreeMap::<_, Option<Vec<_>>>::new();
        for slip in hall.1.slips() {
            tables.entry(slip.table().table).or_default().get_or_insert_default().push(slip);
        }
        Bulletin { event: event.to_owned(), round, programme: vec![(TABLES, TABLES)], tables, ..Bulletin::default() }
    }

    fn tells_live(&self, _: &str) -> bool {
        false
    }

    fn open(&self) -> Vec<(String, u16)> {
        vec![("open".to_owned(), 1)]
    }
}

pub(super) fn courier(text: &str, hall: &Arc<Hall>, air: &Path) -> Courier {
    let target: Target = toml::from_str(text).expect("a target");
    let source: Arc<dyn Source> = Arc::<Hall>::clone(hall);
    let standing = Arc::new(Mutex::new(Standing::default()));
    Courier::new(target, source, air, standing)
}

/// How often somebody has connected.
fn visits(listener: &TcpListener) -> usize {
    listener.set_nonblocking(true).expect("a socket");
    listener.incoming().map_while(Result::ok).count()
}

#[track_caller]
pub(super) fn until(mut look: impl FnMut() -> bool) {
    let began = std::time::Instant::now();
    while !look() {
        assert!(began.elapsed() < Duration::from_secs(30), "waited in vain");
        std::thread::sleep(Duration::from_millis(5));
    }
}
