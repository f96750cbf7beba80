//! What the record of a game should be: which of the moves that were played the contract makes final.
//!
//! Nothing here asks the reconstruction. It counts presses and lever positions on the truth's side, as an arbiter would
//! who stood beside the board: where a clock tells, presses decide; where none does, every move that came to rest counts.

use protocol::board::{ClockSense, Face, Link, Observation};
use shakmaty::{Bitboard, Color, Move, Position, Role};

use super::{
    session::Session,
    truth::{is_over, mover, position_after},
};
use crate::rehearsal::{Fault, FaultKind, Record};

/// So many plies that nobody pressed become final with a press on top of them.
const UNPRESSED_BELOW: usize = 3;
/// So many may lie below a move that ends the game by itself.
const UNPRESSED_BELOW_END: usize = 2;
/// Without a clock a man that has not rested so long may not have moved.
const LONGEST_SETTLE_MS: u64 = 6_500;

/// The record as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    /// What was played, and behind it what was tried after the end.
    pub(super) moves: Vec<Move>,
    /// How many of these are the game.
    pub(super) plies: usize,
    /// The record has at least so many of them.
    pub(super) least: usize,
    /// And at most so many.
    pub(super) most: usize,
}

impl Expected {
    /// What is expected of the `number`-th game.
    pub(super) fn of(session: &Session, number: usize) -> Expected {
        let truth = &session.truth[number];
        let played: Vec<Move> = truth.plies.iter().take_while(|ply| ply.landed.is_some()).map(|ply| ply.mv).collect();
        let plies = played.len();
        let moves = played.into_iter().chain(truth.tried.iter().map(|ply| ply.mv)).collect::<Vec<_>>();
        let (least, most) =
            if truth.clock.is_empty() { without_clock(truth, plies) } else { with_clock(session, truth, plies) };
        Expected { moves, plies, least, most }
    }
}

/// Without a clock nothing tells a game from what is played after it, nor a king's last step to the centre from the
/// result that is shown there.
fn without_clock(truth: &Record, plies: usize) -> (usize, usize) {
    let last = plies.checked_sub(1).map(|last| &truth.plies[last]);
    let landed = last.and_then(|last| last.landed);
    let is_gesture = truth.signalled.is_some() && last.is_some_and(|last| is_to_centre(last.mv));
    let left_alone =
        truth.ready.is_none() || landed.zip(truth.ended).is_some_and(|(last, end)| end - last > LONGEST_SETTLE_MS);
    let surely = left_alone && !is_gesture;
    (if surely { plies } else { plies.saturating_sub(1) }, plies + truth.tried.len())
}

fn is_to_centre(played: Move) -> bool {
    played.role() == Role::King && Bitboard::CENTER.contains(played.to())
}

fn with_clock(session: &Session, truth: &Record, plies: usize) -> (usize, usize) {
    let hidden: Vec<bool> = (0..plies).map(|ply| is_hidden(session, truth, ply)).collect();
    let surely = settled(&heard(session, truth, plies, Gaps::Swallow), &hidden);
    let perhaps = settled(&heard(session, truth, plies, Gaps::Bridge), &hidden);
    let least = closed(truth, plies, surely);
    let most = closed(truth, plies, perhaps).max(least);
    // What a silence hid at the very end may be believed or not.
    let hidden_end = hidden.iter().rev().take_while(|hidden| **hidden).count();
    let most = if plies - most <= hidden_end { plies } else { most };
    (least, if most == plies { plies + ends_by_trying(truth, plies) } else { most })
}

/// What to make of a lever that lies otherwise after a gap.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gaps {
    /// It was moved, and nobody knows when.
    Swallow,
    /// It was pressed.
    Bridge,
}

