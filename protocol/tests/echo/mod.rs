//! Says everything back: what suites for WebSocket servers talk to, on the daemon's own reader and writer.

use protocol::websocket::{CloseCode, End, Fault, Kind, Limits, Reader, Said};

/// Suites send sixteen megabytes to see whether anybody breaks.
const LIMITS: Limits = Limits { message: 16 << 20 };

/// One client's echo.
pub(crate) struct Echo {
    reader: Reader,
    message: Vec<u8>,
}

/// What goes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Text(Vec<u8>),
    Binary(Vec<u8>),
    Pong(Vec<u8>),
    /// The last one, and its sentence where something was wrong.
    Close(CloseCode, Option<Fault>),
}

impl Echo {
    pub(crate) fn new() -> Echo {
        Echo { reader: Reader::new(LIMITS), message: Vec::new() }
    }

    /// What `bytes` are answered with.
    pub(crate) fn answer(&mut self, mut bytes: &[u8]) -> Vec<Reply> {
        let mut replies = Vec::new();
        while let Some(said) = self.reader.next_said(&mut bytes) {
            replies.extend(self.reply(said));
        }
        replies
    }

    fn reply(&mut self, said: Said) -> Option<Reply> {
        match said {
            Said::Part { payload, end } => {
                self.message.extend(payload);
                match end {
                    End::Nothing | End::Frame => None,
                    End::Message(Kind::Text) => Some(Reply::Text(std::mem::take(&mut self.message))),
                    End::Message(Kind::Binary) => Some(Reply::Binary(std::mem::take(&mut self.message))),
                }
            }
            Said::Ping(payload) => Some(Reply::Pong(payload)),
            Said::Pong => None,
            Said::Close(code) => Some(Reply::Close(code, None)),
            Said::Broke(fault) => Some(Reply::Close(fault.code(), Some(fault))),
        }
    }
}
