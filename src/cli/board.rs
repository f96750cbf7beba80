//! `escaque board`.

use std::{
    io::{self, Write},
    num::NonZeroUsize,
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context;
use protocol::board::Lie;

use super::terminal;
use crate::rehearsal::{self, Game, Profile, Rehearsal, Setting, TimeControl, pty};

/// Puts up a virtual board with human hands, on a pseudo-terminal
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(super) struct Args {
    /// Play games: those of a PGN file, or two dozen that are built in
    #[arg(long, value_name = "PGN", num_args = 0..=1)]
    games: Option<Option<PathBuf>>,
    /// The number of the game to begin with; those before it come after the last
    #[arg(long, value_name = "N", default_value = "1", requires = "games")]
    first: NonZeroUsize,
    /// After the last game comes the first one again; each is announced when it begins and when it is over
    #[arg(long, requires = "games")]
    endless: bool,
    /// Who plays
    #[arg(long, value_enum, default_value = "perfect")]
    profile: Profile,
    /// Where chance begins: the same seed plays the same games the same way
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many times faster people think; hands and clock keep their pace
    #[arg(long, value_name = "X", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    speed: u32,
    /// Also reachable under this name, which stays when the device gets another
    #[arg(long, value_name = "PATH")]
    link: Option<PathBuf>,
    /// The board lies half a turn round, its connector at White's right hand
    #[arg(long)]
    turned: bool,
    /// No clock is plugged in
    #[arg(long)]
    no_clock: bool,
    /// The serial number, five digits
    #[arg(long, value_name = "NNNNN", default_value_t = 1_025, value_parser = clap::value_parser!(u32).range(1..=99_999))]
    serial: u32,
    /// Seconds for the game and seconds a move, such as 180+2
    #[arg(long, value_name = "S+I")]
    time_control: Option<TimeControl>,
    /// After an illegal move the hands wait until `go` is typed
    #[arg(long)]
    wait_after_illegal: bool,
}

const EXAMPLES: &str = "\
The first line printed is the device; give that to any program that reads DGT
boards. While the board is up it takes commands: help lists them. At the end it
prints the PGN of what was really played and, as comments, what went wrong.

Examples:
  escaque board                     a board that waits for commands
  escaque board --games --profile blitz
                                    two dozen games by hasty hands
  escaque board --games round1.pgn --link board-1
                                    your games, always reachable as ./board-1
  printf 'move e2e4\\nmove e7e5\\n' | escaque board
                                    a script; the board ends with it";

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut games = games(args.games.as_ref())?;
    if !games.is_empty() {
        let first = (args.first.get() - 1) % games.len();
        games.rotate_left(first);
    }
    let profile = Setting::of(args.profile);
    let setting = Setting {
        control: args.time_control.unwrap_or(profile.control),
        seed: args.seed,
        speed: args.speed,
        lie: if args.turned { Lie::Turned } else { Lie::Straight },
        clock: !args.no_clock,
        serial: args.serial,
        wait_after_illegal: args.wait_after_illegal,
        endless: args.endless,
        ..profile
    };
    let played = pty::run(Rehearsal::new(setting, games), args.link.as_deref())?;
    report(&played, &mut io::stdout().lock())?;
    Ok(super::exit::OK.into())
}

fn games(asked: Option<&Option<PathBuf>>) -> anyhow::Result<Vec<Game>> {
    match asked {
        None => Ok(Vec::new()),
        Some(None) => Ok(rehearsal::embedded()),
        Some(Some(path)) => {
            let pgn = std::fs::read(path)
                .with_context(|| format!("{} can't be read: give the path of a PGN file", path.display()))?;
            rehearsal::read(&pgn).with_context(|| path.display().to_string())
        }
    }
}

/// The games and, in a form that PGN readers skip, the noise. Nobody need be there to read it.
fn report(played: &Rehearsal, out: &mut impl Write) -> anyhow::Result<()> {
    let games = played.records().iter().map(|record| format!("\n{record}")).collect::<String>();
    let noise = played.noise().to_string().lines().map(|line| format!("; {line}\n")).collect::<String>();
    terminal::printed(out.write_all(format!("{games}\n{noise}").as_bytes()).and_then(|()| out.flush()))
}
