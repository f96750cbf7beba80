//! The virtual boards of a demonstration: each a process of its own on a pseudo-terminal, as real boards are on their
//! cables.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command as Process, Stdio},
    thread::JoinHandle,
};

use anyhow::Context;
use rustix::process::{Pid, Signal, kill_process};
use tokio::sync::mpsc;

use super::programme;
use crate::rehearsal::{self, Game, News, Profile};

/// The boards that are up.
#[derive(Debug)]
pub struct Boards {
    boards: Vec<Board>,
    heard: Option<mpsc::UnboundedReceiver<Heard>>,
}

/// What is heard at a table.
#[derive(Debug)]
pub struct Heard {
    pub(super) table: u16,
    pub(super) news: News,
}

#[derive(Debug)]
struct Board {
    process: Child,
    told: JoinHandle<io::Result<String>>,
}

/// What the boards say was really played.
#[derive(Debug)]
pub struct Played {
    /// The games of each board, the last perhaps not ended.
    pub(super) games: Vec<Vec<Game>>,
}

impl Boards {
    /// Puts up `count` boards, reachable as `FOLDER/board-N`.
    pub fn put_up(folder: &Path, count: u16, profile: Profile, speed: u32, seed: u64) -> anyhow::Result<Boards> {
        fs::create_dir_all(folder)
            .with_context(|| format!("{} can't be made: name a folder of yours with --state", folder.display()))?;
        let program = std::env::current_exe()
            .context("this program can't find itself to run the boards: start it again where it is installed")?;
        let (tell, heard) = mpsc::unbounded_channel();
        let mut up = Boards { boards: Vec::new(), heard: Some(heard) };
        for number in 1..=count {
            let first = (usize::from(number) - 1) * programme::APART + 1;
            let mut process = Process::new(&program)
                .args(["board", "--endless", "--games", "--link"])
                .arg(folder.join(format!("board-{number}")))
                .args(["--profile", &clap_name(profile), "--first", &first.to_string()])
                .args(["--speed", &speed.to_string(), "--seed", &(seed + u64::from(number)).to_string()])
                .args(["--serial", &programme::serial(number).to_string()])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .context("a virtual board can't be started: close other programs, or play on fewer with --boards")?;
            let aloud = process.stderr.take().expect("it was piped");
            let tell = tell.clone();
            std::thread::spawn(move || listen(number, aloud, &tell));
            let mut out = process.stdout.take().expect("it was piped");
            let told = std::thread::spawn(move || {
                let mut text = String::new();
                out.read_to_string(&mut text).map(|_| text)
            });
            up.boards.push(Board { process, told });
        }
        Ok(up)
    }

    /// What is said aloud at the tables from here on. Whoever asks first hears it.
    pub fn heard(&mut self) -> Option<mpsc::UnboundedReceiver<Heard>> {
        self.heard.take()
    }

    /// Takes the boards down and hears what they really played.
    pub fn take_down(&mut self) -> anyhow::Result<Played> {
        for board in &self.boards {
            board.end();
        }
        let mut games = Vec::new();
        for mut board in self.boards.drain(..) {
            board.process.wait()?;
            let text = board.told.join().expect("reading text does not panic")?;
            let pgn = text.split_once('\n').map_or("", |(_device, rest)| rest);
            games.push(rehearsal::read(pgn.as_bytes()).unwrap_or_default());
        }
        Ok(Played { games })
    }
}

/// Passes on what is news, until the board is down or nobody listens.
fn listen(table: u16, aloud: impl Read, tell: &mpsc::UnboundedSender<Heard>) {
    let news = BufReader::new(aloud).lines().map_while(Result::ok).filter_map(|line| line.parse().ok());
    for news in news {
        if tell.send(Heard { table, news }).is_err() {
            return;
        }
    }
}

impl Board {
    fn end(&self) {
        if let Some(pid) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            // A board that has gone by itself needs no telling.
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

impl Drop for Boards {
    fn drop(&mut self) {
        for board in &mut self.boards {
            board.end();
            let _ = board.process.wait();
        }
    }
}

fn clap_name(profile: Profile) -> String {
    use clap::ValueEnum;
    profile.to_possible_value().expect("every profile has a name").get_name().to_owned()
}
