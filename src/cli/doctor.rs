//! `escaque doctor`.

use std::process::ExitCode;

use serde_json::json;

use crate::sensors::checkup::Finding;
use crate::sensors::{Patterns, gather};

/// Find out which boards answer, and what keeps the others from it
///
/// Every port is opened and its board asked for its number. For all that is not in order there is a sentence and
/// the command that mends it. Do not run it on a port whose board is being broadcast by another program.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  escaque doctor                          all serial ports there are
  escaque doctor /dev/ttyUSB0             only this one
  escaque doctor '/dev/ttyACM*' --json    for scripts

Exit code 0: all is in order. 3: something is not. 1: it could not be found out.")]
pub(super) struct Args {
    /// Ports to look at; without any, all of the usual kinds
    #[arg(value_name = "PORT")]
    ports: Vec<String>,

    /// Print facts and findings as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let patterns = if args.ports.is_empty() { Patterns::usual() } else { Patterns::of(&args.ports)? };
    let facts = super::terminal::block_on(async { Ok(gather(ports(&patterns)).await) })?;
    let findings = facts.findings();
    let in_order = findings.iter().all(|finding| finding.in_order);
    if args.json {
        let report = json!({ "in_order": in_order, "findings": findings, "facts": facts });
        super::terminal::say(&format!("{}\n", serde_json::to_string_pretty(&report)?));
    } else {
        super::terminal::say(&text(&findings));
    }
    Ok(if in_order { super::exit::OK } else { super::exit::NOT_IN_ORDER }.into())
}

/// What is there, and what was named and is not.
fn ports(patterns: &Patterns) -> Vec<String> {
    let there = patterns.look().into_values();
    let missing = patterns.named().filter(|name| !name.exists()).map(ToOwned::to_owned);
    there.chain(missing).map(|name| name.display().to_string()).collect()
}

/// Port by port.
fn text(findings: &[Finding]) -> String {
    let (mut text, mut last) = (String::new(), None);
    for Finding { port, in_order, sentence, mend } in findings {
        if last.replace(port) != Some(port) {
            text += &format!("{}\n", port.as_deref().unwrap_or("this machine"));
        }
        text += &format!("  {} {sentence}\n", if *in_order { "ok " } else { "!! " });
        text += &mend.as_ref().map_or_else(String::new, |mend| format!("      try: {mend}\n"));
    }
    text
}
