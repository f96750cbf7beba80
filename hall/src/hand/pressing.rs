//! A press of the clock: which ply it completes, or what it is judged as.

use shakmaty::{Board, Chess, Color, Move, Position, Square};

use super::{
    acquitting::goes_on_beside,
    assuming::{pass_turn, puts_down},
    beginning, closing,
    deed::{Certainty, Deed},
    explain::PLIES_UNDER_A_PRESS,
    hands::Hands,
    hearing::Silence,
    irregular::Aside,
    judging::{self, Detail, Illegality, Judgement, Mismatch, Reason},
    lever::OpenPress,
    making::castling_to,
    misreading,
    moving::{carry_out, look, settle, settle_pressed, take},
    record::play_all,
    recovery::{self, Outweighs},
    seeing::look_aside,
    squares::Lifted,
    step::{Settle, Steps},
    taking_back,
};
use crate::{Millis, Ply};

/// A press is heard. On a board that is behind its clock it waits for its men.
pub(super) fn hear_press(hands: &mut Hands, side: Color) {
    hands.squares.evidence.press(side, hands.now(), hands.settings.clock_bounce_ms);
    let late = hands.lever.lateness.ms(&hands.settings);
    if late == 0 && hands.lever.lateness.next_at().is_none() {
        return press(hands, side);
    }
    hands.lever.lateness.wait(side, hands.now() + late);
}

/// The next press has waited long enough.
pub(super) fn press_late(hands: &mut Hands) {
    if let Some(side) = hands.lever.lateness.take() {
        press(hands, side);
    }
}

/// Something else is heard of the clock, or of the game: no press waits any longer.
pub(super) fn press_waiting(hands: &mut Hands) {
    while let Some(side) = hands.lever.lateness.take() {
        press(hands, side);
    }
}

/// A player has pressed the clock.
pub(super) fn press(hands: &mut Hands, side: Color) {
    // What is pressed on a board that can't be explained yet shows in the lever, once it can. It is no press yet:
    // read off the lever it must not be taken for a bounce of itself.
    if hands.hearing.is_gap() {
        return hands.lost.press(side);
    }
    if beginning::takes_press(hands, side) {
        return;
    }
    let (last, bounced) = hands.lever.touch(side, hands.settings.clock_bounce_ms, hands.now());
    if !hands.edges.is_on() || bounced {
        return;
    }
    if hands.unlawful.stop_restoring() {
        look(hands);
    }
    if answers_aside(hands, side) {
        return;
    }
    let unknown = hands.edges.is_assumed() || hands.has_hole();
    if unknown && hands.seen.tail().is_empty() && (puts_down(hands, side) || shows_whose_turn(hands, side)) {
        return;
    }
    // The opponent has pressed since: the turn is back, and what follows is followed without a word.
    if last.is_some_and(|by| by != side) {
        hands.unlawful.forget_judged();
    }
    if hands.lost.rethinks_at.is_some() && recovery::think_over(hands, hands.settings.contact_debounce_ms) {
        look(hands);
    }
    if waits_on_top(hands, side) || answers_unread(hands, side) {
        return;
    }
    if !starts_the_clock(hands, side, last) && !completes_what_is_final(hands, side) {
        open(hands, side);
    }
}

/// A press of the other side says that the earlier ones were for the plies before. True if it has to wait for them: under
/// an open press the turn counts as passed.
fn waits_on_top(hands: &mut Hands, side: Color) -> bool {
    if hands.lever.topmost().is_none_or(|topmost| topmost == side) {
        return false;
    }
    hands.lever.queue(OpenPress::waiting(side, hands.now(), hands.now() + hands.settings.press_queued_ms));
    if hands.lever.waiting() > hands.seen.tail().len() {
        look(hands);
    }
    settle_waiting(hands);
    if hands.lever.is_queued() || hands.lever.opened().is_none_or(|press| press.side != side) {
        return true;
    }
    hands.lever.take();
    false
}

