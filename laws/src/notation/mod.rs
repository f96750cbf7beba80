//! Writing moves down: algebraic notation in the languages of scoresheets, and reading what players wrote.
//!
//! | | king | queen | rook | bishop | knight | en passant |
//! |---|---|---|---|---|---|---|
//! | English `en` | K | Q | R | B | N | e.p. |
//! | Spanish `es` | R | D | T | A | C | a.p. |
//! | German `de` | K | D | T | L | S | e.p. |
//! | French `fr` | R | D | T | F | C | e.p. |
//! | Italian `it` | R | D | T | A | C | e.p. |
//! | Portuguese `pt` | R | D | T | B | C | e.p. |
//! | Dutch `nl` | K | D | T | L | P | e.p. |
//! | `figurine` | ♔ | ♕ | ♖ | ♗ | ♘ | e.p. |
//!
//! The system is the same in every edition (Appendix C; 1993: the annex on notation): pawns have no letter, the square
//! of departure may be written out (`Cg1f3`), castling is `0-0` and `0-0-0`, an offer of a draw is `(=)`. The marks for
//! captures, checks, mate and en passant are optional. Each player may use the letters of their own language.
//!
//! | | write | read |
//! |---|---|---|
//! | a move | [`Style::write`] | [`read()`] |
//! | a game | [`Style::sheet`] | |

mod language;
mod read;
mod write;

pub use language::Language;
pub use read::{Reading, read};
pub use write::{DRAW_OFFER, Form, Style};
