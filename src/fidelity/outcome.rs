//! Whether a game has its result: the one the kings showed, the desk was told, or the Laws gave.

use protocol::feed::{AlertKind, Entry, Event, GameResult, TableEvent, TableId};

use super::session::{Session, result};
use crate::{
    record::Games,
    rehearsal::{self, Record},
};

/// Another result was told than the game's, or none where one was shown or given.
pub(super) fn is_wrong(session: &Session, number: usize, told: &[(&u64, &Entry)]) -> bool {
    let truth = &session.truth[number];
    let real = truth.outcome.map_or(GameResult::Open, result);
    let ended = told.iter().rev().find_map(|(_, entry)| {
        let Entry::Result { result, .. } = entry else { return None };
        Some(*result)
    });
    let ended = ended.filter(|result| *result != GameResult::Open);
    if truth.given.is_some() {
        return in_the_book(session, truth) != Some(real);
    }
    let shown = truth.signalled.map(result);
    let signalled = told.iter().rev().find_map(|(_, entry)| {
        let Entry::Alert(alert) = entry else { return None };
        alert.signalled.filter(|_| alert.kind == AlertKind::ResultSignalled)
    });
    let is_missed = shown.is_some() && signalled.or(ended) != shown;
    is_missed || ended.is_some_and(|ended| ended != real) || shown.is_none() && signalled.is_some()
}

/// What the PGN says of the game whose moves are most like those that were played.
fn in_the_book(session: &Session, truth: &Record) -> Option<GameResult> {
    let table = TableId { event: "rehearsal".to_owned(), round: 1, table: 1 };
    let mut book = Games::default();
    for TableEvent { t, event, .. } in session.events().filter(|told| matches!(told.event, Event::Entry(_))) {
        book.apply(&TableEvent { table: Some(table.clone()), t, event });
    }
    let games = rehearsal::read(book.table_pgn(&table).as_bytes()).ok()?;
    let like = |game: &rehearsal::Game| game.moves.iter().zip(truth.moves()).take_while(|(a, b)| **a == *b).count();
    let game = games.iter().max_by_key(|game| like(game)).filter(|game| like(game) > 0)?;
    Some(game.outcome.map_or(GameResult::Open, result))
}
