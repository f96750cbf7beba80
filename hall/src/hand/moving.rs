//! The record and what is seen move on: each step is done, and then what follows from it.

use super::{
    correcting::{correct, restore},
    hands::Hands,
    last_ply, recovery,
    seeing::see,
    settling,
    step::{Settle, Step, Steps},
};

/// Looks for the best explanation of the board, and does what follows.
pub(super) fn look(hands: &mut Hands) {
    take(hands, vec![Step::Look]);
}

/// The first plies of the tail are followed, or final; what follows from that is done too.
pub(super) fn settle(hands: &mut Hands, settle: Settle) {
    take(hands, vec![Step::Settle(settle)]);
}

/// What the open press completes.
pub(super) fn settle_pressed(hands: &mut Hands) {
    let plies = hands.completed_by_open();
    let Some(press) = hands.lever.take() else { return };
    hands.lever.advance();
    if let Some(plies) = plies {
        settle(hands, Settle { completing: Some(press.at), ..Settle::seen(plies) });
        hands.lever.leave_unpressed(press.side, false);
    }
}

/// The game closes: what is open is decided by what is likeliest.
pub(super) fn close(hands: &mut Hands) {
    carry_out(hands, recovery::decide);
    last_ply::close(hands, false);
}

/// The same, by word or by an order. Where no press tells, what is seen by then was played.
pub(super) fn close_by_word(hands: &mut Hands) {
    let (played, set_at) = (last_ply::played(hands), hands.edges.set_at());
    let (plies, made) = (played.len(), played.first().is_some_and(|first| hands.changed_at(*first) > set_at));
    let open = hands.edges.is_on() && !hands.lever.tells() && hands.lost.stories.is_none();
    if open && made && hands.seen.fits() {
        settle(hands, Settle::seen(plies));
    }
    close(hands);
}

/// The same, and the men have gone home: what they have made of that is no move.
pub(super) fn close_home(hands: &mut Hands) {
    carry_out(hands, recovery::decide);
    last_ply::close(hands, true);
}

/// Works something out, and takes the steps it leads to.
pub(super) fn carry_out(hands: &mut Hands, work: impl FnOnce(&mut Hands) -> Steps) {
    let steps = work(hands);
    take(hands, steps);
}

/// Takes these steps, and after each those that it leads to.
pub(super) fn take(hands: &mut Hands, steps: Steps) {
    let mut ahead = steps;
    ahead.reverse();
    while let Some(step) = ahead.pop() {
        let next = match step {
            Step::Look => see(hands),
            Step::Settle(settle) => settling::settle(hands, settle),
            Step::Correct(record) => correct(hands, record),
            Step::Restore => restore(hands),
            Step::TakeUpPress(side, at) => {
                hands.take_up_press(side, at);
                Vec::new()
            }
            Step::TakeUp(turn) => {
                hands.take_up(*turn);
                Vec::new()
            }
        };
        ahead.extend(next.into_iter().rev());
    }
}
