//! A PGN file that knows more than the journal is evidence: it is not written over.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
};

use protocol::feed::{TableEvent, TableId};

use super::Games;

/// The PGN files of a folder that hold a game the journal never held, at no moment of its past. A file that fell behind
/// or ran ahead of a correction holds one it did.
pub(super) fn knowing_more(folder: &Path, past: &[TableEvent], now: &Games) -> io::Result<BTreeSet<PathBuf>> {
    let mut histories = Histories { past, known: BTreeMap::new() };
    let mut more = BTreeSet::new();
    for path in files(folder)? {
        let Some((event, round, table)) = address(&path) else { continue };
        let text = fs::read_to_string(&path)?;
        let said = movetexts(&text).collect::<Vec<_>>();
        let here = |id: &TableId| id.event == event && id.round == round && table.is_none_or(|table| table == id.table);
        let tables = now.tables().filter(here).collect::<Vec<_>>();
        let current = tables.iter().map(|table| now.table_pgn(table)).collect::<Vec<_>>();
        let current = current.iter().flat_map(|text| movetexts(text)).collect::<BTreeSet<_>>();
        let known = |game: &String| {
            is_empty(game) || current.contains(game) || tables.iter().any(|table| histories.of(table).contains(game))
        };
        if !said.iter().all(known) {
            more.insert(path);
        }
    }
    Ok(more)
}

/// What the games of each table looked like at every moment.
struct Histories<'a> {
    past: &'a [TableEvent],
    known: BTreeMap<TableId, BTreeSet<String>>,
}

impl Histories<'_> {
    fn of(&mut self, table: &TableId) -> &BTreeSet<String> {
        self.known.entry(table.clone()).or_insert_with(|| {
            let (mut games, mut all) = (Games::default(), BTreeSet::new());
            for told in self.past.iter().filter(|told| told.table.as_ref() == Some(table)) {
                games.apply(told);
                all.extend(movetexts(&games.table_pgn(table)));
            }
            all
        })
    }
}

/// A game of which nothing was played says nothing.
fn is_empty(game: &str) -> bool {
    game == "*"
}

/// The moves, comments and result of each game, whatever its tags say and wherever its lines end.
fn movetexts(text: &str) -> impl Iterator<Item = String> {
    let paragraphs = text.split("\n\n").filter(|paragraph| !paragraph.trim_start().starts_with('['));
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    paragraphs.map(words).filter(|text| !text.is_empty())
}

/// The PGN files in a folder of events.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let inside = |folder: &Path| fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    if folder.is_dir() {
        for event in inside(folder)?.into_iter().filter(|path| path.is_dir()) {
            files.extend(inside(&event)?);
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "pgn"));
    Ok(files)
}

/// What a file is about, by its name.
fn address(path: &Path) -> Option<(String, u16, Option<u16>)> {
    let event = path.parent()?.file_name()?.to_str()?.to_owned();
    match path.file_stem()?.to_str()?.split_once('-') {
        Some((round, table)) => Some((event, round.parse().ok()?, Some(table.parse().ok()?))),
        None => Some((event, path.file_stem()?.to_str()?.parse().ok()?, None)),
    }
}
