//! Handshakes from dice: whoever says everything right is let in, and nobody else, whatever is wrong with what they say.
//! `PROPTEST_CASES=100000 cargo test -p escaque --lib handshakes` throws for longer.

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

use super::*;

/// What may be said in one place, and whether it is right there. `HOST` is the address of the listener.
type Words = (&'static str, bool);

const METHODS: [Words; 3] = [("GET", true), ("POST", false), ("HEAD", false)];
const TARGETS: [Words; 11] = [
    ("/feed/ws", true),
    ("/feed/v2", true),
    ("/feed/v2/", true),
    ("/feed/v2/open/3/1", true),
    ("/feed/ws?table=open/3/1", true),
    ("http://HOST/feed/ws", true),
    ("http://evil.example/feed/ws", false),
    ("/feed/ws?token=abc", false),
    ("/feed/v2?token=abc", false),
    ("/feed/v2?table=open/3/1", false),
    ("/feed/v2/open/0/1", false),
];
const VERSIONS: [Words; 2] = [("HTTP/1.1", true), ("HTTP/1.0", false)];
const HOSTS: [Words; 6] = [
    ("Host: HOST\n", true),
    ("host:HOST\n", true),
    ("", false),
    ("Host: evil.example\n", false),
    ("Host: HOST\nHost: HOST\n", false),
    ("Host: HOST\nHost: evil.example\n", false),
];
const ORIGINS: [Words; 5] = [
    ("", true),
    ("Origin: http://HOST\n", true),
    ("Origin: https://evil.example\n", false),
    ("Origin: null\n", false),
    ("Origin: http://HOST\nOrigin: http://HOST\n", false),
];
const CONNECTIONS: [Words; 4] = [
    ("Connection: Upgrade\n", true),
    ("Connection: keep-alive, upgrade\n", true),
    ("Connection: keep-alive\n", false),
    ("", false),
];
const UPGRADES: [Words; 4] =
    [("Upgrade: websocket\n", true), ("Upgrade: WebSocket\n", true), ("Upgrade: h2c\n", false), ("", false)];
const WEBSOCKETS: [Words; 3] =
    [("Sec-WebSocket-Version: 13\n", true), ("Sec-WebSocket-Version: 8\n", false), ("", false)];
const KEYS: [Words; 3] =
    [("Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n", true), ("Sec-WebSocket-Key: dGhlIA==\n", false), ("", false)];
const REST: [Words; 3] =
    [("", true), ("Cookie: escaque-1=abc\n", true), ("Sec-WebSocket-Extensions: permessage-deflate\n", true)];

const PLACES: [&[Words]; 10] =
    [&METHODS, &TARGETS, &VERSIONS, &HOSTS, &ORIGINS, &CONNECTIONS, &UPGRADES, &WEBSOCKETS, &KEYS, &REST];

#[test]
fn whoever_says_everything_right_is_let_in_and_nobody_else() {
    let hall = Hall::open();
    throw(&said(), |(head, is_right)| {
        for listener in [Listener::Loopback, Listener::Public] {
            let answer = answer(&hall, listener, head.as_bytes());
            let status = answer.split(' ').nth(1).unwrap_or_default();
            prop_assert_eq!(status == "101", is_right, "{:?}: {} answered {}", listener, head, answer);
            prop_assert!(is_right || status.starts_with('4'), "{:?}: {} answered {}", listener, head, answer);
        }
        Ok(())
    });
}

#[test]
fn what_is_no_handshake_at_all_ends_in_an_answer_or_a_good_bye() {
    let hall = Hall::open();
    let broken = (said(), prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6));
    throw(&broken, |((head, _), strokes)| {
        let mut bytes = head.into_bytes();
        for (at, byte) in strokes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        // However it was meant, it is at an end: nobody waits for the rest of a head that never comes.
        bytes.extend(b"\r\n\r\n");
        answer(&hall, Listener::Public, &bytes);
        Ok(())
    });
    assert!(hall.get("/healthz").starts_with("HTTP/1.1 200"));
}

/// A head, and whether everything in it is right. As a rule one thing is wrong, so that nothing else hides it.
fn said() -> impl Strategy<Value = (String, bool)> {
    let wrong = prop::collection::vec((0..PLACES.len(), any::<prop::sample::Index>()), 0..3);
    (wrong, prop::collection::vec(any::<prop::sample::Index>(), PLACES.len())).prop_map(|(wrong, any)| {
        let rights = PLACES.iter().zip(any).map(|(words, any)| {
            let right = words.iter().filter(|(_, is_right)| *is_right).collect::<Vec<_>>();
            *right[any.index(right.len())]
        });
        let mut words = rights.collect::<Vec<_>>();
        for (place, any) in wrong {
            words[place] = PLACES[place][any.index(PLACES[place].len())];
        }
        let is_right = words.iter().all(|(_, is_right)| *is_right);
        let words = words.into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        let head = format!("{} {} {}\n{}\n", words[0], words[1], words[2], words[3..].concat());
        (head.replace('\n', "\r\n"), is_right)
    })
}

fn throw<S: Strategy>(strategy: &S, test: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(200);
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    TestRunner::new(config).run(strategy, test).expect("the claim holds");
}

/// The first line that comes back, or nothing where somebody hangs up.
fn answer(hall: &Hall, listener: Listener, head: &[u8]) -> String {
    let mut socket = hall.knock_at(listener);
    let host = hall.gates[&listener].to_string();
    let text = String::from_utf8_lossy(head).replace("HOST", &host);
    let head = if head.is_ascii() { text.into_bytes() } else { head.to_vec() };
    socket.write_all(&head).expect("somebody listens");
    let mut some = [0; 64];
    let count = socket.read(&mut some).unwrap_or_default();
    String::from_utf8_lossy(&some[..count]).lines().next().unwrap_or_default().to_owned()
}
