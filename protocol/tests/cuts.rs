//! Whatever arrives, however it is cut: generated streams, good, damaged and random.

mod invariants;

use invariants::{Line, hear, read};
use proptest::{collection::vec, prelude::*};
use protocol::board::WireSquare;
use protocol::board::dgt::{Battery, BusAddress, BusBody, BusCommand, BusMessage, BusVerb, ClockAck, ClockCommand};
use protocol::board::dgt::{ClockMessage, ClockTimes, Codes, Command, FaceTime, HalfBoard, Heard, Lamps, Message};
use protocol::board::dgt::{Order, PieceCode, SetAndRun, Status, StoreEvent, StoreMark};

proptest! {
    #[test]
    fn any_bytes_from_one_board(bytes in stream()) {
        invariants::any_bytes(Line::Single, &bytes);
    }

    #[test]
    fn any_bytes_from_a_bus(bytes in stream()) {
        invariants::any_bytes(Line::Bus, &bytes);
    }

    #[test]
    fn any_bytes_to_a_board(bytes in stream()) {
        invariants::any_orders(&bytes);
    }

    #[test]
    fn any_cuts_of_good_frames_give_the_same_messages(
        (line, messages) in conversation(),
        cuts in vec(any::<prop::sample::Index>(), 0..20),
    ) {
        let bytes = wire(&messages);
        let mut at = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect::<Vec<_>>();
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        let pieces = at.windows(2).map(|ends| &bytes[ends[0]..ends[1]]);
        let wanted = messages.into_iter().map(Heard::Message).collect::<Vec<_>>();
        prop_assert_eq!(hear(line, pieces), wanted);
    }

    #[test]
    fn a_damaged_byte_costs_only_the_frame_it_is_in(
        (line, messages) in conversation(),
        at in any::<prop::sample::Index>(),
        damage in 1..=255u8,
    ) {
        let mut bytes = wire(&messages);
        let at = at.index(bytes.len());
        bytes[at] ^= damage;

        let mut end = 0;
        let hit = messages.iter().position(|message| {
            end += message.encode().len();
            at < end
        });
        let hit = hit.expect("the byte is in one of the frames");
        let heard = hear(line, [&bytes[..]]);
        let heard_message = |message: &Message| Heard::Message(message.clone());
        let before = messages[..hit].iter().map(heard_message).collect::<Vec<_>>();
        let after = messages[hit + 1..].iter().map(heard_message).collect::<Vec<_>>();
        prop_assert!(heard.starts_with(&before), "what came before: {:?}", heard);
        prop_assert!(heard.ends_with(&after), "what came after: {:?}", heard);
        prop_assert!(heard.len() >= before.len() + after.len(), "nothing is counted twice");
    }

    #[test]
    fn a_lost_byte_costs_only_the_frame_it_was_in(
        (line, messages) in conversation(),
        at in any::<prop::sample::Index>(),
    ) {
        let mut bytes = wire(&messages);
        let at = at.index(bytes.len());
        bytes.remove(at);
        let lost = messages.iter().filter(|message| !hear(line, [&bytes[..]]).contains(&Heard::Message((*message).clone())));
        prop_assert!(lost.count() <= 1);
    }

    #[test]
    fn every_message_decodes_to_itself((line, messages) in conversation()) {
        for message in messages {
            prop_assert_eq!(hear(line, [&message.encode()[..]]), [Heard::Message(message)]);
        }
    }

    #[test]
    fn every_command_is_read_as_itself(commands in vec(command(), 1..10)) {
        let bytes = commands.iter().flat_map(Command::encode).collect::<Vec<_>>();
        prop_assert_eq!(read(&bytes), commands.into_iter().map(Order::Single).collect::<Vec<_>>());
    }

    #[test]
    fn every_bus_command_is_read_as_itself(commands in vec(bus_command(), 1..10)) {
        let bytes = commands.iter().flat_map(BusCommand::encode).collect::<Vec<_>>();
        prop_assert_eq!(read(&bytes), commands.into_iter().map(Order::Bus).collect::<Vec<_>>());
    }
}

fn wire(messages: &[Message]) -> Vec<u8> {
    messages.iter().flat_map(Message::encode).collect()
}

