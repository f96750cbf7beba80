//! One game as PGN.

use std::fmt::Write as _;

use protocol::feed::{GameResult, Score, TableId, Variant};

use super::{
    moves::Move,
    papers::{Desk, happened_in},
    sheet::{Game, INITIAL, Round, Sheet},
    tags::{ABANDONED, clean, tags},
};

/// The PGN standard discourages lines of 80 characters and more.
const WIDTH: usize = 79;

impl Sheet {
    /// The games of this table, in the order they were played; none while there are none and nobody is paired. The last may
    /// be one that nobody has moved in yet.
    pub(super) fn pgn(&self, round: &Round, table: &TableId) -> Vec<String> {
        let told = self.told().map(|(nth, one)| game(round, table, self, nth, one, None));
        self.not_begun(round, table).into_iter().chain(told).collect()
    }

    /// The same as they stand among those of a round. With a desk, what happened beside the moves stands there as comments.
    pub(super) fn pgn_of_round(&self, round: &Round, table: &TableId, desk: Option<&Desk<'_>>) -> Vec<String> {
        let played = self.played().map(|(nth, one)| game(round, table, self, nth, one, desk));
        self.not_begun(round, table).into_iter().chain(played).collect()
    }

    fn not_begun(&self, round: &Round, table: &TableId) -> Option<String> {
        let pairing = self.pairing.clone().filter(|_| self.games.is_empty())?;
        let not_begun = Game::new(0, INITIAL.to_owned(), Variant::Standard, Some(pairing));
        Some(game(round, table, self, 1, &not_begun, None))
    }

    /// One game of this table, by its number.
    pub(super) fn game_pgn(&self, round: &Round, table: &TableId, number: u32) -> Option<String> {
        let (nth, one) = self.told().find(|(_, one)| one.number == number)?;
        Some(game(round, table, self, nth, one, None))
    }
}

/// The tags and the moves of one game, the `nth` of its table. PGN knows legal moves only: after one that is not and stands, the game goes on as
/// another one, set up with the position after it.
fn game(round: &Round, table: &TableId, sheet: &Sheet, nth: usize, game: &Game, desk: Option<&Desk<'_>>) -> String {
    let happened = desk.map(|desk| happened_in(sheet, game, desk)).unwrap_or_default();
    let said = |plies: std::ops::RangeInclusive<usize>| {
        let here = happened.iter().filter(|(ply, _)| plies.contains(ply));
        here.map(|(ply, said)| (ply - plies.start(), said.clone())).collect::<Vec<_>>()
    };
    let mut before = 0;
    let mut parts = Vec::new();
    let played = game.moves.read();
    let part =
        |start: &str, moves: &[Move]| Game { start: start.to_owned(), moves: moves.to_vec().into(), ..game.clone() };
    let mut start = game.start.as_str();
    for (at, last) in played.iter().enumerate() {
        let Some(fen) = &last.illegal else { continue };
        let mut part = part(start, &played[before..at]);
        (part.result, part.score) = (GameResult::Open, None);
        part.void.clear();
        let note = format!("{{{} is not legal and stands: the game goes on from the position after it.}}", last.san);
        parts.push(one(round, table, sheet, nth, &part, &said(before..=at), Some(note)));
        (before, start) = (at + 1, fen);
    }
    let part = part(start, &played[before..]);
    let void = (!game.void.is_empty())
        .then(|| format!("{{The game was over here. Played all the same, and void: {}}}", game.void.join(" ")));
    let notes = [void, unwritten(game)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let notes = Some(notes).filter(|notes| !notes.is_empty());
    parts.push(one(round, table, sheet, nth, &part, &said(before..=usize::MAX), notes));
    parts.join("\n")
}

const SCORED: &str = "The result is ";

/// A result that PGN has no word for, where its tag says no more than of a game that goes on. Its readers know the four
/// words of the standard, and take any other for none or for a fault.
fn unwritten(game: &Game) -> Option<String> {
    let score = game.score.filter(|_| game.result == GameResult::Open)?;
    let known = score.to_string().parse::<laws::result::GameResult>().ok()?;
    Some(format!("{{{SCORED}{score}: {known}.}}"))
}

/// The same out of the last comment of a game we wrote, on however many lines it stands.
pub fn unwritten_in(comment: &str) -> Option<Score> {
    let text = comment.split_whitespace().collect::<Vec<_>>().join(" ");
    let (code, _) = text.strip_prefix(SCORED)?.split_once(':')?;
    Score::ALL.into_iter().find(|score| score.to_string() == code)
}

/// A result that was given to whoever came: its tag says no more than of a game that was won.
pub fn forfeit_in(result: &str, termination: &str) -> Option<Score> {
    let forfeits = [Score::WhiteByForfeit, Score::BlackByForfeit].into_iter().filter(|_| termination == ABANDONED);
    forfeits.into_iter().find(|forfeit| forfeit.result().to_string() == result)
}

fn one(
    round: &Round,
    table: &TableId,
    sheet: &Sheet,
    nth: usize,
    game: &Game,
    said: &[(usize, String)],
    note: Option<String>,
) -> String {
    let mut text = format!("{}\n", tags(round, table, sheet, nth, game));
    let mut words = moves(&game.start, &game.moves.read(), &game.result.to_string(), Times::Together, said);
    if let Some(note) = note {
        let before = words.len() - 1;
        words.splice(before..before, note.split(' ').map(str::to_owned));
    }
    text.push_str(&wrapped(&words));
    text
}

/// How the times of a move stand behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    /// In one comment.
    Together,
    /// Each in a comment of its own, hours with two digits, as LiveChess writes them.
    Apart,
}

