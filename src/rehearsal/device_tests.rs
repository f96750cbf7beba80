//! The board alone, byte for byte.

use protocol::board::{
    Contents, Face, Lie,
    dgt::{BusAddress, BusCommand, BusVerb, ClockCommand, Codes, Command, HalfBoard, PieceCode},
};
use shakmaty::Board;

use super::{
    clock::{Clock, TimeControl},
    device::{Device, Input, Mode},
    wire::Said,
};

const BLITZ: TimeControl = TimeControl { base: 303, increment: 2 };

struct Bench {
    device: Device,
    now: u64,
}

impl Bench {
    fn new(clock: bool) -> Bench {
        let contents = Contents::of(&Board::new(), Lie::Straight);
        let clock = clock.then(|| Clock::new(BLITZ, Face::Left, 0));
        Bench { device: Device::new(1_025, &contents, clock), now: 0 }
    }

    /// Everything said until the line has been quiet for a while.
    fn tell(&mut self, input: Input<'_>) -> Vec<Said> {
        let mut out = Vec::new();
        self.device.handle(input, self.now, &mut out);
        self.now += 100;
        out
    }

    fn send(&mut self, bytes: &[u8]) -> Vec<u8> {
        self.tell(Input::Bytes(bytes)).into_iter().flat_map(|said| said.bytes).collect()
    }

    fn sense(&mut self, square: &str, code: u8) -> Vec<u8> {
        let square = square.parse().expect("a square");
        let said = self.tell(Input::Sensed { square, code: PieceCode::new(code), copies: 1 });
        said.into_iter().flat_map(|said| said.bytes).collect()
    }

    /// What it says by itself until `at`.
    fn wait(&mut self, at: u64) -> Vec<Vec<u8>> {
        let mut out = Vec::new();
        self.device.advance(at, &mut out);
        self.now = at;
        out.into_iter().map(|said| said.bytes).collect()
    }

    fn bus(&mut self, verb: BusVerb, to: u16) -> Vec<u8> {
        let to = BusAddress::new(to).expect("14 bits");
        self.send(&BusCommand { verb, to }.encode())
    }
}

const INITIAL: [u8; 64] = [
    8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2,
];

fn dump() -> Vec<u8> {
    [&[0x86, 0x00, 0x43], INITIAL.as_slice()].concat()
}

#[test]
fn every_question_is_answered_byte_for_byte() {
    let mut bench = Bench::new(true);
    let half = |squares: [u8; 32]| [squares.as_slice(), &[0; 18]].concat();
    let rows = |a: [u8; 8], b: [u8; 8]| half([a, [0; 8], [0; 8], b].concat().try_into().expect("four by eight"));
    let dark = rows([9, 12, 10, 8, 7, 7, 7, 7], [1, 1, 1, 1, 2, 4, 5, 3]);
    let light = rows([8, 10, 11, 9, 7, 7, 7, 7], [1, 1, 1, 1, 3, 6, 4, 2]);
    let answers: [(Command, Vec<u8>); 12] = [
        (Command::Reset, vec![]),
        (Command::SendClock, vec![0x8d, 0x00, 0x0a, 0x20, 0x05, 0x05, 0x20, 0x05, 0x05, 0x08]),
        (Command::SendBoard, dump()),
        (Command::ShortSerial, vec![0x91, 0x00, 0x08, 0x30, 0x31, 0x30, 0x32, 0x35]),
        (Command::BusAddress, vec![0x90, 0x00, 0x05, 0x08, 0x01]),
        (Command::Trademark, [&[0x92, 0x00, 0x1a], b"Escaque virtual board\r\n".as_slice()].concat()),
        (Command::HardwareVersion, vec![0x96, 0x00, 0x05, 0x01, 0x00]),
        (Command::Battery, vec![]),
        (Command::Version, vec![0x93, 0x00, 0x05, 0x03, 0x01]),
        (Command::LongSerial, [&[0xa2, 0x00, 0x0d], b"0000001025".as_slice()].concat()),
        (Command::Draughts(HalfBoard::Black), [&[0x94, 0x00, 0x35], dark.as_slice()].concat()),
        (Command::Draughts(HalfBoard::White), [&[0x95, 0x00, 0x35], light.as_slice()].concat()),
    ];
    for (command, answer) in answers {
        assert_eq!(bench.send(&command.encode()), answer, "{command:?}");
    }
    assert_eq!(bench.send(&[0x60, 4, 1, 0x34, 0x24, 0]), [0; 0], "lamps are let pass");
    for harmful in [0x4e, 0x51, 0x53, 0x54, 0x00, 0x7f] {
        assert_eq!(bench.send(&[harmful]), [0; 0]);
    }
    assert_eq!(bench.send(&[0x42]), dump(), "and the board lives on");
}

