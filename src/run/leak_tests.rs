//! What spectators can find out. Two futures of one round are played, each with a restart in its middle, while somebody
//! reads every public door again and again, headers included. As long as the futures differ in nothing that is old
//! enough, every byte is the same.
//!
//! Time is set by hand; everything else is real: the journal, the core, the listeners, the sockets. Three ways to get it
//! wrong are kept here, and each of them is found.

use std::{
    collections::BTreeMap,
    io::{ErrorKind, Read as _},
    net::SocketAddr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Router,
    extract::Request,
    http::HeaderValue,
    middleware::{self, Next},
};
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{Answer, Command, GameResult, OnAir, Order, Player, TableId, TimeControl, Variant},
};
use shakmaty::{Chess, Position as _, uci::UciMove};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    sync::OnceCell,
};

use super::{
    bulletins::Bulletins,
    gates::Beyond,
    plan::Plan,
    running::{PATIENCE, Run},
    start::Starting,
    turn::Turn,
};
use crate::{
    press::Source as _,
    record::Manner,
    screens::{
        AppState, Listener,
        doors::{At, Door},
        router,
    },
    sensors::{Monotonic, PORT_BYTES, Patterns},
    voice,
};

/// What is ordered for the round: a minute.
const DELAY_S: u32 = 60;
/// Seconds between two readings of all doors.
const STEP_S: u64 = 10;
/// When the daemon is killed and started again, and when it is back.
const KILLED_S: u64 = 300;
const BACK_S: u64 = 400;
const END_S: u64 = 700;
/// When the futures part.
const PARTED_S: u64 = 450;

#[tokio::test]
async fn nobody_outside_can_tell_two_futures_apart_before_they_are_old_enough() {
    let (one, other) = (one().await, read(Future::Other, router).await);
    let apart = first_difference(one, &other).expect("in the end the futures differ");
    // At 450 the delay is two minutes, since 420, and so it stays until it is lowered at 540.
    assert!(apart >= 540, "the doors differ at {apart} s");
}

#[tokio::test]
async fn what_is_taken_back_late_leaves_less_and_never_what_was_wrong() {
    let (one, late) = (one().await, read(Future::CorrectedLate, router).await);
    let apart = first_difference(one, &late).expect("in the end the futures differ");
    assert_eq!(apart, PARTED_S, "what was shown and does not stand is gone at once");
    for (at, doors) in &late {
        let (line, full) = (line_in(doors), line_in(&one[at]));
        let is_less = full.starts_with(&line);
        let is_right = line.contains(&"Nf6".to_owned()) && *at >= 540;
        assert!(is_less || is_right, "{at}: {line:?} beside {full:?}");
        assert!(*at < PARTED_S || !line.contains(&"Nc6".to_owned()), "{at}: {line:?}");
    }
}

#[tokio::test]
async fn while_something_is_not_on_disk_spectators_are_shown_nothing_more() {
    let state = tempfile::tempdir().expect("a folder");
    let mut evening = Evening::begin(state.path(), 0, router).await;
    for (at, number, command) in [
        (10, None, delay(DELAY_S, 0)),
        (20, Some(3), Command::Assign { board: "3".into() }),
        (20, Some(3), game()),
        (30, Some(3), play("e4")),
        (60, Some(3), play("e5")),
    ] {
        evening.pass(at * 1000).await;
        evening.act(Deed::Order(number, command)).await;
    }
    // A file where the journal of the next round wants its folder.
    std::fs::write(state.path().join("journal/spring"), "in the way").expect("the folder is writable");
    evening.pass(95_000).await;
    evening.run.order(open_round("spring")).await.expect("it waits for the disk");
    assert_eq!(evening.run.on_air_at(), None, "nobody comes back while something waits");
    let shown = evening.spy.get("/pgn/open/1/3", "").await;
    assert!(shown.contains("e4") && !shown.contains("e5"), "{shown}");
    // It is as if time stood still, whatever else is done.
    evening.clock.store(200_000, Ordering::SeqCst);
    let reply = Order { at: Some(table(3).into()), command: play("Nf3") };
    evening.run.order(reply).await.expect("it waits behind it");
    assert_eq!(evening.spy.get("/pgn/open/1/3", "").await, shown);
}

