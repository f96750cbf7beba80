//! A receiver as lichess documents its broadcasts: it knows games by number or by their tags, makes a second one of what
//! it does not know, keeps what is taken back as a side line, and refuses what is not legal.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen, san::SanPlus};

/// Everything that was pushed.
#[derive(Debug, Default)]
pub(crate) struct Receiver {
    games: Vec<Game>,
    pub(crate) resets: usize,
    /// The most games in one push.
    pub(crate) longest: usize,
    /// Games that were thrown away for want of names.
    pub(crate) dropped: usize,
    /// A move that is refused though it is legal.
    pub(crate) poison: Option<String>,
    /// One game that can't be taken is held against all.
    pub(crate) refuses_whole: bool,
    failing: Option<Failing>,
}

#[derive(Clone, Copy, Debug)]
enum Failing {
    Before,
    After,
}

/// A game as spectators of the broadcast see it.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    pub(crate) id: String,
    pub(crate) white: String,
    black: String,
    round: String,
    pub(crate) line: Vec<String>,
    pub(crate) result: String,
    pub(crate) side_lines: usize,
}

impl Receiver {
    /// The next request does not arrive.
    pub(crate) fn fail_before(&mut self) {
        self.failing = Some(Failing::Before);
    }

    /// The next request arrives, and its answer does not.
    pub(crate) fn fail_after(&mut self) {
        self.failing = Some(Failing::After);
    }

    pub(crate) fn games(&self) -> impl Iterator<Item = &Game> {
        self.games.iter()
    }

    /// Empties the round.
    pub(crate) fn reset(&mut self) -> Option<u16> {
        let failing = self.failing.take();
        if let Some(Failing::Before) = failing {
            return None;
        }
        self.games.clear();
        self.resets += 1;
        failing.is_none().then_some(200)
    }

    /// Takes games, and answers what became of each.
    pub(crate) fn push(&mut self, body: &str) -> Option<(u16, String)> {
        let failing = self.failing.take();
        if let Some(Failing::Before) = failing {
            return None;
        }
        let answer = self.take(body);
        failing.is_none().then_some(answer)
    }

    fn take(&mut self, body: &str) -> (u16, String) {
        let games = split(body);
        self.longest = self.longest.max(games.len());
        if games.len() > 100 {
            return (400, json!({ "error": "Too many games" }).to_string());
        }
        let is_poisoned =
            |(_, line): &(_, Vec<String>)| self.poison.as_ref().is_some_and(|poison| line.contains(poison));
        if self.refuses_whole && games.iter().any(is_poisoned) {
            return (400, json!({ "error": "One of them is bad" }).to_string());
        }
        let told = games.into_iter().filter_map(|(tags, line)| self.take_one(&tags, line)).collect::<Vec<Value>>();
        (200, json!({ "games": told }).to_string())
    }

    fn take_one(&mut self, tags: &BTreeMap<String, String>, line: Vec<String>) -> Option<Value> {
        let tag = |name: &str| tags.get(name).cloned().unwrap_or_default();
        if ["White", "Black"].iter().any(|colour| tag(colour).len() < 2) {
            self.dropped += 1;
            return None;
        }
        let is_legal =
            is_legal(tags.get("FEN"), &line) && self.poison.as_ref().is_none_or(|poison| !line.contains(poison));
        if !is_legal {
            return Some(json!({ "tags": tags, "error": "There is a move that can't be played" }));
        }
        let (id, white, black, round) = (tag("GameId"), tag("White"), tag("Black"), tag("Round"));
        let is_same = |game: &&mut Game| {
            let by_tags = (&game.white, &game.black, &game.round) == (&white, &black, &round);
            if id.is_empty() { by_tags } else { game.id == id }
        };
        let moves = line.len();
        match self.games.iter_mut().find(is_same) {
            Some(game) => {
                game.take(line);
                (game.white, game.black, game.result) = (white, black, tag("Result"));
            }
            None => {
                self.games.push(Game { id, white, black, round, line, result: tag("Result"), side_lines: 0 });
            }
        }
        Some(json!({ "tags": tags, "moves": moves }))
    }
}

impl Game {
    fn take(&mut self, line: Vec<String>) {
        if !line.starts_with(&self.line) {
            self.side_lines += 1;
        }
        self.line = line;
    }
}

fn is_legal(start: Option<&String>, line: &[String]) -> bool {
    let start = start.map(|fen| fen.parse::<Fen>().ok()?.into_position::<Chess>(CastlingMode::Standard).ok());
    let Some(mut position) = start.unwrap_or_else(|| Some(Chess::default())) else { return false };
    line.iter().all(|san| {
        let played = san.parse::<SanPlus>().ok().and_then(|san| san.san.to_move(&position).ok());
        played.is_some_and(|played| {
            position.play_unchecked(played);
            true
        })
    })
}

/// Tags and moves of each game.
fn split(body: &str) -> Vec<(BTreeMap<String, String>, Vec<String>)> {
    let games = format!("\n{body}").split("\n[Event ").skip(1).map(|game| format!("[Event {game}")).collect::<Vec<_>>();
    let read = |game: String| {
        let (head, text) = game.split_once("\n\n").unwrap_or((&game, ""));
        let tags = head.lines().filter_map(|line| {
            let (name, value) = line.trim_matches(['[', ']']).split_once(' ')?;
            Some((name.to_owned(), value.trim_matches('"').to_owned()))
        });
        (tags.collect(), sans(text))
    };
    games.into_iter().map(read).collect()
}

fn sans(text: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut is_said = false;
    for c in text.chars() {
        match c {
            '{' => is_said = true,
            '}' => is_said = false,
            _ if !is_said => plain.push(c),
            _ => {}
        }
    }
    let is_move = |word: &&str| !word.ends_with('.') && !["*", "1-0", "0-1", "1/2-1/2"].contains(word);
    plain.split_whitespace().filter(is_move).map(str::to_owned).collect()
}
