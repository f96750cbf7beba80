//! Sites that answer otherwise than one would wish, and what is made of it.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt as _,
    path::Path,
    sync::PoisonError,
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    sync::{mpsc, watch},
};

use super::{
    hour::{Hall, courier},
    *,
};
use crate::press::{
    State,
    standing::Standing,
    token::Keeper,
    wire::{Answered, Asked, Wire},
};

const SECRET: &str = "lip_0123456789";

#[tokio::test]
async fn what_a_site_answers_is_said_in_words_that_lead_on() {
    let hang_up = "it hung up before it had answered: look at its url and its log, and at the network";
    let no_site = "what answers there is no site: look at its url, and at the port in it";
    let broke_off = "its answer broke off: look at its log, and at the network";
    let long = format!("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n{}", "x".repeat(999_999));
    for (answer, said) in [
        ("", Err(hang_up)),
        ("HTTP/1.1 200 OK\r\nContent-Le", Err(hang_up)),
        ("SSH-2.0-OpenSSH_9.9\r\n", Err(no_site)),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", Err(broke_off)),
        (&long, Ok(200)),
    ] {
        let answered = asks(answer).await;
        assert_eq!(answered.as_ref().map(|answered| answered.status).map_err(String::as_str), said, "{answer:.60}");
    }
}

#[tokio::test]
async fn a_site_is_left_alone_for_as_long_as_it_asks_for_and_no_more_than_an_hour() {
    for (wait, seconds) in [
        ("Retry-After: 7", 7),
        ("Retry-After: 99999999999999999999999", 3600),
        ("Date: Sat, 28 Nov 2026 06:38:44 GMT\r\nRetry-After: Sat, 28 Nov 2026 06:40:44 GMT", 120),
        ("Date: Sat, 28 Nov 2026 06:38:44 GMT\r\nRetry-After: Sun, 29 Nov 2026 06:40:44 GMT", 3600),
        ("Date: Sat, 28 Nov 2026 06:38:44 GMT\r\nRetry-After: Sat, 28 Nov 2026 05:00:00 GMT", 0),
        ("Retry-After: -5", 0),
        ("Retry-After: soon", 0),
    ] {
        let answered = asks(&format!("HTTP/1.1 503 Later\r\n{wait}\r\nContent-Length: 0\r\n\r\n")).await;
        assert_eq!(answered.expect("an answer").at_least_ms, seconds * 1000, "{wait}");
    }
}

#[tokio::test]
async fn a_secret_that_is_said_back_is_struck_out() {
    let said = format!("HTTP/1.1 500 Oops\r\nConnection: close\r\n\r\nBearer {SECRET} may not PUT /games.pgn?key=4711");
    assert_eq!(asks(&said).await.expect("an answer").body, "Bearer … may not PUT /games.pgn?…");
    let answered = asks_at("/games.pgn?", &said).await.expect("an answer");
    assert_eq!(answered.body, "Bearer … may not PUT /games.pgn?key=4711", "an address without one has none");
}

#[tokio::test]
async fn a_site_that_refuses_what_is_too_long_before_it_has_read_it_is_heard() {
    let folder = tempfile::tempdir().expect("a folder");
    let hall = Arc::new(Hall::begin());
    (0..2000).for_each(|_| hall.play());
    let (site, address) = open();
    std::thread::spawn(move || {
        let (mut stream, _) = site.accept().expect("a visit");
        // What comes first is read, and what lies there unread when it hangs up resets the connection.
        stream.read_exact(&mut [0; 16]).expect("a request");
        stream.write_all(b"HTTP/1.1 413 Too Long\r\nContent-Length: 0\r\n\r\n").expect("it is heard");
    });
    let standing = visited(
        &format!("name = 'site'\nkind = 'http'\nurl = 'http://{address}/games.pgn?key=4711'\nwait = 0"),
        &hall,
        folder.path(),
    )
    .await;
    let said = standing.error.expect("it is named").text;
    let expected = "http://ADDRESS/games.pgn: 413: so long a document is not taken there: raise its limit, and try now";
    assert_eq!(said, expected.replace("ADDRESS", &address));
    assert_eq!((standing.state, standing.sent, standing.rounds[0].told), (State::Failing, None, 0));
    let kept = folder.path().join("air/site/open-1.json");
    assert_eq!(fs::metadata(kept).expect("it is kept").permissions().mode() & 0o077, 0, "an address may be a secret");
}

#[tokio::test(start_paused = true)]
async fn a_site_that_takes_its_time_is_told_each_table_in_its_turn_and_the_newest_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let hall = Arc::new(Hall::begin());
    let site = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = site.local_addr().expect("it is bound");
    let courier = courier(
        &format!("name = 'site'\nkind = 'http'\nurl = 'http://{address}/{{table}}'\nwait = 0"),
        &hall,
        &folder.path().join("air"),
    );
    let (bell, heard) = watch::channel(0);
    let (_wanted, asked) = mpsc::unbounded_channel();
    let served = async {
        let mut told = Vec::new();
        for plies in 1..=8 {
            hall.play();
            bell.send_modify(|rung| *rung += 1);
            let (mut stream, _) = site.accept().await.expect("a visit");
            let mut request = vec![0; 4096];
            let length = stream.read(&mut request).await.expect("a request");
            let request = String::from_utf8_lossy(&request[..length]).into_owned();
            told.push((request[5..6].to_owned(), plies - request.matches("[%clk").count()));
            tokio::time::sleep(Duration::from_secs(4)).await;
            stream.write_all(b"HTTP/1.1 204 Taken\r\nConnection: close\r\n\r\n").await.expect("it is heard");
        }
        told
    };
    let told = tokio::select! {
        told = served => told,
        () = courier.work(heard, asked) => unreachable!("its bell is kept"),
    };
    let (tables, behind) = told.into_iter().unzip::<_, _, String, Vec<_>>();
    assert_eq!(tables, "12341234");
    assert!(behind.iter().all(|plies| *plies <= 2), "plies it was told late: {behind:?}");
}

/// How a target stands after one visit.
async fn visited(target: &str, hall: &Arc<Hall>, folder: &Path) -> Standing {
    let courier = courier(target, hall, &folder.join("air"));
    let standing = Arc::clone(&courier.standing);
    let (_bell, heard) = watch::channel(0);
    let (_wanted, asked) = mpsc::unbounded_channel();
    // The visit is over when the pause after it is on.
    let _ = tokio::time::timeout(Duration::from_millis(900), courier.work(heard, asked)).await;
    standing.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// What comes of a request that is answered so.
async fn asks(answer: &str) -> Result<Answered, String> {
    asks_at("/games.pgn?key=4711", answer).await
}

async fn asks_at(path: &str, answer: &str) -> Result<Answered, String> {
    let (site, address) = open();
    let answer = answer.to_owned();
    std::thread::spawn(move || {
        let (mut stream, _): (TcpStream, _) = site.accept().expect("a visit");
        let mut request = [0; 4096];
        // Whoever has heard enough hangs up.
        let _ = stream.read(&mut request).and_then(|_| stream.write_all(answer.as_bytes()));
    });
    let folder = tempfile::tempdir().expect("a folder");
    let kept = folder.path().join("token");
    fs::write(&kept, SECRET).expect("writable");
    let token = Keeper::File(kept).token().ok();
    let address = format!("http://{address}{path}");
    let asked = Asked { method: "PUT", address, token, mime: "text/plain", parcel: Default::default() };
    Wire::default().ask(asked).await.map_err(|unanswered| unanswered.sentence)
}

fn open() -> (TcpListener, String) {
    let site = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = site.local_addr().expect("it is bound").to_string();
    (site, address)
}