#[test]
fn without_a_clock_the_board_says_so_and_acknowledges_nothing() {
    let mut bench = Bench::new(false);
    assert_eq!(bench.send(&[0x41]), [0x8d, 0, 0x0a, 0, 0, 0, 0, 0, 0, 0x20]);
    bench.send(&[0x4b]);
    assert_eq!(bench.send(&[0x2b, 3, 3, 9, 0]), [0; 0]);
}

#[test]
fn the_store_is_the_whole_past_of_the_board() {
    let mut bench = Bench::new(true);
    bench.sense("e2", 0);
    bench.sense("e4", 1);
    bench.tell(Input::Press(Face::Left));
    bench.sense("e4", 0);
    bench.sense("e2", 1);
    let store = bench.send(&[0x49]);
    assert_eq!((store.len(), &store[..3]), (7_939, [0x8f, 0x3e, 0x03].as_slice()));
    let tail: &[u8] = &[0x40, 0x34, 0x51, 0x24, 0x70, 0x05, 0x05, 0x50, 0x24, 0x51, 0x34, 0x6f, 0x6b];
    // The first lift comes soon after the men were found, so it is "quick".
    assert_eq!(store[store.len() - 13..], [&[0x50], &tail[1..]].concat());
    let power_up = [0x7f, 0x7f, 0x7f, 0x6a, 0x48, 0x00];
    assert!(store.windows(6).any(|bytes| bytes == power_up));
}

#[test]
fn a_store_dump_blocks_the_line_for_eight_seconds() {
    let mut bench = Bench::new(true);
    let dump = bench.tell(Input::Bytes(&[0x49, 0x4d]));
    assert!((8_000..8_500).contains(&dump[0].at), "{}", dump[0].at);
    assert_eq!((dump[1].bytes[0], dump[1].at - dump[0].at), (0x93, 5));
}

#[test]
fn squares_are_reported_in_the_three_update_modes_only() {
    let mut bench = Bench::new(true);
    assert_eq!(bench.device.mode(), Mode::Bus);
    assert_eq!(bench.sense("e2", 0), [0; 0]);
    for (command, heard) in [(0x43, true), (0x44, true), (0x4b, true), (0x40, false), (0x4a, false)] {
        assert_eq!(bench.send(&[command]), [0; 0], "switching says nothing");
        let up = [0x8e, 0x00, 0x05, 0x34, 0x01];
        assert_eq!(bench.sense("e2", 1), if heard { up.as_slice() } else { &[] });
        let down = [0x8e, 0x00, 0x05, 0x34, 0x00];
        assert_eq!(bench.sense("e2", 0), if heard { down.as_slice() } else { &[] });
    }
}

#[test]
fn a_question_does_not_change_the_mode() {
    let mut bench = Bench::new(true);
    bench.send(&[0x4b]);
    bench.send(&[0x41]);
    bench.send(&[0x42]);
    assert_eq!(bench.device.mode(), Mode::UpdateNice);
}

