//! The sockets of the endpoint, and the one task that owns what is said there.

use std::{
    collections::BTreeMap,
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    http::{HeaderValue, header},
    response::{IntoResponse as _, Response},
    routing::get,
};
use futures_util::{SinkExt as _, StreamExt as _};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use protocol::board::Observation;
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{
        Error, Message,
        protocol::{CloseFrame, Role, WebSocketConfig, frame::coding::CloseCode},
    },
};

use super::{
    super::{
        asker::{Giver, Listener},
        guard::{self, Page},
        handshake::{answer_key, switching},
        placed::{Outcome, Placed, Wish},
        refusal::Refusal,
        serve::{Gateway, serve},
        visit::Arrived,
    },
    choice::Local,
    dialogue::{Client, Dialogue, Moment},
    words::EBoard,
};
use crate::{
    press::{LocalAddress, Published, Sitting},
    sensors::Monotonic,
};

/// Pages of others that own the board their players use.
const USUAL_ORIGINS: [&str; 2] = ["https://lichess.org", "https://www.chess.com"];

/// Clients at a time. The usual number is one.
const MOST_CLIENTS: usize = 32;
const CROWDED: &str = "32 programs are connected already: close one";
/// What a client may have in store before it is hung up on: it reads, or it is not there.
const IN_STORE: usize = 256;
/// What boards have said and was not looked at: seconds of a whole hall.
const UNHEARD: usize = 8 * 1024;
/// A call fits into much less.
const LONGEST_CALL: usize = 16 * 1024;
/// A client that takes no message in so long is not there.
const PATIENCE: Duration = Duration::from_secs(10);

/// The endpoint, open.
#[derive(Debug)]
pub struct LiveChess {
    /// Where boards are told of.
    pub tap: Tap,
    /// Its port.
    pub port: u16,
}

/// What hears all boards.
#[derive(Clone, Debug, Default)]
pub struct Tap(Option<mpsc::Sender<Heard>>);

/// What a board has said.
#[derive(Debug)]
struct Heard {
    board: String,
    port: Arc<str>,
    at: u64,
    observation: Observation,
}

/// What a client does.
#[derive(Debug)]
enum Deed {
    Comes(Client, mpsc::Sender<Told>),
    Says(Client, String),
    /// It sends bytes that are no text.
    SendsBytes(Client),
    Goes(Client),
    /// Somebody asks for the list without connecting.
    Asks(oneshot::Sender<Vec<EBoard>>),
}

/// What a client is told.
#[derive(Debug)]
enum Told {
    Text(String),
    /// That there is no room.
    Crowded,
}

impl Tap {
    /// A board at a port has said something at a moment of core time. Never waits: who does not keep up here goes without.
    pub fn hear(&self, board: &str, port: &Arc<str>, at: u64, observation: &Observation) {
        let Some(tell) = &self.0 else { return };
        let heard = Heard { board: board.to_owned(), port: Arc::clone(port), at, observation: observation.clone() };
        if tell.try_send(heard).is_err() {
            tracing::warn!(board, "the LiveChess endpoint does not keep up with the boards");
        }
    }
}

impl LiveChess {
    /// Opens the endpoint on both loopbacks.
    pub fn open(local: &Local, clock: Monotonic, epoch: u64, house: House) -> io::Result<LiveChess> {
        let first = TcpListener::bind((Ipv4Addr::LOCALHOST, local.port))?;
        let port = first.local_addr()?.port();
        // A machine without the newer loopback has no clients there.
        let second = TcpListener::bind((Ipv6Addr::LOCALHOST, port)).ok();
        let gateway = |socket| Gateway { socket, listener: Listener::Loopback, certificate: None, proxies: Vec::new() };
        let gateways = [Some(first), second].into_iter().flatten().map(gateway).collect();

        let (tell, heard) = mpsc::channel(UNHEARD);
        let (deeds, done) = mpsc::channel(IN_STORE);
        tokio::spawn(attend(heard, done, clock, epoch));
        let desk = Desk { deeds, house, origins: local.origins.clone(), next: AtomicU64::new(1) };
        let router = Router::new()
            .route("/api/v1.0", get(connect))
            .route("/api/v1.0/eboards", get(list))
            .route("/api/v1.0/{*document}", get(document))
            .fallback(nothing)
            .with_state(Arc::new(desk));
        tokio::spawn(serve(gateways, router));
        Ok(LiveChess { tap: Tap(Some(tell)), port })
    }
}

/// What is asked of the rest of the house.
#[derive(Clone)]
pub struct House {
    /// What was published.
    pub published: Arc<dyn Published>,
    /// Who knows which board is where.
    pub wishes: mpsc::Sender<Placed>,
}

