//! A company of virtual boards: each a process of its own on a pseudo-terminal, as real boards are on their cables.
//! And the arbiter of the rehearsal, who names the players of each game and sees to its result.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{self, BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command as Process, Stdio},
    thread::JoinHandle,
    time::Duration,
};

use anyhow::Context;
use protocol::feed::{Command, GameResult, HallView, Order, Player, State, TableId, TableView, TimeControl};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep},
};

use crate::{
    record::Book,
    rehearsal::{self, Game, News, Profile},
    run::today,
    screens::{Entrance, Giver, Outcome, Placed, Wish, doors::Door},
};

/// How often the arbiter walks round the hall.
const ROUND: Duration = Duration::from_millis(500);

/// Players who show the result with their kings have done so within this; then the arbiter asks them.
const SHOWN_WITHIN: Duration = Duration::from_secs(12);

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
    Order::to_hall(command)
}

/// The order that puts a board on the table of its number.
pub fn board_order(board: u16) -> Order {
    Order::to_table(table(board), Command::Assign { board: serial(board).to_string() })
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
    heard: Option<mpsc::UnboundedReceiver<Heard>>,
}

/// What is heard at a table.
#[derive(Debug)]
pub struct Heard {
    table: u16,
    news: News,
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
        let (tell, heard) = mpsc::unbounded_channel();
        let mut company = Company { boards: Vec::new(), heard: Some(heard) };
        for number in 1..=count {
            let first = (usize::from(number) - 1) * APART + 1;
            let mut process = Process::new(&program)
                .args(["board", "--endless", "--games", "--link"])
                .arg(folder.join(format!("board-{number}")))
                .args(["--profile", &clap_name(profile), "--first", &first.to_string()])
                .args(["--speed", &speed.to_string(), "--seed", &(seed + u64::from(number)).to_string()])
                .args(["--serial", &serial(number).to_string()])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .context("a virtual board can't be started")?;
            let aloud = process.stderr.take().expect("it was piped");
            let tell = tell.clone();
            std::thread::spawn(move || listen(number, aloud, &tell));
            let mut out = process.stdout.take().expect("it was piped");
            let told = std::thread::spawn(move || {
                let mut text = String::new();
                out.read_to_string(&mut text).map(|_| text)
            });
            company.boards.push(Board { process, told });
        }
        Ok(company)
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

/// The arbiter of the rehearsal. Walks round the hall, names the players when a game begins, confirms what the kings
/// show, asks for the result where they show nothing, and knows when enough games have been played. All of it by orders
/// that an operator could give.
#[derive(Debug)]
pub struct Arbiter {
    ordering: mpsc::Sender<Placed>,
    entrance: Entrance,
    heard: mpsc::UnboundedReceiver<Heard>,
    until: Option<u32>,
    desks: BTreeMap<u16, Desk>,
    settled: u32,
}

/// What the arbiter has to do at one table.
#[derive(Debug, Default)]
struct Desk {
    /// The game that is on at the board, from 1, and whose names are not down yet.
    to_name: Option<usize>,
    /// The game of the record whose names are down.
    named: u32,
    /// A game is over, and its result is not down yet.
    to_settle: Option<Claim>,
}

/// A result on its way to the record.
#[derive(Debug)]
struct Claim {
    /// Which game of the record.
    game: u32,
    result: GameResult,
    since: Instant,
    /// The arbiter was not wanted at this table before: if he is now, the kings have shown something.
    was_playing: bool,
    confirmed: bool,
}

impl Arbiter {
    /// An arbiter who ends the rehearsal after `until` games, or never.
    pub fn new(
        ordering: mpsc::Sender<Placed>,
        entrance: Entrance,
        heard: mpsc::UnboundedReceiver<Heard>,
        until: Option<u32>,
    ) -> Arbiter {
        Arbiter { ordering, entrance, heard, until, desks: BTreeMap::new(), settled: 0 }
    }

    /// Walks until enough games have been played and have their results.
    pub async fn walk(mut self) {
        loop {
            sleep(ROUND).await;
            let Some(view) = self.entrance.view(Door::OperatorFeed).await else { return };
            while let Ok(heard) = self.heard.try_recv() {
                self.note(&heard, &view);
            }
            for table in &view.tables {
                self.look_at(table).await;
            }
            if self.until.is_some_and(|until| self.settled >= until) {
                return;
            }
        }
    }

    fn note(&mut self, heard: &Heard, view: &HallView) {
        let desk = self.desks.entry(heard.table).or_default();
        match &heard.news {
            News::Begun { number } => desk.to_name = Some(*number),
            News::Over { result, .. } => {
                let Some(table) = view.tables.iter().find(|table| table.table.table == heard.table) else { return };
                desk.to_settle = Some(Claim {
                    game: table.game,
                    result: game_result(result),
                    since: Instant::now(),
                    was_playing: table.state == State::Playing,
                    confirmed: false,
                });
            }
        }
    }