/// Presses that have others on top of them complete what the board shows.
fn settle_waiting(hands: &mut Hands) {
    let first = hands.lever.opened().filter(|press| press.at < hands.squares.evidence.surveyed_at());
    if first.is_some_and(|press| !hands.completes(press.side)) {
        return settle_earlier_unread(hands);
    }
    let tells = |hands: &Hands| {
        let doubted = hands.doubt().is_some_and(|doubt| doubt.why >= Silence::BothPressed);
        let weighed = hands.seen.fits() && hands.seen.weighs_at().is_none();
        !doubted && weighed && hands.completed_by_open().is_some_and(|plies| hands.has_shown(plies))
    };
    while hands.lever.is_queued() && tells(hands) {
        settle_pressed(hands);
    }
}

/// A dump has shown that the man of the earlier press is nowhere, and play has gone on all the same.
fn settle_earlier_unread(hands: &mut Hands) {
    let Some(press) = hands.lever.take() else { return };
    if outweighs(hands) {
        return;
    }
    match recovery::pressed_unread(hands) {
        Some(line) => settle_unread(hands, (press.side, press.at), line),
        None => hands.lever.open(press),
    }
}

/// A dump is read while a press waits for its man: if the opponent has pressed on top of it, play has gone on.
pub(super) fn survey_press(hands: &mut Hands) {
    let waits = hands.lever.opened().filter(|_| hands.lever.is_queued()).map(|press| press.side);
    if waits.is_some_and(|side| !hands.completes(side)) {
        settle_earlier_unread(hands);
    }
}

/// The arbiter was called because a man was nowhere, and the opponent has replied all the same. True if a square that
/// reads nothing explains both, or one that reads somebody who is not there.
fn answers_unread(hands: &mut Hands, side: Color) -> bool {
    let doubted = hands.lost.may_be_silent || !hands.unlawful.is_illegal();
    let called = hands.unlawful.is_found() && doubted && !hands.lever.is_open();
    if !called || hands.completes(side) || hands.record.turn() == side {
        return false;
    }
    if outweighs(hands) {
        return true;
    }
    let line = recovery::pressed_unread(hands).or_else(|| recovery::pressed_without(hands, side));
    line.map(|line| settle_unread(hands, (side, hands.now()), line)).is_some()
}

/// Black's first press before any move starts White's clock.
fn starts_the_clock(hands: &Hands, side: Color, last: Option<Color>) -> bool {
    let first = last.is_none() && hands.record.ply() == Ply::START;
    let whites = side.is_black() && hands.record.turn().is_white();
    // What stood wrong from the beginning nobody has moved there.
    let heard = |square| hands.squares.heard_landing(square).is_some() || hands.squares.heard_leaving(square);
    first && whites && hands.seen.tail().is_empty() && !hands.misfit().into_iter().any(heard)
}

/// A ply that a reply has made final before is completed by the press; or the presser does not have the move.
fn completes_what_is_final(hands: &mut Hands, side: Color) -> bool {
    if hands.completes(side) || is_making_the_next(hands, side) || hands.making.gone_back().is_some() {
        return false;
    }
    let without_the_move = hands.record.turn() != side;
    let before = without_the_move || hands.seen.tail().is_empty() && hands.misfit().is_empty();
    if before && hands.lever.complete(side) {
        hands.lever.hear_press();
        if hands.seen.followed.press(side, hands.now()) {
            hands.commit();
        } else if hands.lost.stories.is_none() {
            // With a ply of a story nobody knows yet which ply of the record that is.
            hands.say(Deed::Completed(side, hands.now()));
        }
        return true;
    }
    if without_the_move {
        press_without_the_move(hands, side);
        return true;
    }
    // Another move on top of one that was not seen is judged with it.
    hands.lever.opened().is_some_and(|press| press.unseen)
}

