//! What can be asked for over HTTP. Every refusal is a sentence: text for people, JSON for programs that ask for it.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    Json, Router,
    body::to_bytes,
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use protocol::feed::{Answer, Order, Staff};
use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use super::{
    doors::{Door, is_for},
    feed::Entrance,
    guard, handshake, orders, pages,
    pgn::{Library, PgnAddress},
    token::OperatorToken,
};
use crate::journal::{Committed, Done};

/// The longest order is a pairing with two long names.
const LONGEST_BODY: usize = 64 * 1024;
/// An order fits in a packet; whoever needs longer holds a connection for nothing.
const BODY_PATIENCE: Duration = Duration::from_secs(10);
/// The frames of the feed, frozen: what programs are written against.
const FEED_SCHEMA: &str = include_str!("../../protocol/schema/feed-v1.json");
/// Those of version 2, which may still change.
const FEED_SCHEMA_V2: &str = include_str!("../../protocol/schema/feed-v2.json");
/// If the feed's thread does not answer for so long, screens stand still and the daemon is not well.
const HEALTHY: Duration = Duration::from_secs(2);

/// An order, and where its outcome goes.
pub type PlacedOrder = (Order, oneshot::Sender<Outcome>);

/// What has become of an order.
#[derive(Debug)]
pub enum Outcome {
    /// Done, and on disk.
    Done(Committed<Done>),
    /// Not done: a sentence with the next thing to try.
    Refused(String),
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Answer {
        match outcome {
            Outcome::Done(done) => Answer::Done(done.into_inner().events),
            Outcome::Refused(sentence) => Answer::Refused(sentence),
        }
    }
}

/// What the pages and the feed need of the rest of the daemon.
#[derive(Clone)]
pub struct AppState {
    /// Lets viewers in.
    pub entrance: Entrance,
    /// The run loop's ear.
    pub orders: mpsc::Sender<PlacedOrder>,
    /// Where games are kept.
    pub library: Arc<dyn Library>,
    /// Who knows it may order.
    pub token: OperatorToken,
}

/// The address a connection arrived at; [`super::serve`] puts it into each request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrived(pub(super) IpAddr);

/// All addresses of the daemon.
pub fn router(state: AppState) -> Router {
    Router::new()
        .route("/feed/ws", get(feed))
        .route("/feed/schema.json", get(schema))
        .route("/feed/v2", get(feed))
        .route("/feed/v2/{*table}", get(feed))
        .route("/feed/v2/schema.json", get(schema_v2))
        .route("/snapshot", get(snapshot))
        .route("/pgn", get(pgn))
        .route("/pgn/", get(pgn))
        .route("/pgn/{*games}", get(pgn))
        .route("/command", post(command))
        .route("/healthz", get(healthz))
        .fallback(page)
        .layer(middleware::from_fn(keep_door))
        .with_state(state)
}

/// Checks who knocks before anything else, and puts the same headers on all that goes out.
async fn keep_door(request: Request, next: Next) -> Response {
    let wants_json = wants_json(request.headers());
    let arrived = request.extensions().get::<Arrived>().map(|arrived| arrived.0);
    let welcome = match arrived {
        Some(at) => guard::check_host(request.headers(), at).map_err(Refusal::forbidden),
        None => Err(Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "The request came by no known way.")),
    };
    let mut response = match welcome {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>()
        && wants_json
    {
        response = refusal.as_json();
    }
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; img-src 'self' data:; connect-src 'self'; \
          object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

async fn feed(State(state): State<AppState>, request: Request) -> Result<Response, Refusal> {
    handshake::accept(request, &state.entrance, &state.token)
}

async fn schema() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/schema+json")], FEED_SCHEMA)
}

async fn schema_v2() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/schema+json")], FEED_SCHEMA_V2)
}

async fn snapshot(State(state): State<AppState>) -> Result<Response, Refusal> {
    let view = state.entrance.view(Door::Snapshot).await;
    Ok(Json(view.ok_or_else(Refusal::ending)?).into_response())
}

