//! The servers under measurement: each a process of its own, on a core of its own, that publishes once for each byte on
//! its input.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use anyhow::Context;
use escaque::{
    journal::{Committed, Entries, Journal},
    screens::{Air, Feed, Subject, Version, doors::Door},
};
use protocol::feed::{Entry, TableEvent, TableId, Variant};

/// The core that servers run on; the viewers are on the other.
const CORE: &str = "1";
/// Moves that can be published in one run of a server: they are on disk before anything is measured.
const MOVES: usize = 8_000;
const TABLES: usize = 8;
/// Games are no longer than games are.
const PLIES: usize = 80;

/// A server, and how to reach it.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// The feed alone, for spectators of the wall: whoever connects is a viewer.
    pub(crate) fn feed() -> anyhow::Result<Server> {
        let own = std::env::current_exe()?;
        Server::start(Command::new("taskset").args(["-c", CORE]).arg(own).arg("--serve"), "")
    }

    /// The least there can be.
    pub(crate) fn limit(frame: usize) -> anyhow::Result<Server> {
        let program = std::env::temp_dir().join(format!("fanout-limit-{}", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/fanout/limit.c");
        if !program.exists() {
            let built = Command::new("cc").args(["-O2", "-o"]).arg(&program).arg(source).status()?;
            anyhow::ensure!(built.success(), "the limit is written in C, and can't be compiled here");
        }
        Server::start(Command::new("taskset").args(["-c", CORE]).arg(program).arg(frame.to_string()), "")
    }

    /// The whole daemon.
    pub(crate) fn daemon(state: &Path) -> anyhow::Result<Server> {
        let mut command = Command::new("taskset");
        command.args(["-c", CORE, env!("CARGO_BIN_EXE_escaque"), "serve", "--listen", "127.0.0.1:0", "--state"]);
        Server::start(command.arg(state).env("RUST_LOG", "error"), "wall      http://127.0.0.1:")
    }

    fn start(command: &mut Command, before_port: &str) -> anyhow::Result<Server> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut lines = BufReader::new(process.stdout.take().context("it was piped")?).lines();
        let port =
            lines.find_map(|line| line.ok()?.trim().strip_prefix(before_port)?.trim_end_matches('/').parse().ok());
        std::thread::spawn(move || lines.for_each(drop));
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port.context("it says where it listens")?));
        Ok(Server { process, address })
    }

    /// One frame to everybody.
    pub(crate) fn publish(&mut self) -> anyhow::Result<()> {
        Ok(self.process.stdin.as_mut().context("it was piped")?.write_all(b"!")?)
    }

    /// CPU time of all its threads, as the scheduler counts it.
    pub(crate) fn cpu(&self) -> anyhow::Result<Duration> {
        let mut nanos = 0;
        for thread in fs::read_dir(format!("/proc/{}/task", self.process.id()))? {
            let line = fs::read_to_string(thread?.path().join("schedstat"))?;
            nanos += line.split(' ').next().context("the scheduler keeps statistics")?.parse::<u64>()?;
        }
        Ok(Duration::from_nanos(nanos))
    }

    /// Bytes of memory that are its own.
    pub(crate) fn memory(&self) -> anyhow::Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).context("the kernel counts pages")?;
        Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
    }

    /// Bytes the kernel holds for the server's ends of the connections to these ports, together.
    pub(crate) fn kernel_memory(&self, viewers: &[u16]) -> anyhow::Result<u64> {
        let port = self.address.port();
        let listed = Command::new("ss").args(["-tnmH", &format!("sport = :{port}")]).output()?;
        let listed = String::from_utf8(listed.stdout)?.replace("\n\t", " ");
        let is_one = |line: &&str| viewers.iter().any(|viewer| line.contains(&format!(":{viewer} ")));
        Ok(listed.lines().filter(is_one).filter_map(held).sum())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What a socket holds: received, queued for sending, and what is set aside for either.
fn held(line: &str) -> Option<u64> {
    let memory = line.split_once("skmem:(")?.1.split_once(')')?.0;
    let number = |name: char| memory.split(',').find_map(|part| part.strip_prefix(name)?.parse::<u64>().ok());
    Some(number('r')? + number('w')? + number('f')? + number('o')?)
}

/// What the other end of [`Server::feed`] does.
pub(crate) fn serve() -> anyhow::Result<()> {
    let _ = escaque::screens::listen::raise_descriptor_limit();
    let moves = committed_moves()?;
    let feed = Feed::open("bench".to_owned(), || 0)?;
    let listener = escaque::screens::listen::listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
    println!("{}", listener.local_addr()?.port());
    let entrance = feed.entrance();
    std::thread::spawn(move || admit(&listener, &entrance));
    let mut input = std::io::stdin().lock().bytes();
    let mut air = Air::default();
    for committed in &moves {
        let Some(Ok(_)) = input.next() else { return Ok(()) };
        air.take(committed, MOVES as u64);
        feed.air(air.pictures());
    }
    anyhow::bail!("a server publishes {MOVES} moves and no more")
}

fn admit(listener: &TcpListener, entrance: &escaque::screens::Entrance) {
    listener.set_nonblocking(false).expect("a listener may wait");
    let subject = Subject { door: Door::PublicFeed, table: None, version: Version::Two };
    for socket in listener.incoming().flatten() {
        entrance.admit(subject.clone(), socket).expect("it was accepted");
    }
}

/// Knights to and fro at some tables, in games of eighty plies, each move on disk.
fn committed_moves() -> anyhow::Result<Vec<Committed<Entries>>> {
    let folder = tempfile::tempdir()?;
    let (journal, _) = Journal::open(folder.path(), "bench")?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    runtime.block_on(async {
        let mut moves = Vec::new();
        for number in 0..MOVES {
            let entries = Entries { events: events(number), ..Entries::default() };
            moves.push(journal.commit(Vec::new(), entries).await?);
        }
        Ok(moves)
    })
}

fn events(number: usize) -> Vec<TableEvent> {
    let table =
        TableId { event: "open".into(), round: 3, table: u16::try_from(number % TABLES + 1).expect("few tables") };
    let ply = number / TABLES % PLIES;
    let event = |entry: Entry| TableEvent { table: Some(table.clone()), t: number as u64, event: entry.into() };
    let begins = (ply == 0).then(|| {
        let game = u32::try_from(number / TABLES / PLIES + 1).expect("few games");
        event(Entry::Started { game, fen: format!("{} w KQkq - 0 1", SHUFFLE[3].2), variant: Variant::Standard })
    });
    begins.into_iter().chain([event(a_move(ply))]).collect()
}

/// The move, in both notations, and the placement after it.
const SHUFFLE: [(&str, &str, &str); 4] = [
    ("Nf3", "g1f3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R"),
    ("Nf6", "g8f6", "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB1R"),
    ("Ng1", "f3g1", "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR"),
    ("Ng8", "f6g8", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
];

fn a_move(ply: usize) -> Entry {
    let (san, uci, placement) = SHUFFLE[ply % 4];
    let turn = if ply.is_multiple_of(2) { "b" } else { "w" };
    Entry::Final {
        ply: ply + 1,
        san: san.into(),
        uci: uci.into(),
        fen: format!("{placement} {turn} KQkq - 0 1"),
        clock_ms: Some(5_395_000),
        inferred: false,
        illegal: false,
    }
}
