//! The record is set: a game begins, moves are taken back, somebody says what it should be. All parts begin anew.

use protocol::board::Lie;
use shakmaty::{Board, CastlingMode, Chess, Position};

use super::{hands::Hands, moving::look, record::Earlier};

/// A game begins at this position, on a board that lies like this.
pub(super) fn begin(hands: &mut Hands, position: &Chess, mode: CastlingMode, lie: Lie) {
    let now = hands.now();
    hands.record.play_by(mode);
    hands.squares.lay(lie, now);
    if hands.squares.board() != position.board() {
        turn_if_it_fits(hands, position.board().clone());
    }
    hands.edges.begin(now);
    hands.lever.begin();
    hands.touches.clear();
    correct(hands, position.clone(), Vec::new());
}

/// The record's position is this one, after these.
pub(super) fn correct(hands: &mut Hands, position: Chess, earlier: Vec<Earlier>) {
    hands.record.set(position, earlier);
    hands.edges.settle();
    hands.hearing.close_gap();
    hands.hearing.recognise();
    hands.lost.reset();
    hands.lever.reset();
    hands.unlawful.reset();
    hands.touches.excuse(false);
    hands.begin_turn();
    hands.squares.name(hands.record.board());
    hands.squares.start_from(hands.record.board());
    hands.show(Vec::new());
    look(hands);
}

/// The same, and it has to be set up first.
pub(super) fn restore(hands: &mut Hands, position: Chess, earlier: Vec<Earlier>) {
    let there = hands.squares.misfit_ignoring_air(position.board()).is_empty();
    correct(hands, position, earlier);
    if !there {
        hands.find_unlawful();
        hands.unlawful.restore();
        look(hands);
    }
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