/// What all connections share.
struct Desk {
    deeds: mpsc::Sender<Deed>,
    house: House,
    origins: Vec<String>,
    next: AtomicU64,
}

/// The one task: whoever says something is answered before anybody else is heard.
async fn attend(mut heard: mpsc::Receiver<Heard>, mut done: mpsc::Receiver<Deed>, clock: Monotonic, epoch: u64) {
    let mut dialogue = Dialogue::default();
    let mut clients = BTreeMap::<Client, mpsc::Sender<Told>>::new();
    loop {
        let mut out = Vec::new();
        let now = || Moment { at: epoch + clock.now(), wall_ms: crate::journal::wall_ms() };
        let due = dialogue.deadline();
        tokio::select! {
            Some(Heard { board, port, at, observation }) = heard.recv() => {
                dialogue.hear(&board, &port, &observation, Moment { at, ..now() }, &mut out);
            }
            Some(deed) = done.recv() => match deed {
                Deed::Comes(client, tell) if clients.len() < MOST_CLIENTS => drop(clients.insert(client, tell)),
                // Nothing was said to it yet, so there is room for this.
                Deed::Comes(_, tell) => drop(tell.try_send(Told::Crowded)),
                Deed::Says(client, said) if clients.contains_key(&client) => {
                    dialogue.say(client, &said, now(), &mut out);
                }
                Deed::SendsBytes(client) if clients.contains_key(&client) => {
                    dialogue.refuse_bytes(client, now(), &mut out);
                }
                Deed::Says(..) | Deed::SendsBytes(_) => {}
                Deed::Goes(client) => {
                    clients.remove(&client);
                    dialogue.leave(client);
                }
                Deed::Asks(tell) => drop(tell.send(dialogue.list())),
            },
            () = clock.sleep_until(due.unwrap_or_default().saturating_sub(epoch)), if due.is_some() => {
                dialogue.elapse(now(), &mut out);
            }
            else => return,
        }
        for (client, text) in out {
            if clients.get(&client).is_some_and(|tell| tell.try_send(Told::Text(text)).is_err()) {
                // Its task ends with its store.
                clients.remove(&client);
                dialogue.leave(client);
            }
        }
    }
}

async fn connect(State(desk): State<Arc<Desk>>, mut request: Request) -> Response {
    let checked = desk.check(&request).and_then(|_| answer_key(&request));
    let accept = match checked {
        Ok(accept) => accept,
        Err(refusal) => return refusal.as_json(),
    };
    let upgraded = hyper::upgrade::on(&mut request);
    let client = desk.next.fetch_add(1, Ordering::Relaxed);
    let deeds = desk.deeds.clone();
    tokio::spawn(async move {
        match upgraded.await {
            Ok(upgraded) => {
                talk(upgraded, client, &deeds).await;
                let _the_daemon_ends = deeds.send(Deed::Goes(client)).await;
            }
            Err(error) => tracing::debug!(%error, "a client went away during the handshake"),
        }
    });
    switching(accept)
}

/// One client, until it goes or takes nothing any more.
async fn talk(upgraded: Upgraded, client: Client, deeds: &mpsc::Sender<Deed>) {
    let mut config = WebSocketConfig::default();
    (config.max_message_size, config.max_frame_size) = (Some(LONGEST_CALL), Some(LONGEST_CALL));
    let line = WebSocketStream::from_raw_socket(TokioIo::new(upgraded), Role::Server, Some(config)).await;
    let (mut mouth, mut ear) = line.split();
    let (tell, mut told) = mpsc::channel(IN_STORE);
    if deeds.send(Deed::Comes(client, tell)).await.is_err() {
        return;
    }
    let good_bye = loop {
        tokio::select! {
            told = told.recv() => match told {
                Some(Told::Text(text)) => {
                    if !matches!(timeout(PATIENCE, mouth.send(Message::text(text))).await, Ok(Ok(()))) {
                        return;
                    }
                }
                Some(Told::Crowded) => break because(CloseCode::Again, CROWDED),
                None => break because(CloseCode::Policy, "it does not read what it is told"),
            },
            said = ear.next() => match said {
                Some(Ok(Message::Text(text))) => {
                    if deeds.send(Deed::Says(client, text.to_string())).await.is_err() {
                        return;
                    }
                }
                Some(Ok(Message::Binary(_))) => {
                    if deeds.send(Deed::SendsBytes(client)).await.is_err() {
                        return;
                    }
                }
                // Pings are answered by whoever reads the frames.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_))) => {}
                Some(Err(Error::Capacity(_))) => break because(CloseCode::Size, "a call has 16 KiB at most"),
                Some(Ok(Message::Close(_)) | Err(_)) | None => break Message::Close(None),
            },
        }
    };
    let _it_may_be_gone = timeout(PATIENCE, mouth.send(good_bye)).await;
}