#[test]
fn update_reports_a_standing_clock_every_second_and_update_nice_only_changes() {
    let standing = vec![0x8d, 0, 0x0a, 0x20, 0x05, 0x05, 0x20, 0x05, 0x05, 0x08];
    let mut bench = Bench::new(true);
    bench.send(&[0x43]);
    assert_eq!(bench.wait(3_500), vec![standing; 3]);
    bench.send(&[0x4b]);
    assert_eq!(bench.wait(60_000), Vec::<Vec<u8>>::new());
    bench.tell(Input::StartClock);
    assert_eq!(bench.wait(63_000).len(), 3);
    bench.send(&[0x44]);
    assert_eq!(bench.wait(70_000), Vec::<Vec<u8>>::new());
    assert_eq!(bench.tell(Input::Press(Face::Left)), [], "no clock in this mode");
}

#[test]
fn the_clock_of_a_captured_game_reads_the_same() {
    let mut bench = Bench::new(true);
    bench.send(&[0x4b]);
    bench.tell(Input::StartClock);
    bench.wait(1_150);
    let clock = bench.send(&[0x41]);
    assert_eq!(clock, [0x8d, 0x00, 0x0a, 0x20, 0x05, 0x05, 0x20, 0x05, 0x04, 0x09]);
    let pressed = bench.tell(Input::Press(Face::Left));
    assert_eq!(pressed[0].bytes, [0x8d, 0x00, 0x0a, 0x20, 0x05, 0x05, 0x20, 0x05, 0x06, 0x13]);
}

#[test]
fn clock_commands_are_acknowledged_in_the_clock_modes_only() {
    let version = ClockCommand::Version;
    let ask = Command::Clock(version).encode();
    let mut bench = Bench::new(true);
    assert_eq!(bench.send(&ask), [0; 0]);
    bench.send(&[0x44]);
    assert_eq!(bench.send(&ask), [0; 0]);
    bench.send(&[0x4b]);
    assert_eq!(bench.send(&ask), [0x8d, 0, 0x0a, 0x0a, 0x10, 0x09, 0x0a, 0x20, 0x00, 0x00]);
    assert_eq!(bench.send(&[0x2b, 3, 3, 3, 0]), [0x8d, 0, 0x0a, 0x0a, 0x10, 0x03, 0x0a, 0, 0, 0]);
    let set = [0x2b, 0x0a, 3, 0x0a, 0, 5, 0, 0, 3, 2, 1, 0];
    assert_eq!(bench.send(&set), [0x8d, 0, 0x0a, 0x0a, 0x40, 0x0a, 0x0a, 0, 0, 0], "not in its e-board mode");
}

#[test]
fn on_a_bus_the_board_answers_to_its_address() {
    let mut bench = Bench::new(true);
    assert_eq!(bench.send(&[0x87, 0x08, 0x01, 0x10]), [0x87, 0x00, 0x06, 0x08, 0x01, 0x16]);
    assert_eq!(bench.bus(BusVerb::Ping, 0x806), [0; 0], "somebody else");
    assert_eq!(bench.bus(BusVerb::SendClock, 1_025), [0x84, 0, 0x0d, 8, 1, 0x20, 5, 5, 0x20, 5, 5, 8, 0x76]);
    assert_eq!(bench.bus(BusVerb::Version, 1_025)[..7], [0x89, 0, 8, 8, 1, 3, 1]);
    let mut board = [&[0x83, 0x00, 0x46, 0x08, 0x01], INITIAL.as_slice()].concat();
    board.push(0x7c);
    assert_eq!(bench.bus(BusVerb::SendBoard, 1_025), board);
    bench.bus(BusVerb::SendChanges, 1_025);
    bench.now += 1_000;
    bench.sense("e2", 0);
    bench.now += 1_000;
    bench.sense("e4", 1);
    let changes = [0x85, 0x00, 0x0a, 0x08, 0x01, 0x40, 0x34, 0x41, 0x24, 0x71];
    assert_eq!(bench.bus(BusVerb::SendChanges, 1_025), changes);
    assert_eq!(bench.bus(BusVerb::RepeatChanges, 1_025), changes);
    assert_eq!(bench.bus(BusVerb::SendChanges, 1_025), [0x85, 0, 6, 8, 1, 0x14]);
    assert_eq!(bench.bus(BusVerb::SetStart, 1_025), [0x88, 0, 6, 8, 1, 0x17]);
    assert_eq!(bench.bus(BusVerb::SendFromStart, 1_025)[5..8], [0x7b, 0x48, 0x00]);
    let all = bench.tell(Input::Bytes(&[0x8d, 0x08, 0x01, 0x16]));
    assert_eq!(all.iter().map(|said| said.bytes[0]).collect::<Vec<_>>(), [0x85, 0x84, 0x83]);
}