/// The press waits for its ply, or is judged at once on a board that is still.
fn open(hands: &mut Hands, side: Color) {
    let (now, changed) = (hands.now(), hands.squares.last_change());
    // A board that is late need not have been still, and who has taken a man off it takes him.
    let late = hands.lever.lateness.ms(&hands.settings);
    let still = late == 0 && now >= changed + hands.settings.press_before_ms || changed == 0;
    let in_air = is_in_the_air(hands, side) || late > 0 && is_in_the_air(hands, !side);
    let doubted = hands.doubt().is_some_and(|doubt| doubt.why.excuses());
    let board = (!in_air && !doubted).then(|| hands.squares.board().clone());
    let until = if still && !in_air && !doubted { now } else { now + hands.settings.press_after_ms };
    let after =
        if is_making_the_next(hands, side) { hands.record.ply().on(hands.seen.tail().len()) } else { Ply::START };
    hands.lever.open(OpenPress { side, at: now, board, until, unseen: false, after });
    if hands.seen.tail().len() > PLIES_UNDER_A_PRESS {
        // They are weighed with it.
        look(hands);
    }
    if !hands.completes(side) && until == now {
        judge_press(hands);
    }
}

fn is_in_the_air(hands: &Hands, side: Color) -> bool {
    if hands.squares.lifted().iter().any(|lifted| lifted.piece.color == side) {
        return true;
    }
    if hands.squares.names() {
        return false;
    }
    // Where men have no names who was lifted may have been taken for the one who has landed.
    let (seen, occupied) = (hands.seen_position(), hands.squares.occupied());
    let gone = seen.board().by_color(side) & !occupied;
    gone.count() > (occupied & !seen.board().occupied()).count()
}

/// A player who has the move over what nobody has pressed has a man in the hand: that is what the press is for, and not a
/// ply that they have made some time ago.
fn is_making_the_next(hands: &Hands, side: Color) -> bool {
    let unpressed = hands.seen.followed.moves().chain(hands.seen.tail().iter().copied()).collect::<Vec<_>>();
    let Some((last, below)) = unpressed.split_last() else { return false };
    let landed = hands.changed_at(*last);
    let owes = !below.is_empty() || hands.lever.is_unpressed(side);
    let takes_up = |lifted: &Lifted| {
        // Who has come some way already has been in the hand for longer. Without a ply to press there is nothing else to
        // press for.
        let moved = lifted.origin != lifted.from;
        let is_in_hand = moved || !owes || hands.now() >= lifted.at + hands.settings.press_before_ms;
        lifted.piece.color == side && lifted.at >= landed && is_in_hand
    };
    let is_old = |own: &Move| hands.now() > hands.changed_at(*own) + hands.settings.press_after_ms;
    let has_the_move = hands.seen_position().turn() == side && hands.squares.lifted().iter().any(takes_up);
    has_the_move && below.last().is_none_or(is_old)
}

/// The opponent of a player whose illegal move is open has pressed. True if the press is for a reply to that move.
fn answers_aside(hands: &mut Hands, side: Color) -> bool {
    let until = hands.now() + hands.settings.press_after_ms;
    let Some(aside) = hands.unlawful.aside_mut() else { return false };
    let answers = aside.answer(side, hands.squares.board(), until);
    if answers {
        carry_out(hands, look_aside);
        judge_answer(hands, side);
    }
    answers
}

/// The reply that was pressed is not legal either: that is told too.
fn judge_answer(hands: &mut Hands, side: Color) {
    let still = hands.now() >= hands.squares.last_change() + hands.settings.press_before_ms;
    if !still || is_in_the_air(hands, side) {
        return;
    }
    let Some(position) = hands.unlawful.aside().and_then(|aside| aside.position(&hands.record)) else { return };
    let judgement = judge(hands, &position, hands.squares.board(), side);
    let is_news = |aside: &mut Aside| aside.judge_answer(hands.squares.board());
    if matches!(judgement, Judgement::Illegal(_)) && hands.unlawful.aside_mut().is_some_and(is_news) {
        hands.say(Deed::Pressed(side, judgement, Certainty::Sure));
    }
}

/// Where it was not known whose turn it is, a press tells: a player who has moved before the board was heard has it no
/// more, one whose men have changed had it. True if there is nothing to judge.
fn shows_whose_turn(hands: &mut Hands, side: Color) -> bool {
    let unchanged = hands.misfit().is_empty();
    let passes = unchanged == (hands.record.turn() == side);
    passes && (pass_turn(hands) || recovery::pass_turn(hands)) && unchanged
}

