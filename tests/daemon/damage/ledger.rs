//! What was told: the games as they were handed out, and every event there was.

use std::{collections::BTreeMap, path::Path};

use crate::{
    support::{Daemon, escaque, until},
    truth,
};

/// The rounds of the evening.
const ROUNDS: [u16; 2] = [1, 2];

/// What a daemon tells.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    /// By round, table and game: the names, the result and the moves.
    pub(super) games: BTreeMap<String, Game>,
    /// What `replay --events` prints.
    pub(super) events: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Game {
    players: [String; 2],
    result: String,
    moves: Vec<String>,
}

impl Ledger {
    /// What this daemon hands out as PGN.
    pub(super) fn of(daemon: &Daemon) -> Ledger {
        let mut ledger = Ledger::default();
        for round in ROUNDS {
            // A round that is over is read when nobody waits for it.
            let games = || Some(daemon.get(&format!("/pgn/open/{round}")));
            let (status, pgn) = until("the games", || games().filter(|(_, text)| !text.contains("still being read")));
            if status == 200 {
                ledger.games.extend(read(&pgn));
            }
        }
        ledger
    }

    /// What lies in a state folder as PGN.
    pub(super) fn of_files(state: &Path) -> Ledger {
        let mut ledger = Ledger::default();
        for round in ROUNDS {
            let file = state.join(format!("pgn/open/{round}.pgn"));
            ledger.games.extend(read(&std::fs::read_to_string(file).unwrap_or_default()));
        }
        ledger
    }

    /// Everything that was told, as far as the journal is read; or the sentence that refuses it.
    pub(super) fn events(state: &Path) -> Result<Vec<String>, String> {
        let output = escaque().args(["replay", "--events"]).arg(state).output().expect("the program starts");
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect());
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }

    /// What this one told and the later one does not: a sentence for each.
    pub(super) fn missing_in(&self, later: &Ledger) -> Vec<String> {
        let mut missing = Vec::new();
        for (name, game) in &self.games {
            match later.games.get(name) {
                None => missing.push(format!("game {name} is gone")),
                Some(now) if !now.holds(game) => missing.push(format!("game {name}: {}", now.beside(game))),
                Some(_) => {}
            }
        }
        let common = self.events.iter().zip(&later.events).take_while(|(before, now)| before == now).count();
        if common < self.events.len() && !later.events.is_empty() {
            missing.push(format!("event {} of {} is another", common + 1, self.events.len()));
        }
        missing
    }
}

impl Game {
    /// A game may have gone on since.
    fn holds(&self, before: &Game) -> bool {
        let ended = before.result != "*";
        self.players == before.players
            && self.moves.starts_with(&before.moves)
            && (!ended || (self.result == before.result && self.moves == before.moves))
    }

    fn beside(&self, before: &Game) -> String {
        let brief = |game: &Game| format!("{} plies {} {:?}", game.moves.len(), game.result, game.players);
        format!("told {}, now {}", brief(before), brief(self))
    }
}

fn read(pgn: &str) -> Vec<(String, Game)> {
    let texts = pgn.split("[Event ").filter(|text| !text.trim().is_empty());
    let games = texts.map(|text| {
        let tag = |name: &str| {
            let begin = format!("[{name} \"");
            let value = text.lines().find_map(|line| line.strip_prefix(&begin)?.strip_suffix("\"]"));
            value.unwrap_or_default().to_owned()
        };
        let moves = truth::games(&format!("[Event {text}")).into_iter().next().unwrap_or_default();
        (tag("Round"), Game { players: [tag("White"), tag("Black")], result: tag("Result"), moves })
    });
    games.collect()
}
