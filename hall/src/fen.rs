//! A position as it is written in FEN.

use shakmaty::{Chess, EnPassantMode, fen::Fen};

/// No FEN is longer: eight ranks of eight men, and what else is told.
const LONGEST: usize = 96;

/// With a square en passant only where a pawn may take there.
pub(crate) fn fen(position: &Chess) -> String {
    // It is written letter by letter: into room that is there.
    let mut text = String::with_capacity(LONGEST);
    Fen::from_position(position, EnPassantMode::Legal).append_to_string(&mut text);
    text
}
