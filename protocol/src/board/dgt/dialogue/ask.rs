//! What a board is asked or told, how long its answer may take, and how often it is asked again.

use super::super::{Command, Message};

/// After a command without an answer. The board's input buffer holds ten bytes and is read between two scans.
const PAUSE_MS: u64 = 100;

/// An answer is on the wire within a scan (250 ms) and a board dump (70 ms); Bluetooth takes twice that.
const ANSWER_MS: u64 = 1_000;

/// A lost byte on a bad cable costs one question. Three lost in a row are no accident.
const TRIES: u8 = 3;

/// The ten-digit serial number is unknown to old boards, so its silence may not hold the connection up for long.
const LONG_SERIAL_TRIES: u8 = 1;

/// The second dump closes the gap between the first and the moment updates are on.
pub(super) const INTRODUCTION: [Ask; 8] =
    [Ask::Reset, Ask::Version, Ask::ShortSerial, Ask::LongSerial, Ask::Board, Ask::Clock, Ask::UpdateNice, Ask::Board];

/// A question or an order, and what follows from its silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ask {
    Reset,
    Version,
    ShortSerial,
    LongSerial,
    Board,
    Clock,
    UpdateNice,
}

impl Ask {
    pub(super) fn command(self) -> Command {
        match self {
            Ask::Reset => Command::Reset,
            Ask::Version => Command::Version,
            Ask::ShortSerial => Command::ShortSerial,
            Ask::LongSerial => Command::LongSerial,
            Ask::Board => Command::SendBoard,
            Ask::Clock => Command::SendClock,
            Ask::UpdateNice => Command::UpdateNice,
        }
    }

    pub(super) fn has_answer(self) -> bool {
        !matches!(self, Ask::Reset | Ask::UpdateNice)
    }

    pub(super) fn patience(self) -> u64 {
        if self.has_answer() { ANSWER_MS } else { PAUSE_MS }
    }

    pub(super) fn tries(self) -> u8 {
        match self {
            Ask::LongSerial => LONG_SERIAL_TRIES,
            Ask::Reset | Ask::UpdateNice => 1,
            Ask::Version | Ask::ShortSerial | Ask::Board | Ask::Clock => TRIES,
        }
    }

    pub(super) fn is_answered_by(self, message: &Message) -> bool {
        match self {
            Ask::Reset | Ask::UpdateNice => false,
            Ask::Version => matches!(message, Message::Version { .. }),
            Ask::ShortSerial => matches!(message, Message::ShortSerial(_)),
            Ask::LongSerial => matches!(message, Message::LongSerial(_)),
            Ask::Board => matches!(message, Message::BoardDump(_)),
            Ask::Clock => matches!(message, Message::Clock(_)),
        }
    }
}
