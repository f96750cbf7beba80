//! When things are due: what becomes final by rest, and what rest says otherwise.
//!
//! Every rule of time is one row of `RULES`. What is found to have been due already is due now, and of rules that are due
//! together the first row is followed first: their order decides games, and is tested.

use shakmaty::{Color, Move, Position, Role, Square, attacks};

use super::{
    assuming::assume_anew,
    closing::{self, goes_home, goes_to_centre},
    correcting::correct,
    deed::Deed,
    explain,
    hands::Hands,
    judging,
    moving::{look, settle, settle_pressed, take},
    pressing::{judge_press, judge_release},
    record::CENTRE,
    recovery,
    sign::{Presses, Pressing},
    step::Settle,
};
use crate::Millis;

/// Why the hand wants to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wake {
    /// A pressed ply is final.
    Pressed,
    /// So many men are in the air that they were knocked over.
    Knocked,
    /// A ply with a reply on top is final.
    Answered,
    /// A ply under an opponent's hand is final.
    OpponentLifts,
    /// A ply that ends the game is final, or may be one that does.
    EndsGame,
    /// A ply is final by rest.
    Settles,
    /// The only story of what was not heard has stood long enough.
    Believes,
    /// The kings in the centre have stood long enough.
    KingsMeet,
    /// A start array has stood long enough.
    StartsAnew,
    /// An earlier position has stood long enough.
    TakesBack,
    /// A press found no ply in time.
    PressFails,
    /// Where releasing completes a move, an illegal one has stood long enough.
    Releases,
    /// An unexplained board has stood long enough.
    Holds,
    /// Only a dump can tell more.
    Doubts,
    /// A final move has turned out to be another one.
    Rethinks,
    /// The clock that could tell how much was played unheard is silent.
    Counts,
}

/// One rule of time.
struct Rule {
    wake: Wake,
    /// Where any of this holds the rule does not.
    unless: &'static [fn(&Hands) -> bool],
    when: fn(&Hands) -> Option<Millis>,
    then: fn(&mut Hands),
}

/// All rules, the first to be followed first. None holds while the board can't be heard.
#[rustfmt::skip]
const RULES: [Rule; 16] = [
    Rule { wake: Wake::Pressed, unless: &[no_game, misfits], when: pressed_at, then: settle_press },
    Rule { wake: Wake::Knocked, unless: &[no_game], when: knocked_at, then: knock },
    Rule { wake: Wake::Answered, unless: &[no_game, misfits, unanswered], when: answered_at, then: settle_answered },
    Rule { wake: Wake::OpponentLifts, unless: &[no_game, misfits, goes_home], when: opponent_lifts_at, then: settle_all },
    Rule { wake: Wake::EndsGame, unless: &[no_game, misfits, goes_on], when: ends_game_at, then: settle_all },
    Rule { wake: Wake::Settles, unless: &[no_game, misfits, awaits_press, is_answering], when: settles_at, then: settle_all },
    Rule { wake: Wake::Believes, unless: &[no_game, misfits], when: recovery::believes_at, then: believe },
    Rule { wake: Wake::KingsMeet, unless: &[has_signalled], when: closing::kings_meet_at, then: closing::kings_met },
    Rule { wake: Wake::StartsAnew, unless: &[], when: closing::starts_anew_at, then: closing::start_anew },
    Rule { wake: Wake::TakesBack, unless: &[no_game, fits, can_press, tells_stories, restores, is_strange, is_set_up], when: takes_back_at, then: take_back },
    Rule { wake: Wake::PressFails, unless: &[no_game], when: press_fails_at, then: judge_press },
    Rule { wake: Wake::Releases, unless: &[no_game, fits, completes_by_press, is_unlawful, is_open, has_gap], when: releases_at, then: judge_release },
    Rule { wake: Wake::Holds, unless: &[no_game, fits], when: holds_at, then: hold },
    Rule { wake: Wake::Doubts, unless: &[no_game], when: doubts_at, then: ask },
    Rule { wake: Wake::Rethinks, unless: &[no_game], when: rethinks_at, then: rethink },
    Rule { wake: Wake::Counts, unless: &[no_game], when: recovery::counts_at, then: count },
];

/// When to come back, and why. A hand that can't hear its board waits for nothing.
pub(super) fn deadline(hands: &Hands) -> Option<(Millis, Wake)> {
    next(hands).map(|(at, rule)| (at, rule.wake))
}

