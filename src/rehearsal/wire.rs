//! The serial line: how long bytes take, and that messages wait for one another.

/// Ten bits a byte (start, eight data, stop) at 9600 baud.
const BYTE_US: u64 = 1_042;

/// Bytes the board says, and the millisecond in which the last of them leaves the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// When a computer has all of it.
    pub at: u64,
    /// One message, or raw bytes.
    pub bytes: Vec<u8>,
}

/// The transmitting half of the line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wire {
    free_at_us: u64,
}

impl Wire {
    /// Puts `bytes` on the line as soon as it is free.
    pub(super) fn send(&mut self, bytes: Vec<u8>, now: u64) -> Said {
        let count = u64::try_from(bytes.len()).expect("a message is shorter than 2^64 bytes");
        self.free_at_us = self.free_at_us.max(now * 1_000) + count * BYTE_US;
        Said { at: self.free_at_us.div_ceil(1_000), bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_update_takes_five_milliseconds_and_a_dump_seventy() {
        assert_eq!(Wire::default().send(vec![0; 5], 1_000).at, 1_006);
        assert_eq!(Wire::default().send(vec![0; 67], 0).at, 70);
    }

    #[test]
    fn messages_queue_behind_each_other() {
        let mut line = Wire::default();
        line.send(vec![0; 67], 0);
        assert_eq!(line.send(vec![0; 5], 1).at, 76);
        assert_eq!(line.send(vec![0; 5], 500).at, 506);
    }
}
