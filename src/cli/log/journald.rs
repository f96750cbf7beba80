//! The system's journal: each event as fields of its own, in its native protocol.
//!
//! An event that has an `event` field gets a `MESSAGE_ID` made from it, so that `journalctl MESSAGE_ID=…` finds all of a
//! kind. `docs/operations.md` lists them.

use std::{
    env,
    fmt::{self, Write as _},
    io,
    os::{linux::fs::MetadataExt as _, unix::net::UnixDatagram},
};

use sha2::{Digest, Sha256};
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{Layer, layer::Context};

const SOCKET: &str = "/run/systemd/journal/socket";

/// What ids are made of, so that no other program has the same.
const OURS: &str = "escaque event ";

/// Where fields go.
#[derive(Debug)]
pub(super) struct Journald(UnixDatagram);

impl Journald {
    /// Connects if standard error is the journal's anyway, and only then.
    pub(super) fn connect() -> Option<Journald> {
        let named = env::var("JOURNAL_STREAM").ok()?;
        let own = std::fs::metadata("/proc/self/fd/2").ok()?;
        if named != format!("{}:{}", own.st_dev(), own.st_ino()) {
            return None;
        }
        let socket = UnixDatagram::unbound().ok()?;
        socket.connect(SOCKET).ok()?;
        Some(Journald(socket))
    }
}

impl<S: Subscriber> Layer<S> for Journald {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut entry = Entry::at(*event.metadata().level());
        event.record(&mut entry);
        let bytes = entry.finish();
        if self.0.send(&bytes).is_err() {
            // The journal restarts, or the entry is too long for one datagram: standard error is the journal's too.
            let _ = io::Write::write_all(&mut io::stderr(), &bytes);
        }
    }
}

/// One entry on its way.
#[derive(Debug)]
struct Entry {
    bytes: Vec<u8>,
    message: String,
    /// What stands behind the message, for people who read that alone.
    said: String,
}

impl Entry {
    fn at(level: Level) -> Entry {
        let priority = match level {
            Level::ERROR => "3",
            Level::WARN => "4",
            Level::INFO => "6",
            _ => "7",
        };
        let mut entry = Entry { bytes: Vec::new(), message: String::new(), said: String::new() };
        entry.put("PRIORITY", priority);
        entry.put("SYSLOG_IDENTIFIER", "escaque");
        entry
    }

    /// A field. What has lines of its own is sent with its length.
    fn put(&mut self, name: &str, value: &str) {
        self.bytes.extend_from_slice(name.as_bytes());
        if value.contains('\n') {
            self.bytes.push(b'\n');
            self.bytes.extend_from_slice(&(value.len() as u64).to_le_bytes());
        } else {
            self.bytes.push(b'=');
        }
        self.bytes.extend_from_slice(value.as_bytes());
        self.bytes.push(b'\n');
    }

    fn note(&mut self, name: &str, value: &str) {
        if name == "message" {
            return value.clone_into(&mut self.message);
        }
        if name == "event" {
            let id = message_id(value);
            self.put("MESSAGE_ID", &id);
        }
        // Names that begin with an underscore are the journal's own.
        self.put(&name.trim_start_matches('_').to_ascii_uppercase().replace('.', "_"), value);
        let _ = write!(self.said, " {name}={value}");
    }

    fn finish(mut self) -> Vec<u8> {
        let message = std::mem::take(&mut self.message) + &self.said;
        self.put("MESSAGE", &message);
        self.bytes
    }
}

impl Visit for Entry {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.note(field.name(), value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.note(field.name(), &format!("{value:?}"));
    }
}

/// The id of all events of a kind: the first half of a fingerprint of its name.
fn message_id(event: &str) -> String {
    let hash = Sha256::digest(format!("{OURS}{event}"));
    hash.iter().take(16).fold(String::new(), |mut id, byte| {
        // Writing into a string fails never.
        let _ = write!(id, "{byte:02x}");
        id
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_an_id_and_what_has_lines_has_a_length() {
        let mut entry = Entry::at(Level::WARN);
        entry.note("message", "an alert was raised");
        entry.note("event", "link_lost");
        entry.note("table", "open/1/7");
        entry.note("detail", "two\nlines");
        let bytes = entry.finish();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.starts_with("PRIORITY=4\nSYSLOG_IDENTIFIER=escaque\nMESSAGE_ID="), "{text}");
        assert!(text.contains("\nTABLE=open/1/7\nDETAIL\n\u{9}\0\0\0\0\0\0\0two\nlines\n"), "{text:?}");
        assert!(text.contains("MESSAGE\n"), "it has lines too: {text}");
    }

    /// The page lists what somebody would look for.
    #[test]
    fn the_page_lists_the_ids() {
        let page = include_str!("../../../docs/operations.md");
        for event in [
            "game_started",
            "game_result",
            "game_corrected",
            "illegal_move_completed",
            "link_lost",
            "board_silent",
            "record_differs",
            "clock_jumped",
            "port_too_loud",
            "slow_commit",
        ] {
            let row = format!("| `{event}` | `{}` |", message_id(event));
            assert!(page.contains(&row), "docs/operations.md should have this row:\n{row}");
        }
    }
}
