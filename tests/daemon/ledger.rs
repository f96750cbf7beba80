//! Everything that was shown as final, over any number of starts.

use std::collections::BTreeMap;

use protocol::feed::{HallView, TableId};

use crate::{
    support::{Daemon, Shown},
    truth::games,
};

/// The lines of all games as they were shown last.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    pub(crate) lines: BTreeMap<(TableId, u32), Vec<String>>,
}

impl Ledger {
    pub(crate) fn note(&mut self, shown: Shown) {
        self.lines.extend(shown.games.into_iter().filter(|((_, game), _)| *game > 0));
    }

    pub(crate) fn finals(&self) -> usize {
        self.lines.values().map(Vec::len).sum()
    }

    /// Holds what is shown after a start against what was shown before, at each table's last game. Gives a sentence for
    /// each game of which something is missing.
    pub(crate) fn missing(&self, daemon: &Daemon, view: &HallView) -> Vec<String> {
        let mut last = BTreeMap::new();
        for ((table, game), line) in &self.lines {
            last.insert(table, (*game, line));
        }
        let pgn = by_table(daemon);
        let mut missing = Vec::new();
        for (table, (game, line)) in last {
            let Some(now) = view.tables.iter().find(|now| now.table == *table) else {
                missing.push(format!("{table} is gone, with {line:?}"));
                continue;
            };
            let settled = now.line.first(now.settled).after(0);
            if now.game < game || (now.game == game && !settled.starts_with(line)) {
                missing.push(format!("{table}: shown {line:?} in game {game}, now {settled:?} in game {}", now.game));
            }
            let kept = pgn.get(&table.table).map(Vec::as_slice).unwrap_or_default();
            if !line.is_empty() && !kept.iter().any(|kept| kept.starts_with(line)) {
                missing.push(format!("{table}: {line:?} is in no PGN"));
            }
        }
        missing
    }

    /// The same for all games: each is in the record, in order and once.
    pub(crate) fn missing_or_doubled(&self, daemon: &Daemon, view: &HallView) -> Vec<String> {
        let mut wrong = self.missing(daemon, view);
        let pgn = by_table(daemon);
        for now in &view.tables {
            let kept = pgn.get(&now.table.table).map(Vec::as_slice).unwrap_or_default();
            if kept.len() > now.game as usize {
                wrong.push(format!("{}: {} games, {} are kept", now.table, now.game, kept.len()));
            }
            let mut kept = kept.iter();
            for ((_, game), line) in self.lines.range((now.table.clone(), 0)..=(now.table.clone(), u32::MAX)) {
                if !line.is_empty() && !kept.any(|kept| kept.starts_with(line)) {
                    wrong.push(format!("{}, game {game}: {line:?} is lost", now.table));
                }
            }
        }
        wrong
    }
}

/// The games of a round that are handed out, by table.
fn by_table(daemon: &Daemon) -> BTreeMap<u16, Vec<Vec<String>>> {
    let (status, pgn) = daemon.get("/pgn/open/1");
    if status == 404 {
        return BTreeMap::new(); // No game has begun.
    }
    assert_eq!(status, 200, "{pgn}");
    let mut tables = BTreeMap::<u16, Vec<Vec<String>>>::new();
    for game in pgn.split("[Event ").filter(|game| !game.trim().is_empty()) {
        let table = game.lines().find_map(|line| line.strip_prefix("[Board \"")?.strip_suffix("\"]")?.parse().ok());
        tables.entry(table.expect("each game names its table")).or_default().extend(games(&format!("[Event {game}")));
    }
    tables
}