/// Does what is due first, if it is due by `now`. False if nothing is. Whether a ply ends the game is judged only once it
/// has rested, as a proof that nobody can mate takes its time.
pub(super) fn wake(hands: &mut Hands, now: Millis, ends: impl FnOnce(&[Move]) -> bool) -> bool {
    let Some((at, rule)) = next(hands).filter(|(at, _)| *at <= now) else { return false };
    hands.come_to(at);
    if rule.wake == Wake::EndsGame && hands.seen.ends_game().is_none() {
        let ends = ends(&hands.beyond_record());
        hands.seen.note_end(Some(ends));
    } else {
        (rule.then)(hands);
    }
    true
}

fn next(hands: &Hands) -> Option<(Millis, &'static Rule)> {
    if !hands.hearing.is_surveyed() {
        return None;
    }
    let mut first = None::<(Millis, &Rule)>;
    for rule in &RULES {
        if rule.unless.iter().any(|excludes| excludes(hands)) {
            continue;
        }
        let Some(at) = (rule.when)(hands).map(|at| at.max(hands.now())) else { continue };
        if first.is_none_or(|(earliest, _)| at < earliest) {
            first = Some((at, rule));
        }
    }
    first
}

fn no_game(hands: &Hands) -> bool {
    !hands.edges.is_on()
}

fn fits(hands: &Hands) -> bool {
    hands.seen.fits()
}

fn misfits(hands: &Hands) -> bool {
    !hands.seen.fits()
}

fn unanswered(hands: &Hands) -> bool {
    hands.seen.tail().len() < 2
}

/// What is seen does not end the game.
fn goes_on(hands: &Hands) -> bool {
    hands.seen.ends_game() == Some(false)
}

fn can_press(hands: &Hands) -> bool {
    hands.lever.can_press()
}

fn awaits_press(hands: &Hands) -> bool {
    hands.lever.pressing() == Pressing::Awaited
}

/// Releasing completes no move.
fn completes_by_press(hands: &Hands) -> bool {
    hands.lever.pressing() != Pressing::Needless
}

fn is_open(hands: &Hands) -> bool {
    hands.lever.is_open()
}

/// A man of the opponent's is in the air.
fn is_answering(hands: &Hands) -> bool {
    hands.floating(!hands.record.turn())
}

fn has_signalled(hands: &Hands) -> bool {
    hands.edges.is_signalled()
}

fn tells_stories(hands: &Hands) -> bool {
    hands.lost.stories.is_some()
}

fn restores(hands: &Hands) -> bool {
    hands.unlawful.is_restoring()
}

fn is_unlawful(hands: &Hands) -> bool {
    hands.unlawful.is_found()
}

fn has_gap(hands: &Hands) -> bool {
    hands.hearing.is_gap()
}

fn is_strange(hands: &Hands) -> bool {
    hands.hearing.is_stranger()
}

fn is_set_up(hands: &Hands) -> bool {
    hands.opening().is_some()
}

fn pressed_at(hands: &Hands) -> Option<Millis> {
    let press = hands.lever.opened()?;
    let count = hands.completed_by_press(press)?;
    let still = hands.changed_at(hands.seen.tail()[count - 1]) + hands.settings.press_before_ms;
    Some(press.at.max(still))
}

fn settle_press(hands: &mut Hands) {
    settle_pressed(hands, usize::MAX);
}

fn knocked_at(hands: &Hands) -> Option<Millis> {
    hands.touches.knocked_at(&hands.settings)
}

/// Men were knocked over. Those that are put up before a game are none.
fn knock(hands: &mut Hands) {
    let knocked = hands.touches.confirm();
    let setting_up = hands.edges.is_assumed() && !hands.lever.can_press();
    if let Some(color) = knocked.filter(|_| !setting_up) {
        hands.say(Deed::Knocked(color));
    }
}

fn answered_at(hands: &Hands) -> Option<Millis> {
    let (tail, settings, rests) = (hands.seen.tail(), &hands.settings, hands.squares.rests_since());
    if goes_home(hands) {
        return Some(rests + settings.settle_home_ms);
    }
    let landings = hands.tail_by_side().map(|(played, side)| stands_since(hands, played, side)).collect::<Vec<_>>();
    // Where no press can come nobody hurries: men that are put up again land in any order, and two of them may
    // look like a move and its reply for a moment. Hands that play on are followed no further than so many plies.
    if !landings.is_sorted() && !hands.lever.can_press() && tail.len() < settings.plies_ahead {
        return Some(rests + settings.settle_ms);
    }
    let landed = landings.iter().max()?;
    // A captured man that flashes beside its square may pass for a move that ended there.
    let swapped = hands.making.swapped_at().map(|at| at + settings.reply_swapped_ms);
    // So may one that was taken off before what it seems to answer had landed. A press is worth waiting for then.
    let is_flash = |(reply, below): (&Move, &Millis)| {
        reply.from().is_some_and(|from| hands.squares.changed_at(from) < *below && from.distance(reply.to()) == 1)
    };
    let flashed = awaits_press(hands) && tail[1..].iter().zip(&landings).any(is_flash);
    let flashed = flashed.then_some(landed + settings.reply_flash_ms);
    swapped.max(flashed).max(Some(landed + settings.contact_debounce_ms))
}

