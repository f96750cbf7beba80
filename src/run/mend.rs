//! Mending from PGN: what a PGN file knows and the journal has lost is ordered into it, as an arbiter would.

use std::{collections::BTreeMap, path::Path};

use anyhow::Context;
use hall::{Hall, Input, StoredRecord, table::Table};
use protocol::feed::{Command, GameResult, Order, Score, TableId};
use shakmaty::{Color, KnownOutcome};

use super::{past::fold, start::BUILD, turn::Turn};
use crate::{
    journal::Journal,
    record::unwritten_in,
    rehearsal::{self, Game},
};

/// Adds the moves of a PGN file to the journal of a state folder that nobody writes, where they go on from what the
/// journal proves. The file is one of the daemon's own: which games are in it is in its name and its tags. Gives a
/// sentence for each table.
pub fn mend_from_pgn(state: &Path, file: &Path) -> anyhow::Result<Vec<String>> {
    let bytes = std::fs::read(file).with_context(|| format!("{} can't be read: give a PGN file", file.display()))?;
    let games = rehearsal::read(&bytes).with_context(|| file.display().to_string())?;
    let (journal, past) = Journal::open(state, BUILD).map_err(|error| anyhow::Error::msg(error.advice()))?;
    let folded = fold(&past);
    let (mut hall, mut turn, mut said) = (folded.hall, Turn::default(), Vec::new());
    for (table, game) in last_games(file, games)? {
        said.push(mend(&mut hall, &mut turn, &table, &game, folded.last_t));
    }
    let closed = turn.close();
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let written = runtime.block_on(journal.commit(closed.batches, closed.entries));
    written.map_err(|error| anyhow::Error::msg(error.advice()))?;
    Ok(said)
}

/// The last game of each table: only that one can go on.
fn last_games(file: &Path, games: Vec<Game>) -> anyhow::Result<BTreeMap<TableId, Game>> {
    let named = |path: &Path| {
        let event = path.parent()?.file_name()?.to_str()?.to_owned();
        let stem = path.file_stem()?.to_str()?;
        Some((event, stem.split('-').next()?.parse::<u16>().ok()?))
    };
    let (event, round) = named(file).with_context(|| {
        format!("{} does not say which round it is: give a file of a state folder, as pgn/open/3.pgn", file.display())
    })?;
    let board =
        |game: &Game| game.tags.iter().find(|(name, _)| name == "Board").and_then(|(_, value)| value.parse().ok());
    let table = |table| TableId { event: event.clone(), round, table };
    Ok(games.into_iter().filter_map(|game| Some((table(board(&game)?), game))).collect())
}

fn mend(hall: &mut Hall, turn: &mut Turn, id: &TableId, game: &Game, now: u64) -> String {
    let Some(table) = hall.table(id) else {
        return format!("{id}: no board was ever assigned to this table; assign one, and mend again");
    };
    let moves = game.moves.iter().map(|played| played.to_uci(game.castling).to_string()).collect::<Vec<_>>();
    let known = table.record();
    let known_moves = known.as_ref().map_or(&[][..], |record| &record.moves);
    let Some(missing) = moves.strip_prefix(known_moves) else {
        return format!("{id}: the journal has other moves than the PGN; nothing is changed, compare them by hand");
    };
    let commands = orders(known.as_ref(), missing, game);
    if commands.is_empty() {
        return format!("{id}: the journal knows all that the PGN does");
    }
    let given = commands
        .into_iter()
        .try_for_each(|command| turn.take(hall, Input::Ordered(Order::to_table(id.clone(), command)), now));
    let final_moves = hall.table(id).and_then(Table::record).map_or(0, |record| record.moves.len());
    match given {
        Ok(()) => format!("{id}: {} moves are taken from the PGN, {final_moves} are final", missing.len()),
        Err(refusal) => format!("{id}: not all can be taken from the PGN: {refusal}"),
    }
}

/// What an arbiter would order to bring the record to what the PGN says.
fn orders(known: Option<&StoredRecord>, missing: &[String], game: &Game) -> Vec<Command> {
    let mut orders = Vec::new();
    if known.is_none() {
        let fen = game.tags.iter().find(|(name, _)| name == "FEN").map(|(_, fen)| fen.clone());
        orders.push(Command::NewGame { fen, variant: game.castling.into() });
    }
    if !missing.is_empty() {
        orders.push(Command::Insert { ply: None, moves: missing.to_vec(), cut: false });
    }
    let is_open = known.is_none_or(|record| record.result == GameResult::Open && record.score.is_none());
    orders.extend(score(game).filter(|_| is_open).map(|result| Command::Result { result }));
    orders
}

fn score(game: &Game) -> Option<Score> {
    game.outcome.map(|outcome| result(outcome).into()).or_else(|| unwritten_in(game.remark.as_ref()?))
}

fn result(outcome: KnownOutcome) -> GameResult {
    match outcome {
        KnownOutcome::Draw => GameResult::Draw,
        KnownOutcome::Decisive { winner: Color::White } => GameResult::WhiteWins,
        KnownOutcome::Decisive { winner: Color::Black } => GameResult::BlackWins,
    }
}
