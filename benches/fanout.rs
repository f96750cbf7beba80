//! What the feed costs beside a bare loop that writes the same bytes to the same number of sockets.
//!
//! `cargo bench --bench fanout [VIEWERS]`. Both run alternately in one process and are read by the same thread; what
//! counts is the ratio, as the figures depend on the machine. CPU is that of the writing thread alone.

use std::{
    fs,
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use bytes::Bytes;
use escaque::screens::{Feed, Subject, Version, doors::Door};
use protocol::feed::{Side, Sight, TableId};
use rustix::event::epoll;

const ROUNDS: usize = 5;
const FRAMES: u64 = 300;
/// Below saturation: with 500 viewers some 25 000 deliveries a second.
const PERIOD: Duration = Duration::from_millis(20);

fn main() -> anyhow::Result<()> {
    let viewers = std::env::args().filter_map(|arg| arg.parse().ok()).next().unwrap_or(500);
    let _ = escaque::screens::listen::raise_descriptor_limit();
    let mut ratios = Vec::new();
    println!("{viewers} viewers, {FRAMES} frames a round; us of CPU a delivery, and publish to last viewer p50 / p99");
    for round in 1..=ROUNDS {
        let feed = through_the_feed(viewers)?;
        let bare = through_a_bare_loop(viewers, feed.frame)?;
        let ratio = bare.cpu / feed.cpu;
        println!("round {round}  feed {feed}  bare {bare}  limit reached {:.0} %", ratio * 100.0);
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median {:.0} % of the limit, {:.0} to {:.0}", ratios[ROUNDS / 2] * 100.0, ratios[0] * 100.0, {
        ratios[ROUNDS - 1] * 100.0
    });
    Ok(())
}

struct Measured {
    /// Microseconds a delivery.
    cpu: f64,
    p50: Duration,
    p99: Duration,
    /// Bytes of a frame.
    frame: usize,
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} us, {:.2?} / {:.2?} ({} bytes)", self.cpu, self.p50, self.p99, self.frame)
    }
}

fn through_the_feed(viewers: usize) -> anyhow::Result<Measured> {
    let feed = Feed::open("bench".to_owned(), || 0)?;
    let (near, far) = pairs(viewers)?;
    let entrance = feed.entrance();
    for socket in near {
        entrance.admit(Subject { door: Door::PublicFeed, table: None, version: Version::Two }, socket, Bytes::new());
    }
    let readers = Readers::start(far)?;
    readers.wait_until_quiet();
    let table = TableId { event: "open".into(), round: 3, table: 12 };
    measure(&readers, viewers, "feed", |_| feed.show(&table, 0, vec![a_move()]))
}

fn through_a_bare_loop(viewers: usize, frame: usize) -> anyhow::Result<Measured> {
    let (near, far) = pairs(viewers)?;
    let readers = Readers::start(far)?;
    let bytes = vec![b'x'; frame];
    let (bell, rung) = std::sync::mpsc::channel::<()>();
    let loop_thread = thread::Builder::new().name("bare".to_owned()).spawn(move || {
        for () in rung {
            for mut socket in &near {
                socket.write_all(&bytes).expect("readers keep up below saturation");
            }
        }
    })?;
    let measured = measure(&readers, viewers, "bare", |_| bell.send(()).expect("the loop runs"));
    drop(bell);
    loop_thread.join().expect("the loop ends when its bell is gone");
    measured
}

fn measure(readers: &Readers, viewers: usize, thread: &str, publish: impl Fn(u64)) -> anyhow::Result<Measured> {
    // One to learn the frame's size by, and to touch everything once.
    let before = readers.bytes();
    publish(0);
    readers.wait_until_quiet();
    let round = readers.bytes() - before;
    let mut latencies = Vec::new();
    let (cpu, mut due) = (cpu_of(thread)?, Instant::now());
    for frame in 0..FRAMES {
        due += PERIOD;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let wanted = readers.bytes() + round;
        let begun = Instant::now();
        publish(frame);
        latencies.push(readers.wait_for(wanted, begun)?);
    }
    let cpu = (cpu_of(thread)? - cpu).as_secs_f64() * 1e6;
    latencies.sort();
    let at = |percent: usize| latencies[(latencies.len() - 1) * percent / 100];
    let frame = usize::try_from(round)? / viewers;
    Ok(Measured { cpu: cpu / (FRAMES as f64 * viewers as f64), p50: at(50), p99: at(99), frame })
}

