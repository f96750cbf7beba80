//! `escaque export`: games and reports out of a journal, whether the daemon runs or not.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail};
use protocol::feed::Address;

use super::{exit, terminal};
use crate::{
    journal::Journal,
    record::{Book, write_atomically},
    run::{fold, usual_state},
};

/// Write games or a report out of the journal
///
/// Reads a state folder, also one a daemon is at work in, and changes nothing there: an event that is over comes out as
/// it did on its last day.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque export open                       all games of an event, as PGN\n  \
    escaque export open/3 --out round3.pgn    a round\n  \
    escaque export open/3/12/1                one game\n  \
    escaque export open --trf --out open.trf  the report file that was imported, with its results")]
pub(super) struct Args {
    /// EVENT, EVENT/ROUND, EVENT/ROUND/TABLE or EVENT/ROUND/TABLE/GAME
    #[arg(value_name = "WHAT")]
    what: String,
    /// The event's report file (TRF16) with its results, and no games
    #[arg(long)]
    trf: bool,
    /// Write it there, and not to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The state folder [default: ~/.local/state/escaque]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let state = args.state.clone().map_or_else(usual_state, Ok)?;
    let past = Journal::read(&state).map_err(|error| anyhow::Error::msg(error.advice()))?;
    past.findings.iter().for_each(|finding| eprintln!("escaque: {finding}"));
    let book = fold(&past).book;
    let bytes = if args.trf { report(&book, &args.what)? } else { games(&book, &args.what)? };
    match &args.out {
        Some(path) => write(path, &bytes)?,
        None => print(&bytes)?,
    }
    Ok(exit::OK.into())
}

fn report(book: &Book, event: &str) -> anyhow::Result<Vec<u8>> {
    book.report(event).with_context(|| {
        format!("no report file was imported for {event}: its pairings came from another kind of file, or none did")
    })
}

fn games(book: &Book, what: &str) -> anyhow::Result<Vec<u8>> {
    let text = match what.split('/').collect::<Vec<_>>()[..] {
        [event] => book.event_pgn(event),
        [event, round] => {
            let round =
                round.parse().with_context(|| format!("\"{round}\" is no round: write EVENT/ROUND, as in open/3"))?;
            book.round_pgn(event, round)
        }
        _ => {
            let Address { table, game } = what.parse()?;
            game.map_or_else(|| book.table_pgn(&table), |game| book.game_pgn(&table, game))
        }
    };
    if text.is_empty() {
        let known = book.events().collect::<Vec<_>>().join(", ");
        bail!("the journal has no game at {what}; its events are {known}");
    }
    Ok(text.into_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_atomically(path, bytes).with_context(|| format!("{} can't be written: name another file", path.display()))?;
    terminal::greet(&format!("{}\n", path.display()));
    Ok(())
}

fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        // Whoever read has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.context("the outcome can't be printed"),
    }
}
