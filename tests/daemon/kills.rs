//! Kill -9 in the middle of games: what a screen was shown as final is still there, nothing is there twice, and the
//! games go on.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

use escaque::rehearsal::{Game, read};
use protocol::feed::TableId;
use serde_json::json;
use shakmaty::{Chess, Position, san::SanPlus};
use tempfile::TempDir;

use crate::support::{Board, Daemon, Follower, LOOK, Shown};

/// How soon after the restart every page must be able to show the hall again.
const HEALED: Duration = Duration::from_secs(3);

/// A move takes a second. After a game that was given up the hands rest for some seven, put up to thirty-two men on
/// their squares at two a second, and the start array has to stand for two: half a minute.
const STANDSTILL: Duration = Duration::from_secs(60);

/// As many plies as the hall looks for when it did not hear them.
const PLIES_LOST: usize = 8;

/// The boards' serial numbers begin behind this one.
const SERIALS: u32 = 30_000;

#[test]
fn nothing_final_is_missing_after_four_kills_in_two_games() {
    let healed = play_and_kill(2, 4, Gaps::AreClosed);
    assert!(healed < HEALED, "{healed:?}");
}

#[test]
#[ignore = "takes two minutes; `make release-check` runs it"]
fn nothing_final_is_missing_after_twenty_kills_in_eight_games() {
    let healed = play_and_kill(8, 20, Gaps::MayBeHeld);
    println!("the slowest of 20 restarts served the hall after {healed:.0?}");
    assert!(healed < HEALED, "{healed:?}");
}

/// What may come of the moves that were made while nobody listened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gaps {
    /// A ply or two: there is one way to explain them.
    AreClosed,
    /// Hands that move every second leave gaps in which a man goes a way round without a trace. Such a table is held
    /// and shown as held: never silent, and never a guess at moves in the record. Of several orders of the same moves
    /// the likeliest is in the record, marked, with the others beside it.
    MayBeHeld,
}

/// Gives the time from the slowest restart to the first whole view of the hall.
fn play_and_kill(boards: u32, kills: u32, gaps: Gaps) -> Duration {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let pattern = folder.path().join("board-*").display().to_string();
    let mut daemon = Daemon::start(&state, &["--port", &pattern]);
    name_the_round(&daemon);
    let company = (1..=boards).map(|number| put_up(&daemon, folder.path(), number)).collect::<Vec<_>>();

    let (mut shown, mut healed) = (Shown::default(), Duration::ZERO);
    for kill in 0..kills {
        let screen = daemon.follow();
        // Games go on after every restart, at every table.
        wait_until_all_go_on(&daemon, &shown, &screen, boards, gaps);
        // Not always at the same moment of a move, which takes about a second.
        sleep(Duration::from_millis(u64::from(kill * 271 % 1000)));
        daemon.kill();
        shown = screen.last();
        assert_eq!(shown.corrections, 0, "perfect hands give no reason to correct");

        let began = Instant::now();
        daemon = Daemon::start(&state, &["--port", &pattern]);
        let view = daemon.snapshot();
        healed = healed.max(began.elapsed());
        for ((table, game), line) in shown.games.iter().filter(|((_, game), _)| *game > 0) {
            let now = view.tables.iter().find(|now| now.table == *table).expect("the table is still there");
            assert!(now.game >= *game, "{table} went back from game {game} to {}", now.game);
            if now.game == *game {
                assert!(now.line[..now.settled].starts_with(line), "{table}: shown {line:?}, now {now:?}");
            }
            assert!(games(&pgn(&daemon, table)).iter().any(|kept| kept.starts_with(line)), "{table}: {line:?} is lost");
        }
    }
    let screen = daemon.follow();
    wait_until_all_go_on(&daemon, &shown, &screen, boards, gaps);

    let played = company.into_iter().map(Board::take_down).collect::<Vec<_>>();
    let log = daemon.log();
    assert!(daemon.stop().success(), "{log}");
    for (number, truth) in (1..).zip(&played) {
        let file = state.join(format!("pgn/open/1-{number}.pgn"));
        let kept = games(&std::fs::read_to_string(&file).expect("the file is there"));
        compare(&kept, &games(truth), gaps);
    }
    healed
}

fn name_the_round(daemon: &Daemon) {
    let order = json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" });
    let (status, answer) = daemon.order(&order);
    assert_eq!(status, 200, "{answer}");
}

/// A board at the table of its number.
fn put_up(daemon: &Daemon, folder: &Path, number: u32) -> Board {
    let (first, serial) = ((number * 3).to_string(), SERIALS + number);
    let table = format!("open/1/{number}");
    let (status, answer) = daemon.order(&json!({ "command": "assign", "board": serial.to_string(), "table": table }));
    assert_eq!(status, 200, "{answer}");
    // Fast players, so that games end and begin between the kills.
    let more = ["--games", "--profile", "perfect", "--speed", "200", "--first", &first, "--seed", &first];
    Board::put_up(&folder.join(format!("board-{number}")), serial, &more)
}

