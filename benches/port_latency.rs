//! How long a lifted piece takes from the cable to an observation, beside a bare blocking read in the same run.
//!
//! `cargo bench --bench port_latency`; with `-- --idle` it shows what forty boards cost that nobody touches.
//! The bar: half of all updates in at most 50 µs.

use std::io::Read;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use escaque::sensors::{Monotonic, Patterns, Sensed, Settings, Watch, What};
use protocol::board::dgt::{Codes, Message};
use protocol::board::{Contents, Lie, Link, Observation};
use rustix::fs::{Mode, OFlags, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};
use shakmaty::Board as Men;

const ROUNDS: usize = 5_000;
const FIRST_ROUNDS: usize = 200;

/// Boards do not speak back to back: an update takes 5 ms of the line. Long enough for everybody to fall asleep.
const BETWEEN: Duration = Duration::from_micros(500);

const IDLE_BOARDS: usize = 40;
const IDLE: Duration = Duration::from_secs(20);

/// A lifted piece.
const UPDATE: [u8; 5] = [0x8e, 0x00, 0x05, 0x34, 0x00];

fn main() {
    if std::env::args().any(|argument| argument == "--idle") {
        return idle();
    }
    let bare = bare();
    let whole = whole();
    println!("{ROUNDS} updates of 5 bytes      p50        p99");
    println!("bare blocking read       {:>7.1} µs {:>7.1} µs", bare.at(50), bare.at(99));
    println!("port to observation      {:>7.1} µs {:>7.1} µs", whole.at(50), whole.at(99));
    println!("times a bare read        {:>7.2}    {:>7.2}", whole.at(50) / bare.at(50), whole.at(99) / bare.at(99));
}

/// A thread that reads a terminal and nothing else: what the kernel itself takes.
fn bare() -> Delays {
    let (master, name) = terminal();
    let mut slave = std::fs::File::from(open_raw(&name));
    let (heard, hear) = sync_channel(1);
    thread::spawn(move || {
        let mut buffer = [0; 64];
        let mut count = 0;
        while let Ok(read) = slave.read(&mut buffer) {
            let now = Instant::now();
            count += read;
            if count >= UPDATE.len() {
                count = 0;
                if heard.send(now).is_err() {
                    return;
                }
            }
        }
    });
    measure(&master, &hear)
}

/// The watch as the daemon runs it: one thread, one runtime, one channel.
fn whole() -> Delays {
    let (master, name) = terminal();
    let master = Arc::new(master);
    let (heard, hear) = sync_channel(1);
    thread::spawn(move || {
        run_watch([name], move |sensed| {
            let is_update = matches!(sensed.what, What::Observed(Observation::Square { .. }));
            !is_update || heard.send(Instant::now()).is_ok()
        });
    });
    meet(&master);
    measure(&master, &hear)
}

fn idle() {
    let boards = (0..IDLE_BOARDS).map(|_| terminal()).collect::<Vec<_>>();
    let names = boards.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
    let (up, ups) = sync_channel(IDLE_BOARDS);
    let (number, numbers) = sync_channel(1);
    thread::spawn(move || {
        number.send(std::fs::read_link("/proc/thread-self").expect("Linux")).expect("somebody waits for it");
        run_watch(names, move |sensed| {
            let is_up = matches!(sensed.what, What::Observed(Observation::Link(Link::Up)));
            !is_up || up.send(()).is_ok()
        });
    });
    let thread = numbers.recv().expect("the watch has a thread");
    for (master, _) in boards {
        thread::spawn(move || {
            loop {
                answer(&master);
            }
        });
    }
    for _ in 0..IDLE_BOARDS {
        ups.recv().expect("every board is met");
    }
    thread::sleep(Duration::from_secs(3));
    let before = thread_cpu_ns(&thread);
    thread::sleep(IDLE);
    let share = (thread_cpu_ns(&thread) - before) as f64 / IDLE.as_nanos() as f64;
    println!("{IDLE_BOARDS} boards nobody touches: {:.3} % of a core", share * 100.0);
}

/// Processor time of one thread of this process.
fn thread_cpu_ns(thread: &Path) -> u64 {
    let stat =
        std::fs::read_to_string(Path::new("/proc").join(thread).join("schedstat")).expect("Linux with schedstat");
    stat.split_whitespace().next().and_then(|ns| ns.parse().ok()).expect("the first number is the time on a processor")
}

fn run_watch(ports: impl IntoIterator<Item = String>, mut take: impl FnMut(Sensed) -> bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let patterns = Patterns::of(ports).expect("good names");
        let (_watch, mut sensed) = Watch::start(patterns, Settings::default(), Monotonic::start());
        while let Some(next) = sensed.recv().await {
            if !take(next) {
                return;
            }
        }
    });
}

fn measure(master: &OwnedFd, hear: &Receiver<Instant>) -> Delays {
    let mut delays = Vec::with_capacity(ROUNDS);
    for round in 0..FIRST_ROUNDS + ROUNDS {
        thread::sleep(BETWEEN);
        let said = Instant::now();
        rustix::io::write(master, &UPDATE).expect("a terminal takes five bytes");
        let heard = hear.recv().expect("every update is heard");
        if round >= FIRST_ROUNDS {
            delays.push(heard - said);
        }
    }
    delays.sort();
    Delays(delays)
}

struct Delays(Vec<Duration>);

impl Delays {
    /// Microseconds that so many of a hundred do not exceed.
    fn at(&self, percent: usize) -> f64 {
        self.0[(self.0.len() - 1) * percent / 100].as_nanos() as f64 / 1_000.0
    }
}

/// Answers until updates are on and the last dump is out.
fn meet(master: &OwnedFd) {
    let mut updates = false;
    loop {
        let last = answer(master);
        updates |= last == 0x4b;
        if updates && last == 0x42 {
            return;
        }
    }
}

/// Answers one command as a board would.
fn answer(master: &OwnedFd) -> u8 {
    let mut command = [0];
    while rustix::io::read(master, &mut command) != Ok(1) {
        thread::sleep(Duration::from_millis(5));
    }
    let answer = match command[0] {
        0x42 => Message::BoardDump(Codes::of(&Contents::of(&Men::new(), Lie::Straight))).encode(),
        0x45 => Message::ShortSerial("12345".to_owned()).encode(),
        0x4d => Message::Version { major: 1, minor: 8 }.encode(),
        0x55 => Message::LongSerial("0000012345".to_owned()).encode(),
        0x41 => vec![0x8d, 0x00, 0x0a, 0, 0, 0, 0, 0, 0, 0x20],
        _ => Vec::new(),
    };
    rustix::io::write(master, &answer).expect("a terminal takes a dump");
    command[0]
}

fn terminal() -> (OwnedFd, String) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("an ASCII name");
    // Leaves it raw, so that nothing is echoed before the watch has opened it.
    drop(open_raw(&name));
    (master, name)
}

fn open_raw(name: &str) -> OwnedFd {
    let slave = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("the other end");
    let mut termios = tcgetattr(&slave).expect("a terminal");
    termios.make_raw();
    tcsetattr(&slave, OptionalActions::Now, &termios).expect("raw");
    slave
}
