//! `escaque voice`: does everybody hear us?

use std::{
    process::ExitCode,
    thread::sleep,
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::{
    daemon::{Daemon, Folder, OTHER},
    exit, terminal,
};

/// Say who is told moves aloud, and try it: names of files and numbers of ranks, at each device
///
/// Without --test it says how each voice stands. With it every player who has a voice hears the alphabet first, or one
/// table, or one player of it; it ends once each has heard it, or can't.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque voice                                        who hears what, and where\n  \
    escaque voice --test                                 the alphabet to each of them\n  \
    escaque voice --test --table open/3/12 --side black  to one of them")]
pub(super) struct Args {
    /// Speak the alphabet
    #[arg(long)]
    test: bool,
    /// At this table only
    #[arg(long, value_name = "EVENT/ROUND/TABLE")]
    table: Option<String>,
    /// To this player only
    #[arg(long, value_parser = ["white", "black"])]
    side: Option<String>,
    #[command(flatten)]
    at: Folder,
}

/// So long a test may take: the alphabet, to several players at one device one after the other.
const PATIENCE: Duration = Duration::from_secs(90);
/// A device that does nothing is found out in this time, and an order has reached its queue.
const AT_LEAST: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(200);

pub(super) fn run(args: Args) -> anyhow::Result<ExitCode> {
    let daemon = Daemon::find(&args.at)?;
    let mut voices = meant(&daemon, &args)?;
    if voices.is_empty() {
        bail!(
            "nobody is told moves aloud there: give a player a voice with `escaque order '{{\"command\": \"voice\", \
             \"table\": \"open/3/12\", \"side\": \"black\", \"earphone\": {{\"device\": \"default\"}}}}'`"
        );
    }
    if args.test {
        for voice in &voices {
            let (table, side) = (&voice["table"], &voice["side"]);
            let ask = json!({ "command": "ask", "table": table, "side": side, "request": "test" });
            daemon.ask("POST", "/command", &ask)?;
            terminal::say(&format!("{}  the alphabet\n", place(voice)));
        }
        let since = Instant::now();
        while since.elapsed() < AT_LEAST || voices.iter().any(is_speaking) && since.elapsed() < PATIENCE {
            sleep(LOOK);
            voices = meant(&daemon, &args)?;
        }
    }
    voices.iter().for_each(|voice| terminal::say(&line(voice)));
    let is_silent = voices.iter().any(|voice| voice["silent"] == true);
    Ok(if is_silent { exit::NOT_IN_ORDER } else { exit::OK }.into())
}

/// The voices that are asked about, as they stand.
fn meant(daemon: &Daemon, args: &Args) -> anyhow::Result<Vec<Value>> {
    let told = daemon.ask("GET", "/voices", &Value::Null)?;
    let voices = told["voices"].as_array().context(OTHER)?;
    let is_meant = |voice: &&Value| {
        args.table.as_ref().is_none_or(|table| voice["table"] == **table)
            && args.side.as_ref().is_none_or(|side| voice["side"] == **side)
    };
    Ok(voices.iter().filter(is_meant).cloned().collect())
}

/// Something is still to be heard there, and can be.
fn is_speaking(voice: &Value) -> bool {
    voice["silent"] != true && voice["waiting"] != 0
}

/// One voice in a line.
fn line(voice: &Value) -> String {
    let text = |key: &str| voice[key].as_str().unwrap_or_default().to_owned();
    let language = voice["earphone"]["language"].as_str().unwrap_or_default();
    let state = match voice["silent"].as_bool() {
        Some(true) => format!("NOT HEARD: {}", text("trouble")),
        Some(false) | None if text("last").is_empty() => "nothing spoken since the start".to_owned(),
        Some(false) | None => format!("last: {}", text("last")),
    };
    let keypad = voice["keypad"].as_str().map_or_else(String::new, |trouble| format!("  KEYS: {trouble}"));
    format!("{}  {language}  {state}{keypad}\n", place(voice))
}

/// Whose it is, and where it is heard.
fn place(voice: &Value) -> String {
    let [table, side] = ["table", "side"].map(|key| voice[key].as_str().unwrap_or_default());
    let device = voice["earphone"]["device"].as_str().unwrap_or("default");
    format!("{table} {side:<5}  {device}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_heard_whole_games_before_a_start_is_not_said_to_have_heard_nothing() {
        let voice = json!({ "table": "open/3/12", "side": "black", "silent": false, "earphone": { "language": "en" } });
        assert_eq!(line(&voice), "open/3/12 black  default  en  nothing spoken since the start\n");
    }
}
