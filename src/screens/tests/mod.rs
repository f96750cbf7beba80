//! Real sockets, real handshakes: one file per behaviour.

mod feed;
mod http;
mod security;

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    sync::Arc,
    time::Duration,
};

use protocol::feed::{Body, Command, Entry, HallView, Message, Side, Sight, TableEvent, TableId};
use tokio::sync::{mpsc, oneshot};
use tungstenite::{ClientRequestBuilder, WebSocket, client::client, handshake::client::Response as Agreed};

use super::{AppState, Feed, Outcome, PgnAddress, Views, listen::listen, router, serve, token::OperatorToken};
use crate::journal::{Committed, Done, Entries};

/// Long enough for the busiest machine; only a broken build waits for it.
const DEADLINE: Duration = Duration::from_secs(20);
const RUN: &str = "run-of-a-test";
/// The game in the library.
const GAME: &str = "[Event \"Open\"]\n\n1. e4 *\n";

/// A whole daemon but for its boards: feed, doors, a run loop that obeys, and a library with one game.
struct Hall {
    feed: Feed,
    address: SocketAddr,
    token: OperatorToken,
    /// Ends the server's runtime when the test ends.
    _end: oneshot::Sender<()>,
    _state: tempfile::TempDir,
}

impl Hall {
    fn open() -> Hall {
        let state = tempfile::tempdir().expect("a temporary folder");
        let token = OperatorToken::keep(state.path()).expect("a fresh folder takes a token");
        let feed = Feed::open(RUN.to_owned(), || 4711).expect("a thread and a bell");
        let listener = listen(SocketAddr::from(([127, 0, 0, 1], 0))).expect("any free port");
        let address = listener.local_addr().expect("it is bound");
        let (orders, run_loop) = mpsc::channel(8);
        let library = Arc::new(|address: &PgnAddress| match address {
            PgnAddress::All | PgnAddress::Game(_) => Ok(GAME.to_owned()),
            PgnAddress::Table(_) | PgnAddress::Round { .. } => Err("No game has been played there yet.".to_owned()),
        });
        let app = AppState { entrance: feed.entrance(), orders, library, token: token.clone() };
        let (end, ended) = oneshot::channel();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                tokio::spawn(obey(run_loop));
                tokio::select! {
                    _ = serve(listener, router(app)) => {}
                    _ = ended => {}
                }
            });
        });
        Hall { feed, address, token, _end: end, _state: state }
    }

    fn show(&self, number: u16, sight: Sight) {
        self.feed.show(&table(number), 1, vec![sight]);
    }

    fn publish(&self, number: u16, entry: Entry) {
        let events = vec![TableEvent { table: Some(table(number)), t: 1, event: entry.into() }];
        self.feed.publish(&Committed::for_a_test(Entries { events, ..Entries::default() }));
    }

    /// A bare connection.
    fn knock(&self) -> TcpStream {
        let socket = TcpStream::connect(self.address).expect("somebody listens");
        socket.set_read_timeout(Some(DEADLINE)).expect("a positive time");
        socket
    }

    /// Sends a request as it stands and reads the whole answer.
    fn ask(&self, request: &str) -> String {
        let mut socket = self.knock();
        let request = request.replace("HOST", &self.address.to_string()).replace('\n', "\r\n");
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
        let uri = format!("ws://{}{path}", self.address).parse().expect("an address");
        let request = headers.iter().fold(ClientRequestBuilder::new(uri), |request, (name, value)| match *name {
            "Sec-WebSocket-Protocol" => request.with_sub_protocol(*value),
            name => request.with_header(name, *value),
        });
        let (socket, agreed) = client(request, socket).map_err(|error| error.to_string())?;
        Ok((Screen { socket, view: HallView::default(), seq: None }, agreed))
    }
}

/// Does as told, but for taking back more moves than there are.
async fn obey(mut orders: mpsc::Receiver<super::PlacedOrder>) {
    while let Some((order, answer)) = orders.recv().await {
        let done = if matches!(order.command, Command::Undo { plies: 2.. }) {
            Outcome::Refused("Only one move has been made.".into())
        } else {
            Outcome::Done(Committed::for_a_test(Done { order, events: vec![] }))
        };
        answer.send(done).expect("whoever asks waits");
    }
}

/// A page: keeps the view, and insists on consecutive numbers.
struct Screen {
    socket: WebSocket<TcpStream>,
    view: HallView,
    seq: Option<u64>,
}

impl Screen {
    /// The next message but beats, folded into the view.
    fn next(&mut self) -> Message {
        loop {
            let text = self.socket.read().expect("a frame before the deadline").into_text().expect("a text frame");
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
    fn socket(&mut self) -> &mut TcpStream {
        self.socket.get_mut()
    }
}

fn table(number: u16) -> TableId {
    TableId { event: "open".into(), round: 3, table: number }
}

/// The visible line is `plies` long.
fn seen(plies: usize) -> Sight {
    let line = vec!["Nf3".to_owned(); plies];
    Sight::Seen { line, settled: 0, placement: "8/8/8/8/8/8/8/8".into(), turn: Side::White, last: None, check: false }
}

fn line_at(number: u16, plies: usize) -> impl Fn(&HallView) -> bool {
    move |view| view.only(&table(number)).tables.first().is_some_and(|table| table.line.len() == plies)
}
