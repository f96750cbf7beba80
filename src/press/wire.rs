//! One request, and its answer. No redirects are followed, and nobody is waited for long.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Request, Uri, header},
};
use futures_util::StreamExt as _;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use jiff::{Timestamp, fmt::rfc2822};
use rustls::{ClientConfig, RootCertStore, pki_types::ServerName};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpStream, lookup_host},
    time::timeout,
};
use tokio_rustls::TlsConnector;

use super::{parcel::Parcel, token::Token};

/// For all of it, from the name to the last byte of the answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// What is read of an answer: what became of a hundred games, with room to spare.
const LONGEST_ANSWER: usize = 512 * 1024;
/// Nobody is taken at their word for more than an hour.
const LONGEST_WAIT_S: u64 = 3600;
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
        let stream = Line(stream);
        let secrets = secrets(&asked, &uri);
        let request = request(asked, &uri)?;
        if !is_tls {
            *has_left = true;
            return converse(stream, request, &secrets).await;
        }
        let name = ServerName::try_from(plain.to_owned()).map_err(|_| format!("{host} is no name of a server"))?;
        let encrypted = self.tls()?.connect(name, stream).await;
        let encrypted = encrypted.map_err(|cause| format!("{host} does not prove who it is ({cause}): look at its url, at its certificate and at this machine's date"))?;
        *has_left = true;
        converse(encrypted, request, &secrets).await
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
    secrets: &[String],
) -> Result<Answered, String> {
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(|cause| broken(&cause))?;
    let connection = tokio::spawn(connection);
    let answer = sender.send_request(request).await.map_err(|cause| broken(&cause));
    let answered = match answer {
        Ok(answer) => read(answer, secrets).await,
        Err(sentence) => Err(sentence),
    };
    // What is not read by now is not wanted.
    connection.abort();
    answered
}

/// Why there is no answer. What exactly went wrong first is chance, and is not said: it would be news each time.
fn broken(cause: &hyper::Error) -> String {
    if cause.is_parse() {
        return "what answers there is no site: look at its url, and at the port in it".to_owned();
    }
    "it hung up before it had answered: look at its url and its log, and at the network".to_owned()
}

async fn read(answer: axum::http::Response<hyper::body::Incoming>, secrets: &[String]) -> Result<Answered, String> {
    let (status, at_least_ms) = (answer.status().as_u16(), wait_s(answer.headers()) * 1000);
    let mut pieces = Body::new(answer.into_body()).into_data_stream();
    let mut body = Vec::new();
    while body.len() < LONGEST_ANSWER
        && let Some(piece) = pieces.next().await
    {
        let piece = piece.map_err(|_| "its answer broke off: look at its log, and at the network")?;
        body.extend_from_slice(&piece);
    }
    body.truncate(LONGEST_ANSWER);
    let mut body = String::from_utf8_lossy(&body).into_owned();
    for secret in secrets {
        body = body.replace(secret.as_str(), "…");
    }
    Ok(Answered { status, body, at_least_ms })
}

/// What a receiver may say back, and nobody may read in a log.
fn secrets(asked: &Asked, uri: &Uri) -> Vec<String> {
    let token = asked.token.as_ref().and_then(Token::secret);
    [token, uri.query()].into_iter().flatten().filter(|secret| !secret.is_empty()).map(str::to_owned).collect()
}

/// For how long it wants to be left alone: so many seconds, or until some time by its own clock.
fn wait_s(headers: &HeaderMap) -> u64 {
    let said = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).map(str::trim);
    let moment = |said: &str| rfc2822::DateTimeParser::new().parse_timestamp(said).ok();
    let Some(wait) = said(header::RETRY_AFTER) else { return 0 };
    if wait.bytes().all(|byte| byte.is_ascii_digit()) {
        return wait.parse().unwrap_or(LONGEST_WAIT_S).min(LONGEST_WAIT_S);
    }
    let its_now = said(header::DATE).and_then(moment).unwrap_or_else(Timestamp::now);
    let wait = moment(wait).map_or(0, |until| until.as_second() - its_now.as_second());
    u64::try_from(wait).unwrap_or_default().min(LONGEST_WAIT_S)
}

/// A connection on which an answer is heard though nobody listens there any more: who refuses what is too long says so at
/// once and hangs up, in the middle of it.
struct Line(TcpStream);

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, room: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, room)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(ready!(Pin::new(&mut self.0).poll_write(cx, bytes)).unwrap_or(bytes.len())))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
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
