//! What spectators cost beside a bare loop in C that sends as many bytes to as many sockets: `make bench-fanout`. One part
//! of it alone: `cargo bench --bench fanout -- handshakes`, or `viewers`, or `dead`.
//!
//! The two take turns in one run, each as a process of its own on one core; the viewers are on the other. What counts are
//! the ratios, as the figures depend on the machine and on who else works there. Times run from the order to publish to
//! the last byte at the last viewer; CPU is that of all threads of the server.

mod crowd;
mod server;

use std::{
    process::Command,
    thread,
    time::{Duration, Instant},
};

use crowd::{Crowd, storm};
use server::Server;

const VIEWERS: [usize; 2] = [1_000, 10_000];
/// Deliveries a second, below saturation.
const PACE: u64 = 50_000;
/// Deliveries that are measured in one round.
const DELIVERIES: usize = 200_000;
const ROUNDS: usize = 5;

/// The storm after a restart.
const STORM: (usize, usize) = (10_000, 1_024);
/// Those who watch, and those of them who stopped reading.
const HALF_DEAD: (usize, usize) = (500, 50);
/// Frames until whoever does not read is full.
const FILL: usize = 1_500;

fn main() -> anyhow::Result<()> {
    if std::env::args().any(|arg| arg == "--serve") {
        return server::serve();
    }
    let _ = escaque::screens::listen::raise_descriptor_limit();
    let own = std::process::id().to_string();
    let _ = Command::new("taskset").args(["-cp", "0", &own]).output()?;
    let wanted = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let is_wanted = |name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
    if is_wanted("viewers") {
        VIEWERS.into_iter().try_for_each(fan_out)?;
    }
    if is_wanted("dead") {
        half_dead()?;
    }
    if is_wanted("handshakes") {
        handshakes()?;
    }
    Ok(())
}

fn fan_out(viewers: usize) -> anyhow::Result<()> {
    println!("{viewers} viewers of the wall: us of CPU a delivery, publish to last viewer p50 / p99");
    let (mut cpu, mut p50, mut p99) = (Vec::new(), Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let feed = measure(Server::feed()?, viewers, 0)?;
        let limit = measure(Server::limit(feed.frame)?, viewers, 0)?;
        println!("  round {round}: feed {feed}; limit {limit}");
        cpu.push(limit.cpu / feed.cpu * 100.0);
        p50.push(feed.at(50) / limit.at(50));
        p99.push(feed.at(99) / limit.at(99));
    }
    println!("  CPU: {} % of the limit (bar: 90)", median(&mut cpu));
    println!("  last viewer: p50 {} x (bar: 1.15), p99 {} x (bar: 1.3)", median(&mut p50), median(&mut p99));
    Ok(())
}

fn half_dead() -> anyhow::Result<()> {
    let (all, dead) = HALF_DEAD;
    println!("{all} viewers, {dead} of whom have stopped reading");
    let (mut p99, mut held) = (Vec::new(), Vec::new());
    for round in 1..=ROUNDS {
        let well = measure(Server::feed()?, all - dead, 0)?;
        let ill = measure(Server::feed()?, all - dead, dead)?;
        println!("  round {round}: p99 {:.2} ms, with the dead {:.2} ms", well.at(99), ill.at(99));
        p99.push(ill.at(99) / well.at(99));
        held.push(ill.held_by_dead);
    }
    println!("  the others' p99: {} x (bar: 1.1)", median(&mut p99));
    println!("  held for one of the dead: {} KiB, kernel included (bar: 64)", median(&mut held));
    Ok(())
}

fn handshakes() -> anyhow::Result<()> {
    let (all, at_a_time) = STORM;
    println!("{all} handshakes, {at_a_time} at a time: the whole daemon beside the limit, which computes nothing");
    let mut ratios = Vec::new();
    for round in 1..=ROUNDS {
        let state = tempfile::tempdir()?;
        let daemon = Server::daemon(state.path())?;
        let ours = storm(daemon.address, "/feed/v2", all, at_a_time)?;
        drop(daemon);
        let limit = Server::limit(1)?;
        let least = storm(limit.address, "/", all, at_a_time)?;
        println!("  round {round}: {ours:.2?}, limit {least:.2?}");
        ratios.push(ours.as_secs_f64() / least.as_secs_f64());
    }
    println!("  {} x (bar: 1.5), none lost", median(&mut ratios));
    Ok(())
}

struct Measured {
    /// Microseconds a delivery.
    cpu: f64,
    /// Milliseconds, in order.
    times: Vec<f64>,
    /// Bytes of a frame.
    frame: usize,
    /// KiB of the server's own memory a viewer.
    memory: f64,
    /// KiB for each of those who don't read.
    held_by_dead: f64,
}

impl Measured {
    fn at(&self, percent: usize) -> f64 {
        self.times[(self.times.len() - 1) * percent / 100]
    }
}

impl std::fmt::Display for Measured {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Measured { cpu, frame, memory, .. } = self;
        let (p50, p99) = (self.at(50), self.at(99));
        write!(f, "{cpu:.2} us, {p50:.2} / {p99:.2} ms, {frame} bytes, {memory:.2} KiB a viewer")
    }
}

fn measure(mut server: Server, viewers: usize, dead: usize) -> anyhow::Result<Measured> {
    // Pages that are touched once for all are no viewer's.
    drop(Crowd::of(8, server.address)?);
    let before = server.memory()?;
    let mut crowd = Crowd::of(viewers, server.address)?.with_dead(dead, server.address)?;
    crowd.settle()?;
    let memory = server.memory()?.saturating_sub(before) as f64 / 1024.0 / viewers as f64;
    // Until each table has had its first move, which is told with all that stands there.
    for _ in 0..if dead > 0 { FILL } else { 32 } {
        server.publish()?;
        crowd.read_one()?;
    }
    let bytes = crowd.bytes();
    let (mut times, cpu) = (Vec::new(), server.cpu()?);
    let (frames, period) = (DELIVERIES / viewers, Duration::from_micros(viewers as u64 * 1_000_000 / PACE));
    let mut due = Instant::now();
    for _ in 0..frames {
        due += period;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        let begun = Instant::now();
        server.publish()?;
        times.push((crowd.read_one()? - begun).as_secs_f64() * 1e3);
    }
    let cpu = (server.cpu()? - cpu).as_secs_f64() * 1e6 / (frames * viewers) as f64;
    times.sort_by(f64::total_cmp);
    let frame = usize::try_from(crowd.bytes() - bytes)? / viewers / frames;
    let kernel = server.kernel_memory(&crowd.dead()?)? as f64;
    let own = server.memory()?.saturating_sub(before) as f64 / (viewers + dead) as f64;
    let held_by_dead = if dead == 0 { 0.0 } else { (kernel / dead as f64 + own) / 1024.0 };
    Ok(Measured { cpu, times, frame, memory, held_by_dead })
}

/// The middle, and the range.
fn median(values: &mut [f64]) -> String {
    values.sort_by(f64::total_cmp);
    format!("{:.2} ({:.2} to {:.2})", values[values.len() / 2], values[0], values[values.len() - 1])
}
