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
mod wire;
mod write;

pub use fault::{CloseCode, Fault};
pub use read::{End, Kind, Limits, Reader, Said};
pub use wire::LONGEST_CONTROL;
pub use write::{binary, close, pong, text};
