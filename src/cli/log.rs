//! The log: plain lines on standard error, or fields for the system's journal where that is what listens. How much by
//! `RUST_LOG`, or else by the configuration.

mod journald;

use std::io::{self, IsTerminal};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::{Registry, filter::Targets, prelude::*, reload};

use self::journald::Journald;

/// A log that was started. How much it says can change.
#[derive(Debug)]
pub(super) struct Log(reload::Handle<Targets, Registry>);

/// Starts to log. Said once, before anything else.
pub(super) fn start() -> Log {
    start_at(None)
}

/// The same, with what the configuration asks for.
pub(super) fn start_at(configured: Option<&Targets>) -> Log {
    let (filter, handle) = reload::Layer::new(filter(configured));
    match Journald::connect() {
        // A second start would be a mistake of ours that costs nothing.
        Some(fields) => _ = tracing_subscriber::registry().with(fields.with_filter(filter)).try_init(),
        None => {
            let lines = tracing_subscriber::fmt::layer()
                .with_target(false)
                .with_ansi(io::stderr().is_terminal())
                .with_writer(io::stderr);
            _ = tracing_subscriber::registry().with(lines.with_filter(filter)).try_init();
        }
    }
    Log(handle)
}

impl Log {
    /// From here on so much is said.
    pub(super) fn renew(&self, configured: Option<&Targets>) {
        // Without a log there is nothing to change.
        let _ = self.0.reload(filter(configured));
    }
}

/// Levels by module are all that is asked for; filters by field would bring a regular expression engine into memory.
fn filter(configured: Option<&Targets>) -> Targets {
    let asked = std::env::var("RUST_LOG").ok().and_then(|asked| asked.parse::<Targets>().ok());
    asked.or_else(|| configured.cloned()).unwrap_or_else(|| Targets::new().with_default(LevelFilter::INFO))
}
