//! What the commands share: the thread they run on, the terminal they speak to, the signal that ends them.

use std::{
    future::Future,
    io::{self, IsTerminal as _, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use anyhow::{Context, anyhow};
use tokio::signal::unix::{SignalKind, signal};

use crate::{
    record::write_atomically,
    screens::token::{FILE, OperatorToken},
};

/// Runs one command on one thread: forty boards keep a core busy for a fifth of a percent.
pub(super) fn block_on<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.context("the system gives no more threads or files: close other programs")?.block_on(work)
}

/// Whoever read what we write has seen enough, as `| head` has.
pub(super) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Something that was to be said could not be: the disk it goes to is full.
static UNSAID: AtomicBool = AtomicBool::new(false);

/// Says this. Whoever reads it may have seen enough (`| head`), or their terminal is gone: no reason to end otherwise than
/// without.
pub(super) fn say(text: &str) {
    let mut out = io::stdout().lock();
    let outcome = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    let is_full = |error: &io::Error| {
        matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
    };
    UNSAID.fetch_or(outcome.is_err_and(|error| is_full(&error)), Ordering::Relaxed);
}

/// What has come of all that was said.
pub(super) fn said() -> anyhow::Result<()> {
    if UNSAID.load(Ordering::Relaxed) { Err(anyhow!(UNPRINTED)) } else { Ok(()) }
}

const UNPRINTED: &str = "this can't be printed: look whether the disk it goes to is full";

/// What has come of printing. Whoever read it may have seen enough.
pub(super) fn printed(outcome: io::Result<()>) -> anyhow::Result<()> {
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome.context(UNPRINTED),
    }
}

/// Whether somebody sees a picture that is made of characters: a pipe and a terminal that calls itself dumb show none.
pub(super) fn draws() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_some_and(|term| term != "dumb")
}

/// Writes a file that somebody has named, and says where it is.
pub(super) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_atomically(path, bytes).with_context(|| format!("{} can't be written: name another file", path.display()))?;
    say(&format!("{}\n", path.display()));
    Ok(())
}

/// How the operator signs in. The token is for eyes only: where no terminal shows it, it would stand in a log for good, so
/// its file is named instead.
pub(super) fn operators_address(address: SocketAddr, token: &OperatorToken, state: &Path) -> String {
    let page = format!("http://{}/", reachable(address));
    if io::stdout().is_terminal() {
        format!("{page}#token={}", token.reveal())
    } else {
        format!("{page} with the token in {}", state.join(FILE).display())
    }
}

/// What to type on this machine to reach a daemon that listens there: on every address is also on its own.
pub(super) fn reachable(address: SocketAddr) -> SocketAddr {
    let own: IpAddr = if address.is_ipv4() { Ipv4Addr::LOCALHOST.into() } else { Ipv6Addr::LOCALHOST.into() };
    SocketAddr::new(if address.ip().is_unspecified() { own } else { address.ip() }, address.port())
}

/// Ready when somebody presses Ctrl-C or the system asks to end.
pub(super) fn asked_to_stop() -> anyhow::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}
