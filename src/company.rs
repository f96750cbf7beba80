//! A company of virtual boards: each a process of its own on a pseudo-terminal, as real boards are on their cables.
//! And the guide, who names the players of each game and counts the games.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{self, Read},
    path::Path,
    process::{Child, Command as Process, Stdio},
    thread::JoinHandle,
    time::Duration,
};

use anyhow::Context;
use protocol::feed::{Command, HallView, Order, Player, State, TableId, TimeControl};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};

use crate::{
    record::Book,
    rehearsal::{self, Game, Profile},
    run::{Placed, today},
    screens::{Entrance, doors::Door},
};

/// How often the guide walks round the hall.
const ROUND: Duration = Duration::from_millis(500);

/// Each board begins with another of the built-in games, so that no two tables look alike.
const APART: usize = 3;

/// The event, in addresses.
const EVENT: &str = "rehearsal";

/// The serial number of the first board.
const FIRST_SERIAL: u32 = 20_001;

/// The order that opens the round.
pub fn round_order(profile: Profile) -> Order {
    let control = profile.time_control();
    let command = Command::OpenRound {
        event: EVENT.to_owned(),
        round: 1,
        title: "Rehearsal".to_owned(),
        site: String::new(),
        date: today(),
        time_control: Some(TimeControl { base_s: control.base, increment_s: control.increment }),
        rules: Box::default(),
    };
    Order { table: None, command }
}

/// The order that puts a board on the table of its number.
pub fn board_order(board: u16) -> Order {
    Order { table: Some(table(board)), command: Command::Assign { board: serial(board).to_string() } }
}

fn table(board: u16) -> TableId {
    TableId { event: EVENT.to_owned(), round: 1, table: board }
}

fn serial(board: u16) -> u32 {
    FIRST_SERIAL + u32::from(board) - 1
}

/// The games of one board, in the order it plays them.
fn programme(board: u16) -> Vec<Game> {
    let mut games = rehearsal::embedded();
    let first = (usize::from(board) - 1) * APART % games.len();
    games.rotate_left(first);
    games
}

/// The boards that are up.
#[derive(Debug)]
pub struct Company {
    boards: Vec<Board>,
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
    games: Vec<Vec<Game>>,
}

impl Company {
    /// Puts up `count` boards, reachable as `FOLDER/board-N`.
    pub fn put_up(folder: &Path, count: u16, profile: Profile, speed: u32, seed: u64) -> anyhow::Result<Company> {
        fs::create_dir_all(folder).with_context(|| format!("{} can't be made", folder.display()))?;
        let program = std::env::current_exe().context("this program can't find itself to run the boards")?;
        let mut company = Company { boards: Vec::new() };
        for number in 1..=count {
            let first = (usize::from(number) - 1) * APART + 1;
            let mut process = Process::new(&program)
                .args(["board", "--games", "--link"])
                .arg(folder.join(format!("board-{number}")))
                .args(["--profile", &clap_name(profile), "--first", &first.to_string()])
                .args(["--speed", &speed.to_string(), "--seed", &(seed + u64::from(number)).to_string()])
                .args(["--serial", &serial(number).to_string()])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .context("a virtual board can't be started")?;
            let mut out = process.stdout.take().expect("it was piped");
            let told = std::thread::spawn(move || {
                let mut text = String::new();
                out.read_to_string(&mut text).map(|_| text)
            });
            company.boards.push(Board { process, told });
        }
        Ok(company)
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

impl Board {
    fn end(&self) {
        if let Some(pid) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw) {
            // A board that has gone by itself needs no telling.
            let _ = kill_process(pid, Signal::TERM);
        }
    }
}

impl Drop for Company {
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

/// Walks round the hall: names the players when a game begins, and knows when enough games have been played.
#[derive(Debug)]
pub struct Guide {
    ordering: mpsc::Sender<Placed>,
    entrance: Entrance,
    until: Option<u32>,
    named: BTreeMap<TableId, u32>,
}

impl Guide {
    /// A guide who ends the tour after `until` games, or never.
    pub fn new(ordering: mpsc::Sender<Placed>, entrance: Entrance, until: Option<u32>) -> Guide {
        Guide { ordering, entrance, until, named: BTreeMap::new() }
    }

    /// Walks until enough games have been played.
    pub async fn walk(mut self) {
        loop {
            sleep(ROUND).await;
            let Some(view) = self.entrance.view(Door::Snapshot).await else { return };
            for (table, game) in self.unnamed(&view) {
                self.name(table, game).await;
            }
            if self.until.is_some_and(|until| finished(&view) >= until) {
                return;
            }
        }
    }

    fn unnamed(&self, view: &HallView) -> Vec<(TableId, u32)> {
        let here = view.tables.iter().filter(|table| table.game > 0);
        here.filter(|table| self.named.get(&table.table) != Some(&table.game))
            .map(|table| (table.table.clone(), table.game))
            .collect()
    }

    async fn name(&mut self, table: TableId, game: u32) {
        let games = programme(table.table);
        let at = usize::try_from(game - 1).unwrap_or_default() % games.len();
        let player = |tag: &str| {
            let name = games[at].tags.iter().find(|(name, _)| name == tag).map(|(_, name)| name.clone());
            Player { name: name.unwrap_or_default(), ..Player::default() }
        };
        let command = Command::Pair { white: player("White"), black: player("Black") };
        let (answer, answered) = oneshot::channel();
        self.named.insert(table.clone(), game);
        if self.ordering.send((Order { table: Some(table), command }, answer)).await.is_ok() {
            let _ = answered.await;
        }
    }
}

/// A game is over when it has ended by rule, or when the next one has begun.
fn finished(view: &HallView) -> u32 {
    view.tables.iter().map(|table| table.game.saturating_sub(u32::from(table.state != State::Ended))).sum()
}

impl Played {
    /// Holds the record against what was really played.
    pub fn compare(&self, book: &Book) -> Verdict {
        let mut verdict = Verdict::default();
        for (number, truth) in (1..).zip(&self.games) {
            let pgn = book.table_pgn(&table(number));
            let recorded = rehearsal::read(pgn.as_bytes()).unwrap_or_default();
            for (at, game) in recorded.iter().enumerate() {
                let same = truth.get(at).is_some_and(|real| match at + 1 == recorded.len() {
                    // The last game may have been cut off between a move and its press.
                    true => real.moves.starts_with(&game.moves) || game.moves.starts_with(&real.moves),
                    false => real.moves == game.moves,
                });
                verdict.games += 1;
                if !same {
                    verdict.differing.push(format!("table {number}, game {}", at + 1));
                }
            }
        }
        verdict
    }
}

/// How the record stands against the truth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    games: usize,
    differing: Vec<String>,
}

impl Verdict {
    /// Every game in the record is what was played.
    pub fn is_exact(&self) -> bool {
        self.games > 0 && self.differing.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = self.games - self.differing.len();
        write!(f, "{exact} of {} games are exactly what was played", self.games)?;
        if !self.differing.is_empty() {
            write!(f, "; different: {}", self.differing.join("; "))?;
        }
        Ok(())
    }
}
