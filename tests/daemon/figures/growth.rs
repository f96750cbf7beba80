//! How much the files grow with each final move, and how much is written for each board.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::sleep,
    time::{Duration, Instant},
};

use serde_json::json;
use tempfile::TempDir;

use crate::{
    dice::dial,
    support::{Board, Daemon, Shown, until},
};

const SERIALS: u32 = 30_000;

/// The bars: bytes of file growth a final move with its inputs, and bytes written a second and board.
const GROWTH: u64 = 600;
const WRITTEN: u64 = 1_000;

/// Twenty moves of the Closed Spanish, and kings that have time.
const LONG_GAME: &str = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 \
    Ng3 g6 a4 c5 d5 c4 Bg5 h6 Be3 Nc5 Qd2 h5 Bg5 Be7 Kh1 Kg7 Kg1 Kg8";

#[test]
#[ignore = "takes minutes; `make figures` runs it"]
fn growth_and_writing_at_classical_pace() {
    let (boards, seconds) = (dial("BOARDS", 40), dial("SECONDS", 300));
    let folder = TempDir::new().expect("a folder for the test");
    let (state, pattern) = (folder.path().join("state"), folder.path().join("board-*").display().to_string());
    let daemon = Daemon::start(&state, &["--port", &pattern]);
    order(&daemon, &json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
    let company = (1..=u32::try_from(boards).expect("some boards")).map(|number| {
        let (serial, table) = (SERIALS + number, format!("open/1/{number}"));
        order(&daemon, &json!({ "command": "assign", "board": serial.to_string(), "table": table }));
        let hands =
            ["--games", "--profile", "classical", "--seed", &number.to_string(), "--first", &number.to_string()];
        Board::put_up(&folder.path().join(format!("board-{number}")), serial, &hands)
    });
    let company = company.collect::<Vec<_>>();
    until("all games to begin", || {
        let view = daemon.snapshot();
        (view.tables.iter().filter(|table| table.game > 0).count() as u64 == boards).then_some(())
    });
    // A clean end takes the log into the files, so that sizes can be compared.
    assert!(daemon.stop().success());
    let before = size(&state.join("journal"));

    let daemon = Daemon::start(&state, &["--port", &pattern]);
    let screen = daemon.follow();
    let finals_before = finals_of(&daemon);
    let (began, written_before) = (Instant::now(), written(daemon.pid()));
    sleep(Duration::from_secs(seconds));
    let per_board = (written(daemon.pid()) - written_before) as f64 / began.elapsed().as_secs_f64() / boards as f64;
    let finals = finals_of(&daemon).saturating_sub(finals_before);
    let reads = inputs(&state);
    assert!(daemon.stop().success());
    let shown = screen.last();
    let grown = size(&state.join("journal")) - before;
    drop(company);
    println!("{boards} boards at classical pace for {seconds} s: {finals} final moves, {} games", games(&shown));
    println!(
        "  growth: {} B a final move with its inputs (bar {GROWTH}); {grown} B in all, {reads}",
        grown / finals.max(1)
    );
    println!("  write_bytes: {per_board:.0} B/s a board (bar {WRITTEN})");
}

/// Late in the games the files of PGN are long, and each final move is in two of them. Moves are given by order, as many
/// as forty tables make in a minute.
#[test]
#[ignore = "takes a minute; `make figures` runs it"]
fn writing_late_in_the_games() {
    let (boards, seconds, pause) = (dial("BOARDS", 40), dial("SECONDS", 60), Duration::from_millis(1_330));
    let folder = TempDir::new().expect("a folder for the test");
    let daemon = Daemon::start(&folder.path().join("state"), &["--port", "/dev/none-of-ours*"]);
    order(&daemon, &json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
    let table = |number: u64| format!("open/1/{number}");
    let moves = LONG_GAME.split(' ').collect::<Vec<_>>();
    for number in 1..=boards {
        order(
            &daemon,
            &json!({ "command": "assign", "board": format!("{}", 30_000 + number), "table": table(number) }),
        );
        order(&daemon, &json!({ "command": "new_game", "table": table(number) }));
        order(&daemon, &json!({ "command": "insert", "table": table(number), "moves": moves }));
    }
    let (began, written_before, mut finals) = (Instant::now(), written(daemon.pid()), 0);
    while began.elapsed() < Duration::from_secs(seconds) {
        let number = finals % boards + 1;
        let next = ["Kh2", "Kh7", "Kg1", "Kg8"][usize::try_from(finals / boards % 4).expect("four of them")];
        order(&daemon, &json!({ "command": "insert", "table": table(number), "moves": [next] }));
        finals += 1;
        sleep(pause.saturating_mul(u32::try_from(finals).expect("some")).saturating_sub(began.elapsed()));
    }
    let per_board = (written(daemon.pid()) - written_before) as f64 / began.elapsed().as_secs_f64() / boards as f64;
    println!("{boards} tables after {} plies, {finals} final moves by order: {per_board:.0} B/s a board", moves.len());
    assert!(daemon.stop().success());
}

fn finals_of(daemon: &Daemon) -> u64 {
    daemon.snapshot().tables.iter().map(|table| table.settled as u64).sum()
}

fn games(shown: &Shown) -> usize {
    shown.games.keys().filter(|(_, game)| *game > 0).count()
}

/// What the kernel counts as written to the disk for a process.
fn written(pid: u32) -> u64 {
    let io = fs::read_to_string(format!("/proc/{pid}/io")).expect("it runs");
    let line = io.lines().find_map(|line| line.strip_prefix("write_bytes: "));
    line.and_then(|count| count.parse().ok()).expect("a count")
}

fn inputs(state: &Path) -> String {
    let past = escaque::journal::Journal::read(state).expect("a sound journal");
    let count = past.chapters.values().map(|chapter| chapter.end().inputs).sum::<u64>();
    format!("{count} inputs in the journal")
}

fn size(folder: &Path) -> u64 {
    let size =
        |path: PathBuf| if path.is_dir() { size(&path) } else { fs::metadata(&path).map_or(0, |file| file.len()) };
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| size(entry.path())).sum()
}

fn order(daemon: &Daemon, order: &serde_json::Value) {
    let (status, answer) = daemon.order(order);
    assert_eq!(status, 200, "{answer}");
}