fn settle_answered(hands: &mut Hands) {
    settle(hands, Settle::seen(hands.seen.tail().len() - 1));
}

fn settle_all(hands: &mut Hands) {
    settle(hands, Settle::seen(hands.seen.tail().len()));
}

/// Since when a ply is on the board, even if its man has gone up again for the next one.
fn stands_since(hands: &Hands, played: Move, side: Color) -> Millis {
    let gone = hands.squares.lifted().iter().any(|lifted| lifted.from == played.to());
    if gone { explain::landed_at(side, played, &hands.squares) } else { hands.changed_at(played) }
}

fn opponent_lifts_at(hands: &Hands) -> Option<Millis> {
    let (side, released) = (hands.record.turn(), lone_landed(hands)? + hands.settings.release_dwell_ms);
    let seen = hands.seen_position();
    let lifted = hands.squares.in_air(seen.board()).find(|lifted| {
        let king_answer = goes_to_centre(hands) && (lifted.piece.role == Role::King || CENTRE.contains(lifted.from));
        lifted.piece.color != side && hands.squares.lifted_at(lifted) >= released && !king_answer
    })?;
    Some(hands.squares.lifted_at(&lifted) + hands.settings.opponent_lift_ms)
}

fn ends_game_at(hands: &Hands) -> Option<Millis> {
    let settings = &hands.settings;
    let rest = if is_extendable(hands) { settings.settle_extendable_ms } else { settings.settle_end_ms };
    Some(lone_landed(hands)? + rest)
}

fn settles_at(hands: &Hands) -> Option<Millis> {
    lone_landed(hands)?;
    let settings = &hands.settings;
    let rest = if goes_to_centre(hands) {
        settings.settle_centre_ms
    } else if is_extendable(hands) && is_pushed(hands) {
        settings.settle_pushed_ms
    } else if is_extendable(hands) {
        settings.settle_extendable_ms
    } else if goes_home(hands) {
        settings.settle_home_ms
    } else {
        settings.settle_ms
    };
    Some(hands.squares.rests_since() + rest)
}

fn believe(hands: &mut Hands) {
    let steps = recovery::believe(hands);
    take(hands, steps);
}

fn takes_back_at(hands: &Hands) -> Option<Millis> {
    hands.plies_back()?;
    let settings = &hands.settings;
    // A king that is back in the centre may wait there for the other one, to show the result.
    let shows = (hands.squares.board().kings() & CENTRE & !hands.record.board().kings()).any();
    let rest = if shows { settings.takeback_centre_ms } else { settings.takeback_rest_ms };
    Some(hands.squares.rests_since() + rest)
}

fn take_back(hands: &mut Hands) {
    if let Some(plies) = hands.plies_back() {
        // Men that stand as they did some plies ago may have been played there while nobody heard.
        hands.admit_gap(false);
        hands.say(Deed::Takeback(plies));
        if let Some((position, earlier)) = hands.record.before(plies) {
            correct(hands, position, earlier);
        }
    }
}

fn press_fails_at(hands: &Hands) -> Option<Millis> {
    let press = hands.lever.opened()?;
    // A board that fits is only waiting to have been still for a moment.
    let waits = hands.seen.fits() && hands.completed_by(press.side).is_some();
    (!waits).then_some(press.until.max(press.at))
}

fn releases_at(hands: &Hands) -> Option<Millis> {
    let changed = hands.squares.rests_since();
    let judged = hands.unlawful.release_judged() == Some(changed);
    let waits = judged || hands.floating(hands.record.turn());
    (!waits).then_some(changed + hands.settings.illegal_release_ms)
}

fn holds_at(hands: &Hands) -> Option<Millis> {
    let (rested, gap) = (hands.squares.rests_since(), hands.hearing.is_gap());
    // Held once, but judged afresh at each rest: a man that was in the air may be back.
    let known = if gap { hands.seen.is_held() } else { hands.seen.is_held_since(rested) };
    // Hands that go on after a gap need not rest before it is said that nobody can follow them.
    let since = if gap { hands.squares.heard_at() } else { rested };
    (!known).then_some(since + hands.settings.mismatch_rest_ms)
}

