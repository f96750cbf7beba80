//! A screen that looks for the line that nothing is being recorded.

use std::{
    net::TcpStream,
    sync::{Arc, Mutex},
    thread::spawn,
    time::Instant,
};

/// The word such a line has, in whatever it stands.
pub(super) const WORD: &str = "recorded";

pub(super) struct Watcher {
    told: Arc<Mutex<Option<(Instant, String)>>>,
}

impl Watcher {
    pub(super) fn look_at(address: &str, token: &str) -> Watcher {
        let stream = TcpStream::connect(address).expect("the daemon listens");
        let request = tungstenite::http::Request::builder()
            .uri(format!("ws://{address}/feed/ws"))
            .header("Host", address)
            .header("Authorization", format!("Bearer {token}"))
            .header("Connection", "Upgrade")
            .header("Upgrade", "websocket")
            .header("Sec-WebSocket-Version", "13")
            .header("Sec-WebSocket-Key", tungstenite::handshake::client::generate_key())
            .body(())
            .expect("a request");
        let (mut socket, _) = tungstenite::client(request, stream).expect("a feed");
        let told = Arc::new(Mutex::new(None));
        let writes = Arc::clone(&told);
        spawn(move || {
            while let Ok(message) = socket.read() {
                let Ok(text) = message.to_text() else { continue };
                if let Some(at) = text.find(WORD) {
                    let around = text.get(at.saturating_sub(80)..text.len().min(at + 80)).unwrap_or(WORD).to_owned();
                    writes.lock().expect("one writer").get_or_insert((Instant::now(), around));
                }
            }
        });
        Watcher { told }
    }

    /// When it first appeared, and what stood there.
    pub(super) fn told(&self) -> (Option<Instant>, String) {
        let told = self.told.lock().expect("one writer").clone();
        told.map_or((None, String::new()), |(at, what)| (Some(at), what))
    }
}
