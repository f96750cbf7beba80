//! What viewers of the feed see.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    time::Duration,
};

use protocol::feed::{Body, HallView, TableEvent};
use tungstenite::{Error, Message as Frame, protocol::frame::coding::CloseCode};

use super::*;
use crate::screens::doors::tests::{a_final, an_alert, one_of_each};

/// Who is told what to write instead, and writes it, is let in.
#[test]
fn what_a_refused_address_is_told_holds_for_its_version() {
    let hall = Hall::open();
    let shake = "Connection: Upgrade\nUpgrade: websocket\nSec-WebSocket-Version: 13\n\
                 Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n";
    let ask = |path: &str| hall.ask(&format!("GET {path} HTTP/1.1\nHost: HOST\n{shake}\n"));
    for (path, next) in [
        ("/feed/ws?x=open/3/1", "?table=EVENT/ROUND/TABLE"),
        ("/feed/v2?x=open/3/1", "/feed/v2/EVENT/ROUND/TABLE"),
        ("/feed/v2?table=open/3/1", "/feed/v2/EVENT/ROUND/TABLE"),
    ] {
        let answer = ask(path);
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains(next), "{path}: {answer}");
    }
    assert!(!ask("/feed/v2?x=1").contains("?table="));
}

#[test]
fn a_snapshot_comes_first_and_then_changes_with_consecutive_numbers() {
    let hall = Hall::open();
    hall.show(1, seen(1));
    let mut screen = hall.screen();
    let first = screen.next();
    assert!(matches!(first.body, Body::Snapshot(_)), "{first:?}");
    assert!(line_at(1, 1)(&screen.view));

    for plies in 2..10 {
        hall.show(1, seen(plies));
        screen.until(line_at(1, plies));
    }
    hall.publish(1, a_final(1));
    screen.until(|view| view.tables[0].settled == 1);
}

#[test]
fn a_page_that_folds_has_what_the_daemon_has() {
    let hall = Hall::open();
    let mut page = hall.screen();
    page.next();
    for (_, event) in one_of_each() {
        match event {
            protocol::feed::Event::Sight(sight) => hall.show(2, sight),
            protocol::feed::Event::Entry(entry) => hall.publish(2, entry),
        }
    }
    hall.show(9, seen(9));
    page.until(line_at(9, 9));
    let mut late = hall.screen();
    late.next();
    assert_eq!(page.view, late.view);
}

#[test]
fn a_stream_of_one_table_has_its_own_numbers_and_nothing_of_the_others() {
    let hall = Hall::open();
    hall.show(1, seen(1));
    let mut one = hall.screen_at("/feed/ws?table=open/3/2", &[]).expect("the hall's feed is open");
    assert_eq!(one.next().body, Body::Snapshot(HallView::default()), "nobody sat there yet");
    for plies in 1..6 {
        hall.show(1, seen(plies));
        hall.show(2, seen(plies));
        one.until(line_at(2, plies));
    }
    assert_eq!(one.view.tables.len(), 1);
    assert_eq!(one.seq, Some(5), "what happens at other tables does not count");
}

#[test]
fn who_comes_back_gets_a_snapshot_and_no_history() {
    let hall = Hall::open();
    let mut screen = hall.screen();
    screen.next();
    hall.show(1, seen(1));
    screen.until(line_at(1, 1));
    drop(screen);
    hall.show(1, seen(2));
    let mut again = hall.screen();
    assert!(matches!(again.next().body, Body::Snapshot(_)));
    assert!(line_at(1, 2)(&again.view));
}

#[test]
fn a_restored_view_reaches_those_who_already_watch() {
    let hall = Hall::open();
    let mut screen = hall.screen();
    screen.next();
    let mut views = Views::default();
    views.apply(&TableEvent { table: Some(table(7)), t: 1, event: seen(3).into() });
    hall.feed.restore(views.clone());
    screen.next();
    assert_eq!(&screen.view, views.of(protocol::feed::Audience::Hall));
}

#[test]
fn the_operator_sees_alerts_touches_and_squares_and_the_hall_does_not() {
    let hall = Hall::open();
    let (mut operator, mut screen) = (hall.operator(), hall.screen());
    operator.next();
    screen.next();
    hall.publish(1, an_alert());
    for (_, event) in one_of_each() {
        match event {
            protocol::feed::Event::Sight(sight) => hall.show(1, sight),
            protocol::feed::Event::Entry(entry) => hall.publish(1, entry),
        }
    }
    hall.show(9, seen(9));
    let (all, public) = (told(&mut operator), told(&mut screen));
    for secret in ["touch", "\"arbiter\"]", "proposal", "verdict", "noted", "instants", "squares"] {
        assert!(all.contains(secret), "the operator misses {secret}");
        assert!(!public.contains(secret), "the hall sees {secret}: {public}");
    }
}

#[test]
fn a_slow_reader_gets_a_fresh_snapshot_and_the_others_wait_for_nobody() {
    let hall = Hall::open();
    let socket = hall.knock();
    socket2::SockRef::from(&socket).set_recv_buffer_size(64 * 1024).expect("a small buffer is allowed");
    let (mut slow, _) = hall.screen_over(socket, "/feed/ws", &[]).expect("the hall's feed is open");
    let mut fast = hall.screen();
    fast.next();

    // Four megabytes: far more than the kernel may keep for the slow one.
    for number in 1..=1000 {
        hall.show(1, fat(number));
        if number % 50 == 0 {
            fast.until(is_fat(number));
        }
    }
    // By here the fast one has everything, and the slow one has not read a byte.
    let read = slow.until(is_fat(1000));
    assert!(read < 300, "a backlog of {read} messages was kept");
    assert!(hall.feed.entrance().viewers() == 2, "nobody was let go");
    hall.show(1, seen(3));
    slow.until(line_at(1, 3));
    fast.until(line_at(1, 3));
}

