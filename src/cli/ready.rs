//! Telling the service manager how it stands, where there is one.

use std::os::unix::net::UnixDatagram;

/// Sends a state to systemd. Without systemd there is nobody to tell, and a lost word does no harm.
pub(super) fn tell(state: &str) {
    let Some(socket) = std::env::var_os("NOTIFY_SOCKET") else { return };
    if let Ok(from) = UnixDatagram::unbound() {
        let _ = from.send_to(state.as_bytes(), socket);
    }
}
