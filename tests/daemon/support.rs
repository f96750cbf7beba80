//! The program as a user has it: started as a process, spoken to over sockets, ended by its number.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead, BufReader, ErrorKind, Read, Write},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, channel},
    },
    thread::{JoinHandle, sleep, spawn},
    time::{Duration, Instant},
};

use protocol::feed::{Body, Entry, Event, HallView, Message, Sight, TableEvent, TableId};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tungstenite::WebSocket;

/// However busy the machine is, what is awaited comes within this or not at all.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// Between two looks at something that has no bell.
pub(crate) const LOOK: Duration = Duration::from_millis(10);

/// The program that is judged: the one built with the tests, unless another is named.
pub(crate) fn program() -> PathBuf {
    std::env::var_os("ESCAQUE").map_or_else(|| env!("CARGO_BIN_EXE_escaque").into(), PathBuf::from)
}

/// The program, ready to be given arguments.
pub(crate) fn escaque() -> Command {
    let mut command = Command::new(program());
    command.env_remove("NOTIFY_SOCKET").env_remove("WATCHDOG_USEC").env_remove("RUST_LOG").stdin(Stdio::null());
    command
}

/// What a run that is expected to end says, and how it ends.
pub(crate) fn said(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().expect("the program starts");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).trim_end().to_owned())
}

/// What the journal in a folder says has happened.
pub(crate) fn events(state: &Path) -> Vec<TableEvent> {
    let output = escaque().args(["replay", "--events"]).arg(state).output().expect("the program starts");
    let told = String::from_utf8_lossy(&output.stdout);
    told.lines().map(|line| serde_json::from_str(line).expect("an event")).collect()
}

/// Waits until something is so.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "waited in vain for {what}");
        sleep(LOOK);
    }
}

/// A process that ends with the test.
struct Process(Child);

impl Process {
    fn signal(&self, signal: Signal) {
        let pid = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw).expect("a process has a number");
        // It may have ended by itself.
        let _ = kill_process(pid, signal);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What becomes of a start.
pub(crate) enum Start {
    /// It has greeted.
    Serves(Daemon),
    /// It has ended, with these words.
    Refuses(String),
}

/// A daemon that has not greeted yet.
struct Unborn {
    process: Process,
    log: PathBuf,
    state: PathBuf,
}

impl Unborn {
    /// Waits for its first words, or for its end.
    fn greeted(self, patience: Duration) -> Start {
        let Unborn { mut process, log, state } = self;
        let lines = lines_of(process.0.stdout.take().expect("it was piped"));
        let mut greeting = Vec::new();
        while !greeting.last().is_some_and(|line: &String| line.starts_with("  boards")) {
            match lines.recv_timeout(patience) {
                Ok(line) => greeting.push(line),
                Err(_) => return Start::Refuses(std::fs::read_to_string(&log).unwrap_or_default()),
            }
        }
        let operator = place_in(&greeting, "operator  http://").expect("it is greeted too");
        let livechess = place_in(&greeting, "livechess ws://localhost:").map(|place| {
            let port = place.split('/').next().unwrap_or_default();
            port.parse().expect("a port")
        });
        let (address, said) = operator.split_once('/').expect("an address and where the token is");
        let token = std::fs::read_to_string(state.join("operator.token")).expect("it is kept there");
        let token = token.trim().to_owned();
        assert!(!said.contains(&token), "no terminal shows it: {said}");
        Start::Serves(Daemon { process, address: address.to_owned(), token, livechess, log })
    }
}

/// A daemon on a port of its own.
pub(crate) struct Daemon {
    process: Process,
    pub(crate) address: String,
    pub(crate) token: String,
    /// The port at which clients of LiveChess are served, if they are.
    pub(crate) livechess: Option<u16>,
    log: PathBuf,
}

impl Daemon {
    /// Starts `serve` and waits for its first words.
    pub(crate) fn start(state: &Path, more: &[&str]) -> Daemon {
        Daemon::start_as(state, |command| {
            command.args(more);
        })
    }

    pub(crate) fn start_as(state: &Path, change: impl FnOnce(&mut Command)) -> Daemon {
        Daemon::start_logging(state, &state.join("log"), change)
    }

