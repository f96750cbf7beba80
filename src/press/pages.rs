//! Documents: for receivers that are handed whole files, each as it should read now.
//!
//! Pure. A document is written only where its mark says that it reads otherwise than the last one that was taken.

use std::collections::BTreeMap;

use super::{livechess, mark::Told, parcel::Parcel};
use crate::record::{Bulletin, Manner};

/// A page that shows the files beside it, for whoever puts the folder on a site as it is.
const PAGE: [(&str, &str); 4] = [
    ("index.html", include_str!("page/index.html")),
    ("assets/board.css", include_str!("page/board.css")),
    ("assets/board.js", include_str!("page/board.js")),
    ("assets/moves.js", include_str!("page/moves.js")),
];

/// One file, or the body of one request.
pub(super) struct Document<'a> {
    /// Where it belongs: a path with `/` between its parts, or an address.
    pub(super) path: String,
    mark: u64,
    /// How many of its games are over.
    over: usize,
    what: What<'a>,
}

enum What<'a> {
    Games(&'a [Told<'a>], Manner),
    Text(Box<dyn Fn() -> String + Send + 'a>),
    /// What stood there is for nobody any more.
    Nothing,
}

/// How documents are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// `EVENT/ROUND.pgn` and `EVENT/ROUND-TABLE.pgn`.
    Plain,
    /// As LiveChess lays out its folder.
    LiveChess,
    /// At an address with `{event}` and `{round}` in it, and one a table where it has `{table}`. What is there for nobody any
    /// more gives way to an empty document, which takes its place at every site.
    Addressed(String),
}

/// The mark of what is taken away.
const NOTHING: u64 = 0;
/// Something may stand there, and nobody knows how it reads: no document has this mark.
const UNSURE: u64 = 1;

/// What is known of the documents of a round.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
    known: BTreeMap<String, Known>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    taken: Option<u64>,
    /// Something may stand there: it was handed over, whatever was heard of it.
    is_there: bool,
    over: usize,
    refused: Option<(u64, String)>,
}

impl Layout {
    /// All documents of a round.
    pub(super) fn documents<'a>(&'a self, bulletin: &'a Bulletin, games: &'a [Told<'a>]) -> Vec<Document<'a>> {
        match self {
            Layout::Plain | Layout::LiveChess if bulletin.tables.is_empty() => Vec::new(),
            Layout::Plain => {
                let path = |table: Option<u16>| match table {
                    None => format!("{}/{}.pgn", bulletin.event, bulletin.round),
                    Some(table) => format!("{}/{}-{table}.pgn", bulletin.event, bulletin.round),
                };
                pgn(bulletin, games, Manner::Plain, path)
            }
            Layout::LiveChess => {
                let folder = format!("{}/round-{}", bulletin.event, bulletin.round);
                let path = |table: Option<u16>| match table {
                    None => format!("{folder}/games.pgn"),
                    Some(table) => format!("{folder}/game-{table}.pgn"),
                };
                let mut documents = pgn(bulletin, games, Manner::LiveChess, path);
                documents.push(index(format!("{folder}/index.json"), bulletin, games));
                documents.extend(of_event(bulletin, games));
                documents
            }
            Layout::Addressed(address) => addressed(address, bulletin, games),
        }
    }
}

impl<'a> Document<'a> {
    fn text(path: String, mark: u64, games: &[Told<'_>], write: Box<dyn Fn() -> String + Send + 'a>) -> Document<'a> {
        Document { path, mark, over: over(games), what: What::Text(write) }
    }

    fn nothing(path: String) -> Document<'a> {
        Document { path, mark: NOTHING, over: 0, what: What::Nothing }
    }

    /// Whether it is to be taken away.
    pub(super) fn is_nothing(&self) -> bool {
        matches!(self.what, What::Nothing)
    }

    /// How it reads; nothing where it is to be taken away.
    pub(super) fn write(&self) -> Option<String> {
        match &self.what {
            What::Games(..) => Some(self.parcel().text()),
            What::Text(write) => Some(write()),
            What::Nothing => None,
        }
    }

    /// Its games, as a request carries them.
    pub(super) fn parcel(&self) -> Parcel {
        let mut parcel = Parcel::default();
        if let What::Games(games, manner) = &self.what {
            games.iter().for_each(|(slip, mark)| parcel.add(slip, mark, *manner));
        }
        parcel
    }
}

impl Pages {
    /// After a restart: what was taken need not be handed over again.
    pub(super) fn resume(taken: impl IntoIterator<Item = (String, u64)>) -> Pages {
        let known = |mark: u64| Known { taken: Some(mark), is_there: mark != NOTHING, ..Known::default() };
        Pages { known: taken.into_iter().map(|(path, mark)| (path, known(mark))).collect() }
    }

    /// Whether something of this round may stand there.
    pub(super) fn holds(&self, path: &str) -> bool {
        self.known.get(path).is_some_and(|known| known.is_there)
    }

    /// It leaves now, and may arrive, whatever is heard of it.
    pub(super) fn note_sent(&mut self, document: &Document<'_>) {
        if document.is_nothing() {
            return;
        }
        let known = self.known.entry(document.path.clone()).or_default();
        (known.is_there, known.taken) = (true, known.taken.filter(|mark| *mark != NOTHING));
    }

    /// What was handed over may not stand there any more.
    pub(super) fn lose(&mut self, path: &str) {
        self.known.entry(path.to_owned()).or_default().taken = None;
    }

