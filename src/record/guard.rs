//! A PGN file that knows more than the journal is evidence: it is not written over.

use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
};

use protocol::feed::{TableEvent, TableId};

use super::Games;

/// Whether a file that says `there` holds a game or a player's name that the journal never held, at no moment of its
/// `past`. One that fell behind what is said `now`, or ran ahead of a correction, holds what it did.
pub(super) fn knows_more(there: &str, now: &str, past: impl FnOnce() -> Vec<TableEvent>) -> bool {
    let current = movetexts(now).collect::<Vec<_>>();
    let is_current = |game: &String| current.iter().any(|now| now == game || now.starts_with(so_far(game)));
    let other = movetexts(there).filter(|game| !is_empty(game) && !is_current(game)).collect::<Vec<_>>();
    let nameless = players(now).into_iter().filter(|player| player.name == NOBODY).collect::<Vec<_>>();
    let lost = |player: &Seated| player.name != NOBODY && nameless.iter().any(|now| now.sits_with(player));
    let named = players(there).into_iter().filter(lost).collect::<Vec<_>>();
    if other.is_empty() && named.is_empty() {
        return false;
    }
    let ever = histories(&past());
    !(other.iter().all(|game| ever.games.contains(game)) && named.iter().all(|player| ever.players.contains(player)))
}

/// How PGN writes a name that is not known.
const NOBODY: &str = "?";

/// Somebody's name in the tags of a game.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Seated {
    table: String,
    side: &'static str,
    name: String,
}

impl Seated {
    fn sits_with(&self, other: &Seated) -> bool {
        self.table == other.table && self.side == other.side
    }
}

/// Who sits where, by the tags of all games.
fn players(text: &str) -> Vec<Seated> {
    let (mut players, mut table) = (Vec::new(), "");
    for line in text.lines() {
        let tag = |name: &str| line.strip_prefix('[')?.strip_prefix(name)?.strip_prefix(" \"")?.strip_suffix("\"]");
        table = tag("Round").unwrap_or(table);
        let named = ["White", "Black"].into_iter().filter_map(|side| Some((side, tag(side)?)));
        players.extend(named.map(|(side, name)| Seated { table: table.to_owned(), side, name: name.to_owned() }));
    }
    players
}

/// The moves of a game that may go on, without the sign that it may.
fn so_far(game: &str) -> &str {
    game.strip_suffix('*').unwrap_or(game)
}

/// All there ever was to read of a round.
#[derive(Debug, Default)]
struct Histories {
    games: BTreeSet<String>,
    players: BTreeSet<Seated>,
}

/// What the games of each table looked like at every moment.
fn histories(past: &[TableEvent]) -> Histories {
    let (mut games, mut ever) = (Games::default(), Histories::default());
    for told in past {
        games.apply(told);
        for text in told.table.iter().map(|table| games.table_pgn(table)) {
            ever.games.extend(movetexts(&text));
            ever.players.extend(players(&text));
        }
    }
    ever
}

/// The PGN files of a folder about tables of which the book says nothing, though games stand in them.
pub(super) fn unknown(folder: &Path, book: &Games) -> io::Result<Vec<PathBuf>> {
    let mut unknown = Vec::new();
    for path in files(folder)? {
        let Some((event, round, table)) = address(&path) else { continue };
        let here = |id: &TableId| id.event == event && id.round == round && table.is_none_or(|table| table == id.table);
        if !book.tables().any(|id| here(&id)) && movetexts(&fs::read_to_string(&path)?).any(|game| !is_empty(&game)) {
            unknown.push(path);
        }
    }
    unknown.sort();
    Ok(unknown)
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

#[cfg(test)]
mod tests {
    use protocol::feed::{Correction, Entry, Player, Variant};

    use super::*;

    const HEAD: &str = "[Event \"open\"]\n\n";

    #[test]
    fn a_file_with_a_move_nobody_ever_told_knows_more() {
        assert!(knows("1. e4 e5 2. Nf3 *"), "the journal has lost its end");
        assert!(knows("1. d4 d5 *"), "another game");
        assert!(knows("1. e4 e5 1-0"), "the result is missing");
    }

    #[test]
    fn a_file_that_fell_behind_or_was_written_before_a_correction_knows_no_more() {
        for game in ["*", "1. e4 *", "1. e4 e5 *", "1. e4 c5 *", "1. e4\ne5 *"] {
            assert!(!knows(game), "{game}");
        }
    }

    #[test]
    fn a_file_that_names_players_whom_the_journal_has_lost_knows_more() {
        assert!(knows_more(&page("Euwe", "Flohr"), &page("?", "?"), Vec::new));
        assert!(knows_more(&page("Euwe", "Flohr"), &page("Euwe", "?"), Vec::new));
        assert!(!knows_more(&page("Euwe", "?"), &page("Euwe", "Flohr"), Vec::new));
        assert!(!knows_more(&page("Eeuwe", "Flohr"), &page("Euwe", "Flohr"), Vec::new), "its spelling was mended");
    }

    #[test]
    fn a_name_that_was_taken_back_is_no_more() {
        let paired = |name: &str| {
            let white = Player { name: name.to_owned(), ..Player::default() };
            Entry::Paired { white, black: Player::default(), time_control: None }
        };
        let past = [begun(), paired("Euwe"), a_final(1, "e4"), paired("")].map(told);
        assert!(!knows_more(&page("Euwe", "?"), &page("?", "?"), || past.to_vec()));
    }

    fn page(white: &str, black: &str) -> String {
        format!("[Event \"open\"]\n[Round \"1.1\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n")
    }

    #[test]
    fn a_move_that_only_begins_like_another_is_another() {
        assert!(knows_more(&format!("{HEAD}1. e *\n"), &format!("{HEAD}1. e4 *\n"), Vec::new));
    }

    /// The journal: 1. e4 c5, corrected to e5.
    fn knows(game: &str) -> bool {
        let correction = Entry::Corrected {
            from_ply: 2,
            old: vec!["c5".into()],
            new: vec!["e5".into()],
            reason: Correction::Arbiter,
        };
        let past = [begun(), a_final(1, "e4"), a_final(2, "c5"), correction].map(told);
        let now = format!("{HEAD}1. e4 e5 *\n");
        knows_more(&format!("{HEAD}{game}\n"), &now, || past.to_vec())
    }

    fn begun() -> Entry {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned();
        Entry::Started { game: 1, fen, variant: Variant::Standard }
    }

    fn a_final(ply: usize, san: &str) -> Entry {
        let (san, uci, fen) = (san.to_owned(), String::new(), String::new());
        Entry::Final { ply, san, uci, fen, clock_ms: None, inferred: false, illegal: false }
    }

    fn told(entry: Entry) -> TableEvent {
        let table = TableId { event: "open".into(), round: 1, table: 1 };
        TableEvent { table: Some(table), t: 0, event: entry.into() }
    }
}
