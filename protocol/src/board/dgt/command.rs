//! What a computer says to a single board, and the reader a board needs for it.

use super::{bus::BusCommand, clock::ClockCommand, message::HalfBoard};

/// A command to a board in single-board mode.
///
/// The jump to the boot loader and what rewrites the draughts set-up in a board's memory are missing on purpose:
/// no program that shows games has a use for them, and they can harm a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Idle: nothing is reported unasked.
    Reset,
    /// Ask for the clock once.
    SendClock,
    /// Ask for the whole board once.
    SendBoard,
    /// Report squares, and the clock every second.
    Update,
    /// Report squares only.
    UpdateBoard,
    /// Report squares, and the clock when something in it has changed. The mode to use.
    UpdateNice,
    /// Ask for the five-digit serial number.
    ShortSerial,
    /// Ask for the ten-digit serial number.
    LongSerial,
    /// Ask for the bus address.
    BusAddress,
    /// Ask for the identification text.
    Trademark,
    /// Ask for the version of the board's software.
    Version,
    /// Ask for the version of the hardware; newer boards only.
    HardwareVersion,
    /// Ask for the battery; wireless boards only.
    Battery,
    /// Ask for the whole event store. Blocks the line for over eight seconds.
    DumpStore,
    /// Ask for half a draughts board.
    Draughts(HalfBoard),
    /// Go to bus mode.
    ToBus,
    /// Light the lamps of a Revelation II. A plain DGT board can hang on it.
    Lamps(Lamps),
    /// Tell the clock something.
    Clock(ClockCommand),
}

impl Command {
    /// The bytes on the wire. A board's input buffer holds about ten: never send two commands in one breath.
    ///
    /// High bits of lamps and clock data are cut off: on the way to a board a marked byte begins a bus command.
    ///
    /// ```
    /// use protocol::board::dgt::Command;
    /// assert_eq!(Command::UpdateNice.encode(), [0x4b]);
    /// ```
    pub fn encode(&self) -> Vec<u8> {
        if let Command::Lamps(Lamps { pattern, from, to }) = *self {
            return unmarked(vec![0x60, 4, pattern, from, to, 0]);
        }
        if let Command::Clock(command) = self {
            let (number, data) = command.encode();
            let len = u8::try_from(data.len() + 3).expect("the longest clock command has 15 bytes");
            return unmarked([&[0x2b, len, 3, number], data.as_slice(), &[0]].concat());
        }
        vec![self.byte()]
    }

    fn byte(&self) -> u8 {
        match self {
            Command::Reset => 0x40,
            Command::SendClock => 0x41,
            Command::SendBoard => 0x42,
            Command::Update => 0x43,
            Command::UpdateBoard => 0x44,
            Command::ShortSerial => 0x45,
            Command::BusAddress => 0x46,
            Command::Trademark => 0x47,
            Command::HardwareVersion => 0x48,
            Command::DumpStore => 0x49,
            Command::ToBus => 0x4a,
            Command::UpdateNice => 0x4b,
            Command::Battery => 0x4c,
            Command::Draughts(HalfBoard::Black) => 0x50,
            Command::Draughts(HalfBoard::White) => 0x52,
            Command::Version => 0x4d,
            Command::LongSerial => 0x55,
            Command::Lamps(_) => 0x60,
            Command::Clock(_) => 0x2b,
        }
    }

    fn plain(byte: u8) -> Option<Command> {
        const PLAIN: [Command; 17] = [
            Command::Reset,
            Command::SendClock,
            Command::SendBoard,
            Command::Update,
            Command::UpdateBoard,
            Command::ShortSerial,
            Command::BusAddress,
            Command::Trademark,
            Command::HardwareVersion,
            Command::DumpStore,
            Command::Draughts(HalfBoard::Black),
            Command::Draughts(HalfBoard::White),
            Command::ToBus,
            Command::UpdateNice,
            Command::Battery,
            Command::Version,
            Command::LongSerial,
        ];
        PLAIN.into_iter().find(|command| command.byte() == byte)
    }
}

fn unmarked(bytes: Vec<u8>) -> Vec<u8> {
    bytes.into_iter().map(|byte| byte & 0x7f).collect()
}

/// Which lamps a Revelation II is to light.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lamps {
    /// 0 off, 1 on.
    pub pattern: u8,
    /// A square as on the wire; 0x40 with pattern 0 puts all lamps out.
    pub from: u8,
    /// The other end.
    pub to: u8,
}

/// What a board makes of the bytes sent to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// A command of the single-board mode.
    Single(Command),
    /// A command of the bus, its checksum right.
    Bus(BusCommand),
    /// Anything else, which a board lets pass in silence.
    Unknown(Vec<u8>),
}

/// The ear of a board: bytes in, orders out. A virtual board needs it; a daemon does not.
#[derive(Clone, Debug, Default)]
pub struct CommandReader {
    pending: Vec<u8>,
}

/// No command is longer than a Revelation's text. A longer length byte is a damaged one.
const LONGEST_DATA: u8 = 32;

impl CommandReader {
    /// Takes one byte; gives the order it completes.
    pub fn push(&mut self, byte: u8) -> Option<Order> {
        // Only a bus command begins with a marked byte, so whatever had begun before it is lost.
        if byte & 0x80 != 0 {
            self.pending.clear();
        }
        self.pending.push(byte);
        if self.pending.len() < self.wanted() {
            return None;
        }
        Some(order(std::mem::take(&mut self.pending)))
    }

    fn wanted(&self) -> usize {
        match self.pending[..] {
            [id, ..] if id & 0x80 != 0 => 4,
            [0x2b | 0x60 | 0x63] => 2,
            [0x2b | 0x60 | 0x63, len, ..] if len <= LONGEST_DATA => 2 + usize::from(len),
            _ => 1,
        }
    }
}

fn order(bytes: Vec<u8>) -> Order {
    let known = match bytes[..] {
        [id, ..] if id & 0x80 != 0 => BusCommand::decode(&bytes).map(Order::Bus),
        [0x2b, _, 3, number, ref data @ .., 0] => {
            ClockCommand::decode(number, data).map(|command| Order::Single(Command::Clock(command)))
        }
        [0x60, 4, pattern, from, to, 0] => Some(Order::Single(Command::Lamps(Lamps { pattern, from, to }))),
        [byte] => Command::plain(byte).map(Order::Single),
        _ => None,
    };
    known.unwrap_or(Order::Unknown(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_to_a_single_board_is_marked() {
        let text = Command::Clock(ClockCommand::Text(*b"Z\xfcrich  ", 0));
        let lamps = Command::Lamps(Lamps { pattern: 1, from: 0xff, to: 0x80 });
        for command in [text, lamps] {
            assert!(command.encode().iter().all(|byte| byte & 0x80 == 0), "{command:?}");
        }
    }
}
