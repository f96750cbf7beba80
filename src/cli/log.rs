//! The log: plain lines on standard error, how much by `RUST_LOG`.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// Starts to log. Said once, before anything else.
pub(super) fn start() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let colours = io::stderr().is_terminal();
    // A second start would be a mistake of ours that costs nothing.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(colours)
        .with_writer(io::stderr)
        .try_init();
}
