//! What is asked of a game as it was really played.

use laws::{
    Ending,
    dead::{Budget, dead},
};
use shakmaty::{Chess, Color, Position};

use crate::rehearsal::Record;

/// When the ply is behind everyone: landed and pressed.
pub(super) fn over(truth: &Record, index: usize) -> Option<u64> {
    let ply = truth.plies.get(index)?;
    ply.landed.max(ply.pressed)
}

/// From when on this ply is what happens.
pub(super) fn since(truth: &Record, index: usize) -> u64 {
    index.checked_sub(1).and_then(|before| over(truth, before)).unwrap_or(0)
}

/// The position ends the game: whatever was played on is none of it.
pub(super) fn is_over(position: &Chess) -> bool {
    Ending::of(position).is_some() || dead(position, Budget::TABLE).is_some()
}

pub(super) fn position_after(truth: &Record, plies: usize) -> Chess {
    let mut position = truth.start.clone();
    truth.plies.iter().take(plies).for_each(|ply| position.play_unchecked(ply.mv));
    position
}

/// Who made this ply.
pub(super) fn mover(truth: &Record, index: usize) -> Color {
    if index.is_multiple_of(2) { truth.start.turn() } else { !truth.start.turn() }
}
