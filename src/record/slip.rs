//! A slip: one game as it leaves for receivers that can't take a move back.
//!
//! Pure. Of a slip any beginning can be told, with or without its result; two slips are compared by marks, so that nobody
//! has to keep what was sent. Marks are the same in every build: they are kept over restarts.

use std::{collections::BTreeMap, fmt::Write as _, sync::Arc};

use protocol::feed::{GameResult, Score, TableId, Variant};

use super::{
    book::Games,
    pgn::{Times, moves, wrapped},
    sheet::{Game, INITIAL, Move, Round, Sheet},
    tags::{Tags, tags, write_tag},
};

/// The games of a round that are on air, and what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Bulletin {
    /// The event's name in addresses.
    pub event: String,
    /// From 1.
    pub round: u16,
    /// Of each round of the event, the first first: how many boards it has, and how many of them play.
    pub programme: Vec<(u16, u16)>,
    /// Every table of the round with its games; none where it is not on air.
    pub tables: BTreeMap<u16, Option<Vec<Arc<Slip>>>>,
}

/// One game.
#[derive(Clone, Debug)]
pub struct Slip {
    table: TableId,
    nth: usize,
    tags: Tags,
    /// Why it ended, which is told with its result.
    termination: Option<String>,
    start: String,
    variant: Variant,
    moves: Vec<Move>,
    result: String,
    cut: Option<Cut>,
    /// After each ply, the first before any: the moves so far, and their times.
    marks: Vec<(u64, u64)>,
}

/// What no receiver can take: a move that is not legal and stands, and all that came after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The move.
    pub san: String,
    /// How many plies came after it.
    pub after: usize,
}

/// How a slip is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As all our games.
    Plain,
    /// As LiveChess writes its files.
    LiveChess,
}

impl Slip {
    fn of(round: &Round, table: &TableId, sheet: &Sheet, nth: usize, game: &Game) -> Slip {
        let mut tags = tags(round, table, sheet, nth, game);
        // Receivers of games know none of these, or take them for a word about the result.
        for name in ["Result", "WhiteClock", "BlackClock"] {
            tags.take(name);
        }
        if tags.get("TimeControl") == Some("?") {
            tags.take("TimeControl");
        }
        let termination = tags.take("Termination");
        let legal = game.moves.iter().take_while(|one| one.illegal.is_none()).count();
        let cut = game.moves.get(legal).map(|one| Cut { san: one.san.clone(), after: game.moves.len() - legal - 1 });
        let moves = game.moves[..legal].to_vec();
        let marks = marks(&game.start, &moves);
        let (start, variant) = (game.start.clone(), game.variant);
        Slip { table: table.clone(), nth, tags, termination, start, variant, moves, result: result(game), cut, marks }
    }

    /// Where it is played: its number is the board's.
    pub fn table(&self) -> &TableId {
        &self.table
    }

    /// Which game of its table it is, from 1.
    pub fn nth(&self) -> usize {
        self.nth
    }

    /// Both players as the tags name them; `?` where nobody is named.
    pub fn players(&self) -> [&str; 2] {
        ["White", "Black"].map(|tag| self.tags.get(tag).unwrap_or("?"))
    }

    /// A tag, if there is one of that name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name)
    }

    /// What every receiver that knows of such things knows it by, however its players are called by then.
    pub fn id(&self) -> String {
        let again = if self.nth > 1 { format!("/{}", self.nth) } else { String::new() };
        format!("{}{again}", self.table)
    }

    /// How many plies there are, up to the first that is not legal.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// How it ended, as PGN writes it; `*` while it goes on.
    pub fn result(&self) -> &str {
        &self.result
    }

    /// What had to be left out.
    pub fn cut(&self) -> Option<&Cut> {
        self.cut.as_ref()
    }

    /// Whether it begins where every game does.
    pub fn is_ordinary(&self) -> bool {
        self.variant == Variant::Standard && self.start == INITIAL
    }

    /// The position it begins with, as FEN.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// When its first move became final.
    pub fn began(&self) -> Option<u64> {
        self.moves.first().and_then(|one| one.made)
    }

    /// Each move, with what its player had left and how long it took, in milliseconds.
    pub fn moves(&self) -> impl Iterator<Item = (&str, Option<u64>, Option<u64>)> {
        let before = std::iter::once(None).chain(self.moves.iter().map(|one| one.pressed));
        self.moves.iter().zip(before).map(|(one, before)| (one.san.as_str(), one.clock_ms, one.taken_ms(before)))
    }

    /// The mark of its first plies.
    pub fn line(&self, plies: usize) -> Option<u64> {
        self.marks.get(plies).map(|(line, _)| *line)
    }

    /// The mark of all that stands around them: tags and times.
    pub fn dress(&self, plies: usize) -> u64 {
        let times = self.marks.get(plies).map_or(0, |(_, times)| *times);
        let tags = self.tags.iter().flat_map(|(name, value)| [name, value]);
        tags.fold(times, |mark, word| add(mark, word.as_bytes()))
    }

    /// Its first plies as PGN, with this result.
    pub fn pgn(&self, plies: usize, result: &str, manner: Manner) -> String {
        let mut text = String::new();
        self.write_tags(&mut text, result, manner).expect("writing to a string does not fail");
        let times = if manner == Manner::LiveChess { Times::Apart } else { Times::Together };
        let shown = &self.moves[..plies.min(self.moves.len())];
        let cut = self.cut.as_ref().filter(|_| plies >= self.moves.len());
        let said = cut.map(|cut| (shown.len(), format!("{} was played here: it is not legal, and stands.", cut.san)));
        text.push('\n');
        text.push_str(&wrapped(&moves(&self.start, shown, result, times, said.as_slice())));
        text
    }

    fn write_tags(&self, text: &mut String, result: &str, manner: Manner) -> std::fmt::Result {
        if manner == Manner::LiveChess {
            write_tag(text, "ePGN", concat!("0.1;Escaque/", env!("CARGO_PKG_VERSION")))?;
        }
        for (name, value) in self.tags.iter() {
            write_tag(text, name, value)?;
            if name == "Black" {
                write_tag(text, "Result", result)?;
            }
        }
        if let Some(termination) = self.termination.as_ref().filter(|_| result != "*") {
            write_tag(text, "Termination", termination)?;
        }
        writeln!(text, "[GameId \"{}\"]", self.id())
    }
}

