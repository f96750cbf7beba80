//! What clients say, cut anywhere.

use super::{
    CloseCode, Fault,
    header::{Header, Making},
    utf8::Utf8,
    wire::{CLOSE, PING, PONG, TEXT},
};

/// What a reader puts up with.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a message, all its fragments together.
    pub message: usize,
}

/// What a client said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// More of a message. Each data frame ends with one of these, though it be empty.
    Part {
        /// The bytes, without their mask. Of a text they are checked already, as far as letters are finished.
        payload: Vec<u8>,
        /// What ends with them.
        end: End,
    },
    /// Asks for a pong with the same payload.
    Ping(Vec<u8>),
    /// Answers a ping, or gives a sign of life.
    Pong,
    /// Says good-bye, and wants to hear this number back.
    Close(CloseCode),
    /// Broke the protocol. Nothing after it is read.
    Broke(Fault),
}

impl Said {
    /// A frame is over, of whatever kind.
    pub fn ends_frame(&self) -> bool {
        !matches!(self, Said::Part { end: End::Nothing, .. })
    }
}

/// What ends with a part of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Nothing: more bytes of the frame are under way.
    Nothing,
    /// The frame, and not the message.
    Frame,
    /// The message.
    Message(Kind),
}

/// What a message is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// UTF-8.
    Text,
    /// Anything.
    Binary,
}

/// Reads what one client sends.
///
/// Give it the bytes as they come and call [`Reader::next_said`] until it says `None`. Nothing is said after
/// [`Said::Close`] and [`Said::Broke`]. It keeps a header in the making and the payload of a control frame, and never a
/// message.
#[derive(Debug)]
pub struct Reader {
    limits: Limits,
    making: Making,
    frame: Option<Frame>,
    message: Option<Message>,
    is_over: bool,
}

/// A frame whose header is complete.
#[derive(Debug)]
struct Frame {
    header: Header,
    /// Bytes of it that have come.
    have: usize,
    /// Payload of a control frame, without its mask.
    control: Vec<u8>,
}

/// A message that has begun.
#[derive(Debug)]
struct Message {
    /// Bytes it may still have.
    room: usize,
    /// The text so far; `None` for bytes.
    text: Option<Utf8>,
}

enum Step {
    Starved,
    Onward,
    Said(Said),
}

impl Reader {
    /// Before the first frame.
    pub fn new(limits: Limits) -> Reader {
        Reader { limits, making: Making::default(), frame: None, message: None, is_over: false }
    }

    /// Takes bytes from the front of `bytes` up to the next thing said. `None` means that all bytes were taken.
    pub fn next_said(&mut self, bytes: &mut &[u8]) -> Option<Said> {
        while !self.is_over {
            let step = match self.frame.take() {
                Some(frame) => self.body(frame, bytes),
                None => self.head(bytes),
            };
            match step.unwrap_or_else(|fault| Step::Said(Said::Broke(fault))) {
                Step::Starved => return None,
                Step::Onward => {}
                Step::Said(said) => {
                    self.is_over = matches!(said, Said::Close(_) | Said::Broke(_));
                    return Some(said);
                }
            }
        }
        *bytes = &[];
        None
    }

    fn head(&mut self, bytes: &mut &[u8]) -> Result<Step, Fault> {
        let Some((first, rest)) = bytes.split_first() else { return Ok(Step::Starved) };
        *bytes = rest;
        let room = self.message.as_ref().map(|message| message.room);
        let header = self.making.take(*first, room, self.limits.message)?;
        self.frame = header.map(|header| Frame { header, have: 0, control: Vec::new() });
        Ok(Step::Onward)
    }

    fn body(&mut self, mut frame: Frame, bytes: &mut &[u8]) -> Result<Step, Fault> {
        let missing = frame.header.length - frame.have;
        if bytes.is_empty() && missing > 0 {
            self.frame = Some(frame);
            return Ok(Step::Starved);
        }
        let (part, rest) = bytes.split_at(missing.min(bytes.len()));
        *bytes = rest;
        let payload = unmasked(part, frame.header.mask, frame.have);
        frame.have += part.len();
        if frame.header.is_control() { self.control(frame, &payload) } else { self.data(frame, payload) }
    }

    fn control(&mut self, mut frame: Frame, payload: &[u8]) -> Result<Step, Fault> {
        frame.control.extend(payload);
        if frame.have < frame.header.length {
            self.frame = Some(frame);
            return Ok(Step::Starved);
        }
        Ok(Step::Said(match frame.header.opcode {
            PING => Said::Ping(frame.control),
            PONG => Said::Pong,
            CLOSE => Said::Close(good_bye(&frame.control)?),
            _ => return Err(Fault::UnknownOpcode),
        }))
    }

    fn data(&mut self, frame: Frame, payload: Vec<u8>) -> Result<Step, Fault> {
        let begins = || Message { room: self.limits.message, text: (frame.header.opcode == TEXT).then(Utf8::default) };
        let mut message = self.message.take().unwrap_or_else(begins);
        message.take(&payload)?;
        let end = match (frame.have == frame.header.length, frame.header.is_last) {
            (false, _) => End::Nothing,
            (true, false) => End::Frame,
            (true, true) => End::Message(message.end()?),
        };
        match end {
            End::Nothing => {
                self.message = Some(message);
                self.frame = Some(frame);
            }
            End::Frame => self.message = Some(message),
            End::Message(_) => {}
        }
        Ok(Step::Said(Said::Part { payload, end }))
    }
}

impl Message {
    /// The header has been looked at, so there is room.
    fn take(&mut self, payload: &[u8]) -> Result<(), Fault> {
        self.room = self.room.saturating_sub(payload.len());
        self.text.as_mut().map_or(Ok(()), |text| text.take(payload).map_err(|_| Fault::NotText))
    }

    fn end(&self) -> Result<Kind, Fault> {
        match self.text {
            None => Ok(Kind::Binary),
            Some(text) if text.is_whole() => Ok(Kind::Text),
            Some(_) => Err(Fault::NotText),
        }
    }
}

fn unmasked(part: &[u8], mask: [u8; 4], from: usize) -> Vec<u8> {
    part.iter().zip((from..).map(|at| mask[at % 4])).map(|(byte, mask)| byte ^ mask).collect()
}

/// A close frame is empty, or it begins with a number that may stand on the wire and goes on with a text.
fn good_bye(payload: &[u8]) -> Result<CloseCode, Fault> {
    match payload {
        [] => Ok(CloseCode::NORMAL),
        [_] => Err(Fault::CloseWithoutMeaning),
        [high, low, reason @ ..] => {
            let code = CloseCode::new(u16::from_be_bytes([*high, *low])).ok_or(Fault::CloseWithoutMeaning)?;
            std::str::from_utf8(reason).map_err(|_| Fault::NotText)?;
            Ok(code)
        }
    }
}
