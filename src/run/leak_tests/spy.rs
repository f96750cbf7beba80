//! Somebody outside, who reads everything there is.

use std::{
    collections::BTreeMap,
    io::{ErrorKind, Read as _},
    net::SocketAddr,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::screens::{
    Listener,
    doors::{At, Door},
};

/// Somebody outside, who reads everything there is.
pub(super) struct Spy {
    public: SocketAddr,
    /// Only to know when the feed has told all it has to tell.
    entrance: crate::screens::Entrance,
    feeds: BTreeMap<&'static str, std::net::TcpStream>,
    marks: BTreeMap<&'static str, String>,
    /// What each address told last of when its text had changed.
    changed: BTreeMap<&'static str, String>,
}

/// The addresses that are read behind each way there is, sockets aside.
const ADDRESSES: [&str; 23] = [
    "/",
    "/table/open/1/1",
    "/feed",
    "/nothing",
    "/feed/schema.json",
    "/healthz",
    "/snapshot",
    "/pgn",
    "/pgn/1",
    "/pgn/2",
    "/pgn/open/1",
    "/pgn/open/1/3",
    "/pgn/open/1/4",
    "/svg/open/1/1.svg",
    "/words/open/1/3.json?language=en",
    "/words/open/1/3.txt",
    "/words/open/1/4.brf",
    "/get/open/tournament.json",
    "/get/open/round-1/index.json",
    "/get/open/round-1/game-1.json",
    "/get/open/round-1/game-3.json",
    "/get/open/round-1/games.pgn",
    "/meta/open",
];

const FEEDS: [&str; 4] = ["/feed/ws", "/feed/ws?table=open/1/1", "/feed/v2", "/feed/v2/open/1/3"];

#[test]
fn every_public_door_is_read() {
    for door in Door::ALL {
        let At::Http(route, listeners) = door.row().at else {
            // What goes out by itself is read in `told`, and is on air or for those who hold it back.
            let goes_out = matches!(door.row().at, At::Outward(_));
            assert!(!goes_out || matches!(door, Door::Press | Door::LivePress), "{door:?} is not read");
            continue;
        };
        let is_here = |address: &&&str| {
            let path = address.split('?').next().unwrap_or_default();
            crate::screens::doors::Route::of(path) == route
        };
        let read = ADDRESSES.iter().chain(&FEEDS).filter(is_here).count();
        assert!(read > 0 || !listeners.contains(&Listener::Public), "{door:?} is not read");
    }
}

impl Spy {
    pub(super) fn at(public: SocketAddr, entrance: crate::screens::Entrance) -> Spy {
        Spy { public, entrance, feeds: BTreeMap::new(), marks: BTreeMap::new(), changed: BTreeMap::new() }
    }

    /// Every note that was left before is read, and what follows from it is written: so nothing that is told one after
    /// the other comes together by chance.
    pub(super) async fn wait(&self) {
        // It answers while it reads and writes when it has read all: who is answered again knows that all is written.
        for _ in 0..2 {
            self.entrance.view(Door::PublicFeed).await.expect("the feed moves");
        }
    }

    pub(super) async fn read(&mut self) -> BTreeMap<String, String> {
        let mut readings = BTreeMap::new();
        for path in FEEDS {
            let heard = self.listen(path).await;
            readings.insert(path.to_owned(), heard);
        }
        for path in ADDRESSES {
            let answer = self.get(path, "").await;
            let answer = self.without_time(path, answer);
            if let Some(mark) = answer.lines().find_map(|line| line.strip_prefix("etag: ")) {
                let known = self.marks.insert(path, mark.to_owned()).unwrap_or_default();
                let again = self.get(path, &format!("If-None-Match: {known}\r\n")).await;
                let again = self.without_time(path, again);
                readings.insert(format!("{path} again"), again);
            }
            readings.insert(path.to_owned(), answer);
        }
        readings
    }

    /// When a text changed last is another time of day in each run; that it is told to have changed is not.
    fn without_time(&mut self, path: &'static str, answer: String) -> String {
        let Some(told) = answer.lines().find_map(|line| line.strip_prefix("last-modified: ")).map(str::to_owned) else {
            return answer;
        };
        let plain = answer.replace(&told, if self.changed.get(path) == Some(&told) { "as before" } else { "anew" });
        self.changed.insert(path, told);
        plain
    }

    /// What a feed has said since it was listened to last, signs of life aside.
    async fn listen(&mut self, path: &'static str) -> String {
        let mut said = String::new();
        if !self.feeds.contains_key(path) {
            let (socket, agreed) = follow(self.public, path).await;
            said = plain(&agreed);
            self.feeds.insert(path, socket);
        }
        let socket = self.feeds.get_mut(path).expect("it is followed");
        for frame in frames(socket).iter().filter(|frame| !frame.contains("\"beat\":null")) {
            said += &plain(frame);
            said.push('\n');
        }
        said
    }

    pub(super) async fn get(&self, path: &str, headers: &str) -> String {
        let mut socket = TcpStream::connect(self.public).await.expect("somebody listens");
        // By a name that all evenings share: a text that repeats it, and its mark, tell them apart by nothing else.
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Connection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).await.expect("somebody reads");
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).await.expect("an answer");
        plain(&String::from_utf8_lossy(&answer))
    }
}

/// A follower whose handshake is answered, and the answer.
async fn follow(address: SocketAddr, path: &str) -> (std::net::TcpStream, String) {
    let mut socket = TcpStream::connect(address).await.expect("somebody listens");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    socket.write_all(request.as_bytes()).await.expect("somebody reads");
    let (mut agreed, mut byte) = (Vec::new(), [0]);
    while !agreed.ends_with(b"\r\n\r\n") {
        socket.read_exact(&mut byte).await.expect("an answer");
        agreed.push(byte[0]);
    }
    // A snapshot comes first, whenever the daemon gets to it.
    socket.peek(&mut byte).await.expect("a snapshot");
    (socket.into_std().expect("a socket"), String::from_utf8_lossy(&agreed).into_owned())
}

/// All frames that are there.
fn frames(socket: &mut std::net::TcpStream) -> Vec<String> {
    socket.set_nonblocking(true).expect("it is a socket");
    let (mut bytes, mut some) = (Vec::new(), [0; 65536]);
    loop {
        match socket.read(&mut some) {
            Ok(0) => panic!("the feed has hung up"),
            Ok(count) => bytes.extend_from_slice(&some[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    let mut frames = Vec::new();
    let mut rest = bytes.as_slice();
    while let [first, length, behind @ ..] = rest {
        assert_eq!(*first, 0x81, "a text");
        let wide = match length {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        let told = behind[..wide].iter().fold(0, |sum, byte| sum * 256 + usize::from(*byte));
        let length = if wide == 0 { usize::from(*length) } else { told };
        frames.push(String::from_utf8_lossy(&behind[wide..wide + length]).into_owned());
        rest = &behind[wide + length..];
    }
    frames
}

/// Without the time of day and the name of the run, which are another each time.
fn plain(text: &str) -> String {
    let mut text = text.lines().filter(|line| !line.starts_with("date: ")).collect::<Vec<_>>().join("\r\n");
    if let Some(at) = text.find("\"run\":\"") {
        text.replace_range(at..at + "\"run\":\"0123456789abcdef\"".len(), "");
    }
    text
}
