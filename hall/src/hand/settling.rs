//! Hands play on from a seen ply: it is followed with what its making suggests, and final where it waits for no press.

use laws::touch::{Suspicion, castling_duty, examine, victim};
use protocol::board::Content;
use shakmaty::{Color, Move, Piece, Position, Role, Square, attacks::between};

use super::{
    acquitting::acquit,
    deed::{Deed, Finished},
    evidence::Reading,
    explain::landed_at,
    followed::Waiting,
    hands::Hands,
    made::{footprint, leaves},
    record::{becomes, play_all},
    recovery,
    step::{Settle, Step, Steps},
    track::matches,
};
use crate::Millis;

/// The first plies of the tail are followed, unless they wait for what is below them.
pub(super) fn settle(hands: &mut Hands, settle: Settle) -> Steps {
    // The board may have been looked at since, for what lies below it.
    settle.forced.into_iter().for_each(|played| hands.show(vec![played]));
    if let Some(steps) = recovery::rule_out(hands, settle) {
        if settle.completing.is_some() {
            go_on_pressed(hands);
        }
        return steps;
    }
    acquit(hands, settle.plies);
    let at_rest = hands.seen.at_rest().to_vec();
    // Of what was worked out, the press that is open completes the ply it was made for, and none below.
    let pressed = hands.completed_by_open().filter(|_| settle.inferred);
    // By a square of its own: others that it changes may have told of the next one since.
    let stood = hands.tail_by_side().take(settle.plies).last();
    let stood = stood.map(|(last, side)| (side, landed_at(side, last, &hands.squares)));
    admit_rivals(hands, settle.plies);
    let moves = hands.seen.take(settle.plies);
    let (count, landed) = (moves.len(), moves.last().map(|last| hands.changed_at(*last)));
    if let (Some(_), [played], Some(landed)) = (settle.completing, &moves[..], landed) {
        recovery::note_gone(hands, *played, landed);
    }
    let mut unheard = false;
    for (ply, played) in (1..).zip(moves.iter().copied()) {
        let completing = settle.completing.filter(|_| ply == count);
        let is_for_later = settle.completing.is_some() || pressed.is_some_and(|pressed| pressed > ply);
        let for_later = is_for_later.then(|| hands.lever.put_aside());
        let reply = moves.get(ply).or(hands.seen.tail().first()).copied();
        let waiting = waiting(hands, played, settle.inferred, completing);
        let waiting = not_released_by_captor(hands, waiting, reply);
        let hidden = waiting.hidden || ply <= settle.hidden;
        unheard = hidden;
        // What a press completes on top of it was pressed.
        let pressed = waiting.pressed || hidden && settle.completing.is_some();
        follow(hands, Waiting { hidden, pressed, at_rest: at_rest[ply - 1], ..waiting });
        for_later.into_iter().for_each(|open| hands.lever.take_up(open));
    }
    recovery::learn(hands, &moves);
    if let Some((pressed, (side, stood))) = settle.completing.zip(stood) {
        let own = |(by, at): &(Color, Millis)| *by == side && *at <= pressed;
        let heard = hands.squares.evidence.presses(0).filter(own).last().map_or(pressed, |(_, at)| at);
        hands.lever.lateness.learn(stood, heard, &hands.settings);
        hands.lever.leave_unpressed(side, false);
        if unheard {
            // Nobody heard the press before it either.
            hands.lever.leave_unpressed(!side, false);
        }
        go_on_pressed(hands);
    }
    if count > 0 && settle.surely > 0 {
        hands.make_final(hands.seen.followed.len() - count.saturating_sub(settle.surely));
    }
    hands.commit();
    hands.move_on();
    vec![Step::Look]
}

/// Hands play on from what is hardly likelier than something else: that is said.
fn admit_rivals(hands: &mut Hands, plies: usize) {
    let mut rivals = hands.seen.take_rivals(plies);
    rivals.retain(|rival| play_all(hands.record.position(), rival).is_some());
    if rivals.len() > 1 {
        hands.say(Deed::Undecided { lines: hands.all_above_final(&rivals), news: true });
    }
}

/// Who stood elsewhere after he had been read where his ply has taken him, and was taken there, was put down by the captor.
fn not_released_by_captor(hands: &Hands, mut ply: Waiting, reply: Option<Move>) -> Waiting {
    let (played, man) = (ply.finished.played, becomes(ply.finished.played, ply.mover));
    let read_at = |square: Square| {
        let his = |reading: &&Reading| reading.is == Content::Man(man);
        hands.squares.evidence.readings_of(square, 0).filter(his).last().map(|reading| reading.at)
    };
    let is_taken = reply.and_then(victim) == Some(played.to());
    ply.finished.released.take_if(|(rested, _)| is_taken && read_at(*rested) > read_at(played.to()));
    ply
}

/// A ply is pressed: the game goes on.
fn go_on_pressed(hands: &mut Hands) {
    hands.lever.hear_press();
    hands.edges.play_on();
    hands.seen.followed.reopen();
}

