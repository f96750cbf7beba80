//! What rest says besides: men knocked over, takebacks, boards nobody can explain, what has to be asked.

use shakmaty::{Color, Position};

use super::{
    assuming::assume_anew,
    correcting::correct,
    deed::Deed,
    hands::Hands,
    judging,
    moving::{carry_out, look, take},
    recovery,
};
use crate::Millis;

/// Men were knocked over. Those that are put up before a game are none, nor are those that lack on a board that names nobody
/// and that nobody could explain: they have been played elsewhere.
pub(super) fn knock(hands: &mut Hands) {
    let knocked = hands.touches.confirm();
    let setting_up = hands.edges.is_assumed() && !hands.lever.can_press();
    let unknown = !hands.squares.names() && hands.seen.is_held();
    if let Some(color) = knocked.filter(|_| !setting_up && !unknown) {
        hands.making.forget_pair();
        hands.say(Deed::Knocked(color));
    }
}

/// Where no clock tells: when an earlier position will have stood long enough.
pub(super) fn takes_back_at(hands: &Hands) -> Option<Millis> {
    hands.plies_back()?;
    let settings = &hands.settings;
    let rest = if hands.shows_king() { settings.takeback_centre_ms } else { settings.takeback_rest_ms };
    Some(hands.squares.rests_since() + rest)
}

/// The players have taken back.
pub(super) fn take_back(hands: &mut Hands) {
    let Some(plies) = hands.plies_back() else { return };
    // Men that stand as they did some plies ago may have been played there while nobody heard.
    hands.admit_gap(false);
    let Some(record) = hands.record.before(plies) else { return };
    // What was only followed nobody was told of.
    if plies > hands.seen.followed.len() {
        hands.say(Deed::Takeback(record.clone()));
        if hands.shows_king() {
            hands.edges.step_out_of(hands.record.course().clone(), record.clone());
        }
    }
    carry_out(hands, |hands| correct(hands, record));
    // Whatever was touched till then was touched for what is taken back, or for taking it back.
    hands.touches.clear();
}

/// When a press will have found no ply.
pub(super) fn press_fails_at(hands: &Hands) -> Option<Millis> {
    let press = hands.lever.opened()?;
    // A board that fits is only waiting to have been still for a moment.
    let waits = hands.completes(press.side);
    // One that was not heard for a while has to be asked first.
    let doubted = hands.doubt().filter(|doubt| doubt.why.excuses());
    let asked = doubted.map_or(0, |doubt| doubt.since + hands.settings.press_unseen_ms);
    (!waits).then_some(press.until.max(asked))
}

/// When an illegal move will have been released.
pub(super) fn releases_at(hands: &Hands) -> Option<Millis> {
    let changed = hands.squares.rests_since();
    let judged = hands.unlawful.release_judged() == Some(changed);
    let waits = judged || hands.floating(hands.record.turn());
    (!waits).then_some(changed + hands.settings.illegal_release_ms)
}

/// When an unexplained board will have rested.
pub(super) fn holds_at(hands: &Hands) -> Option<Millis> {
    let (rested, gap) = (hands.squares.rests_since(), hands.hearing.is_gap());
    // Held once, but judged afresh at each rest: a man that was in the air may be back.
    let known = if gap { hands.seen.is_held() } else { hands.seen.is_held_since(rested) };
    // Hands that go on after a gap need not rest before it is said that nobody can follow them.
    let since = if gap { hands.lost.searched.since } else { rested };
    (!known).then_some(since + hands.settings.mismatch_rest_ms)
}

/// Says what an unexplained board shows that has rested.
pub(super) fn hold(hands: &mut Hands) {
    hands.seen.judge(hands.squares.rests_since());
    if let Some(steps) = recovery::bridge_at_rest(hands) {
        return take(hands, steps);
    }
    if !hands.squares.names() && !hands.lever.tells() {
        // It may fit several stories: that is no offence.
        look(hands);
        if hands.seen.fits() {
            return;
        }
    }
    if hands.hold(hands.squares.misfit(hands.seen_position().board())) {
        hands.admit_gap(false);
    }
    // Men that are put up before a game, or for another one, are no offence.
    if hands.edges.is_assumed() && !hands.lever.can_press() {
        assume_anew(hands);
        return look(hands);
    }
    // Nobody can be blamed for what was not heard, nor for what may have been one of several plies.
    let unheard = hands.hearing.is_gap() || hands.stands_on_little();
    if unheard || hands.lost.puzzled || hands.unlawful.is_found() || hands.lever.is_open() {
        return;
    }
    let told_by_rest = !hands.lever.decides();
    // Men that went back are where the players want them.
    if hands.making.gone_back().is_some() || told_by_rest && hands.plies_back().is_some() {
        return;
    }
    if told_by_rest && recovery::rests_unread(hands) {
        return look(hands);
    }
    let seen = hands.seen_position();
    let board = &hands.squares.filled(hands.squares.board(), seen.board());
    // Who was knocked over and put up on a wrong square was not moved.
    let moved = judging::out_of_turn(&seen, board).is_some() && !hands.touches.is_accident();
    // A press without a move has passed the turn: whoever has moved since had it.
    if moved && hands.unlawful.has_passed_to(!seen.turn()) {
        return;
    }
    if moved && let Some(steps) = recovery::had_the_move(hands, !seen.turn()) {
        take(hands, steps);
    } else if moved {
        hands.find_unlawful(None);
        hands.say(Deed::OutOfTurn(!seen.turn()));
    } else if told_by_rest && !hands.floating(seen.turn()) && !hands.floating(hands.record.turn()) {
        let mismatch = judging::compare(seen.board(), board);
        hands.find_unlawful(None);
        hands.say(Deed::Mismatched(mismatch));
    }
}

/// When only a dump can tell more.
pub(super) fn doubts_at(hands: &Hands) -> Option<Millis> {
    let (settings, asked) = (&hands.settings, hands.hearing.asked_at());
    let changed = hands.squares.last_change();
    let doubted = hands.hearing.doubt().map(|doubt| doubt.since.max(changed));
    if asked.is_some_and(|at| at >= doubted.unwrap_or(changed)) {
        return None;
    }
    if doubted.is_some() {
        return doubted;
    }
    if !hands.edges.is_on() {
        return is_nearly_set_up(hands).then(|| hands.squares.rests_since() + settings.dump_rest_ms);
    }
    let rest = match (hands.seen.fits(), Color::ALL.into_iter().any(|side| hands.floating(side))) {
        // Before a press that finds nothing is judged.
        (true, false) => {
            return press_fails_at(hands).and(hands.lever.opened()).map(|press| press.at + settings.dump_rest_ms);
        }
        (true, true) => settings.dump_air_ms,
        (false, _) => settings.dump_rest_ms,
    };
    // Hands that play on leave a board that fits nothing no moment of rest.
    let busy = hands.seen.unfit_since().filter(|_| !hands.hearing.is_gap());
    let busy = busy.map(|since| since.max(asked.unwrap_or(0)) + settings.dump_busy_ms);
    Some((hands.squares.rests_since() + rest).min(busy.unwrap_or(Millis::MAX)))
}

/// No game is on, and the men stand nearly as one begins: a man or two may not have been read.
fn is_nearly_set_up(hands: &Hands) -> bool {
    let misfit = hands.misfit_of(&hands.edges.usual(hands.squares.lie()));
    (1..=hands.settings.dump_unread_squares).contains(&misfit.count())
}
