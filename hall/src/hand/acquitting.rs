//! What a press has found wrong was the sensors' doing: a later press completes its ply, and no hand has put the man
//! right since.

use laws::touch::victim;
use protocol::board::Content;
use shakmaty::{Bitboard, Color, Move, Piece, Square};

use super::{
    deed::Deed,
    evidence::Reading,
    hands::Hands,
    made::{Made, footprint},
    track::matches,
};
use crate::Millis;

/// So many plies of the tail will be followed: the first one of the player who was accused may have been there all the
/// time. Whoever has pressed for it again had put something right.
pub(super) fn acquit(hands: &mut Hands, plies: usize) {
    let displaced = hands.unlawful.displaced_since().filter(|_| hands.lever.tells());
    if let Some(told) = displaced.and_then(|since| misread_since(hands, plies, since)) {
        return hands.say(Deed::Unfounded(told));
    }
    let accused = hands.unlawful.accused();
    let Some((side, pressed)) = accused.or(hands.unlawful.idler()) else { return };
    let Some((played, _)) = hands.tail_by_side().take(plies).find(|(_, mover)| *mover == side) else { return };
    let was_there = Made::whole(side, played).landings().all(|(square, man)| {
        let told = match read_there(hands, square, man) {
            None => was_beside(hands, square, man, pressed),
            Some(landed) if hands.unlawful.is_illegal() => {
                landed.at <= pressed || may_be_in_hand(hands, landed, man, pressed)
            }
            Some(landed) => stood(hands, landed, man, pressed, accused.is_some()),
        };
        told || victim(played) == Some(square) && replaced(hands, square, pressed)
    });
    if !has_pressed_again(hands, side, pressed) && was_there {
        hands.say(Deed::Unfounded(footprint(played)));
    }
}

/// Men stood wrong, and all that has changed since, readings that jump apart, is what was played: no hand has put one right.
/// Then it gives the squares of what was played that have told since.
fn misread_since(hands: &Hands, plies: usize, since: Millis) -> Option<Bitboard> {
    let played = hands.seen.tail().iter().flat_map(|played| footprint(*played)).collect::<Bitboard>();
    let readings = || hands.squares.evidence.readings(since);
    let by_hand = |reading: &Reading| {
        let jumps = match reading.is {
            Content::Empty => goes_on_beside(hands, reading),
            Content::Occupied | Content::Man(_) => came_from_beside(hands, reading),
        };
        !reading.found && !played.contains(reading.square) && !jumps
    };
    let accused = hands.unlawful.accused().map(|(side, _)| side);
    let is_theirs = |(_, mover): &(Move, Color)| accused.is_none_or(|side| side == *mover);
    let (first, side) = hands.tail_by_side().take(plies).find(is_theirs)?;
    let stays = |(square, man)| {
        let read = readings().filter(|reading| reading.square == square && matches(reading.is, Some(man))).last();
        read.is_none_or(|read| read.found || came_from_beside(hands, read))
    };
    let stay = !has_pressed_again(hands, side, since) && Made::whole(side, first).landings().all(stays);
    let told = || played & readings().map(|reading| reading.square).collect::<Bitboard>();
    (stay && !readings().any(by_hand)).then(told)
}

/// This player has pressed since for all that is seen of theirs. Who has taken up the next man may have pressed for him.
fn has_pressed_again(hands: &Hands, side: Color, since: Millis) -> bool {
    let plies = hands.tail_by_side().filter(|(_, mover)| *mover == side).count() + usize::from(hands.floating(side));
    hands.squares.evidence.presses(since).filter(|(by, _)| *by == side).count() >= plies
}

/// The man that was read here is read on the square beside within a scan.
pub(super) fn goes_on_beside(hands: &Hands, left: &Reading) -> bool {
    let is_he = |reading: &Reading| {
        let within = reading.at.abs_diff(left.at) < hands.settings.scan_ms;
        within && reading.square.distance(left.square) == 1 && reading.is == left.was
    };
    hands.readings().any(is_he)
}

/// Within a scan he was read on the square beside, or one of his own men was read there in his place.
fn came_from_beside(hands: &Hands, came: &Reading) -> bool {
    let Content::Man(man) = came.is else { return false };
    let leaves = |reading: &&Reading| reading.square.distance(came.square) == 1 && reading.was == came.is;
    let jumps = |reading: &Reading| {
        let replaced = matches!(reading.is, Content::Man(other) if other.color == man.color);
        reading.at.abs_diff(came.at) <= hands.settings.scan_ms || replaced && reading.at <= came.at
    };
    hands.readings().filter(leaves).any(jumps)
}

