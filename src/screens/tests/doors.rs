//! Who may see what, by which listener and as whom.

use protocol::feed::{Alert, AlertKind, Staff};

use super::*;
use crate::screens::{
    addresses,
    doors::{At, Door, Route},
};

const ORDER: &str = r#"{"table":"open/3/12","command":"undo","plies":1}"#;

#[test]
fn the_public_listener_answers_404_to_everything_that_is_not_public_whatever_comes_with_the_request() {
    let hall = Hall::open();
    let (_, cookie) = hall.enter(Listener::Loopback, "operator");
    let bearer = format!("Authorization: Bearer {}\n", hall.token.reveal());
    let public = |route: Route| {
        let at =
            |door: &Door| matches!(door.row().at, At::Http(at, by) if at == route && by.contains(&Listener::Public));
        Door::ALL.iter().any(at)
    };
    for headers in ["", &cookie, &bearer] {
        for route in Route::ALL.into_iter().filter(|route| !public(*route)) {
            for path in route.paths().iter().filter(|path| !path.contains('{')) {
                let got = hall.get_with(Listener::Public, path, headers);
                let posted = hall.post_at(Listener::Public, path, headers, ORDER);
                for answer in [got, posted] {
                    assert!(answer.starts_with("HTTP/1.1 404"), "{path} with {headers}: {answer}");
                }
            }
        }
        for page in ["/doors", "/join", "/pgn?incidents"] {
            let answer = hall.get_with(Listener::Public, page, headers);
            assert!(answer.starts_with("HTTP/1.1 404"), "{page} with {headers}: {answer}");
        }
        assert!(hall.get_with(Listener::Public, "/", headers).starts_with("HTTP/1.1 200"));
    }
}

#[test]
fn spectators_see_what_is_final_and_nothing_that_is_only_seen() {
    let hall = Hall::open();
    hall.show(1, seen(3));
    hall.publish(1, an_alert_for(Staff::Arbiter));
    hall.publish(2, Entry::State { state: protocol::feed::State::Playing });
    let view = |listener| {
        let answer = hall.get_with(listener, "/snapshot", "");
        serde_json::from_str::<HallView>(body_of(&answer)).expect(&answer)
    };
    let tables = |view: &HallView| view.tables.iter().map(|table| table.table.table).collect::<Vec<_>>();
    assert_eq!(tables(&view(Listener::Public)), [2]);
    assert_eq!(tables(&view(Listener::Loopback)), [1, 2]);

    let bearer = format!("Bearer {}", hall.token.reveal());
    let socket = hall.knock_at(Listener::Public);
    let (mut spectator, _) = hall
        .screen_over(socket, "/feed/ws", &[("Authorization", &bearer)])
        .expect("spectators may follow, whatever they show");
    spectator.next();
    assert_eq!(tables(&spectator.view), [2]);
}

#[test]
fn a_stranger_in_the_hall_sees_nothing_until_a_code_lets_them_in() {
    let hall = Hall::open();
    let (pass, code) = hall.invite("hall");
    for path in ["/snapshot", "/pgn", "/feed/ws"] {
        let answer = hall.get_with(Listener::LanPlain, path, "");
        assert!(answer.starts_with("HTTP/1.1 401") && answer.contains("Ask the operator for a code"), "{answer}");
    }
    let answer = hall.get_with(Listener::LanPlain, "/", "");
    assert!(answer.starts_with("HTTP/1.1 303") && answer.contains("location: /join"), "{answer}");

    let body = format!(r#"{{"code":"{}"}}"#, code.to_lowercase());
    let answer = hall.post_at(Listener::LanPlain, "/enter", "", &body);
    for attribute in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(answer.contains(attribute), "{answer}");
    }
    let cookie = cookie_of(&answer);
    let answer = hall.get_with(Listener::LanPlain, "/snapshot", &cookie);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");

    let again = hall.post_at(Listener::LanPlain, "/enter", "", &body);
    assert!(again.starts_with("HTTP/1.1 401") && again.contains("opens nothing"), "{again}");
    revoke(&hall, pass);
    let answer = hall.get_with(Listener::LanPlain, "/snapshot", &cookie);
    assert!(answer.starts_with("HTTP/1.1 401") && answer.contains("was taken back"), "{answer}");
    assert!(answer.contains("Max-Age=0"), "the browser is told to forget it: {answer}");
}