impl Bulletin {
    /// All games that are on air, in the order of their boards.
    pub fn slips(&self) -> impl Iterator<Item = &Arc<Slip>> {
        self.tables.values().flatten().flatten()
    }
}

impl Games {
    /// All rounds there are.
    pub fn rounds(&self) -> impl Iterator<Item = (&str, u16)> {
        self.each_round().map(|((event, round), _)| (event.as_str(), *round))
    }

    /// The tables of a round.
    pub fn tables_of(&self, event: &str, round: u16) -> Vec<TableId> {
        let found = self.round(event, round).into_iter().flat_map(|found| found.tables.keys());
        found.map(|table| TableId { event: event.to_owned(), round, table: *table }).collect()
    }

    /// Of each round of an event, the first first: the highest board of those that `shows` shows, and how many of them play.
    pub fn programme(&self, event: &str, shows: impl Fn(&TableId) -> bool) -> Vec<(u16, u16)> {
        let mut rounds = Vec::new();
        for round in self.rounds_of(event) {
            let (Some(found), Some(at)) = (self.round(event, round), usize::from(round).checked_sub(1)) else {
                continue;
            };
            rounds.resize(at + 1, (0, 0));
            let is_shown = |table: u16| shows(&TableId { event: event.to_owned(), round, table });
            let shown = found.tables.iter().filter(|(table, _)| is_shown(**table));
            let plays = |sheet: &Sheet| sheet.games.last().is_some_and(|game| game.is_open() && !game.moves.is_empty());
            let (count, live) =
                shown.fold((0, 0), |(_, live), (table, sheet)| (*table, live + u16::from(plays(sheet))));
            rounds[at] = (count, live);
        }
        rounds
    }

    /// The games of a table as receivers are told them; the coming one while none has begun.
    pub fn slips(&self, table: &TableId) -> Vec<Slip> {
        let Some(round) = self.round(&table.event, table.round) else { return Vec::new() };
        let Some(sheet) = round.tables.get(&table.table) else { return Vec::new() };
        if sheet.games.is_empty() && sheet.pairing.is_some() {
            let not_begun = Game::new(0, INITIAL.to_owned(), Variant::Standard, sheet.pairing.clone());
            return vec![Slip::of(round, table, sheet, 1, &not_begun)];
        }
        sheet.told().map(|(nth, game)| Slip::of(round, table, sheet, nth, game)).collect()
    }
}

/// A result that is none of the usual ones is told as the score it is.
fn result(game: &Game) -> String {
    match (game.result, game.score) {
        (GameResult::Open, Some(Score::BothForfeited)) => Score::BothLost.to_string(),
        (GameResult::Open, Some(score)) => score.to_string(),
        (result, _) => result.to_string(),
    }
}

fn marks(start: &str, moves: &[Move]) -> Vec<(u64, u64)> {
    let (mut line, mut times) = (add(0, start.as_bytes()), 0);
    let mut marks = vec![(line, times)];
    for one in moves {
        line = add(line, one.san.as_bytes());
        times = [one.clock_ms, one.pressed]
            .into_iter()
            .fold(times, |mark, ms| add(mark, &ms.map_or(u64::MAX, |ms| ms / 1000).to_le_bytes()));
        marks.push((line, times));
    }
    marks
}

/// FNV-1a over what was marked before and these bytes, ended so that words don't run together.
fn add(mark: u64, bytes: &[u8]) -> u64 {
    let begun = if mark == 0 { 0xcbf2_9ce4_8422_2325 } else { mark };
    bytes.iter().chain(&[0xff]).fold(begun, |mark, byte| (mark ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3))
}
