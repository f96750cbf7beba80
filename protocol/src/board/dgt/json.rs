//! What was heard, for scripts and eyes: one flat JSON object each, named by `type`. Frozen by `tests/json_v1.rs`.

use serde::Serialize;

use super::{
    bus::{BusBody, BusMessage},
    clock::{AutoAck, Button, ClockAck, ClockMessage, ClockTimes, Status},
    decoder::Heard,
    message::{Battery, HalfBoard, Message},
    piece::{Codes, PieceCode},
    store::{StoreEvent, StoreMark},
};
use crate::board::{ClockReading, Face};

/// One thing heard, ready to be serialised.
///
/// Squares are named with the connector at White's left hand, times are seconds, bytes are hexadecimal digits.
///
/// ```
/// use protocol::board::dgt::{Decoder, View};
///
/// let mut decoder = Decoder::single();
/// decoder.push(&[0x8e, 0x00, 0x05, 0x24, 0x01]);
/// let heard = decoder.next_heard().expect("a whole frame");
/// let json = serde_json::to_string(&View::of(&heard))?;
/// assert_eq!(json, r#"{"type":"field_update","square":"e4","piece":"P"}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct View(Kind);

impl View {
    /// How `heard` is shown.
    pub fn of(heard: &Heard) -> View {
        View(match heard {
            Heard::Message(message) => Kind::of(message),
            Heard::Invalid { id, payload, flaw } => {
                Kind::Invalid { id: *id, reason: flaw.to_string(), payload_hex: hex(payload) }
            }
            Heard::Noise { skipped } => Kind::Noise { skipped: *skipped },
        })
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Kind {
    FieldUpdate {
        square: String,
        piece: Option<char>,
    },
    BoardDump {
        placement: String,
    },
    Version {
        major: u8,
        minor: u8,
    },
    HardwareVersion {
        major: u8,
        minor: u8,
    },
    Serial {
        value: String,
    },
    LongSerial {
        value: String,
    },
    BusAddress {
        value: u16,
    },
    Battery {
        percent: u8,
        remaining_min: Option<u32>,
        on_min: u32,
        standby_min: u32,
        charging: bool,
        discharging: bool,
    },
    Trademark {
        text: String,
    },
    EeMoves {
        events: Vec<Stored>,
    },
    Draughts {
        half: &'static str,
        codes_hex: String,
    },
    BusChanges {
        address: u16,
        events: Vec<Stored>,
    },
    BusFromStart {
        address: u16,
        events: Vec<Stored>,
    },
    BusBoard {
        address: u16,
        placement: String,
    },
    BusClock {
        address: u16,
        clock: Clock,
    },
    BusPing {
        address: u16,
    },
    BusStartSet {
        address: u16,
    },
    BusVersion {
        address: u16,
        major: Option<u8>,
        minor: Option<u8>,
    },
    BusDraughts {
        address: u16,
        codes_hex: String,
    },
    BusUnknown {
        address: u16,
        id: u8,
        payload_hex: String,
    },
    Unknown {
        id: u8,
        payload_hex: String,
    },
    Invalid {
        id: u8,
        reason: String,
        payload_hex: String,
    },
    Noise {
        skipped: usize,
    },
    /// Brings its own `type`.
    #[serde(untagged)]
    Clock(Clock),
}

impl Kind {
    fn of(message: &Message) -> Kind {
        match message {
            Message::FieldUpdate { square, code } => {
                Kind::FieldUpdate { square: square.to_string(), piece: letter(*code) }
            }
            Message::BoardDump(codes) => Kind::BoardDump { placement: placement(codes) },
            Message::Clock(clock) => Kind::Clock(Clock::of(clock)),
            Message::Version { major, minor } => Kind::Version { major: *major, minor: *minor },
            Message::HardwareVersion { major, minor } => Kind::HardwareVersion { major: *major, minor: *minor },
            Message::ShortSerial(value) => Kind::Serial { value: value.clone() },
            Message::LongSerial(value) => Kind::LongSerial { value: value.clone() },
            Message::BusAddress(value) => Kind::BusAddress { value: *value },
            Message::Battery(battery) => Kind::battery(*battery),
            Message::Trademark(text) => Kind::Trademark { text: text.clone() },
            Message::Store(events) => Kind::EeMoves { events: stored(events) },
            Message::Draughts(half, codes) => {
                let half = match half {
                    HalfBoard::Black => "black",
                    HalfBoard::White => "white",
                };
                Kind::Draughts { half, codes_hex: hex(codes) }
            }
            Message::Bus(message) => Kind::bus(message),
            Message::Unknown { id, payload } => Kind::Unknown { id: *id, payload_hex: hex(payload) },
        }
    }

    fn battery(battery: Battery) -> Kind {
        let [on_hours, on_minutes] = battery.on.map(u32::from);
        let [days, hours, minutes] = battery.standby.map(u32::from);
        Kind::Battery {
            percent: battery.percent,
            remaining_min: battery.remaining_minutes(),
            on_min: on_hours * 60 + on_minutes,
            standby_min: (days * 24 + hours) * 60 + minutes,
            charging: battery.charging(),
            discharging: battery.discharging(),
        }
    }

    fn bus(message: &BusMessage) -> Kind {
        let address = message.address.get();
        match &message.body {
            BusBody::Board(codes) => Kind::BusBoard { address, placement: placement(codes) },
            BusBody::Clock(clock) => Kind::BusClock { address, clock: Clock::of(clock) },
            BusBody::Changes(events) => Kind::BusChanges { address, events: stored(events) },
            BusBody::FromStart(events) => Kind::BusFromStart { address, events: stored(events) },
            BusBody::Ping => Kind::BusPing { address },
            BusBody::StartSet => Kind::BusStartSet { address },
            BusBody::Version(version) => {
                let (major, minor) = version.unzip();
                Kind::BusVersion { address, major, minor }
            }
            BusBody::Draughts(codes) => Kind::BusDraughts { address, codes_hex: hex(codes) },
            BusBody::Unknown { id, data } => Kind::BusUnknown { address, id: *id, payload_hex: hex(data) },
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type")]
enum Clock {
    #[serde(rename = "clock_time")]
    Times {
        left_s: u32,
        right_s: u32,
        running: bool,
        left_to_move: bool,
        right_to_move: bool,
        lever_high: Face,
        battery_low: bool,
        left_flags: u8,
        right_flags: u8,
    },
    #[serde(rename = "clock_ack")]
    Ack {
        ack: [u8; 4],
        ok: bool,
        auto: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        button: Option<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        version: Option<ClockVersion>,
    },
    #[serde(rename = "clock_absent")]
    Absent,
    #[serde(rename = "clock_null")]
    Null,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct ClockVersion {
    major: u8,
    minor: u8,
}

impl Clock {
    fn of(message: &ClockMessage) -> Clock {
        match message {
            ClockMessage::Times(times) => Clock::times(times),
            ClockMessage::Ack(ack) => Clock::ack(*ack),
            ClockMessage::Absent(_) => Clock::Absent,
            ClockMessage::Null => Clock::Null,
        }
    }

    fn times(times: &ClockTimes) -> Clock {
        let ClockReading { left, right, running, high, battery_low, .. } = times.reading();
        Clock::Times {
            left_s: left.seconds,
            right_s: right.seconds,
            running,
            left_to_move: times.status.has(Status::LEFT_TO_MOVE),
            right_to_move: times.status.has(Status::RIGHT_TO_MOVE),
            lever_high: high,
            battery_low,
            left_flags: times.left.flags,
            right_flags: times.right.flags,
        }
    }

    fn ack(ack: ClockAck) -> Clock {
        let button = match ack.auto() {
            Some(AutoAck::Button(button)) => button.map(name),
            Some(AutoAck::Ready | AutoAck::ModeEntered | AutoAck::NotInMode | AutoAck::Other(_)) | None => None,
        };
        Clock::Ack {
            ack: ack.0,
            ok: ack.is_ok(),
            auto: ack.auto().is_some(),
            button,
            version: ack.version().map(|(major, minor)| ClockVersion { major, minor }),
        }
    }
}

fn name(button: Button) -> &'static str {
    match button {
        Button::Back => "back",
        Button::Plus => "plus",
        Button::Run => "run",
        Button::Minus => "minus",
        Button::Ok => "ok",
    }
}

/// An entry of the event store, named by `event`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Stored {
    Piece { square: String, piece: Option<char>, quick: bool },
    Clock { face: Face, time_s: u32 },
    PowerUp,
    End,
    FourRows,
    Empty,
    Downloaded,
    Initial,
    InitialTurned,
    Start,
    Watchdog,
    Reserved,
    Nothing,
    Other { byte: u8 },
}

impl Stored {
    fn of(event: &StoreEvent) -> Stored {
        match *event {
            StoreEvent::Piece { square, code, quick } => {
                Stored::Piece { square: square.to_string(), piece: letter(code), quick }
            }
            StoreEvent::Clock { face, time } => {
                let [hours, minutes, seconds] = time.map(u32::from);
                Stored::Clock { face, time_s: hours * 3600 + minutes * 60 + seconds }
            }
            StoreEvent::Mark(mark) => match mark {
                StoreMark::PowerUp => Stored::PowerUp,
                StoreMark::End => Stored::End,
                StoreMark::FourRows => Stored::FourRows,
                StoreMark::Empty => Stored::Empty,
                StoreMark::Downloaded => Stored::Downloaded,
                StoreMark::Initial => Stored::Initial,
                StoreMark::InitialTurned => Stored::InitialTurned,
                StoreMark::Start => Stored::Start,
                StoreMark::Watchdog => Stored::Watchdog,
                StoreMark::Reserved(_) => Stored::Reserved,
                StoreMark::Nothing(_) => Stored::Nothing,
            },
            StoreEvent::Other(byte) => Stored::Other { byte },
        }
    }
}

fn stored(events: &[StoreEvent]) -> Vec<Stored> {
    events.iter().map(Stored::of).collect()
}

fn letter(code: PieceCode) -> Option<char> {
    code.piece().map(|piece| piece.char())
}

fn placement(codes: &Codes) -> String {
    codes.contents().placement()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