/// Bytes of every kind of trouble: frames with anything in them, heads of frames, bare noise.
fn stream() -> impl Strategy<Value = Vec<u8>> {
    let payload = || vec(0..0x80u8, 0..80);
    let id = || prop_oneof![0x80..0xa8u8, 0x80..=0xffu8];
    let framed = (id(), payload()).prop_map(|(id, payload)| Message::Unknown { id, payload }.encode());
    let cut = (framed.clone(), any::<prop::sample::Index>()).prop_map(|(mut frame, at)| {
        frame.truncate(at.index(frame.len()));
        frame
    });
    let part = prop_oneof![
        4 => framed,
        4 => conversation().prop_map(|(_, messages)| wire(&messages)),
        2 => cut,
        2 => vec(any::<u8>(), 0..40),
        1 => (id(), 0..0x80u8, 0..0x80u8).prop_map(|(id, high, low)| vec![id, high, low]),
        1 => vec(0..0x80u8, 4000..5000),
    ];
    vec(part, 0..8).prop_map(|parts| parts.concat())
}

/// Messages that one board, or the boards on one bus, could have sent.
fn conversation() -> impl Strategy<Value = (Line, Vec<Message>)> {
    prop_oneof![
        vec(message(), 1..8).prop_map(|messages| (Line::Single, messages)),
        vec(bus_message(), 1..8).prop_map(|messages| (Line::Bus, messages)),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let digits = |count: usize| vec(b'0'..=b'9', count).prop_map(ascii);
    prop_oneof![
        codes().prop_map(Message::BoardDump),
        (any::<bool>(), vec(low(), 50)).prop_map(|(black, codes)| {
            Message::Draughts(if black { HalfBoard::Black } else { HalfBoard::White }, codes)
        }),
        clock().prop_map(Message::Clock),
        (square(), code()).prop_map(|(square, code)| Message::FieldUpdate { square, code }),
        events().prop_map(Message::Store),
        (0..1u16 << 14).prop_map(Message::BusAddress),
        digits(5).prop_map(Message::ShortSerial),
        digits(5).prop_map(|serial| Message::ShortSerial(format!("{serial} 1.0"))),
        digits(10).prop_map(Message::LongSerial),
        vec(low(), 0..300).prop_map(|text| Message::Trademark(ascii(text))),
        (low(), low()).prop_map(|(major, minor)| Message::Version { major, minor }),
        (low(), low()).prop_map(|(major, minor)| Message::HardwareVersion { major, minor }),
        battery().prop_map(Message::Battery),
        (0xb0..=0xffu8, vec(low(), 0..50)).prop_map(|(id, payload)| Message::Unknown { id, payload }),
    ]
}

fn bus_message() -> impl Strategy<Value = Message> {
    let body = prop_oneof![
        codes().prop_map(BusBody::Board),
        clock().prop_map(BusBody::Clock),
        events().prop_map(BusBody::Changes),
        events().prop_map(BusBody::FromStart),
        Just(BusBody::Ping),
        Just(BusBody::StartSet),
        prop::option::of((low(), low())).prop_map(BusBody::Version),
        vec(low(), 0..60).prop_map(BusBody::Draughts),
        (0xb0..=0xffu8, vec(low(), 0..50)).prop_map(|(id, data)| BusBody::Unknown { id, data }),
    ];
    (address(), body).prop_map(|(address, body)| Message::Bus(BusMessage { address, body }))
}

fn clock() -> impl Strategy<Value = ClockMessage> {
    let present = low().prop_map(|status| Status(status & !Status::ABSENT));
    let times = (face(), face(), present).prop_map(|(left, right, status)| ClockTimes { left, right, status });
    let absent = [low(), low(), low(), low(), low(), low(), low()].prop_map(|mut bytes| {
        // An answer of the clock is recognised before its absence.
        bytes[0] &= 0x77;
        bytes[3] &= 0x77;
        bytes[6] |= Status::ABSENT;
        ClockMessage::Absent(bytes)
    });
    prop_oneof![
        times
            .prop_filter("seven zeros mean nothing", |times| wire(&[Message::Clock(ClockMessage::Times(*times))])[3..]
                != [0; 7])
            .prop_map(ClockMessage::Times),
        any::<[u8; 4]>().prop_map(|values| ClockMessage::Ack(ClockAck(values))),
        absent,
        Just(ClockMessage::Null),
    ]
}

fn face() -> impl Strategy<Value = FaceTime> {
    (0..=9u8, 0..=59u8, 0..=59u8, 0..=7u8).prop_map(|(hours, minutes, seconds, flags)| FaceTime {
        hours,
        minutes,
        seconds,
        flags,
    })
}

fn battery() -> impl Strategy<Value = Battery> {
    (low(), [low(), low()], [low(), low()], [low(), low(), low()], low())
        .prop_map(|(percent, remaining, on, standby, status)| Battery { percent, remaining, on, standby, status })
}

fn events() -> impl Strategy<Value = Vec<StoreEvent>> {
    let mark = prop::sample::select(vec![
        StoreMark::PowerUp,
        StoreMark::End,
        StoreMark::FourRows,
        StoreMark::Empty,
        StoreMark::Downloaded,
        StoreMark::Initial,
        StoreMark::InitialTurned,
        StoreMark::Start,
        StoreMark::Watchdog,
        StoreMark::Reserved(false),
        StoreMark::Reserved(true),
        StoreMark::Nothing(false),
        StoreMark::Nothing(true),
    ]);
    let face_of = |left| if left { protocol::board::Face::Left } else { protocol::board::Face::Right };
    let event = prop_oneof![
        4 => (square(), code(), any::<bool>())
            .prop_map(|(square, code, quick)| StoreEvent::Piece { square, code, quick }),
        1 => (any::<bool>(), 0..=9u8, 0..=59u8, 0..=59u8)
            .prop_map(move |(left, h, m, s)| StoreEvent::Clock { face: face_of(left), time: [h, m, s] }),
        2 => mark.prop_map(StoreEvent::Mark),
        1 => (0x01..0x40u8).prop_map(StoreEvent::Other),
    ];
    vec(event, 0..40)
}

fn command() -> impl Strategy<Value = Command> {
    prop_oneof![
        prop::sample::select(vec![
            Command::Reset,
            Command::SendClock,
            Command::SendBoard,
            Command::Update,
            Command::UpdateBoard,
            Command::UpdateNice,
            Command::ShortSerial,
            Command::LongSerial,
            Command::BusAddress,
            Command::Trademark,
            Command::Version,
            Command::HardwareVersion,
            Command::Battery,
            Command::DumpStore,
            Command::ToBus,
        ]),
        (low(), low(), low()).prop_map(|(pattern, from, to)| Command::Lamps(Lamps { pattern, from, to })),
        clock_command().prop_map(Command::Clock),
    ]
}

fn clock_command() -> impl Strategy<Value = ClockCommand> {
    let time = || [low(), low(), low()];
    prop_oneof![
        ([low(), low(), low(), low(), low(), low()], low(), any::<bool>())
            .prop_map(|(segments, icons, beep)| ClockCommand::Display { segments, icons, beep }),
        [low(), low(), low(), low(), low()].prop_map(ClockCommand::Icons),
        Just(ClockCommand::EndText),
        Just(ClockCommand::Buttons),
        Just(ClockCommand::Version),
        (time(), time(), low()).prop_map(|(left, right, control)| ClockCommand::SetAndRun(SetAndRun {
            left,
            right,
            control
        })),
        low().prop_map(ClockCommand::Beep),
        (vec(low(), 8), low()).prop_map(|(text, beep)| ClockCommand::Text(exactly(&text), beep)),
        (vec(low(), 11), low()).prop_map(|(text, beep)| ClockCommand::LongText(exactly(&text), beep)),
    ]
}

fn bus_command() -> impl Strategy<Value = BusCommand> {
    let verb = prop::sample::select(vec![
        BusVerb::SendClock,
        BusVerb::SendBoard,
        BusVerb::SendChanges,
        BusVerb::RepeatChanges,
        BusVerb::SetStart,
        BusVerb::SendFromStart,
        BusVerb::Ping,
        BusVerb::End,
        BusVerb::Reset,
        BusVerb::IgnoreNextPing,
        BusVerb::Version,
        BusVerb::Draughts,
        BusVerb::SendAll,
        BusVerb::SeedPing,
    ]);
    (verb, address()).prop_map(|(verb, to)| BusCommand { verb, to })
}

/// A byte as every byte of a message but the first.
fn low() -> std::ops::Range<u8> {
    0..0x80
}

fn square() -> impl Strategy<Value = WireSquare> {
    (0..64u8).prop_map(|index| WireSquare::new(index).expect("below 64"))
}

fn code() -> impl Strategy<Value = PieceCode> {
    (0..16u8).prop_map(PieceCode::new)
}

fn codes() -> impl Strategy<Value = Codes> {
    vec(code(), 64).prop_map(|codes| Codes(exactly(&codes)))
}

fn address() -> impl Strategy<Value = BusAddress> {
    (0..1u16 << 14).prop_map(|address| BusAddress::new(address).expect("14 bits"))
}

fn exactly<T: Copy, const N: usize>(values: &[T]) -> [T; N] {
    values.first_chunk().copied().expect("as many as asked for")
}

fn ascii(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("seven-bit bytes")
}
