//! The header of a client's frame, byte by byte: a fault shows at its first byte, so nothing waits for more.

use super::{
    Fault,
    wire::{
        BINARY, CLOSE, CONTINUATION, EIGHT_FOLLOW, FIN, LENGTH, LONGEST_CONTROL, LONGEST_HEADER, MASKED, OPCODE, PING,
        PONG, RESERVED, TEXT, TWO_FOLLOW,
    },
};

/// A header in the making.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Making {
    bytes: [u8; LONGEST_HEADER],
    have: usize,
}

/// A header that is complete and whose frame may come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Header {
    pub(super) opcode: u8,
    pub(super) is_last: bool,
    pub(super) length: usize,
    pub(super) mask: [u8; 4],
}

impl Header {
    pub(super) fn is_control(&self) -> bool {
        self.opcode >= CLOSE
    }
}

impl Making {
    /// One byte more; the header once that was the last. `room` is what the message in progress may still take, or
    /// `None` between messages, when `limit` is what a new one may have.
    pub(super) fn take(&mut self, byte: u8, room: Option<usize>, limit: usize) -> Result<Option<Header>, Fault> {
        self.bytes[self.have] = byte;
        self.have += 1;
        match self.have {
            1 => self.check_first(room.is_some())?,
            2 => self.check_second()?,
            _ => {}
        }
        let Some(length) = self.length()? else { return Ok(None) };
        if !self.is_control() && length > room.unwrap_or(limit) {
            return Err(Fault::TooBig);
        }
        let header = self.mask().map(|mask| Header {
            opcode: self.bytes[0] & OPCODE,
            is_last: self.bytes[0] & FIN != 0,
            length,
            mask,
        });
        if header.is_some() {
            self.have = 0;
        }
        Ok(header)
    }

    fn check_first(&self, is_in_message: bool) -> Result<(), Fault> {
        let first = self.bytes[0];
        if first & RESERVED != 0 {
            return Err(Fault::ReservedBit);
        }
        match first & OPCODE {
            CONTINUATION if !is_in_message => Err(Fault::NothingToContinue),
            TEXT | BINARY if is_in_message => Err(Fault::MessageInMessage),
            CLOSE | PING | PONG if first & FIN == 0 => Err(Fault::FragmentedControl),
            CONTINUATION | TEXT | BINARY | CLOSE | PING | PONG => Ok(()),
            _ => Err(Fault::UnknownOpcode),
        }
    }

    fn check_second(&self) -> Result<(), Fault> {
        let second = self.bytes[1];
        if second & MASKED == 0 {
            return Err(Fault::Unmasked);
        }
        if self.is_control() && usize::from(second & LENGTH) > LONGEST_CONTROL {
            return Err(Fault::LongControl);
        }
        Ok(())
    }

    fn is_control(&self) -> bool {
        self.bytes[0] & OPCODE >= CLOSE
    }

    /// The payload's length, once its bytes are there.
    fn length(&self) -> Result<Option<usize>, Fault> {
        let header = &self.bytes[..self.have];
        let Some(short) = header.get(1).map(|second| second & LENGTH) else { return Ok(None) };
        let (length, least) = match short {
            TWO_FOLLOW => (header.get(2..4).map(number), u64::from(TWO_FOLLOW)),
            EIGHT_FOLLOW => (header.get(2..10).map(number), 1 << 16),
            length => (Some(u64::from(length)), 0),
        };
        match length {
            Some(length) if length < least || length > i64::MAX.unsigned_abs() => Err(Fault::LongWindedLength),
            // What does not fit into memory is longer than any limit.
            length => Ok(length.map(|length| usize::try_from(length).unwrap_or(usize::MAX))),
        }
    }

    fn mask(&self) -> Option<[u8; 4]> {
        let at = match self.bytes[1] & LENGTH {
            TWO_FOLLOW => 4,
            EIGHT_FOLLOW => 10,
            _ => 2,
        };
        self.bytes[..self.have].get(at..at + 4)?.try_into().ok()
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
