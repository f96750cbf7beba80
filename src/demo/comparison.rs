//! The record held against what was really played.

use std::fmt;

use super::{boards::Played, programme::table};
use crate::{
    record::Book,
    rehearsal::{self, Game},
};

impl Played {
    /// Holds the record against what was really played: moves, names and results.
    pub fn compare(&self, book: &Book) -> Comparison {
        let mut verdict = Comparison::default();
        for (number, truth) in (1..).zip(&self.games) {
            let pgn = book.table_pgn(&table(number));
            let recorded = rehearsal::read(pgn.as_bytes()).unwrap_or_default();
            for at in 0..truth.len().max(recorded.len()) {
                verdict.games += 1;
                let place = format!("table {number}, game {}", at + 1);
                let why = match (truth.get(at), recorded.get(at)) {
                    (Some(real), Some(told)) => difference(real, told, at + 1 == truth.len()),
                    (None, _) => Some("was never played".to_owned()),
                    // It may have begun a moment ago.
                    (Some(_), None) if at + 1 == truth.len() => None,
                    (Some(_), None) => Some("is missing".to_owned()),
                };
                verdict.differing.extend(why.map(|why| format!("{place} {why}")));
            }
        }
        verdict
    }
}

/// How a game of the record differs from the one that was played. The last one at a board was broken off: between a move
/// and its press, or before its names and its result were down.
fn difference(real: &Game, told: &Game, is_last: bool) -> Option<String> {
    let common = real.moves.iter().zip(&told.moves).take_while(|(real, told)| real == told).count();
    let is_short = common == real.moves.len().min(told.moves.len());
    if common < real.moves.len().max(told.moves.len()) && !(is_last && is_short) {
        return Some(format!("differs from ply {} on", common + 1));
    }
    if is_last {
        return None;
    }
    if real.outcome != told.outcome {
        let text = |game: &Game| game.outcome.map_or("*", shakmaty::KnownOutcome::as_str);
        return Some(format!("ended {}, and the record says {}", text(real), text(told)));
    }
    let tag = |game: &Game, name: &str| game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.clone());
    let named = ["White", "Black"].into_iter().all(|name| tag(real, name) == tag(told, name));
    (!named).then(|| "has the names of another game".to_owned())
}

/// How the record stands against the truth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    games: usize,
    differing: Vec<String>,
}

impl Comparison {
    /// Every game in the record is what was played.
    pub fn is_exact(&self) -> bool {
        self.games > 0 && self.differing.is_empty()
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = self.games - self.differing.len();
        write!(f, "{exact} of {} games are exactly what was played", self.games)?;
        if !self.differing.is_empty() {
            write!(f, "; different: {}", self.differing.join("; "))?;
        }
        Ok(())
    }
}
