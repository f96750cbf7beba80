//! `escaque pair`: the pairings of a round, out of what organisers have.

use std::{
    collections::BTreeSet,
    io::{BufRead, IsTerminal, Read, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context, bail};
use pairings::Page;
use protocol::feed::TableId;
use serde_json::{Value, json};

use super::{
    daemon::{Daemon, Folder, is_recorded, said, sentences},
    exit, terminal,
};

/// Take the pairings of a round in
///
/// Reads PGN headers, FIDE's report file (TRF16) with the coming round as an open block, tables with headings in English,
/// German or Spanish, and lines such as "1  Carlsen, Magnus – Caruana, Fabiano". Shows first what would change and asks.
/// A file is taken in whole or not at all; what can't be read is named with its line.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque pair round3.trf                        what would change, then yes or no\n  \
    escaque pair round3.csv --event open --round 3 --open --yes\n  \
    xclip -o | escaque pair - --event open --round 3")]
pub(super) struct Args {
    /// The file; - for what is piped in
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The event's name in addresses [default: made of what the file calls it]
    #[arg(long, value_name = "NAME")]
    event: Option<String>,
    /// The round, where the file does not number it or has several [default: all that it names]
    #[arg(long, value_name = "NUMBER")]
    round: Option<u16>,
    /// Whose letters the file has, where names come out wrong [default: as the file tells]
    #[arg(long, value_name = "PAGE", value_parser = Page::ALL.map(Page::name))]
    letters: Option<String>,
    /// Open the round too: it is on the wall, and boards sit down in it
    #[arg(long)]
    open: bool,
    /// Take it in without asking
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    at: Folder,
}

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    args.check()?;
    let bytes = read(&args.file)?;
    let letters = args.letters.as_deref().and_then(Page::named);
    let said = crate::lists::Said { event: args.event.clone(), round: args.round, letters };
    let list = crate::lists::read(&bytes, &said).map_err(|sentence| anyhow::anyhow!("{sentence}"))?;
    let daemon = Daemon::find(&args.at)?;
    let would = daemon.hand_in(&args.address(false), &bytes)?;
    terminal::say(&sentences(&would));
    if !args.yes && !agrees()? {
        terminal::say("Nothing was changed.\n");
        return Ok(exit::NOT_IN_ORDER.into());
    }
    let done = daemon.hand_in(&args.address(true), &bytes)?;
    if args.yes || would != done {
        terminal::say(&notices(&done, &would));
    }
    let mut recorded = is_recorded(&done);
    if args.open {
        for (event, round) in list.rounds() {
            let order = json!({ "command": "open_round", "event": event, "round": round });
            let opened = daemon.ask("POST", "/command", &order)?;
            terminal::say(&sentences(&opened));
            recorded &= is_recorded(&opened);
        }
    }
    Ok(if recorded { exit::OK } else { exit::NOT_IN_ORDER }.into())
}

impl Args {
    /// What is typed stands in addresses.
    fn check(&self) -> anyhow::Result<()> {
        let first = |event: &str| format!("{event}/1/1").parse::<TableId>();
        if let Some(event) = self.event.as_ref().filter(|event| first(event).is_err()) {
            bail!(
                "\"{event}\" is no name in addresses: write it in letters from a to z, digits and dashes, such as open-2026"
            );
        }
        if self.round == Some(0) {
            bail!("rounds count from 1: write --round 1");
        }
        Ok(())
    }

    fn address(&self, take: bool) -> String {
        let event = self.event.iter().map(|event| format!("event={event}"));
        let round = self.round.iter().map(|round| format!("round={round}"));
        let letters = self.letters.iter().map(|letters| format!("letters={letters}"));
        let take = take.then(|| "take=true".to_owned());
        format!("/pairings?{}", event.chain(round).chain(letters).chain(take).collect::<Vec<_>>().join("&"))
    }
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("what is piped in can't be read")?;
        return Ok(bytes);
    }
    std::fs::read(path).with_context(|| format!("{} can't be read: give the path of a pairing file", path.display()))
}

/// What is said beyond what was said before it was done; the tables by their addresses are the same once more.
fn notices(done: &Value, would: &Value) -> String {
    let before = said(would).collect::<BTreeSet<_>>();
    let notices = said(done).filter(|sentence| !before.contains(sentence) && !sentence.contains('/'));
    notices.map(|sentence| format!("{sentence}\n")).collect()
}

fn agrees() -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("nobody is there to say yes: add --yes to take it in");
    }
    print!("Take it in? [y/N] ");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes" | "j" | "ja" | "s" | "si" | "sí"))
}