/// Nothing is completed by it, or the presser has moved without having the move: under an illegal move the turn counts as
/// passed, and a press without a move is one.
fn press_without_the_move(hands: &mut Hands, side: Color) {
    // Which of several plies was played before nobody knows: the turn may have passed.
    if hands.lost.puzzled {
        outweighs(hands);
        return;
    }
    if hands.unlawful.accused().is_some_and(|(by, _)| by != side) && !hands.seen.fits() {
        return open(hands, side);
    }
    if hands.unlawful.is_found() || !hands.seen.tail().is_empty() {
        return;
    }
    let of = |board: &Board, square| board.color_at(square) == Some(side);
    let (record, board) = (hands.record.board(), hands.squares.board());
    let own = hands.misfit().into_iter().any(|square| of(record, square) || of(board, square));
    if own && outweighs(hands) {
        return;
    }
    if own && !hands.unlawful.has_passed_to(side) {
        judge_out_of_turn(hands, side);
    } else if !own && hands.hearing.doubt().is_some() {
        hands.hearing.press_in_vain(hands.now());
    }
}

/// The presser has moved without having the move, unless what the board shows is only of this moment, or was not all heard.
fn judge_out_of_turn(hands: &mut Hands, side: Color) {
    let (now, settings) = (hands.now(), &hands.settings);
    let (after, unseen) = (settings.press_after_ms, settings.press_unseen_ms);
    if now < hands.squares.last_change() + settings.press_before_ms {
        // It may have been there a moment before, and is again: that is judged looking back.
        wait_unseen(hands, side, after);
    } else if is_unseen(hands, side) {
        // Perhaps what the opponent played was not heard either: the press waits for a dump.
        hands.hearing.miss(Silence::Missed, now);
        wait_unseen(hands, side, unseen);
    } else {
        accuse_out_of_turn(hands, side, now);
    }
}

fn accuse_out_of_turn(hands: &mut Hands, side: Color, pressed: Millis) {
    if let Some(steps) = recovery::had_the_move(hands, side) {
        return press_otherwise(hands, side, steps);
    }
    if let Some(steps) = recovery::leap_again(hands, side) {
        return take(hands, steps);
    }
    hands.find_unlawful(Some((side, pressed)));
    hands.say(Deed::OutOfTurn(side));
}

/// A man of the presser stands nowhere, or twice.
fn is_unseen(hands: &Hands, side: Color) -> bool {
    let men = |board: &Board| board.by_color(side).count();
    hands.squares.names() && men(hands.squares.board()) != men(hands.record.board())
}

/// The press waits for so long: what it was for is not seen.
fn wait_unseen(hands: &mut Hands, side: Color, patience: Millis) {
    let now = hands.now();
    hands.lever.open(OpenPress { unseen: true, ..OpenPress::waiting(side, now, now + patience) });
}

/// Where a move is completed when it is released, so is one that is not legal. What is only half done is neither: a
/// capture whose victim still stands, a king on its way to a legal castling, a pawn that is still to be replaced.
pub(super) fn judge_release(hands: &mut Hands) {
    hands.unlawful.judge_release(hands.squares.rests_since());
    if !hands.squares.names() {
        return;
    }
    let (side, board) = (hands.record.turn(), hands.squares.board().clone());
    let judgement = judge(hands, hands.record.position(), &board, side);
    let Judgement::Illegal(illegality) = judgement else { return };
    let castling =
        illegality.reason == Reason::CastlingNotAllowed && castling_to(&hands.record, illegality.to).is_some();
    if illegality.reason != Reason::CapturedNotRemoved && !castling {
        hands.find_unlawful(None);
        keep_judged(hands, side, &judgement, board);
        hands.say(Deed::Pressed(side, judgement, Certainty::Sure));
    }
}

fn judge(hands: &Hands, position: &Chess, board: &Board, side: Color) -> Judgement {
    judging::judge(position, board, side, hands.touches.is_accident(), |square| hands.squares.changed_at(square))
}

