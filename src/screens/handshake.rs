//! The WebSocket handshake: from a request to a bare socket that stands in the gallery.

use std::collections::BTreeMap;

use axum::{
    body::Body,
    extract::{Query, Request},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tungstenite::handshake::derive_accept_key;

use super::{
    answering::Answering,
    desk::Guest,
    doors::Door,
    feed::Entrance,
    ledger::Place,
    line::Line,
    refusal::Refusal,
    stream::{Subject, Version},
    visit::{Passes, Visit, operator_protocol},
};

/// Sixteen random bytes in base 64.
const KEY_LENGTH: usize = 24;

/// Answers a handshake and lets the viewer in once the answer is sent.
pub(super) fn accept(
    mut request: Request,
    visit: &Visit,
    entrance: &Entrance,
    passes: &Passes,
    seat: impl FnOnce() -> Result<Place, Refusal>,
) -> Result<Response, Refusal> {
    let accept = answer_key(&request)?;
    let subject = subject(visit.door, &request)?;
    // Only who really follows takes their place along; all others leave it with the connection.
    let place = seat()?;
    let protocol = operator_protocol(request.headers()).and_then(|protocol| HeaderValue::from_str(protocol).ok());

    let upgraded = hyper::upgrade::on(&mut request);
    let (entrance, passes, pass) = (entrance.clone(), passes.clone(), visit.asker.pass());
    tokio::spawn(async move {
        let guest = match upgraded.await {
            Ok(upgraded) => bare(upgraded),
            Err(error) => Err(std::io::Error::other(error)),
        };
        match guest {
            // Looked up and let in while nobody can take the pass back: what is taken back later is hung up on.
            Ok(guest) => passes.with(|register| {
                if pass.is_none_or(|pass| register.stands(pass)) {
                    entrance.admit_by(pass, subject, guest.taking(place));
                }
            }),
            Err(error) => tracing::debug!(%error, "a viewer went away during the handshake"),
        }
    });

    let mut response = switching(accept);
    if let Some(protocol) = protocol {
        response.headers_mut().insert(header::SEC_WEBSOCKET_PROTOCOL, protocol);
    }
    Ok(response)
}

/// The answer to a handshake: from here on the connection is a socket.
pub(super) fn switching(accept: HeaderValue) -> Response {
    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    *response.body_mut() = Body::empty();
    response
}

/// What a handshake is answered with, if it is one.
pub(super) fn answer_key(request: &Request) -> Result<HeaderValue, Refusal> {
    let headers = request.headers();
    let asks = request.method() == Method::GET
        && has_word(headers, header::CONNECTION, "upgrade")
        && has_word(headers, header::UPGRADE, "websocket");
    if !asks {
        return Err(Refusal::new(
            StatusCode::UPGRADE_REQUIRED,
            "The feed speaks WebSocket: connect with ws:// in place of http://. /feed tells how, /snapshot needs none.",
        )
        .with(header::UPGRADE, "websocket"));
    }
    if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
        let sentence = "The feed speaks version 13 of WebSocket, that of RFC 6455.";
        return Err(Refusal::new(StatusCode::UPGRADE_REQUIRED, sentence).with(header::SEC_WEBSOCKET_VERSION, "13"));
    }
    let key = headers
        .get(header::SEC_WEBSOCKET_KEY)
        .filter(|key| key.len() == KEY_LENGTH)
        .ok_or_else(|| Refusal::bad("The handshake has no good Sec-WebSocket-Key: 16 bytes in base 64."))?;
    Ok(derive_accept_key(key.as_bytes()).parse().expect("base 64 may stand in a header"))
}

/// Where version 2 is: the wall there, a table below it.
const SECOND: &str = "/feed/v2";

/// The address says which version is spoken, and of what.
fn subject(door: Door, request: &Request) -> Result<Subject, Refusal> {
    let words = words(request)?;
    let Some(below) = request.uri().path().strip_prefix(SECOND) else {
        return Ok(Subject { door, table: table(&words)?, version: Version::One });
    };
    if !words.is_empty() {
        return Err(Refusal::bad(
            "Version 2 knows no words behind the question mark: the table stands in the address, \
             /feed/v2/EVENT/ROUND/TABLE.",
        ));
    }
    let name = below.trim_matches('/');
    let table =
        (!name.is_empty()).then(|| name.parse()).transpose().map_err(|error| Refusal::bad(format!("{error}.")))?;
    Ok(Subject { door, table, version: Version::Two })
}

/// What stands behind the question mark.
fn words(request: &Request) -> Result<BTreeMap<String, String>, Refusal> {
    let Query(words) = Query::<BTreeMap<String, String>>::try_from_uri(request.uri()).map_err(|_| {
        Refusal::bad("What stands behind the question mark can't be read. Write ?table=EVENT/ROUND/TABLE, or nothing.")
    })?;
    if words.contains_key("token") {
        return Err(Refusal::bad(
            "A token never belongs in an address, where logs would keep it. Send it as \
             Sec-WebSocket-Protocol: escaque.operator.TOKEN, or as Authorization: Bearer TOKEN.",
        ));
    }
    Ok(words)
}

fn table(words: &BTreeMap<String, String>) -> Result<Option<protocol::feed::TableId>, Refusal> {
    if words.keys().any(|key| key != "table") {
        return Err(Refusal::bad("The feed knows one word behind the question mark: ?table=EVENT/ROUND/TABLE."));
    }
    words.get("table").map(|table| table.parse()).transpose().map_err(|error| Refusal::bad(format!("{error}.")))
}

fn has_word(headers: &HeaderMap, name: header::HeaderName, word: &str) -> bool {
    let mut values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.any(|value| value.split(',').any(|one| one.trim().eq_ignore_ascii_case(word)))
}

/// The socket below the HTTP connection, with what it has already brought and the answer it waits for.
fn bare(upgraded: Upgraded) -> std::io::Result<Guest> {
    let upgraded = match upgraded.downcast::<TokioIo<Answering<TcpStream>>>() {
        Ok(parts) => {
            let (socket, answer) = parts.io.into_inner().into_parts();
            return Ok(Guest { line: socket.into_std()?.into(), answer: answer.into(), said: parts.read_buf });
        }
        Err(upgraded) => upgraded,
    };
    let parts = upgraded
        .downcast::<TokioIo<Answering<TlsStream<TcpStream>>>>()
        .map_err(|_| std::io::Error::other("the connection is neither a socket nor one with TLS"))?;
    let (stream, answer) = parts.io.into_inner().into_parts();
    let (socket, session) = stream.into_inner();
    let line = Line::encrypted(socket.into_std()?, session);
    Ok(Guest { line, answer: answer.into(), said: parts.read_buf })
}
