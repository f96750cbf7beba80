//! The wire in examples: each line is what travels on the cable and what it means, checked in both directions,
//! in one piece and one byte at a time. The numbers are names to talk about; they have no other order.

use protocol::board::dgt::{AutoAck, Battery, BusAddress, BusBody, BusCommand, BusMessage, BusVerb, Button};
use protocol::board::dgt::{ClockAck, ClockCommand, ClockMessage, ClockTimes, Codes, Command, CommandReader};
use protocol::board::dgt::{Decoder, FaceTime, Flaw, Heard, Lamps, Message, Order, PieceCode, SetAndRun, Status};
use protocol::board::dgt::{StoreEvent, StoreMark};
use protocol::board::{ClockSense, Face, Observation, WireSquare};

const INITIAL: &str = "08 09 0a 0c 0b 0a 09 08  07 07 07 07 07 07 07 07 \
     00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00 \
     01 01 01 01 01 01 01 01  02 03 04 06 05 04 03 02";

const RUNNING: u8 = Status::RUNNING;
const LEFT: u8 = Status::LEFT_TO_MOVE;
const RIGHT: u8 = Status::RIGHT_TO_MOVE | Status::RIGHT_HIGH;

#[test]
fn what_a_computer_says_to_a_board() {
    for (name, wire, command) in [
        ("E01", "40", Command::Reset),
        ("E02", "4b", Command::UpdateNice),
        ("E03", "2b 03 03 09 00", Command::Clock(ClockCommand::Version)),
        ("E04", "2b 03 03 03 00", Command::Clock(ClockCommand::EndText)),
        ("E05", "2b 04 03 0b 10 00", Command::Clock(ClockCommand::Beep(16))),
        ("E06", "2b 0c 03 0c 65 32 65 34 20 20 20 20 01 00", Command::Clock(ClockCommand::Text(*b"e2e4    ", 1))),
        (
            "E07",
            "2b 0a 03 0a 00 05 00 00 03 02 01 00",
            Command::Clock(ClockCommand::SetAndRun(SetAndRun { left: [0, 5, 0], right: [0, 3, 2], control: 1 })),
        ),
        (
            // H E L, then L O and a blank: on the wire each half of the display runs backwards.
            "E08",
            "2b 0b 03 01 38 7b 74 00 5c 38 00 01 00",
            Command::Clock(ClockCommand::Display {
                segments: [0x74, 0x7b, 0x38, 0x38, 0x5c, 0x00],
                icons: 0,
                beep: false,
            }),
        ),
        ("E09", "60 04 01 34 24 00", Command::Lamps(Lamps { pattern: 1, from: 0x34, to: 0x24 })),
        // Every command of one byte.
        ("41", "41", Command::SendClock),
        ("42", "42", Command::SendBoard),
        ("43", "43", Command::Update),
        ("44", "44", Command::UpdateBoard),
        ("45", "45", Command::ShortSerial),
        ("46", "46", Command::BusAddress),
        ("47", "47", Command::Trademark),
        ("48", "48", Command::HardwareVersion),
        ("49", "49", Command::DumpStore),
        ("4a", "4a", Command::ToBus),
        ("4c", "4c", Command::Battery),
        ("4d", "4d", Command::Version),
        ("55", "55", Command::LongSerial),
        // The rest of what a clock can be told.
        ("icons", "2b 0b 03 02 01 02 04 08 10 00 00 00 00", Command::Clock(ClockCommand::Icons([1, 2, 4, 8, 16]))),
        ("buttons", "2b 03 03 08 00", Command::Clock(ClockCommand::Buttons)),
        (
            "long text",
            "2b 0f 03 0d 57 68 69 74 65 20 77 69 6e 73 20 00 00",
            Command::Clock(ClockCommand::LongText(*b"White wins ", 0)),
        ),
    ] {
        assert_eq!(hex(&command.encode()), hex(&bytes(wire)), "{name}");
        assert_eq!(orders(&bytes(wire)), [Order::Single(command)], "{name}");
    }
}