/// Remembers what was illegal: a second press is judged by it, and it may come to stand.
fn keep_judged(hands: &mut Hands, side: Color, judgement: &Judgement, board: Board) {
    let illegality = match judgement {
        Judgement::Illegal(illegality) => *illegality,
        Judgement::PromotionLeft(left) => Illegality {
            reason: Reason::NotALegalMove,
            from: left.from().expect("a pawn comes from somewhere"),
            to: left.to(),
            taken: left.capture().map(|_| left.to()),
        },
        Judgement::NoMove | Judgement::Mismatch(_) | Judgement::Unseen(_) => return,
    };
    // In a story nobody knows yet what it was played on.
    let aside = Aside::new(side, illegality, board.clone());
    hands.unlawful.set_aside(Some(aside).filter(|_| hands.lost.stories.is_none()));
    hands.unlawful.judge(board);
}

/// The open press has found no ply in time: what stands on the board instead?
pub(super) fn judge_press(hands: &mut Hands) {
    if let Some(press) = hands.lever.take() {
        judge_open(hands, press);
        // No press waits on top of none.
        if !hands.lever.is_open() {
            hands.lever.advance();
        }
    }
}

fn judge_open(hands: &mut Hands, press: OpenPress) {
    // Where nobody knows what was played nobody is judged by it.
    if hands.lost.stories.as_ref().is_some_and(|stories| stories.hole.is_some() && stories.is_fresh()) {
        return;
    }
    if let Some(steps) = taking_back::go_on(hands, (press.side, press.at)) {
        return take(hands, steps);
    }
    if closing::mend_under(hands, press.side, press.at) {
        return;
    }
    let Err(open) = explained(hands) else { return };
    if press.side != hands.record.turn() && press.unseen && !hands.unlawful.is_found() {
        return accuse_out_of_turn(hands, press.side, press.at);
    }
    // What it was for has not come: it was for what was seen by then.
    if press.after > hands.record.ply() {
        if hands.completes(press.side) && !hands.hearing.is_gap() {
            hands.lever.open(OpenPress { after: Ply::START, ..press });
            settle_pressed(hands);
        }
        return;
    }
    if stands_apart(hands, press.side) {
        hands.lever.open(press);
        return settle_pressed(hands);
    }
    let board = press.board.clone().filter(|board| !has_flashed(hands, board, &press));
    let board = board.unwrap_or_else(|| hands.squares.board().clone());
    let board = hands.squares.filled(&board, hands.record.board());
    if hands.unlawful.is_found() {
        // What a reply to something unlawful is nobody asks.
        if press.side == hands.record.turn() {
            press_again(hands, press.side, board);
        }
        return;
    }
    if hands.lost.puzzled {
        recovery::puzzle(hands, &open);
        return;
    }
    let judgement = judgement(hands, &press, &board);
    let unread = match judgement {
        Judgement::Unseen(_) => {
            recovery::pressed_known(hands, press.side).or_else(|| recovery::pressed_gone(hands, press.side))
        }
        Judgement::NoMove => recovery::pressed_elsewhere(hands, press.side),
        Judgement::PromotionLeft(_) | Judgement::Illegal(_) | Judgement::Mismatch(_) => None,
    };
    if let Some(line) = unread {
        return settle_unread(hands, (press.side, press.at), line);
    }
    if judgement != Judgement::NoMove
        && let Some(steps) = recovery::was_played_otherwise(hands, press.side)
    {
        return press_otherwise(hands, press.side, steps);
    }
    let may_be_read = match judgement {
        Judgement::Unseen(_) => true,
        Judgement::NoMove => stands_unread(hands, press.side),
        Judgement::PromotionLeft(_) | Judgement::Illegal(_) | Judgement::Mismatch(_) => false,
    };
    if may_be_read && hands.now() < press.at + hands.settings.press_unseen_ms {
        return wait_for_man(hands, press);
    }
    if let Some(steps) = recovery::leap_again(hands, press.side) {
        return take(hands, steps);
    }
    match judgement {
        Judgement::Unseen(mismatch) => judge_unseen(hands, &press, Judgement::Mismatch(mismatch), &open),
        Judgement::NoMove => judge_no_move(hands, &press),
        judgement @ (Judgement::PromotionLeft(_) | Judgement::Illegal(_) | Judgement::Mismatch(_)) => {
            hands.lever.drop_queued();
            let certainty = misreading::doubt(hands, &press, &board);
            // What was knocked over stands wrong, whatever the sensors say of the ply.
            let accused = (press.side, press.at);
            hands.find_unlawful(Some(accused).filter(|_| !hands.touches.is_accident()));
            keep_judged(hands, press.side, &judgement, board);
            let castles =
                matches!(&judgement, Judgement::Illegal(illegality) if illegality.reason == Reason::CastlingNotAllowed);
            hands.say(Deed::Pressed(press.side, judgement, certainty));
            if castles && hands.making.two_hands(press.side) {
                hands.say(Deed::TwoHands(press.side));
            }
        }
    }
}

