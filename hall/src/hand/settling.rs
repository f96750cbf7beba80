//! The record moves on: a seen ply becomes final, with what its making suggests.

use laws::touch::{castling_duty, examine, victim};
use shakmaty::{Move, Piece, Role, Square};

use super::{
    deed::{Deed, Finished},
    explain,
    hands::Hands,
    recovery::{self, Ruled},
    step::{Settle, Step, Steps},
};
use crate::Millis;

/// The first plies of the tail are final, unless they wait for what is below them.
pub(super) fn settle(hands: &mut Hands, settle: Settle) -> Steps {
    match recovery::rule_out(hands, settle) {
        Ruled::Free => {}
        Ruled::Instead(steps) => return steps,
    }
    let moves = hands.seen.take(settle.plies);
    let times = moves.iter().map(|played| hands.changed_at(*played)).collect::<Vec<_>>();
    let count = moves.len();
    for (ply, (played, placed)) in (1..).zip(moves.into_iter().zip(times)) {
        let completing = settle.completing.filter(|_| ply == count);
        write(hands, played, placed, settle.inferred, completing);
    }
    hands.squares.name(hands.record.board());
    hands.squares.move_on(hands.record.board());
    // Where nobody can be named, a man that was taken leaves no trace of having been another.
    hands.squares.keep(hands.seen.tail().iter().flat_map(|played| explain::footprint(*played)).collect());
    vec![Step::Look]
}

/// One ply enters the record.
fn write(hands: &mut Hands, played: Move, placed: Millis, inferred: bool, completing: Option<Millis>) {
    let pressed_now = hands.lever.opened_by(hands.record.turn()).map(|press| press.at);
    let inferred = inferred || hands.lost.unheard == Some((hands.record.ply(), played));
    let finished = finish(hands, played, inferred);
    hands.pass(played, placed);
    hands.lost.record();
    hands.edges.settle();
    hands.unlawful.drop_aside();
    let record = hands.record.course().clone();
    let made = Finished { placed, pressed: completing.or(pressed_now), ..finished };
    hands.say(Deed::Final { record, made });
}

/// The pawn went from its square into the box, and the piece came out of it.
fn is_unstepped(hands: &Hands, played: Move) -> bool {
    let pawn = Role::Pawn.of(hands.record.turn());
    played.promotion().is_some() && hands.squares.names() && !hands.squares.has_landed(played.to(), pawn)
}

/// What the making of a move suggests.
fn finish(hands: &Hands, played: Move, inferred: bool) -> Finished {
    let (root, mode, turn) = (hands.record.position(), hands.record.mode(), &hands.making);
    let part = |square: Square, _: Piece| {
        played.from() == Some(square)
            || victim(played) == Some(square)
            || matches!(played, Move::Castle { rook, .. } if rook == square)
    };
    let touched = hands.touches.counted(part, &hands.settings);
    let quiet = inferred || hands.touches.accident().is_some();
    let touch = if quiet { None } else { examine(root, played, &touched, mode) };
    let touched_both = castling_duty(root, played, &touched, mode);
    let duty = turn.duty().filter(|meant| *meant != played).or(touched_both).and_then(|meant| {
        let side = meant.castling_side()?;
        Some(side.king_to(hands.record.turn()))
    });
    let other = |(square, role): &(Square, Role)| {
        played.to() == *square && played.promotion().is_some_and(|promotion| promotion != *role)
    };
    let exchanged = turn.promoted().filter(other).map(|(square, _)| square);
    Finished {
        played,
        inferred,
        assumed: played.promotion().is_some() && !hands.squares.names(),
        touch,
        released: released(hands, played).filter(|_| !quiet),
        exchanged: exchanged.filter(|_| !quiet),
        duty: duty.filter(|_| !quiet),
        two_hands: turn.two_hands() && !quiet,
        unstepped: !quiet && is_unstepped(hands, played),
        touched: hands.touches.first_at(part),
        placed: 0,
        pressed: None,
    }
}

/// The man rested, and then it went on or went back and another one moved. Castling goes on from either man.
fn released(hands: &Hands, played: Move) -> Option<(Square, Millis)> {
    let goes_on = |(resting, _): &&(Move, Millis)| {
        let castled = matches!(played, Move::Castle { king, rook }
            if resting.from() == Some(king) || resting.from() == Some(rook));
        !castled && (resting.from() != played.from() || resting.to() != played.to())
    };
    hands.making.released().iter().find(goes_on).map(|(resting, dwell)| (resting.to(), *dwell))
}
