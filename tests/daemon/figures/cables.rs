//! An adapter with several boards is pulled and pushed in again.

use std::{
    thread::sleep,
    time::{Duration, Instant},
};

use protocol::board::Link;
use serde_json::json;
use tempfile::TempDir;

use crate::{
    dice::percentile,
    support::{Board, Daemon, LOOK, until},
};

const BOARDS: u32 = 8;
const PULLED: usize = 4;
const OUT: Duration = Duration::from_secs(4);

/// The bar, for both ways.
const SHOWN: Duration = Duration::from_secs(2);

#[test]
#[ignore = "a figure; `make figures` runs it"]
fn an_adapter_that_is_pulled_is_shown_and_comes_back() {
    let folder = TempDir::new().expect("a folder for the test");
    let (state, pattern) = (folder.path().join("state"), folder.path().join("board-*").display().to_string());
    let daemon = Daemon::start(&state, &["--port", &pattern]);
    let order = |order: serde_json::Value| assert_eq!(daemon.order(&order).0, 200);
    order(json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
    let put_up = |number: u32| {
        order(
            json!({ "command": "assign", "board": (30_000 + number).to_string(), "table": format!("open/1/{number}") }),
        );
        Board::put_up(&folder.path().join(format!("board-{number}")), 30_000 + number, &[])
    };
    let mut company = (1..=BOARDS).map(put_up).collect::<Vec<_>>();
    let links = || daemon.snapshot().tables.into_iter().map(|table| table.link).collect::<Vec<_>>();
    until("all boards", || (links() == vec![Some(Link::Up); company.len()]).then_some(()));

    let (mut down, mut up) = (vec![None; PULLED], vec![None; PULLED]);
    let began = Instant::now();
    company[..PULLED].iter_mut().for_each(|board| board.say(&format!("unplug {}", OUT.as_secs())));
    while up.contains(&None) {
        assert!(began.elapsed() < OUT * 5, "down {down:?}, up {up:?}");
        let now = links();
        assert!(now[PULLED..].iter().all(|link| *link == Some(Link::Up)), "the others are untouched: {now:?}");
        for at in 0..PULLED {
            if now[at] == Some(Link::Down) {
                down[at].get_or_insert(began.elapsed());
            } else if down[at].is_some() {
                up[at].get_or_insert(began.elapsed().saturating_sub(OUT));
            }
        }
        sleep(LOOK);
    }
    let slowest = |times: Vec<Option<Duration>>| percentile(&times.into_iter().flatten().collect::<Vec<_>>(), 100);
    let (down, up) = (slowest(down), slowest(up));
    println!(
        "{PULLED} of {BOARDS} boards pulled for {OUT:?}: the last shown after {down:.1?}, back after {up:.1?} (bar {SHOWN:?})"
    );
    assert!(down <= SHOWN && up <= SHOWN);
}
