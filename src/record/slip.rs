//! A slip: one game as it leaves for receivers that can't take a move back.
//!
//! Pure. Of a slip any beginning can be told, with or without its result; two slips are compared by marks, so that nobody
//! has to keep what was sent. Marks are the same in every build: they are kept over restarts.
//!
//! No receiver can take a move that is not legal. Where one stands, the game is cut there, and what follows is a slip of
//! its own, for those who want it: set up with the position after that move.

use std::{fmt::Write as _, sync::OnceLock};

use protocol::feed::{GameResult, Score, TableId};

use super::{
    moves::Move,
    pgn::{Lines, Teller, Times},
    sheet::{Game, Round, Sheet},
    tags::{ABANDONED, Tags, tags, write_tag},
};

/// One game.
#[derive(Clone, Debug)]
pub struct Slip {
    table: TableId,
    nth: usize,
    part: usize,
    counts: bool,
    tags: Tags,
    /// Why it ended, which is told with its result.
    termination: Option<String>,
    start: String,
    /// The move that was not legal and led there.
    after: Option<String>,
    moves: Vec<Move>,
    result: String,
    cut: Option<Cut>,
    /// After each ply, the first before any: the moves so far, and their times.
    marks: Vec<(u64, u64)>,
    /// In each manner, once somebody has wanted it.
    scripts: [OnceLock<Script>; 2],
}

/// The moves as they are written, and where each ends.
#[derive(Clone, Debug)]
struct Script {
    text: String,
    /// After each ply, the first before any: how long the text is, and its last line.
    ends: Vec<(usize, usize)>,
}

/// What no receiver can take: a move that is not legal and stands, and all that came after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The move.
    pub san: String,
    /// How many plies came after it.
    pub after: usize,
}

/// The moves of a game from one that was not legal to the next.
struct Part<'a> {
    start: &'a str,
    /// The move it follows.
    after: Option<&'a str>,
    moves: &'a [Move],
    cut: Option<Cut>,
}

