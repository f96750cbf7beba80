//! `escaque dead`: who can still mate, proven.

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
};

use anyhow::Context;
use laws::dead::Budget;

use super::exit;
use crate::mates::Mates;

const EXAMPLES: &str = "Each line of the input is a FEN; Chess960 castling rights are understood. Each line of the
output is an object: for each colour can_mate with the line of moves, or false with the proof,
or null with what was spent; us is how long both took. A hard position takes up to half a
minute; memory, too, is bounded, so a bigger budget may change nothing. A line that is no
position is named on standard error, and the exit code is 3.

Examples:
  echo '8/8/4k3/8/8/4K3/8/8 w - - 0 1' | escaque dead
  escaque dead < positions.fen | jq -c 'select(.white.can_mate == false)'
  escaque dead --budget 2000 < positions.fen    what the table finds out at once";

/// Say who can still mate, with a line of moves or a proof
///
/// Reads FENs from standard input. A position is dead when neither side can mate by any legal moves.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// About how many positions to look at for each colour before it stays open.
    #[arg(long, value_name = "N", default_value_t = Budget::BACKGROUND.0)]
    budget: u64,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let mut code = exit::OK;
    for (number, line) in io::stdin().lock().split(b'\n').enumerate() {
        let line = line.context("standard input can't be read: give it FENs, one a line")?;
        let text = String::from_utf8_lossy(&line);
        // Editors begin a file with a mark that nobody sees.
        let fen = text.trim_start_matches('\u{feff}').trim();
        if fen.is_empty() {
            continue;
        }
        match Mates::of(fen, Budget(args.budget)) {
            Ok(mates) => match say(&mut out, &mates) {
                // `| head` has seen enough.
                Err(error) if super::terminal::is_broken_pipe(&error) => return Ok(exit::OK.into()),
                said => said?,
            },
            Err(error) => {
                code = exit::NOT_IN_ORDER;
                eprintln!("escaque: line {}: {error}: {fen}; the other lines are read", number + 1);
            }
        }
    }
    Ok(code.into())
}

fn say(out: &mut impl Write, mates: &Mates) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, mates).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}
