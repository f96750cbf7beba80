//! Every sign and every order, each to its place.

use protocol::board::Lie;
use shakmaty::{Board, CastlingMode, Chess, Position};

use super::{
    assuming::expect_turn,
    closing::end,
    hands::Hands,
    moving::{look, settle, take},
    pressing::press,
    recovery,
    sign::{Order, Sign},
    step::Settle,
    surveying::{report, survey, turn_if_it_fits},
};

/// Takes one sign.
pub(super) fn heed(hands: &mut Hands, sign: &Sign) {
    match sign {
        Sign::Square(square, content) => report(hands, *square, *content),
        Sign::Board(contents) => survey(hands, contents),
        Sign::Link(true) => {}
        Sign::Link(false) => recovery::fall_silent(hands),
        Sign::Replaced => {
            recovery::fall_silent(hands);
            hands.hearing.replace();
        }
        Sign::Press(side) => press(hands, *side),
        Sign::Unheard(presses) => {
            let steps = recovery::count(hands, presses);
            take(hands, steps);
        }
        Sign::Pressing(pressing) => hands.lever.expect(*pressing),
        // Only the player having the move may adjust.
        Sign::Adjusting(side) if *side == hands.having_the_move() => hands.touches.excuse(true),
        Sign::Adjusting(_) => {}
        Sign::Limited(limited) => hands.unlawful.limit(*limited),
        Sign::Pegs(pegs) => hands.touches.feel_pegs(*pegs),
        Sign::Ordered(order) => obey(hands, order),
    }
}

fn obey(hands: &mut Hands, order: &Order) {
    match order {
        Order::Begin { position, mode, lie } => begin(hands, position, *mode, *lie),
        Order::Assume(opening) => {
            begin(hands, &opening.position, opening.mode, opening.lie);
            hands.edges.assume();
        }
        Order::Announce => hands.edges.announce(),
        Order::End => end(hands),
        Order::Resume => {
            hands.edges.resume();
            hands.unlawful.stop_restoring();
            look(hands);
        }
        Order::Correct { position, earlier } => correct(hands, position.clone(), earlier.clone()),
        Order::Restore { position, earlier } => restore(hands, position.clone(), earlier.clone()),
        Order::Force(played) => {
            hands.show(vec![*played]);
            settle(hands, Settle::seen(1));
        }
        Order::ExpectTurn(turn) => expect_turn(hands, *turn),
        Order::JudgeEndAgain => hands.seen.note_end(None),
    }
}

fn begin(hands: &mut Hands, position: &Chess, mode: CastlingMode, lie: Lie) {
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

fn correct(hands: &mut Hands, position: Chess, earlier: Vec<Board>) {
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

fn restore(hands: &mut Hands, position: Chess, earlier: Vec<Board>) {
    let there = hands.squares.misfit_ignoring_air(position.board()).is_empty();
    correct(hands, position, earlier);
    if !there {
        hands.find_unlawful();
        hands.unlawful.restore();
        look(hands);
    }
}