#[test]
fn what_a_computer_says_on_the_bus() {
    for (name, wire, verb, to) in [
        ("E10", "87 08 01 10", BusVerb::Ping, 0x0401),
        ("E11", "87 00 00 07", BusVerb::Ping, 0),
        ("E12", "81 10 06 17", BusVerb::SendClock, 0x0806),
        ("E13", "83 08 01 0c", BusVerb::SendChanges, 0x0401),
        ("E14", "8a 08 01 13", BusVerb::IgnoreNextPing, 0x0401),
        ("82", "82 08 01 0b", BusVerb::SendBoard, 0x0401),
        ("84", "84 08 01 0d", BusVerb::RepeatChanges, 0x0401),
        ("85", "85 08 01 0e", BusVerb::SetStart, 0x0401),
        ("86", "86 08 01 0f", BusVerb::SendFromStart, 0x0401),
        ("88", "88 00 00 08", BusVerb::End, 0),
        ("89", "89 00 00 09", BusVerb::Reset, 0),
        ("8b", "8b 08 01 14", BusVerb::Version, 0x0401),
        ("8c", "8c 08 01 15", BusVerb::Draughts, 0x0401),
        ("8d", "8d 08 01 16", BusVerb::SendAll, 0x0401),
        ("92", "92 00 00 12", BusVerb::SeedPing, 0),
    ] {
        let command = BusCommand { verb, to: address(to) };
        assert_eq!(hex(&command.encode()), hex(&bytes(wire)), "{name}");
        assert_eq!(orders(&bytes(wire)), [Order::Bus(command)], "{name}");
    }
}

