//! The record is set: a game begins, moves are taken back, somebody says what it should be. All parts begin anew.

use protocol::board::Lie;
use shakmaty::{Board, Position as _};

use super::{
    hands::Hands,
    recovery,
    step::{Step, Steps},
};
use crate::Course;

/// A game begins, or goes on as it was, on a board that lies like this.
pub(super) fn begin(hands: &mut Hands, record: Course, lie: Lie) -> Steps {
    let now = hands.now();
    hands.squares.lay(lie, now);
    if hands.squares.board() != record.position().board() {
        turn_if_it_fits(hands, record.position().board().clone());
    }
    hands.edges.begin(now);
    hands.lever.begin();
    hands.touches.clear();
    correct(hands, record)
}

/// The record is this one.
pub(super) fn correct(hands: &mut Hands, record: Course) -> Steps {
    let since = hands.making.gone_back_at().unwrap_or(hands.now());
    hands.record.set(record);
    hands.seen.followed.clear();
    hands.edges.set(hands.now());
    hands.edges.settle();
    // Whoever fills a hole may have left another one, or moves on top of it.
    if hands.has_hole() {
        hands.hearing.reopen_gap();
    } else {
        hands.hearing.close_gap();
    }
    hands.hearing.recognise();
    recovery::learn_guess(hands);
    hands.lost.reset();
    hands.lever.reset();
    hands.unlawful.reset();
    hands.touches.excuse(false);
    hands.begin_turn();
    hands.squares.name(hands.record.board());
    hands.squares.start_from_since(hands.record.board(), since);
    hands.squares.evidence.begin(hands.now());
    hands.show(Vec::new());
    vec![Step::Look]
}

/// The same, and it has to be set up first, if the board does not show it.
pub(super) fn correct_and_restore(hands: &mut Hands, record: Course) -> Steps {
    let there = hands.squares.shows(record.position().board());
    let mut steps = correct(hands, record);
    steps.extend((!there).then_some(Step::Restore));
    steps
}

/// What the board shows until it shows the record are no moves.
pub(super) fn restore(hands: &mut Hands) -> Steps {
    hands.unlawful.restore(hands.now());
    hands.touches.excuse(true);
    vec![Step::Look]
}

/// Before the first move, and after a silence in which another board may have come, half a turn is remapped silently:
/// nobody told us how the board lies.
pub(super) fn turn_if_it_fits(hands: &mut Hands, expected: Board) {
    let mut turned = hands.squares.clone();
    turned.lay(hands.squares.lie().turned(), hands.now());
    let fits = if hands.squares.names() {
        *turned.board() == expected
    } else {
        hands.squares.occupied() != expected.occupied() && turned.occupied() == expected.occupied()
    };
    if fits {
        turned.name(&expected);
        hands.turn_round(turned);
    }
}