#[test]
fn two_hundred_viewers_get_each_frame() {
    let hall = Hall::open();
    let mut screens: Vec<Screen> = (0..200).map(|_| hall.screen()).collect();
    screens.iter_mut().for_each(|screen| drop(screen.next()));
    for plies in 1..=20 {
        hall.show(1, seen(plies));
    }
    let frames: Vec<usize> = screens.iter_mut().map(|screen| screen.until(line_at(1, 20))).collect();
    assert!(frames.iter().all(|count| *count == frames[0]), "{frames:?}");
}

#[test]
fn a_ping_is_answered_and_a_good_bye_returned() {
    let hall = Hall::open();
    let mut screen = hall.screen();
    screen.next();
    screen.socket.send(Frame::Ping("there?".into())).expect("the socket is open");
    assert_eq!(screen.socket.read().expect("an answer"), Frame::Pong("there?".into()));
    screen.socket.close(None).expect("the socket is open");
    assert!(matches!(screen.socket.read(), Ok(Frame::Close(_))));
    assert!(matches!(screen.socket.read(), Err(Error::ConnectionClosed)));
    wait_until_empty(&hall);
}

#[test]
fn a_viewer_who_vanishes_is_let_go_and_the_others_notice_nothing() {
    let hall = Hall::open();
    let mut stays = hall.screen();
    let goes = hall.screen();
    drop(goes);
    stays.next();
    hall.show(1, seen(1));
    stays.until(line_at(1, 1));
    drop(stays);
    wait_until_empty(&hall);
}

#[test]
fn garbage_is_answered_with_a_good_bye_that_says_why() {
    let hall = Hall::open();
    let mut witness = hall.screen();
    witness.next();
    for (garbage, code) in [
        (b"\x81\x02hi".to_vec(), CloseCode::Protocol),
        (vec![0xff; 100_000], CloseCode::Protocol),
        (b"\x82\xff\x00\x00\x00\x00\xff\xff\xff\xff".to_vec(), CloseCode::Size),
        (b"\x89\x80mask".repeat(21), CloseCode::Policy),
        ([&b"\x01\x80mask"[..], &b"\x00\x80mask".repeat(20)].concat(), CloseCode::Policy),
        (b"\x81\x81\x00\x00\x00\x00\xff".to_vec(), CloseCode::Invalid),
        (b"\x81\xfe\x00\x01maskx".to_vec(), CloseCode::Protocol),
    ] {
        let mut screen = hall.screen();
        screen.next();
        // The daemon may hang up before all of it is written.
        let _ = screen.socket().write_all(&garbage);
        let said = std::iter::from_fn(|| screen.socket.read().ok()).find(|frame| !frame.is_pong());
        let Some(Frame::Close(Some(close))) = said else { panic!("no good-bye but {said:?}") };
        assert_eq!(close.code, code);
        assert!(!close.reason.is_empty(), "a good-bye without a word: {code}");
    }
    hall.show(1, seen(1));
    witness.until(line_at(1, 1));
}

#[test]
fn when_the_daemon_ends_viewers_are_told() {
    let hall = Hall::open();
    let mut screen = hall.screen();
    screen.next();
    drop(hall);
    let Ok(Frame::Close(Some(close))) = screen.socket.read() else { panic!("no good-bye") };
    assert_eq!(close.code, CloseCode::Away);
}

#[test]
fn what_follows_the_handshake_in_the_same_packet_is_heard() {
    let hall = Hall::open();
    let mut socket = hall.knock();
    let handshake = format!(
        "GET /feed/ws HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        hall.address
    );
    let mut packet = handshake.into_bytes();
    packet.extend(b"\x88\x80mask");
    socket.write_all(&packet).expect("somebody reads");
    let mut answer = Vec::new();
    if let Err(error) = socket.read_to_end(&mut answer) {
        assert_ne!(error.kind(), ErrorKind::WouldBlock, "the good-bye was not heard");
    }
    assert!(answer.ends_with(b"\x88\x02\x03\xe8"), "{answer:?}");
    assert!(String::from_utf8_lossy(&answer).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "the example of the RFC");
}

/// A change of four kilobytes, told from others by its number.
fn fat(number: usize) -> Sight {
    let mut sight = seen(1);
    if let Sight::Seen { line, settled, .. } = &mut sight {
        *line = ["N".repeat(4096)].iter().collect();
        *settled = number;
    }
    sight
}

fn is_fat(number: usize) -> impl Fn(&HallView) -> bool {
    move |view| view.tables.first().is_some_and(|table| table.settled == number)
}

fn wait_until_empty(hall: &Hall) {
    let entrance = hall.feed.entrance();
    let end = std::time::Instant::now() + DEADLINE;
    while entrance.viewers() > 0 {
        assert!(std::time::Instant::now() < end, "somebody is still counted");
        std::thread::sleep(Duration::from_millis(2));
    }
}
