//! The command line: one file a command, each with its arguments, its help and its way through the rooms.

mod board;
mod capture;
mod dead;
mod decode;
mod demo;
mod doctor;
mod exit;
mod fidelity;
mod generate;
mod log;
mod ready;
mod recording;
mod replay;
mod scenario;
mod serve;

use std::future::Future;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};
use tokio::signal::unix::{SignalKind, signal};

const EXIT_CODES: &str = "Exit codes:\n  \
    0  done\n  \
    1  it could not be done; the sentence on standard error says why and what to try\n  \
    2  the command line makes no sense\n  \
    3  what was looked at is not in order";

/// Reads electronic chess boards, reconstructs the moves, and shows them.
#[derive(Debug, Parser)]
#[command(name = "escaque", version, arg_required_else_help = true, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Board(board::Args),
    Capture(capture::Args),
    Dead(dead::Args),
    Decode(decode::Args),
    Demo(demo::Args),
    Doctor(doctor::Args),
    #[command(hide = true)]
    Fidelity(fidelity::Args),
    Replay(replay::Args),
    Scenario(scenario::Args),
    Serve(serve::Args),
    Completions(generate::Completions),
    Man(generate::Man),
}

/// Runs the command that was asked for, and says in a sentence what went wrong.
pub fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Board(args) => board::run(args),
        Command::Capture(args) => capture::run(args),
        Command::Dead(args) => dead::run(args),
        Command::Decode(args) => decode::run(args),
        Command::Demo(args) => demo::run(args),
        Command::Doctor(args) => doctor::run(args),
        Command::Fidelity(args) => fidelity::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Scenario(args) => scenario::run(args),
        Command::Serve(args) => serve::run(args),
        Command::Completions(args) => Ok(generate::completions(&args)),
        Command::Man(args) => generate::man(&args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("escaque: {error:#}");
        exit::FAILED.into()
    })
}

/// Runs one command on one thread: forty boards keep a core busy for a fifth of a percent.
fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("the system gives no more threads or files: close other programs")?.block_on(work)
}

/// Whoever read what we write has seen enough, as `| head` has.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Says where everything is. Whoever reads it may have seen enough (`| head`): no reason for a daemon to end.
fn greet(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// What to type on this machine to reach a daemon that listens there: on every address is also on its own.
fn reachable(address: SocketAddr) -> SocketAddr {
    let own: IpAddr = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    SocketAddr::new(if address.ip().is_unspecified() { own } else { address.ip() }, address.port())
}

/// Ready when somebody presses Ctrl-C or the system asks to end.
fn asked_to_stop() -> anyhow::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