fn parts<'a>(mut start: &'a str, mut rest: &'a [Move]) -> Vec<Part<'a>> {
    let mut after = None;
    let mut parts = Vec::new();
    while let Some(at) = rest.iter().position(|one| one.illegal.is_some()) {
        let played = &rest[at];
        let cut = Some(Cut { san: played.san.clone(), after: rest.len() - at - 1 });
        parts.push(Part { start, after, moves: &rest[..at], cut });
        (start, after, rest) =
            (played.illegal.as_deref().unwrap_or_default(), Some(played.san.as_str()), &rest[at + 1..]);
    }
    parts.push(Part { start, after, moves: rest, cut: None });
    parts
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
    /// A game, cut where it has to be. What follows the last cut is told once something was played there.
    pub(super) fn all_of(round: &Round, table: &TableId, sheet: &Sheet, nth: usize, game: &Game) -> Vec<Slip> {
        let moves = game.moves.read();
        let parts = parts(&game.start, &moves).into_iter().enumerate();
        let parts = parts.filter(|(at, part)| *at == 0 || !part.moves.is_empty());
        parts.map(|(at, part)| Slip::of(round, table, sheet, nth, game, (at + 1, part))).collect()
    }

    fn of(
        round: &Round,
        table: &TableId,
        sheet: &Sheet,
        nth: usize,
        game: &Game,
        (number, part): (usize, Part<'_>),
    ) -> Slip {
        let mut shown = game.clone();
        // As a rule it is the whole game: the moves of all tables are not copied twice whenever one is made.
        if part.moves.len() < game.moves.len() {
            (shown.start, shown.moves) = (part.start.to_owned(), part.moves.to_vec().into());
        }
        let mut tags = tags(round, table, sheet, nth, &shown);
        // Receivers of games know none of these, or take them for a word about the result.
        for name in ["Result", "WhiteClock", "BlackClock"] {
            tags.take(name);
        }
        if tags.get("TimeControl") == Some("?") {
            tags.take("TimeControl");
        }
        if number > 1 {
            // Programs take two games with the same tags for one.
            tags.set("Round", &format!("{}.{}.{nth}.{number}", table.round, table.table));
        }
        let termination = tags.take("Termination");
        let is_met = sheet.met().is_none_or(|met| met.number == game.number);
        let (result, after) = (result(game), part.after.map(str::to_owned));
        let Game { start, .. } = shown;
        let moves = part.moves.to_vec();
        let marks = marks(&start, &moves);
        Slip {
            table: table.clone(),
            nth,
            part: number,
            counts: is_met && number == 1,
            tags,
            termination,
            start,
            after,
            moves,
            result,
            cut: part.cut,
            marks,
            scripts: Default::default(),
        }
    }

    /// Where it is played: its number is the board's.
    pub fn table(&self) -> &TableId {
        &self.table
    }

    /// Which game of its table it is, from 1.
    pub fn nth(&self) -> usize {
        self.nth
    }

    /// Which part of the game it is, from 1: a move that was not legal and stands lies before each of the others.
    pub fn part(&self) -> usize {
        self.part
    }

    /// Whether it is what was played at its table for the round, from its beginning: that game whose result stands in the
    /// report, or the one that is played for it. Of all slips of a table one is.
    pub fn counts(&self) -> bool {
        self.counts
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
        let part = if self.part > 1 { format!("+{}", self.part) } else { String::new() };
        format!("{}{again}{part}", self.table)
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

    /// The position it begins with, as FEN.
    pub fn start(&self) -> &str {
        &self.start
    }

    /// When its first move became final.
    pub fn began(&self) -> Option<u64> {
        self.moves.first().and_then(|one| one.made)
    }

    /// When each move became final.
    pub fn made(&self) -> impl Iterator<Item = Option<u64>> {
        self.moves.iter().map(|one| one.made)
    }

    /// Whether nobody played it because somebody did not come.
    pub fn is_forfeit(&self) -> bool {
        self.termination.as_deref() == Some(ABANDONED)
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
        let script = self.script(manner);
        let end = script.ends[plies.min(self.moves.len())];
        let cut = self.cut.as_ref().filter(|_| plies >= self.moves.len());
        let mut text = String::with_capacity(end.0 + 600);
        self.write_tags(&mut text, result, manner).expect("writing to a string does not fail");
        text.push('\n');
        text.push_str(&script.text[..end.0]);
        let mut lines = Lines { text, width: end.1 };
        if let Some(cut) = cut {
            lines.comment(&format!("{} was played here: it is not legal, and stands.", cut.san));
        }
        lines.word(terminator(result));
        lines.text.push('\n');
        lines.text
    }

    /// All its moves, written once for all who are told them.
    fn script(&self, manner: Manner) -> &Script {
        self.scripts[manner as usize].get_or_init(|| {
            let times = if manner == Manner::LiveChess { Times::Apart } else { Times::Together };
            let mut lines = Lines::default();
            if let Some(san) = &self.after {
                lines.comment(&format!("What followed {san}, which is not legal and stands."));
            }
            let mut teller = Teller::begin(&self.start, times);
            let mut ends = vec![(lines.text.len(), lines.width)];
            for played in &self.moves {
                teller.tell(played, |word| lines.word(word));
                ends.push((lines.text.len(), lines.width));
            }
            Script { text: lines.text, ends }
        })
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

/// A result that is none of the usual ones is told as the score it is.
fn result(game: &Game) -> String {
    match (game.result, game.score) {
        (GameResult::Open, Some(Score::BothForfeited)) => Score::BothLost.to_string(),
        (GameResult::Open, Some(score)) => score.to_string(),
        (result, _) => result.to_string(),
    }
}

/// What stands behind the moves. A score that is none of the usual results is said by its tag alone: where moves stand `0-0`
/// is castling.
fn terminator(result: &str) -> &str {
    match result {
        "1-0" | "0-1" | "1/2-1/2" => result,
        _ => "*",
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
