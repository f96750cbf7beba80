//! What electronic chess boards say ([`board`]), what screens hear and say ([`feed`]), and the frames it travels in
//! ([`websocket`]).
//!
//! This crate knows no port, no file, no clock and no runtime. Bytes come in as slices, time comes in as a
//! value, and what was understood comes out as values. So it can be used by any program that meets a board:
//!
//! ```
//! use protocol::board::dgt::{Decoder, Heard, Message};
//!
//! let mut decoder = Decoder::single();
//! decoder.push(&[0x05, 0x8e, 0x00, 0x05, 0x24, 0x01]);
//! assert_eq!(decoder.next_heard(), Some(Heard::Noise { skipped: 1 }));
//! let Some(Heard::Message(Message::FieldUpdate { square, code })) = decoder.next_heard() else { panic!() };
//! assert_eq!((square.to_string(), code.fen_char()), ("e4".to_owned(), 'P'));
//! ```
#![forbid(unsafe_code)]

pub mod board;
pub mod feed;
pub mod websocket;
