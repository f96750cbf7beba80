//! `escaque order`: any order, from the terminal beside the daemon.

use std::process::ExitCode;

use super::{
    daemon::{Daemon, Folder, is_recorded, sentences},
    exit, terminal,
};

/// Give the running daemon an order
///
/// The same orders as POST /command; the page /feed lists them with examples. Says in sentences what has changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque order '{\"command\": \"open_round\", \"event\": \"open\", \"round\": 3}'\n  \
    escaque order '{\"command\": \"result\", \"table\": \"open/3/12\", \"result\": \"1-0\"}'\n  \
    escaque order --json '{\"command\": \"close_round\", \"event\": \"open\", \"round\": 2}'")]
pub(super) struct Args {
    /// The order, as JSON
    #[arg(value_name = "ORDER")]
    order: String,
    /// Print the answer as it comes, with the events
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    at: Folder,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    // As it was typed: read here first it would lose what the daemon refuses, of a key that comes twice all but the last.
    let answer = Daemon::find(&args.at)?.order(&args.order)?;
    let said = sentences(&answer);
    match (args.json, said.is_empty()) {
        (true, _) => terminal::say(&format!("{answer}\n")),
        (false, true) => terminal::say("done\n"),
        (false, false) => terminal::say(&said),
    }
    Ok(if is_recorded(&answer) { exit::OK } else { exit::NOT_IN_ORDER }.into())
}