#[test]
fn a_ping_to_all_is_answered_once_within_its_time_or_ignored_when_told() {
    let mut bench = Bench::new(true);
    assert_eq!(bench.bus(BusVerb::Ping, 0), [0; 0]);
    assert_eq!(bench.wait(1_200), [vec![0x87, 0, 6, 8, 1, 0x16]]);
    assert_eq!(bench.bus(BusVerb::IgnoreNextPing, 1_025)[0], 0x87);
    bench.bus(BusVerb::Ping, 0);
    assert_eq!(bench.wait(5_000), Vec::<Vec<u8>>::new());
    bench.bus(BusVerb::Ping, 0);
    assert_eq!(bench.wait(9_000).len(), 1);
    assert_eq!(bench.bus(BusVerb::SendBoard, 0), [0; 0], "every board would answer at once");
}

#[test]
fn a_bus_command_brings_the_board_back_to_the_bus_and_is_lost() {
    let mut bench = Bench::new(true);
    bench.send(&[0x4b]);
    assert_eq!(bench.bus(BusVerb::Ping, 1_025), [0; 0]);
    assert_eq!(bench.device.mode(), Mode::Bus);
    assert_eq!(bench.bus(BusVerb::Ping, 1_025).len(), 6);
    bench.bus(BusVerb::End, 0);
    assert_eq!(bench.device.mode(), Mode::Idle);
}

#[test]
fn power_comes_back_idle_silent_and_on_the_bus() {
    let mut bench = Bench::new(true);
    bench.send(&[0x43]);
    assert_eq!(bench.tell(Input::PowerUp), []);
    assert_eq!(bench.wait(10_000), Vec::<Vec<u8>>::new());
    assert_eq!(bench.sense("e2", 0), [0; 0]);
    assert_eq!(bench.device.mode(), Mode::Bus);
}

#[test]
fn updates_can_be_lost_or_doubled_and_the_dump_still_tells_the_truth() {
    let mut bench = Bench::new(true);
    bench.send(&[0x4b]);
    let square = "e2".parse().expect("a square");
    assert_eq!(bench.tell(Input::Sensed { square, code: PieceCode::EMPTY, copies: 0 }), []);
    assert_eq!(bench.send(&[0x42])[3 + 52], 0);
    assert_eq!(bench.tell(Input::Sensed { square, code: PieceCode::new(1), copies: 2 }).len(), 2);
}

#[test]
fn garbage_moves_nothing() {
    let mut bench = Bench::new(true);
    let garbage: Vec<u8> = (0..4_000u32).map(|n| u8::try_from(n * 7_919 % 251).expect("below 251")).collect();
    bench.send(&garbage);
    // Whatever had begun is over at the latest after this many bytes.
    bench.send(&[0x00; 40]);
    let contents = Codes::of(&Contents::of(&Board::new(), Lie::Straight));
    let answer = bench.send(&[0x42]);
    assert_eq!(answer[answer.len() - 64..], contents.0.map(PieceCode::byte));
}
