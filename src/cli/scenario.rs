//! `escaque scenario`: plays written cases and says what came out.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context;

/// Play written cases of hands and clocks through a real table
///
/// Prints one JSON object a line for each case and edition: the final line, what was seen when, alerts,
/// corrections. Nothing is judged here. A case that makes no sense is left out and named, and the exit code is 3.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  escaque scenario cases.json\n  escaque scenario cases.json | jq -c '[.id, .final]'"
)]
pub(super) struct Args {
    /// A JSON array of cases, format escaque-scenario/1
    file: PathBuf,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let text = std::fs::read_to_string(&args.file)
        .with_context(|| format!("{} can't be read: give the path of a scenario file", args.file.display()))?;
    let cases = crate::scenario::read(&text).with_context(|| {
        format!("{} is no scenario file: it should hold a JSON array of cases", args.file.display())
    })?;
    let mut out = io::stdout().lock();
    let mut exit = super::exit::OK;
    for case in cases {
        let case = match case {
            Ok(case) => case,
            Err(unreadable) => {
                eprintln!("escaque: {unreadable}");
                exit = super::exit::NOT_IN_ORDER;
                continue;
            }
        };
        for outcome in case.play() {
            serde_json::to_writer(&mut out, &outcome)?;
            writeln!(out)?;
        }
    }
    Ok(exit.into())
}