/// A table that stands still is shown with what was heard of it.
fn wait_until_all_go_on(daemon: &Daemon, before: &Shown, screen: &Follower, boards: u32, gaps: Gaps) {
    let began = Instant::now();
    loop {
        let mut tables = going_on(before, &screen.shown());
        if gaps == Gaps::MayBeHeld {
            tables.extend(daemon.snapshot().tables.into_iter().filter(|table| table.held).map(|table| table.table));
        }
        if tables.len() >= usize::try_from(boards).expect("a few tables") {
            return;
        }
        if began.elapsed() > STANDSTILL {
            let tables = daemon.snapshot().tables;
            panic!("before {:#?}\nnow {tables:#?}\n{}", before.games, daemon.log());
        }
        sleep(LOOK);
    }
}

/// The tables that show a final move they did not show before.
fn going_on(before: &Shown, now: &Shown) -> BTreeSet<TableId> {
    let last = |shown: &Shown| {
        let mut last = BTreeMap::new();
        for ((table, game), line) in &shown.games {
            last.insert(table.clone(), (*game, line.len()));
        }
        last
    };
    let before = last(before);
    let now = last(now);
    let moved = now.into_iter().filter(|(table, at)| before.get(table).map_or(at.1 > 0, |then| at > then));
    moved.map(|(table, _)| table).collect()
}

fn pgn(daemon: &Daemon, table: &TableId) -> String {
    let (status, pgn) = daemon.get(&format!("/pgn/{}/{}/{}", table.event, table.round, table.table));
    assert_eq!(status, 200, "{pgn}");
    pgn
}

/// The games in a PGN, each as its moves in SAN.
fn games(pgn: &str) -> Vec<Vec<String>> {
    read(pgn.as_bytes()).unwrap_or_default().iter().map(sans).collect()
}

fn sans(game: &Game) -> Vec<String> {
    let mut position = game.start.clone();
    let mut sans = Vec::new();
    for played in &game.moves {
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string());
    }
    assert!(position.legal_moves().len() < 300, "a position is what the moves make of it");
    sans
}

/// Every game is there once and is what was played; the last may end before its last press.
fn compare(kept: &[Vec<String>], truth: &[Vec<String>], gaps: Gaps) {
    if gaps == Gaps::MayBeHeld {
        return compare_held(kept, truth);
    }
    assert_eq!(kept.len(), truth.len(), "no game is missing and none is there twice: {kept:#?} {truth:#?}");
    for (at, (kept, played)) in kept.iter().zip(truth).enumerate() {
        let whole = if at + 1 == truth.len() { played.starts_with(kept) } else { played == kept };
        assert!(whole, "kept {}\nplayed {}", kept.join(" "), played.join(" "));
    }
}

/// A game of a table that is held ends where nobody can say for certain how it went on, and what was played while the
/// men stood on their squares and nobody listened is no game of its own. No move that was not played is ever there.
fn compare_held(kept: &[Vec<String>], truth: &[Vec<String>]) {
    let mut truth = truth.iter();
    for kept in kept {
        let is_it = |played: &&Vec<String>| played.starts_with(kept) || is_reordered(kept, played);
        let found = truth.by_ref().find(is_it);
        assert!(found.is_some(), "kept {}\nand nothing of the kind was played", kept.join(" "));
    }
}

/// The same moves but for the order of those in a gap: after at most so many plies the same men stand on the same
/// squares, or the record ends among them.
fn is_reordered(kept: &[String], played: &[String]) -> bool {
    let (stood, stands) = (boards(kept), boards(played));
    let mut at = 0;
    while at < kept.len() {
        let meets = |on: &usize| stood.get(*on).is_some_and(|board| stands.get(*on) == Some(board));
        let gap = at + 1..=at + PLIES_LOST;
        match gap.clone().find(meets) {
            Some(on) => at = on,
            None => return gap.contains(&kept.len()) && kept[at..].iter().all(|san| played[at..].contains(san)),
        }
    }
    true
}

/// What stands on the board before the first move and after each.
fn boards(sans: &[String]) -> Vec<shakmaty::Board> {
    let mut position = Chess::default();
    let mut boards = vec![position.board().clone()];
    for san in sans {
        let san = san.parse::<SanPlus>().expect("a move").san;
        position.play_unchecked(san.to_move(&position).expect("a legal move"));
        boards.push(position.board().clone());
    }
    boards
}
