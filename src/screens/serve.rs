//! Serving: our own accept loop, as the usual one waits for ever for a header that never ends, and for everybody alike.

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    os::fd::AsRawFd as _,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Router, body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use rustix::process::{Resource, getrlimit};
use socket2::SockRef;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    answering::Answering,
    asker::Listener,
    ledger::Ledger,
    tls::Certificate,
    visit::{Arrived, Seat},
};

/// A header comes in one packet. Whoever takes longer, or says nothing at all, only holds a place.
const HEADER_PATIENCE: Duration = Duration::from_secs(5);
/// Keys are exchanged in two packets.
const TLS_PATIENCE: Duration = Duration::from_secs(4);
/// Whoever has not said by then what they want takes their time, and only so many of an address may.
const AT_ONCE: Duration = Duration::from_millis(500);
/// All headers of a request together.
const LONGEST_HEADER: usize = 16 * 1024;
/// When the system has no socket left, trying again at once would only burn a core.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(100);
/// Descriptors kept for boards, the journal and the PGN files. The kernel gives out the lowest number that is free, so
/// a connection with a number above says that all below are taken.
const KEPT: u64 = 64;

const FULL: &str = "The daemon has no room for another connection. Close some screens, or raise LimitNOFILE.\n";
const CROWDED: &str = "There are too many connections from this address. Close some, or come back later.\n";

/// A listener, and what is told to those who come by it.
#[derive(Debug)]
pub struct Gateway {
    /// Where it listens.
    pub socket: std::net::TcpListener,
    /// Which it is.
    pub listener: Listener,
    /// What it proves itself by, where it is encrypted.
    pub certificate: Option<Certificate>,
    /// Proxies whose connections are many people's.
    pub proxies: Vec<IpAddr>,
}

/// Serves `router` to all who come by one of the gateways, until it is dropped.
pub async fn serve(gateways: Vec<Gateway>, router: Router) -> io::Result<Infallible> {
    let ledger = Ledger::default();
    let router = router.layer(axum::Extension(ledger.clone()));
    let service = TowerToHyperService::new(router);
    let mut open = JoinSet::new();
    for gateway in gateways {
        open.spawn(attend(gateway, ledger.clone(), service.clone()));
    }
    // All go on for ever; the first that does not says why.
    while let Some(ended) = open.join_next().await {
        ended.map_err(io::Error::other)??;
    }
    std::future::pending().await
}

async fn attend(gateway: Gateway, ledger: Ledger, service: TowerToHyperService<Router>) -> io::Result<Infallible> {
    let Gateway { socket, listener, certificate, proxies } = gateway;
    let at = socket.local_addr().ok().filter(|at| !at.ip().is_unspecified());
    let terms = Terms { listener, at, certificate, proxies };
    socket.set_nonblocking(true)?;
    let listener = TcpListener::from_std(socket)?;
    let limit = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX).saturating_sub(KEPT);
    loop {
        match listener.accept().await {
            Ok((socket, peer)) => {
                let number = u64::try_from(socket.as_raw_fd()).unwrap_or_default();
                let caller = Caller { peer: peer.ip().to_canonical(), is_one_too_many: number >= limit };
                receive(&terms, &ledger, &service, socket, caller);
            }
            Err(error) if is_about_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no new screen can connect; raise LimitNOFILE if this goes on");
                sleep(OUT_OF_SOCKETS).await;
            }
        }
    }
}

/// What all requests of a connection have in common.
struct About {
    arrived: Arrived,
    seat: Seat,
    /// Rung with each request.
    decided: Arc<Notify>,
}

/// What holds for all who come by a gateway.
struct Terms {
    listener: Listener,
    /// The address all come by, where it is only one.
    at: Option<SocketAddr>,
    certificate: Option<Certificate>,
    proxies: Vec<IpAddr>,
}

struct Caller {
    peer: IpAddr,
    is_one_too_many: bool,
}

