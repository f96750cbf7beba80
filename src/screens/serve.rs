//! Serving: our own accept loop, as the usual one waits for ever for a header that never ends.

use std::{convert::Infallible, io, sync::Arc, time::Duration};

use axum::{Router, body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore},
    time::sleep,
};

use super::http::Arrived;

/// A header comes in one packet. Whoever takes longer, or says nothing at all, only holds a place.
const HEADER_PATIENCE: Duration = Duration::from_secs(5);
/// All headers of a request together.
const LONGEST_HEADER: usize = 16 * 1024;
/// Requests and handshakes at a time; viewers of the feed are not among them. More wait their turn in the backlog.
const AT_A_TIME: usize = 2048;
/// When the system has no socket left, trying again at once would only burn a core.
const OUT_OF_SOCKETS: Duration = Duration::from_millis(100);

/// Serves `router` on `listener`, until it is dropped.
pub async fn serve(listener: std::net::TcpListener, router: Router) -> io::Result<Infallible> {
    let listener = TcpListener::from_std(listener)?;
    let service = TowerToHyperService::new(router);
    let places = Arc::new(Semaphore::new(AT_A_TIME));
    loop {
        let place = Arc::clone(&places).acquire_owned().await.expect("nobody closes the semaphore");
        match listener.accept().await {
            Ok((socket, _)) => {
                tokio::spawn(converse(socket, service.clone(), place));
            }
            Err(error) if is_about_one_connection(&error) => {}
            Err(error) => {
                tracing::warn!(%error, "no new screen can connect; raise LimitNOFILE if this goes on");
                sleep(OUT_OF_SOCKETS).await;
            }
        }
    }
}

async fn converse(socket: TcpStream, service: TowerToHyperService<Router>, _place: OwnedSemaphorePermit) {
    let Ok(here) = socket.local_addr() else { return };
    let arrived = Arrived(here.ip().to_canonical());
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(arrived);
        hyper::service::Service::call(&service, request.map(Body::new))
    });
    let outcome = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_PATIENCE)
        .max_buf_size(LONGEST_HEADER)
        .serve_connection(TokioIo::new(socket), service)
        .with_upgrades()
        .await;
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection ended badly");
    }
}

fn is_about_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
