//! Every sign and every order, each to its place.

use shakmaty::Position as _;

use super::{
    assuming::expect_turn,
    beginning,
    closing::{end, leave_over, stand_still},
    correcting::{begin, correct, correct_and_restore},
    deed::Deed,
    hands::Hands,
    hearing::Silence,
    last_ply,
    moving::{self, carry_out, look, settle},
    pressing::{hear_press, press_waiting},
    recovery,
    sign::{Order, Sign},
    step::Settle,
    surveying::{report, survey},
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
        Sign::Missed(presses) => {
            hands.hearing.miss(Silence::Missed, hands.now());
            hands.lever.miss_presses(presses);
        }
        Sign::Press(side) => hear_press(hands, *side),
        Sign::Unheard(presses) => carry_out(hands, |hands| recovery::count(hands, presses)),
        Sign::Pressing(pressing) => {
            if !hands.lever.expects(*pressing) {
                press_waiting(hands);
            }
            last_ply::wait_otherwise(hands, |hands| hands.lever.expect(*pressing));
        }
        Sign::Lever(up) => hands.lever.read(*up),
        // Only the player having the move may adjust.
        Sign::Adjusting(side) if *side == hands.having_the_move() => hands.touches.excuse(true),
        Sign::Adjusting(_) => {}
        Sign::Limited(limited) => hands.unlawful.limit(*limited),
        Sign::Array(array) => hands.edges.expect(array.as_ref()),
        Sign::Pegs(pegs) => hands.touches.feel_pegs(*pegs),
        Sign::Ordered(order) => {
            press_waiting(hands);
            obey(hands, order);
        }
    }
}

fn obey(hands: &mut Hands, order: &Order) {
    match order {
        Order::Begin { record, lie } => {
            hands.say(Deed::Set(record.clone()));
            carry_out(hands, |hands| begin(hands, record.clone(), *lie));
        }
        Order::Announce => hands.edges.announce(),
        Order::Close => moving::close_by_word(hands),
        Order::End => {
            end(hands);
            beginning::note_array(hands);
        }
        Order::LeaveOver(contents) => leave_over(hands, contents),
        Order::StandStill => stand_still(hands),
        Order::Resume => {
            hands.edges.resume();
            last_ply::reopen(hands);
            hands.unlawful.stop_restoring();
            // What the men did meanwhile were no moves.
            hands.begin_turn();
            look(hands);
            hands.say_seen();
        }
        Order::Correct(record) => {
            hands.say(Deed::Set(record.clone()));
            carry_out(hands, |hands| correct(hands, record.clone()));
        }
        Order::Restore(record) => {
            hands.say(Deed::Set(record.clone()));
            carry_out(hands, |hands| correct_and_restore(hands, record.clone()));
            beginning::note_exchanged(hands);
        }
        Order::Force(played) => {
            // What is followed lies below it, or was not played.
            if !hands.record.position().is_legal(*played) {
                hands.unfollow(hands.seen.followed.len());
            }
            settle(hands, Settle::forced(*played));
        }
        Order::ClockTells(tells) => last_ply::wait_otherwise(hands, |hands| hands.lever.trust(*tells)),
        Order::ExpectTurn(turn) => expect_turn(hands, *turn),
        Order::JudgeEndAgain => hands.seen.note_end(None),
    }
}
