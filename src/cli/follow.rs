//! `escaque follow`: one table in words, a line a move, for terminals and Braille displays.

use std::{io::Write as _, path::PathBuf, process::ExitCode, thread::sleep, time::Duration};

use anyhow::Context;
use protocol::feed::TableId;

use super::{daemon::Daemon, exit};

/// How soon a move is there after it is final.
const LOOK: Duration = Duration::from_millis(400);

/// Follow a table in words: one line a move, nothing else
///
/// Only final moves are written. Nothing on the screen is ever moved or written over, so that a Braille display or a
/// screen reader can be read in peace. What is taken back is said in a line of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    escaque follow --table open/3/12 --plain\n  \
    escaque follow --table open/3/12 --plain --words 'language=en&files=international'\n  \
    escaque follow --table open/3/12 --plain --once > game.txt")]
pub(super) struct Args {
    /// Which table
    #[arg(long, value_name = "EVENT/ROUND/TABLE")]
    table: TableId,
    /// Plain lines; there is no other way to be followed yet
    #[arg(long, required = true)]
    plain: bool,
    /// In which words, as in the address of the listening page
    #[arg(long, value_name = "QUERY", default_value = "")]
    words: String,
    /// End with what has been played so far
    #[arg(long)]
    once: bool,
    /// The state folder of the daemon [default: ~/.local/state/escaque]
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let daemon = Daemon::find(args.state.clone())?;
    let path = format!("/words/{}.txt?{}", args.table, args.words);
    let mut shown = Vec::new();
    loop {
        let text = String::from_utf8(daemon.get(&path)?).context("the daemon sent no text")?;
        let lines = text.lines().map(str::to_owned).collect::<Vec<_>>();
        let mut out = std::io::stdout().lock();
        for line in news(&shown, &lines) {
            if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
                return Ok(exit::OK.into()); // Nobody reads any more.
            }
        }
        if args.once {
            return Ok(exit::OK.into());
        }
        shown = lines;
        sleep(LOOK);
    }
}

/// What has come since; where something was taken back that is said first, and then what stands there instead.
fn news(shown: &[String], now: &[String]) -> Vec<String> {
    let same = shown.iter().zip(now).take_while(|(before, now)| before == now).count();
    let back = match shown.get(same) {
        None => None,
        // The names of the players: another game.
        Some(_) if same == 0 => Some(String::new()),
        Some(first) => Some(format!("-- {first}")),
    };
    back.into_iter().chain(now[same..].iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_said_and_nothing_is_said_twice() {
        let lines = |text: &str| text.split('|').filter(|line| !line.is_empty()).map(str::to_owned).collect::<Vec<_>>();
        for (shown, now, said) in [
            ("", "A - B|1 e4", "A - B|1 e4"),
            ("A - B|1 e4", "A - B|1 e4|1.. e5", "1.. e5"),
            ("A - B|1 e4|1.. e5", "A - B|1 e4", "-- 1.. e5"),
            ("A - B|1 e4|1.. e5", "A - B|1 e4|1.. c5", "-- 1.. e5|1.. c5"),
            ("A - B|1 e4", "A - B|1 e4", ""),
        ] {
            assert_eq!(news(&lines(shown), &lines(now)), lines(said), "{shown} → {now}");
        }
        assert_eq!(news(&lines("A - B|1 e4"), &lines("C - D")), ["", "C - D"], "another game");
    }
}