    pub(crate) fn start_logging(state: &Path, log: &Path, change: impl FnOnce(&mut Command)) -> Daemon {
        match Daemon::spawn(state, log, change).greeted(PATIENCE) {
            Start::Serves(daemon) => daemon,
            Start::Refuses(log) => panic!("it serves: {log}"),
        }
    }

    /// Starts `serve` on a folder with much to read.
    pub(crate) fn start_patiently(state: &Path, more: &[&str], patience: Duration) -> Daemon {
        let unborn = Daemon::spawn(state, &state.join("log"), |command| {
            command.args(more);
        });
        match unborn.greeted(patience) {
            Start::Serves(daemon) => daemon,
            Start::Refuses(log) => panic!("it serves: {log}"),
        }
    }

    /// Starts `serve` on a folder that may not be as it should.
    pub(crate) fn try_start(state: &Path, more: &[&str]) -> Start {
        let unborn = Daemon::spawn(state, &state.join("log"), |command| {
            command.args(more);
        });
        unborn.greeted(PATIENCE)
    }

    /// Starts `serve` and kills it before long, whatever it has come to.
    pub(crate) fn kill_within(state: &Path, more: &[String], life: Duration) {
        let unborn = Daemon::spawn(state, &state.join("log"), |command| {
            command.args(more);
        });
        sleep(life);
        drop(unborn);
    }

