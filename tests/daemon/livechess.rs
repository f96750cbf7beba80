//! Programs that know LiveChess and nothing of us: what they ask, and what they are told.

mod strict;

use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::{ClientRequestBuilder, Message, WebSocket};

use self::strict::Strict;
use crate::support::{Board, Daemon, PATIENCE, until};

const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_page_of_lichess_plays_a_game_on_the_board() {
    let mut club = Club::open();
    let mut client = club.connect("https://lichess.org").expect("it may");
    client.say(&json!({ "id": 1, "call": "eboards" }));
    let answer = client.told();
    assert_eq!((answer["id"].as_u64(), answer["param"][0]["state"].as_str()), (Some(1), Some("ACTIVE")), "{answer}");
    let serial = answer["param"][0]["serialnr"].clone();
    let subscribe = json!({ "feed": "eboardevent", "id": 1, "param": { "serialnr": serial } });
    client.say(&json!({ "id": 2, "call": "subscribe", "param": subscribe }));
    assert_eq!(client.answer(2)["param"], Value::Null);
    assert_eq!(client.told()["param"]["board"], FEN.split(' ').next().expect("a placement"));
    let set_up = json!({ "id": 1, "method": "setup", "param": { "fen": FEN } });
    client.say(&json!({ "id": 3, "call": "call", "param": set_up }));
    assert_eq!(client.answer(3)["param"], Value::Null);

    for played in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1g1"] {
        club.board.say(&format!("move {played}"));
    }
    let told = until("castling", || client.lines().last().filter(|line| line.ends_with(" O-O")).cloned());
    assert_eq!(told, "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O");
    let lines = client.lines();
    for (before, after) in lines.iter().zip(lines.iter().skip(1)) {
        assert!(after.starts_with(before.as_str()), "{before} -> {after}");
        assert!(after.split(' ').count() <= before.split_whitespace().count() + 1, "{before} -> {after}");
    }
    assert!(club.daemon.stop().success());
}

#[test]
fn a_client_that_takes_every_word_by_the_letter_plays_a_game_on_a_board_that_lies_the_other_way_round() {
    let mut club = Club::with(&["--turned", "--no-clock"]);
    let mut client = Strict::of(club.connect("https://lichess.org").expect("it may").socket);
    client.sets_up(FEN);
    for (hands, said) in [
        ("move e2e4", "e4"),
        ("move g8f6", "Nf6"),
        ("move e4e5", "e5"),
        ("move d7d5", "d5"),
        ("move e5d6", "exd6"),
        ("move g7g6", "g6"),
        ("move d6c7", "dxc7"),
        ("move f8g7", "Bg7"),
        ("move c7b8q", "cxb8=Q"),
        ("move e8g8", "O-O"),
        ("move a2a4", "a4"),
        ("move h7h6", "h6"),
        // A rook that rests on its way for less than half a second.
        ("lift a1\nplace a2 R\nlift a2\nplace a3 R", "Ra3"),
    ] {
        club.board.say(hands);
        client.hears(said);
    }
    let line = client.line();
    club.board.say("lift a3\nplace a1 R");
    client.hears_takeback();
    assert_eq!(client.line(), line.trim_end_matches(" Ra3"));
    club.board.say("lift a1\nplace a2 R");
    client.hears("Ra2");
    // Another game, on the same feed, with Black to move.
    let fen = client.fen();
    client.sets_up(&fen);
    assert_eq!(client.line(), "");
    club.board.say("lift b8\nlift a8\nplace b8 r");
    client.hears("Rxb8");
    assert!(club.daemon.stop().success());
}

#[test]
fn the_list_of_boards_is_there_without_a_socket_and_not_for_pages_of_others() {
    let club = Club::open();
    let list = club.get("/api/v1.0/eboards", "localhost", None);
    assert!(list.contains("\r\n\r\n[{\"serialnr\":\"20001\",\"source\":"), "{list}");
    let lent = club.get("/api/v1.0/eboards", "localhost", Some("https://lichess.org"));
    assert!(lent.to_lowercase().contains("access-control-allow-origin: https://lichess.org"), "{lent}");
    for (host, origin) in [("localhost", Some("https://example.org")), ("example.org", None)] {
        let refused = club.get("/api/v1.0/eboards", host, origin);
        assert!(refused.starts_with("HTTP/1.1 403"), "{refused}");
    }
    assert!(club.connect("https://example.org").is_none());
    assert!(club.connect("http://localhost:5173").is_some(), "a page of this machine");
}

