//! `escaque replay`: captures and journals through the whole core.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    time::Duration,
};

use anyhow::Context;
use jiff::{Timestamp, civil::Time, tz::TimeZone};

use super::terminal;
use crate::{
    journal::{Journal, Past},
    run::{Choice, Replay, Rerun},
    screens::listen::Where,
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
    escaque replay ~/.local/state/escaque             a whole day again\n  \
    escaque replay --serve --speed 20 ~/.local/state/escaque\n  \
    \x20                                                 the same on the pages, twenty times as fast\n  \
    escaque replay --events --table 7 --until 15:42 ~/.local/state/escaque")]
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
    /// Only this table of a journal
    #[arg(long, value_name = "N")]
    table: Option<u16>,
    /// Of a journal only what came in by this time of its last day, as 15:42 or 15:42:07
    #[arg(long, value_name = "TIME", value_parser = time_of_day)]
    until: Option<Time>,
    /// Tell it so many times as fast as it was, with --serve or --events; without it --events waits for nothing
    #[arg(long, value_name = "X", value_parser = speed)]
    speed: Option<f64>,
    /// Show a journal on the pages as if it happened now
    #[arg(long, value_name = "ADDR:PORT", num_args = 0..=1, require_equals = true, value_parser = crate::config::address,
          default_missing_value = "127.0.0.1:8064", conflicts_with_all = ["events", "pgn"])]
    serve: Option<Where>,
}

fn time_of_day(text: &str) -> Result<Time, String> {
    let read = Time::strptime("%H:%M:%S", text).or_else(|_| Time::strptime("%H:%M", text));
    read.map_err(|_| "write it as 15:42 or 15:42:07".to_owned())
}

fn speed(text: &str) -> Result<f64, String> {
    let speed = text.parse().ok().filter(|speed: &f64| (0.001..=1_000_000.0).contains(speed));
    speed.ok_or_else(|| "write a number from 0.001 to 1000000, as 1 or 60".to_owned())
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    super::log::start();
    if let Some(listen) = &args.serve {
        return serve(&args, listen);
    }
    let mut replay = Replay::default();
    let mut code = super::exit::OK;
    for path in &args.files {
        if let Some(sentence) = play(path, &args, &mut replay)? {
            eprintln!("escaque: {sentence}");
            code = super::exit::NOT_IN_ORDER;
        }
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written =
        if args.events { write_events(&replay, args.speed, &mut out) } else { write_games(&replay, &args, &mut out) };
    terminal::printed(written.and_then(|()| out.flush())).map(|()| code.into())
}

/// Plays one file, or says why there is nothing in it to play.
fn play(path: &Path, args: &Args, replay: &mut Replay) -> anyhow::Result<Option<String>> {
    let shown = path.display();
    if path.is_dir() || is_journal(path) {
        let past = read(path)?;
        replay.journal(&past, &choice(&past, args));
        return Ok(is_empty(&past).then(|| format!("{shown} is an empty journal: give one of a day with games")));
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

fn write_events(replay: &Replay, speed: Option<f64>, out: &mut impl Write) -> io::Result<()> {
    let mut told_at = None;
    for event in &replay.events {
        if let Some(speed) = speed {
            let since = event.t.saturating_sub(told_at.replace(event.t).unwrap_or(event.t));
            out.flush()?;
            std::thread::sleep(Duration::from_millis(since).div_f64(speed));
        }
        serde_json::to_writer(&mut *out, event)?;
        writeln!(out)?;
    }
    Ok(())
}

fn write_games(replay: &Replay, args: &Args, out: &mut impl Write) -> io::Result<()> {
    let Some(number) = args.table else { return out.write_all(replay.games.all_pgn().as_bytes()) };
    let here = replay.games.tables().filter(|id| id.table == number);
    let games = here.map(|id| replay.games.table_pgn(&id)).filter(|pgn| !pgn.is_empty()).collect::<Vec<_>>();
    out.write_all(games.join("\n").as_bytes())
}

fn read(path: &Path) -> anyhow::Result<Past> {
    let past = Journal::read(path).map_err(|error| anyhow::Error::msg(error.advice()))?;
    past.findings.iter().for_each(|finding| eprintln!("escaque: {finding}"));
    Ok(past)
}

fn is_empty(past: &Past) -> bool {
    past.chapters.values().all(|chapter| chapter.end().inputs == 0)
}

fn choice(past: &Past, args: &Args) -> Choice {
    Choice { table: args.table, until_wall_ms: args.until.and_then(|time| on_its_last_day(past, time)) }
}

/// That time of the last day something was heard on, as clocks here show it, in milliseconds since 1970.
fn on_its_last_day(past: &Past, time: Time) -> Option<u64> {
    let last = i64::try_from(past.last_moment()?.wall_ms).ok()?;
    let last = Timestamp::from_millisecond(last).ok()?.to_zoned(TimeZone::system());
    let there = last.date().to_datetime(time).to_zoned(TimeZone::system()).ok()?;
    // What came within that second belongs to it.
    u64::try_from(there.timestamp().as_millisecond() + 999).ok()
}

/// Shows one journal on the pages.
fn serve(args: &Args, listen: &Where) -> anyhow::Result<ExitCode> {
    let [path] = args.files.as_slice() else {
        anyhow::bail!("one journal can be shown at a time: give a state folder")
    };
    let past = read(path)?;
    anyhow::ensure!(!is_empty(&past), "{} is an empty journal: give one of a day with games", path.display());
    let mut replay = Replay::default();
    replay.journal(&past, &choice(&past, args));
    let rerun = Rerun::of(&past, replay);
    terminal::block_on(async {
        let stop = terminal::asked_to_stop()?;
        let greet = |address| {
            let address = terminal::reachable(address);
            terminal::say(&format!(
                "Escaque replay of {}\n  wall      http://{address}/\nCtrl-C ends it.\n",
                path.display()
            ));
        };
        rerun.serve(listen, args.speed.unwrap_or(1.0), greet, stop).await
    })?;
    Ok(super::exit::OK.into())
}