/// What may not be broken between lines: moves with their numbers, comments, the result.
pub(super) fn moves(start: &str, played: &[Move], result: &str, times: Times, said: &[(usize, String)]) -> Vec<String> {
    let mut words = comments(said, 0);
    let mut teller = Teller::begin(start, times);
    for (at, played) in (1..).zip(played) {
        teller.tell(played, |word| words.push(word.to_owned()));
        let notes = comments(said, at);
        if !notes.is_empty() {
            teller.interrupt();
        }
        words.extend(notes);
    }
    words.push(result.to_owned());
    words
}

/// Says moves one by one, with their numbers and times.
pub(super) struct Teller {
    times: Times,
    /// Counted so that half of it is the number of the move, and White's are even.
    ply: usize,
    is_number_due: bool,
    /// When the move before was pressed.
    before: Option<u64>,
    word: String,
}

impl Teller {
    pub(super) fn begin(start: &str, times: Times) -> Teller {
        Teller { times, ply: first_ply(start), is_number_due: true, before: None, word: String::new() }
    }

    /// Says the next move, word by word.
    pub(super) fn tell(&mut self, played: &Move, mut say: impl FnMut(&str)) {
        let (number, is_white) = (self.ply / 2, self.ply.is_multiple_of(2));
        self.word.clear();
        if is_white || self.is_number_due {
            // Writing to a string does not fail.
            let _ = write!(self.word, "{number}{} ", if is_white { "." } else { "..." });
        }
        self.word.push_str(&played.san);
        say(&self.word);
        // After a comment a black move needs its number again.
        self.is_number_due = self.times.say(played, self.before, &mut self.word, say);
        (self.ply, self.before) = (self.ply + 1, played.pressed);
    }

    /// Something else was said.
    pub(super) fn interrupt(&mut self) {
        self.is_number_due = true;
    }
}

/// What happened after so many plies, as words that may stand on several lines.
fn comments(said: &[(usize, String)], plies: usize) -> Vec<String> {
    let here = said.iter().filter(|(ply, _)| *ply == plies);
    let plain = here.map(|(_, said)| clean(said).replace(['{', '}'], ""));
    plain.flat_map(|said| format!("{{{said}}}").split(' ').map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Half-moves counted so that half of it is the number of the move, and White's are even.
fn first_ply(start: &str) -> usize {
    let mut fields = start.split(' ');
    let black = fields.nth(1) == Some("b");
    let number = fields.nth(3).and_then(|number| number.parse::<u16>().ok()).unwrap_or(1);
    2 * usize::from(number.max(1)) + usize::from(black)
}

impl Times {
    /// What the mover's clock showed, and how long the move took, where both presses were heard. False where neither is
    /// known.
    fn say(self, played: &Move, before: Option<u64>, word: &mut String, mut say: impl FnMut(&str)) -> bool {
        let known = [("clk", played.clock_ms), ("emt", played.taken_ms(before))];
        word.clear();
        for (name, ms) in known.into_iter().filter_map(|(name, ms)| Some((name, ms?))) {
            word.push_str(if word.is_empty() { "{" } else { " " });
            // Writing to a string does not fail.
            let _ = write!(word, "[%{name} ");
            self.write(word, ms);
            word.push(']');
            if self == Times::Apart {
                word.push('}');
                say(word);
                word.clear();
            }
        }
        if !word.is_empty() {
            word.push('}');
            say(word);
        }
        known.iter().any(|(_, ms)| ms.is_some())
    }

    fn write(self, word: &mut String, ms: u64) {
        let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
        let width = if self == Times::Apart { 2 } else { 1 };
        // Writing to a string does not fail.
        let _ = write!(word, "{hours:0width$}:{minutes:02}:{seconds:02}");
    }
}

/// Words on lines that are not too long.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pub(super) text: String,
    pub(super) width: usize,
}

impl Lines {
    pub(super) fn word(&mut self, word: &str) {
        // A line that begins so is none of the game's, by the standard.
        let escapes = word.starts_with('%');
        if self.width > 0 && self.width + 1 + word.len() > WIDTH && !escapes {
            self.text.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.text.push(' ');
            self.width += 1;
        }
        self.text.push_str(word);
        self.width += word.len();
    }

    /// In braces.
    pub(super) fn comment(&mut self, said: &str) {
        format!("{{{said}}}").split(' ').for_each(|word| self.word(word));
    }
}

pub(super) fn wrapped(words: &[String]) -> String {
    let mut lines = Lines::default();
    words.iter().for_each(|word| lines.word(word));
    lines.text + "\n"
}
