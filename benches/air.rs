//! What it costs to tell two hundred tables to everybody who is told games: `cargo bench --bench air`.
//!
//! A ply every three seconds at each table, half a minute long: to a folder as LiveChess writes it, to a folder of PGN, to
//! a broadcast that answers, and to a site that takes the connection and says nothing. What is counted is the processor
//! time of the threads that tell, and what the one that hangs keeps in memory.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use escaque::{
    press::{Counter, Press, Source, Target},
    record::{Bulletin, Games, Slip},
};
use protocol::feed::{Entry, Player, TableEvent, TableId, Variant};

const TABLES: u16 = 200;
const PLY_EVERY: Duration = Duration::from_secs(3);
const LASTS: Duration = Duration::from_secs(30);
/// Knights that go out and home again: as long a game as is wanted.
const LINE: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];
/// What stands on the boards already.
const BEFORE: usize = 80;
const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let hall = Arc::new(Hall::begin());
    let (broadcast, silent) = (answering()?, hanging()?);
    let at = folder.path().display();
    fs::write(folder.path().join("token"), "lip_figures")?;
    let quiet =
        start(&format!("name = 'silent'\nkind = 'http'\nurl = 'http://{silent}/{{round}}.pgn'"), &hall, folder.path())?;
    let before = memory()?;
    let others = [
        format!("name = 'tree'\nkind = 'livechess'\nfolder = '{at}/tree'"),
        format!("name = 'plain'\nkind = 'folder'\nfolder = '{at}/plain'"),
        format!(
            "name = 'lichess'\nkind = 'lichess'\nevent = 'open'\nrounds = {{ 1 = 'abcdEFGH' }}\n\
             url = 'http://{broadcast}'\ntoken-file = '{at}/token'"
        ),
    ];
    let presses = others.iter().map(|text| start(text, &hall, folder.path())).collect::<Result<Vec<_>, _>>()?;
    let (began, spent) = (Instant::now(), telling()?);
    let mut table = 0;
    while began.elapsed() < LASTS {
        table = table % TABLES + 1;
        hall.play(table);
        presses.iter().chain([&quiet]).for_each(|(_, press)| press.ring());
        std::thread::sleep(PLY_EVERY / u32::from(TABLES));
    }
    let share = (telling()? - spent).as_secs_f64() / began.elapsed().as_secs_f64();
    println!("{TABLES} tables, a ply every 3 s each, told to all: {:.1} % of a core", share * 100.0);
    let held = hanging_holds(&hall, folder.path(), silent)?;
    println!("one that hangs holds {} KiB", held / 1024);
    println!("all of it: {} MiB over what there was", memory()?.saturating_sub(before) / 1024 / 1024);
    ensure!(share > 0.0, "nothing was told");
    ensure!(cfg!(debug_assertions) || share < 0.05, "that is more than 5 % of a core");
    ensure!(held < 1024 * 1024, "that is more than 1 MiB");
    Ok(())
}

/// What eight more that hang take, shared by their number.
fn hanging_holds(hall: &Arc<Hall>, state: &std::path::Path, silent: std::net::SocketAddr) -> anyhow::Result<u64> {
    let before = memory()?;
    let one = |number: usize| {
        let text = format!("name = 'silent-{number}'\nkind = 'http'\nurl = 'http://{silent}/{{round}}.pgn'\nwait = 0");
        start(&text, hall, state)
    };
    let held = (0..8).map(one).collect::<Result<Vec<_>, _>>()?;
    std::thread::sleep(Duration::from_secs(4));
    let after = memory()?;
    drop(held);
    Ok(after.saturating_sub(before) / 8)
}

/// A target at work: it ends with whoever may ask it.
fn start(text: &str, hall: &Arc<Hall>, state: &std::path::Path) -> anyhow::Result<(Counter, Press)> {
    let target: Target = toml::from_str(text)?;
    let source: Arc<dyn Source> = Arc::<Hall>::clone(hall);
    let counter = Counter::new(vec![target]);
    let press = counter.start(state, &source).context("no thread")?;
    Ok((counter, press))
}

/// A hall without boards.
struct Hall {
    games: Mutex<(u64, Games)>,
    made: Mutex<Vec<(usize, Vec<Arc<Slip>>)>>,
}

