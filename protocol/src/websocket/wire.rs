//! Numbers of the standard, as they stand on the wire.

/// The protocol's own limit for the payload of ping, pong and close.
pub const LONGEST_CONTROL: usize = 125;

/// Two bytes, eight of length, four of mask.
pub(super) const LONGEST_HEADER: usize = 14;

pub(super) const FIN: u8 = 0x80;
pub(super) const RESERVED: u8 = 0x70;
pub(super) const OPCODE: u8 = 0x0f;
pub(super) const MASKED: u8 = 0x80;
pub(super) const LENGTH: u8 = 0x7f;

/// What stands in the seven bits of length where two bytes of it follow, and where eight do.
pub(super) const TWO_FOLLOW: u8 = 126;
pub(super) const EIGHT_FOLLOW: u8 = 127;

/// Opcodes. From 8 on they are of control frames.
pub(super) const CONTINUATION: u8 = 0x0;
pub(super) const TEXT: u8 = 0x1;
pub(super) const BINARY: u8 = 0x2;
pub(super) const CLOSE: u8 = 0x8;
pub(super) const PING: u8 = 0x9;
pub(super) const PONG: u8 = 0xa;
