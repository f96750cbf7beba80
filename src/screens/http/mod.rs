//! What can be asked for over HTTP. The router is made from the table of doors, so nothing else can be.

mod app;
mod documents;
mod health;
mod wishes;

use axum::{
    Extension, Router,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Redirect, Response},
    routing::{MethodRouter, any},
};

use super::{
    doors::{Route, shows},
    enter::Reception,
    handshake,
    ledger::Ledger,
    pages,
    refusal::Refusal,
    shelf, targets,
    visit::{Seat, Visit, nothing_here},
};
pub use app::AppState;
use documents::{cloud, diagram, games, mates, paper, reports, schema, snapshot, words};
use health::{healthz, metrics, readyz};
use wishes::{boards, command, pairings, read, rounds, timeline, voices};

/// All addresses of the daemon.
pub fn router(state: AppState) -> Router {
    let mut router = Router::new();
    for route in Route::ALL {
        router = route.paths().iter().fold(router, |router, path| router.route(path, answering(route)));
    }
    router
        .fallback_service(answering(Route::Pages).with_state(state.clone()))
        .layer(middleware::from_fn_with_state(state.clone(), keep_door))
        .with_state(state)
}

/// What answers at an address. A new one does not compile until something does.
fn answering(route: Route) -> MethodRouter<AppState> {
    match route {
        Route::Pages => any(page),
        Route::Schema => any(schema),
        Route::Health => any(healthz),
        Route::Readiness => any(readyz),
        Route::Metrics => any(metrics),
        Route::Feed => any(feed),
        Route::Snapshot => any(snapshot),
        Route::Games => any(games),
        Route::Cloud => any(cloud),
        Route::Diagrams => any(diagram),
        Route::Command => any(command),
        Route::Pairings => any(pairings),
        Route::Boards => any(boards),
        Route::Rounds => any(rounds),
        Route::Voices => any(voices),
        Route::Words => any(words),
        Route::Timelines => any(timeline),
        Route::Mates => any(mates),
        Route::Reports => any(reports),
        Route::Sheets | Route::Clocks | Route::Envelopes => any(paper),
        Route::Enter => any(enter),
        Route::Leave => any(leave),
        Route::List => any(list),
        Route::Invite => any(invite),
        Route::Revoke => any(revoke),
        Route::Targets => any(list_targets),
        Route::Target => any(ask_target),
    }
}

/// Checks who knocks before anything else, and puts the same headers on all that goes out.
async fn keep_door(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let [wants_json, wants_page] = ["json", "text/html"].map(|kind| wants(request.headers(), kind));
    let clearing = state.gate.clearing(&request);
    let (mut lent_to, is_lent) = (None, Route::of(request.uri().path()).is_lent());
    let answered = if request.method() == Method::OPTIONS {
        state.gate.receive_preflight(&request).map(|origin| {
            lent_to = Some(origin);
            lend_address()
        })
    } else {
        state
            .gate
            .receive(&request)
            .map(|visit| {
                lent_to.clone_from(&visit.lent_to);
                request.extensions_mut().insert(visit);
            })
            .map(|()| StatusCode::CONTINUE.into_response())
    };
    let mut response = match answered {
        Ok(ready) if ready.status() == StatusCode::CONTINUE => next.run(request).await,
        Ok(ready) => ready,
        Err(refusal) => refusal.into_response(),
    };
    if let Some(refusal) = response.extensions_mut().remove::<Refusal>() {
        response = match (wants_page, wants_json) {
            (true, _) => refusal.as_page(),
            (false, true) => refusal.as_json(),
            (false, false) => response,
        };
    }
    dress(response.headers_mut());
    if let Some(origin) = lent_to {
        response.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        response.headers_mut().insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("ETag"));
    }
    // Said to everybody: what is kept of an answer to nobody's page must not be handed to a page it is lent to.
    if is_lent {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("Origin"));
    }
    if let Some(cookie) = clearing {
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    response
}

/// What a browser is told that asks whether a listed page may ask.
fn lend_address() -> Response {
    let told = [
        ("access-control-allow-methods", "GET, HEAD"),
        ("access-control-allow-headers", "If-None-Match"),
        ("access-control-allow-private-network", "true"),
        ("access-control-max-age", "600"),
    ];
    (StatusCode::NO_CONTENT, told).into_response()
}

fn dress(headers: &mut HeaderMap) {
    for (name, value) in [
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; img-src 'self' data:; connect-src 'self'; \
          object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

async fn feed(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    Extension(ledger): Extension<Ledger>,
    Extension(seat): Extension<Seat>,
    request: Request,
) -> Result<Response, Refusal> {
    let crowded = || {
        let sentence = "There are too many screens at this address. Close some, or come back later.";
        Refusal::new(StatusCode::TOO_MANY_REQUESTS, sentence)
    };
    // A proxy's connection has no place of its own: those it asks for are counted.
    let place = || seat.take().or_else(|| ledger.enter(visit.arrived.listener, visit.client)).ok_or_else(crowded);
    handshake::accept(request, &visit, &state.entrance, &state.gate.passes, place)
}

async fn enter(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    reception(&state).enter(&visit, &read(request).await?).await
}

async fn leave(State(state): State<AppState>, Extension(visit): Extension<Visit>) -> Result<Response, Refusal> {
    reception(&state).leave(&visit).await
}

async fn list(State(state): State<AppState>) -> Response {
    reception(&state).list()
}

async fn invite(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    reception(&state).invite(&visit, &read(request).await?).await
}

async fn revoke(
    State(state): State<AppState>,
    Extension(visit): Extension<Visit>,
    request: Request,
) -> Result<Response, Refusal> {
    reception(&state).revoke(&visit, &read(request).await?).await
}

async fn list_targets(State(state): State<AppState>) -> Response {
    targets::list(&state.counter)
}

async fn ask_target(State(state): State<AppState>, request: Request) -> Result<Response, Refusal> {
    targets::ask(&state.counter, &read(request).await?).await
}

async fn page(Extension(visit): Extension<Visit>, request: Request) -> Result<Response, Refusal> {
    let page = pages::page(request.uri().path()).ok_or_else(nothing_here)?;
    if !shows(visit.door, &visit.asker, request.uri().path()) {
        // A stranger is shown the way in; a spectator never learns that there is more.
        let is_stranger = visit.asker.audience().is_none();
        return if is_stranger { Ok(Redirect::to("/join").into_response()) } else { Err(nothing_here()) };
    }
    let headers = [
        (header::CONTENT_TYPE, page.mime),
        (header::ETAG, page.etag),
        (header::CACHE_CONTROL, if page.is_hashed { "public, max-age=31536000, immutable" } else { "no-cache" }),
    ];
    if shelf::is_known(request.headers(), page.etag) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    Ok((headers, page.bytes).into_response())
}

fn reception(state: &AppState) -> Reception {
    let AppState { entrance, orders, gate, opened, .. } = state.clone();
    Reception { gate, orders, entrance, opened }
}

fn wants(headers: &HeaderMap, kind: &str) -> bool {
    headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).is_some_and(|accept| accept.contains(kind))
}
