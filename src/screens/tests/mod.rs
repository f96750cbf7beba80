//! Real sockets, real handshakes: one file per behaviour.

mod doors;
mod feed;
mod handshakes;
mod http;
mod security;
mod tls;

use std::{
    collections::BTreeMap,
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::{Arc, Mutex},
    time::Duration,
};

use protocol::feed::{BoardsView, Body, Command, Entry, HallView, Message, Side, Sight, Staff, TableEvent, TableId};
use tokio::sync::{mpsc, oneshot};
use tungstenite::{ClientRequestBuilder, WebSocket, client::client, handshake::client::Response as Agreed};

use super::{
    Air, AppState, Feed, Gate, Gateway, Giver, Library, Listener, Manners, Opened, Outcome, Passes, PgnAddress, Placed,
    Register, Shelf, Views, Wish,
    listen::listen,
    router, serve,
    tls::{Certificate, Source},
    token::OperatorToken,
    vitals::Vitals,
};
use crate::journal::{Committed, Done, Entries};
use crate::record::{Report, papers::Paper};

/// Long enough for the busiest machine; only a broken build waits for it.
const DEADLINE: Duration = Duration::from_secs(20);
const RUN: &str = "run-of-a-test";
/// The game in the library.
const GAME: &str = "[Event \"Open\"]\n\n1. e4 *\n";

/// A whole daemon but for its boards: feed, doors, a run loop that obeys, and a library with one game.
struct Hall {
    feed: Feed,
    air: Mutex<Air>,
    address: SocketAddr,
    /// Where each listener is; all of them on this machine.
    gates: BTreeMap<Listener, SocketAddr>,
    token: OperatorToken,
    /// Who gave the orders, in order.
    givers: Arc<Mutex<Vec<Giver>>>,
    /// Ends the server's runtime when the test ends.
    _end: oneshot::Sender<()>,
    state: tempfile::TempDir,
}

impl Hall {
    fn open() -> Hall {
        Hall::open_with(Manners::default())
    }

