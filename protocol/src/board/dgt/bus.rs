//! Bus mode: several boards on one line, half duplex, the computer asks and one board answers.
//!
//! Commands have the high bit and a checksum, and their ids overlap with what single boards say.

use super::{
    clock::ClockMessage,
    flaw::Flaw,
    frame::{Sizes, frame, halves},
    piece::Codes,
    store::{self, StoreEvent},
};

/// Whom a bus command is for: a board's own address, or zero for everybody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BusAddress(u16);

impl BusAddress {
    /// Every board on the line. Only pings, resets and the end of bus mode may be sent to it.
    pub const ALL: BusAddress = BusAddress(0);

    /// The address, if it fits the 14 bits of the wire.
    pub fn new(address: u16) -> Option<BusAddress> {
        (address < 1 << 14).then_some(BusAddress(address))
    }

    /// The address as a number; the serial number where that fits.
    pub fn get(self) -> u16 {
        self.0
    }

    fn decode(high: u8, low: u8) -> BusAddress {
        BusAddress(u16::from(high & 0x7f) << 7 | u16::from(low & 0x7f))
    }
}

/// A command on the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusCommand {
    /// What is asked.
    pub verb: BusVerb,
    /// Whom.
    pub to: BusAddress,
}

/// What can be asked of a board on a bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BusVerb {
    /// The clock.
    SendClock,
    /// The whole board.
    SendBoard,
    /// What has changed since this was last asked.
    SendChanges,
    /// The last changes once more: after a bad checksum, so that nothing is lost.
    RepeatChanges,
    /// Mark the start of a game in the store.
    SetStart,
    /// Everything since the start mark.
    SendFromStart,
    /// Are you there? Sent to all, every board answers at a moment of its choice.
    Ping,
    /// Leave bus mode.
    End,
    /// Restart.
    Reset,
    /// Answer now, then keep still at the next ping to all.
    IgnoreNextPing,
    /// The version of the software.
    Version,
    /// Half a draughts board.
    Draughts,
    /// Changes, clock and board in a row.
    SendAll,
    /// Sent by another program before a ping to all; a board need not answer.
    SeedPing,
}

impl BusVerb {
    const ALL: [BusVerb; 14] = [
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
    ];

    fn byte(self) -> u8 {
        match self {
            BusVerb::SendClock => 0x81,
            BusVerb::SendBoard => 0x82,
            BusVerb::SendChanges => 0x83,
            BusVerb::RepeatChanges => 0x84,
            BusVerb::SetStart => 0x85,
            BusVerb::SendFromStart => 0x86,
            BusVerb::Ping => 0x87,
            BusVerb::End => 0x88,
            BusVerb::Reset => 0x89,
            BusVerb::IgnoreNextPing => 0x8a,
            BusVerb::Version => 0x8b,
            BusVerb::Draughts => 0x8c,
            BusVerb::SendAll => 0x8d,
            BusVerb::SeedPing => 0x92,
        }
    }
}

impl BusCommand {
    /// The four bytes on the wire.
    pub fn encode(&self) -> [u8; 4] {
        let [high, low] = halves(self.to.0);
        let id = self.verb.byte();
        [id, high, low, sum(&[id, high, low])]
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<BusCommand> {
        let &[id, high, low, check] = bytes else { return None };
        let verb = BusVerb::ALL.into_iter().find(|verb| verb.byte() == id)?;
        (check == sum(&[id, high, low])).then(|| BusCommand { verb, to: BusAddress::decode(high, low) })
    }
}

/// What a board on the bus says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BusMessage {
    /// Who speaks.
    pub address: BusAddress,
    /// What is said.
    pub body: BusBody,
}

/// The content of a bus message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BusBody {
    /// The whole board.
    Board(Codes),
    /// The clock.
    Clock(ClockMessage),
    /// What has changed since last asked.
    Changes(Vec<StoreEvent>),
    /// Everything since the start mark, what waits for the next changes excepted.
    FromStart(Vec<StoreEvent>),
    /// I am here.
    Ping,
    /// The start mark is written.
    StartSet,
    /// The version of the software; boards before 1.2 answer without saying it.
    Version(Option<(u8, u8)>),
    /// Half a draughts board, as raw codes.
    Draughts(Vec<u8>),
    /// Good framing and checksum, unknown id.
    Unknown {
        /// The first byte.
        id: u8,
        /// What stands between address and checksum.
        data: Vec<u8>,
    },
}

