//! Blind players: what is final on the board ends in an ear, once and whole, whatever dies on the way.

use std::{
    fs,
    path::{Path, PathBuf},
};

use escaque::voice::Wave;
use protocol::feed::{Entry, Event, Side, Spoken, SpokenState, TableEvent, VoiceNews};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Board, Daemon, escaque, until};

const GAME: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0";

#[test]
fn the_moves_of_the_sighted_player_are_spoken_to_the_blind_one_and_no_others() {
    let house = House::with(GAME);
    let daemon = house.start(&[]);
    house.seat(&daemon, &["black"]);
    let board = house.board();
    let wavs = until("three announcements", || Some(house.wavs("black")).filter(|wavs| wavs.len() >= 3));
    board.take_down();
    for wav in &wavs {
        let wave = Wave::read(&fs::read(wav).expect("it is there")).expect("a sound");
        assert!((1_000..5_000).contains(&wave.length_ms()), "{} ms", wave.length_ms());
        assert!(wave.level() > 0.02 && wave.peak() < 1.0 && wave.silence_ms() <= 400, "{wave:?}");
    }
    assert_eq!(house.wavs("white"), Vec::<PathBuf>::new());
    daemon.stop();
    let (begun, ended) = (house.told(SpokenState::Begun), house.told(SpokenState::Ended));
    let texts = begun.iter().map(|spoken| spoken.text.as_str()).take(3).collect::<Vec<_>>();
    let expected = ["Bauer Eva zwei, Eva vier", "Springer Gustav eins, Felix drei", "Läufer Felix eins, Bella fünf"];
    assert_eq!(texts, expected);
    assert!(ended.len() >= 3, "each was spoken to its end, and that is in the journal");
}

/// A daemon with one board that plays one game.
struct House {
    folder: TempDir,
}

impl House {
    fn with(game: &str) -> House {
        let folder = TempDir::new().expect("a folder for the test");
        fs::write(folder.path().join("game.pgn"), format!("[Event \"?\"]\n\n{game}\n")).expect("it is writable");
        House { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, more: &[&str]) -> Daemon {
        let (pattern, wavs) = (self.path("board-*").display().to_string(), self.path("wav").display().to_string());
        let mut arguments = vec!["--port", &pattern, "--voice-folder", &wavs];
        arguments.extend(more);
        Daemon::start(&self.path("state"), &arguments)
    }

    /// Opens a round in which these players are blind and hear the game.
    fn seat(&self, daemon: &Daemon, blind: &[&str]) {
        let players = if blind.len() == 2 { "both" } else { blind[0] };
        order(daemon, json!({ "command": "open_round", "event": "open", "round": 1, "date": "2026.11.20" }));
        order(daemon, json!({ "command": "assign", "table": TABLE, "board": "30001" }));
        order(daemon, json!({ "command": "blind", "table": TABLE, "players": players }));
        for side in blind {
            order(daemon, json!({ "command": "voice", "table": TABLE, "side": side, "earphone": {} }));
        }
    }

    fn board(&self) -> Board {
        let games = self.path("game.pgn").display().to_string();
        Board::put_up(&self.path("board-1"), 30_001, &["--games", &games, "--speed", "40"])
    }

    /// What this player heard, in order.
    fn wavs(&self, side: &str) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.path("wav")) else { return Vec::new() };
        let is_theirs = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.ends_with(".wav") && name.contains(side)
        };
        let mut wavs = entries.flatten().map(|entry| entry.path()).filter(is_theirs).collect::<Vec<_>>();
        wavs.sort_by_key(|path| fs::metadata(path).and_then(|data| data.modified()).ok());
        wavs
    }

    /// What the journal says was spoken.
    fn told(&self, state: SpokenState) -> Vec<Spoken> {
        spoken(&self.path("state")).into_iter().filter(|(_, spoken)| spoken.state == state).map(|told| told.1).collect()
    }
}

const TABLE: &str = "open/1/1";

fn order(daemon: &Daemon, order: Value) {
    let (status, answer) = daemon.order(&order);
    assert_eq!(status, 200, "{answer}");
}

fn spoken(state: &Path) -> Vec<(Side, Spoken)> {
    let output = escaque().args(["replay", "--events"]).arg(state).output().expect("the program starts");
    let told = String::from_utf8_lossy(&output.stdout);
    let told = told.lines().map(|line| serde_json::from_str::<TableEvent>(line).expect("an event"));
    let spoken = told.filter_map(|event| match event.event {
        Event::Entry(Entry::Voice { side, news: VoiceNews::Spoken(spoken) }) => Some((side, spoken)),
        Event::Entry(_) | Event::Sight(_) => None,
    });
    spoken.collect()
}