    fn open_with(manners: Manners) -> Hall {
        let state = tempfile::tempdir().expect("a temporary folder");
        let token = OperatorToken::keep(state.path()).expect("a fresh folder takes a token");
        let feed = Feed::open(RUN.to_owned(), || 4711).expect("a thread and a bell");
        let (gateways, opened) = open_all(state.path(), &manners);
        let gates: BTreeMap<_, _> = opened.iter().map(|opened| (opened.listener, opened.address)).collect();
        let (orders, run_loop) = mpsc::channel(8);
        let app = AppState {
            entrance: feed.entrance(),
            orders,
            shelf: Shelf::new(Arc::new(OneGame)),
            public_shelf: Shelf::new(Arc::new(OneGame)),
            gate: Gate::new(token.clone(), Passes::new(Register::default()), manners),
            opened: Arc::new(opened),
            counter: crate::press::Counter::default(),
        };
        let (end, ended) = oneshot::channel();
        let givers = Arc::new(Mutex::new(Vec::new()));
        let noted = Arc::clone(&givers);
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                tokio::spawn(obey(run_loop, noted));
                tokio::select! {
                    _ = serve(gateways, router(app)) => {}
                    _ = ended => {}
                }
            });
        });
        Hall {
            feed,
            air: Mutex::default(),
            address: gates[&Listener::Loopback],
            gates,
            token,
            givers,
            _end: end,
            state,
        }
    }

    fn show(&self, number: u16, sight: Sight) {
        self.feed.show(&table(number), 1, vec![sight]);
    }

    fn publish(&self, number: u16, entry: Entry) {
        let events = vec![TableEvent { table: Some(table(number)), t: 1, event: entry.into() }];
        let committed = Committed::for_a_test(Entries { events, ..Entries::default() });
        self.feed.publish(&committed);
        let mut air = self.air.lock().expect("nobody panicked");
        air.take(&committed, 1);
        self.feed.air(air.pictures());
    }

    /// A bare connection.
    fn knock(&self) -> TcpStream {
        self.knock_at(Listener::Loopback)
    }

    fn knock_at(&self, listener: Listener) -> TcpStream {
        let socket = TcpStream::connect(self.gates[&listener]).expect("somebody listens");
        socket.set_read_timeout(Some(DEADLINE)).expect("a positive time");
        socket
    }

    /// Sends a request as it stands and reads the whole answer.
    fn ask(&self, request: &str) -> String {
        self.ask_at(Listener::Loopback, request)
    }

    fn ask_at(&self, listener: Listener, request: &str) -> String {
        let mut socket = self.knock_at(listener);
        let request = request.replace("HOST", &self.gates[&listener].to_string()).replace('\n', "\r\n");
        socket.write_all(request.as_bytes()).expect("somebody reads");
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).expect("an answer before the deadline");
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        self.ask(&format!("GET {path} HTTP/1.1\nHost: HOST\nConnection: close\n\n"))
    }

    fn order(&self, token: &str, body: &str) -> String {
        let length = body.len();
        let head = format!("Authorization: Bearer {token}\nContent-Length: {length}\nConnection: close");
        self.ask(&format!("POST /command HTTP/1.1\nHost: HOST\n{head}\n\n{body}"))
    }

    /// Posts something, with more headers.
    fn post_at(&self, listener: Listener, path: &str, headers: &str, body: &str) -> String {
        let length = body.len();
        let head = format!("{headers}Content-Length: {length}\nConnection: close");
        self.ask_at(listener, &format!("POST {path} HTTP/1.1\nHost: HOST\n{head}\n\n{body}"))
    }

    /// Invites somebody as the operator; gives the number of the pass and the code.
    fn invite(&self, role: &str) -> (u64, String) {
        let bearer = format!("Authorization: Bearer {}\n", self.token.reveal());
        let body = format!(r#"{{"role":"{role}","name":"Anna"}}"#);
        let answer = self.post_at(Listener::Loopback, "/invite", &bearer, &body);
        let invited: serde_json::Value = serde_json::from_str(body_of(&answer)).expect(&answer);
        (invited["pass"].as_u64().expect("a number"), invited["code"].as_str().expect("a code").to_owned())
    }

    /// Comes in by a code at a listener; gives the number of the pass and the cookie as it is sent back.
    fn enter(&self, listener: Listener, role: &str) -> (u64, String) {
        let (pass, code) = self.invite(role);
        let answer = self.post_at(listener, "/enter", "", &format!(r#"{{"code":"{code}"}}"#));
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        (pass, cookie_of(&answer))
    }

    fn get_with(&self, listener: Listener, path: &str, headers: &str) -> String {
        self.ask_at(listener, &format!("GET {path} HTTP/1.1\nHost: HOST\n{headers}Connection: close\n\n"))
    }

    /// Follows the whole hall as everybody may.
    fn screen(&self) -> Screen {
        self.screen_at("/feed/ws", &[]).expect("the hall's feed is open")
    }

    fn operator(&self) -> Screen {
        let bearer = format!("Bearer {}", self.token.reveal());
        self.screen_at("/feed/ws", &[("Authorization", &bearer)]).expect("the right token opens")
    }

    fn screen_at(&self, path: &str, headers: &[(&str, &str)]) -> Result<Screen, String> {
        self.screen_over(self.knock(), path, headers).map(|(screen, _)| screen)
    }

    fn screen_over(&self, socket: TcpStream, path: &str, headers: &[(&str, &str)]) -> Result<(Screen, Agreed), String> {
        let host = socket.peer_addr().expect("it is connected");
        let uri = format!("ws://{host}{path}").parse().expect("an address");
        let request = headers.iter().fold(ClientRequestBuilder::new(uri), |request, (name, value)| match *name {
            "Sec-WebSocket-Protocol" => request.with_sub_protocol(*value),
            name => request.with_header(name, *value),
        });
        let (socket, agreed) = client(request, socket).map_err(|error| error.to_string())?;
        Ok((Screen { socket, view: HallView::default(), seq: None }, agreed))
    }
}

/// All listeners, each on this machine.
fn open_all(state: &std::path::Path, manners: &Manners) -> (Vec<Gateway>, Vec<Opened>) {
    let open = |listener: Listener| {
        let socket = listen(SocketAddr::from(([127, 0, 0, 1], 0))).expect("any free port");
        let address = socket.local_addr().expect("it is bound");
        let own = || Source::Own { state: state.to_owned(), names: vec!["127.0.0.1".to_owned()] };
        let certificate =
            (listener == Listener::Lan).then(|| Certificate::open(own()).expect("a certificate can be made"));
        let gateway = Gateway { socket, listener, certificate: certificate.clone(), proxies: manners.proxies.clone() };
        (gateway, Opened { listener, address, name: None, certificate })
    };
    Listener::ALL.map(open).into_iter().unzip()
}

struct OneGame;

impl Library for OneGame {
    fn pgn(&self, address: &PgnAddress) -> Result<String, String> {
        match address {
            PgnAddress::All | PgnAddress::Game(_) | PgnAddress::One(..) => Ok(GAME.to_owned()),
            PgnAddress::Table(_) | PgnAddress::Event(_) | PgnAddress::Round { .. } => {
                Err("No game has been played there yet.".to_owned())
            }
        }
    }

    fn report(&self, _: &str) -> Result<Report, String> {
        Ok(Report { bytes: b"012 Open\n".to_vec(), left_out: vec!["round 2 is left out".to_owned()] })
    }

    fn annotated(&self, _: &PgnAddress, _: Staff) -> Result<String, String> {
        Err("There is none.".to_owned())
    }

    fn paper(&self, _: &Paper, reader: Staff) -> Result<String, String> {
        Ok(format!("<!doctype html><p>for the {reader:?}</p>"))
    }

    fn edition(&self, _: &PgnAddress) -> u64 {
        0
    }
}

/// Does as told, but for taking back more moves than there are.
async fn obey(mut orders: mpsc::Receiver<Placed>, givers: Arc<Mutex<Vec<Giver>>>) {
    while let Some(Placed { wish, by, outcome }) = orders.recv().await {
        givers.lock().expect("nobody panicked").push(by);
        let told = match wish {
            Wish::Fleet => Outcome::Fleet(Box::default()),
            Wish::Voices => Outcome::Voices(Vec::new()),
            Wish::Programme => Outcome::Programme(Box::default()),
            Wish::Timeline(table) => {
                Outcome::Timeline(Box::new(protocol::feed::Timeline { table, moments: Vec::new() }))
            }
            Wish::Admissions(_) => Outcome::Admitted,
            Wish::Vitals => Outcome::Vitals(Box::new(Vitals { is_recording: true, ..Vitals::default() })),
            Wish::Boards { event, round } => {
                Outcome::Boards(Box::new(BoardsView { event, round, bare: Vec::new(), boards: Vec::new() }))
            }
            Wish::Preview(_) => {
                let said = vec!["nothing has changed".to_owned()];
                Outcome::Tried(hall::Preview { said, ..hall::Preview::default() })
            }
            Wish::Order(order) if matches!(order.command, Command::Undo { plies: 2.. }) => {
                Outcome::Refused("Only one move has been made.".to_owned().into())
            }
            Wish::Order(order) => {
                Outcome::Done(Box::new(Committed::for_a_test(Done { order, events: vec![], said: vec![] })))
            }
        };
        outcome.send(told).expect("whoever asks waits");
    }
}

fn body_of(answer: &str) -> &str {
    answer.split_once("\r\n\r\n").map_or("", |(_, body)| body)
}

/// The cookie of an answer, as a browser sends it back.
fn cookie_of(answer: &str) -> String {
    let set = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).expect(answer);
    format!("Cookie: {}\n", set.split(';').next().unwrap_or_default())
}

/// A page: keeps the view, and insists on consecutive numbers.
struct Screen<S = TcpStream> {
    socket: WebSocket<S>,
    view: HallView,
    seq: Option<u64>,
}

impl<S: std::io::Read + std::io::Write> Screen<S> {
    /// The next message but beats, folded into the view.
    fn next(&mut self) -> Message {
        loop {
            let frame = match self.socket.read() {
                // A machine that stood still for a moment cuts a wait short, and says nothing of the frame.
                Err(tungstenite::Error::Io(error)) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                frame => frame.expect("a frame before the deadline"),
            };
            let text = frame.into_text().expect("a text frame");
            let message: Message = serde_json::from_str(&text).expect("a message of the feed");
            assert_eq!((message.v, message.run.as_str(), message.now), (1, RUN, 4711));
            match &message.body {
                Body::Snapshot(view) => self.view.clone_from(view),
                Body::Changes(changes) => {
                    assert_eq!(Some(message.seq), self.seq.map(|seq| seq + 1), "numbers are consecutive");
                    changes.iter().for_each(|change| self.view.apply(change));
                }
                Body::Beat(()) => continue,
            }
            self.seq = Some(message.seq);
            return message;
        }
    }

    /// Reads until the view is as `wanted`, and tells how many messages that took.
    fn until(&mut self, wanted: impl Fn(&HallView) -> bool) -> usize {
        let mut messages = 0;
        while !wanted(&self.view) || self.seq.is_none() {
            self.next();
            messages += 1;
        }
        messages
    }

    /// Ends the conversation and hands over the bare socket.
    fn socket(&mut self) -> &mut S {
        self.socket.get_mut()
    }
}

fn table(number: u16) -> TableId {
    TableId { event: "open".into(), round: 3, table: number }
}

/// The visible line is `plies` long.
fn seen(plies: usize) -> Sight {
    let line = std::iter::repeat_n("Nf3", plies).collect();
    Sight::Seen {
        line,
        settled: 0,
        placement: "8/8/8/8/8/8/8/8".into(),
        turn: Side::White,
        rest: String::new(),
        last: None,
        check: false,
        off_clock: 0,
        at_rest: false,
    }
}

/// All a screen is told until table 9 shows nine moves.
fn told(screen: &mut Screen) -> String {
    let mut told = String::new();
    while !line_at(9, 9)(&screen.view) {
        told += &serde_json::to_string(&screen.next()).expect("a message is plain data");
    }
    told
}

fn line_at(number: u16, plies: usize) -> impl Fn(&HallView) -> bool {
    move |view| view.only(&table(number)).tables.first().is_some_and(|table| table.line.len() == plies)
}
