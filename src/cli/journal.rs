//! `escaque journal`: what the journal says, how far it is proven, and what to do when it is not.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use hall::Scope;
use serde_json::{Value, json};

use super::terminal;
use crate::{
    journal::{Chapter, Journal, JournalError, Mended, Past, Said},
    run,
};

/// Prove, read, copy and mend the journal
///
/// What each file holds and what is proven by what is described in docs/journal.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque journal verify                      what is good and what is not\n  \
    escaque journal export | jq .input          every input\n  \
    escaque journal copy /media/stick/escaque   a proven copy, while the daemon runs\n  \
    escaque journal mend --from /media/stick/escaque\n  \
    escaque journal mend --from ~/.local/state/escaque/pgn/open/3.pgn")]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Say how far each file is proven
    Verify(Where),
    /// Print every input and entry as JSON, one a line
    Export(Where),
    /// Print what was played at each table, and how far it is final
    Tables(Where),
    /// Make a proven copy, while the daemon runs or not
    Copy {
        /// The folder to make: a state folder for `escaque serve --state`
        to: PathBuf,
        #[command(flatten)]
        place: Where,
    },
    /// Put right what is damaged, from a copy or from what is proven; the old files are kept
    Mend {
        /// What may know more: a copy, which is a state folder, or a PGN file of one, as pgn/open/3.pgn
        #[arg(long, value_name = "COPY|PGN")]
        from: Option<PathBuf>,
        #[command(flatten)]
        place: Where,
    },
}

#[derive(Debug, clap::Args)]
struct Where {
    /// The state folder, or one journal file [default: ~/.local/state/escaque, or the service's if you have none]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

impl Where {
    fn path(&self) -> anyhow::Result<PathBuf> {
        self.state.clone().map_or_else(run::state_in_use, Ok)
    }

    fn read(&self) -> anyhow::Result<Past> {
        Journal::read(&self.path()?).map_err(in_a_sentence)
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    super::log::start();
    let mut out = io::BufWriter::new(io::stdout().lock());
    let (past, written) = match &args.action {
        Action::Verify(place) => {
            let mut past = place.read()?;
            past.findings.extend(Journal::set_aside(&place.path()?).map_err(in_a_sentence)?);
            let hall = past.chapters.get(&Scope::Hall);
            past.findings.extend(hall.and_then(run::what_is_closed).map(str::to_owned));
            let written = past.chapters.values().try_for_each(|chapter| writeln!(out, "{}", proof(chapter)));
            (past, written)
        }
        Action::Export(place) => {
            let past = place.read()?;
            let written = past.chapters.values().try_for_each(|chapter| export(chapter, &mut out));
            (past, written)
        }
        Action::Tables(place) => {
            let past = place.read()?;
            let written = tables(&past, &mut out);
            (past, written)
        }
        Action::Copy { to, place } => {
            let past = Journal::copy(&place.path()?, to).map_err(in_a_sentence)?;
            let written = writeln!(out, "{}: {} files, proven", to.display(), past.chapters.len());
            (past, written)
        }
        Action::Mend { from, place } => {
            let pgn = from.as_deref().filter(|from| from.extension().is_some_and(|ending| ending == "pgn"));
            let copy = from.as_deref().filter(|_| pgn.is_none());
            let mut mended = match Journal::mend(&place.path()?, copy) {
                // Where all is lost, games are begun anew from what was published of them.
                Err(JournalError::Missing { .. }) if pgn.is_some() => Mended::default(),
                outcome => outcome.map_err(in_a_sentence)?,
            };
            if let Some(pgn) = pgn {
                mended.done.extend(run::mend_from_pgn(&place.path()?, pgn)?);
            }
            let Mended { mut done, left } = mended;
            if done.is_empty() && left.is_empty() {
                done.push("everything is as it was written: nothing was changed".to_owned());
            }
            let written = done.iter().try_for_each(|sentence| writeln!(out, "{sentence}"));
            (Past { findings: left, ..Past::default() }, written)
        }
    };
    past.findings.iter().for_each(|finding| eprintln!("escaque: {finding}"));
    let code = if past.findings.is_empty() { super::exit::OK } else { super::exit::NOT_IN_ORDER };
    terminal::printed(written.and_then(|()| out.flush())).map(|()| code.into())
}

fn in_a_sentence(error: JournalError) -> anyhow::Error {
    anyhow::Error::msg(error.advice())
}

/// How far a file is proven, with the fingerprint to compare it by, and what was noted about it.
fn proof(chapter: &Chapter) -> String {
    let end = chapter.end();
    let line = format!(
        "{}: {} inputs and {} entries are proven, fingerprint {}",
        chapter.scope(),
        end.inputs,
        end.entries,
        end.chain
    );
    let notes = chapter.notes().filter(|(_, note)| !note.starts_with("sealed "));
    notes.fold(line, |lines, (_, note)| lines + "\n  noted then: " + &note)
}

fn export(chapter: &Chapter, out: &mut impl Write) -> io::Result<()> {
    let scope = chapter.scope().to_string();
    let mut entries = chapter.entries().into_iter().peekable();
    let mut inputs = chapter.inputs();
    for number in 0.. {
        if number > 0 {
            let Some((t, said)) = inputs.next_input() else { break };
            writeln!(out, "{}", json!({ "scope": scope, "number": number, "t": t, "input": plain(said) }))?;
        }
        while let Some((after, told)) = entries.next_if(|(after, _)| *after <= number) {
            writeln!(out, "{}", json!({ "scope": scope, "after": after, "entry": told }))?;
        }
    }
    Ok(())
}

/// What is said, with everything that stands beside an input.
fn plain(said: &Said) -> Value {
    match said {
        Said::Input(input) => json!(input),
        Said::Text(text) => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
    }
}

fn tables(past: &Past, out: &mut impl Write) -> io::Result<()> {
    let folded = run::fold(past);
    for table in folded.book.tables() {
        writeln!(out, "{table}: {} final moves", folded.book.plies(&table))?;
    }
    Ok(())
}