/// What was heard of the last plies explains the press after all.
fn outweighs(hands: &mut Hands) -> bool {
    explained(hands).is_ok()
}

/// The same, or the lines that may, if there are several that are nearly as likely.
fn explained(hands: &mut Hands) -> Result<(), Vec<Vec<Move>>> {
    match recovery::reconsider(hands, None, true) {
        Outweighs::Sure(moves, Some(settled)) => {
            hands.release();
            hands.show(moves);
            settle(hands, settled);
            return Ok(());
        }
        Outweighs::Open(lines) => return Err(lines),
        // The press completes none of it, but it may stand on another record.
        Outweighs::Sure(moves, None) => hands.show(moves),
        Outweighs::Doubtful(_) | Outweighs::Nothing => {}
    }
    hands.seen.weigh_in_vain(hands.now());
    Err(Vec::new())
}

/// The only ply that waits is the presser's. It stands as it was seen, and nothing is amiss but men of the opponent, who is
/// about his reply since.
fn stands_apart(hands: &Hands, side: Color) -> bool {
    let is_heard = hands.squares.names() && !hands.hearing.is_gap();
    let is_amiss = is_heard && !hands.seen.fits() && hands.unlawful.stands_since().is_none();
    let ([played], true) = (hands.seen.tail(), is_amiss && hands.completed_by(side) == Some(1)) else { return false };
    let Some(after) = play_all(hands.record.position(), &[*played]) else { return false };
    let (expected, board, made) = (after.board(), hands.squares.board(), hands.changed_at(*played));
    let own = expected.by_color(side) | board.by_color(side);
    let replies = |square: Square| !own.contains(square) && hands.squares.changed_at(square) >= made;
    hands.squares.misfit_ignoring_air(expected).into_iter().all(replies)
}

/// A man of the presser was read on this board, and is gone: for less than a board has to be still before a press, or his
/// reading has jumped since. He stands between two squares.
fn has_flashed(hands: &Hands, board: &Board, press: &OpenPress) -> bool {
    let stays = |square| hands.squares.board().piece_at(square) == board.piece_at(square);
    let stood = |square| hands.squares.evidence.last_stood(square);
    let flashes = |square| stood(square).is_some_and(|stood| stood < hands.settings.press_before_ms);
    let has_jumped = |square| {
        let left = hands.squares.evidence.readings_of(square, press.at).next();
        left.is_some_and(|left| goes_on_beside(hands, left))
    };
    let mut gone = board.by_color(press.side).into_iter().filter(|square| !stays(*square));
    hands.squares.names() && gone.any(|square| flashes(square) || has_jumped(square))
}

