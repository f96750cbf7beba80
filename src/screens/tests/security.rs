//! Who is kept out.

use std::io::{Read as _, Write as _};

use super::*;

#[test]
fn a_page_from_elsewhere_may_not_follow_or_order() {
    let hall = Hall::open();
    let refused = hall.screen_at("/feed/ws", &[("Origin", "http://evil.example")]).err().expect("a foreign page");
    assert!(refused.contains("403"), "{refused}");
    let own = format!("http://{}", hall.address);
    assert!(hall.screen_at("/feed/ws", &[("Origin", &own)]).is_ok(), "our own page may");

    let token = hall.token.reveal();
    let answer = hall.ask(&format!(
        "POST /command HTTP/1.1\nHost: HOST\nOrigin: http://evil.example\nAuthorization: Bearer {token}\n\
         Content-Length: 2\nConnection: close\n\n{{}}"
    ));
    assert!(answer.starts_with("HTTP/1.1 403"), "{answer}");
}

#[test]
fn a_name_bound_to_our_address_opens_nothing() {
    let hall = Hall::open();
    for path in ["/", "/snapshot", "/pgn", "/healthz", "/feed/ws"] {
        let answer = hall.ask(&format!("GET {path} HTTP/1.1\nHost: rebound.example\nConnection: close\n\n"));
        assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("http://127.0.0.1"), "{answer}");
    }
}

#[test]
fn the_operators_feed_opens_to_the_token_and_a_wrong_one_is_told_so() {
    let hall = Hall::open();
    let right = format!("escaque.operator.{}", hall.token.reveal());
    let (_, agreed) = hall
        .screen_over(hall.knock(), "/feed/ws", &[("Sec-WebSocket-Protocol", &right)])
        .expect("the right token opens");
    assert_eq!(agreed.headers()["sec-websocket-protocol"], right, "browsers insist on an answer");

    let wrong = format!("escaque.operator.{}", "0".repeat(64));
    for header in [("Sec-WebSocket-Protocol", wrong.as_str()), ("Authorization", "Bearer x")] {
        let refused = hall.screen_at("/feed/ws", &[header]).err().expect("a wrong token");
        assert!(refused.contains("401"), "{refused}");
    }
}

#[test]
fn a_token_in_an_address_is_refused() {
    let hall = Hall::open();
    let path = format!("/feed/ws?token={}", hall.token.reveal());
    let refused = hall.screen_at(&path, &[]).err().expect("a token in an address");
    assert!(refused.contains("400"), "{refused}");
}