#[tokio::test]
async fn a_door_that_shows_the_games_live_is_found() {
    let live = |mut app: AppState| {
        app.public_shelf = app.shelf.clone();
        router(app)
    };
    assert!(parted(live).await < 540);
}

#[tokio::test]
async fn a_mark_that_changes_with_the_live_games_is_found() {
    let tagged = |app: AppState| {
        let shelf = app.shelf.clone();
        router(app).layer(middleware::from_fn(move |request: Request, next: Next| {
            let mark = shelf.mark_of_all();
            async move {
                let mut response = next.run(request).await;
                if let Ok(mark) = HeaderValue::from_str(&format!("\"{mark}\"")) {
                    response.headers_mut().insert("etag", mark);
                }
                response
            }
        }))
    };
    assert!(parted(tagged).await < 540);
}

#[tokio::test]
async fn a_number_of_live_games_is_found() {
    let counted = |app: AppState| {
        let entrance = app.entrance.clone();
        router(app).layer(middleware::from_fn(move |request: Request, next: Next| {
            let entrance = entrance.clone();
            async move {
                let hall = entrance.view(Door::HallSnapshot).await.expect("the feed moves");
                let on = hall.tables.iter().filter(|table| table.result == GameResult::Open).count();
                let mut response = next.run(request).await;
                response.headers_mut().insert("x-games", on.into());
                response
            }
        }))
    };
    assert!(parted(counted).await < 540);
}

/// The first future, by doors nobody tampered with.
async fn one() -> &'static Readings {
    static ONE: OnceCell<Readings> = OnceCell::const_new();
    ONE.get_or_init(|| read(Future::One, router)).await
}

/// When the doors show that the futures differ.
async fn parted(doors: impl Fn(AppState) -> Router + Copy) -> u64 {
    let (one, other) = (read(Future::One, doors).await, read(Future::Other, doors).await);
    first_difference(&one, &other).expect("they differ in the end")
}

/// What came out of each door at each time.
type Readings = BTreeMap<u64, BTreeMap<String, String>>;

fn first_difference(one: &Readings, other: &Readings) -> Option<u64> {
    assert!(one.keys().eq(other.keys()));
    let (at, doors) = one.iter().find(|(at, doors)| other[at] != **doors)?;
    for (door, text) in doors.iter().filter(|(door, text)| other[at].get(*door) != Some(text)) {
        println!("{at} s, {door}:\n{text}\nbeside\n{:?}\n", other[at].get(door));
    }
    Some(*at)
}

