//! What spectators' view of two hundred tables takes in memory, with a quarter of an hour's delay: `make bench`.
//!
//! Forty moves of each side are on record, and the last of them wait. What is counted is the memory that twenty such
//! views take together, shared by their number.

use std::fs;

use anyhow::Context;
use escaque::{
    journal::{Committed, Entries, Journal},
    screens::Air,
};
use protocol::feed::{Command, Entry, Order, Player, TableEvent, TableId, TimeControl, Variant};

const TABLES: u16 = 200;
const PLIES: u64 = 80;
const DELAY_S: u32 = 15 * 60;
const VIEWS: usize = 20;

fn main() -> anyhow::Result<()> {
    for (pace, seconds_a_ply) in [("a move in three minutes", 90), ("a move in thirty seconds", 15)] {
        let record = committed(seconds_a_ply)?;
        let before = memory()?;
        let mut views = (0..VIEWS).map(|_| view_of(&record)).collect::<Vec<_>>();
        let held = memory()?.saturating_sub(before);
        let pictures = views.iter_mut().map(Air::pictures).collect::<Vec<_>>();
        let shown = memory()?.saturating_sub(before + held);
        anyhow::ensure!(pictures.iter().all(|pictures| pictures.len() == usize::from(TABLES)), "all tables are on air");
        let each = |bytes: u64| bytes as f64 / 1024.0 / 1024.0 / VIEWS as f64;
        println!(
            "{TABLES} tables, {pace}: {:.2} MiB of games and of what waits, {:.2} MiB of pictures",
            each(held),
            each(shown)
        );
    }
    Ok(())
}

fn view_of(record: &Committed<Entries>) -> Air {
    let command = Command::Delay { event: None, seconds: DELAY_S, plies: 0 };
    let mut air = Air::default();
    let last = record.get().events.iter().map(|event| event.t).max().unwrap_or_default();
    air.reread_order(&Order::to_hall(command), 0);
    air.reread(record);
    air.elapse(last);
    air
}

/// Games as they come from the journal.
fn committed(seconds_a_ply: u64) -> anyhow::Result<Committed<Entries>> {
    let folder = tempfile::tempdir()?;
    let (journal, _) = Journal::open(folder.path(), "bench")?;
    let mut events = (1..=TABLES).flat_map(|table| game(table, seconds_a_ply)).collect::<Vec<_>>();
    events.sort_by_key(|event| event.t);
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    Ok(runtime.block_on(journal.commit(Vec::new(), Entries { events, ..Entries::default() }))?)
}

fn game(table: u16, seconds_a_ply: u64) -> Vec<TableEvent> {
    let table = TableId { event: "championship-2026".to_owned(), round: 7, table };
    let event = |t: u64, entry: Entry| TableEvent { table: Some(table.clone()), t: t * 1000, event: entry.into() };
    let player = |name: &str| Player {
        name: name.to_owned(),
        title: Some("GM".to_owned()),
        rating: Some(2600),
        ..Player::default()
    };
    let (white, black) = (player("Nepomniachtchi, Ian"), player("Vachier-Lagrave, Maxime"));
    let time_control = Some(TimeControl { base_s: 5400, increment_s: 30 });
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
    let begun = [
        event(0, Entry::Paired { white, black, time_control }),
        event(0, Entry::Started { game: 1, fen, variant: Variant::Standard }),
    ];
    let moves = (1..=PLIES).map(|ply| {
        let (san, uci) = ("Nbxd7+".to_owned(), "b6d7".to_owned());
        let fen = "r2qkb1r/pp1nppp1/2p2n1p/8/3P4/5N2/PPP1QPPP/R1B1KB1R w KQkq - 0 9".to_owned();
        let (ply, t) = (usize::try_from(ply).expect("small"), ply * seconds_a_ply);
        event(t, Entry::Final { ply, san, uci, fen, clock_ms: Some(5_000_000), inferred: false, illegal: false })
    });
    begun.into_iter().chain(moves).collect()
}

/// Bytes of memory that are this process's own.
fn memory() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).context("the kernel counts pages")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
}
