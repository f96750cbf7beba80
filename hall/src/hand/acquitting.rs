//! What a press has found wrong was the sensors' doing: a later press completes its ply, and no hand has put the man
//! right since.

use laws::touch::victim;
use shakmaty::{Move, Piece, Square};

use super::{deed::Deed, evidence::Reading, explain::footprint, hands::Hands, made::Made, track::matches};
use crate::Millis;

/// So many plies of the tail will be followed: the first one of the player who was accused may have been there all the
/// time. Whoever has pressed for it again had put something right.
pub(super) fn acquit(hands: &mut Hands, plies: usize) {
    let Some((side, pressed)) = hands.unlawful.accused().filter(|_| hands.squares.names()) else { return };
    let Some(at) = hands.tail_by_side().take(plies).position(|(_, mover)| mover == side) else { return };
    let (played, reply) = (hands.seen.tail()[at], hands.seen.tail().get(at + 1).copied());
    let made = Made::whole(side, played);
    let mut men = made.changes.into_iter().flatten().filter_map(|(square, man)| Some((square, man?)));
    let was_there = men.all(|(square, man)| {
        let misread = || was_taken_elsewhere(hands, square, man, reply);
        !hands.unlawful.is_illegal() && stood(hands, square, man, pressed) || misread()
    });
    let plies = hands.tail_by_side().filter(|(_, mover)| *mover == side).count();
    let again = hands.squares.evidence().presses(pressed).filter(|(by, _)| *by == side).count();
    if again < plies && was_there {
        hands.say(Deed::Unfounded(footprint(played)));
    }
}

/// The man was read there in time for the press, or within a scan of leaving the square beside, as no hand can put him; or
/// only a dump has told.
fn stood(hands: &Hands, square: Square, man: Piece, pressed: Millis) -> bool {
    let is_he = |reading: &&Reading| reading.square == square && matches(reading.is, Some(man));
    let Some(landed) = hands.readings().filter(is_he).last() else { return false };
    let left_beside = |reading: &Reading| {
        let within = reading.at.abs_diff(landed.at) <= hands.settings.scan_ms;
        within && reading.square.distance(square) == 1 && matches(reading.was, Some(man))
    };
    landed.found || landed.at <= pressed + hands.settings.press_after_ms || hands.readings().any(left_beside)
}

/// Nothing has read him there, but on the square beside, until the opponent took him where he stood.
fn was_taken_elsewhere(hands: &Hands, square: Square, man: Piece, reply: Option<Move>) -> bool {
    let is_he = |reading: &Reading| matches(reading.is, Some(man));
    let beside = |reading: &Reading| reading.square.distance(square) == 1 && is_he(reading);
    let read = hands.readings().any(|reading| reading.square == square && is_he(reading));
    !read && reply.and_then(victim) == Some(square) && hands.readings().any(beside)
}
