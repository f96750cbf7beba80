//! `escaque dead`: who can still mate, proven.

use std::{
    io::{self, BufRead, Write},
    process::ExitCode,
    time::Instant,
};

use anyhow::Context;
use laws::dead::{Budget, Verdict, can_mate};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, Move, fen::Fen};

use super::exit;

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
        match position(fen) {
            Ok((position, mode)) => match say(&mut out, fen, &position, mode, Budget(args.budget)) {
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

fn position(fen: &str) -> anyhow::Result<(Chess, CastlingMode)> {
    let setup = fen.parse::<Fen>().context("this is no FEN")?.into_setup();
    let mode = CastlingMode::detect(&setup);
    let position = laws::position::set_up(setup, mode);
    Ok((position.map_err(|error| anyhow::anyhow!("there is no such position ({error})"))?, mode))
}

fn say(out: &mut impl Write, fen: &str, position: &Chess, mode: CastlingMode, budget: Budget) -> anyhow::Result<()> {
    let began = Instant::now();
    let [white, black] = [Color::White, Color::Black].map(|color| can_mate(position, color, budget));
    let us = began.elapsed().as_micros();
    let said = Said { fen, white: Side::of(&white, mode), black: Side::of(&black, mode), us };
    serde_json::to_writer(&mut *out, &said).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

#[derive(Serialize)]
struct Said<'a> {
    fen: &'a str,
    white: Side,
    black: Side,
    us: u128,
}

/// What is known of one colour.
#[derive(Serialize)]
#[serde(untagged)]
enum Side {
    Can { can_mate: bool, line: Vec<String> },
    Cannot { can_mate: bool, proof: Proof },
    Open { can_mate: Option<bool>, spent: u64 },
}

#[derive(Serialize)]
struct Proof {
    kind: &'static str,
    /// For people.
    says: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    families: Option<usize>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locked: Vec<String>,
}

impl Side {
    fn of(verdict: &Verdict, mode: CastlingMode) -> Side {
        let uci = |next: &Move| next.to_uci(mode).to_string();
        match verdict {
            Verdict::CanMate(mate) => Side::Can { can_mate: true, line: mate.line().iter().map(uci).collect() },
            Verdict::CannotMate(proof) => Side::Cannot { can_mate: false, proof: Proof::of(proof.proof()) },
            Verdict::Unknown { spent } => Side::Open { can_mate: None, spent: *spent },
        }
    }
}

impl Proof {
    fn of(proof: &laws::dead::Proof) -> Proof {
        Proof {
            kind: proof.kind(),
            says: proof.to_string(),
            positions: proof.positions(),
            families: proof.families(),
            locked: proof.locked().into_iter().map(|square| square.to_string()).collect(),
        }
    }
}