impl Hall {
    fn begin() -> Hall {
        let hall = Hall { games: Mutex::default(), made: Mutex::new(vec![(0, Vec::new()); usize::from(TABLES) + 1]) };
        for number in 1..=TABLES {
            let [white, black] =
                ["White", "Black"].map(|side| Player { name: format!("{side}, {number}"), ..Player::default() });
            hall.say(number, Entry::Paired { white, black, time_control: None });
            hall.say(number, Entry::Started { game: 1, fen: FEN.to_owned(), variant: Variant::Standard });
            (0..BEFORE).for_each(|_| hall.play(number));
        }
        hall
    }

    fn play(&self, number: u16) {
        let ply = self.games.lock().expect("nobody panics").1.plies(&table(number)) + 1;
        let (san, uci, fen) = (LINE[(ply - 1) % LINE.len()].to_owned(), String::new(), FEN.to_owned());
        let clock_ms = Some(5_400_000 - 1000 * ply as u64);
        self.say(number, Entry::Final { ply, san, uci, fen, clock_ms, inferred: false, illegal: false });
    }

    fn say(&self, number: u16, entry: Entry) {
        let mut games = self.games.lock().expect("nobody panics");
        games.0 += 1;
        games.1.apply(&TableEvent { table: Some(table(number)), t: 0, event: entry.into() });
    }
}

impl Source for Hall {
    fn rounds(&self, _: bool) -> Vec<(String, u16, u64)> {
        vec![("open".to_owned(), 1, self.games.lock().expect("nobody panics").0)]
    }

    fn bulletin(&self, event: &str, round: u16, _: bool) -> Bulletin {
        let games = self.games.lock().expect("nobody panics");
        let mut made = self.made.lock().expect("nobody panics");
        let tables = games.1.tables_of(event, round).into_iter().map(|table| {
            let (known, slips) = &mut made[usize::from(table.table)];
            let plies = games.1.plies(&table);
            if *known != plies {
                (*known, *slips) = (plies, games.1.slips(&table).into_iter().map(Arc::new).collect());
            }
            (table.table, Some(slips.clone()))
        });
        let tables = tables.collect();
        Bulletin { event: event.to_owned(), round, programme: vec![(TABLES, TABLES)], tables, ..Bulletin::default() }
    }

    fn tells_live(&self, _: &str) -> bool {
        false
    }

    fn open(&self) -> Vec<(String, u16)> {
        vec![("open".to_owned(), 1)]
    }
}

fn table(table: u16) -> TableId {
    TableId { event: "open".to_owned(), round: 1, table }
}

/// Says to every push that each of its games was taken.
fn answering() -> anyhow::Result<std::net::SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::Builder::new().name("site".to_owned()).spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let (mut heard, mut piece) = (Vec::new(), vec![0; 1 << 16]);
            while !is_whole(&heard) {
                match stream.read(&mut piece) {
                    Ok(count) if count > 0 => heard.extend(&piece[..count]),
                    _ => break,
                }
            }
            let ids = String::from_utf8_lossy(&heard).into_owned();
            let ids = ids.lines().filter_map(|line| line.strip_prefix("[GameId \"")?.strip_suffix("\"]"));
            let games = ids.map(|id| format!("{{\"tags\":{{\"GameId\":\"{id}\"}},\"moves\":1}}")).collect::<Vec<_>>();
            let body = format!("{{\"games\":[{}]}}", games.join(","));
            let _ = write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        }
    })?;
    Ok(address)
}

fn is_whole(heard: &[u8]) -> bool {
    let Some(end) = heard.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&heard[..end]).to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
    heard.len() >= end + 4 + length.unwrap_or_default()
}

/// Takes every connection and says nothing.
fn hanging() -> anyhow::Result<std::net::SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    std::thread::Builder::new().name("site".to_owned()).spawn(move || {
        let _held = listener.incoming().flatten().collect::<Vec<_>>();
    })?;
    Ok(address)
}

/// The processor time of all threads that tell.
fn telling() -> anyhow::Result<Duration> {
    let mut ticks = 0;
    for task in fs::read_dir("/proc/self/task")?.flatten() {
        let stat = fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        let Some((name, rest)) = stat.split_once(") ") else { continue };
        if name.contains("(air ") {
            ticks += rest.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum::<u64>();
        }
    }
    // The kernel's own unit, a hundredth of a second on every system there is.
    Ok(Duration::from_millis(ticks * 10))
}

/// What the process has in memory.
fn memory() -> anyhow::Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib: u64 = line.context("no RssAnon")?.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024)
}