    /// Whether a document reads otherwise than the one that was taken, or refused.
    pub(super) fn is_due(&self, document: &Document<'_>) -> bool {
        let Some(known) = self.known.get(&document.path) else { return true };
        let is_refused = known.refused.as_ref().is_some_and(|(mark, _)| *mark == document.mark);
        known.taken != Some(document.mark) && !is_refused
    }

    /// Whether a game of it has ended since it was taken last: then it is worth a wait for the disk.
    pub(super) fn ends_a_game(&self, document: &Document<'_>) -> bool {
        self.known.get(&document.path).map_or(0, |known| known.over) < document.over
    }

    pub(super) fn note_taken(&mut self, document: &Document<'_>) {
        let is_there = !document.is_nothing();
        let known = Known { taken: Some(document.mark), is_there, over: document.over, refused: None };
        self.known.insert(document.path.clone(), known);
    }

    pub(super) fn note_refused(&mut self, document: &Document<'_>, sentence: String) {
        self.known.entry(document.path.clone()).or_default().refused = Some((document.mark, sentence));
    }

    /// Somebody asks for a try at once: what was refused is tried again, and what was taken may have been lost there.
    pub(super) fn forget(&mut self) {
        self.known.values_mut().for_each(|known| (known.taken, known.refused) = (None, None));
    }

    pub(super) fn refusals(&self) -> impl Iterator<Item = (&str, &str)> {
        self.known.iter().filter_map(|(path, known)| Some((path.as_str(), known.refused.as_ref()?.1.as_str())))
    }

    /// What to keep over a restart.
    pub(super) fn taken(&self) -> impl Iterator<Item = (&str, u64)> {
        let mark = |known: &Known| known.taken.or(known.is_there.then_some(UNSURE));
        self.known.iter().filter_map(move |(path, known)| Some((path.as_str(), mark(known)?)))
    }
}

/// A file for each table and one for the round.
fn pgn<'a>(
    bulletin: &'a Bulletin,
    games: &'a [Told<'a>],
    manner: Manner,
    path: impl Fn(Option<u16>) -> String,
) -> Vec<Document<'a>> {
    let mut documents = Vec::new();
    for (table, shown) in &bulletin.tables {
        let of_table = of_table(games, *table);
        documents.push(match shown {
            Some(_) if !of_table.is_empty() => one(path(Some(*table)), of_table, manner),
            Some(_) | None => Document::nothing(path(Some(*table))),
        });
    }
    documents.push(if games.is_empty() { Document::nothing(path(None)) } else { one(path(None), games, manner) });
    documents
}

/// Who plays in the round.
fn index<'a>(path: String, bulletin: &Bulletin, games: &'a [Told<'a>]) -> Document<'a> {
    if bulletin.tables.values().all(Option::is_none) {
        return Document::nothing(path);
    }
    Document::text(path, marked(games), games, Box::new(move || livechess::index(games)))
}

/// What all rounds of the event have in common. One of which nothing is on air is not named.
fn of_event<'a>(bulletin: &Bulletin, games: &[Told<'_>]) -> Vec<Document<'a>> {
    let at = |name: &str| format!("{}/{name}", bulletin.event);
    let name = "tournament.json";
    if bulletin.programme.iter().all(|(count, _)| *count == 0) {
        let names = PAGE.iter().map(|(name, _)| *name).chain([name]);
        return names.map(|name| Document::nothing(at(name))).collect();
    }
    let tournament = livechess::tournament(bulletin, games);
    let page =
        PAGE.iter().map(|(name, text)| Document::text(at(name), mark_of(text), &[], Box::new(|| (*text).to_owned())));
    let tournament = Document::text(at(name), mark_of(&tournament), &[], Box::new(move || tournament.clone()));
    page.chain([tournament]).collect()
}

fn addressed<'a>(address: &str, bulletin: &Bulletin, games: &'a [Told<'a>]) -> Vec<Document<'a>> {
    let round = address.replace("{event}", &bulletin.event).replace("{round}", &bulletin.round.to_string());
    let document = |path: String, games: &'a [Told<'a>]| match games.is_empty() {
        true => Document::nothing(path),
        false => one(path, games, Manner::Plain),
    };
    if !address.contains("{table}") {
        return vec![document(round, games)];
    }
    let tables = bulletin.tables.keys();
    tables.map(|table| document(round.replace("{table}", &table.to_string()), of_table(games, *table))).collect()
}

/// Games are in the order of their tables.
fn of_table<'a>(games: &'a [Told<'a>], table: u16) -> &'a [Told<'a>] {
    let from = games.partition_point(|(slip, _)| slip.table().table < table);
    let to = games.partition_point(|(slip, _)| slip.table().table <= table);
    &games[from..to]
}

fn one<'a>(path: String, games: &'a [Told<'a>], manner: Manner) -> Document<'a> {
    Document { path, mark: marked(games), over: over(games), what: What::Games(games, manner) }
}

fn over(games: &[Told<'_>]) -> usize {
    games.iter().filter(|(_, mark)| mark.is_over()).count()
}

fn mark_of(text: &str) -> u64 {
    text.bytes().fold(5381, |mark: u64, byte| mark.wrapping_mul(33) ^ u64::from(byte))
}

fn marked(games: &[Told<'_>]) -> u64 {
    games.iter().fold(1, |all, (_, mark)| all.rotate_left(5).wrapping_mul(31) ^ mark.number())
}

/// Some receivers want their secret in the address.
pub(super) fn without_query(address: &str) -> String {
    address.split('?').next().unwrap_or_default().to_owned()
}
