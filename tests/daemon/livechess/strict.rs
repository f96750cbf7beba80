//! A client that takes every word by the letter: it plays each move it is told, and fails where a client of LiveChess would.

use std::net::TcpStream;

use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen, san::SanPlus};
use tungstenite::{Message, WebSocket};

/// Its feed. Calls are numbered beside it.
const FEED: u64 = 1;

pub(super) struct Strict {
    socket: WebSocket<TcpStream>,
    calls: u64,
    serial: String,
    start: String,
    line: Vec<String>,
    /// What stands on the board, as it was told last.
    board: String,
}

impl Strict {
    /// Finds the first board there is, as everybody does, and subscribes to it.
    pub(super) fn of(socket: WebSocket<TcpStream>) -> Strict {
        let (serial, start, board) = (String::new(), String::new(), String::new());
        let mut client = Strict { socket, calls: 0, serial, start, line: Vec::new(), board };
        let boards = client.calls("eboards", &Value::Null);
        let first = boards[0].as_object().expect("a board");
        let keys = first.keys().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(keys, ["battery", "board", "clock", "comment", "flipped", "serialnr", "source", "state"]);
        assert_eq!(first["state"], "ACTIVE");
        client.serial = first["serialnr"].as_str().expect("a text").to_owned();
        let of = json!({ "feed": "eboardevent", "id": FEED, "param": { "serialnr": client.serial } });
        assert_eq!(client.calls("subscribe", &of), Value::Null);
        let told = client.told();
        assert_eq!(
            (told["board"].as_str(), told.get("clock")),
            (first["board"].as_str(), Some(&Value::Null)),
            "{told}"
        );
        assert!(told.get("san").is_none() && told.get("start").is_none() && told.get("match").is_none(), "{told}");
        client
    }

    /// From here on moves are told from this position.
    pub(super) fn sets_up(&mut self, fen: &str) {
        let set_up = json!({ "id": FEED, "method": "setup", "param": { "fen": fen } });
        assert_eq!(self.calls("call", &set_up), Value::Null);
        (self.start, self.line) = (fen.to_owned(), Vec::new());
        let told = self.told();
        assert_eq!(told["san"], json!([]), "{told}");
        self.take(&told);
        // A game is attached to by comparing placements, letter by letter.
        assert_eq!(fen.split(' ').next(), Some(self.board.as_str()));
    }

    /// Hears one ply more, and it is this.
    pub(super) fn hears(&mut self, san: &str) {
        let plies = self.line.len();
        while self.line.len() == plies {
            let told = self.told();
            self.take(&told);
            assert!(self.line.len() >= plies, "{:?} after {san}", self.line);
        }
        assert_eq!(self.line.last().map(String::as_str), Some(san));
    }

    /// Hears that the last ply is gone.
    pub(super) fn hears_takeback(&mut self) {
        let plies = self.line.len();
        while self.line.len() == plies {
            let told = self.told();
            self.take(&told);
        }
        assert_eq!(self.line.len(), plies - 1);
    }

    pub(super) fn line(&self) -> String {
        self.line.join(" ")
    }

    /// The position its moves lead to.
    pub(super) fn fen(&self) -> String {
        Fen::from_position(&self.position(), EnPassantMode::Legal).to_string()
    }

    fn position(&self) -> Chess {
        let start = self.start.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard);
        self.line.iter().fold(start.expect("a position"), |position: Chess, san| {
            let played = san.parse::<SanPlus>().expect(san).san.to_move(&position);
            let mut after = position.clone();
            let written = SanPlus::from_move_and_play_unchecked(&mut after, played.expect(san)).to_string();
            assert_eq!(written, *san, "as everybody writes it");
            after
        })
    }

    /// A message of the feed, once moves are told.
    fn take(&mut self, told: &Value) {
        assert_eq!(told["start"], self.start.as_str(), "{told}");
        let san = told["san"].as_array().expect("all moves").iter();
        let san = san.map(|san| san.as_str().expect("a move").to_owned()).collect::<Vec<_>>();
        assert!(san.len() <= self.line.len() + 1, "one ply a message: {told}");
        let common = self.line.iter().zip(&san).take_while(|(before, now)| before == now).count();
        assert_eq!(common, self.line.len().min(san.len()), "nothing is rewritten here: {told}");
        self.line = san;
        if let Some(board) = told.get("board") {
            board.as_str().expect("a placement").clone_into(&mut self.board);
        }
        let position = self.position();
        let shown = Fen::from_position(&position, EnPassantMode::Legal).to_string();
        let is_shown = shown.split(' ').next() == Some(self.board.as_str());
        let says = told["match"].as_bool().expect("yes or no");
        assert!(!says || is_shown, "{told}");
    }

    /// What the feed says next.
    fn told(&mut self) -> Value {
        let told = self.read();
        assert_eq!((&told["response"], &told["id"]), (&json!("feed"), &json!(FEED)), "{told}");
        let param = told["param"].clone();
        assert_eq!(param["serialnr"], self.serial.as_str());
        assert!(param["flipped"].is_boolean(), "{param}");
        let known = ["serialnr", "flipped", "board", "clock", "start", "san", "match"];
        let keys = param.as_object().expect("an object").keys();
        keys.for_each(|key| assert!(known.contains(&key.as_str()), "{param}"));
        param
    }

    fn calls(&mut self, call: &str, param: &Value) -> Value {
        self.calls += 1;
        let said = json!({ "id": self.calls, "call": call, "param": param });
        self.socket.send(Message::text(said.to_string())).expect("it reads");
        loop {
            let told = self.read();
            // What the board says meanwhile may come before.
            if told["response"] != "feed" {
                assert_eq!((&told["response"], &told["id"]), (&json!("call"), &json!(self.calls)), "{told}");
                return told["param"].clone();
            }
        }
    }

    fn read(&mut self) -> Value {
        let text = self.socket.read().expect("it speaks").into_text().expect("a text");
        let told: Value = serde_json::from_str(&text).expect("JSON");
        let keys = told.as_object().expect("an object").keys().map(String::as_str).collect::<Vec<_>>();
        assert_eq!(keys, ["id", "param", "response", "time"], "{text}");
        assert!(told["time"].as_u64().is_some_and(|ms| ms > 1_600_000_000_000), "{text}");
        told
    }
}
