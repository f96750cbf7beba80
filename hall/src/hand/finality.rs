//! When plies become final, or are followed until a press tells: the ways there are.

use shakmaty::{Color, Move, Position, Role, attacks};

use super::{
    closing::goes_to_centre,
    explain,
    hands::Hands,
    hearing::Silence,
    made::steps,
    moving::settle,
    record::{CENTRE, play_all},
    step::Settle,
};
use crate::Millis;

/// When a pressed ply is final: the board has been still for a moment.
pub(super) fn pressed_at(hands: &Hands) -> Option<Millis> {
    let press = hands.lever.opened()?;
    let count = hands.completed_by_open()?;
    let (below, above) = hands.seen.tail().split_at(count);
    let landed = below.iter().map(|played| hands.changed_at(*played)).max().unwrap_or(0);
    // What has landed sooner than the ply it lies on may have been played sooner: the man that goes up next tells. So does
    // he where something unlawful was found.
    let is_sooner = above.iter().any(|above| hands.changed_at(*above) < landed);
    let changed = if is_sooner || hands.unlawful.is_found() { hands.squares.last_change() } else { landed };
    let still = changed + hands.settings.press_before_ms;
    // A board that may not have told of all that was played has to show it first.
    let since = match hands.doubt().map(|doubt| (doubt.why, doubt.since)) {
        _ if !hands.has_shown(count) => Some(press.at),
        Some((Silence::BothPressed, _)) => Some(press.at),
        Some((Silence::Missed, since)) => Some(since),
        Some((Silence::Pressed | Silence::Lost, _)) | None => None,
    };
    let surveyed = since.map_or(0, |since| since + hands.settings.press_unseen_ms);
    let told = if is_in_hand(hands, count, press.at) { press.at + hands.settings.press_after_ms } else { 0 };
    Some(press.at.max(still).max(surveyed).max(told))
}

/// No square has told of the capture that this press completes, and its man has left a moment before: he may be in the hand.
fn is_in_hand(hands: &Hands, plies: usize, pressed: Millis) -> bool {
    let tail = hands.seen.tail();
    let left = tail.last().and_then(|last| last.from()).map_or(0, |from| hands.squares.changed_at(from));
    plies == tail.len() && hands.takes_silently() && pressed <= left + hands.settings.press_after_ms
}

/// Where presses decide: when plies under others need not be looked for afresh with them.
pub(super) fn follows_at(hands: &Hands) -> Option<Millis> {
    Some(hands.squares.rests_since() + hands.settings.follow_rest_ms)
}

/// When a ply with a reply on top is final.
pub(super) fn answered_at(hands: &Hands) -> Option<Millis> {
    let (tail, settings, rests) = (hands.seen.tail(), &hands.settings, hands.squares.rests_since());
    let landings = hands.tail_by_side().map(|(played, side)| stands_since(hands, played, side)).collect::<Vec<_>>();
    if waits_to_be_told(hands) && tail.len() == 2 {
        return Some(rests + settings.press_after_ms);
    }
    // Where no press can come nobody hurries. Men that are put up again land in any order, and two of them may look like a
    // move and its reply for a moment. Hands that play on are followed no further than so many plies.
    if !hands.lever.can_press() && !landings.is_sorted() && tail.len() < settings.plies_ahead {
        return Some(rests + settings.settle_ms);
    }
    let landed = landings.iter().max()?;
    // A captured man that flashes beside its square may pass for a move that ended there.
    let swapped = hands.making.swapped_at().map(|at| at + settings.reply_swapped_ms);
    swapped.max(Some(landed + settings.contact_debounce_ms))
}

/// Where no press can come: the last ply is a capture that no square has told of. Its man may be in the hand.
fn waits_to_be_told(hands: &Hands) -> bool {
    let rested = hands.now() >= hands.squares.rests_since() + hands.settings.press_after_ms;
    !hands.lever.can_press() && !rested && hands.takes_silently()
}

/// All plies that have an answer are final.
pub(super) fn settle_answered(hands: &mut Hands) {
    let answers = 1 + usize::from(waits_to_be_told(hands));
    settle(hands, Settle::seen(hands.seen.tail().len() - answers));
}

/// All plies that are seen are final.
pub(super) fn settle_all(hands: &mut Hands) {
    settle(hands, Settle::seen(hands.seen.tail().len()));
}

/// Since when a ply is on the board, even if its man has gone up again for the next one.
fn stands_since(hands: &Hands, played: Move, side: Color) -> Millis {
    let gone = hands.squares.lifted().iter().any(|lifted| lifted.from == played.to());
    if gone { explain::landed_at(side, played, &hands.squares) } else { hands.changed_at(played) }
}

/// When a ply under a hand of the opponent is final.
pub(super) fn opponent_lifts_at(hands: &Hands) -> Option<Millis> {
    let (side, released) = (hands.record.turn(), lone_landed(hands)? + hands.settings.release_dwell_ms);
    let seen = hands.seen_position();
    let lifted = hands.squares.in_air(seen.board()).find(|lifted| {
        let king_answer = goes_to_centre(hands) && (lifted.piece.role == Role::King || CENTRE.contains(lifted.from));
        lifted.piece.color != side && !king_answer
    })?;
    Some(hands.squares.lifted_at(&lifted).max(released) + hands.settings.opponent_lift_ms)
}

/// When a ply that ends the game is final. Where presses decide, it may lie on so many that nobody has pressed, all of
/// them made while the clock ran.
pub(super) fn ends_game_at(hands: &Hands) -> Option<Millis> {
    let (tail, settings) = (hands.seen.tail(), &hands.settings);
    let landed = if hands.lever.tells() {
        let below =
            hands.seen.followed.plies().iter().filter(|ply| ply.is_unpressed()).count() + tail.len().checked_sub(1)?;
        let may_end = below <= settings.unpressed_below_end && hands.off_clock() == 0;
        tail.last().filter(|_| may_end).map(|last| hands.changed_at(*last))?
    } else {
        lone_landed(hands)?
    };
    // A man who is taken to have taken another, of which no square has told, may be in the hand.
    let goes_on = is_extendable(hands) || hands.takes_silently();
    let rest = if goes_on { settings.settle_extendable_ms } else { settings.settle_end_ms };
    Some(landed + rest)
}

/// When a ply is final by rest.
pub(super) fn settles_at(hands: &Hands) -> Option<Millis> {
    lone_landed(hands)?;
    let settings = &hands.settings;
    let rest = if goes_to_centre(hands) {
        settings.settle_centre_ms
    } else if is_extendable(hands) {
        settings.settle_extendable_ms
    } else {
        settings.settle_ms
    };
    Some(hands.squares.rests_since() + rest)
}

/// When the last square of a single seen ply changed.
fn lone_landed(hands: &Hands) -> Option<Millis> {
    let [lone] = hands.seen.tail() else { return None };
    Some(hands.changed_at(*lone))
}

/// The man could go on: a slide that pauses, a rook before castling, a king on its way to castling.
fn is_extendable(hands: &Hands) -> bool {
    let Some((&Move::Normal { from, to, .. }, below)) = hands.seen.tail().split_last() else { return false };
    let Some(before) = play_all(hands.record.position(), below) else { return false };
    let could_follow = |longer: &Move| match *longer {
        Move::Castle { king, .. } => from == king || steps(before.turn(), *longer).nth(1) == Some((from, to)),
        Move::Normal { from: start, to: end, .. } => start == from && attacks::between(from, end).contains(to),
        Move::EnPassant { .. } | Move::Put { .. } => false,
    };
    before.legal_moves().iter().any(could_follow)
}
