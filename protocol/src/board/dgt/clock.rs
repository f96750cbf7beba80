//! The chess clock at the board's socket: what it shows, what it acknowledges, what it can be told.

use super::flaw::Flaw;
use crate::board::Face;

/// What message 8d carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockMessage {
    /// Both times and the state of the lever.
    Times(ClockTimes),
    /// The clock answers a command or reports a button.
    Ack(ClockAck),
    /// No clock is connected. The digits mean nothing and are kept as they came.
    Absent([u8; 7]),
    /// Seven zeros, which some boards send after a clock command. To be ignored.
    Null,
}

/// Both faces of the clock and its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockTimes {
    /// The left face.
    pub left: FaceTime,
    /// The right face.
    pub right: FaceTime,
    /// Running, lever, side to move, battery.
    pub status: Status,
}

/// What one face of the clock shows: up to 9:59:59.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaceTime {
    /// 0 to 9.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
    /// Three bits: 1 flag fallen and the clock stopped at zero, 2 an increment or delay is set, 4 flag on display.
    pub flags: u8,
}

impl FaceTime {
    /// The flag bit for a clock that stopped at zero.
    pub const FALLEN: u8 = 1;
    /// The flag bit for an increment or delay.
    pub const PER_MOVE: u8 = 2;
    /// The flag bit for a flag on the display, the clock perhaps still running.
    pub const FLAG_SHOWN: u8 = 4;

    /// The face of `seconds`, cut at the most a clock can say.
    pub fn of(seconds: u32, flags: u8) -> FaceTime {
        let seconds = seconds.min(9 * 3600 + 59 * 60 + 59);
        let part = |value: u32| u8::try_from(value).expect("hours, minutes and seconds fit a byte");
        FaceTime {
            hours: part(seconds / 3600),
            minutes: part(seconds / 60 % 60),
            seconds: part(seconds % 60),
            flags: flags & 7,
        }
    }

    /// The time shown, in seconds.
    pub fn total_seconds(self) -> u32 {
        u32::from(self.hours) * 3600 + u32::from(self.minutes) * 60 + u32::from(self.seconds)
    }

    /// A flag of either kind is shown.
    pub fn flag(self) -> bool {
        self.flags & (FaceTime::FALLEN | FaceTime::FLAG_SHOWN) != 0
    }

    fn decode(bytes: [u8; 3]) -> Result<FaceTime, Flaw> {
        let [first, minutes, seconds] = bytes;
        let face = FaceTime {
            hours: first & 0x0f,
            minutes: from_bcd(minutes)?,
            seconds: from_bcd(seconds)?,
            flags: first >> 4 & 7,
        };
        if face.hours > 9 || face.minutes > 59 || face.seconds > 59 { Err(Flaw::Time) } else { Ok(face) }
    }

    fn encode(self) -> [u8; 3] {
        [(self.flags & 7) << 4 | self.hours & 0x0f, to_bcd(self.minutes), to_bcd(self.seconds)]
    }
}

/// The last byte of the clock message.
///
/// Some copies of the protocol's description state the two turn bits the other way round. Three recorded games,
/// 1549 messages, settle it: with bit 3 it is the left face that counts down, with bit 4 the right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status(pub u8);

impl Status {
    /// The clock runs: it is not paused.
    pub const RUNNING: u8 = 0x01;
    /// The right end of the lever is up.
    pub const RIGHT_HIGH: u8 = 0x02;
    /// The battery is low.
    pub const BATTERY_LOW: u8 = 0x04;
    /// The left face's player is to move.
    pub const LEFT_TO_MOVE: u8 = 0x08;
    /// The right face's player is to move.
    pub const RIGHT_TO_MOVE: u8 = 0x10;
    /// No clock is connected.
    pub const ABSENT: u8 = 0x20;

    /// Whether all of `bits` are set.
    pub fn has(self, bits: u8) -> bool {
        self.0 & bits == bits
    }

    /// The raised end of the lever; its player is to move.
    pub fn high(self) -> Face {
        if self.has(Status::RIGHT_HIGH) { Face::Right } else { Face::Left }
    }

