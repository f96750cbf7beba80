//! One dialogue with one scripted board, under a clock that is a number.

use std::collections::VecDeque;

use protocol::board::dgt::{
    Codes, Command, Dialogue, Heard, Identity, Input, Message, Output, PieceCode, StoreEvent, Wake,
};
use protocol::board::{Contents, Lie, Link, Observation};
use shakmaty::{Board, Color, Role};

const SECOND: u64 = 1_000;

#[test]
fn a_board_is_met_in_the_order_of_the_protocol() {
    let mut world = World::new();
    world.run(2 * SECOND);
    assert_eq!(world.asked(), "40 4d 45 45 55 42 41 4b 42");
    assert_eq!(world.told(), ["board 12345 0000012345 1.8", "up", INITIAL, "clock", INITIAL]);
}

#[test]
fn nothing_is_said_before_the_line_has_settled() {
    let mut world = World::new();
    world.run(299);
    assert_eq!(world.asked(), "");
    assert_eq!(world.dialogue.deadline(), Some((300, Wake::Settled)));
}

#[test]
fn every_command_waits_for_the_answer_to_the_one_before() {
    let mut world = World::new();
    world.board.slow = 400;
    world.run(10 * SECOND);
    assert_eq!(world.told()[1], "up");
    // With an answer 400 ms away two questions are never closer than that; orders without answer pause for 100.
    let gaps = world.sent.windows(2).map(|pair| (pair[0].1, pair[1].0 - pair[0].0)).collect::<Vec<_>>();
    for (byte, gap) in gaps {
        let least = if [0x40, 0x4b].contains(&byte) { 100 } else { 400 };
        assert!(gap >= least, "after {byte:02x} only {gap} ms");
    }
}

#[test]
fn a_silent_device_is_called_no_board_once_and_asked_again_more_slowly() {
    let mut world = World::new();
    world.board.deaf = true;
    world.run(60 * SECOND);
    assert_eq!(world.told(), ["no board"]);
    assert!(world.sent.len() < 60, "{} bytes in a minute", world.sent.len());
    world.board.deaf = false;
    world.run(8 * SECOND);
    assert_eq!(world.told()[1..3], ["board 12345 0000012345 1.8", "up"]);
}

#[test]
fn an_old_board_without_a_long_serial_or_a_clock_is_welcome() {
    let mut world = World::new();
    world.board.knows = vec![0x40, 0x4d, 0x45, 0x42, 0x4b];
    world.run(10 * SECOND);
    assert_eq!(world.told(), ["board 12345 - 1.8", "up", INITIAL, INITIAL]);
}

#[test]
fn what_an_earlier_program_left_in_the_adapter_is_not_believed() {
    let mut world = World::new();
    world.push_late(100, &update("e2", '.'));
    world.push_late(110, &[0x05, 0x8e, 0x00]);
    world.push_late(120, &[0x86, 0x00, 0x43, 0x01, 0x02]);
    world.run(2 * SECOND);
    assert_eq!(world.noise, 0, "old bytes are no trouble of today");
    assert_eq!(world.told(), ["board 12345 0000012345 1.8", "up", INITIAL, "clock", INITIAL]);
}

#[test]
fn an_untouched_board_is_asked_whether_it_is_there_and_nobody_is_told() {
    let mut world = World::live();
    world.run(20 * SECOND);
    assert!(world.asked().contains("45 4b 42"), "{}", world.asked());
    assert_eq!(world.told(), Vec::<String>::new());
}

#[test]
fn three_unanswered_questions_are_a_lost_board() {
    let mut world = World::live();
    world.board.deaf = true;
    world.run(7 * SECOND);
    assert_eq!(world.told(), ["down"]);
    let questions = world.asked();
    assert!(questions.starts_with("45 45 45 40 4d"), "{questions}");
    world.run(10 * SECOND);
    assert_eq!(world.told(), ["down", "no board"]);
    world.board.deaf = false;
    world.run(10 * SECOND);
    assert_eq!(world.told()[2..5], ["board 12345 0000012345 1.8", "up", INITIAL]);
}

#[test]
fn one_unanswered_question_is_not() {
    let mut world = World::live();
    world.board.lose_answers = 2;
    world.run(20 * SECOND);
    assert_eq!(world.told(), Vec::<String>::new());
}