/// The line of the first table.
fn line_in(doors: &BTreeMap<String, String>) -> Vec<String> {
    let body = doors["/snapshot"].split("\r\n\r\n").nth(1).unwrap_or_default();
    let view: protocol::feed::HallView = serde_json::from_str(body).expect("a view");
    view.only(&table(1)).tables.pop().map(|table| table.line).unwrap_or_default()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Future {
    One,
    Other,
    /// Something that spectators have seen is corrected.
    CorrectedLate,
}

/// What happens, and in which future.
fn script(future: Future) -> Vec<(u64, Deed)> {
    use Deed::{Board, Order};
    let mut deeds = vec![
        (10, Order(None, delay(DELAY_S, 0))),
        (12, Order(Some(1), pair("Xie Jun", "Polgár, Judit"))),
        (12, Order(Some(2), pair("Carlsen, Magnus", "Minor, A."))),
        (12, Order(Some(3), pair("Hou Yifan", "Ju Wenjun"))),
        (14, Order(None, Command::Withhold { player: "Minor, A.".into(), withheld: true })),
        (15, Order(None, Command::OnAir { event: Some("open".into()), tables: OnAir::First(3) })),
        (20, Order(Some(2), Command::Assign { board: "2".into() })),
        (20, Order(Some(3), Command::Assign { board: "3".into() })),
        (20, Order(Some(4), Command::Assign { board: "4".into() })),
        (30, Board),
        (31, Order(Some(2), game())),
        (31, Order(Some(3), game())),
        (31, Order(Some(4), game())),
        (50, Order(Some(3), play("e4 e5 Nf3 Nc6 Bb5"))),
        // A move is taken back before anybody outside has seen it, and a delay is raised.
        (60, Order(Some(3), Command::Undo { plies: 1 })),
        (100, Order(Some(3), play("Bc4"))),
        (420, Order(None, delay(120, 0))),
        (430, Order(Some(3), play("Bc5"))),
        (440, Order(Some(2), play("d4"))),
        (540, Order(None, delay(30, 0))),
        (600, Order(None, delay(0, 2))),
    ];
    for ply in 0..4 {
        deeds.push((70 + 20 * ply, Board));
    }
    deeds.extend(match future {
        Future::One => {
            vec![(PARTED_S, Board), (460, Order(Some(3), play("O-O Nf6"))), (620, Order(Some(3), play("d3 d6 c3")))]
        }
        Future::Other => vec![
            (PARTED_S, Order(Some(1), Command::Result { result: GameResult::BlackWins.into() })),
            (455, Order(Some(4), play("d4 d5"))),
            (460, Order(Some(3), play("c3 Nf6 d4"))),
            (470, Order(Some(3), Command::Undo { plies: 2 })),
            (480, Order(Some(2), Command::Result { result: GameResult::Draw.into() })),
            (490, Order(Some(3), Command::Result { result: GameResult::WhiteWins.into() })),
            (500, Order(Some(3), Command::Result { result: GameResult::Open.into() })),
            (620, Order(Some(3), play("Nf6 d3 d6"))),
        ],
        Future::CorrectedLate => {
            vec![(PARTED_S, Order(Some(1), Command::Replace { ply: 4, played: "Nf6".into(), cut: true }))]
        }
    });
    deeds.sort_by_key(|(at, _)| *at);
    deeds
}

enum Deed {
    Order(Option<u16>, Command),
    /// The next move on the first table's board, and the press after it; at first that it is plugged in.
    Board,
}

fn delay(seconds: u32, plies: u16) -> Command {
    Command::Delay { event: None, seconds, plies }
}

fn pair(white: &str, black: &str) -> Command {
    let [white, black] = [white, black].map(|name| Player { name: name.to_owned(), ..Player::default() });
    Command::Pair { white: Box::new(white), black: Box::new(black) }
}

fn game() -> Command {
    Command::NewGame { fen: None, variant: Variant::Standard }
}

fn open_round(event: &str) -> Order {
    let command = Command::OpenRound {
        event: event.to_owned(),
        round: 1,
        title: "Spring".into(),
        site: String::new(),
        date: "2026.11.22".into(),
        time_control: Some(TimeControl { base_s: 5400, increment_s: 30 }),
        rules: Box::default(),
    };
    Order { at: None, command }
}

fn play(moves: &str) -> Command {
    Command::Insert { ply: None, moves: moves.split(' ').map(str::to_owned).collect(), cut: false }
}

fn table(table: u16) -> TableId {
    TableId { event: "open".to_owned(), round: 1, table }
}

/// Plays one future and reads all doors at each step.
async fn read(future: Future, doors: impl Fn(AppState) -> Router + Copy) -> Readings {
    let state = tempfile::tempdir().expect("a folder");
    let mut evening = Evening::begin(state.path(), 0, doors).await;
    evening.board = Some(Board::default());
    let mut deeds = script(future).into_iter().peekable();
    let mut readings = Readings::new();
    for at in (0..=END_S).step_by(usize::try_from(STEP_S).expect("small")) {
        if at == KILLED_S {
            let board = evening.board.take();
            drop(evening);
            evening = Evening::begin(state.path(), BACK_S, doors).await;
            evening.board = board;
        }
        if (KILLED_S..BACK_S).contains(&at) {
            continue;
        }
        while let Some((t, deed)) = deeds.next_if(|(t, _)| *t <= at) {
            evening.pass(t * 1000).await;
            evening.act(deed).await;
        }
        evening.pass(at * 1000).await;
        let mut doors = evening.spy.read().await;
        doors.insert("[[air]]".to_owned(), evening.told());
        readings.insert(at, doors);
    }
    readings
}

/// The daemon, and somebody outside.
struct Evening {
    run: Run,
    clock: &'static AtomicU64,
    spy: Spy,
    board: Option<Board>,
}

impl Evening {
    async fn begin(state: &Path, at_s: u64, doors: impl FnOnce(AppState) -> Router) -> Evening {
        let clock: &'static AtomicU64 = Box::leak(Box::default());
        let anywhere = || "127.0.0.1:0".parse().expect("an address");
        let nowhere = state.join("board-*").display().to_string();
        let plan = Plan {
            listen: anywhere(),
            beyond: Beyond { public: Some(anywhere()), ..Beyond::default() },
            ports: Patterns::of([nowhere]).expect("a pattern"),
            port_bytes: PORT_BYTES,
            state: state.to_owned(),
            pairings: None,
            livechess: None,
            voice: voice::Plan::default(),
            air: Vec::new(),
            event: (at_s == 0).then(|| open_round("open")),
        };
        let starting =
            Starting::open_by(plan, Monotonic::by_hand(clock), doors).await.expect("a free port and a folder");
        let started = starting.enter().await.expect("a journal");
        let public =
            started.opened.iter().find(|opened| opened.listener == Listener::Public).expect("it was asked for");
        let spy = Spy::at(public.address, started.entrance.clone());
        let mut evening = Evening { run: started.run, clock, spy, board: None };
        evening.pass(at_s * 1000).await;
        evening
    }

    /// Lets time pass, and does what is due by then, as the loop does.
    async fn pass(&mut self, now: u64) {
        let due = [self.run.hall.deadline(), self.run.on_air_at()].into_iter().flatten().filter(|due| *due < now).min();
        if let Some(due) = due.filter(|due| *due > self.run.now()) {
            Box::pin(self.pass(due)).await;
            return Box::pin(self.pass(now)).await;
        }
        self.clock.store(self.run.time.ticks_at(now), Ordering::SeqCst);
        self.turn(|run, turn| {
            let now = run.time.stamp();
            turn.elapse(&mut run.hall, now);
        })
        .await;
        self.run.go_on_air();
        self.spy.wait().await;
    }

    /// What is told to those outside who take games in their own manner.
    fn told(&self) -> String {
        let bulletins = Bulletins::of(Arc::clone(&self.run.outlets.air), Arc::clone(&self.run.outlets.book));
        let rounds = bulletins.rounds(false).into_iter().map(|(event, round, _)| {
            let bulletin = bulletins.bulletin(&event, round, false);
            let games = bulletin.slips().map(|slip| slip.pgn(slip.plies(), slip.result(), Manner::Plain));
            format!("{event} {round} {:?}\n{}", bulletin.programme, games.collect::<String>())
        });
        rounds.collect()
    }

    async fn turn(&mut self, act: impl FnOnce(&mut Run, &mut Turn)) {
        let mut turn = Turn::default();
        act(&mut self.run, &mut turn);
        self.run.ask(&mut turn);
        self.run.close(turn, Vec::new());
        self.run.settle(PATIENCE).await.expect("the disk is there");
        self.spy.wait().await;
    }

    async fn act(&mut self, deed: Deed) {
        match deed {
            Deed::Order(number, command) => {
                let order = Order { at: number.map(|number| table(number).into()), command };
                let answer = self.run.order(order.clone()).await.expect("the disk is there");
                assert!(matches!(answer, Answer::Done { .. }), "{order:?}: {answer:?}");
                self.spy.wait().await;
            }
            Deed::Board => {
                let mut board = self.board.take().expect("it is on the table");
                for said in board.says() {
                    let later = self.run.now() + 300;
                    self.pass(later).await;
                    self.turn(|run, turn| run.observe("1".to_owned(), said, later, turn)).await;
                }
                self.board = Some(board);
            }
        }
    }
}

/// What stands on the first table.
struct Board {
    game: Chess,
    played: usize,
    is_plugged_in: bool,
    lever: Face,
}

const LINE: [&str; 5] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"];

impl Default for Board {
    fn default() -> Board {
        Board { game: Chess::default(), played: 0, is_plugged_in: false, lever: Face::Left }
    }
}

impl Board {
    fn says(&mut self) -> Vec<Observation> {
        if !std::mem::replace(&mut self.is_plugged_in, true) {
            let squares = Contents::of(self.game.board(), Lie::Straight);
            return vec![Observation::Link(Link::Up), Observation::Board(Box::new(squares)), self.reading()];
        }
        let before = Contents::of(self.game.board(), Lie::Straight);
        let played = LINE[self.played].parse::<UciMove>().expect("a move").to_move(&self.game).expect("a legal one");
        self.played += 1;
        self.game.play_unchecked(played);
        let after = Contents::of(self.game.board(), Lie::Straight);
        let changed = WireSquare::all().filter(|square| before.get(*square) != after.get(*square)).collect::<Vec<_>>();
        let square = |square: &WireSquare| Observation::Square { square: *square, content: after.get(*square) };
        let (lifted, placed): (Vec<_>, Vec<_>) =
            changed.iter().partition(|square| after.get(**square) == Content::Empty);
        self.lever = self.lever.other();
        let mut said = lifted.into_iter().chain(placed).map(square).collect::<Vec<_>>();
        said.push(self.reading());
        said
    }

    fn reading(&self) -> Observation {
        let face = FaceReading { seconds: 5000, flag: false };
        let reading = ClockReading {
            left: face,
            right: face,
            running: true,
            high: self.lever,
            to_move: Some(self.lever),
            battery_low: false,
        };
        Observation::Clock(ClockSense::Reading(reading))
    }
}

/// When a game began, and a clock was read, is another time of day in each run, and so is the mark of what tells it; that
/// it was is not.
fn without_wall(mut answer: String) -> String {
    for (key, word) in [("\"firstMove\":", "begun"), ("\"time\":", "read")] {
        let Some((before, after)) = answer.split_once(key) else { continue };
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let said = if after.starts_with('0') { "0" } else { word };
        let head = before.lines().filter(|line| !line.starts_with("etag: ") && !line.starts_with("content-length: "));
        answer = format!("{}{said}{rest}", head.collect::<Vec<_>>().join("\n"));
    }
    answer
}

/// Somebody outside, who reads everything there is.
struct Spy {
    public: SocketAddr,
    /// Only to know when the feed has told all it has to tell.
    entrance: crate::screens::Entrance,
    feeds: BTreeMap<&'static str, std::net::TcpStream>,
    marks: BTreeMap<&'static str, String>,
    /// What each address told last of when its text had changed.
    changed: BTreeMap<&'static str, String>,
}

/// The addresses that are read behind each way there is, sockets aside.
const ADDRESSES: [&str; 23] = [
    "/",
    "/table/open/1/1",
    "/feed",
    "/nothing",
    "/feed/schema.json",
    "/healthz",
    "/snapshot",
    "/pgn",
    "/pgn/1",
    "/pgn/2",
    "/pgn/open/1",
    "/pgn/open/1/3",
    "/pgn/open/1/4",
    "/svg/open/1/1.svg",
    "/words/open/1/3.json?language=en",
    "/words/open/1/3.txt",
    "/words/open/1/4.brf",
    "/get/open/tournament.json",
    "/get/open/round-1/index.json",
    "/get/open/round-1/game-1.json",
    "/get/open/round-1/game-3.json",
    "/get/open/round-1/games.pgn",
    "/meta/open",
];

const FEEDS: [&str; 4] = ["/feed/ws", "/feed/ws?table=open/1/1", "/feed/v2", "/feed/v2/open/1/3"];

#[test]
fn every_public_door_is_read() {
    for door in Door::ALL {
        let At::Http(route, listeners) = door.row().at else {
            // What goes out by itself is read in `told`, and is on air or for those who hold it back.
            let goes_out = matches!(door.row().at, At::Outward(_));
            assert!(!goes_out || matches!(door, Door::Press | Door::LivePress), "{door:?} is not read");
            continue;
        };
        let is_here = |address: &&&str| {
            let path = address.split('?').next().unwrap_or_default();
            crate::screens::doors::Route::of(path) == route
        };
        let read = ADDRESSES.iter().chain(&FEEDS).filter(is_here).count();
        assert!(read > 0 || !listeners.contains(&Listener::Public), "{door:?} is not read");
    }
}

impl Spy {
    fn at(public: SocketAddr, entrance: crate::screens::Entrance) -> Spy {
        Spy { public, entrance, feeds: BTreeMap::new(), marks: BTreeMap::new(), changed: BTreeMap::new() }
    }

    /// Every note that was left before is read, and what follows from it is written: so nothing that is told one after
    /// the other comes together by chance.
    async fn wait(&self) {
        // It answers while it reads and writes when it has read all: who is answered again knows that all is written.
        for _ in 0..2 {
            self.entrance.view(Door::PublicFeed).await.expect("the feed moves");
        }
    }

    async fn read(&mut self) -> BTreeMap<String, String> {
        let mut readings = BTreeMap::new();
        for path in FEEDS {
            let heard = self.listen(path).await;
            readings.insert(path.to_owned(), heard);
        }
        for path in ADDRESSES {
            let answer = self.get(path, "").await;
            let answer = without_wall(self.without_time(path, answer)).replace(&self.public.to_string(), "here");
            if let Some(mark) = answer.lines().find_map(|line| line.strip_prefix("etag: ")) {
                let known = self.marks.insert(path, mark.to_owned()).unwrap_or_default();
                let again = self.get(path, &format!("If-None-Match: {known}\r\n")).await;
                let again = self.without_time(path, again);
                readings.insert(format!("{path} again"), again);
            }
            readings.insert(path.to_owned(), answer);
        }
        readings
    }

    /// When a text changed last is another time of day in each run; that it is told to have changed is not.
    fn without_time(&mut self, path: &'static str, answer: String) -> String {
        let Some(told) = answer.lines().find_map(|line| line.strip_prefix("last-modified: ")).map(str::to_owned) else {
            return answer;
        };
        let plain = answer.replace(&told, if self.changed.get(path) == Some(&told) { "as before" } else { "anew" });
        self.changed.insert(path, told);
        plain
    }

    /// What a feed has said since it was listened to last, signs of life aside.
    async fn listen(&mut self, path: &'static str) -> String {
        let mut said = String::new();
        if !self.feeds.contains_key(path) {
            let (socket, agreed) = follow(self.public, path).await;
            said = plain(&agreed);
            self.feeds.insert(path, socket);
        }
        let socket = self.feeds.get_mut(path).expect("it is followed");
        for frame in frames(socket).iter().filter(|frame| !frame.contains("\"beat\":null")) {
            said += &plain(frame);
            said.push('\n');
        }
        said
    }

    async fn get(&self, path: &str, headers: &str) -> String {
        let mut socket = TcpStream::connect(self.public).await.expect("somebody listens");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}Connection: close\r\n\r\n", self.public);
        socket.write_all(request.as_bytes()).await.expect("somebody reads");
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).await.expect("an answer");
        plain(&String::from_utf8_lossy(&answer))
    }
}