mod id {
    pub(super) const BOARD: u8 = 0x83;
    pub(super) const CLOCK: u8 = 0x84;
    pub(super) const CHANGES: u8 = 0x85;
    pub(super) const FROM_START: u8 = 0x86;
    pub(super) const PING: u8 = 0x87;
    pub(super) const START_SET: u8 = 0x88;
    pub(super) const VERSION: u8 = 0x89;
    pub(super) const DRAUGHTS: u8 = 0x8a;
}

/// Header, address and checksum: no bus message is shorter.
const LEAST: usize = 6;

pub(super) fn sizes(id: u8) -> Sizes {
    match id {
        id::BOARD => Sizes::Only(70),
        id::CLOCK => Sizes::Only(13),
        id::PING | id::START_SET => Sizes::Only(LEAST),
        id::VERSION => Sizes::Either(8, LEAST),
        _ => Sizes::AtLeast(LEAST),
    }
}

pub(super) fn decode(id: u8, payload: &[u8]) -> Result<BusMessage, Flaw> {
    let [high, low, data @ .., check] = payload else { return Err(Flaw::Length) };
    let [len_high, len_low] = halves(u16::try_from(payload.len() + 3).map_err(|_| Flaw::Length)?);
    let sum = sum(&[id, len_high, len_low]).wrapping_add(sum(&payload[..payload.len() - 1])) & 0x7f;
    if *check != sum {
        return Err(Flaw::Checksum { got: *check, sum });
    }
    let body = match (id, data) {
        (id::BOARD, _) => BusBody::Board(Codes::decode(data).ok_or(Flaw::Length)?),
        (id::CLOCK, _) => BusBody::Clock(ClockMessage::decode(data)?),
        (id::CHANGES, _) => BusBody::Changes(store::decode(data)),
        (id::FROM_START, _) => BusBody::FromStart(store::decode(data)),
        (id::PING, _) => BusBody::Ping,
        (id::START_SET, _) => BusBody::StartSet,
        (id::VERSION, &[major, minor]) => BusBody::Version(Some((major, minor))),
        (id::VERSION, _) => BusBody::Version(None),
        (id::DRAUGHTS, _) => BusBody::Draughts(data.to_vec()),
        _ => BusBody::Unknown { id, data: data.to_vec() },
    };
    Ok(BusMessage { address: BusAddress::decode(*high, *low), body })
}

impl BusMessage {
    /// The bytes on the wire, checksum included.
    pub fn encode(&self) -> Vec<u8> {
        let (id, data) = match &self.body {
            BusBody::Board(codes) => (id::BOARD, codes.encode().to_vec()),
            BusBody::Clock(clock) => (id::CLOCK, clock.encode().to_vec()),
            BusBody::Changes(events) => (id::CHANGES, store::encode(events)),
            BusBody::FromStart(events) => (id::FROM_START, store::encode(events)),
            BusBody::Ping => (id::PING, Vec::new()),
            BusBody::StartSet => (id::START_SET, Vec::new()),
            BusBody::Version(version) => (id::VERSION, version.map_or(Vec::new(), |(major, minor)| vec![major, minor])),
            BusBody::Draughts(codes) => (id::DRAUGHTS, codes.clone()),
            BusBody::Unknown { id, data } => (*id, data.clone()),
        };
        let mut bytes = frame(id, &[halves(self.address.0).as_slice(), &data, &[0]].concat());
        if let Some((check, before)) = bytes.split_last_mut() {
            *check = sum(before);
        }
        bytes
    }
}

/// All bytes added, seven bits kept.
fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7f
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_encoded_that_a_board_could_not_send() {
        for id in [0x31, 0xb1] {
            for data in [vec![0xff; 3], vec![0; 70_000]] {
                let message = BusMessage { address: BusAddress::ALL, body: BusBody::Unknown { id, data } };
                let bytes = message.encode();
                assert!(bytes[0] & 0x80 != 0 && bytes[1..].iter().all(|byte| byte & 0x80 == 0));
                assert_eq!(usize::from(bytes[1]) * 128 + usize::from(bytes[2]), bytes.len());
                assert!(decode(bytes[0], &bytes[3..]).is_ok());
            }
        }
    }
}
