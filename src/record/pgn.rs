//! One game as PGN.

use protocol::feed::{GameResult, TableId, Variant};

use super::{
    papers::{Desk, happened_in},
    sheet::{Game, INITIAL, Move, Round, Sheet},
    tags::{clean, clock_time, tags},
};

/// The PGN standard discourages lines of 80 characters and more.
const WIDTH: usize = 79;

impl Sheet {
    /// The games of this table, in the order they were played; none while there are none and nobody is paired.
    /// With a desk, what happened beside the moves stands there as comments.
    pub(super) fn pgn(&self, round: &Round, table: &TableId, desk: Option<&Desk<'_>>) -> Vec<String> {
        if self.games.is_empty() && self.pairing.is_some() {
            let not_begun = Game::new(0, INITIAL.to_owned(), Variant::Standard, self.pairing.clone());
            return vec![game(round, table, self, 1, &not_begun, None)];
        }
        self.told().map(|(nth, one)| game(round, table, self, nth, one, desk)).collect()
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
    let mut part = Game { moves: Vec::new(), ..game.clone() };
    for (at, played) in game.moves.iter().enumerate() {
        let Some(fen) = &played.illegal else {
            part.moves.push(played.clone());
            continue;
        };
        part.result = GameResult::Open;
        part.void.clear();
        let note = format!("{{{} is not legal and stands: the game goes on from the position after it.}}", played.san);
        parts.push(one(round, table, sheet, nth, &part, &said(before..=at), Some(note)));
        before = at + 1;
        part = Game { start: fen.clone(), moves: Vec::new(), ..game.clone() };
    }
    let void = (!game.void.is_empty())
        .then(|| format!("{{The game was over here. Played all the same, and void: {}}}", game.void.join(" ")));
    parts.push(one(round, table, sheet, nth, &part, &said(before..=usize::MAX), void));
    parts.join("\n")
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
    let mut words = moves(&game.start, &game.moves, &game.result.to_string(), Times::Together, said);
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
    let mut words = Vec::new();
    let first = first_ply(start);
    let (mut number_due, mut before) = (true, None);
    words.extend(comments(said, 0));
    for (at, (ply, played)) in (1..).zip((first..).zip(played)) {
        let (number, white) = (ply / 2, ply % 2 == 0);
        words.push(match (white, number_due) {
            (true, _) => format!("{number}. {}", played.san),
            (false, true) => format!("{number}... {}", played.san),
            (false, false) => played.san.clone(),
        });
        let told = times.of(played, before);
        // After a comment a black move needs its number again.
        let notes = comments(said, at);
        number_due = !told.is_empty() || !notes.is_empty();
        words.extend(told);
        words.extend(notes);
        before = played.pressed;
    }
    words.push(result.to_owned());
    words
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
    /// What the mover's clock showed, and how long the move took, where both presses were heard.
    fn of(self, played: &Move, before: Option<u64>) -> Vec<String> {
        let left = played.clock_ms.map(|ms| format!("[%clk {}]", self.time(ms)));
        let taken = played.taken_ms(before).map(|ms| format!("[%emt {}]", self.time(ms)));
        let both = left.into_iter().chain(taken).collect::<Vec<_>>();
        match self {
            Times::Together if both.is_empty() => Vec::new(),
            Times::Together => vec![format!("{{{}}}", both.join(" "))],
            Times::Apart => both.into_iter().map(|one| format!("{{{one}}}")).collect(),
        }
    }

    fn time(self, ms: u64) -> String {
        let time = clock_time(ms);
        if self == Times::Apart && time.len() < 8 { format!("0{time}") } else { time }
    }
}

pub(super) fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        if width > 0 && width + 1 + word.len() > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += word.len();
    }
    text.push('\n');
    text
}
