//! A hole in the record: nothing that was found leads to the board. Hands are followed from what stands on it, and what
//! was played before is for somebody to fill in.

use shakmaty::{Chess, Color, Position};

use super::{
    gap::bridge,
    story::{go_on_from, reopen_gap},
};
use crate::{
    Millis,
    hand::{
        evidence::Reading,
        hands::Hands,
        reach::reaches,
        squares::Lifted,
        step::Steps,
        stories::{Stories, set_up},
        track::matches,
    },
};

/// When a board that nothing leads to will have stood for so long that hands are followed from it.
pub(in crate::hand) fn leaps_at(hands: &Hands) -> Option<Millis> {
    let rested = hands.squares.rests_since();
    let stands = || hands.seen.is_held() || pressed(hands).is_some();
    let lost = match &hands.lost.stories {
        None => hands.hearing.is_gap() && stands() || hands.plays_on(),
        Some(stories) => !stories.is_fresh() || stories.hole.is_some() || hands.plays_on(),
    };
    // Where hands have gone on from a hole, it was right; and a move may take its time. After another gap both are over.
    let went_on = !hands.hearing.is_gap() && hands.lost.stories.as_ref().is_some_and(|stories| !stories.is_fresh());
    let since = if went_on { hands.seen.unfit_since()? + hands.settings.mismatch_rest_ms } else { 0 };
    let tried = hands.lost.searched.leapt_at == Some(rested);
    (lost && !tried).then(|| since.max(rested + hands.settings.story_rest_ms))
}

/// They are, if nothing was overlooked, the board shows a position and nobody seems to hold a man.
pub(in crate::hand) fn leap(hands: &mut Hands) -> Steps {
    hands.lost.searched.leapt_at = Some(hands.squares.rests_since());
    if hands.lost.stories.as_ref().is_some_and(Stories::is_fresh) {
        reopen_gap(hands);
    }
    if hands.hearing.is_gap() {
        // For the last time: it is worth looking as far as anybody can.
        hands.lost.search_afresh(hands.now());
        let steps = bridge(hands);
        if !hands.hearing.is_gap() || !steps.is_empty() || hands.lost.searched.in_hand {
            return steps;
        }
    }
    let stand = stand(hands).filter(|_| may_be_played(hands));
    stand.map_or_else(Vec::new, |(stand, told)| go_on_from(hands, stand, told))
}

/// A press is for nothing that could follow a hole of only some plies ago, or a story that was doubted all along: nobody is
/// judged by what nobody has heard, but by what no plies could have brought there. Gives what has to be done if it is so.
pub(in crate::hand) fn leap_again(hands: &mut Hands, side: Color) -> Option<Steps> {
    let (position, board) = (hands.record.position(), hands.squares.board());
    if !hands.stands_on_little() || !reaches(position, board, hands.settings.gap_plies, hands.misfit()) {
        return None;
    }
    let stand = set_up(board, !side, position)?;
    reopen_gap(hands);
    Some(go_on_from(hands, stand, true))
}

/// The board fits nothing on top of a hole: perhaps the record goes on where it ended, for the men stand there again, or it
/// was the other player's turn.
pub(in crate::hand) fn look_beyond(hands: &mut Hands) -> bool {
    if !hands.has_hole() || hands.squares.misfit_ignoring_air(hands.record.end().board()).any() {
        return !hands.floating(hands.record.turn()) && pass_turn(hands);
    }
    hands.drop_stories();
    hands.squares.start_from(hands.record.board());
    hands.say_seen();
    true
}

/// Where nothing was played on top of a hole yet, it is the other player's turn, unless the lever tells whose it is.
pub(in crate::hand) fn pass_turn(hands: &mut Hands) -> bool {
    let told = hands.lever.to_move(hands.squares.lie());
    let tells_so = |passed: &Stories| told.is_none_or(|told| told == passed.base.turn());
    let passed = hands.lost.stories.as_ref().and_then(Stories::passed).filter(tells_so);
    let Some(passed) = passed else { return false };
    hands.record.leap_to(passed.base.clone());
    hands.seen.clear();
    hands.lost.stories = Some(passed);
    hands.say_seen();
    true
}

/// The last press since the board is heard again, if it is no lever that was read then: nobody holds a man whom the board has
/// not shown.
fn pressed(hands: &Hands) -> Option<(Color, Millis)> {
    let since = hands.lost.searched.since + hands.settings.press_before_ms;
    hands.squares.evidence.presses(since).last()
}

/// What the board shows as a position, and whether a press has told whose turn it is. Otherwise the lever tells, or the
/// first move.
fn stand(hands: &Hands) -> Option<(Chess, bool)> {
    let (board, before) = (hands.squares.board(), hands.record.position());
    let pressed = pressed(hands);
    // Who is on the move since may have made it.
    let replied = |(side, at): (Color, Millis)| {
        let stands = |reading: &Reading| matches(reading.is, board.piece_at(reading.square));
        let theirs = board.by_color(!side);
        hands.squares.evidence.readings(at).any(|reading| theirs.contains(reading.square) && stands(reading))
    };
    let told = pressed.map(|press| if replied(press) { press.0 } else { !press.0 });
    let turn = told.or_else(|| hands.lever.to_move(hands.squares.lie())).unwrap_or(before.turn());
    let as_told = set_up(board, turn, before).map(|stand| (stand, told.is_some()));
    as_told.or_else(|| set_up(board, !turn, before).map(|stand| (stand, false)))
}

/// Nothing says that the men were not played there: nobody is putting them right, and no array or earlier position of the
/// game stands there.
fn may_be_played(hands: &Hands) -> bool {
    let since = hands.now().saturating_sub(hands.settings.taken_unread_ms);
    let occupied = hands.squares.occupied();
    // Who presses has let go of his own men, and somewhat later of those that he has taken.
    let lets_go = |lifted: &Lifted, (by, at): (Color, Millis)| {
        by == lifted.piece.color || at > lifted.at + hands.settings.let_go_ms()
    };
    let let_go = |lifted: &Lifted| hands.squares.evidence.presses(lifted.at).any(|press| lets_go(lifted, press));
    let is_held = |lifted: &Lifted| lifted.at > since && !occupied.contains(lifted.from) && !let_go(lifted);
    let held = hands.squares.lifted().iter().any(is_held);
    let found = hands.unlawful.is_found() || hands.touches.is_accident();
    let plays_on = hands.plays_on() || hands.lost.presses_in_gap() > hands.settings.unpressed_plies_max;
    let disturbed = hands.unlawful.is_restoring() || found && !plays_on;
    let elsewhere = hands.hearing.is_unrecognised() || hands.opening().is_some() || hands.plies_back().is_some();
    hands.squares.names() && !held && !disturbed && !elsewhere
}
