//! `escaque replay`: captures and journals through the whole core.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;

use crate::{
    journal::Journal,
    run::Replay,
    sensors::capture::{self, Entry, Item},
};

/// Play captures or journals through the whole core, as fast as it goes
///
/// What comes out is what screens were told: the same events, the same games. A capture is a file written by
/// `escaque capture`, or the raw bytes of a board; a journal is a file of a state folder, or the folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque replay board.jsonl                        the games, as PGN\n  \
    escaque replay --events board.jsonl | jq .event   everything that was told\n  \
    escaque replay ~/.local/state/escaque             a whole day again")]
pub(super) struct Args {
    /// Captures, journal files or state folders
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print the games as PGN (what is done anyway)
    #[arg(long, conflicts_with = "events")]
    pgn: bool,
    /// Print every event as JSON, one a line
    #[arg(long)]
    events: bool,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    super::log::start();
    let mut replay = Replay::default();
    let mut code = super::exit::OK;
    for path in &args.files {
        if let Some(sentence) = play(path, &mut replay)? {
            eprintln!("escaque: {sentence}");
            code = super::exit::NOT_IN_ORDER;
        }
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = if args.events { write_events(&replay, &mut out) } else { write_games(&replay, &mut out) };
    match written.and_then(|()| out.flush()) {
        // Whoever read has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(code.into()),
        outcome => outcome.context("the outcome can't be printed").map(|()| code.into()),
    }
}

/// Plays one file, or says why there is nothing in it to play.
fn play(path: &Path, replay: &mut Replay) -> anyhow::Result<Option<String>> {
    let shown = path.display();
    if path.is_dir() || is_journal(path) {
        let past = Journal::read(path).map_err(|error| anyhow::Error::msg(error.advice()))?;
        past.findings.iter().for_each(|finding| eprintln!("escaque: {finding}"));
        let inputs = past.chapters.values().map(|chapter| chapter.end().inputs).sum::<u64>();
        replay.journal(&past);
        return Ok((inputs == 0).then(|| format!("{shown} is an empty journal: give one of a day with games")));
    }
    let file = File::open(path)
        .with_context(|| format!("{} can't be read: give a capture, a journal or a state folder", path.display()))?;
    let mut reader = BufReader::new(file);
    let is_capture = reader.fill_buf().is_ok_and(capture::is_capture);
    let heard = if is_capture {
        let mut entries = Vec::new();
        for entry in capture::read(reader) {
            match entry {
                Ok(entry) => entries.push(entry),
                Err(bad) => tracing::warn!("{}: {bad}; the rest is played", path.display()),
            }
        }
        replay.capture(entries)
    } else {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).with_context(|| shown.to_string())?;
        replay.capture([Entry { t: 0, item: Item::Rx(bytes) }])
    };
    let nothing = || {
        format!(
            "no board speaks in {shown}: give what `escaque capture` wrote, a board's raw bytes, or a journal; \
             `escaque decode` shows what is in a file"
        )
    };
    Ok((heard == 0).then(nothing))
}

fn is_journal(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "sqlite")
}

fn write_events(replay: &Replay, out: &mut impl Write) -> io::Result<()> {
    for event in &replay.events {
        serde_json::to_writer(&mut *out, event)?;
        writeln!(out)?;
    }
    Ok(())
}

fn write_games(replay: &Replay, out: &mut impl Write) -> io::Result<()> {
    out.write_all(replay.games.all_pgn().as_bytes())
}
