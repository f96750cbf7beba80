//! `escaque boards`: which board belongs to which table, and what is wrong before a round.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Context;
use pairings::boards;
use serde_json::{Value, json};

use super::{
    daemon::{Daemon, Folder, sentences},
    exit, terminal,
};

/// Say which boards are missing, too many or at the wrong table; take a list of them in, or give it out
///
/// A list has a column of tables and one of serial numbers, with headings. The event keeps it: in every round each board
/// sits down at its table.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque boards open                        how they stand, before a round\n  \
    escaque boards open --take boards.csv      take a list in\n  \
    escaque boards open --out boards.csv       the list, for the next event")]
pub(super) struct Args {
    /// The event, or EVENT/ROUND
    #[arg(value_name = "EVENT")]
    event: String,
    /// Take this list in
    #[arg(long, value_name = "FILE", conflicts_with = "out")]
    take: Option<PathBuf>,
    /// Write the list there
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    at: Folder,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let daemon = Daemon::find(&args.at)?;
    if let Some(path) = &args.take {
        take(&daemon, &args.event, path)?;
    }
    if let Some(path) = &args.out {
        let list = daemon.get(&format!("/boards/{}.csv", args.event))?;
        terminal::write(path, &list)?;
        return Ok(exit::OK.into());
    }
    let view = daemon.ask("GET", &format!("/boards/{}", args.event), &Value::Null)?;
    let troubles = view["troubles"].as_array().into_iter().flatten().filter_map(Value::as_str).collect::<Vec<_>>();
    let heard = view["boards"].as_array().into_iter().flatten().filter(|board| board["heard"] == true).count();
    if troubles.is_empty() {
        terminal::say(&match heard {
            0 => "no board can be heard, and none is missed\n".to_owned(),
            1 => "1 board can be heard, where it belongs\n".to_owned(),
            many => format!("{many} boards can be heard, each where it belongs\n"),
        });
        return Ok(exit::OK.into());
    }
    terminal::say(&troubles.iter().map(|sentence| format!("{sentence}\n")).collect::<String>());
    Ok(exit::NOT_IN_ORDER.into())
}

fn take(daemon: &Daemon, event: &str, path: &Path) -> anyhow::Result<()> {
    let bytes = std::fs::read(path)
        .with_context(|| format!("{} can't be read: give the path of a list of boards", path.display()))?;
    let lines = boards::read(&bytes).map_err(|faults| anyhow::anyhow!("{}", faults.to_string().trim_end()))?;
    let places = lines.iter().map(|line| json!({ "table": line.table, "board": line.board })).collect::<Vec<_>>();
    let event = event.split('/').next().unwrap_or_default();
    let order = json!({ "command": "boards", "event": event, "boards": places });
    let answer = daemon.ask("POST", "/command", &order)?;
    terminal::say(&sentences(&answer));
    Ok(())
}
