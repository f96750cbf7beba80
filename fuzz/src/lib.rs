//! What each target throws its bytes at: the invariants the tests use.
//!
//! ```sh
//! cargo fuzz run single_cuts --sanitizer none
//! ```
//!
//! A corpus file is nothing but the bytes on the cable, so `escaque decode FILE` shows what it says. What a run finds
//! is kept there under a name that tells its story; `protocol/tests/corpus.rs` and `websocket.rs` replay all of them.

#[path = "../../protocol/tests/invariants/mod.rs"]
mod invariants;
#[path = "../../protocol/tests/sockets/mod.rs"]
mod sockets;

use invariants::Line;

/// What one board sends, however it is cut.
pub fn single_cuts(bytes: &[u8]) {
    invariants::any_bytes(Line::Single, bytes);
}

/// What the boards on a bus send, however it is cut.
pub fn bus_cuts(bytes: &[u8]) {
    invariants::any_bytes(Line::Bus, bytes);
}

/// What is sent to a board.
pub fn command_reader(bytes: &[u8]) {
    invariants::any_orders(bytes);
}

/// What a viewer sends over a WebSocket, however it is cut.
pub fn viewer_frames(bytes: &[u8]) {
    sockets::any_client(bytes);
}