/// A press had found nothing new, and its man was in the hand, or where it stands, all the time: only the dump that was
/// asked for has told, or what came no later than a board may be behind its clock, for no hand is so fast.
pub(super) fn acquit_press(hands: &mut Hands) {
    let Some((side, pressed)) = hands.unlawful.idler() else { return };
    let (now, settings) = (hands.now(), &hands.settings);
    let at_once = pressed + settings.lateness_most_ms;
    let unheard = if now <= at_once { Bitboard::FULL } else { hands.squares.found() };
    let gone = hands.record.board().by_color(side) & unheard & !hands.squares.occupied();
    let told_late = |square: Square| unheard.contains(square) || hands.squares.changed_at(square) <= at_once;
    let first = hands.tail_by_side().next().filter(|(_, mover)| *mover == side && hands.seen.fits());
    let made = first.is_some_and(|(played, _)| {
        let in_time = footprint(played).intersects(unheard) && footprint(played).into_iter().all(told_late);
        in_time || came_at_once(hands, played, pressed)
    });
    if made || gone.any() && now <= pressed + settings.press_after_ms {
        hands.take_up_press(side, pressed);
        hands.say(Deed::Unfounded(gone | hands.squares.found()));
    }
}

/// All squares of this ply have told within a scan, and none had told of anything since the press: no hand is so fast, and
/// the board had been held up.
fn came_at_once(hands: &Hands, played: Move, pressed: Millis) -> bool {
    let told = || footprint(played).into_iter().map(|square| hands.squares.changed_at(square));
    let (Some(first), Some(last)) = (told().min(), told().max()) else { return false };
    let is_far = played.from().is_some_and(|from| from.distance(played.to()) > 1);
    let mut readings = hands.squares.evidence.readings(pressed);
    is_far && last - first < hands.settings.scan_ms && readings.all(|reading| reading.at >= first)
}

/// The man was read there within a scan of leaving the square beside, as no hand can put him, or only a dump has told; or,
/// where he had been taken up for the press, in time for it, or nowhere else since.
fn stood(hands: &Hands, landed: &Reading, man: Piece, pressed: Millis, taken_up: bool) -> bool {
    let left_beside = |reading: &Reading| {
        let within = hands.squares.evidence.jumps(reading.at, landed.at, &hands.settings);
        within && reading.square.distance(landed.square) == 1 && matches(reading.was, Some(man))
    };
    let waited = pressed..landed.at;
    let elsewhere = |reading: &Reading| waited.contains(&reading.at) && matches(reading.was, Some(man));
    let in_time = landed.at <= pressed + hands.settings.press_after_ms;
    let by_press = taken_up && (in_time || !hands.readings().any(elsewhere));
    landed.found || by_press || hands.readings().any(left_beside)
}

/// Only a dump has told that a man of his kind had left, and he has landed soon after the press: he was in the hand then.
fn may_be_in_hand(hands: &Hands, landed: &Reading, man: Piece, pressed: Millis) -> bool {
    let gone_unheard =
        |reading: &Reading| reading.found && reading.is == Content::Empty && matches(reading.was, Some(man));
    landed.at <= pressed + hands.settings.press_after_ms && hands.readings().any(gone_unheard)
}

/// Nothing has read him there, but on the square beside by the time of the press: no hand has put him right.
fn was_beside(hands: &Hands, square: Square, man: Piece, pressed: Millis) -> bool {
    let beside = |reading: &Reading| reading.square.distance(square) == 1 && matches(reading.is, Some(man));
    hands.readings().any(|reading| beside(reading) && reading.at <= pressed)
}

/// On a board that names nobody: somebody was read there when it was pressed, and it may have been him who took the other.
fn replaced(hands: &Hands, square: Square, pressed: Millis) -> bool {
    let told = hands.readings().filter(|reading| reading.square == square && reading.at <= pressed).last();
    !hands.squares.names() && told.is_none_or(|told| told.is != Content::Empty)
}

/// When this man was read on this square, last.
fn read_there(hands: &Hands, square: Square, man: Piece) -> Option<&Reading> {
    hands.readings().filter(|reading| reading.square == square && matches(reading.is, Some(man))).last()
}