#[test]
fn a_pass_that_is_taken_back_hangs_up_on_who_holds_it_and_on_nobody_else() {
    let hall = Hall::open();
    let (pass, cookie) = hall.enter(Listener::LanPlain, "hall");
    let (_, other) = hall.enter(Listener::LanPlain, "hall");
    let follow = |cookie: &str| {
        let cookie = cookie.trim().trim_start_matches("Cookie: ").to_owned();
        let socket = hall.knock_at(Listener::LanPlain);
        hall.screen_over(socket, "/feed/ws", &[("Cookie", &cookie)]).expect("a good pass follows").0
    };
    let (mut gone, mut stays) = (follow(&cookie), follow(&other));
    gone.next();
    stays.next();
    revoke(&hall, pass);
    let Ok(tungstenite::Message::Close(Some(close))) = gone.socket.read() else { panic!("nobody hung up") };
    assert_eq!(close.code, tungstenite::protocol::frame::coding::CloseCode::Policy);
    hall.show(1, seen(1));
    stays.until(line_at(1, 1));
}

#[test]
fn an_arbiter_sees_the_alerts_that_name_the_arbiter_and_gives_orders_by_name() {
    let hall = Hall::open();
    let (pass, cookie) = hall.enter(Listener::Loopback, "arbiter");
    let bare = cookie.trim().trim_start_matches("Cookie: ").to_owned();
    let mut arbiter = hall.screen_at("/feed/ws", &[("Cookie", &bare)]).expect("an arbiter follows");
    let mut operator = hall.operator();
    arbiter.next();
    operator.next();
    hall.publish(1, an_alert_for(Staff::Arbiter));
    hall.publish(1, an_alert_for(Staff::Operator));
    hall.show(9, seen(9));
    let (arbiter, operator) = (told(&mut arbiter), told(&mut operator));
    assert!(arbiter.contains(r#""audience":["arbiter"]"#) && !arbiter.contains(r#"["operator"]"#), "{arbiter}");
    assert!(operator.contains(r#""audience":["operator"]"#) && !operator.contains(r#"["arbiter"]"#), "{operator}");

    let own = format!("{cookie}Origin: http://{}\n", hall.address);
    let answer = hall.post_at(Listener::Loopback, "/command", &own, ORDER);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let giver = hall.givers.lock().expect("nobody panicked").last().cloned().expect("somebody gave it");
    assert_eq!((giver.role.as_str(), giver.pass.map(u64::from), giver.name.as_str()), ("arbiter", Some(pass), "Anna"));

    let answer = hall.post_at(Listener::Loopback, "/command", &cookie, ORDER);
    assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("Origin"), "a browser says its page: {answer}");
    let answer = hall.post_at(Listener::Loopback, "/invite", &own, r#"{"role":"hall"}"#);
    assert!(answer.starts_with("HTTP/1.1 403"), "an arbiter invites nobody: {answer}");
}

#[test]
fn where_anybody_can_listen_in_there_is_no_arbiter_and_no_operator() {
    let hall = Hall::open();
    let (pass, code) = hall.invite("arbiter");
    let body = format!(r#"{{"code":"{code}"}}"#);
    let refused = hall.post_at(Listener::LanPlain, "/enter", "", &body);
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("encrypted listener"), "{refused}");
    let spent = hall.post_at(Listener::Loopback, "/enter", "", &body);
    assert!(spent.starts_with("HTTP/1.1 401"), "a code that was overheard is spent: {spent}");
    assert!(!list(&hall).contains(&format!(r#""pass":{pass},"#)));
    let bearer = format!("Authorization: Bearer {}\n", hall.token.reveal());
    for path in ["/snapshot", "/doors.json"] {
        let refused = hall.get_with(Listener::LanPlain, path, &bearer);
        assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    }
}

#[test]
fn the_operators_token_signs_in_on_its_own_machine_only() {
    let hall = Hall::open();
    let body = format!(r#"{{"token":"{}"}}"#, hall.token.reveal());
    let answer = hall.post_at(Listener::Loopback, "/enter", "", &body);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let listing = hall.get_with(Listener::Loopback, "/doors.json", &cookie_of(&answer));
    assert!(listing.contains("operator.token") && listing.contains("GET /feed/ws, /feed/v2"), "{listing}");
    let page = format!("{}Origin: http://{}\n", cookie_of(&answer), hall.address);
    let again = hall.post_at(Listener::Loopback, "/enter", &page, &body);
    assert!(again.starts_with("HTTP/1.1 200") && !again.contains("set-cookie"), "who is in is in already: {again}");
    assert_eq!(list(&hall).matches("operator.token").count(), 1, "and has one pass");
    let answer = hall.post_at(Listener::LanPlain, "/enter", "", &body);
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    let left = hall.post_at(
        Listener::Loopback,
        "/leave",
        &format!(
            "{}Origin: http://{}\n",
            cookie_of(&hall.post_at(Listener::Loopback, "/enter", "", &body)),
            hall.address
        ),
        "",
    );
    assert!(left.starts_with("HTTP/1.1 204") && left.contains("Max-Age=0"), "{left}");
}

#[test]
fn a_thousand_wrong_codes_let_nobody_in_and_keep_nobody_out() {
    let hall = Hall::open();
    let (_, code) = hall.invite("hall");
    let mut guesser = hall.knock_at(Listener::LanPlain);
    let mut answers = String::new();
    for guess in 0..1_000 {
        let body = format!(r#"{{"code":"{guess:016}"}}"#);
        let host = hall.gates[&Listener::LanPlain];
        let request = format!("POST /enter HTTP/1.1\r\nHost: {host}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        guesser.write_all(request.as_bytes()).expect("somebody reads");
        let mut some = [0; 1024];
        let count = guesser.read(&mut some).expect("an answer");
        answers += &String::from_utf8_lossy(&some[..count]);
    }
    assert_eq!(answers.matches("HTTP/1.1 401").count(), 1_000);
    assert!(!answers.contains("set-cookie"), "nobody was let in");
    let answer = hall.post_at(Listener::LanPlain, "/enter", "", &format!(r#"{{"code":"{code}"}}"#));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn what_a_proxy_hands_on_to_the_hall_is_refused_with_the_way_out() {
    let hall = Hall::open();
    for listener in [Listener::Loopback, Listener::LanPlain] {
        let answer = hall.get_with(listener, "/snapshot", "X-Forwarded-For: 198.51.100.7\n");
        assert!(answer.starts_with("HTTP/1.1 403") && answer.contains("--public ADDR:PORT"), "{answer}");
    }
    let answer = hall.get_with(Listener::Public, "/snapshot", "X-Forwarded-For: 198.51.100.7\n");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[test]
fn who_listens_on_all_addresses_is_told_of_each_and_of_the_machines_names() {
    let at = |address: &str| {
        let address = address.parse().expect("an address");
        Opened { listener: Listener::LanPlain, address, name: None, certificate: None }.urls()
    };
    let all = at("0.0.0.0:8080");
    let named = |name: &String| all.contains(&format!("http://{name}:8080"));
    assert!(addresses::names().iter().all(named), "{all:?}");
    assert!(!all.contains(&"http://127.0.0.1:8080".to_owned()), "nobody comes from beyond by that: {all:?}");
    assert_eq!(at("192.0.2.1:8080"), ["http://192.0.2.1:8080"], "a name may lead to another address");
}

#[test]
fn feed_and_snapshot_are_lent_to_listed_pages_and_orders_never() {
    let origin = "https://club.example".to_owned();
    let hall = Hall::open_with(Manners { origins: vec![origin.clone()], ..Manners::default() });
    let from = format!("Origin: {origin}\n");
    let answer = hall.get_with(Listener::Loopback, "/snapshot", &from);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("access-control-allow-origin: https://club.example") && answer.contains("vary: Origin"));
    let asked = hall.ask(&format!("OPTIONS /snapshot HTTP/1.1\nHost: HOST\n{from}Connection: close\n\n"));
    assert!(asked.starts_with("HTTP/1.1 204") && asked.contains("access-control-allow-methods"), "{asked}");
    assert!(hall.screen_at("/feed/ws", &[("Origin", &origin)]).is_ok());
    // A page reads no header it was not lent, and whoever keeps answers for others has to know that they differ.
    assert!(answer.contains("access-control-expose-headers: ETag"), "{answer}");
    assert!(hall.get("/snapshot").contains("vary: Origin") && !hall.get("/pgn").contains("vary: Origin"));

    let bearer = format!("{from}Authorization: Bearer {}\n", hall.token.reveal());
    for path in ["/command", "/invite", "/revoke", "/enter"] {
        let answer = hall.post_at(Listener::Loopback, path, &bearer, ORDER);
        assert!(answer.starts_with("HTTP/1.1 403"), "{path}: {answer}");
        let asked = hall.ask(&format!("OPTIONS {path} HTTP/1.1\nHost: HOST\n{from}Connection: close\n\n"));
        assert!(asked.starts_with("HTTP/1.1 403"), "{path}: {asked}");
    }
    // Even with the token such a page sees no more than the hall.
    hall.publish(1, an_alert_for(Staff::Operator));
    let token = format!("Bearer {}", hall.token.reveal());
    let mut lent = hall.screen_at("/feed/ws", &[("Origin", &origin), ("Authorization", &token)]).expect("it is listed");
    lent.next();
    hall.publish(1, an_alert_for(Staff::Operator));
    hall.show(9, seen(9));
    while !line_at(9, 9)(&lent.view) {
        let told = serde_json::to_string(&lent.next()).expect("a message is plain data");
        assert!(!told.contains("audience"), "{told}");
    }
    let other = hall.get_with(Listener::Loopback, "/snapshot", "Origin: https://evil.example\n");
    assert!(other.starts_with("HTTP/1.1 403") && other.contains("`origins`"), "{other}");
}

#[test]
fn a_spectators_address_has_fifty_places_and_viewers_take_them_too() {
    let hall = Hall::open();
    let follow = || hall.screen_over(hall.knock_at(Listener::Public), "/feed/ws", &[]);
    let mut screens: Vec<_> = (0..50).map(|_| follow().expect("there is room").0).collect();
    screens.iter_mut().for_each(|screen| drop(screen.next()));
    let refused = hall.get_with(Listener::Public, "/snapshot", "");
    assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
    assert!(hall.get("/snapshot").starts_with("HTTP/1.1 200"), "other listeners have their own places");
    screens.pop();
    let end = std::time::Instant::now() + DEADLINE;
    while !hall.get_with(Listener::Public, "/snapshot", "").starts_with("HTTP/1.1 200") {
        assert!(std::time::Instant::now() < end, "a place that is left is free");
    }
}

#[test]
fn behind_a_named_proxy_those_it_asks_for_are_counted() {
    let proxies = vec!["127.0.0.1".parse().expect("an address")];
    let hall = Hall::open_with(Manners { proxies, ..Manners::default() });
    let follow = |client: &str| {
        let socket = hall.knock_at(Listener::Public);
        hall.screen_over(socket, "/feed/ws", &[("X-Forwarded-For", client)]).map(|(screen, _)| screen)
    };
    let screens: Vec<_> = (0..50).map(|_| follow("198.51.100.7").expect("there is room")).collect();
    let refused = follow("198.51.100.7").err().expect("one address has fifty places");
    assert!(refused.contains("429"), "{refused}");
    assert!(follow("198.51.100.8").is_ok(), "another has its own");
    drop(screens);
}

fn revoke(hall: &Hall, pass: u64) {
    let bearer = format!("Authorization: Bearer {}\n", hall.token.reveal());
    let answer = hall.post_at(Listener::Loopback, "/revoke", &bearer, &format!(r#"{{"pass":{pass}}}"#));
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

fn list(hall: &Hall) -> String {
    let bearer = format!("Authorization: Bearer {}\n", hall.token.reveal());
    hall.get_with(Listener::Loopback, "/doors.json", &bearer)
}

fn an_alert_for(staff: Staff) -> Entry {
    Entry::Alert(Box::new(Alert { audience: vec![staff], ..Alert::new(AlertKind::FlagFall) }))
}