/// Whose presses could be heard: the lever was seen to go over, or the other face to run.
fn heard(session: &Session, truth: &Record, plies: usize, gaps: Gaps) -> Vec<bool> {
    let mut heard = vec![false; plies];
    let mut note = |at: u64, high: Face| {
        let side = if high == Face::Right { Color::White } else { Color::Black };
        let pressed = (0..plies).rfind(|ply| truth.plies[*ply].pressed.is_some_and(|pressed| pressed <= at));
        // A lever seen late tells of the last press of its side.
        let of_its_side = pressed.filter(|ply| mover(truth, *ply) == side);
        of_its_side.into_iter().for_each(|ply| heard[ply] = true);
    };
    let mut before: Option<(Face, bool)> = None;
    for (at, shown) in &session.shown {
        match shown {
            Observation::Clock(ClockSense::Reading(reading)) => {
                let now = (reading.high, reading.running);
                let flipped = before.replace(now).is_some_and(|(high, ran)| high != reading.high && ran);
                if flipped {
                    note(*at, reading.high);
                }
            }
            Observation::Clock(ClockSense::Absent) | Observation::Link(Link::Down) if gaps == Gaps::Swallow => {
                before = None;
            }
            Observation::Clock(ClockSense::Absent)
            | Observation::Link(_)
            | Observation::Square { .. }
            | Observation::Board(_) => {}
        }
    }
    for pair in session.faces.windows(2) {
        if let [(_, Some(_)), (at, Some(runs))] = pair {
            note(*at, *runs);
        }
    }
    heard
}

/// How many plies are final by presses, the first two rules of the contract.
fn settled(heard: &[bool], hidden: &[bool]) -> usize {
    let mut settled = 0;
    for ply in (0..heard.len()).filter(|ply| heard[*ply]) {
        let below = (settled..ply).filter(|below| !heard[*below] && !hidden[*below]).count();
        let seconded = (settled..ply).any(|before| heard[before] && before % 2 != ply % 2);
        if below <= UNPRESSED_BELOW || seconded {
            settled = ply + 1;
        }
    }
    settled
}

/// The same once the game is over: a move that ends it by itself, and the last one where the game closes on it.
fn closed(truth: &Record, plies: usize, settled: usize) -> usize {
    let Some(last) = plies.checked_sub(1).filter(|last| *last >= settled) else { return settled };
    let landed = truth.plies[last].landed.unwrap_or(0);
    let ran = truth.clock_ran(landed);
    let is_end = is_over(&position_after(truth, plies));
    if ran && is_end && last - settled <= UNPRESSED_BELOW_END {
        return plies;
    }
    let closes = truth.signalled.is_some() || truth.given.is_some() || truth.ready.is_some();
    let stopped = truth.clock.iter().find(|(at, runs)| *at >= landed && !runs).map(|(at, _)| *at);
    let until = stopped.or(truth.given).or(truth.ready).unwrap_or(u64::MAX);
    let nothing_beyond = truth.tried.iter().all(|ply| ply.landed.is_none_or(|at| at >= until));
    if closes && ran && last == settled && nothing_beyond { plies } else { settled }
}

/// While the clock goes on nobody can tell a mate that was tried from one that was played, unless it comes late.
fn ends_by_trying(truth: &Record, plies: usize) -> usize {
    let mut position = position_after(truth, plies);
    for (number, ply) in (1..).zip(&truth.tried).take(UNPRESSED_BELOW_END + 1) {
        if !ply.landed.is_some_and(|at| truth.clock_ran(at)) {
            return 0;
        }
        position.play_unchecked(ply.mv);
        if is_over(&position) {
            return number;
        }
    }
    0
}

/// Nobody could see this ply as it was played.
pub(super) fn is_hidden(session: &Session, truth: &Record, ply: usize) -> bool {
    let Some(landed) = truth.plies[ply].landed else { return false };
    let hides = |fault: &&Fault| fault.kind == FaultKind::Hidden;
    let by_fault = session
        .faults
        .iter()
        .filter(hides)
        .any(|fault| fault.from <= landed && fault.until.is_none_or(|until| landed <= until));
    by_fault || session.gaps.iter().any(|(from, until)| (*from..=*until).contains(&landed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_press_settles_three_plies_that_nobody_pressed_and_not_four() {
        let hidden = [false; 5];
        assert_eq!(settled(&[false, false, false, true], &hidden[..4]), 4);
        assert_eq!(settled(&[false, false, false, false, true], &hidden), 0);
    }

    #[test]
    fn over_four_plies_the_second_press_decides_if_it_is_the_other_side_s() {
        let hidden = [false; 7];
        assert_eq!(settled(&[false, false, false, false, true, true], &hidden[..6]), 6);
        assert_eq!(settled(&[false, false, false, false, true, false, true], &hidden), 0);
    }

    #[test]
    fn hidden_plies_do_not_count() {
        let hidden = [false, true, true, true, true, false];
        assert_eq!(settled(&[true, false, false, false, false, true], &hidden), 6);
    }
}