    async fn look_at(&mut self, view: &TableView) {
        let Some(desk) = self.desks.get_mut(&view.table.table) else { return };
        let mut orders = Vec::new();
        if let Some(claim) = &mut desk.to_settle {
            orders.extend(claim.order(view));
            if claim.is_settled(view) {
                desk.to_settle = None;
                self.settled += 1;
            }
        }
        if let Some(number) = desk.to_name.filter(|_| view.game > desk.named && desk.to_settle.is_none()) {
            desk.to_name = None;
            desk.named = view.game;
            orders.push(names(view.table.table, number));
        }
        for command in orders {
            self.order(&view.table, command).await;
        }
    }

    async fn order(&self, table: &TableId, command: Command) {
        let order = Order::to_table(table.clone(), command);
        let (placed, told) = Placed::new(Wish::Order(order), Giver::house());
        if self.ordering.send(placed).await.is_ok()
            && let Ok(Outcome::Refused(why)) = told.await
        {
            tracing::info!(table = table.table, "the arbiter of the rehearsal was refused: {why}");
        }
    }
}

impl Claim {
    /// What is to be ordered now, if anything.
    fn order(&mut self, view: &TableView) -> Option<Command> {
        if self.is_settled(view) {
            return None;
        }
        if view.state == State::AwaitingArbiter && self.was_playing && !self.confirmed {
            self.confirmed = true;
            return Some(Command::Confirm);
        }
        let asks = self.confirmed || self.since.elapsed() >= SHOWN_WITHIN;
        asks.then_some(Command::Result { result: self.result.into() })
    }

    /// The result is down, or there is none to come, or it is too late for it: the table has begun another game.
    fn is_settled(&self, view: &TableView) -> bool {
        self.result == GameResult::Open || view.result == self.result || view.game != self.game
    }
}

/// Who plays the game of that number at a board.
fn names(board: u16, number: usize) -> Command {
    let games = programme(board);
    let tags = &games[(number - 1) % games.len()].tags;
    let player = |tag: &str| {
        let name = tags.iter().find(|(name, _)| name == tag).map(|(_, name)| name.clone());
        Player { name: name.unwrap_or_default(), ..Player::default() }
    };
    Command::Pair { white: Box::new(player("White")), black: Box::new(player("Black")) }
}

fn game_result(text: &str) -> GameResult {
    match text {
        "1-0" => GameResult::WhiteWins,
        "0-1" => GameResult::BlackWins,
        "1/2-1/2" => GameResult::Draw,
        _ => GameResult::Open,
    }
}

impl Played {
    /// Holds the record against what was really played: moves, names and results.
    pub fn compare(&self, book: &Book) -> Comparison {
        let mut verdict = Comparison::default();
        for (number, truth) in (1..).zip(&self.games) {
            let pgn = book.table_pgn(&table(number));
            let recorded = rehearsal::read(pgn.as_bytes()).unwrap_or_default();
            for at in 0..truth.len().max(recorded.len()) {
                verdict.games += 1;
                let place = format!("table {number}, game {}", at + 1);
                let why = match (truth.get(at), recorded.get(at)) {
                    (Some(real), Some(told)) => difference(real, told, at + 1 == truth.len()),
                    (None, _) => Some("was never played".to_owned()),
                    // It may have begun a moment ago.
                    (Some(_), None) if at + 1 == truth.len() => None,
                    (Some(_), None) => Some("is missing".to_owned()),
                };
                verdict.differing.extend(why.map(|why| format!("{place} {why}")));
            }
        }
        verdict
    }
}

/// How a game of the record differs from the one that was played. The last one at a board was broken off: between a move
/// and its press, or before its names and its result were down.
fn difference(real: &Game, told: &Game, is_last: bool) -> Option<String> {
    let common = real.moves.iter().zip(&told.moves).take_while(|(real, told)| real == told).count();
    let is_short = common == real.moves.len().min(told.moves.len());
    if common < real.moves.len().max(told.moves.len()) && !(is_last && is_short) {
        return Some(format!("differs from ply {} on", common + 1));
    }
    if is_last {
        return None;
    }
    if real.outcome != told.outcome {
        let text = |game: &Game| game.outcome.map_or("*", shakmaty::KnownOutcome::as_str);
        return Some(format!("ended {}, and the record says {}", text(real), text(told)));
    }
    let tag = |game: &Game, name: &str| game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.clone());
    let named = ["White", "Black"].into_iter().all(|name| tag(real, name) == tag(told, name));
    (!named).then(|| "has the names of another game".to_owned())
}

/// How the record stands against the truth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    games: usize,
    differing: Vec<String>,
}

impl Comparison {
    /// Every game in the record is what was played.
    pub fn is_exact(&self) -> bool {
        self.games > 0 && self.differing.is_empty()
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let exact = self.games - self.differing.len();
        write!(f, "{exact} of {} games are exactly what was played", self.games)?;
        if !self.differing.is_empty() {
            write!(f, "; different: {}", self.differing.join("; "))?;
        }
        Ok(())
    }
}
