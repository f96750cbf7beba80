//! When things are due: what becomes final by rest, and what rest says otherwise.
//!
//! Every rule of time is one row of `RULES`. What is found to have been due already is due now, and of rules that are due
//! together the first row is followed first: their order decides games, and is tested.

use shakmaty::Move;

use super::{
    beginning, closing,
    finality::{
        answered_at, ends_game_at, follows_at, opponent_lifts_at, pressed_at, settle_all, settle_answered, settles_at,
    },
    hands::Hands,
    misreading,
    moving::{carry_out, look, settle, settle_pressed},
    pressing::{judge_press, judge_release, press_late},
    recovery,
    resting::{doubts_at, hold, holds_at, knock, press_fails_at, releases_at, take_back, takes_back_at},
    sign::{PressCount, Pressing},
    step::Settle,
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
    /// A ply that ends the game is final, or may be one that does: no press need come.
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
    unless: &'static [Case],
    when: fn(&Hands) -> Option<Millis>,
    then: fn(&mut Hands),
}

/// All rules, the first to be followed first. None holds while the board can't be heard.
#[rustfmt::skip]
const RULES: [Rule; 24] = [
    Rule { wake: Wake::PressedLate, unless: &[], when: |hands| hands.lever.lateness.next_at(), then: press_late },
    Rule { wake: Wake::Pressed, unless: &[NO_GAME, MISFITS], when: pressed_at, then: settle_pressed },
    Rule { wake: Wake::Knocked, unless: &[NO_GAME, GAP], when: |hands| hands.touches.knocked_at(&hands.settings), then: knock },
    Rule { wake: Wake::Follows, unless: &[NO_GAME, MISFITS, UNANSWERED, DECIDES_ITSELF, OPEN], when: follows_at, then: settle_answered },
    Rule { wake: Wake::Answered, unless: &[NO_GAME, MISFITS, UNANSWERED, TELLS], when: answered_at, then: settle_answered },
    Rule { wake: Wake::OpponentLifts, unless: &[NO_GAME, MISFITS, TELLS], when: opponent_lifts_at, then: settle_all },
    Rule { wake: Wake::EndsGame, unless: &[NO_GAME, MISFITS, GOES_ON, CLOSED], when: ends_game_at, then: |hands| settle(hands, Settle::surely(hands.seen.tail().len())) },
    Rule { wake: Wake::Settles, unless: &[NO_GAME, MISFITS, TELLS, ANSWERING], when: settles_at, then: settle_all },
    Rule { wake: Wake::Believes, unless: &[NO_GAME, MISFITS], when: recovery::believes_at, then: |hands| carry_out(hands, recovery::believe) },
    Rule { wake: Wake::KingsMeet, unless: &[SIGNALLED], when: closing::kings_meet_at, then: closing::kings_met },
    Rule { wake: Wake::StartsAnew, unless: &[], when: closing::starts_anew_at, then: closing::start_anew },
    Rule { wake: Wake::Mends, unless: &[NO_GAME, FITS], when: closing::mends_at, then: closing::mend },
    Rule { wake: Wake::BeginsUnseen, unless: &[], when: beginning::begins_at, then: beginning::begin },
    Rule { wake: Wake::TakesBack, unless: &[NO_GAME, FITS, CAN_PRESS, TELLS, STORIES, RESTORES, UNRECOGNISED, SET_UP, CLOSED], when: takes_back_at, then: take_back },
    Rule { wake: Wake::PressFails, unless: &[NO_GAME, GAP], when: press_fails_at, then: judge_press },
    Rule { wake: Wake::Confirms, unless: &[NO_GAME], when: |hands| hands.unlawful.doubted()?.confirmed_at, then: misreading::confirm },
    Rule { wake: Wake::Releases, unless: &[NO_GAME, FITS, NEEDS_PRESS, UNLAWFUL, OPEN, GAP, CLOSED], when: releases_at, then: judge_release },
    Rule { wake: Wake::Holds, unless: &[NO_GAME, FITS, CLOSED], when: holds_at, then: hold },
    Rule { wake: Wake::Leaps, unless: &[NO_GAME, FITS, DISPUTED], when: recovery::leaps_at, then: |hands| carry_out(hands, recovery::leap) },
    Rule { wake: Wake::Doubts, unless: &[], when: doubts_at, then: Hands::ask },
    Rule { wake: Wake::GivesUp, unless: &[], when: |hands| hands.hearing.gives_up_at(), then: survey_in_vain },
    Rule { wake: Wake::Weighs, unless: &[NO_GAME, CLOSED], when: |hands| hands.seen.weighs_at(), then: look },
    Rule { wake: Wake::Rethinks, unless: &[NO_GAME, CLOSED], when: |hands| hands.lost.rethinks_at, then: look },
    Rule { wake: Wake::Counts, unless: &[NO_GAME], when: recovery::counts_at, then: |hands| carry_out(hands, |hands| recovery::count(hands, &PressCount::Unknown)) },
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

type Case = fn(&Hands) -> bool;

const NO_GAME: Case = |hands| !hands.edges.is_on();
const FITS: Case = |hands| hands.seen.fits();
const MISFITS: Case = |hands| !hands.seen.fits();
const UNANSWERED: Case = |hands| hands.seen.tail().len() < 2;
/// What is seen does not end the game.
const GOES_ON: Case = |hands| hands.seen.ends_game() == Some(false);
const CAN_PRESS: Case = |hands| hands.lever.can_press();
/// Nothing is final until somebody says that the game goes on.
const CLOSED: Case = |hands| hands.is_closed();
/// Presses decide.
const TELLS: Case = |hands| hands.lever.tells();
/// No press need come.
const DECIDES_ITSELF: Case = |hands| !hands.lever.tells();
/// Releasing completes no move.
const NEEDS_PRESS: Case = |hands| hands.lever.pressing() != Pressing::Needless;
const OPEN: Case = |hands| hands.lever.is_open();
/// A man of the opponent's is in the air.
const ANSWERING: Case = |hands| hands.floating(!hands.record.turn());
const SIGNALLED: Case = |hands| hands.edges.is_signalled();
const STORIES: Case = |hands| hands.lost.stories.is_some();
const RESTORES: Case = |hands| hands.unlawful.is_restoring();
const UNLAWFUL: Case = |hands| hands.unlawful.is_found();
/// Something unlawful stands, and the players have not gone on from it.
const DISPUTED: Case = |hands| hands.unlawful.is_found() && !hands.plays_on();
const GAP: Case = |hands| hands.hearing.is_gap();
const UNRECOGNISED: Case = |hands| hands.hearing.is_unrecognised();
const SET_UP: Case = |hands| hands.opening().is_some();

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