/// A ply as it was made.
pub(super) fn waiting(hands: &Hands, played: Move, inferred: bool, completing: Option<Millis>) -> Waiting {
    let (mover, placed) = (hands.record.turn(), hands.changed_at(played));
    let pressed = completing.or(hands.lever.opened_by(mover).map(|press| press.at));
    let hidden = is_hidden(hands, played);
    let inferred = inferred || hidden;
    let finished = Finished { placed, pressed, ..finish(hands, played, inferred) };
    Waiting { finished, mover, pressed: pressed.is_some(), hidden, at_rest: false }
}

/// Hands play on from one ply.
fn follow(hands: &mut Hands, ply: Waiting) {
    let played = ply.finished.played;
    hands.pass(played, ply.finished.placed, ply.finished.pressed);
    hands.edges.settle();
    hands.unlawful.set_aside(None);
    hands.seen.followed.push(ply);
    recovery::note_ply(hands, played);
    hands.lost.record();
}

/// Nobody saw this ply being played on the record.
pub(super) fn is_hidden(hands: &Hands, played: Move) -> bool {
    hands.is_unheard(played) || hands.lost.unheard.is_some_and(|last| last.is(hands.record.ply(), played))
}

/// The pawn went from its square into the box, and the piece came out of it.
fn is_unstepped(hands: &Hands, played: Move) -> bool {
    let pawn = Role::Pawn.of(hands.record.turn());
    played.promotion().is_some() && hands.squares.names() && !hands.squares.has_landed(played.to(), pawn)
}

/// Nobody knows whether the king was lifted after the rook: one of their squares tells nothing, or he was read where he
/// castles, or on his way there, before the rook was lifted.
fn may_come_first(hands: &Hands, played: Move) -> bool {
    let (Move::Castle { king, rook }, Some(castling)) = (played, played.castling_side()) else { return false };
    let (side, goal) = (hands.record.turn(), castling.king_to(hands.record.turn()));
    let way = between(king, goal).with(goal);
    let comes = |reading: &Reading| way.contains(reading.square) && matches(reading.is, Some(Role::King.of(side)));
    let lifted = hands.touches.lifted_at(rook);
    let came = lifted.is_some_and(|lifted| hands.readings().any(|reading| comes(reading) && reading.at < lifted));
    came || [king, rook].into_iter().any(|left| hands.squares.is_blind(left))
}

/// What the making of a move suggests.
fn finish(hands: &Hands, played: Move, inferred: bool) -> Finished {
    let (root, mode, turn) = (hands.record.position(), hands.record.mode(), &hands.making);
    // Who flashes where another one stands is no part of it.
    let stands = |square, man| !hands.squares.names() || root.board().piece_at(square) == Some(man);
    let moves = |square| leaves(played, square) || victim(played) == Some(square);
    let part = |square: Square, man: Piece| moves(square) && stands(square, man);
    let touched = hands.touches.counted(part, &hands.settings);
    let quiet = inferred || hands.touches.is_accident();
    let touch = if quiet { None } else { examine(root, played, &touched, mode) };
    let touch = touch.filter(|why| !matches!(why, Suspicion::RookFirst(_)) || !may_come_first(hands, played));
    let touched_both = castling_duty(root, played, &touched, mode);
    let duty = turn.duty().filter(|meant| *meant != played).or(touched_both);
    let duty = duty.and_then(|meant| Some(meant.castling_side()?.king_to(root.turn())));
    let other = |(square, role, _): &(Square, Role, Millis)| {
        played.to() == *square && played.promotion().is_some_and(|promotion| promotion != *role)
    };
    let exchanged = turn.promoted().filter(other);
    let untimed = hands.squares.found() | hands.squares.witnesses.blind();
    Finished {
        played,
        inferred,
        assumed: played.promotion().is_some() && !hands.squares.names(),
        touch,
        released: released(hands, played).filter(|_| !quiet),
        exchanged: exchanged.filter(|_| !quiet),
        duty: duty.filter(|_| !quiet),
        // Where a dump has found a man, or nothing is read, he may have stood for some time.
        two_hands: turn.two_hands(root.turn()) && !quiet && !footprint(played).intersects(untimed),
        unstepped: !quiet && is_unstepped(hands, played),
        touched: hands.touches.first_at(part),
        placed: 0,
        pressed: None,
    }
}

/// Where men have no names: whoever was read there was read once the man of this ply had left, not before.
fn has_arrived(hands: &Hands, ply: Move) -> bool {
    let first = |square: Option<Square>, empty: bool| {
        let is_so = |reading: &&Reading| Some(reading.square) == square && (reading.is == Content::Empty) == empty;
        hands.readings().find(is_so).map(|reading| reading.at)
    };
    let (left, read) = (first(ply.from(), true), first(Some(ply.to()), false));
    let late = left.zip(read).is_some_and(|(left, read)| read + 2 * hands.settings.scan_ms < left);
    hands.squares.names() || !late
}

/// The man rested, and then it went on or went back and another one moved. Castling goes on from either man.
fn released(hands: &Hands, played: Move) -> Option<(Square, Millis)> {
    let goes_on = |(resting, _): &&(Move, Millis)| {
        let castled = played.is_castle() && resting.from().is_some_and(|from| leaves(played, from));
        !castled && (resting.from() != played.from() || resting.to() != played.to())
    };
    let rested = hands.making.released().iter().filter(|(resting, _)| has_arrived(hands, *resting));
    rested.into_iter().find(goes_on).map(|(resting, dwell)| (resting.to(), *dwell))
}
