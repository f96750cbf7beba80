//! `escaque export`: games and reports out of a journal, whether the daemon runs or not.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::{Context, bail};
use protocol::feed::{Address, Notation, Staff};

use super::{exit, terminal};
use crate::{
    journal::{Journal, Past},
    record::{
        Book, Report,
        papers::{Day, Desk, Dress, Paper},
    },
    run::{fold, state_in_use},
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
    escaque export open --trf --out open.trf  the report file that was imported, with its results\n  \
    escaque export open/3 --paper report --out round3.html    the arbiter's report of a round")]
pub(super) struct Args {
    /// EVENT, EVENT/ROUND, EVENT/ROUND/TABLE or EVENT/ROUND/TABLE/GAME
    #[arg(value_name = "WHAT")]
    what: String,
    /// The event's report file (TRF16) with its results, and no games
    #[arg(long)]
    trf: bool,
    /// A paper to print, as a page of HTML, and no games
    #[arg(long, value_name = "WHICH", conflicts_with = "trf")]
    paper: Option<Printed>,
    /// The letters of scoresheets, if not those of the event
    #[arg(long, value_name = "WHOSE", requires = "paper")]
    notation: Option<Letters>,
    /// Write it there, and not to standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The state folder [default: ~/.local/state/escaque, or the service's if you have none]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let state = args.state.clone().map_or_else(state_in_use, Ok)?;
    let past = Journal::read(&state).map_err(|error| anyhow::Error::msg(error.advice()))?;
    past.findings.iter().for_each(|finding| eprintln!("escaque: {finding}"));
    let book = fold(&past).book;
    let (bytes, left_out) = match args.paper {
        Some(printed) => (paper(&book, &past, &args, printed)?.into_bytes(), Vec::new()),
        None if args.trf => report(&book, &args.what).map(|report| (report.bytes, report.left_out))?,
        None => (games(&book, &args.what)?, Vec::new()),
    };
    match &args.out {
        Some(path) => terminal::write(path, &bytes)?,
        None => print(&bytes)?,
    }
    left_out.iter().for_each(|sentence| eprintln!("escaque: {sentence}"));
    let is_whole = left_out.is_empty() && past.findings.is_empty();
    Ok(if is_whole { exit::OK } else { exit::NOT_IN_ORDER }.into())
}

/// What can be printed.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Printed {
    /// What happened in a round, for the arbiter
    Report,
    /// Scoresheets of a round, a table or a game
    Sheets,
    /// All clocks and move numbers of a round, each half hour
    Clocks,
    /// The envelope of an adjourned game
    Envelope,
}

/// The letters of scoresheets.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Letters {
    English,
    German,
    Spanish,
    Figurines,
}

fn paper(book: &Book, past: &Past, args: &Args, printed: Printed) -> anyhow::Result<String> {
    let notation = args.notation.map(|letters| match letters {
        Letters::English => Notation::English,
        Letters::German => Notation::German,
        Letters::Spanish => Notation::Spanish,
        Letters::Figurines => Notation::Figurines,
    });
    let round = || -> anyhow::Result<(String, u16)> {
        let (event, round) = args.what.split_once('/').context("which round? write EVENT/ROUND, as in open/3")?;
        let round =
            round.parse().with_context(|| format!("\"{round}\" is no round: write EVENT/ROUND, as in open/3"))?;
        Ok((event.to_owned(), round))
    };
    let wanted = match printed {
        Printed::Report => round().map(|(event, round)| Paper::Report { event, round })?,
        Printed::Clocks => round().map(|(event, round)| Paper::Clocks { event, round })?,
        Printed::Sheets if !args.what.contains('/') => {
            bail!("which round, or which table? write EVENT/ROUND or EVENT/ROUND/TABLE, as in {}/3", args.what)
        }
        Printed::Sheets => match round() {
            Ok((event, round)) => Paper::Sheets { event, round, notation },
            Err(_) => Paper::Sheet { at: args.what.parse()?, notation },
        },
        Printed::Envelope => Paper::Envelope { at: args.what.parse()? },
    };
    let day = Day::at_the_end_of(past);
    let desk = Desk { reader: Staff::Arbiter, day: &day, dress: Dress::Inside };
    book.paper(&wanted, &desk).map_err(anyhow::Error::msg)
}

fn report(book: &Book, event: &str) -> anyhow::Result<Report> {
    if let Some((event, _)) = event.split_once('/') {
        bail!("a report file is of a whole event: write `escaque export {event} --trf`");
    }
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
        bail!("the journal has no game at {what}; {}", known(book, what));
    }
    Ok(text.into_bytes())
}

/// What there is instead of what is not: the rounds of an event that is known, or the events.
fn known(book: &Book, what: &str) -> String {
    let event = what.split('/').next().unwrap_or_default();
    let rounds = book.rounds_of(event).iter().map(u16::to_string).collect::<Vec<_>>();
    if rounds.is_empty() {
        return format!("its events are {}", book.events().collect::<Vec<_>>().join(", "));
    }
    format!("its rounds of {event} are {}", rounds.join(", "))
}

fn print(bytes: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    terminal::printed(out.write_all(bytes).and_then(|()| out.flush()))
}
