//! What can be asked for.

use super::*;

#[test]
fn a_page_is_not_sent_twice() {
    let hall = Hall::open();
    let first = hall.get("/");
    assert!(first.starts_with("HTTP/1.1 200") && first.contains("content-type: text/html"), "{first}");
    let etag = first.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a page has an etag");
    for known in [etag.to_owned(), format!("\"other\", W/{etag}"), "*".to_owned()] {
        let again = hall.ask(&format!("GET / HTTP/1.1\nHost: HOST\nIf-None-Match: {known}\nConnection: close\n\n"));
        assert!(again.starts_with("HTTP/1.1 304"), "{known}: {again}");
    }
}

#[test]
fn every_answer_forbids_guessing_framing_and_foreign_scripts() {
    let hall = Hall::open();
    for path in ["/", "/snapshot", "/nothing", "/feed/ws"] {
        let answer = hall.get(path);
        for header in ["x-content-type-options: nosniff", "default-src 'self'", "frame-ancestors 'none'"] {
            assert!(answer.contains(header), "{path}: {answer}");
        }
    }
}

#[test]
fn the_snapshot_is_what_the_hall_may_see() {
    let hall = Hall::open();
    hall.show(1, seen(2));
    let answer = hall.get("/snapshot");
    let body = answer.split("\r\n\r\n").nth(1).expect("a body");
    let view: HallView = serde_json::from_str(body).expect("a view");
    assert!(line_at(1, 2)(&view), "{answer}");
}

#[test]
fn the_feeds_schema_is_served_and_is_the_frozen_one() {
    let answer = Hall::open().get("/feed/schema.json");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("application/schema+json"), "{answer}");
    let body = answer.split("\r\n\r\n").nth(1).expect("a body");
    assert_eq!(body, include_str!("../../../protocol/schema/feed-v1.json"));
}

#[test]
fn who_has_a_schema_is_not_sent_it_again() {
    let hall = Hall::open();
    for path in ["/feed/schema.json", "/feed/v2/schema.json", "/command/schema.json"] {
        let first = hall.get(path);
        let mark = first.lines().find_map(|line| line.strip_prefix("etag: ")).expect(path);
        let again = hall.get_with(Listener::Loopback, path, &format!("If-None-Match: {mark}\n"));
        assert!(again.starts_with("HTTP/1.1 304"), "{path}: {again}");
    }
}

#[test]
fn whoever_asks_what_an_address_knows_is_told_what_it_knows() {
    let hall = Hall::open();
    let ask = |listener, path: &str, more: &str| {
        hall.ask_at(listener, &format!("OPTIONS {path} HTTP/1.1\nHost: HOST\n{more}Connection: close\n\n"))
    };
    let token = format!("Authorization: Bearer {}\n", hall.token.reveal());
    for (path, allowed) in [("/snapshot", "GET, HEAD"), ("/", "GET, HEAD"), ("/command", "POST")] {
        let answer = ask(Listener::Loopback, path, &token);
        assert!(answer.starts_with("HTTP/1.1 405"), "{path}: {answer}");
        assert!(answer.contains(&format!("allow: {allowed}\r\n")), "{path}: {answer}");
    }
    let hidden = ask(Listener::Public, "/command", "");
    assert!(hidden.starts_with("HTTP/1.1 404"), "spectators learn of no more than there is for them: {hidden}");
}

#[test]
fn games_come_as_pgn_and_missing_ones_as_a_sentence() {
    let hall = Hall::open();
    for path in ["/pgn", "/pgn/", "/pgn/open/3/12", "/pgn/open/3/12.pgn"] {
        let answer = hall.get(path);
        assert!(answer.contains("text/plain; charset=utf-8") && answer.ends_with(GAME), "{path}: {answer}");
    }
    let missing = hall.get("/pgn/open/3");
    assert!(missing.starts_with("HTTP/1.1 404") && missing.contains("No game has been played there yet."), "{missing}");
    assert!(hall.get("/pgn/a/b/c/d").contains("/pgn/open/3/12"));
}

#[test]
fn beside_a_report_file_stands_what_has_no_place_in_it() {
    let hall = Hall::open();
    let key = format!("Authorization: Bearer {}\n", hall.token.reveal());
    let answer = hall.get_with(Listener::Loopback, "/report/open.trf", &key);
    assert!(answer.contains("\r\nleft-out: round 2 is left out\r\n"), "{answer}");
    assert_eq!(body_of(&answer), "012 Open\n", "the file is the pairing program's");
}

#[test]
fn a_refused_order_says_why() {
    let hall = Hall::open();
    let refused = hall.order(hall.token.reveal(), r#"{"table":"open/3/12","command":"undo","plies":9}"#);
    assert!(refused.starts_with("HTTP/1.1 409") && refused.contains("Only one move has been made."), "{refused}");
    let unknown = hall.order(hall.token.reveal(), r#"{"command":"undoo"}"#);
    assert!(unknown.starts_with("HTTP/1.1 400") && unknown.contains("Did you mean \"undo\"?"), "{unknown}");
}

#[test]
fn programs_get_errors_as_json() {
    let hall = Hall::open();
    let answer = hall.ask("GET /nothing HTTP/1.1\nHost: HOST\nAccept: application/json\nConnection: close\n\n");
    assert!(
        answer.contains("content-type: application/json") && answer.contains(r#"{"error":"There is no"#),
        "{answer}"
    );
}

#[test]
fn a_browser_at_the_feeds_address_is_told_what_it_speaks() {
    let hall = Hall::open();
    let answer = hall.get("/feed/ws");
    assert!(answer.starts_with("HTTP/1.1 426") && answer.contains("ws://"), "{answer}");
}

#[test]
fn a_healthy_daemon_says_so() {
    assert!(Hall::open().get("/healthz").ends_with("ok\n"));
}