/// Says what an unexplained board shows that has rested.
fn hold(hands: &mut Hands) {
    hands.seen.judge(hands.squares.rests_since());
    if hands.hold(hands.squares.misfit(hands.seen_position().board())) {
        hands.admit_gap(false);
    }
    if recovery::reopens_gap(hands) {
        let steps = recovery::take_up_gap(hands);
        return take(hands, steps);
    }
    // Men that are put up before a game, or for another one, are no offence.
    if hands.edges.is_assumed() && !hands.lever.can_press() {
        let contents = *hands.squares.wire();
        assume_anew(hands, &contents);
        return look(hands);
    }
    // After a gap nobody can be blamed for what was not heard.
    if is_unlawful(hands) || is_open(hands) || has_gap(hands) {
        return;
    }
    let (record, board) = (hands.record.position(), hands.squares.board());
    if judging::out_of_turn(record, board).is_some() {
        let side = !hands.record.turn();
        hands.find_unlawful();
        hands.say(Deed::OutOfTurn(side));
    } else if !can_press(hands) && !hands.floating(hands.record.turn()) {
        let mismatch = judging::compare(record.board(), board);
        hands.find_unlawful();
        hands.say(Deed::Mismatched(mismatch));
    }
}

fn doubts_at(hands: &Hands) -> Option<Millis> {
    let (settings, asked) = (&hands.settings, hands.hearing.asked_at());
    if asked.is_some_and(|at| at >= hands.squares.last_change()) {
        return None;
    }
    let rest = match (hands.seen.fits(), Color::ALL.into_iter().any(|side| hands.floating(side))) {
        (true, false) => return None,
        (true, true) => settings.dump_air_ms,
        (false, _) => settings.dump_rest_ms,
    };
    // Hands that play on leave a board that fits nothing no moment of rest.
    let busy = hands.seen.unfit_since().filter(|_| !hands.hearing.is_gap());
    let busy = busy.map(|since| since.max(asked.unwrap_or(0)) + settings.dump_busy_ms);
    Some((hands.squares.rests_since() + rest).min(busy.unwrap_or(Millis::MAX)))
}

fn ask(hands: &mut Hands) {
    hands.hearing.ask(hands.now());
    hands.say(Deed::AskDump);
}

fn rethinks_at(hands: &Hands) -> Option<Millis> {
    hands.lost.rethinks_at
}

fn rethink(hands: &mut Hands) {
    hands.lost.rethink(None);
    look(hands);
}

fn count(hands: &mut Hands) {
    let steps = recovery::count(hands, &Presses::Unknown);
    take(hands, steps);
}

/// When the last square of a single seen ply changed.
fn lone_landed(hands: &Hands) -> Option<Millis> {
    let [lone] = hands.seen.tail() else { return None };
    Some(hands.changed_at(*lone))
}

/// The man could go on: a slide that pauses, a rook before castling, a king on its way to castling.
fn is_extendable(hands: &Hands) -> bool {
    let Some(&Move::Normal { role, from, to, .. }) = hands.seen.tail().first() else { return false };
    let could_follow = |longer: &Move| match *longer {
        Move::Castle { king, rook } => {
            let side = longer.castling_side().expect("castling has a side");
            (from == rook && to == side.rook_to(hands.record.turn())) || (from == king && role == Role::King)
        }
        Move::Normal { from: start, to: end, .. } => start == from && end != to && is_beyond(from, to, end),
        Move::EnPassant { .. } | Move::Put { .. } => false,
    };
    hands.record.position().legal_moves().iter().any(could_follow)
}

/// The man was pushed to where it stands: no hand has carried it, and none may have let go of it yet.
fn is_pushed(hands: &Hands) -> bool {
    hands.seen.tail().first().is_some_and(|played| hands.squares.carried(played.to()) < hands.settings.push_ms)
}

/// `end` lies behind `to` on the line from `from`.
fn is_beyond(from: Square, to: Square, end: Square) -> bool {
    attacks::ray(from, to).contains(end) && attacks::between(from, end).contains(to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_rules_that_are_due_together_the_first_row_is_followed() {
        let order = RULES.iter().map(|rule| rule.wake);
        assert!(order.clone().is_sorted(), "reasons to wake are declared in the order of their rows");
        assert_eq!(order.into_iter().next_back(), Some(Wake::Counts), "every reason has a row");
    }
}