    /// The face the clock names as counting, where it names exactly one.
    pub fn to_move(self) -> Option<Face> {
        match (self.has(Status::LEFT_TO_MOVE), self.has(Status::RIGHT_TO_MOVE)) {
            (true, false) => Some(Face::Left),
            (false, true) => Some(Face::Right),
            (true, true) | (false, false) => None,
        }
    }
}

/// An answer of the clock to a command, or its own report of a button or mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockAck(pub [u8; 4]);

/// A report nobody asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoAck {
    /// The clock is ready.
    Ready,
    /// A button was pressed; `None` if several were.
    Button(Option<Button>),
    /// The clock went into its e-board mode, or something of the kind.
    ModeEntered,
    /// The clock is not in its e-board mode.
    NotInMode,
    /// Another code.
    Other(u8),
}

/// The five buttons of a DGT clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    /// The button marked back.
    Back,
    /// Plus.
    Plus,
    /// Run or pause.
    Run,
    /// Minus.
    Minus,
    /// OK.
    Ok,
}

impl ClockAck {
    /// The command was carried out.
    pub fn is_ok(self) -> bool {
        self.0[0] == 0x10
    }

    /// What the clock reports unasked, if this is no answer.
    pub fn auto(self) -> Option<AutoAck> {
        let [_, kind, _, button] = self.0;
        if kind & 0x80 == 0 {
            return None;
        }
        Some(match kind {
            0x81 => AutoAck::Ready,
            0x88 => AutoAck::Button(match button {
                0x31 => Some(Button::Back),
                0x32 => Some(Button::Plus),
                0x33 => Some(Button::Run),
                0x34 => Some(Button::Minus),
                0x35 => Some(Button::Ok),
                _ => None,
            }),
            0x8a => AutoAck::ModeEntered,
            0x90 => AutoAck::NotInMode,
            other => AutoAck::Other(other),
        })
    }

    /// The answer to the version question: 1.x is an XL, 2.x a DGT3000.
    pub fn version(self) -> Option<(u8, u8)> {
        let [_, kind, version, _] = self.0;
        (kind == 0x09 && self.is_ok()).then_some((version >> 4, version & 0x0f))
    }

    /// The top bits of the four values travel in the flag bits of the two hour bytes.
    fn decode(b: [u8; 7]) -> ClockAck {
        ClockAck([
            b[1] & 0x7f | b[3] << 3 & 0x80,
            b[2] & 0x7f | b[3] << 2 & 0x80,
            b[4] & 0x7f | b[0] << 3 & 0x80,
            b[5] & 0x7f | b[0] << 2 & 0x80,
        ])
    }

    fn encode(self) -> [u8; 7] {
        let [a0, a1, a2, a3] = self.0;
        let marked = |fifth: u8, sixth: u8| 0x0a | (fifth & 0x80) >> 3 | (sixth & 0x80) >> 2;
        [marked(a2, a3), a0 & 0x7f, a1 & 0x7f, marked(a0, a1), a2 & 0x7f, a3 & 0x7f, 0]
    }
}

impl ClockMessage {
    pub(super) fn decode(payload: &[u8]) -> Result<ClockMessage, Flaw> {
        let bytes: [u8; 7] = payload.try_into().map_err(|_| Flaw::Length)?;
        let [r0, r1, r2, l0, l1, l2, status] = bytes;
        // Both hour bytes are asked: with a top bit of an answer set, one of them is not a bare 0a.
        if r0 & 0x0f == 0x0a || l0 & 0x0f == 0x0a {
            return Ok(ClockMessage::Ack(ClockAck::decode(bytes)));
        }
        if bytes == [0; 7] {
            return Ok(ClockMessage::Null);
        }
        let status = Status(status);
        if status.has(Status::ABSENT) {
            return Ok(ClockMessage::Absent(bytes));
        }
        let (left, right) = (FaceTime::decode([l0, l1, l2])?, FaceTime::decode([r0, r1, r2])?);
        Ok(ClockMessage::Times(ClockTimes { left, right, status }))
    }

    pub(super) fn encode(&self) -> [u8; 7] {
        match self {
            ClockMessage::Times(ClockTimes { left, right, status }) => {
                let ([r0, r1, r2], [l0, l1, l2]) = (right.encode(), left.encode());
                [r0, r1, r2, l0, l1, l2, status.0 & 0x7f]
            }
            ClockMessage::Ack(ack) => ack.encode(),
            ClockMessage::Absent(bytes) => *bytes,
            ClockMessage::Null => [0; 7],
        }
    }
}

