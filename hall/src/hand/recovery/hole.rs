//! A hole in the record: nothing that was found leads to the board. Hands are followed from what stands on it, and what
//! was played before is for somebody to fill in.

use shakmaty::{Chess, Position};

use super::{
    gap::bridge,
    story::{go_on_from, reopen_gap},
};
use crate::{
    Millis,
    hand::{
        hands::Hands,
        step::Steps,
        stories::{Stories, set_up},
    },
};

/// When a board that nothing leads to will have stood for so long that hands are followed from it.
pub(in crate::hand) fn leaps_at(hands: &Hands) -> Option<Millis> {
    let rested = hands.squares.rests_since();
    let lost = match &hands.lost.stories {
        None => hands.hearing.is_gap() && hands.seen.is_held() || hands.plays_on(),
        Some(stories) => !stories.is_fresh() || stories.hole.is_some() || hands.plays_on(),
    };
    // Where hands have gone on from a hole, it was right; and a move may take its time.
    let went_on = hands.lost.stories.as_ref().is_some_and(|stories| !stories.is_fresh());
    let since = if went_on { hands.seen.unfit_since()? + hands.settings.mismatch_rest_ms } else { 0 };
    let tried = hands.lost.searched.leapt_at == Some(rested);
    (lost && !tried).then(|| since.max(rested + hands.settings.story_rest_ms))
}

/// They are, if nothing was overlooked, the board shows a position and nobody seems to hold a man.
pub(in crate::hand) fn leap(hands: &mut Hands) -> Steps {
    hands.lost.searched.leapt_at = Some(hands.squares.rests_since());
    let at_once = hands.lost.stories.as_ref().is_some_and(Stories::is_fresh);
    if at_once {
        reopen_gap(hands);
    }
    if hands.hearing.is_gap() {
        let steps = bridge(hands);
        if !hands.hearing.is_gap() || !steps.is_empty() || hands.lost.searched.in_hand {
            return steps;
        }
    }
    match stand(hands).filter(|_| may_be_played(hands)) {
        Some(stand) => go_on_from(hands, stand),
        None => Vec::new(),
    }
}

/// The board fits nothing on top of a hole: perhaps the record goes on where it ended, for the men stand there again, or it
/// was the other player's turn.
pub(in crate::hand) fn look_beyond(hands: &mut Hands) -> bool {
    if !hands.has_hole() || hands.squares.misfit_ignoring_air(hands.record.end().board()).any() {
        return pass_turn(hands);
    }
    hands.drop_stories();
    hands.squares.start_from(hands.record.board());
    hands.say_seen();
    true
}

/// Where nothing was played on top of a hole yet, it is the other player's turn.
pub(in crate::hand) fn pass_turn(hands: &mut Hands) -> bool {
    let Some(passed) = hands.lost.stories.as_ref().and_then(Stories::passed) else { return false };
    hands.record.leap_to(passed.base.clone());
    hands.seen.clear();
    hands.lost.stories = Some(passed);
    hands.say_seen();
    true
}

/// What the board shows as a position. Whose turn it is the lever tells, or the first move.
fn stand(hands: &Hands) -> Option<Chess> {
    let (board, before) = (hands.squares.board(), hands.record.position());
    let turn = hands.lever.to_move(hands.squares.lie()).unwrap_or(before.turn());
    set_up(board, turn, before).or_else(|| set_up(board, !turn, before))
}

/// Nothing says that the men were not played there: nobody is putting them right, and no array or earlier position of the
/// game stands there.
fn may_be_played(hands: &Hands) -> bool {
    let since = hands.now().saturating_sub(hands.settings.taken_unread_ms);
    let occupied = hands.squares.occupied();
    let held = hands.squares.lifted().iter().any(|lifted| lifted.at > since && !occupied.contains(lifted.from));
    let found = hands.unlawful.is_found() || hands.touches.is_accident();
    let disturbed = hands.unlawful.is_restoring() || found && !hands.plays_on();
    let elsewhere = hands.hearing.is_unrecognised() || hands.opening().is_some() || hands.plies_back().is_some();
    hands.squares.names() && !held && !disturbed && !elsewhere
}
