//! Telling the service manager how it stands, where there is one.

use std::{env, os::unix::net::UnixDatagram, time::Duration};

use crate::run::Pulse;

/// Sends a state to systemd. Without systemd there is nobody to tell, and a lost word does no harm.
pub(super) fn tell(state: &str) {
    let Some(socket) = env::var_os("NOTIFY_SOCKET") else { return };
    if let Ok(from) = UnixDatagram::unbound() {
        let _ = from.send_to(state.as_bytes(), socket);
    }
}

/// Twice in the time after which systemd takes a silent daemon for dead; never where it does not ask.
pub(super) fn pulse() -> Pulse {
    let asked = env::var("WATCHDOG_USEC").ok().and_then(|text| text.parse().ok()).filter(|us| *us > 0);
    match asked.map(Duration::from_micros) {
        None => Pulse::none(),
        Some(limit) => Pulse::every(limit / 2, |vitals| tell(&format!("WATCHDOG=1\nSTATUS={vitals}"))),
    }
}
