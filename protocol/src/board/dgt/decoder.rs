//! From bytes to messages: the parser policy, in one type.

use super::{
    bus,
    flaw::Flaw,
    frame::{Cut, Framer},
    message::{self, Message},
};

/// Turns the bytes of one cable into messages, and never gives up.
///
/// `push` what was read, then take `next_heard` until it is empty. When nothing has come for
/// [`FRAME_SILENCE_MS`](super::FRAME_SILENCE_MS) or the cable is gone, call `silence` and drain once more.
/// The same bytes give the same sequence however they are cut, `silence` aside.
#[derive(Clone, Debug)]
pub struct Decoder {
    framer: Framer,
    read: fn(u8, &[u8]) -> Result<Message, Flaw>,
}

/// One thing heard on the cable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A message that makes sense, or an unknown one in good order.
    Message(Message),
    /// A whole frame whose content is impossible. Nothing is to be concluded from it.
    Invalid {
        /// The first byte.
        id: u8,
        /// Everything after the three bytes of the header.
        payload: Vec<u8>,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// Bytes that belong to no frame: line noise, a cable pulled in mid-message, another device.
    Noise {
        /// How many.
        skipped: usize,
    },
}

impl Decoder {
    /// For a line with one board in single-board mode.
    pub fn single() -> Decoder {
        Decoder { framer: Framer::new(message::sizes), read: Message::decode }
    }

    /// For a line with boards in bus mode.
    pub fn bus() -> Decoder {
        Decoder { framer: Framer::new(bus::sizes), read: |id, payload| bus::decode(id, payload).map(Message::Bus) }
    }

    /// Takes what was read from the cable.
    pub fn push(&mut self, bytes: &[u8]) {
        self.framer.push(bytes);
    }

    /// The next thing heard, in the order of the wire.
    pub fn next_heard(&mut self) -> Option<Heard> {
        Some(match self.framer.next_cut()? {
            Cut::Noise { skipped } => Heard::Noise { skipped },
            Cut::Message { id, payload } => match (self.read)(id, payload) {
                Ok(message) => Heard::Message(message),
                Err(flaw) => Heard::Invalid { id, payload: payload.to_vec(), flaw },
            },
        })
    }

    /// A message has begun and not ended: a reason to remember when the last byte came.
    pub fn is_partial(&self) -> bool {
        self.framer.is_partial()
    }

    /// Bytes that belong to no message wait to be reported with the next one, or with `silence`.
    pub fn has_noise(&self) -> bool {
        self.framer.has_noise()
    }

    /// The line has been silent: what has begun will not end. Noise so far is heard at once; what was pushed whole
    /// and not yet taken is kept.
    pub fn silence(&mut self) {
        self.framer.give_up();
    }
}
