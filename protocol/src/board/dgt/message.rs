//! What a board says in single-board mode, decoded and encoded.

use super::{
    bus::BusMessage,
    clock::ClockMessage,
    flaw::Flaw,
    frame::{Sizes, frame, halves},
    piece::{Codes, PieceCode},
    store::{self, StoreEvent},
};
use crate::board::WireSquare;

/// One message from a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The whole board.
    BoardDump(Codes),
    /// Half of a draughts board, as raw codes.
    Draughts(HalfBoard, Vec<u8>),
    /// The clock: times, an answer, or its absence.
    Clock(ClockMessage),
    /// One square has changed.
    FieldUpdate {
        /// Where.
        square: WireSquare,
        /// What stands there.
        code: PieceCode,
    },
    /// The event store, oldest first.
    Store(Vec<StoreEvent>),
    /// The address on a bus, which is the serial number where that fits 14 bits.
    BusAddress(u16),
    /// The serial number: five digits, on old boards followed by a blank and a version.
    ShortSerial(String),
    /// The serial number, ten digits.
    LongSerial(String),
    /// The identification text.
    Trademark(String),
    /// The version of the software. Two numbers: 3.10 is not 3.1.
    Version {
        /// Before the point.
        major: u8,
        /// After the point.
        minor: u8,
    },
    /// The version of the hardware.
    HardwareVersion {
        /// Before the point.
        major: u8,
        /// After the point.
        minor: u8,
    },
    /// The battery of a wireless board.
    Battery(Battery),
    /// A message of a board on a bus.
    Bus(BusMessage),
    /// Good framing, unknown id.
    Unknown {
        /// The first byte.
        id: u8,
        /// Everything after the header.
        payload: Vec<u8>,
    },
}

/// Which squares a draughts message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HalfBoard {
    /// The black squares.
    Black,
    /// The white squares.
    White,
}

/// The battery of a wireless board. 0x7f in a time means unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Battery {
    /// How full.
    pub percent: u8,
    /// Hours and minutes left.
    pub remaining: [u8; 2],
    /// Hours and minutes since it was switched on.
    pub on: [u8; 2],
    /// Days, hours and minutes it could stand by.
    pub standby: [u8; 3],
    /// Bit 0 charging, bit 1 discharging.
    pub status: u8,
}

impl Battery {
    /// Hours and minutes left, in minutes, unless the board does not know.
    pub fn remaining_minutes(self) -> Option<u32> {
        let [hours, minutes] = self.remaining;
        (hours != 0x7f && minutes != 0x7f).then(|| u32::from(hours) * 60 + u32::from(minutes))
    }

    /// The charger is connected.
    pub fn charging(self) -> bool {
        self.status & 1 != 0
    }

    /// The board lives on its battery.
    pub fn discharging(self) -> bool {
        self.status & 2 != 0
    }
}

mod id {
    pub(super) const BOARD: u8 = 0x86;
    pub(super) const CLOCK: u8 = 0x8d;
    pub(super) const FIELD: u8 = 0x8e;
    pub(super) const STORE: u8 = 0x8f;
    pub(super) const BUS_ADDRESS: u8 = 0x90;
    pub(super) const SHORT_SERIAL: u8 = 0x91;
    pub(super) const TRADEMARK: u8 = 0x92;
    pub(super) const VERSION: u8 = 0x93;
    pub(super) const DRAUGHTS_BLACK: u8 = 0x94;
    pub(super) const DRAUGHTS_WHITE: u8 = 0x95;
    pub(super) const HARDWARE: u8 = 0x96;
    pub(super) const BATTERY: u8 = 0xa0;
    pub(super) const LONG_SERIAL: u8 = 0xa2;
}

/// The whole lengths. The hardware version's is known from two programs only, so any is let through.
pub(super) fn sizes(id: u8) -> Sizes {
    match id {
        id::BOARD => Sizes::Only(67),
        id::CLOCK => Sizes::Only(10),
        id::FIELD | id::BUS_ADDRESS | id::VERSION => Sizes::Only(5),
        id::SHORT_SERIAL => Sizes::Either(8, 12),
        id::DRAUGHTS_BLACK | id::DRAUGHTS_WHITE => Sizes::Only(53),
        id::BATTERY => Sizes::Only(12),
        id::LONG_SERIAL => Sizes::Only(13),
        _ => Sizes::AtLeast(3),
    }
}

