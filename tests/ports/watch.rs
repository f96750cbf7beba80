//! The watch: found, met, lost, found again.

use std::{fs, time::Duration};

use escaque::sensors::{Monotonic, Patterns, Port, PortError, Sensed, Settings, Watch, What};
use protocol::board::{Link, Observation};
use tokio::sync::mpsc::Receiver;
use tokio::time::timeout;

use crate::pty::{Board, PATIENCE, Pty, relink, update};

/// A lost or returned board is noticed within this.
const NOTICED: u64 = 2_000;

#[tokio::test]
async fn a_board_is_met_and_its_moves_are_heard() {
    let board = Board::plug_in("12345");
    let mut hall = Hall::watch([board.name()]);
    assert_eq!(hall.until_up().await, "12345");
    board.play("e2", '.');
    board.play("e4", 'P');
    assert_eq!(hall.next_square().await, "e2.");
    assert_eq!(hall.next_square().await, "e4P");
}

#[tokio::test]
async fn a_pulled_cable_is_noticed_and_costs_no_work_afterwards() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    let board = Board::plug_in("12345");
    relink(&link, &board.name);
    let mut hall = Hall::watch([link.display().to_string()]);
    hall.until_up().await;
    let before = hall.clock.now();
    // The name goes with the board: its number may be another one's at once.
    fs::remove_file(&link).expect("the link is ours");
    drop(board);
    hall.until("link down", |what| matches!(what, What::Observed(Observation::Link(Link::Down)))).await;
    let lost = hall.until("lost", |what| matches!(what, What::Lost(PortError::Gone { .. }))).await;
    assert!(lost.at - before < NOTICED, "noticed after {} ms", lost.at - before);
    let busy = cpu_ms();
    hall.until("the missing port", |what| matches!(what, What::Awaited)).await;
    assert!(timeout(Duration::from_secs(1), hall.sensed.recv()).await.is_err(), "all is said");
    assert!(cpu_ms() - busy < 200, "{} ms of work in a second of waiting", cpu_ms() - busy);
}

#[tokio::test]
async fn a_board_that_comes_back_under_another_name_is_found_through_its_link() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    let board = Board::plug_in("12345");
    relink(&link, &board.name);
    let mut hall = Hall::watch([link.display().to_string()]);
    hall.until_up().await;
    // Plugged in before the first is gone, so that it can't get its number.
    let again = Board::plug_in("12345");
    drop(board);
    hall.until("lost", |what| matches!(what, What::Lost(_))).await;
    let back = hall.clock.now();
    relink(&link, &again.name);
    let opened = hall.until("opened again", |what| matches!(what, What::Opened { .. })).await;
    assert!(opened.at - back < NOTICED, "opened after {} ms", opened.at - back);
    assert_eq!(hall.until_up().await, "12345");
}

#[tokio::test]
async fn a_new_board_is_found_by_its_pattern_and_one_device_is_opened_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = Board::plug_in("00001");
    relink(&folder.path().join("ttyUSB0"), &board.name);
    relink(&folder.path().join("ttyUSB1"), &board.name);
    let mut hall = Hall::watch([folder.path().join("ttyUSB*").display().to_string(), board.name()]);
    assert_eq!(hall.until_up().await, "00001");
    let late = Board::plug_in("00002");
    let plugged = hall.clock.now();
    relink(&folder.path().join("ttyUSB2"), &late.name);
    let opened = hall.until("the new board", |what| matches!(what, What::Opened { .. } | What::Refused(_))).await;
    assert!(matches!(opened.what, What::Opened { .. }), "{opened:?}");
    assert!(opened.port.ends_with("ttyUSB2"), "{}", opened.port);
    assert!(opened.at - plugged < NOTICED);
    assert_eq!(hall.until_up().await, "00002");
}

#[tokio::test]
async fn bytes_may_be_cut_anywhere() {
    let board = Board::plug_in("12345");
    let mut hall = Hall::watch([board.name()]);
    hall.until_up().await;
    // A machine that stands still for longer than a message may take tears it apart: then it is said once more.
    for _ in 0..5 {
        for byte in update("e2", '.') {
            board.say(&[byte]);
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if let Ok(square) = timeout(Duration::from_secs(3), hall.next_square()).await {
            return assert_eq!(square, "e2.");
        }
    }
    panic!("no message of five was heard");
}

#[tokio::test]
async fn the_second_to_open_a_port_is_refused_until_the_first_lets_go() {
    let board = Board::plug_in("12345");
    let first = Port::open(&board.name).expect("nobody has it");
    let error = Port::open(&board.name).expect_err("the first has it");
    assert!(matches!(error, PortError::Busy { .. }), "{error}");
    assert!(!error.hint().is_empty());
    let mut hall = Hall::watch([board.name()]);
    hall.until("refused", |what| matches!(what, What::Refused(PortError::Busy { .. }))).await;
    drop(first);
    assert_eq!(hall.until_up().await, "12345");
}

#[tokio::test]
async fn what_is_no_serial_port_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.pgn");
    fs::write(&file, "1. e4").expect("a file");
    for (path, sentence) in [
        (file.clone(), format!("{} is not a serial port", file.display())),
        (folder.path().to_owned(), format!("{} is not a serial port", folder.path().display())),
        ("/dev/null".into(), "/dev/null is not a serial port".to_owned()),
        ("/dev/ttyUSB77".into(), "/dev/ttyUSB77 is not there".to_owned()),
    ] {
        assert_eq!(Port::open(&path).expect_err("it is none").to_string(), sentence);
    }
}

