//! `escaque follow`: one table in words, a line a move, for terminals and Braille displays.

use std::{io::Write as _, process::ExitCode, thread::sleep, time::Duration};

use anyhow::Context;
use protocol::feed::{Side, TableId};
use serde::Deserialize;

use super::{
    daemon::{Daemon, Folder, OTHER},
    exit,
};

/// How soon a move is there after it is final.
const LOOK: Duration = Duration::from_millis(400);

/// Follow a table in words: one line a move, nothing else
///
/// Only final moves are written. Nothing on the screen is ever moved or written over, so that a Braille display or a
/// screen reader can be read in peace. What is taken back, another game and another name are said in lines of their own.
/// Where the daemon ends, this waits until it is there again, and goes on.
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
    #[command(flatten)]
    at: Folder,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut daemon = Daemon::find(&args.at)?;
    let path = format!("/words/{}.json?{}", args.table, args.words);
    let (mut shown, mut is_waiting) = (None::<Told>, false);
    loop {
        match look(&daemon, &path) {
            Ok(now) => {
                let mut out = std::io::stdout().lock();
                for line in news(shown.as_ref(), &now) {
                    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
                        return Ok(exit::OK.into()); // Nobody reads any more.
                    }
                }
                (shown, is_waiting) = (Some(now), false);
            }
            Err(error) if shown.is_none() => return Err(error),
            Err(error) => {
                if !std::mem::replace(&mut is_waiting, true) {
                    eprintln!("escaque: {error}; waiting until it is there again");
                }
                // When it is back it may be at another address.
                daemon = Daemon::find(&args.at).unwrap_or(daemon);
            }
        }
        if args.once {
            return Ok(exit::OK.into());
        }
        sleep(LOOK);
    }
}

fn look(daemon: &Daemon, path: &str) -> anyhow::Result<Told> {
    serde_json::from_slice(&daemon.get(path)?).context(OTHER)
}

/// A game in words, as far as it is told here.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Told {
    game: u32,
    white: String,
    black: String,
    result: String,
    #[serde(default)]
    start: Vec<String>,
    plies: Vec<Ply>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Ply {
    number: u32,
    side: Side,
    display: String,
}

impl Told {
    /// Where the men stood, if not as usual; a line a move, and the result.
    fn lines(&self) -> Vec<String> {
        let start = (!self.start.is_empty()).then(|| self.start.join(" "));
        let result = (self.result != "*").then(|| self.result.clone());
        start.into_iter().chain(self.plies.iter().map(Ply::line)).chain(result).collect()
    }

    fn players(&self) -> String {
        format!("{} - {}", self.white, self.black)
    }
}

impl Ply {
    /// `23 Springer g1 f3`, and two dots for Black.
    fn line(&self) -> String {
        let dots = if self.side == Side::Black { ".." } else { "" };
        format!("{}{dots} {}", self.number, self.display)
    }
}

/// What has come since; where something was taken back that is said first, and then what stands there instead.
fn news(shown: Option<&Told>, now: &Told) -> Vec<String> {
    let (players, lines) = (now.players(), now.lines());
    let Some(shown) = shown.filter(|shown| shown.game == now.game) else {
        let is_first = shown.is_none() && now.game == 1;
        let head = if is_first { players } else { format!("game {}: {players}", now.game) };
        return [head].into_iter().chain(lines).collect();
    };
    let named = (shown.players() != players).then(|| format!("players: {players}"));
    let before = shown.lines();
    let same = before.iter().zip(&lines).take_while(|(before, now)| before == now).count();
    let back = before.get(same).map(|first| format!("-- {first}"));
    named.into_iter().chain(back).chain(lines[same..].iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `1 A - B|e4|e5|1-0`.
    fn told(text: &str) -> Told {
        let mut parts = text.split('|');
        let head = parts.next().unwrap_or_default();
        let (game, players) = head.split_once(' ').expect("a game");
        let (white, black) = players.split_once(" - ").expect("two players");
        let (mut plies, mut result) = (Vec::new(), "*".to_owned());
        for (at, part) in parts.enumerate() {
            if part.contains('-') {
                part.clone_into(&mut result);
                continue;
            }
            let side = if at % 2 == 0 { Side::White } else { Side::Black };
            let number = u32::try_from(at / 2).expect("few moves") + 1;
            plies.push(Ply { number, side, display: part.to_owned() });
        }
        let (white, black) = (white.to_owned(), black.to_owned());
        Told { game: game.parse().expect("a number"), white, black, result, start: Vec::new(), plies }
    }

    #[test]
    fn what_is_taken_back_is_said_and_nothing_is_said_twice() {
        for (shown, now, said) in [
            ("1 A - B|e4", "1 A - B|e4|e5", "1.. e5"),
            ("1 A - B|e4|e5", "1 A - B|e4", "-- 1.. e5"),
            ("1 A - B|e4|e5", "1 A - B|e4|c5", "-- 1.. e5|1.. c5"),
            ("1 A - B|e4", "1 A - B|e4|1-0", "1-0"),
            ("1 A - B|e4|1-0", "1 A - B|e4", "-- 1-0"),
            ("1 A - B|e4", "1 A - B|e4", ""),
        ] {
            assert_eq!(news(Some(&told(shown)), &told(now)).join("|"), said, "{shown} → {now}");
        }
        assert_eq!(news(None, &told("1 A - B|e4")), ["A - B", "1 e4"]);
    }

    #[test]
    fn another_game_and_another_name_are_said_and_are_no_takeback() {
        let begun = "game 2: A - B|1 d4";
        assert_eq!(news(Some(&told("1 A - B|e4|1-0")), &told("2 A - B|d4")).join("|"), begun);
        assert_eq!(news(None, &told("2 A - B|d4")).join("|"), begun);
        let mended = news(Some(&told("1 A - B|e4")), &told("1 A - C|e4|e5"));
        assert_eq!(mended, ["players: A - C", "1.. e5"], "and not the whole game again");
    }
}
