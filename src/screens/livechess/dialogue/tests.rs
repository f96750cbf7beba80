//! What clients rely on, call by call.

use protocol::board::{ClockReading, ClockSense, Content, Face, FaceReading, Link};
use shakmaty::{Chess, Position as _, uci::UciMove};

use super::*;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn a_whole_session_goes_as_clients_have_recorded_it() {
    let mut club = Club::new();
    assert_eq!(
        club.says(r#"{"id":1,"call":"eboards"}"#),
        [format!(
            r#"{{"response":"call","id":1,"param":[{{"serialnr":"47588","source":"ttyACM0","state":"ACTIVE","battery":null,"comment":null,"board":"{START}","flipped":false,"clock":null}}],"time":1000}}"#
        )]
    );
    assert_eq!(
        club.says(r#"{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"47588"}}}"#),
        [
            r#"{"response":"call","id":2,"param":null,"time":1000}"#.to_owned(),
            format!(
                r#"{{"response":"feed","id":1,"param":{{"serialnr":"47588","flipped":false,"board":"{START}","clock":null}},"time":1000}}"#
            ),
        ]
    );
    assert_eq!(
        club.sets_up(FEN),
        [
            r#"{"response":"call","id":3,"param":null,"time":1000}"#.to_owned(),
            format!(
                r#"{{"response":"feed","id":1,"param":{{"serialnr":"47588","flipped":false,"board":"{START}","start":"{FEN}","san":[],"match":true}},"time":1000}}"#
            ),
        ]
    );
    let lifted = club.square("e2", '.');
    let expected = format!(
        r#"{{"response":"feed","id":1,"param":{{"serialnr":"47588","flipped":false,"board":"rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR","start":"{FEN}","san":[],"match":false}},"time":1000}}"#
    );
    assert_eq!(lifted, [expected]);
    club.square("e4", 'P');
    let expected = format!(
        r#"{{"response":"feed","id":1,"param":{{"serialnr":"47588","flipped":false,"board":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR","start":"{FEN}","san":["e4"],"match":true}},"time":1000}}"#
    );
    assert_eq!(club.waits(3_000), [expected]);
}

#[test]
fn a_game_is_told_a_ply_at_a_time_with_castling_en_passant_and_promotion() {
    let mut club = Club::following();
    let game = "e2e4 g8f6 e4e5 d7d5 e5d6 e7e6 d6c7 f8e7 g1f3 e8g8 f1e2 b8c6 e1g1 c6d4 c7d8q f8d8";
    let lines = club.plays(game);
    let longest = lines.last().expect("something was said");
    assert_eq!(longest, "e4 Nf6 e5 d5 exd6 e6 dxc7 Be7 Nf3 O-O Be2 Nc6 O-O Nd4 cxd8=Q Rxd8");
    for (before, after) in lines.iter().zip(lines.iter().skip(1)) {
        let plies = |line: &String| line.split_whitespace().count();
        assert!(plies(after) == plies(before) + 1 && after.starts_with(before.as_str()), "{before} -> {after}");
    }
}

#[test]
fn a_rook_that_rests_on_its_way_is_one_ply_of_the_end() {
    let mut club = Club::following();
    club.plays("a2a4 h7h6");
    club.square("a1", '.');
    club.square("a2", 'R');
    club.passes(300);
    club.square("a2", '.');
    club.square("a3", 'R');
    assert_eq!(club.lines(3_000).last().map(String::as_str), Some("a4 h6 Ra3"));
}

#[test]
fn a_takeback_that_the_board_shows_is_told() {
    let mut club = Club::following();
    club.plays("e2e4 e7e5");
    club.square("e5", '.');
    assert_eq!(club.lines(900), Vec::<String>::new(), "a man in the air takes nothing back");
    club.square("e7", 'p');
    assert_eq!(club.lines(6_000).last().map(String::as_str), Some("e4"));
    club.square("c7", '.');
    club.square("c5", 'p');
    assert_eq!(club.lines(6_000).last().map(String::as_str), Some("e4 c5"));
}

#[test]
fn a_position_of_the_middle_game_is_as_good_as_the_first() {
    let mut club = Club::following();
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20";
    club.dumps("r3k2r/8/8/8/8/8/8/R3K2R");
    assert!(club.sets_up(fen)[1].contains(r#""san":[],"match":true"#));
    for (square, man) in [("e8", '.'), ("c8", 'k'), ("a8", '.'), ("d8", 'r')] {
        club.square(square, man);
    }
    assert_eq!(club.lines(3_000).last().map(String::as_str), Some("O-O-O"));
}

#[test]
fn a_board_that_is_flipped_is_told_from_the_other_side() {
    let mut club = Club::following();
    let told = club.says(r#"{"id":9,"call":"call","param":{"id":1,"method":"flip","param":{"flip":true}}}"#);
    assert!(told[1].contains(r#""flipped":true,"board":"RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr""#), "{}", told[1]);
}

#[test]
fn what_nobody_knows_is_answered_with_a_sentence_and_the_calls_own_number() {
    let mut club = Club::following();
    for (said, id) in [
        (r#"{"id":4,"call":"tournaments"}"#, "4"),
        (r#"{"id":"5","call":"tournaments"}"#, "5"),
        (r#"{"id":6,"call":"subscribe","param":{"feed":"liveviewer","id":2,"param":{"serialnr":"47588"}}}"#, "6"),
        (r#"{"id":7,"call":"subscribe","param":{"feed":"eboardevent","param":{"serialnr":"47588"}}}"#, "7"),
        (r#"{"id":8,"call":"subscribe","param":{"feed":"eboardevent","id":2,"param":{"serialnr":"1"}}}"#, "8"),
        (r#"{"id":9,"call":"call","param":{"id":1,"method":"setup","param":{"flip":true}}}"#, "9"),
        (r#"{"id":10,"call":"call","param":{"id":1,"method":"setup","param":{"fen":"no position"}}}"#, "10"),
        (r#"{"id":11,"call":"unsubscribe","param":{"id":77}}"#, "11"),
        (r#"{"call":"tournaments"}"#, "null"),
        ("[1,2]", "null"),
        ("{", "null"),
    ] {
        let told = club.says(said);
        let [one] = &told[..] else { panic!("{said}: {told:?}") };
        assert!(one.starts_with(&format!(r#"{{"response":"error","id":{id},"param":{{"message":""#)), "{said}: {one}");
    }
    assert_eq!(club.says(r#"{"id":12,"call":"unsubscribe","param":{"id":1},"more":1}"#).len(), 1);
    assert!(club.square("e2", '.').is_empty(), "nobody listens any more");
}

#[test]
fn a_clock_is_told_when_it_shows_something_else() {
    let mut club = Club::following();
    assert!(
        club.clock(300, 300, Face::Left)[0].contains(r#""clock":{"white":300,"black":300,"run":true,"time":1000}"#)
    );
    assert!(club.clock(300, 300, Face::Left).is_empty());
    assert!(!club.clock(298, 300, Face::Left)[0].contains(r#""board""#), "nothing has moved on it");
    assert!(club.square("e2", '.')[0].contains(r#""board""#));
    assert!(club.clock(299, 300, Face::Right)[0].contains(r#""white":299,"black":300,"run":false"#));
}

#[test]
fn two_clients_of_one_board_are_told_each_their_own() {
    let mut club = Club::following();
    let mut out = Vec::new();
    let call = r#"{"id":1,"call":"subscribe","param":{"feed":"eboardevent","id":5,"param":{"serialnr":"47588"}}}"#;
    club.dialogue.say(2, call, club.now(), &mut out);
    out.clear();
    club.dialogue.hear("47588", "/dev/ttyACM0", &square("e2", '.'), club.now(), &mut out);
    let [(1, first), (2, second)] = &out[..] else { panic!("{out:?}") };
    assert!(first.contains("\"san\"") && !second.contains("\"san\""));
}

/// One board and one client.
struct Club {
    dialogue: Dialogue,
    at: u64,
    position: Chess,
}

impl Club {
    fn new() -> Club {
        let mut club = Club { dialogue: Dialogue::default(), at: 10_000, position: Chess::default() };
        club.hears(&Observation::Link(Link::Up));
        club.dumps(START);
        club
    }

    fn following() -> Club {
        let mut club = Club::new();
        club.says(r#"{"id":2,"call":"subscribe","param":{"feed":"eboardevent","id":1,"param":{"serialnr":"47588"}}}"#);
        club.sets_up(FEN);
        club
    }

    fn now(&self) -> Moment {
        Moment { at: self.at, wall_ms: 1_000 }
    }

    fn says(&mut self, text: &str) -> Vec<String> {
        let mut out = Vec::new();
        self.dialogue.say(1, text, self.now(), &mut out);
        texts(out)
    }

    fn sets_up(&mut self, fen: &str) -> Vec<String> {
        self.says(&format!(r#"{{"id":3,"call":"call","param":{{"id":1,"method":"setup","param":{{"fen":"{fen}"}}}}}}"#))
    }

    fn hears(&mut self, said: &Observation) -> Vec<String> {
        let mut out = Vec::new();
        self.dialogue.hear("47588", "/dev/ttyACM0", said, self.now(), &mut out);
        texts(out)
    }

    fn dumps(&mut self, placement: &str) -> Vec<String> {
        self.hears(&Observation::Board(Box::new(placement.parse().expect("a placement"))))
    }

    fn square(&mut self, name: &str, man: char) -> Vec<String> {
        self.hears(&square(name, man))
    }

    fn clock(&mut self, left: u32, right: u32, to_move: Face) -> Vec<String> {
        let face = |seconds| FaceReading { seconds, flag: false };
        let reading = ClockReading {
            left: face(left),
            right: face(right),
            running: true,
            high: to_move,
            to_move: Some(to_move),
            battery_low: false,
        };
        self.hears(&Observation::Clock(ClockSense::Reading(reading)))
    }

    /// Lets time pass, and gives what is said meanwhile.
    fn waits(&mut self, ms: u64) -> Vec<String> {
        let until = self.at + ms;
        let mut out = Vec::new();
        while let Some(due) = self.dialogue.deadline().filter(|due| *due <= until) {
            self.at = due.max(self.at);
            self.dialogue.elapse(self.now(), &mut out);
        }
        self.at = until;
        texts(out)
    }

    fn passes(&mut self, ms: u64) {
        self.waits(ms);
    }

    /// The moves as they are said within this time.
    fn lines(&mut self, ms: u64) -> Vec<String> {
        self.waits(ms).iter().map(|text| line(text)).collect()
    }

    /// Plays moves by hand, slowly, and gives each line that was said.
    fn plays(&mut self, moves: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for text in moves.split(' ') {
            let uci = text.parse::<UciMove>().expect("a move");
            let mv = uci.to_move(&self.position).expect("a legal one");
            let before = self.position.board().clone();
            self.position.play_unchecked(mv);
            let after = self.position.board().clone();
            let changed = shakmaty::Square::ALL.into_iter().filter(|at| before.piece_at(*at) != after.piece_at(*at));
            let changed = changed.collect::<Vec<_>>();
            let lifts = changed.iter().filter(|at| before.piece_at(**at).is_some()).map(|at| (*at, '.'));
            let places = changed.iter().filter_map(|at| Some((*at, after.piece_at(*at)?.char())));
            for (at, man) in lifts.chain(places) {
                let said = self.square(&at.to_string(), man);
                lines.extend(said.iter().map(|text| line(text)));
                lines.extend(self.lines(150));
            }
            lines.extend(self.lines(2_000));
        }
        lines.retain(|line| !line.is_empty());
        lines.dedup();
        lines
    }
}

fn square(name: &str, man: char) -> Observation {
    Observation::Square { square: name.parse().expect("a square"), content: Content::try_from(man).expect("a letter") }
}

fn texts(out: Vec<Sent>) -> Vec<String> {
    out.into_iter().map(|(_, text)| text).collect()
}

fn line(text: &str) -> String {
    let value: Value = serde_json::from_str(text).expect(text);
    let san = value["param"]["san"].as_array().cloned().unwrap_or_default();
    san.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
}
