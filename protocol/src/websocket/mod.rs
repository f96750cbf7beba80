//! WebSocket frames (RFC 6455), the server's side: what a server writes ([`text`], [`pong`], [`close`]) and how it
//! understands what clients write ([`Reader`]).
//!
//! No extension is spoken, so reserved bits are never set, and a server's frames are not masked: the same bytes go to
//! every viewer. Whatever breaks the protocol has a name, [`Fault`], which knows the number and the sentence of the
//! close frame that answers it.
//!
//! ```
//! use protocol::websocket::{End, Kind, Limits, Reader, Said, text};
//!
//! let mut reader = Reader::new(Limits { message: 4096 });
//! let mut bytes: &[u8] = b"\x81\x83mask\x23\x07\x40";
//! let said = Said::Part { payload: b"Nf3".to_vec(), end: End::Message(Kind::Text) };
//! assert_eq!(reader.next_said(&mut bytes), Some(said));
//! assert_eq!(reader.next_said(&mut bytes), None);
//! assert_eq!(text(b"Nf3"), b"\x81\x03Nf3");
//! ```

mod fault;
mod header;
mod read;
mod utf8;
mod write;

pub use fault::{CloseCode, Fault};
pub use read::{End, Kind, Limits, Reader, Said};
pub use write::{binary, close, pong, text};

/// The protocol's own limit for the payload of ping, pong and close.
pub const LONGEST_CONTROL: usize = 125;

/// Two bytes, eight of length, four of mask.
const LONGEST_HEADER: usize = 14;

const FIN: u8 = 0x80;
const RESERVED: u8 = 0x70;
const OPCODE: u8 = 0x0f;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;

/// What stands in the seven bits of length where two bytes of it follow, and where eight do.
const TWO_FOLLOW: u8 = 126;
const EIGHT_FOLLOW: u8 = 127;

/// Opcodes. From 8 on they are of control frames.
const CONTINUATION: u8 = 0x0;
const TEXT: u8 = 0x1;
const BINARY: u8 = 0x2;
const CLOSE: u8 = 0x8;
const PING: u8 = 0x9;
const PONG: u8 = 0xa;