#[test]
fn whoever_asks_for_what_is_not_there_is_answered_all_the_same() {
    let club = Club::open();
    let mut client = club.connect("http://localhost:5173").expect("it may");
    client.socket.send(Message::binary(b"\x00\xff".to_vec())).expect("it reads");
    let answer = client.told();
    assert_eq!((&answer["response"], &answer["id"]), (&"error".into(), &Value::Null), "{answer}");
    assert!(answer["param"]["message"].as_str().is_some_and(|said| said.contains("text messages")), "{answer}");
    client.say(&json!({ "id": 1, "call": "eboards" }));
    assert_eq!(client.told()["id"], 1, "nobody was hung up on");
    let nothing = club.get("/elsewhere", "localhost", None);
    assert!(nothing.starts_with("HTTP/1.1 404") && nothing.contains("/api/v1.0/eboards"), "{nothing}");
    assert!(!nothing.contains("1982"), "that is another port than this one: {nothing}");
}

#[test]
fn whoever_is_hung_up_on_is_told_why() {
    let club = Club::open();
    let mut client = club.connect("http://localhost:5173").expect("it may");
    client.socket.send(Message::text(" ".repeat(17 * 1024))).expect("it reads");
    assert_eq!(client.good_bye(), (1009, "a call has 16 KiB at most".to_owned()));
    drop(client);
    let mut clients = (0..40).filter_map(|_| club.connect("http://localhost:5173")).collect::<Vec<_>>();
    let said = clients.last_mut().expect("all come in, to be told").good_bye();
    assert_eq!(said, (1013, "32 programs are connected already: close one".to_owned()));
    clients[0].say(&json!({ "id": 1, "call": "eboards" }));
    assert_eq!(clients[0].told()["id"], 1);
}

#[test]
fn a_tool_for_operators_finds_the_game_that_is_on_and_the_board_it_is_played_on() {
    let mut club = Club::open();
    let pairings = "Board;White;Black\n1;Okafor, Ada;Hall, Wei\n2;Moreau, Luc;Peña, Inés\n";
    assert_eq!(club.daemon.hand_in("/pairings?event=open&round=1&take=true", pairings).0, 200);
    for order in [
        json!({ "command": "open_round", "event": "open", "round": 1, "title": "Spring Open" }),
        json!({ "command": "assign", "table": "open/1/1", "board": "20001" }),
        json!({ "command": "result", "table": "open/1/2", "result": "+/-" }),
    ] {
        assert_eq!(club.daemon.order(&order).0, 200, "{order}");
    }
    club.board.say("move e2e4");
    club.board.say("move e7e5");
    let list = club.told("/api/v1.0/tournaments");
    let event = list.as_array().and_then(|list| list.iter().find(|event| event["description"] == "Spring Open"));
    let event = event.expect("it is open")["uuid"].as_str().expect("a name").to_owned();
    let told = club.told(&format!("/api/v1.0/tournament/{event}"));
    assert_eq!((&told["rounds"], &told["eboards"]), (&1.into(), &json!(["20001"])));
    let round = format!("/api/v1.0/round/{event}/0");
    let pairing = until("a game", || Some(club.told(&round)["pairings"][0].clone()).filter(|one| one["live"] == true));
    assert_eq!(club.told(&round)["pairings"][1]["result"], "WHITEFORFAIT");
    let game = format!("/api/v1.0/game/{}", pairing["uuid"].as_str().expect("a name"));
    let game = until("its moves", || {
        Some(club.told(&game)).filter(|game| game["moves"].as_array().is_some_and(|all| all.len() == 2))
    });
    assert!(game["moves"][0].as_str().is_some_and(|ply| ply.starts_with("e4 ")), "{game}");
    assert!(game["clock"]["white"].is_u64() && game["result"].is_null(), "{game}");

    // Boards are for whoever plays on them; games are for this machine.
    let lent = club.get("/api/v1.0/tournaments", "localhost", Some("http://localhost:5173"));
    assert!(lent.starts_with("HTTP/1.1 200"), "{lent}");
    let refused = club.get("/api/v1.0/tournaments", "localhost", Some("https://lichess.org"));
    assert!(refused.starts_with("HTTP/1.1 403") && refused.contains("no games"), "{refused}");
    let nothing = club.get(&format!("/api/v1.0/round/{event}/1"), "localhost", None);
    assert!(nothing.starts_with("HTTP/1.1 404") && nothing.contains("rounds count from 0"), "{nothing}");
}