/// A thread that reads everything and counts it.
struct Readers {
    bytes: Arc<AtomicU64>,
}

impl Readers {
    fn start(mut sockets: Vec<TcpStream>) -> anyhow::Result<Readers> {
        let bytes = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&bytes);
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for (at, socket) in sockets.iter().enumerate() {
            socket.set_nonblocking(true)?;
            epoll::add(&epoll, socket, epoll::EventData::new_u64(at as u64), epoll::EventFlags::IN)?;
        }
        thread::spawn(move || {
            let (mut ready, mut buffer) = (Vec::with_capacity(1024), [0; 65536]);
            let mut open = sockets.len();
            while open > 0 {
                if epoll::wait(&epoll, rustix::buffer::spare_capacity(&mut ready), None).is_err() {
                    continue;
                }
                for event in ready.drain(..) {
                    let at = usize::try_from(event.data.u64()).expect("a small number");
                    match sockets[at].read(&mut buffer) {
                        Ok(0) => {
                            let _ = epoll::delete(&epoll, &sockets[at]);
                            open -= 1;
                        }
                        Ok(read) => drop(count.fetch_add(read as u64, Ordering::Relaxed)),
                        Err(_) => {}
                    }
                }
            }
        });
        Ok(Readers { bytes })
    }

    fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    fn wait_for(&self, bytes: u64, begun: Instant) -> anyhow::Result<Duration> {
        while self.bytes() < bytes {
            anyhow::ensure!(begun.elapsed() < Duration::from_secs(5), "frames were lost; the round is void");
            thread::sleep(Duration::from_micros(50));
        }
        Ok(begun.elapsed())
    }

    fn wait_until_quiet(&self) {
        let mut last = u64::MAX;
        while std::mem::replace(&mut last, self.bytes()) != self.bytes() || last == 0 {
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// Connected sockets: the daemon's ends and the viewers'.
fn pairs(count: usize) -> anyhow::Result<(Vec<TcpStream>, Vec<TcpStream>)> {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0)))?;
    let address = listener.local_addr()?;
    let mut pairs = (Vec::new(), Vec::new());
    for _ in 0..count {
        pairs.1.push(TcpStream::connect(address)?);
        let (near, _) = listener.accept()?;
        near.set_nodelay(true)?;
        pairs.0.push(near);
    }
    Ok(pairs)
}

/// CPU time of the thread of this process that is called `name`, as the scheduler counts it.
fn cpu_of(name: &str) -> anyhow::Result<Duration> {
    let thread = fs::read_dir("/proc/self/task")?
        .flatten()
        .find(|thread| fs::read_to_string(thread.path().join("comm")).is_ok_and(|comm| comm.trim() == name))
        .ok_or_else(|| anyhow::anyhow!("no thread is called {name}"))?;
    let line = fs::read_to_string(thread.path().join("schedstat"))?;
    let nanos = line.split(' ').next().and_then(|field| field.parse().ok());
    Ok(Duration::from_nanos(nanos.ok_or_else(|| anyhow::anyhow!("the scheduler keeps no statistics"))?))
}

/// The thirtieth ply of a game: a frame of some 450 bytes.
fn a_move() -> Sight {
    Sight::Seen {
        line: vec!["Nf3".to_owned(); 30],
        settled: 29,
        placement: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R".to_owned(),
        turn: Side::White,
        last: Some("b8c6".to_owned()),
        check: false,
    }
}