    /// Starts `serve` with a limit of the shell's.
    pub(crate) fn start_within(limit: &str, state: &Path, more: &[&str]) -> Daemon {
        Daemon::start_as(state, |command| {
            let (program, given) = (command.get_program().to_owned(), command.get_args().map(ToOwned::to_owned));
            let given = given.collect::<Vec<_>>();
            *command = Command::new("sh");
            command.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "sh"]).arg(program).args(given).args(more);
        })
    }

    fn spawn(state: &Path, log: &Path, change: impl FnOnce(&mut Command)) -> Unborn {
        log.parent().map_or(Ok(()), std::fs::create_dir_all).expect("a folder for the log");
        let mut command = escaque();
        command.args(["serve", "--listen", "127.0.0.1:0", "--state"]).arg(state);
        change(&mut command);
        // Daemons of tests stand beside each other, and the usual port is one.
        if !command.get_args().any(|arg| arg == "--livechess") {
            command.args(["--livechess", "off"]);
        }
        command.stdout(Stdio::piped());
        command.stderr(File::options().create(true).append(true).open(log).expect("the folder is writable"));
        Unborn {
            process: Process(command.spawn().expect("the program starts")),
            log: log.to_owned(),
            state: state.to_owned(),
        }
    }

    /// Another command that shows the hall on a port of its own; nobody is told its token.
    pub(crate) fn showing(mut command: Command) -> Daemon {
        let mut process = Process(command.spawn().expect("the program starts"));
        let lines = lines_of(process.0.stdout.take().expect("it was piped"));
        let wall = std::iter::from_fn(|| lines.recv_timeout(PATIENCE).ok())
            .find_map(|line| Some(line.trim().strip_prefix("wall      http://")?.trim_end_matches('/').to_owned()));
        Daemon {
            process,
            address: wall.expect("an address"),
            token: String::new(),
            livechess: None,
            log: PathBuf::new(),
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.process.0.id()
    }

    /// What `systemctl reload` does.
    pub(crate) fn reload(&self) {
        self.process.signal(Signal::HUP);
    }

    /// Kill -9.
    pub(crate) fn kill(mut self) {
        self.process.signal(Signal::KILL);
        let _ = self.process.0.wait();
    }

    /// Ctrl-C.
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.process.signal(Signal::INT);
        self.wait()
    }

    /// Ctrl-C, whatever state it is in; one that does not listen is killed.
    pub(crate) fn end(mut self) {
        self.process.signal(Signal::INT);
        let began = Instant::now();
        while began.elapsed() < PATIENCE / 6 && !self.has_ended() {
            sleep(LOOK);
        }
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.process.0.try_wait(), Ok(None))
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        until("the daemon to end", || self.process.0.try_wait().expect("it is our child"))
    }

    pub(crate) fn log_file(&self) -> PathBuf {
        self.log.clone()
    }

    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn get(&self, path: &str) -> (u16, String) {
        self.get_at(&self.address, path)
    }

    /// The same at another of its listeners.
    pub(crate) fn get_at(&self, address: &str, path: &str) -> (u16, String) {
        let ask = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        request(address, &ask).unwrap_or_else(|cause| panic!("the daemon answers: {cause}\n{}", self.log()))
    }

    /// Where spectators come, if it was asked for.
    pub(crate) fn public(&self) -> String {
        let Daemon { address, token, .. } = self;
        let ask = format!(
            "GET /doors.json HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
        );
        let (_, doors) = request(address, &ask).expect("the daemon answers");
        let doors: Value = serde_json::from_str(&doors).expect("JSON");
        let public = doors["listeners"].as_array().expect("a list").iter().find(|row| row["option"] == "--public");
        let public = public.expect("it was asked for")["addresses"][0].as_str().expect("an address");
        public.trim_start_matches("http://").trim_end_matches('/').to_owned()
    }

    pub(crate) fn snapshot(&self) -> HallView {
        let (status, body) = self.get("/snapshot");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("a view of the hall")
    }

    /// The same of a daemon that may not live to answer.
    pub(crate) fn try_snapshot(&self) -> Option<HallView> {
        let ask = format!("GET /snapshot HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address);
        let (_, body) = request(&self.address, &ask).ok()?;
        serde_json::from_str(&body).ok()
    }

    /// Gives an order as the operator.
    pub(crate) fn order(&self, order: &Value) -> (u16, String) {
        self.order_with(&self.token, order)
    }

    pub(crate) fn order_with(&self, token: &str, order: &Value) -> (u16, String) {
        self.try_order(token, order).expect("the daemon answers")
    }

    /// Gives an order that the daemon may not live to answer.
    pub(crate) fn try_order(&self, token: &str, order: &Value) -> std::io::Result<(u16, String)> {
        Daemon::order_at(&self.address, token, order)
    }

    pub(crate) fn order_at(address: &str, token: &str, order: &Value) -> std::io::Result<(u16, String)> {
        post(address, token, "/command", &order.to_string())
    }

    /// Hands a file in as the operator.
    pub(crate) fn hand_in(&self, path: &str, file: &str) -> (u16, String) {
        post(&self.address, &self.token, path, file).expect("the daemon answers")
    }

    /// Looks at the feed until it ends.
    pub(crate) fn follow(&self) -> Follower {
        let stream = TcpStream::connect(&self.address).expect("the daemon listens");
        let (socket, _) = tungstenite::client(format!("ws://{}/feed/ws", self.address), stream).expect("a feed");
        let shown = Arc::new(Mutex::new(Shown::default()));
        let writes = Arc::clone(&shown);
        Follower { thread: Some(spawn(move || watch(socket, &writes))), shown }
    }
}

fn post(address: &str, token: &str, path: &str, body: &str) -> std::io::Result<(u16, String)> {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        body.len()
    );
    request(address, &(head + body))
}

fn request(address: &str, text: &str) -> std::io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(text.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).ok_or(ErrorKind::InvalidData)?;
    Ok((status, body.to_owned()))
}

/// What stands behind a label of the greeting.
fn place_in<'a>(greeting: &'a [String], label: &str) -> Option<&'a str> {
    greeting.iter().find_map(|line| line.trim().strip_prefix(label))
}

fn lines_of(out: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, lines) = channel();
    // Read to the end even if nobody listens any more: who writes is not to be disturbed.
    spawn(move || BufReader::new(out).lines().map_while(Result::ok).for_each(|line| drop(tell.send(line))));
    lines
}

/// What a screen was shown as final: the moves of each game at each table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    pub(crate) games: BTreeMap<(TableId, u32), Vec<String>>,
    pub(crate) corrections: usize,
    /// The tables whose boards can't be explained.
    pub(crate) held: BTreeMap<TableId, bool>,
    /// What it was told last of the record.
    pub(crate) notice: Option<String>,
    /// How everything stood when the screen was switched on.
    opening: Option<HallView>,
    current: BTreeMap<TableId, u32>,
}