fn because(code: CloseCode, reason: &'static str) -> Message {
    Message::Close(Some(CloseFrame { code, reason: reason.into() }))
}

async fn list(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    let page = desk.check(&request);
    let told = async {
        let page = page?;
        Ok((serde_json::to_string(&desk.boards().await?).expect("words are JSON"), page))
    };
    lent(told.await)
}

async fn document(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    let (page, path) = (desk.check_for_games(&request), request.uri().path().to_owned());
    let told = async {
        let page = page?;
        let address = LocalAddress::read(path.trim_start_matches("/api/v1.0/")).ok_or_else(unknown)?;
        let sitting = desk.sitting().await?;
        let text = address.write(&*desk.house.published, &sitting).ok_or_else(|| {
            Refusal::not_found(
                "There is nothing of this name: /api/v1.0/tournaments lists the events, and rounds count from 0.",
            )
        })?;
        Ok((text, page))
    };
    lent(told.await)
}

/// A document, for the page that asks for it too.
fn lent(told: Result<(String, Page), Refusal>) -> Response {
    let (text, page) = match told {
        Ok(told) => told,
        Err(refusal) => return refusal.as_json(),
    };
    let mut response = ([(header::CONTENT_TYPE, "application/json")], text).into_response();
    response.headers_mut().insert(header::VARY, HeaderValue::from_static("Origin"));
    if let Page::Theirs(origin) = page
        && let Ok(origin) = HeaderValue::from_str(&origin)
    {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    response
}

async fn nothing() -> Response {
    unknown().as_json()
}

fn unknown() -> Refusal {
    Refusal::not_found(
        "This is Escaque's LiveChess endpoint: a WebSocket at /api/v1.0; /api/v1.0/eboards for the list of boards, \
         /api/v1.0/tournaments for that of events.",
    )
}

impl Desk {
    /// All boards that were heard.
    async fn boards(&self) -> Result<Vec<EBoard>, Refusal> {
        let (tell, told) = oneshot::channel();
        let _the_daemon_ends = self.deeds.send(Deed::Asks(tell)).await;
        told.await.map_err(|_| Refusal::ending())
    }

    /// Which of them are where.
    async fn sitting(&self) -> Result<Sitting, Refusal> {
        let heard = self.boards().await?.into_iter();
        let clock = |board: &EBoard| serde_json::to_value(board.clock).expect("words are JSON");
        let clocks = heard.map(|board| (board.serialnr.clone(), clock(&board))).collect();
        let (placed, answered) = Placed::new(Wish::Fleet, Giver::house());
        let _the_daemon_ends = self.house.wishes.send(placed).await;
        let Ok(Outcome::Fleet(fleet)) = answered.await else { return Err(Refusal::ending()) };
        let seats = fleet.boards.into_iter().filter_map(|board| Some((board.at?, board.board))).collect();
        Ok(Sitting { seats, clocks })
    }

    /// From what page a request comes, if it may.
    fn check(&self, request: &Request) -> Result<Page, Refusal> {
        let headers = request.headers();
        let at =
            request.extensions().get::<Arrived>().map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |arrived| arrived.at.ip());
        guard::check_form(request)
            .and_then(|()| guard::check_host(headers, at, &[]))
            .and_then(|()| guard::check_forwarding(headers, Listener::Loopback))
            .map_err(Refusal::forbidden)?;
        match guard::page_of(headers, false) {
            Page::Theirs(origin) if !USUAL_ORIGINS.contains(&origin.as_str()) && !self.is_listed(&origin) => {
                Err(Refusal::forbidden(format!(
                    "A page of \"{origin}\" may not read the boards. List it in `livechess-origins` of the configuration."
                )))
            }
            page @ (Page::None | Page::Ours | Page::Theirs(_)) => Ok(page),
        }
    }

    /// The same for games: those of others are no business of a page somebody plays at.
    fn check_for_games(&self, request: &Request) -> Result<Page, Refusal> {
        match self.check(request)? {
            Page::Theirs(origin) if !self.is_listed(&origin) => Err(Refusal::forbidden(format!(
                "A page of \"{origin}\" may read boards, and no games. List it in `livechess-origins` of the configuration."
            ))),
            page @ (Page::None | Page::Ours | Page::Theirs(_)) => Ok(page),
        }
    }

    /// A page whoever looks after this machine wants to read what it shows.
    fn is_listed(&self, origin: &str) -> bool {
        is_of_this_machine(origin) || self.origins.iter().any(|listed| listed == origin)
    }
}

/// A page that was served on this machine, by whatever port.
fn is_of_this_machine(origin: &str) -> bool {
    let Ok(uri) = origin.parse::<axum::http::Uri>() else { return false };
    let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