fn judgement(hands: &Hands, press: &OpenPress, board: &Board) -> Judgement {
    // Where nobody is named, a man more than there were is one who stands twice.
    let (standing, expected) = (hands.squares.occupied(), hands.record.board().occupied());
    if !hands.squares.names() && standing.count() > expected.count() {
        return Judgement::Unseen(Mismatch { detail: Detail::ExtraPiece, squares: standing ^ expected });
    }
    // Names that were guessed may have changed places.
    if !hands.squares.names() && board.occupied() == hands.record.board().occupied() {
        return Judgement::NoMove;
    }
    let judgement = judge(hands, hands.record.position(), board, press.side);
    if press.unseen && matches!(judgement, Judgement::Illegal(_)) {
        Judgement::Mismatch(judging::compare(hands.record.board(), board))
    } else {
        judgement
    }
}

/// This line is shown, of which not every square has told, and the press completes its player's first ply of it: what the
/// same player has made later is for another press.
fn settle_unread(hands: &mut Hands, (side, at): (Color, Millis), line: Vec<Move>) {
    let plies = hands.first_by(side);
    hands.show(line);
    hands.lever.advance();
    settle(hands, Settle { completing: Some(at), ..Settle::inferred(plies) });
    hands.lever.leave_unpressed(side, false);
}

/// A man of this player stands on a square that reads nothing: if he has left nobody can tell until he is read elsewhere.
fn stands_unread(hands: &Hands, side: Color) -> bool {
    let board = hands.record.board();
    hands.squares.unread(board).intersects(board.by_color(side))
}

/// A man of the presser is nowhere. Later the board is judged as it stands then: only the sensors can have been wrong.
fn wait_for_man(hands: &mut Hands, press: OpenPress) {
    let until = press.at + hands.settings.press_unseen_ms;
    hands.ask();
    hands.lever.open(OpenPress { board: None, until, unseen: true, ..press });
    hands.lost.note_silence();
    look(hands);
}

/// The man has not been found since: perhaps the press was for a ply no sensor has told of.
fn judge_unseen(hands: &mut Hands, press: &OpenPress, judgement: Judgement, open: &[Vec<Move>]) {
    let (side, at) = (press.side, press.at);
    if recovery::puzzle(hands, open) {
        return;
    }
    if hands.lever.is_queued()
        && let Some(line) = recovery::pressed_unread(hands)
    {
        return settle_unread(hands, (side, at), line);
    }
    hands.find_unlawful(Some((side, at)));
    hands.say(Deed::Pressed(side, judgement, Certainty::Sure));
}

fn judge_no_move(hands: &mut Hands, press: &OpenPress) {
    if let Some(steps) = recovery::lacks_a_ply(hands, press.side) {
        return press_otherwise(hands, press.side, steps);
    }
    if press.unseen && hands.lever.drop_queued() {
        // The man that was nowhere is back where it was, and the opponent has pressed meanwhile: there and back, and
        // nobody can tell which way.
        hands.admit_gap(true);
        return;
    }
    hands.squares.evidence.idle(press.side, press.at);
    if !idles_again(hands, press.side) {
        hands.unlawful.idle(press.side, press.at);
        hands.hearing.press_in_vain(hands.now());
        let certainty = misreading::doubt_nothing(hands, press);
        hands.say(Deed::Pressed(press.side, Judgement::NoMove, certainty));
    }
}

/// What was not heard was something else: the press is for what is seen then.
fn press_otherwise(hands: &mut Hands, side: Color, steps: Steps) {
    take(hands, steps);
    if !completes_what_is_final(hands, side) {
        open(hands, side);
    }
}

/// The same lever can't be pressed twice: what comes again before the other player's press is no offence.
fn idles_again(hands: &Hands, side: Color) -> bool {
    let passed = |since| hands.squares.evidence.presses(since).any(|(by, _)| by != side);
    hands.unlawful.idler().is_some_and(|(by, at)| by == side && !passed(at))
}

/// A player whose illegal move is still open presses again: the turn counts as passed, so a board that they have
/// changed further was changed out of turn.
fn press_again(hands: &mut Hands, side: Color, board: Board) {
    let Some(judged) = hands.unlawful.judged() else { return };
    let same = |other: &Board| (other.by_color(side) ^ board.by_color(side)).is_empty();
    if !same(judged) && !same(hands.record.board()) {
        hands.unlawful.judge(board);
        hands.say(Deed::OutOfTurn(side));
    }
}