/// What the clock can be told. A daemon that only broadcasts needs none of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockCommand {
    /// Seven-segment text of an XL, first letter first, with its icons.
    Display {
        /// One byte of segments a letter.
        segments: [u8; 6],
        /// Dots, colons and ones.
        icons: u8,
        /// With a beep.
        beep: bool,
    },
    /// The icons around the digits: left row, right row, left periods and flag, right periods and flag, special.
    Icons([u8; 5]),
    /// Back to showing times.
    EndText,
    /// Which button is held?
    Buttons,
    /// Which clock is this?
    Version,
    /// Set both times and run, pause or follow the lever.
    SetAndRun(SetAndRun),
    /// Beep for this many times 64 ms.
    Beep(u8),
    /// Eight letters on a DGT3000, and how long to beep (0 for silence).
    Text([u8; 8], u8),
    /// Eleven letters on a Revelation II, and how long to beep.
    LongText([u8; 11], u8),
}

/// The times and the mode of a set-and-run command. Plain binary on the wire, unlike everything the clock says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetAndRun {
    /// Left hours, minutes, seconds. Hours with bit 4 set count up.
    pub left: [u8; 3],
    /// Right hours, minutes, seconds.
    pub right: [u8; 3],
    /// 1 left counts, 2 right counts, 4 pause, 8 toggle on the lever.
    pub control: u8,
}

impl ClockCommand {
    /// The number of the command and its data.
    pub(super) fn encode(&self) -> (u8, Vec<u8>) {
        match self {
            ClockCommand::Display { segments: [a, b, c, d, e, f], icons, beep } => {
                (0x01, vec![*c, *b, *a, *f, *e, *d, *icons, if *beep { 3 } else { 1 }])
            }
            ClockCommand::Icons([a, b, c, d, e]) => (0x02, vec![*a, *b, *c, *d, *e, 0, 0, 0]),
            ClockCommand::EndText => (0x03, Vec::new()),
            ClockCommand::Buttons => (0x08, Vec::new()),
            ClockCommand::Version => (0x09, Vec::new()),
            ClockCommand::SetAndRun(SetAndRun { left, right, control }) => {
                (0x0a, [left.as_slice(), right, &[*control]].concat())
            }
            ClockCommand::Beep(units) => (0x0b, vec![*units]),
            ClockCommand::Text(text, beep) => (0x0c, [text.as_slice(), &[*beep]].concat()),
            ClockCommand::LongText(text, beep) => (0x0d, [text.as_slice(), &[*beep]].concat()),
        }
    }

    pub(super) fn decode(number: u8, data: &[u8]) -> Option<ClockCommand> {
        Some(match (number, data) {
            (0x01, &[c, b, a, f, e, d, icons, beep]) => {
                ClockCommand::Display { segments: [a, b, c, d, e, f], icons, beep: beep == 3 }
            }
            (0x02, &[a, b, c, d, e, _, _, _]) => ClockCommand::Icons([a, b, c, d, e]),
            (0x03, []) => ClockCommand::EndText,
            (0x08, []) => ClockCommand::Buttons,
            (0x09, []) => ClockCommand::Version,
            (0x0a, &[lh, lm, ls, rh, rm, rs, control]) => {
                ClockCommand::SetAndRun(SetAndRun { left: [lh, lm, ls], right: [rh, rm, rs], control })
            }
            (0x0b, &[units]) => ClockCommand::Beep(units),
            (0x0c, [text @ .., beep]) => ClockCommand::Text(text.try_into().ok()?, *beep),
            (0x0d, [text @ .., beep]) => ClockCommand::LongText(text.try_into().ok()?, *beep),
            _ => return None,
        })
    }
}

pub(super) fn from_bcd(byte: u8) -> Result<u8, Flaw> {
    let (tens, ones) = (byte >> 4, byte & 0x0f);
    if tens > 9 || ones > 9 { Err(Flaw::Time) } else { Ok(tens * 10 + ones) }
}

pub(super) fn to_bcd(value: u8) -> u8 {
    ((value / 10 % 10) << 4) | (value % 10)
}