#[tokio::test]
async fn a_missing_port_is_said_once_and_awaited() {
    let folder = tempfile::tempdir().expect("a folder");
    let link = folder.path().join("board");
    let mut hall = Hall::watch([link.display().to_string()]);
    hall.until("awaited", |what| matches!(what, What::Awaited)).await;
    assert!(timeout(Duration::from_millis(1_200), hall.sensed.recv()).await.is_err(), "it is said once");
    let board = Board::plug_in("12345");
    relink(&link, &board.name);
    assert_eq!(hall.until_up().await, "12345");
}

#[tokio::test]
async fn a_silent_device_is_said_to_be_no_board() {
    let pty = Pty::open();
    let mut hall = Hall::watch([pty.name()]);
    hall.until("no board", |what| matches!(what, What::NoBoard)).await;
}

#[tokio::test]
async fn a_whole_board_can_be_asked_for() {
    let board = Board::plug_in("12345");
    let mut hall = Hall::watch([board.name()]);
    hall.until_up().await;
    hall.watch.ask_board(&board.name());
    hall.until("the board asked for", is_board).await;
}

#[tokio::test]
async fn listening_only_sends_nothing() {
    let pty = Pty::open();
    let mut hall = Hall::start([pty.name()], Settings { tap: true, listen_only: true, limit: None });
    hall.until("opened", |what| matches!(what, What::Opened { .. })).await;
    pty.say(&[0x8e, 0x00, 0x05, 0x34, 0x00]);
    let heard = hall.until("bytes", |what| matches!(what, What::Received(_))).await;
    assert!(matches!(heard.what, What::Received(bytes) if bytes == [0x8e, 0x00, 0x05, 0x34, 0x00]));
    assert!(timeout(Duration::from_secs(1), hall.sensed.recv()).await.is_err(), "nothing is sent");
}

#[tokio::test]
async fn forty_boards_are_met_and_heard_at_once() {
    let boards = (0..40).map(|number| Board::plug_in(&format!("{:05}", 100 + number))).collect::<Vec<_>>();
    let mut hall = Hall::watch(boards.iter().map(Board::name));
    for _ in 0..2 * boards.len() {
        hall.until("another introduction", is_board).await;
    }
    for board in &boards {
        board.play("e2", '.');
    }
    for _ in &boards {
        assert_eq!(hall.next_square().await, "e2.");
    }
}

/// A watch and what comes out of it.
struct Hall {
    watch: Watch,
    sensed: Receiver<Sensed>,
    clock: Monotonic,
}

impl Hall {
    fn watch(ports: impl IntoIterator<Item = String>) -> Hall {
        Hall::start(ports, Settings::default())
    }

    fn start(ports: impl IntoIterator<Item = String>, settings: Settings) -> Hall {
        let clock = Monotonic::start();
        let (watch, sensed) = Watch::start(Patterns::of(ports).expect("good patterns"), settings, clock);
        Hall { watch, sensed, clock }
    }

    async fn until(&mut self, name: &str, wanted: impl Fn(&What) -> bool) -> Sensed {
        let search = async {
            loop {
                let next = self.sensed.recv().await.expect("the watch goes on");
                if wanted(&next.what) {
                    return next;
                }
            }
        };
        timeout(PATIENCE, search).await.unwrap_or_else(|_| panic!("waited in vain for {name}"))
    }

    /// Until a board is met, updates are on and its line is quiet; gives its number.
    async fn until_up(&mut self) -> String {
        let board = self.until("a board", |what| matches!(what, What::Board(_))).await;
        self.until("its link", |what| matches!(what, What::Observed(Observation::Link(Link::Up)))).await;
        for _ in 0..2 {
            self.until("the squares of the introduction", is_board).await;
        }
        let What::Board(identity) = board.what else { unreachable!("asked for above") };
        identity.serial().expect("it has one").to_owned()
    }

    async fn next_square(&mut self) -> String {
        let seen = self.until("a square", |what| matches!(what, What::Observed(Observation::Square { .. }))).await;
        let What::Observed(Observation::Square { square, content }) = seen.what else {
            unreachable!("asked for above")
        };
        format!("{square}{}", content.letter())
    }
}

fn is_board(what: &What) -> bool {
    matches!(what, What::Observed(Observation::Board(_)))
}

/// Milliseconds of processor time this process has used.
fn cpu_ms() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields = stat.rsplit(')').next().expect("a name in brackets").split_whitespace().collect::<Vec<_>>();
    let ticks = |index: usize| fields[index].parse::<u64>().expect("a number of ticks");
    (ticks(11) + ticks(12)) * 10
}
