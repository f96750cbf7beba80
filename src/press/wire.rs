//! One request, and its answer. No redirects are followed, and nobody is waited for long.

use std::{io, sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    http::{HeaderValue, Request, Uri, header},
};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, lookup_host},
    time::timeout,
};
use tokio_rustls::TlsConnector;

use super::{parcel::Parcel, token::Token};

/// For all of it, from the name to the last byte of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// What is read of an answer: what became of a hundred games, with room to spare.
const LONGEST_ANSWER: usize = 512 * 1024;
/// Receivers ask that senders say who they are.
const SENDER: &str = concat!("Escaque/", env!("CARGO_PKG_VERSION"));

/// What is asked.
pub(super) struct Asked {
    pub(super) method: &'static str,
    pub(super) address: String,
    pub(super) token: Option<Token>,
    pub(super) mime: &'static str,
    pub(super) parcel: Parcel,
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answered {
    pub(super) status: u16,
    pub(super) body: String,
    /// So many milliseconds should pass before the next request.
    pub(super) at_least_ms: u64,
}

/// Why nothing comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unanswered {
    pub(super) sentence: String,
    /// It may have arrived all the same.
    pub(super) has_left: bool,
}

/// Who may be trusted to be who they say: what the system trusts. Read when it is first needed.
#[derive(Default)]
pub(super) struct Wire {
    tls: Option<TlsConnector>,
}

impl Wire {
    /// Asks, and waits for the answer.
    pub(super) async fn ask(&mut self, asked: Asked) -> Result<Answered, Unanswered> {
        let mut has_left = false;
        let exchanged = timeout(PATIENCE, self.exchange(asked, &mut has_left)).await;
        let answered = exchanged.unwrap_or_else(|_| {
            Err(format!(
                "it does not answer within {} s: look whether it is well, and at the network",
                PATIENCE.as_secs()
            ))
        });
        answered.map_err(|sentence| Unanswered { sentence, has_left })
    }

    async fn exchange(&mut self, asked: Asked, has_left: &mut bool) -> Result<Answered, String> {
        let uri = asked.address.parse::<Uri>().map_err(|_| format!("{} is no address", asked.address))?;
        let host = uri.host().unwrap_or_default().to_owned();
        let is_tls = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        let plain = host.trim_matches(['[', ']']);
        let known = lookup_host((plain, port)).await;
        let known =
            known.map_err(|_| format!("{host} is a name nobody knows here: look at the network, and at its url"))?;
        let stream = TcpStream::connect(known.collect::<Vec<_>>().as_slice()).await;
        let stream = stream.map_err(|cause| unreached(&host, port, &cause))?;
        // The request is one write; what follows it is an answer.
        let _ = stream.set_nodelay(true);
        let request = request(asked, &uri)?;
        if !is_tls {
            *has_left = true;
            return converse(stream, request).await;
        }
        let name = ServerName::try_from(plain.to_owned()).map_err(|_| format!("{host} is no name of a server"))?;
        let encrypted = self.tls()?.connect(name, stream).await;
        let encrypted = encrypted.map_err(|cause| format!("{host} does not prove who it is ({cause}): look at its url, at its certificate and at this machine's date"))?;
        *has_left = true;
        converse(encrypted, request).await
    }

    fn tls(&mut self) -> Result<TlsConnector, String> {
        if let Some(tls) = &self.tls {
            return Ok(tls.clone());
        }
        let mut roots = RootCertStore::empty();
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        if roots.is_empty() {
            return Err("this machine trusts nobody: install ca-certificates".to_owned());
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
        let config = config.map_err(|cause| cause.to_string())?.with_root_certificates(roots).with_no_client_auth();
        Ok(self.tls.insert(TlsConnector::from(Arc::new(config))).clone())
    }
}

/// Why nobody is there, and what to look at.
fn unreached(host: &str, port: u16, cause: &io::Error) -> String {
    if cause.kind() == io::ErrorKind::ConnectionRefused {
        return format!("nobody listens at port {port} of {host}: start what should, or write another url");
    }
    format!(
        "no way leads to port {port} of {host} ({cause}): look at the network, and whether a firewall is in between"
    )
}

fn request(asked: Asked, uri: &Uri) -> Result<Request<Parcel>, String> {
    let Asked { method, address, token, mime, parcel } = asked;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let authority = uri.authority().map_or("", |authority| authority.as_str());
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, authority)
        .header(header::USER_AGENT, SENDER)
        .header(header::CONNECTION, "close");
    if !parcel.is_empty() {
        request = request.header(header::CONTENT_TYPE, mime);
    }
    if method != "HEAD" && method != "GET" {
        request = request.header(header::CONTENT_LENGTH, parcel.length());
    }
    if let Some(token) = token {
        request = request.header::<_, HeaderValue>(header::AUTHORIZATION, token.into_header());
    }
    request.body(parcel).map_err(|_| format!("{address} is no address"))
}

async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    request: Request<Parcel>,
) -> Result<Answered, String> {
    let broken = |cause: hyper::Error| format!("the connection broke: {cause}");
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
    let connection = tokio::spawn(connection);
    let answer = sender.send_request(request).await.map_err(broken);
    let answered = match answer {
        Ok(answer) => read(answer).await,
        Err(sentence) => Err(sentence),
    };
    // What is not read by now is not wanted.
    connection.abort();
    answered
}

async fn read(answer: axum::http::Response<hyper::body::Incoming>) -> Result<Answered, String> {
    let status = answer.status().as_u16();
    let wait = answer.headers().get(header::RETRY_AFTER).and_then(|wait| wait.to_str().ok()?.parse::<u64>().ok());
    let body = to_bytes(Body::new(answer.into_body()), LONGEST_ANSWER).await;
    let body = body.map_err(|cause| format!("its answer broke off: {cause}"))?;
    let body = String::from_utf8_lossy(&body).into_owned();
    // Nobody is taken at their word for more than an hour.
    Ok(Answered { status, body, at_least_ms: wait.unwrap_or_default().min(3600) * 1000 })
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn asks(address: &str) -> String {
        let (address, mime, parcel) = (address.to_owned(), "", Parcel::default());
        let asked = Asked { method: "HEAD", address, token: None, mime, parcel };
        Wire::default().ask(asked).await.expect_err("nobody is there").sentence
    }

    #[tokio::test]
    async fn who_can_t_be_reached_is_said_with_what_to_look_at() {
        let port =
            std::net::TcpListener::bind("127.0.0.1:0").and_then(|taken| taken.local_addr()).expect("a port").port();
        let sentence = asks(&format!("http://127.0.0.1:{port}/games.pgn")).await;
        assert_eq!(
            sentence,
            format!("nobody listens at port {port} of 127.0.0.1: start what should, or write another url")
        );
        let sentence = asks("http://nobody.invalid/games.pgn").await;
        assert_eq!(sentence, "nobody.invalid is a name nobody knows here: look at the network, and at its url");
    }
}