#[test]
fn where_the_port_is_taken_games_go_on_without_it() {
    let folder = TempDir::new().expect("a folder for the test");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("it is bound").port().to_string();
    let daemon = Daemon::start(&folder.path().join("state"), &["--livechess", &port]);
    let sentence = format!("clients of LiveChess are not served: port {port} is not to be had");
    until("a sentence", || daemon.log().contains(&sentence).then_some(()));
    assert_eq!(daemon.get("/healthz").0, 200);
}

/// One board, one daemon and its endpoint.
struct Club {
    board: Board,
    daemon: Daemon,
    port: u16,
    _folder: TempDir,
}

impl Club {
    fn open() -> Club {
        Club::with(&[])
    }

    fn with(more: &[&str]) -> Club {
        let folder = TempDir::new().expect("a folder for the test");
        let link = folder.path().join("board-1");
        let board = Board::put_up(&link, 20_001, more);
        let ports = folder.path().join("board-*").display().to_string();
        let state = folder.path().join("state");
        let daemon = Daemon::start(&state, &["--port", &ports, "--livechess", "0"]);
        let port = daemon.livechess.expect("it says at which port");
        let club = Club { board, daemon, port, _folder: folder };
        until("the board", || {
            let list = club.get("/api/v1.0/eboards", "localhost", None);
            list.contains("\"board\":\"rnbqkbnr/").then_some(())
        });
        club
    }

    /// A document, as a program of this machine reads it.
    fn told(&self, path: &str) -> Value {
        let answer = self.get(path, "localhost", None);
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer");
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        serde_json::from_str(body).expect("JSON")
    }

    fn connect(&self, origin: &str) -> Option<Client> {
        let uri = format!("ws://localhost:{}/api/v1.0", self.port).parse().expect("an address");
        let request = ClientRequestBuilder::new(uri).with_header("Origin", origin);
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.set_nodelay(true).expect("a socket");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let (socket, _) = tungstenite::client(request, stream).ok()?;
        Some(Client { socket, lines: Vec::new() })
    }

    fn get(&self, path: &str, host: &str, origin: Option<&str>) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        let origin = origin.map_or_else(String::new, |origin| format!("Origin: {origin}\r\n"));
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{origin}Connection: close\r\n\r\n").expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        answer
    }
}

/// A client of LiveChess.
struct Client {
    socket: WebSocket<TcpStream>,
    lines: Vec<String>,
}

impl Client {
    fn say(&mut self, call: &Value) {
        self.socket.send(Message::text(call.to_string())).expect("it reads");
    }

    fn told(&mut self) -> Value {
        let text = self.socket.read().expect("it speaks").into_text().expect("a text");
        serde_json::from_str(&text).expect("JSON")
    }

    /// The number and the sentence it is hung up on with.
    fn good_bye(&mut self) -> (u16, String) {
        let Message::Close(Some(frame)) = self.socket.read().expect("a good-bye") else { panic!("it says why") };
        (frame.code.into(), frame.reason.to_string())
    }

    /// What a call is answered. Its board may have something to say before.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let told = self.told();
            if told["response"] != "feed" {
                assert_eq!(told["id"], id, "{told}");
                return told;
            }
        }
    }

    /// Every line of moves that was told, up to the next message.
    fn lines(&mut self) -> &[String] {
        if !self.lines.last().is_some_and(|line| line.ends_with(" O-O")) {
            let told = self.told();
            let san = told["param"]["san"].as_array().cloned().unwrap_or_default();
            let line = san.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ");
            if self.lines.last() != Some(&line) {
                self.lines.push(line);
            }
        }
        &self.lines
    }
}