#[test]
fn a_board_that_restarted_in_mid_game_reports_again_within_seconds() {
    let mut world = World::live();
    world.board.play("e2", '.');
    world.board.play("e4", 'P');
    world.run(100);
    assert_eq!(world.told(), ["e2.", "e4P"]);
    world.board.restart();
    world.board.play("e7", '.');
    world.board.play("e5", 'p');
    world.run(5 * SECOND);
    assert_eq!(world.told()[2..], ["corrected e7 e5", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"]);
    world.board.play("g1", '.');
    world.run(100);
    assert_eq!(world.told().last().map(String::as_str), Some("g1."), "updates are on again");
}

#[test]
fn an_untouched_board_that_restarted_is_switched_on_again_before_the_next_move() {
    let mut world = World::live();
    world.board.restart();
    world.run(5 * SECOND);
    world.board.play("e2", '.');
    world.run(100);
    assert_eq!(world.told(), ["e2."]);
}

#[test]
fn a_lost_update_is_found_by_the_next_dump_and_the_dump_is_trusted() {
    let mut world = World::live();
    world.board.contents.set("e2".parse().expect("a square"), PieceCode::EMPTY.content());
    world.run(4 * SECOND);
    assert_eq!(world.told(), ["corrected e2", "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"]);
    assert!(world.asked().ends_with("4b 42"), "{}", world.asked());
}

#[test]
fn a_clock_that_ticks_does_not_keep_the_position_from_being_compared() {
    let mut world = World::live();
    world.board.contents.set("e2".parse().expect("a square"), PieceCode::EMPTY.content());
    world.tick(40);
    assert!(world.told().contains(&"corrected e2".to_owned()), "{:?}", world.told());
}

#[test]
fn a_comparison_that_may_have_held_up_a_hand_is_told() {
    let mut world = World::live();
    let verify = loop {
        world.tick(1);
        if let Some((at, Wake::Verify)) = world.dialogue.deadline().filter(|(at, _)| *at < world.now + SECOND) {
            break at;
        }
    };
    world.board.contents.set("e2".parse().expect("a square"), PieceCode::EMPTY.content());
    world.push_late(verify - world.now - 10, &update("e2", '.'));
    world.run(2 * SECOND);
    assert_eq!(world.told().last().map(String::as_str), Some("rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR"));
}

#[test]
fn noise_is_counted_and_answered_with_a_look_at_the_board() {
    let mut world = World::live();
    world.run(1_500);
    world.sent.clear();
    world.push_late(0, &[0x8e, 0x00, 0x05, 0x34]);
    world.push_late(10, &update("e4", 'P'));
    world.run(1_200);
    assert_eq!(world.noise, 4);
    assert!(world.asked().starts_with("42"), "{}", world.asked());
}

#[test]
fn a_line_that_is_all_noise_is_no_board_and_is_not_flooded() {
    let mut world = World::new();
    world.board.deaf = true;
    for _ in 0..600 {
        world.push_late(0, &[0x8e, 0x41, 0x54, 0x0d, 0xff, 0x80, 0x92, 0x30]);
        world.run(50);
    }
    assert_eq!(world.told(), ["no board"]);
    assert!(world.sent.len() < 40, "{} bytes in 30 s", world.sent.len());
}

#[test]
fn a_frame_that_stops_is_given_up_after_half_a_second() {
    let mut world = World::live();
    let at = world.now;
    world.push_late(0, &[0x8e, 0x00, 0x05]);
    world.run(1);
    assert_eq!(world.dialogue.deadline(), Some((at + 500, Wake::LineSilent)));
    world.run(600);
    assert_eq!(world.noise, 3);
}

#[test]
fn an_unasked_event_store_is_swallowed_and_updates_are_ordered_again() {
    let mut world = World::live();
    world.run(200);
    let store = Message::Store(vec![StoreEvent::Other(0x7f); 7936]).encode();
    let from = world.now;
    for (index, chunk) in store.chunks(48).enumerate() {
        world.push_late(50 * u64::try_from(index).expect("166 chunks"), chunk);
    }
    world.run(9 * SECOND);
    let during = world.sent.iter().filter(|(at, _)| (from..from + 8_200).contains(at)).count();
    assert_eq!(during, 0, "nothing is asked while the board can't answer");
    assert!(world.asked().starts_with("4b 42"), "{}", world.asked());
    assert_eq!((world.told(), world.noise), (Vec::new(), 0));
}

#[test]
fn a_dump_that_was_asked_for_is_passed_on_even_if_nothing_has_changed() {
    let mut world = World::live();
    world.input(Input::AskBoard);
    world.run(300);
    assert_eq!(world.told(), [INITIAL]);
}

#[test]
fn another_board_behind_the_same_adapter_is_another_board() {
    let mut world = World::live();
    world.board.serial = "54321";
    world.run(6 * SECOND);
    assert_eq!(world.told()[..3], ["down", "board 54321 0000054321 1.8", "up"]);
}

#[test]
fn a_serial_number_that_was_said_once_is_nobodys() {
    let mut world = World::new();
    world.board.misread = Some("12375");
    world.run(2 * SECOND);
    assert_eq!(world.told()[0], "board 12345 0000012345 1.8");
    world.board.misread = Some("12375");
    world.tick(40);
    assert_eq!(world.board.misread, None);
    assert!(!world.told().contains(&"down".to_owned()), "a board that is known is not let go for it");
}

#[test]
fn a_ticking_board_whose_number_nobody_understood_is_asked_again() {
    let mut world = World::with_a_number_nobody_understood();
    world.tick(40);
    let told = world.told().into_iter().filter(|told| told != "clock").collect::<Vec<_>>();
    assert_eq!(told[..3], ["down", "board 12345 0000012345 1.8", "up"]);
}

#[test]
fn an_untouched_board_whose_number_nobody_understood_is_asked_again_too() {
    let mut world = World::with_a_number_nobody_understood();
    world.run(40 * SECOND);
    assert_eq!(world.told()[..3], ["down", "board 12345 0000012345 1.8", "up"]);
}

#[test]
fn a_pulled_cable_is_said_once_and_ends_the_dialogue() {
    let mut world = World::live();
    world.input(Input::Gone);
    world.input(Input::Gone);
    world.input(Input::Bytes(&update("e2", '.')));
    assert_eq!(world.told(), ["down"]);
    assert_eq!(world.dialogue.deadline(), None);
}

#[test]
fn bytes_may_come_one_at_a_time() {
    let mut world = World::new();
    world.board.byte_by_byte = true;
    world.run(3 * SECOND);
    assert_eq!(world.told(), ["board 12345 0000012345 1.8", "up", INITIAL, "clock", INITIAL]);
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const CLOCK: [u8; 10] = [0x8d, 0x00, 0x0a, 0x20, 0x05, 0x05, 0x20, 0x05, 0x04, 0x09];

/// A dialogue, the board at the other end, and the time.
struct World {
    now: u64,
    dialogue: Dialogue,
    board: Scripted,
    sent: Vec<(u64, u8)>,
    told: Vec<String>,
    noise: usize,
}

impl World {
    fn new() -> World {
        World {
            now: 0,
            dialogue: Dialogue::new(0),
            board: Scripted::new(),
            sent: Vec::new(),
            told: Vec::new(),
            noise: 0,
        }
    }

    /// The introduction is over and forgotten.
    fn live() -> World {
        let mut world = World::new();
        world.run(2 * SECOND);
        assert!(world.dialogue.is_up());
        world.sent.clear();
        world.told.clear();
        world
    }

    /// What was asked for last is answered with something else: the board is known by its long number only, and says its
    /// own when it is asked again.
    fn with_a_number_nobody_understood() -> World {
        let mut world = World::new();
        let knows = std::mem::replace(&mut world.board.knows, vec![0x40, 0x4d, 0x55, 0x42, 0x41, 0x4b]);
        world.run(10 * SECOND);
        assert_eq!(world.told()[0], "board - 0000012345 1.8");
        world.board.knows = knows;
        world.told.clear();
        world
    }

    fn run(&mut self, ms: u64) {
        let end = self.now + ms;
        loop {
            let wire = self.board.wire.front().map(|(at, _)| *at);
            let wake = self.dialogue.deadline().map(|(at, _)| at);
            let Some(next) = [wire, wake].into_iter().flatten().min().filter(|at| *at <= end) else { break };
            assert!(next >= self.now, "a deadline lies in the past");
            self.now = next;
            if wire == Some(next) {
                let (_, bytes) = self.board.wire.pop_front().expect("looked at above");
                self.input(Input::Bytes(&bytes));
            } else {
                self.input(Input::Time);
            }
        }
        self.now = end;
        self.board.now = end;
    }

    fn input(&mut self, input: Input<'_>) {
        let mut out = Vec::new();
        self.board.now = self.now;
        self.dialogue.handle(input, self.now, &mut out);
        for output in out {
            match output {
                Output::Send(bytes) => {
                    self.sent.extend(bytes.iter().map(|byte| (self.now, *byte)));
                    self.board.hear(&bytes);
                }
                Output::Identity(identity) => self.told.push(introduce(&identity)),
                Output::Observed(observation) => self.told.push(brief(&observation)),
                Output::Corrected(squares) => {
                    let names = squares.iter().map(|square| format!(" {square}")).collect::<String>();
                    self.told.push(format!("corrected{names}"));
                }
                Output::Heard(Heard::Noise { skipped }) => self.noise += skipped,
                Output::Heard(Heard::Message(_) | Heard::Invalid { .. }) => {}
                Output::NoBoard => self.told.push("no board".to_owned()),
            }
        }
    }

    /// The clock counts, and nobody moves.
    fn tick(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.push_late(0, &CLOCK);
            self.run(SECOND);
        }
    }

    fn push_late(&mut self, ms: u64, bytes: &[u8]) {
        let behind = self.board.wire.back().map_or(0, |(at, _)| *at);
        self.board.wire.push_back(((self.now + ms).max(behind), bytes.to_vec()));
    }

    fn asked(&self) -> String {
        self.sent.iter().map(|(_, byte)| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
    }

    fn told(&self) -> Vec<String> {
        self.told.clone()
    }
}

fn introduce(identity: &Identity) -> String {
    let text = |part: &Option<String>| part.clone().unwrap_or_else(|| "-".to_owned());
    let (major, minor) = identity.version.expect("no board is met without its version");
    format!("board {} {} {major}.{minor}", text(&identity.short_serial), text(&identity.long_serial))
}

fn brief(observation: &Observation) -> String {
    match observation {
        Observation::Square { square, content } => format!("{square}{}", content.letter()),
        Observation::Board(contents) => contents.placement(),
        Observation::Clock(_) => "clock".to_owned(),
        Observation::Link(Link::Up) => "up".to_owned(),
        Observation::Link(Link::Down) => "down".to_owned(),
    }
}

fn update(square: &str, letter: char) -> Vec<u8> {
    Message::FieldUpdate { square: square.parse().expect("a square"), code: code(letter) }.encode()
}

fn code(letter: char) -> PieceCode {
    Role::from_char(letter)
        .map_or(PieceCode::EMPTY, |role| PieceCode::of(role.of(Color::from_white(letter.is_uppercase()))))
}

/// A board that answers as it is told to, and whose faults are dials.
struct Scripted {
    now: u64,
    contents: Contents,
    serial: &'static str,
    /// What is understood of the number that is said next.
    misread: Option<&'static str>,
    updates: bool,
    deaf: bool,
    lose_answers: usize,
    slow: u64,
    byte_by_byte: bool,
    knows: Vec<u8>,
    wire: VecDeque<(u64, Vec<u8>)>,
}

impl Scripted {
    fn new() -> Scripted {
        Scripted {
            now: 0,
            contents: Contents::of(&Board::new(), Lie::Straight),
            serial: "12345",
            misread: None,
            updates: false,
            deaf: false,
            lose_answers: 0,
            slow: 20,
            byte_by_byte: false,
            knows: vec![0x40, 0x4d, 0x45, 0x55, 0x42, 0x41, 0x4b],
            wire: VecDeque::new(),
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        let &[byte] = bytes else { panic!("only plain commands are ever sent: {bytes:02x?}") };
        if self.deaf || !self.knows.contains(&byte) {
            return;
        }
        let answer = match byte {
            0x40 => return self.updates = false,
            0x4b => return self.updates = true,
            0x41 => CLOCK.to_vec(),
            0x42 => Message::BoardDump(Codes::of(&self.contents)).encode(),
            0x45 => Message::ShortSerial(self.misread.take().unwrap_or(self.serial).to_owned()).encode(),
            0x4d => Message::Version { major: 1, minor: 8 }.encode(),
            0x55 => Message::LongSerial(format!("00000{}", self.serial)).encode(),
            other => panic!("{other:02x} is never sent: {:?}", Command::DumpStore),
        };
        if self.lose_answers > 0 {
            self.lose_answers -= 1;
        } else {
            self.say(&answer);
        }
    }

    fn play(&mut self, square: &str, letter: char) {
        self.contents.set(square.parse().expect("a square"), code(letter).content());
        if self.updates {
            self.slow = 1;
            self.say(&update(square, letter));
        }
    }

    fn say(&mut self, bytes: &[u8]) {
        let at = self.now + self.slow;
        if self.byte_by_byte {
            self.wire.extend((at..).zip(bytes).map(|(at, byte)| (at, vec![*byte])));
        } else {
            self.wire.push_back((at, bytes.to_vec()));
        }
    }

    /// Power came and went: nothing is reported until somebody asks for it.
    fn restart(&mut self) {
        self.updates = false;
    }
}
