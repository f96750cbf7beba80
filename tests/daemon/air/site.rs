//! Sites that are told games, on a socket of this machine: a broadcast of lichess as it is documented, and one that takes
//! whole documents.

#[path = "../../../src/press/tests/receiver.rs"]
mod receiver;

use std::{
    collections::BTreeMap,
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard},
    thread::spawn,
    time::Duration,
};

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use self::receiver::Receiver;

pub(super) const TOKEN: &str = "lip_KeepThisToYourself";
/// What is not there by then is not taken.
const LIMIT: Duration = Duration::from_secs(5);

/// All that was told to it.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) broadcast: Receiver,
    pub(super) documents: BTreeMap<String, String>,
    /// Addresses that answer something else.
    pub(super) answers: BTreeMap<String, String>,
    /// Whether nobody is let in.
    pub(super) is_shut: bool,
    /// Requests.
    pub(super) heard: usize,
}

#[derive(Clone)]
pub(super) struct Site {
    pub(super) address: SocketAddr,
    told: Arc<Mutex<Told>>,
}

impl Site {
    pub(super) fn open() -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        Site::serve_all(listener, |site, stream| site.serve(stream))
    }

    /// The same for those who trust whoever has signed its certificate.
    pub(super) fn open_encrypted(tls: Arc<ServerConfig>) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        Site::serve_all(listener, move |site, stream| {
            let connection = ServerConnection::new(Arc::clone(&tls)).expect("a configuration");
            site.serve(StreamOwned::new(connection, stream));
        })
    }

    fn serve_all(listener: TcpListener, serve: impl Fn(&Site, TcpStream) + Clone + Send + 'static) -> Site {
        let site = Site { address: listener.local_addr().expect("it is bound"), told: Arc::default() };
        let serving = site.clone();
        spawn(move || {
            for stream in listener.incoming().flatten() {
                let (site, serve) = (serving.clone(), serve.clone());
                // Who never says anything is hung up on.
                let _ = stream.set_read_timeout(Some(LIMIT));
                spawn(move || serve(&site, stream));
            }
        });
        site
    }

    pub(super) fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().expect("nobody panicked")
    }

    /// Every game of the broadcast: its line and its result.
    pub(super) fn games(&self) -> BTreeMap<String, (String, String)> {
        let told = self.told();
        told.broadcast.games().map(|game| (game.id.clone(), (game.line.join(" "), game.result.clone()))).collect()
    }

    fn serve(&self, mut stream: impl Read + Write) {
        let Some((head, body)) = read(&mut stream) else { return };
        if let Some(answer) = self.answer(&head, &body) {
            // Who asked may have gone.
            let _ = stream.write_all(answer.as_bytes()).and_then(|()| stream.flush());
        }
    }

    fn answer(&self, head: &str, body: &str) -> Option<String> {
        let line = head.lines().next().unwrap_or_default();
        let (method, path) = (line.split(' ').next().unwrap_or_default(), line.split(' ').nth(1).unwrap_or_default());
        let mut told = self.told();
        told.heard += 1;
        if let Some(answer) = told.answers.get(path) {
            return Some(answer.clone());
        }
        let is_known = head.lines().any(|line| line.eq_ignore_ascii_case(&format!("authorization: bearer {TOKEN}")));
        if told.is_shut || !is_known {
            return Some(written("401 Unauthorized", r#"{"error":"No such token"}"#));
        }
        match (method, path.strip_prefix("/api/broadcast/round/abcdEFGH")) {
            ("POST", Some("/push")) => {
                told.broadcast.push(body).map(|(status, said)| written(&status.to_string(), &said))
            }
            ("POST", Some("/reset")) => told.broadcast.reset().map(|_| written("200 OK", r#"{"ok":true}"#)),
            ("GET", None) if path == "/api/broadcast/my-rounds" => {
                Some(written("200 OK", "{\"round\":{\"id\":\"abcdEFGH\"},\"study\":{\"writeable\":true}}\n"))
            }
            ("PUT", None) if path.starts_with("/live/") => {
                told.documents.insert(path.to_owned(), body.to_owned());
                Some(written("201 Created", ""))
            }
            ("HEAD", None) => Some(written("200 OK", "")),
            _ => Some(written("404 Not Found", "{}")),
        }
    }
}

fn written(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

fn read(stream: &mut impl Read) -> Option<(String, String)> {
    let mut heard = Vec::new();
    let mut piece = [0; 16 * 1024];
    loop {
        if let Some(end) = heard.windows(4).position(|four| four == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&heard[..end]).into_owned();
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
            });
            if heard.len() >= end + 4 + length.unwrap_or_default() {
                return Some((head, String::from_utf8_lossy(&heard[end + 4..]).into_owned()));
            }
        }
        let count = stream.read(&mut piece).ok().filter(|count| *count > 0)?;
        heard.extend(&piece[..count]);
    }
}
