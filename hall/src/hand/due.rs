//! When things are due: what becomes final by rest, and what rest says otherwise.
//!
//! Every rule of time is one row of `RULES`. What is found to have been due already is due now, and of rules that are due
//! together the first row is followed first: their order decides games, and is tested.

use shakmaty::Move;

use super::{
    beginning, closing,
    finality::{
        answered_at, ends_game_at, follows_at, opponent_lifts_at, pressed_at, settle_all, settle_answered, settle_end,
        settles_at,
    },
    hands::Hands,
    misreading,
    moving::settle_pressed,
    pressing::{judge_press, judge_release, press_late, pressed_late_at},
    recovery,
    resting::{
        ask, believe, count, doubts_at, gives_up_at, hold, holds_at, knock, knocked_at, leap, press_fails_at,
        releases_at, rethink, rethinks_at, take_back, takes_back_at, weigh, weighs_at,
    },
    sign::Pressing,
    surveying::survey_in_vain,
};
use crate::Millis;

/// Why the hand wants to be woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wake {
    /// A press has waited for the men of a board that is late.
    PressedLate,
    /// A pressed ply is final.
    Pressed,
    /// So many men are in the air that they were knocked over.
    Knocked,
    /// A ply with others on top is followed.
    Follows,
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
    /// Men that stood wrong when the game began stand right.
    Mends,
    /// The first move from a start array nobody saw standing has rested.
    BeginsUnseen,
    /// An earlier position has stood long enough.
    TakesBack,
    /// A press found no ply in time.
    PressFails,
    /// What may have been misread at a press has stood long enough.
    Confirms,
    /// Where releasing completes a move, an illegal one has stood long enough.
    Releases,
    /// An unexplained board has stood long enough.
    Holds,
    /// A board that nothing leads to has stood long enough.
    Leaps,
    /// Only a dump can tell more.
    Doubts,
    /// The board was asked for one, and shows none.
    GivesUp,
    /// What was heard is weighed against a board that fits nothing, or something odd.
    Weighs,
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
const RULES: [Rule; 24] = [
    Rule { wake: Wake::PressedLate, unless: &[], when: pressed_late_at, then: press_late },
    Rule { wake: Wake::Pressed, unless: &[no_game, misfits], when: pressed_at, then: settle_pressed },
    Rule { wake: Wake::Knocked, unless: &[no_game, has_gap], when: knocked_at, then: knock },
    Rule { wake: Wake::Follows, unless: &[no_game, misfits, unanswered, decides_itself, is_open], when: follows_at, then: settle_answered },
    Rule { wake: Wake::Answered, unless: &[no_game, misfits, unanswered, tells], when: answered_at, then: settle_answered },
    Rule { wake: Wake::OpponentLifts, unless: &[no_game, misfits, tells], when: opponent_lifts_at, then: settle_all },
    Rule { wake: Wake::EndsGame, unless: &[no_game, misfits, goes_on, is_closed], when: ends_game_at, then: settle_end },
    Rule { wake: Wake::Settles, unless: &[no_game, misfits, tells, is_answering], when: settles_at, then: settle_all },
    Rule { wake: Wake::Believes, unless: &[no_game, misfits], when: recovery::believes_at, then: believe },
    Rule { wake: Wake::KingsMeet, unless: &[has_signalled], when: closing::kings_meet_at, then: closing::kings_met },
    Rule { wake: Wake::StartsAnew, unless: &[], when: closing::starts_anew_at, then: closing::start_anew },
    Rule { wake: Wake::Mends, unless: &[no_game, fits], when: closing::mends_at, then: closing::mend },
    Rule { wake: Wake::BeginsUnseen, unless: &[], when: beginning::begins_at, then: beginning::begin },
    Rule { wake: Wake::TakesBack, unless: &[no_game, fits, can_press, tells, tells_stories, restores, is_unrecognised, is_set_up, is_closed], when: takes_back_at, then: take_back },
    Rule { wake: Wake::PressFails, unless: &[no_game, has_gap], when: press_fails_at, then: judge_press },
    Rule { wake: Wake::Confirms, unless: &[no_game], when: misreading::confirms_at, then: misreading::confirm },
    Rule { wake: Wake::Releases, unless: &[no_game, fits, completes_by_press, is_unlawful, is_open, has_gap, is_closed], when: releases_at, then: judge_release },
    Rule { wake: Wake::Holds, unless: &[no_game, fits, is_closed], when: holds_at, then: hold },
    Rule { wake: Wake::Leaps, unless: &[no_game, fits, is_disputed], when: recovery::leaps_at, then: leap },
    Rule { wake: Wake::Doubts, unless: &[], when: doubts_at, then: ask },
    Rule { wake: Wake::GivesUp, unless: &[], when: gives_up_at, then: survey_in_vain },
    Rule { wake: Wake::Weighs, unless: &[no_game, is_closed], when: weighs_at, then: weigh },
    Rule { wake: Wake::Rethinks, unless: &[no_game, is_closed], when: rethinks_at, then: rethink },
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
        // What a game has come to over a hole only those know who fill it.
        let ends = !hands.has_hole() && ends(&hands.beyond_record());
        hands.seen.note_end(Some(ends));
    } else {
        (rule.then)(hands);
    }
    true
}

fn next(hands: &Hands) -> Option<(Millis, &'static Rule)> {
    let holds = |rule: &&Rule| !rule.unless.iter().any(|excludes| excludes(hands));
    let due = |rule: &'static Rule| Some(((rule.when)(hands)?.max(hands.now()), rule));
    let rules = RULES.iter().filter(|_| hands.hearing.is_surveyed());
    first(rules.filter(holds).filter_map(due))
}

/// What is due first; of what is due together the first.
fn first<T>(dues: impl Iterator<Item = (Millis, T)>) -> Option<(Millis, T)> {
    dues.min_by_key(|(at, _)| *at)
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

/// Nothing is final until somebody says that the game goes on.
fn is_closed(hands: &Hands) -> bool {
    hands.is_closed()
}

/// Presses decide.
fn tells(hands: &Hands) -> bool {
    hands.lever.tells()
}

/// No press need come.
fn decides_itself(hands: &Hands) -> bool {
    !hands.lever.tells()
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

/// Something unlawful stands, and the players have not gone on from it.
fn is_disputed(hands: &Hands) -> bool {
    is_unlawful(hands) && !hands.plays_on()
}

fn has_gap(hands: &Hands) -> bool {
    hands.hearing.is_gap()
}

fn is_unrecognised(hands: &Hands) -> bool {
    hands.hearing.is_unrecognised()
}

fn is_set_up(hands: &Hands) -> bool {
    hands.opening().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_rules_that_are_due_together_the_first_row_is_followed() {
        let due = |at: [Millis; 2]| first(RULES.iter().zip(at).map(|(rule, at)| (at, rule.wake)));
        assert_eq!(due([5, 5]), Some((5, Wake::PressedLate)));
        assert_eq!(due([6, 5]), Some((5, Wake::Pressed)));
    }

    #[test]
    fn reasons_to_wake_are_declared_in_the_order_of_their_rows() {
        let order = RULES.iter().map(|rule| rule.wake);
        assert!(order.clone().is_sorted());
        assert_eq!(order.into_iter().next_back(), Some(Wake::Counts), "every reason has a row");
    }
}
