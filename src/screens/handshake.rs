//! The WebSocket handshake: from a request to a bare socket that stands in the gallery.

use std::collections::BTreeMap;

use axum::{
    body::Body,
    extract::{Query, Request},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use hyper::upgrade::Upgraded;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tungstenite::handshake::derive_accept_key;

use super::{
    doors::Door,
    feed::Entrance,
    guard,
    http::Refusal,
    stream::{Subject, Version},
    token::OperatorToken,
};

/// A page can't set headers on a WebSocket, but it can offer a protocol. So the token never stands in an address,
/// where logs and histories would keep it.
const OPERATOR_PROTOCOL: &str = "escaque.operator.";
/// Sixteen random bytes in base 64.
const KEY_LENGTH: usize = 24;

/// Answers a handshake and lets the viewer in once the answer is sent.
pub(super) fn accept(mut request: Request, entrance: &Entrance, token: &OperatorToken) -> Result<Response, Refusal> {
    let accept = answer_key(&request)?;
    guard::check_origin(request.headers()).map_err(Refusal::forbidden)?;
    let (door, protocol) = door(request.headers(), token)?;
    let subject = subject(door, &request)?;

    let upgraded = hyper::upgrade::on(&mut request);
    let entrance = entrance.clone();
    tokio::spawn(async move {
        let admitted = match upgraded.await {
            Ok(upgraded) => bare(upgraded).map(|(socket, said)| entrance.admit(subject, socket, said)),
            Err(error) => Err(std::io::Error::other(error)),
        };
        if let Err(error) = admitted {
            tracing::debug!(%error, "a viewer went away during the handshake");
        }
    });

    let mut response = StatusCode::SWITCHING_PROTOCOLS.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    if let Some(protocol) = protocol {
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, protocol);
    }
    *response.body_mut() = Body::empty();
    Ok(response)
}

fn answer_key(request: &Request) -> Result<HeaderValue, Refusal> {
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
    let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|key| key.len() == KEY_LENGTH).ok_or_else(|| {
        Refusal::new(StatusCode::BAD_REQUEST, "The handshake has no good Sec-WebSocket-Key: 16 bytes in base 64.")
    })?;
    Ok(derive_accept_key(key.as_bytes()).parse().expect("base 64 may stand in a header"))
}

/// By which door, and the protocol to agree to. Whoever shows a wrong token is told so, and not quietly let in less far.
fn door(headers: &HeaderMap, token: &OperatorToken) -> Result<(Door, Option<HeaderValue>), Refusal> {
    let offered = headers.get_all(header::SEC_WEBSOCKET_PROTOCOL).iter().filter_map(|value| value.to_str().ok());
    let protocol =
        offered.flat_map(|list| list.split(',')).map(str::trim).find(|one| one.starts_with(OPERATOR_PROTOCOL));
    if let Some(protocol) = protocol {
        if !token.opens(&protocol[OPERATOR_PROTOCOL.len()..]) {
            return Err(Refusal::wrong_token());
        }
        return Ok((Door::OperatorFeed, HeaderValue::from_str(protocol).ok()));
    }
    match bearer(headers) {
        None => Ok((Door::HallFeed, None)),
        Some(offered) if token.opens(offered) => Ok((Door::OperatorFeed, None)),
        Some(_) => Err(Refusal::wrong_token()),
    }
}

/// What stands behind `Bearer` in the `Authorization` header.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// Where version 2 is: the wall there, a table below it.
const SECOND: &str = "/feed/v2";

/// The address says which version is spoken, and of what.
fn subject(door: Door, request: &Request) -> Result<Subject, Refusal> {
    let asked = table(request)?;
    let Some(below) = request.uri().path().strip_prefix(SECOND) else {
        return Ok(Subject { door, table: asked, version: Version::One });
    };
    let bad = |sentence: String| Refusal::new(StatusCode::BAD_REQUEST, sentence);
    if asked.is_some() {
        return Err(bad("In version 2 the table stands in the address: /feed/v2/EVENT/ROUND/TABLE.".to_owned()));
    }
    let name = below.trim_matches('/');
    let table = (!name.is_empty()).then(|| name.parse()).transpose().map_err(|error| bad(format!("{error}.")))?;
    Ok(Subject { door, table, version: Version::Two })
}

fn table(request: &Request) -> Result<Option<protocol::feed::TableId>, Refusal> {
    let bad = |sentence: String| Refusal::new(StatusCode::BAD_REQUEST, sentence);
    let Query(query) = Query::<BTreeMap<String, String>>::try_from_uri(request.uri())
        .map_err(|_| bad("The part of the address behind the question mark can't be read.".to_owned()))?;
    if let Some(key) = query.keys().find(|key| *key != "table") {
        return Err(bad(match key.as_str() {
            "token" => "A token never belongs in an address, where logs would keep it. Send it as \
                        Sec-WebSocket-Protocol: escaque.operator.TOKEN, or as Authorization: Bearer TOKEN."
                .to_owned(),
            _ => "The feed knows one word behind the question mark: ?table=EVENT/ROUND/TABLE.".to_owned(),
        }));
    }
    query.get("table").map(|table| table.parse()).transpose().map_err(|error| bad(format!("{error}.")))
}

fn has_word(headers: &HeaderMap, name: header::HeaderName, word: &str) -> bool {
    let mut values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.any(|value| value.split(',').any(|one| one.trim().eq_ignore_ascii_case(word)))
}

/// The socket below the HTTP connection, and what it has already brought.
fn bare(upgraded: Upgraded) -> std::io::Result<(std::net::TcpStream, Bytes)> {
    let parts = upgraded
        .downcast::<TokioIo<TcpStream>>()
        .map_err(|_| std::io::Error::other("the connection is not a plain socket"))?;
    Ok((parts.io.into_inner().into_std()?, parts.read_buf))
}
