//! The log: plain lines on standard error, how much by `RUST_LOG`.

use std::io::{self, IsTerminal};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{filter::Targets, prelude::*};

/// Starts to log. Said once, before anything else.
pub(super) fn start() {
    // Levels by module are all that is asked for; filters by field would bring a regular expression engine into memory.
    let asked = std::env::var("RUST_LOG").ok().and_then(|asked| asked.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO));
    let lines = tracing_subscriber::fmt::layer()
        .with_target(false)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    // A second start would be a mistake of ours that costs nothing.
    let _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
}