impl Shown {
    fn take(&mut self, message: Message) {
        self.notice = message.notice;
        match message.body {
            Body::Beat(()) => {}
            Body::Snapshot(view) => {
                self.opening.get_or_insert_with(|| view.clone());
                for table in view.tables {
                    self.held.insert(table.table.clone(), table.held);
                    self.current.insert(table.table.clone(), table.game);
                    let line = table.line.iter().take(table.settled).map(str::to_owned).collect();
                    self.games.insert((table.table, table.game), line);
                }
            }
            Body::Changes(events) => {
                for event in events {
                    let Some(table) = event.table else { continue };
                    match event.event {
                        Event::Entry(entry) => self.enter(table, &entry),
                        Event::Sight(Sight::Held { held, .. }) => drop(self.held.insert(table, held)),
                        Event::Sight(_) => {}
                    }
                }
            }
        }
    }

    fn enter(&mut self, table: TableId, entry: &Entry) {
        if let Entry::Started { game, .. } = entry {
            self.current.insert(table.clone(), *game);
            self.held.insert(table.clone(), false);
        }
        let game = self.current.get(&table).copied().unwrap_or_default();
        let line = self.games.entry((table, game)).or_default();
        if let Entry::Final { ply, san, .. } = entry {
            assert_eq!(*ply, line.len() + 1, "finals come one by one and none twice: {line:?} {san}");
            line.push(san.clone());
        } else if let Entry::Corrected { from_ply, new, .. } = entry {
            line.truncate(from_ply - 1);
            line.extend(new.iter().cloned());
            self.corrections += 1;
        }
    }
}

/// A screen that remembers.
pub(crate) struct Follower {
    shown: Arc<Mutex<Shown>>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    /// The hall as it was when the screen was switched on.
    pub(crate) fn opening(&self) -> HallView {
        until("a view of the hall", || self.shown.lock().expect("the screen did not panic").opening.clone())
    }

    pub(crate) fn shown(&self) -> Shown {
        self.shown.lock().expect("the screen did not panic").clone()
    }

    /// What was shown until the daemon was gone.
    pub(crate) fn last(mut self) -> Shown {
        self.thread.take().expect("asked once").join().expect("the screen did not panic");
        self.shown()
    }
}

fn watch(mut socket: WebSocket<TcpStream>, shown: &Mutex<Shown>) {
    while let Ok(message) = socket.read() {
        let Ok(text) = message.to_text() else { continue };
        if let Ok(message) = serde_json::from_str(text) {
            shown.lock().expect("one reader").take(message);
        }
    }
}

/// A virtual board, a process of its own.
pub(crate) struct Board {
    process: Process,
    lines: Receiver<String>,
    typed: Option<std::process::ChildStdin>,
    pub(crate) link: PathBuf,
}

impl Board {
    /// Puts a board up under a name that stays.
    pub(crate) fn put_up(link: &Path, serial: u32, more: &[&str]) -> Board {
        let mut command = escaque();
        command.args(["board", "--link"]).arg(link).args(["--serial", &serial.to_string()]).args(more);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = Process(command.spawn().expect("the program starts"));
        let lines = lines_of(process.0.stdout.take().expect("it was piped"));
        lines.recv_timeout(PATIENCE).expect("a device");
        let typed = process.0.stdin.take();
        Board { process, lines, typed, link: link.to_owned() }
    }

    /// Types a command for the hands.
    pub(crate) fn say(&mut self, command: &str) {
        writeln!(self.typed.as_mut().expect("the board is up"), "{command}").expect("the board reads");
    }

    /// Takes the board down; gives the PGN of what was really played.
    pub(crate) fn take_down(mut self) -> String {
        self.process.signal(Signal::TERM);
        let mut pgn = Vec::new();
        while let Ok(line) = self.lines.recv_timeout(PATIENCE) {
            pgn.push(line);
        }
        self.typed = None;
        pgn.join("\n") + "\n"
    }
}