/// A follower whose handshake is answered, and the answer.
async fn follow(address: SocketAddr, path: &str) -> (std::net::TcpStream, String) {
    let mut socket = TcpStream::connect(address).await.expect("somebody listens");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).await.expect("somebody reads");
    let (mut agreed, mut byte) = (Vec::new(), [0]);
    while !agreed.ends_with(b"\r\n\r\n") {
        socket.read_exact(&mut byte).await.expect("an answer");
        agreed.push(byte[0]);
    }
    // A snapshot comes first, whenever the daemon gets to it.
    socket.peek(&mut byte).await.expect("a snapshot");
    (socket.into_std().expect("a socket"), String::from_utf8_lossy(&agreed).into_owned())
}

/// All frames that are there.
fn frames(socket: &mut std::net::TcpStream) -> Vec<String> {
    socket.set_nonblocking(true).expect("it is a socket");
    let (mut bytes, mut some) = (Vec::new(), [0; 65536]);
    loop {
        match socket.read(&mut some) {
            Ok(0) => panic!("the feed has hung up"),
            Ok(count) => bytes.extend_from_slice(&some[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    let mut frames = Vec::new();
    let mut rest = bytes.as_slice();
    while let [first, length, behind @ ..] = rest {
        assert_eq!(*first, 0x81, "a text");
        let wide = match length {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let told = behind[..wide].iter().fold(0, |sum, byte| sum * 256 + usize::from(*byte));
        let length = if wide == 0 { usize::from(*length) } else { told };
        frames.push(String::from_utf8_lossy(&behind[wide..wide + length]).into_owned());
        rest = &behind[wide + length..];
    }
    frames
}

/// Without the time of day and the name of the run, which are another each time.
fn plain(text: &str) -> String {
    let mut text = text.lines().filter(|line| !line.starts_with("date: ")).collect::<Vec<_>>().join("\r\n");
    if let Some(at) = text.find("\"run\":\"") {
        text.replace_range(at..at + "\"run\":\"0123456789abcdef\"".len(), "");
    }
    text
}