impl Message {
    pub(super) fn decode(id: u8, payload: &[u8]) -> Result<Message, Flaw> {
        Ok(match (id, payload) {
            (id::FIELD, &[square, code]) => Message::FieldUpdate {
                square: WireSquare::new(square).ok_or(Flaw::Square(square))?,
                code: PieceCode::new(code),
            },
            (id::CLOCK, _) => Message::Clock(ClockMessage::decode(payload)?),
            (id::BOARD, _) => Message::BoardDump(Codes::decode(payload).ok_or(Flaw::Length)?),
            (id::STORE, _) => Message::Store(store::decode(payload)),
            (id::BUS_ADDRESS, &[high, low]) => Message::BusAddress(u16::from(high) << 7 | u16::from(low)),
            (id::SHORT_SERIAL, _) => Message::ShortSerial(text(payload)),
            (id::LONG_SERIAL, _) => Message::LongSerial(text(payload)),
            (id::TRADEMARK, _) => Message::Trademark(text(payload)),
            (id::VERSION, &[major, minor]) => Message::Version { major, minor },
            (id::HARDWARE, &[major, minor]) => Message::HardwareVersion { major, minor },
            (id::DRAUGHTS_BLACK, _) => Message::Draughts(HalfBoard::Black, payload.to_vec()),
            (id::DRAUGHTS_WHITE, _) => Message::Draughts(HalfBoard::White, payload.to_vec()),
            (id::BATTERY, &[percent, rh, rm, oh, om, sd, sh, sm, status]) => {
                Message::Battery(Battery { percent, remaining: [rh, rm], on: [oh, om], standby: [sd, sh, sm], status })
            }
            _ => Message::Unknown { id, payload: payload.to_vec() },
        })
    }

    /// The bytes on the wire. What was decoded from a sound message encodes to the same bytes again.
    ///
    /// ```
    /// use protocol::board::dgt::{Message, PieceCode};
    /// let update = Message::FieldUpdate { square: "e4".parse()?, code: PieceCode::new(1) };
    /// assert_eq!(update.encode(), [0x8e, 0x00, 0x05, 0x24, 0x01]);
    /// # Ok::<(), protocol::board::BadSquare>(())
    /// ```
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Message::BoardDump(codes) => frame(id::BOARD, &codes.encode()),
            Message::Draughts(HalfBoard::Black, codes) => frame(id::DRAUGHTS_BLACK, codes),
            Message::Draughts(HalfBoard::White, codes) => frame(id::DRAUGHTS_WHITE, codes),
            Message::Clock(clock) => frame(id::CLOCK, &clock.encode()),
            Message::FieldUpdate { square, code } => frame(id::FIELD, &[square.byte(), code.byte()]),
            Message::Store(events) => frame(id::STORE, &store::encode(events)),
            Message::BusAddress(address) => frame(id::BUS_ADDRESS, &halves(*address)),
            Message::ShortSerial(text) => frame(id::SHORT_SERIAL, text.as_bytes()),
            Message::LongSerial(text) => frame(id::LONG_SERIAL, text.as_bytes()),
            Message::Trademark(text) => frame(id::TRADEMARK, text.as_bytes()),
            Message::Version { major, minor } => frame(id::VERSION, &[*major, *minor]),
            Message::HardwareVersion { major, minor } => frame(id::HARDWARE, &[*major, *minor]),
            Message::Battery(Battery { percent, remaining, on, standby, status }) => {
                frame(id::BATTERY, &[&[*percent], remaining.as_slice(), on, standby, &[*status]].concat())
            }
            Message::Bus(message) => message.encode(),
            Message::Unknown { id, payload } => frame(*id, payload),
        }
    }
}

/// Payload bytes have their high bit clear, so they are ASCII by construction.
fn text(payload: &[u8]) -> String {
    payload.iter().map(|byte| char::from(*byte)).collect()
}