#[test]
fn an_order_needs_the_token() {
    let hall = Hall::open();
    let order = r#"{"table":"open/3/12","command":"undo","plies":1}"#;
    let refused = hall.order("x", order);
    assert!(refused.starts_with("HTTP/1.1 401") && refused.contains("operator.token"), "{refused}");
    let done = hall.order(hall.token.reveal(), order);
    assert!(done.starts_with("HTTP/1.1 200") && done.ends_with(r#"{"done":[]}"#), "{done}");
}

#[test]
fn too_long_an_order_and_too_long_a_header_are_refused() {
    let hall = Hall::open();
    let answer = hall.order(hall.token.reveal(), &"x".repeat(64 * 1024 + 1));
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    let mut socket = hall.knock();
    let header = format!("GET / HTTP/1.1\r\nX: {}\r\n", "x".repeat(20_000));
    let _ = socket.write_all(header.as_bytes());
    let mut answer = String::new();
    let _ = socket.read_to_string(&mut answer);
    assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// The clock of this test stands still and jumps to the next timer when there is nothing else to do.
#[tokio::test(start_paused = true)]
async fn a_header_that_never_ends_and_a_caller_who_says_nothing_are_hung_up_on() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    let hall = Hall::open();
    let address = serve_here(&hall);
    for said in ["", "GET / HTTP/1.1\r\nHost: 127"] {
        let begun = tokio::time::Instant::now();
        let mut socket = tokio::net::TcpStream::connect(address).await.expect("somebody listens");
        socket.write_all(said.as_bytes()).await.expect("somebody reads");
        let mut answer = Vec::new();
        let _ = socket.read_to_end(&mut answer).await;
        assert_eq!(begun.elapsed().as_secs(), 5, "after {said:?}");
    }
}

/// The clock of this test stands still too: what is trickled byte by byte never adds up to an order in time.
#[tokio::test(start_paused = true)]
async fn a_body_that_trickles_is_hung_up_on() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    let hall = Hall::open();
    let address = serve_here(&hall);
    let token = hall.token.reveal();
    let head = format!(
        "POST /command HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: 1000\r\n\r\n"
    );
    let begun = tokio::time::Instant::now();
    let mut socket = tokio::net::TcpStream::connect(address).await.expect("somebody listens");
    socket.write_all(head.as_bytes()).await.expect("somebody reads");
    let mut answer = Vec::new();
    loop {
        tokio::select! {
            read = socket.read_buf(&mut answer) => if matches!(read, Ok(0) | Err(_)) { break },
            () = tokio::time::sleep(Duration::from_secs(1)) => drop(socket.write_all(b" ").await),
        }
    }
    assert!(begun.elapsed().as_secs() <= 10, "{:?}", begun.elapsed());
    assert!(String::from_utf8_lossy(&answer).starts_with("HTTP/1.1 408"), "{answer:?}");
}

/// Nothing of it is waited for: the clock of this test moves only while somebody waits.
#[tokio::test(start_paused = true)]
async fn a_body_that_is_said_to_be_too_long_is_refused_before_it_comes() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

    let hall = Hall::open();
    let address = serve_here(&hall);
    let token = hall.token.reveal();
    for (path, length) in [("command", 99_999_999_999_u64), ("command", 65_537), ("pairings", 8 * 1024 * 1024 + 1)] {
        let head = format!(
            "POST /{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nContent-Length: {length}\r\n\r\n"
        );
        let begun = tokio::time::Instant::now();
        let mut socket = tokio::net::TcpStream::connect(address).await.expect("somebody listens");
        socket.write_all(head.as_bytes()).await.expect("somebody reads");
        let mut answer = [0; 12];
        socket.read_exact(&mut answer).await.expect("it is answered");
        assert_eq!(String::from_utf8_lossy(&answer), "HTTP/1.1 413");
        assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    }
}

#[tokio::test(start_paused = true)]
async fn of_many_who_say_nothing_only_some_may_take_their_time() {
    let hall = Hall::open();
    let address = serve_here(&hall);
    let mut callers = Vec::new();
    for _ in 0..300 {
        callers.push(tokio::net::TcpStream::connect(address).await.expect("somebody listens"));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let mut early = 0;
    for caller in callers {
        let mut caller = caller.into_std().expect("a socket");
        early += usize::from(matches!(caller.read(&mut [0]), Ok(0)));
    }
    assert_eq!(early, 300 - 256);
}

/// A server on the runtime of the test, whose clock stands still.
fn serve_here(hall: &Hall) -> SocketAddr {
    let (gateways, opened) = open_all(hall.state.path(), &Manners::default());
    let address = opened[0].address;
    let (orders, _) = mpsc::channel(1);
    let app = AppState {
        entrance: hall.feed.entrance(),
        orders,
        shelf: Shelf::new(Arc::new(OneGame)),
        public_shelf: Shelf::new(Arc::new(OneGame)),
        gate: Gate::new(hall.token.clone(), Passes::default(), Manners::default()),
        opened: Arc::new(opened),
        counter: crate::press::Counter::default(),
    };
    tokio::spawn(serve(gateways, router(app)));
    address
}

#[test]
fn a_request_that_could_be_read_in_two_ways_is_refused() {
    let hall = Hall::open();
    for (request, status) in [
        ("GET / HTTP/1.1\nHost: HOST\nHost: evil.example\nConnection: close\n\n", "400"),
        (
            "GET /snapshot HTTP/1.1\nHost: HOST\nOrigin: http://HOST\nOrigin: http://evil.example\nConnection: close\n\n",
            "400",
        ),
        ("GET http://evil.example/ HTTP/1.1\nHost: HOST\nConnection: close\n\n", "400"),
        (
            "GET /feed/ws HTTP/1.0\nHost: HOST\nConnection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n",
            "400",
        ),
        ("GET http://HOST/ HTTP/1.1\nHost: HOST\nConnection: close\n\n", "200"),
    ] {
        let answer = hall.ask(request);
        assert!(answer.split(' ').nth(1) == Some(status), "{request}: {answer}");
    }
}
