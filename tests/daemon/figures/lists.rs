//! From a list of pairings to the screens and the disk.

use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use crate::{
    dice::{dial, percentile},
    support::Daemon,
};

/// The bar, for so many tables.
const SHOWN: Duration = Duration::from_millis(200);
const TABLES: usize = 200;

#[test]
#[ignore = "a figure; `make figures` runs it"]
fn two_hundred_pairings_are_read_shown_and_on_disk() {
    let (folder, rounds) = (TempDir::new().expect("a folder for the test"), dial("ROUNDS", 20));
    let daemon = Daemon::start(&folder.path().join("state"), &[]);
    let took = (1..=rounds).map(|round| {
        let open = json!({ "command": "open_round", "event": "open", "round": round });
        assert_eq!(daemon.order(&open).0, 200);
        let list =
            (1..=TABLES).map(|table| format!("{table};White {table}, Ada;2{table:03};Black {table}, Ben;1800\n"));
        let list = format!("Board;White;Rtg;Black;Rtg\n{}", list.collect::<String>());
        let began = Instant::now();
        // The answer comes when the round's journal has taken it.
        let (status, answer) = daemon.hand_in(&format!("/pairings?event=open&round={round}&take=true"), &list);
        assert_eq!(status, 200, "{answer}");
        let shown = daemon.snapshot().tables.into_iter().filter(|table| u64::from(table.table.round) == round).count();
        assert_eq!(shown, TABLES);
        began.elapsed()
    });
    let took = took.collect::<Vec<_>>();
    let [half, most] = [50, 95].map(|share| percentile(&took, share));
    println!("{TABLES} pairings read, on disk and on screens: half {half:.0?}, 95 % {most:.0?} (bar {SHOWN:?})");
}
