//! Games with blind and visually disabled players: how moves are announced, and two boards that must agree.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | where | - | Appendix E | Appendix D | D | D |
//! | announcing, words | - | E.2.1 | D.2.1 | D.2.1 | D.2.1 |
//! | touched: out of its hole | - | E.2.2 | D.2.2 | D.2.2 | D.2.2 |
//! | made: in another hole, the captured man off, announced | - | E.2.3 | D.2.3 | D.2.3 | D.2.3 |
//! | boards that differ | - | E.2.7 | D.2.8 | D.2.9 | D.2.9 |
//!
//! An announcement names the man, the square it leaves and the square it reaches, and the piece a pawn becomes. Nothing
//! else is said: no check, no capture, no opinion. A player may want more, and an arbiter may allow it.
//!
//! [`announce`] gives what is said as tokens, [`speech`], [`display`] and [`braille`] put them into words of a [`Voice`];
//! [`hear`] understands the same words, and [`compare`] finds where two boards parted. A language is a file in `words/`.

mod announcement;
mod boards;
mod hearing;
mod reading;
mod voice;

pub use announcement::{Manner, Token, Verbosity, announce, braille, display, in_the_laws_words, speech};
pub use boards::{Boards, compare, last_common_ply};
pub use hearing::{Heard, hear};
pub use reading::{alphabet, line, men, whole};
pub use voice::{Alphabet, Phrase, Voice};
