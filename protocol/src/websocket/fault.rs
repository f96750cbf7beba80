//! What can be wrong with what a client sends, and what it is told.

/// Why a connection is closed: the number that goes into the close frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CloseCode(u16);

impl CloseCode {
    /// All was said.
    pub const NORMAL: CloseCode = CloseCode(1000);
    /// The server ends.
    pub const GOING_AWAY: CloseCode = CloseCode(1001);
    /// What was sent is no WebSocket frame of a client.
    pub const PROTOCOL: CloseCode = CloseCode(1002);
    /// A text that is no text.
    pub const NOT_TEXT: CloseCode = CloseCode(1007);
    /// Against the house's rules.
    pub const POLICY: CloseCode = CloseCode(1008);
    /// A message too long.
    pub const TOO_BIG: CloseCode = CloseCode(1009);

    /// A number that may stand on the wire: given by the standard or its registry, or free for everybody's use.
    pub fn new(code: u16) -> Option<CloseCode> {
        matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999).then_some(CloseCode(code))
    }

    /// The number.
    pub fn get(self) -> u16 {
        self.0
    }
}

/// How a client broke the protocol. Nothing it sends afterwards is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A reserved bit is set, though no extension was agreed on.
    #[error("a reserved bit is set and no extension was agreed on")]
    ReservedBit,
    /// An opcode without a meaning.
    #[error("the opcode has no meaning")]
    UnknownOpcode,
    /// A frame of a client without a mask.
    #[error("a client's frames are masked")]
    Unmasked,
    /// A length in more bytes than it needs.
    #[error("a length is written in as few bytes as it needs")]
    LongWindedLength,
    /// Ping, pong or close in pieces.
    #[error("a control frame comes in one piece")]
    FragmentedControl,
    /// Ping, pong or close longer than they may be.
    #[error("a control frame has 125 bytes at most")]
    LongControl,
    /// A continuation, and nothing to continue.
    #[error("there is no message to continue")]
    NothingToContinue,
    /// A message begins before the one before it is over.
    #[error("the message before this one is not over")]
    MessageInMessage,
    /// A text that is not UTF-8.
    #[error("a text is written in UTF-8")]
    NotText,
    /// A close frame of one byte, or with a number that means nothing.
    #[error("this number closes nothing")]
    CloseWithoutMeaning,
    /// A message longer than anybody here wants to hear.
    #[error("the message is too long")]
    TooBig,
}

impl Fault {
    /// What the connection is closed with.
    pub fn code(self) -> CloseCode {
        match self {
            Fault::NotText => CloseCode::NOT_TEXT,
            Fault::TooBig => CloseCode::TOO_BIG,
            Fault::ReservedBit
            | Fault::UnknownOpcode
            | Fault::Unmasked
            | Fault::LongWindedLength
            | Fault::FragmentedControl
            | Fault::LongControl
            | Fault::NothingToContinue
            | Fault::MessageInMessage
            | Fault::CloseWithoutMeaning => CloseCode::PROTOCOL,
        }
    }
}
