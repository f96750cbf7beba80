//! A blind player's game on two boards with sensors: each move is made on the board of its player and brought to the other.

use std::path::Path;

use protocol::feed::{Alert, AlertKind, Entry, Event, Side, TableEvent};
use serde_json::json;
use tempfile::TempDir;

use crate::support::{Board, Daemon, events, until};

const TABLE: &str = "open/1/1";

#[test]
fn a_game_on_two_boards_is_one_game_and_a_slip_on_the_way_is_told_within_a_second() {
    let folder = TempDir::new().expect("a folder for the test");
    let state = folder.path().join("state");
    let ports = folder.path().join("board-*").display().to_string();
    let daemon = Daemon::start(&state, &["--port", &ports]);
    let mut boards = Two::put_up(folder.path(), &daemon);
    let record = |daemon: &Daemon| {
        let table = daemon.snapshot().tables.into_iter().find(|table| table.table.to_string() == TABLE)?;
        Some(table.line.first(table.settled).to_string())
    };
    until("the game to begin", || (daemon.snapshot().tables.first()?.game == 1).then_some(()));

    // White, who sees, and Black, who does not, on a board that lies the other way round.
    for (ply, (from, to, man)) in [("f2", "f3", 'P'), ("e7", "e5", 'p')].into_iter().enumerate() {
        let (own, other, presser) = if ply == 0 { (0, 1, "white") } else { (1, 0, "black") };
        boards.make(own, from, to, man);
        until("the move", || (daemon.snapshot().tables.first()?.line.len() > ply).then_some(()));
        boards.press(presser);
        until("it to be final", || (daemon.snapshot().tables.first()?.settled > ply).then_some(()));
        // White brings another move to the own board.
        boards.make(other, from, if ply == 0 { to } else { "e6" }, man);
    }
    let differing = || alerts(&state).into_iter().find(|(_, alert)| alert.kind == AlertKind::BoardsDiffer);
    let (told, alert) = until("the alert", differing);
    boards.make(0, "e6", "e5", 'p');

    boards.make(0, "g2", "g4", 'P');
    until("the move", || (daemon.snapshot().tables.first()?.line.len() > 2).then_some(()));
    boards.press("white");
    until("it to be final", || (daemon.snapshot().tables.first()?.settled > 2).then_some(()));
    boards.make(1, "g2", "g4", 'P');
    boards.make(1, "d8", "h4", 'q');
    let pgn = until("the mate", || Some(daemon.get(&format!("/pgn/{TABLE}")).1).filter(|pgn| pgn.contains("0-1")));
    assert_eq!(record(&daemon).as_deref(), Some("f3 e5 g4 Qh4#"), "{pgn}");
    daemon.stop();

    let shown = alert.boards.iter().map(|shown| {
        let sans = shown.moves.iter().map(|played| played.san.as_str()).collect::<Vec<_>>();
        (shown.board.as_str(), shown.side, sans.join(" "))
    });
    let expected = [("30002", Some(Side::Black), "f3 e5".to_owned()), ("30001", Some(Side::White), "f3 e6".to_owned())];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let since = alert.boards[1].moves.last().and_then(|played| played.at).expect("it was seen");
    assert!(told - since <= 1_000, "{} ms", told - since);
    // What was written down gives the same game, and the same alert.
    let kinds = alerts(&state).into_iter().map(|(_, alert)| alert.kind).collect::<Vec<_>>();
    assert_eq!(kinds.iter().filter(|kind| **kind == AlertKind::BoardsDiffer).count(), 1, "{kinds:?}");
    assert!(
        !kinds.contains(&AlertKind::PositionMismatch) && !kinds.contains(&AlertKind::NoMoveClockPress),
        "{kinds:?}"
    );
}

/// White's board, into which the clock is plugged, and Black's.
struct Two([Board; 2]);

impl Two {
    fn put_up(folder: &Path, daemon: &Daemon) -> Two {
        for order in [
            json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }),
            json!({ "command": "assign", "table": TABLE, "board": "30001" }),
            json!({ "command": "assign", "table": TABLE, "board": "30002" }),
            json!({ "command": "blind", "table": TABLE, "players": "black", "white_board": "30001" }),
        ] {
            let (status, answer) = daemon.order(&order);
            assert_eq!(status, 200, "{answer}");
        }
        let whites = Board::put_up(&folder.join("board-1"), 30_001, &[]);
        Two([whites, Board::put_up(&folder.join("board-2"), 30_002, &["--no-clock", "--turned"])])
    }

    fn make(&mut self, board: usize, from: &str, to: &str, man: char) {
        self.0[board].say(&format!("lift {from}"));
        self.0[board].say(&format!("place {to} {man}"));
    }

    fn press(&mut self, side: &str) {
        self.0[0].say(&format!("press {side}"));
    }
}

fn alerts(state: &Path) -> Vec<(u64, Alert)> {
    let alert = |TableEvent { t, event, .. }: TableEvent| match event {
        Event::Entry(Entry::Alert(alert)) => Some((t, *alert)),
        Event::Entry(_) | Event::Sight(_) => None,
    };
    events(state).into_iter().filter_map(alert).collect()
}