fn receive(gateway: &Terms, ledger: &Ledger, service: &TowerToHyperService<Router>, socket: TcpStream, caller: Caller) {
    let Some(at) = gateway.at.or_else(|| socket.local_addr().ok()) else { return };
    let listener = came_by(gateway.listener, at);
    if caller.is_one_too_many {
        return refuse(&socket, FULL, gateway.certificate.is_some());
    }
    // A proxy is counted by those it asks for, one by one.
    let is_proxy = gateway.proxies.contains(&caller.peer);
    let place = if is_proxy { None } else { ledger.enter(listener, caller.peer) };
    if place.is_none() && !is_proxy {
        return refuse(&socket, CROWDED, gateway.certificate.is_some());
    }
    let arrived = Arrived { listener, at, peer: caller.peer, is_tls: gateway.certificate.is_some() };
    let acceptor = gateway.certificate.as_ref().map(Certificate::acceptor);
    let (service, ledger) = (service.clone(), ledger.clone());
    // A conversation is some kilobytes: it is put where it stays before it is handed on.
    tokio::spawn(Box::pin(async move {
        let decided = Arc::new(Notify::new());
        let about = About { arrived, seat: Seat(Arc::new(Mutex::new(place))), decided: Arc::clone(&decided) };
        unless_dawdling(talk(socket, acceptor, service, about), &ledger, caller.peer, &decided).await;
    }));
}

/// What is listened to beyond loopback in the clear is for the hall, and only for those it invited.
fn came_by(listener: Listener, at: SocketAddr) -> Listener {
    match listener {
        Listener::Loopback if !at.ip().to_canonical().is_loopback() => Listener::LanPlain,
        Listener::Loopback | Listener::Lan | Listener::LanPlain | Listener::Public => listener,
    }
}

/// Talks until the end, or until too many of this address take their time with their first word.
async fn unless_dawdling(talk: impl Future<Output = ()>, ledger: &Ledger, peer: IpAddr, decided: &Notify) {
    tokio::pin!(talk);
    tokio::select! {
        () = &mut talk => return,
        () = decided.notified() => {}
        () = sleep(AT_ONCE) => {
            let Some(dawdling) = ledger.dawdle(peer) else { return };
            tokio::select! {
                () = &mut talk => return,
                () = decided.notified() => drop(dawdling),
            }
        }
    }
    talk.await;
}

async fn talk(
    socket: TcpStream,
    acceptor: Option<tokio_rustls::TlsAcceptor>,
    service: TowerToHyperService<Router>,
    about: About,
) {
    match acceptor {
        None => converse(socket, service, about).await,
        // The state of its keys would make room for itself in every conversation in the clear.
        Some(acceptor) => match Box::pin(timeout(TLS_PATIENCE, acceptor.accept(socket))).await {
            Ok(Ok(stream)) => Box::pin(converse(stream, service, about)).await,
            Ok(Err(error)) => tracing::debug!(%error, "no keys were agreed on"),
            Err(_) => tracing::debug!("keys were not agreed on in time"),
        },
    }
}

async fn converse<S: AsyncRead + AsyncWrite + Unpin + Send + 'static>(
    stream: S,
    service: TowerToHyperService<Router>,
    about: About,
) {
    let service = service_fn(move |mut request: Request<Incoming>| {
        about.decided.notify_one();
        request.extensions_mut().insert(about.arrived);
        request.extensions_mut().insert(about.seat.clone());
        hyper::service::Service::call(&service, request.map(Body::new))
    });
    let outcome = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_PATIENCE)
        .max_buf_size(LONGEST_HEADER)
        .serve_connection(TokioIo::new(Answering::new(stream)), service)
        .with_upgrades()
        .await;
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection ended badly");
    }
}

/// Says why in a few words where there is room for them, and hangs up. Nobody is waited for.
fn refuse(socket: &TcpStream, sentence: &str, is_tls: bool) {
    if is_tls {
        return;
    }
    let status = if sentence == FULL { "503 Service Unavailable" } else { "429 Too Many Requests" };
    let head = "Content-Type: text/plain; charset=utf-8\r\nRetry-After: 5\r\nConnection: close";
    let answer = format!("HTTP/1.1 {status}\r\n{head}\r\nContent-Length: {}\r\n\r\n{sentence}", sentence.len());
    // Whoever has no room for so few bytes goes without.
    let _ = socket.try_write(answer.as_bytes());
    let _ = SockRef::from(socket).shutdown(std::net::Shutdown::Write);
}

fn is_about_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
