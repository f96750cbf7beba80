//! The hall's listener speaks TLS, to requests and to viewers alike.

use std::fs;

use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned,
    pki_types::{CertificateDer, ServerName, pem::PemObject as _},
};

use super::*;

type Tls = StreamOwned<ClientConnection, TcpStream>;

#[test]
fn who_comes_by_a_code_over_tls_gets_a_cookie_that_never_leaves_in_the_clear() {
    let hall = Hall::open();
    let (_, code) = hall.invite("arbiter");
    let answer = ask(&hall, &post(&hall, "/enter", "", &format!(r#"{{"code":"{code}"}}"#)));
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("; Secure") && answer.contains("__Host-"),
        "{answer}"
    );
    let origin = format!("{}Origin: https://{}\n", cookie_of(&answer), hall.gates[&Listener::Lan]);
    let order = r#"{"table":"open/3/12","command":"undo","plies":1}"#;
    let done = ask(&hall, &post(&hall, "/command", &origin, order));
    assert!(done.starts_with("HTTP/1.1 200"), "{done}");
    let bearer = format!("Authorization: Bearer {}\n", hall.token.reveal());
    let refused = ask(&hall, &post(&hall, "/command", &bearer, order));
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("own machine"), "{refused}");
}

#[test]
fn a_viewer_over_tls_sees_each_change_however_large() {
    let hall = Hall::open();
    let mut screen = follow(&hall);
    screen.next();
    for plies in [1, 20_000, 2, 40_000, 3] {
        hall.show(1, seen(plies));
        screen.until(line_at(1, plies));
    }
    screen.socket.send(tungstenite::Message::Ping("there?".into())).expect("the socket is open");
    assert_eq!(screen.socket.read().expect("an answer"), tungstenite::Message::Pong("there?".into()));
}

#[test]
fn a_slow_viewer_over_tls_gets_a_fresh_snapshot_and_the_others_wait_for_nobody() {
    let hall = Hall::open();
    let (mut slow, mut fast) = (follow(&hall), hall.screen());
    fast.next();
    for plies in 1..=600 {
        hall.show(1, seen(3_000 + plies));
        if plies % 50 == 0 {
            fast.until(line_at(1, 3_000 + plies));
        }
    }
    let read = slow.until(line_at(1, 3_600));
    assert!(read < 580, "a backlog of {read} messages was kept");
    hall.show(1, seen(3));
    slow.until(line_at(1, 3));
}

fn follow(hall: &Hall) -> Screen<Tls> {
    let (_, code) = hall.invite("hall");
    let answer = ask(hall, &post(hall, "/enter", "", &format!(r#"{{"code":"{code}"}}"#)));
    let cookie = cookie_of(&answer).trim().trim_start_matches("Cookie: ").to_owned();
    let uri = format!("wss://{}/feed/ws", hall.gates[&Listener::Lan]).parse().expect("an address");
    let request = ClientRequestBuilder::new(uri).with_header("Cookie", cookie);
    let (socket, _) = client(request, connect(hall)).map_err(|error| error.to_string()).expect("a pass follows");
    Screen { socket, view: HallView::default(), seq: None }
}

fn post(hall: &Hall, path: &str, headers: &str, body: &str) -> String {
    let (host, length) = (hall.gates[&Listener::Lan], body.len());
    let text = format!("POST {path} HTTP/1.1\nHost: {host}\n{headers}Content-Length: {length}\nConnection: close\n\n");
    text.replace('\n', "\r\n") + body
}

fn ask(hall: &Hall, request: &str) -> String {
    let mut stream = connect(hall);
    stream.write_all(request.as_bytes()).expect("somebody reads");
    let mut answer = Vec::new();
    // Whoever hangs up without a good-bye has still said everything.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn connect(hall: &Hall) -> Tls {
    let pem = fs::read(hall.state.path().join("lan.pem")).expect("the certificate was made");
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(&pem).expect("a certificate")).expect("a good one");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.expect("versions").with_root_certificates(roots).with_no_client_auth();
    let name = ServerName::try_from("127.0.0.1").expect("an address");
    let session = ClientConnection::new(Arc::new(config), name).expect("a session");
    StreamOwned::new(session, hall.knock_at(Listener::Lan))
}
