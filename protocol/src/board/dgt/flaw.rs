//! What can be wrong with a frame that arrived whole.

/// Why a well framed message was not believed. It is reported and nothing is published from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A field update names a square past 63.
    #[error("there is no square {0:#04x}")]
    Square(u8),
    /// A clock shows digits no clock has.
    #[error("no clock shows these digits")]
    Time,
    /// A bus message does not add up: two boards spoke at once, or a byte was damaged.
    #[error("the checksum is {got:#04x}, the bytes add up to {sum:#04x}")]
    Checksum {
        /// The checksum that was sent.
        got: u8,
        /// What the bytes before it add up to.
        sum: u8,
    },
    /// The frame is too short or too long for what it says it is.
    #[error("the length does not fit the message")]
    Length,
}
