//! What the daemon does at its limits: a port that never stops talking, and more screens than there are descriptors.

#[path = "../ports/pty.rs"]
mod pty;

use std::{
    fs,
    net::TcpStream,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    thread::scope,
    time::Instant,
};

use tempfile::TempDir;

use self::pty::{relink, update, wait_for};
use crate::support::{Board, Daemon, PATIENCE, until};

/// What a port that babbles may cost, in bytes of journal a second.
const JOURNAL_A_SECOND: u64 = 50_000;

/// When the operator knows which it is.
const NAMED_WITHIN_MS: u128 = 5_000;

#[test]
fn a_port_that_never_stops_talking_is_named_and_costs_other_tables_nothing() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let (ports, links) = (folder.path().join("board-*").display().to_string(), folder.path());
    let mut good = Board::put_up(&links.join("board-1"), 30_001, &[]);
    let bad = pty::Board::plug_in("30002");
    // And one at which nobody ever answers.
    let mute = pty::Pty::open();
    relink(&links.join("board-2"), Path::new(&bad.name()));
    let daemon = Daemon::start(&state, &["--port", &ports, "--port", &mute.name()]);
    until("both boards", || (daemon.log().matches("board found").count() == 2).then_some(()));
    bad.play("a3", 'P');
    let (screen, before) = (daemon.follow(), written(&state));
    let is_on = AtomicBool::new(true);
    scope(|scope| {
        let began = Instant::now();
        scope.spawn(|| babble(&bad, &is_on));
        let _hush = Hush(&is_on);
        let named =
            wait_for("the name of the port", || daemon.log().contains("not listened to").then(|| began.elapsed()));
        assert!(named.as_millis() <= NAMED_WITHIN_MS, "after {} ms", named.as_millis());
        let log = daemon.log();
        let sentence = log.lines().find(|line| line.contains("not listened to")).expect("found above");
        assert!(sentence.contains("board-2") && sentence.contains("30002"), "{sentence}");
        good.say("move e2e4");
        until("the other board's move", || {
            let shown = screen.shown();
            shown.games.values().any(|line| line.first().is_some_and(|san| san == "e4")).then_some(())
        });
        // What is written is what it said before it was named, however long it goes on.
        let grown = written(&state).saturating_sub(before);
        assert!(grown <= JOURNAL_A_SECOND * 5, "{grown} bytes of journal");
    });
    until("a board that is met again", || {
        let log = daemon.log();
        (log.contains("quiet again") && log.matches("board found").count() == 3).then_some(())
    });
    assert!(daemon.stop().success());
}

#[test]
fn with_more_screens_than_descriptors_a_board_comes_back_and_its_game_is_written() {
    let folder = TempDir::new().expect("a folder for the test");
    let (state, link) = (folder.path().join("state"), folder.path().join("board-1"));
    let boards = folder.path().join("board-*").display().to_string();
    let daemon = Daemon::start_within("-n 256", &state, &["--port", &boards]);
    let board = Board::put_up(&link, 30_001, &[]);
    until("the board", || daemon.log().contains("board found").then_some(()));
    let screens = (0..400).filter_map(|_| follow(&daemon.address)).collect::<Vec<_>>();
    assert!(screens.len() < 256, "{} screens", screens.len());
    board.take_down();
    until("the loss", || daemon.log().contains("board lost").then_some(()));
    let mut board = Board::put_up(&link, 30_001, &[]);
    until("the board again", || (daemon.log().matches("board found").count() == 2).then_some(()));
    board.say("move e2e4");
    board.say("move e7e5");
    until("its game in a file", || pgn_of(&state).contains("1. e4").then_some(()));
    drop(screens);
    assert!(daemon.stop().success());
}

/// The babbling ends with the test, however that ends.
struct Hush<'a>(&'a AtomicBool);

impl Drop for Hush<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// One square and then the other, as fast as the cable takes it.
fn babble(board: &pty::Board, is_on: &AtomicBool) {
    let words = [update("a3", '.'), update("a3", 'P')].concat().repeat(100);
    while is_on.load(Ordering::Relaxed) {
        board.say(&words);
    }
}

fn follow(address: &str) -> Option<tungstenite::WebSocket<TcpStream>> {
    let stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).expect("a positive time");
    tungstenite::client(format!("ws://{address}/feed/ws"), stream).ok().map(|(socket, _)| socket)
}

/// How long the files of the journal are together.
fn written(state: &Path) -> u64 {
    files(&state.join("journal")).iter().map(|file| fs::metadata(file).map_or(0, |data| data.len())).sum()
}

fn pgn_of(state: &Path) -> String {
    let is_pgn = |file: &&std::path::PathBuf| file.extension().is_some_and(|end| end == "pgn");
    files(state).iter().filter(is_pgn).filter_map(|file| fs::read_to_string(file).ok()).collect()
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