async fn pgn(State(state): State<AppState>, uri: Uri) -> Result<Response, Refusal> {
    let rest = uri.path().strip_prefix("/pgn").unwrap_or_default();
    let not_found = |sentence| Refusal::new(StatusCode::NOT_FOUND, sentence);
    let address = PgnAddress::read(rest).map_err(not_found)?;
    let games = state.library.pgn(&address).map_err(not_found)?;
    Ok(([(header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8")], games).into_response())
}

async fn command(State(state): State<AppState>, request: Request) -> Result<Response, Refusal> {
    guard::check_origin(request.headers()).map_err(Refusal::forbidden)?;
    if !handshake::bearer(request.headers()).is_some_and(|offered| state.token.opens(offered)) {
        return Err(Refusal::wrong_token());
    }
    let body = timeout(BODY_PATIENCE, to_bytes(request.into_body(), LONGEST_BODY)).await;
    let body = body
        .map_err(|_| {
            Refusal::new(StatusCode::REQUEST_TIMEOUT, "The order did not arrive in ten seconds. Send it again.")
        })?
        .map_err(|_| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "An order has 64 KiB at most. Send one at a time."))?;
    let order = orders::read(&body).map_err(|sentence| Refusal::new(StatusCode::BAD_REQUEST, sentence))?;
    let (answer, answered) = oneshot::channel();
    state.orders.send((order, answer)).await.map_err(|_| Refusal::ending())?;
    let mut answer = Answer::from(answered.await.map_err(|_| Refusal::ending())?);
    if let Answer::Done(events) = &mut answer {
        events.retain(|event| is_for(event, Staff::Operator));
    }
    let status = match &answer {
        Answer::Done(_) => StatusCode::OK,
        Answer::Refused(_) => StatusCode::CONFLICT,
    };
    Ok((status, Json(answer)).into_response())
}

async fn healthz(State(state): State<AppState>) -> Result<&'static str, Refusal> {
    match timeout(HEALTHY, state.entrance.view(Door::Snapshot)).await {
        Ok(Some(_)) => Ok("ok\n"),
        Ok(None) => Err(Refusal::ending()),
        Err(_) => Err(Refusal::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "The feed does not move: screens stand still. Restart the daemon; the record is on disk.",
        )),
    }
}

async fn page(request: Request) -> Result<Response, Refusal> {
    if request.method() != axum::http::Method::GET && request.method() != axum::http::Method::HEAD {
        let sentence = "Pages can only be read. Orders go to POST /command.";
        return Err(Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence).with(header::ALLOW, "GET, HEAD"));
    }
    let page = pages::page(request.uri().path()).ok_or_else(|| {
        let sentence =
            "There is no such page. The wall is at /, a table at /table/EVENT/ROUND/TABLE, the feed at /feed.";
        Refusal::new(StatusCode::NOT_FOUND, sentence)
    })?;
    let headers = [
        (header::CONTENT_TYPE, page.mime),
        (header::ETAG, page.etag),
        (header::CACHE_CONTROL, if page.is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" }),
    ];
    if request.headers().get(header::IF_NONE_MATCH).is_some_and(|known| known == page.etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Ok((headers, page.bytes).into_response())
}

/// Why something was not done, in a sentence that says what to try.
#[derive(Clone, Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    sentence: String,
    header: Option<(HeaderName, &'static str)>,
}

impl Refusal {
    pub(super) fn new(status: StatusCode, sentence: impl Into<String>) -> Refusal {
        Refusal { status, sentence: sentence.into(), header: None }
    }

    pub(super) fn forbidden(sentence: String) -> Refusal {
        Refusal::new(StatusCode::FORBIDDEN, sentence)
    }

    pub(super) fn wrong_token() -> Refusal {
        let sentence = "This needs the operator's token, and it was missing or wrong. The right one stands in \
                        operator.token in the daemon's state folder and in the address printed at its start.";
        Refusal::new(StatusCode::UNAUTHORIZED, sentence).with(header::WWW_AUTHENTICATE, "Bearer")
    }

    fn ending() -> Refusal {
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "The daemon is ending. Try again when it is back.")
    }

    pub(super) fn with(mut self, name: HeaderName, value: &'static str) -> Refusal {
        self.header = Some((name, value));
        self
    }

    fn as_json(&self) -> Response {
        self.dressed(Json(serde_json::json!({ "error": self.sentence })))
    }

    fn dressed(&self, body: impl IntoResponse) -> Response {
        let mut response = (self.status, body).into_response();
        if let Some((name, value)) = &self.header {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = self.dressed(format!("{}\n", self.sentence));
        response.extensions_mut().insert(self);
        response
    }
}

fn wants_json(headers: &HeaderMap) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains("json"))
}