#[test]
fn what_one_board_says() {
    let initial = codes(INITIAL);
    assert_eq!(initial.contents().placement(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    let long_text = "Escaque! ".repeat(15)[..128].to_owned();
    let store = full_store();

    for (name, wire, message) in [
        ("E15", format!("86 00 43 {INITIAL}"), Message::BoardDump(initial)),
        ("E16", format!("86 00 43 {}", "00".repeat(64)), Message::BoardDump(Codes([PieceCode::EMPTY; 64]))),
        ("E17", "8e 00 05 34 00".into(), field("e2", '.')),
        ("E18", "8e 00 05 24 01".into(), field("e4", 'P')),
        ("E19", "8e 00 05 04 00".into(), field("e8", '.')),
        ("E20", "8e 00 05 06 0b".into(), field("g8", 'k')),
        (
            "E21",
            "8d 00 0a 20 05 05 20 05 04 09".into(),
            times(face(0, 5, 4, FaceTime::PER_MOVE), face(0, 5, 5, FaceTime::PER_MOVE), RUNNING | LEFT),
        ),
        (
            "E22",
            "8d 00 0a 30 00 00 20 00 16 12".into(),
            times(face(0, 0, 16, FaceTime::PER_MOVE), face(0, 0, 0, FaceTime::FALLEN | FaceTime::PER_MOVE), RIGHT),
        ),
        ("E23", "8d 00 0a 01 59 48 01 30 00 13".into(), times(face(1, 30, 0, 0), face(1, 59, 48, 0), RUNNING | RIGHT)),
        (
            "E24",
            "8d 00 0a 00 00 09 40 00 00 0d".into(),
            times(face(0, 0, 0, FaceTime::FLAG_SHOWN), face(0, 0, 9, 0), RUNNING | LEFT | Status::BATTERY_LOW),
        ),
        ("E25", "8d 00 0a 00 00 00 00 00 00 20".into(), Message::Clock(ClockMessage::Absent([0, 0, 0, 0, 0, 0, 0x20]))),
        ("E26", "8d 00 0a 00 00 00 00 00 00 00".into(), Message::Clock(ClockMessage::Null)),
        ("E27", "8d 00 0a 0a 10 09 0a 20 00 00".into(), ack([0x10, 0x09, 0x20, 0x00])),
        ("E28", "8d 00 0a 0a 10 08 2a 05 31 00".into(), ack([0x10, 0x88, 0x05, 0x31])),
        ("E29", "8d 00 0a 0a 10 01 2a 00 00 00".into(), ack([0x10, 0x81, 0x00, 0x00])),
        ("E30", "8d 00 0a 0a 10 03 0a 00 00 00".into(), ack([0x10, 0x03, 0x00, 0x00])),
        ("E31", "8d 00 0a 0a 40 0a 0a 00 00 00".into(), ack([0x40, 0x0a, 0x00, 0x00])),
        ("E32", "8d 00 0a 0a 20 00 0a 00 00 00".into(), ack([0x20, 0x00, 0x00, 0x00])),
        ("E33", "8d 00 0a 3a 10 0a 2a 17 03 00".into(), ack([0x10, 0x8a, 0x97, 0x83])),
        ("E34", "93 00 05 03 01".into(), Message::Version { major: 3, minor: 1 }),
        ("3.10 is not 3.1", "93 00 05 03 0a".into(), Message::Version { major: 3, minor: 10 }),
        ("96", "96 00 05 01 02".into(), Message::HardwareVersion { major: 1, minor: 2 }),
        ("E35", "91 00 08 31 32 33 34 35".into(), Message::ShortSerial("12345".into())),
        ("serial of 1998", "91 00 0c 31 32 33 34 35 20 31 2e 30".into(), Message::ShortSerial("12345 1.0".into())),
        ("E36", "a2 00 0d 30 30 30 30 30 31 32 33 34 35".into(), Message::LongSerial("0000012345".into())),
        ("E37", "90 00 05 08 01".into(), Message::BusAddress(0x0401)),
        (
            "E38",
            "a0 00 0c 54 7f 7f 05 1e 02 03 04 02".into(),
            Message::Battery(Battery {
                percent: 84,
                remaining: [0x7f, 0x7f],
                on: [5, 30],
                standby: [2, 3, 4],
                status: 2,
            }),
        ),
        ("E39", "92 00 0d 44 45 4d 4f 20 42 4f 41 52 44".into(), Message::Trademark("DEMO BOARD".into())),
        ("E40", format!("92 01 03 {}", hex(long_text.as_bytes())), Message::Trademark(long_text)),
        ("E41", format!("8f 3e 03 {}", "40 34 51 24".repeat(1984)), Message::Store(store)),
        (
            "E42",
            "8f 00 12 7f 7f 7f 6a 41 34 40 34 51 24 70 05 00 6f 6b".into(),
            Message::Store(vec![
                StoreEvent::Mark(StoreMark::Nothing(true)),
                StoreEvent::Mark(StoreMark::Nothing(true)),
                StoreEvent::Mark(StoreMark::Nothing(true)),
                StoreEvent::Mark(StoreMark::PowerUp),
                stored("e2", 'P', false),
                stored("e2", '.', false),
                stored("e4", 'P', true),
                StoreEvent::Clock { face: Face::Left, time: [0, 5, 0] },
                StoreEvent::Mark(StoreMark::Initial),
                StoreEvent::Mark(StoreMark::End),
            ]),
        ),
        ("unknown id of E52", "9e 00 04 11".into(), Message::Unknown { id: 0x9e, payload: vec![0x11] }),
    ] {
        let wire = bytes(&wire);
        assert_eq!(hex(&message.encode()), hex(&wire), "{name}");
        assert_eq!(hear_single(&wire), [Heard::Message(message)], "{name}");
    }
}

#[test]
fn the_example_lengths_are_those_of_the_wire() {
    assert_eq!(Message::Trademark("x".repeat(128)).encode().len(), 131);
    assert_eq!(Message::Store(full_store()).encode().len(), 7939);
}

#[test]
fn what_boards_on_a_bus_say() {
    let e21 = ClockTimes {
        left: face(0, 5, 4, FaceTime::PER_MOVE),
        right: face(0, 5, 5, FaceTime::PER_MOVE),
        status: Status(RUNNING | LEFT),
    };
    for (name, wire, body) in [
        ("E43", "87 00 06 08 01 16".into(), BusBody::Ping),
        ("E44", "84 00 0d 08 01 20 05 05 20 05 04 09 76".into(), BusBody::Clock(ClockMessage::Times(e21))),
        (
            "E45",
            "85 00 0a 08 01 40 34 41 24 71".into(),
            BusBody::Changes(vec![stored("e2", '.', false), stored("e4", 'P', false)]),
        ),
        ("nothing changed", "85 00 06 08 01 14".into(), BusBody::Changes(vec![])),
        ("E46", "89 00 08 08 01 01 02 1d".into(), BusBody::Version(Some((1, 2)))),
        ("before 1.2", "89 00 06 08 01 18".into(), BusBody::Version(None)),
        ("E47", "88 00 06 08 01 17".into(), BusBody::StartSet),
        ("E48", format!("83 00 46 08 01 {INITIAL} 7c"), BusBody::Board(codes(INITIAL))),
        (
            "from start",
            "86 00 09 08 01 7b 41 34 08".into(),
            BusBody::FromStart(vec![StoreEvent::Mark(StoreMark::Start), stored("e2", 'P', false)]),
        ),
        ("draughts", "8a 00 08 08 01 01 02 1e".into(), BusBody::Draughts(vec![1, 2])),
        ("unknown", "b1 00 07 08 01 05 46".into(), BusBody::Unknown { id: 0xb1, data: vec![5] }),
    ] {
        let message = Message::Bus(BusMessage { address: address(0x0401), body });
        let wire = bytes(&wire);
        assert_eq!(hex(&message.encode()), hex(&wire), "{name}");
        assert_eq!(hear_bus(&wire), [Heard::Message(message)], "{name}");
    }
}

#[test]
fn damaged_input_costs_only_itself() {
    let e17 = || Heard::Message(field("e2", '.'));
    let e18 = || Heard::Message(field("e4", 'P'));
    for (name, wire, heard) in [
        ("E49", "05 24 8e 00 05 34 00", vec![noise(2), e17()]),
        ("E50", "8d 00 0a 20 8e 00 05 34 00", vec![noise(4), e17()]),
        ("E51", "8e 00 04 34 8e 00 05 24 01", vec![noise(4), e18()]),
        (
            "E52",
            "9e 00 04 11 8e 00 05 24 01",
            vec![Heard::Message(Message::Unknown { id: 0x9e, payload: vec![0x11] }), e18()],
        ),
        ("E53", "8e 00 05 34 00", vec![e17()]),
        ("an id between the length bytes", "86 00 8e 00 05 34 00", vec![noise(2), e17()]),
        ("an id for a length", "86 8e 00 05 34 00", vec![noise(1), e17()]),
        ("no room for its own header", "9e 00 02 8e 00 05 34 00", vec![noise(3), e17()]),
        ("past the longest message", "9e 40 01 8e 00 05 34 00", vec![noise(3), e17()]),
        ("a battery of the length once described", "a0 00 07 54 7f 7f 02 8e 00 05 34 00", vec![noise(7), e17()]),
    ] {
        assert_eq!(hear_single(&bytes(wire)), heard, "{name}");
    }
}

#[test]
fn a_frame_in_three_reads_is_heard_once() {
    let mut decoder = Decoder::single();
    let mut heard = Vec::new();
    for read in ["8e 00", "05 34", "00"] {
        decoder.push(&bytes(read));
        heard.extend(std::iter::from_fn(|| decoder.next_heard()));
    }
    assert_eq!(heard, [Heard::Message(field("e2", '.'))]);
    assert!(!decoder.is_partial());
}

#[test]
fn silence_ends_a_frame_that_has_begun() {
    let mut decoder = Decoder::single();
    decoder.push(&bytes("8e 00 05 34"));
    assert_eq!((decoder.next_heard(), decoder.is_partial()), (None, true));
    decoder.silence();
    assert_eq!((decoder.next_heard(), decoder.is_partial()), (Some(noise(4)), false));
    decoder.push(&bytes("8e 00 05 24 01"));
    assert_eq!(decoder.next_heard(), Some(Heard::Message(field("e4", 'P'))));
}

#[test]
fn the_longest_message_has_8192_bytes() {
    let longest = Message::Unknown { id: 0x9e, payload: vec![0x11; 8189] };
    assert_eq!(longest.encode()[..3], [0x9e, 0x40, 0x00]);
    assert_eq!(hear_single(&longest.encode()), [Heard::Message(longest)]);

    let longer = Message::Unknown { id: 0x9e, payload: vec![0x11; 8190] };
    assert_eq!(hear_single(&longer.encode()), [noise(4096), noise(4096)], "and one byte more, still to be reported");
}

#[test]
fn silence_takes_nothing_that_came_whole() {
    let mut decoder = Decoder::single();
    decoder.push(&bytes("8e 00 05 34 00  8e 00 05"));
    decoder.silence();
    decoder.push(&bytes("24 01  8e 00 05 24 01"));
    let heard = std::iter::from_fn(|| decoder.next_heard()).collect::<Vec<_>>();
    let (lifted, placed) = (Heard::Message(field("e2", '.')), Heard::Message(field("e4", 'P')));
    assert_eq!(heard, [lifted, noise(3), noise(2), placed]);
}

#[test]
fn impossible_content_is_refused_and_kept() {
    for (name, wire, flaw) in [
        ("square 64", "8e 00 05 40 01", Flaw::Square(64)),
        ("60 minutes", "8d 00 0a 20 60 00 20 05 04 09", Flaw::Time),
        ("60 seconds", "8d 00 0a 20 05 00 20 05 60 09", Flaw::Time),
        ("minutes 0a", "8d 00 0a 20 0a 00 20 05 04 09", Flaw::Time),
        ("tens of seconds 7", "8d 00 0a 20 05 00 20 05 70 09", Flaw::Time),
        ("hours b", "8d 00 0a 2b 05 00 20 05 04 09", Flaw::Time),
        ("hours f", "8d 00 0a 20 05 00 2f 05 04 09", Flaw::Time),
    ] {
        let wire = bytes(wire);
        let refused = Heard::Invalid { id: wire[0], payload: wire[3..].to_vec(), flaw };
        assert_eq!(hear_single(&wire), [refused], "{name}");
    }
    for (name, wire, flaw) in [
        ("checksum", "87 00 06 08 01 17", Flaw::Checksum { got: 0x17, sum: 0x16 }),
        ("clock digits", "84 00 0d 08 01 20 05 7b 20 05 04 09 6c", Flaw::Time),
    ] {
        let wire = bytes(wire);
        let refused = Heard::Invalid { id: wire[0], payload: wire[3..].to_vec(), flaw };
        assert_eq!(hear_bus(&wire), [refused], "{name}");
    }
}

#[test]
fn the_clock_message_is_judged_in_order() {
    for (name, wire, wanted) in [
        (
            "an answer, marked in the right hours only",
            "8d 00 0a 0a 10 01 25 00 00 00",
            ClockMessage::Ack(ClockAck([0x10, 0x81, 0, 0])),
        ),
        (
            "an answer, marked in the left hours only",
            "8d 00 0a 30 10 01 0a 00 00 00",
            ClockMessage::Ack(ClockAck([0x10, 0x01, 0x80, 0x80])),
        ),
        (
            "an answer comes before absence",
            "8d 00 0a 0a 10 01 0a 00 00 20",
            ClockMessage::Ack(ClockAck([0x10, 0x01, 0, 0])),
        ),
        (
            "absence comes before digits",
            "8d 00 0a 2f 7f 7f 2f 7f 7f 20",
            ClockMessage::Absent([0x2f, 0x7f, 0x7f, 0x2f, 0x7f, 0x7f, 0x20]),
        ),
    ] {
        assert_eq!(hear_single(&bytes(wire)), [Heard::Message(Message::Clock(wanted))], "{name}");
    }
}

#[test]
fn the_turn_bits_go_with_the_face_that_counts() {
    for (status, running, high, to_move) in [
        (0x08, false, Face::Left, Some(Face::Left)),
        (0x09, true, Face::Left, Some(Face::Left)),
        (0x12, false, Face::Right, Some(Face::Right)),
        (0x13, true, Face::Right, Some(Face::Right)),
        (0x00, false, Face::Left, None),
        (0x1a, false, Face::Right, None),
    ] {
        let message = times(face(0, 3, 2, 0), face(1, 2, 3, FaceTime::FALLEN), status);
        let [Observation::Clock(ClockSense::Reading(reading))] = message.observe()[..] else {
            panic!("{status:#04x} is a reading");
        };
        assert_eq!((reading.running, reading.high, reading.to_move), (running, high, to_move), "{status:#04x}");
        assert_eq!((reading.left.seconds, reading.left.flag), (182, false));
        assert_eq!((reading.right.seconds, reading.right.flag), (3723, true));
    }
}

#[test]
fn what_the_clock_reports() {
    let auto = |ack: [u8; 4]| ClockAck(ack).auto();
    assert_eq!(auto([0x10, 0x81, 0, 0]), Some(AutoAck::Ready));
    for (code, button) in
        [(0x31, Button::Back), (0x32, Button::Plus), (0x33, Button::Run), (0x34, Button::Minus), (0x35, Button::Ok)]
    {
        assert_eq!(auto([0x10, 0x88, 0x05, code]), Some(AutoAck::Button(Some(button))));
    }
    assert_eq!(auto([0x10, 0x88, 0x60, 0x00]), Some(AutoAck::Button(None)));
    assert_eq!(auto([0x10, 0x8a, 0x97, 0x83]), Some(AutoAck::ModeEntered));
    assert_eq!(auto([0x10, 0x90, 0, 0]), Some(AutoAck::NotInMode));
    assert_eq!(auto([0x10, 0x03, 0, 0]), None);

    assert_eq!(ClockAck([0x10, 0x09, 0x20, 0]).version(), Some((2, 0)));
    assert_eq!(ClockAck([0x10, 0x09, 0x1e, 0]).version(), Some((1, 14)));
    assert_eq!(ClockAck([0x10, 0x03, 0x20, 0]).version(), None);

    let ok = [0x10, 0x40, 0x20].map(|first| ClockAck([first, 0, 0, 0]).is_ok());
    assert_eq!(ok, [true, false, false]);
}

#[test]
fn a_board_lets_pass_what_it_does_not_know() {
    for wire in ["4e", "51", "2b 03 03 7f 00", "2b 03 03 09 01", "87 08 01 11", "ff 00 00 7f"] {
        assert_eq!(orders(&bytes(wire)), [Order::Unknown(bytes(wire))], "{wire}");
    }
    let cut = orders(&bytes("2b 03 03 87 00 00 07"));
    assert_eq!(cut, [Order::Bus(BusCommand { verb: BusVerb::Ping, to: BusAddress::ALL })]);
}

fn hear_single(wire: &[u8]) -> Vec<Heard> {
    hear(Decoder::single, wire)
}

fn hear_bus(wire: &[u8]) -> Vec<Heard> {
    hear(Decoder::bus, wire)
}

/// Heard in one piece and one byte at a time, which must be the same, with nothing left over.
fn hear(decoder: fn() -> Decoder, wire: &[u8]) -> Vec<Heard> {
    let [whole, single] = [wire.len(), 1].map(|length| {
        let mut decoder = decoder();
        let mut heard = Vec::new();
        for piece in wire.chunks(length) {
            decoder.push(piece);
            heard.extend(std::iter::from_fn(|| decoder.next_heard()));
        }
        assert!(!decoder.is_partial());
        heard
    });
    assert_eq!(whole, single);
    whole
}

fn orders(wire: &[u8]) -> Vec<Order> {
    let mut reader = CommandReader::default();
    wire.iter().filter_map(|byte| reader.push(*byte)).collect()
}

/// 7936 bytes of the event store: a pawn going from e2 to e4, over and over.
fn full_store() -> Vec<StoreEvent> {
    [stored("e2", '.', false), stored("e4", 'P', true)].repeat(1984)
}

fn field(square: &str, letter: char) -> Message {
    Message::FieldUpdate { square: wire_square(square), code: code(letter) }
}

fn stored(square: &str, letter: char, quick: bool) -> StoreEvent {
    StoreEvent::Piece { square: wire_square(square), code: code(letter), quick }
}

fn wire_square(name: &str) -> WireSquare {
    name.parse().expect("a square")
}

/// The codes in their order, from 0.
fn code(letter: char) -> PieceCode {
    let at = ".PRNBKQprnbkq".find(letter).expect("a piece letter");
    PieceCode::new(u8::try_from(at).expect("at most 12"))
}

fn codes(wire: &str) -> Codes {
    let codes = bytes(wire).into_iter().map(PieceCode::new).collect::<Vec<_>>();
    Codes(codes.try_into().expect("64 codes"))
}

fn times(left: FaceTime, right: FaceTime, status: u8) -> Message {
    Message::Clock(ClockMessage::Times(ClockTimes { left, right, status: Status(status) }))
}

fn face(hours: u8, minutes: u8, seconds: u8, flags: u8) -> FaceTime {
    FaceTime { hours, minutes, seconds, flags }
}

fn ack(values: [u8; 4]) -> Message {
    Message::Clock(ClockMessage::Ack(ClockAck(values)))
}

fn address(address: u16) -> BusAddress {
    BusAddress::new(address).expect("14 bits")
}

fn noise(skipped: usize) -> Heard {
    Heard::Noise { skipped }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits = hex.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let pair = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("two hex digits");
    (0..digits.len()).step_by(2).map(pair).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
