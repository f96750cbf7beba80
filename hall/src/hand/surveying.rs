//! What the board reports: one square, or all of them.

use protocol::board::{Content, Contents, WireSquare};
use shakmaty::{Move, Position};

use super::{
    acquitting::acquit_press,
    assuming::assume_anew,
    beginning, closing,
    correcting::turn_if_it_fits,
    explain::may_hold,
    feel,
    hands::Hands,
    hearing::Silence,
    last_ply::{note_last, note_stopped},
    misreading,
    moving::{carry_out, look},
    pressing::{press, survey_press},
    recovery,
    squares::Change,
};
use crate::Ply;

/// One square is reported.
pub(super) fn report(hands: &mut Hands, square: WireSquare, content: Content) {
    let now = hands.now();
    let known = hands.squares.visited();
    // Who comes out of the box on a board that names nobody is nobody's change.
    let unnamed = content == Content::Occupied && hands.squares.wire().get(square) == Content::Empty;
    let changes = hands.squares.report(square, content, &hands.settings, now);
    if hands.squares.visited() != known {
        hands.hearing.miss(Silence::Lost, now);
    }
    if changes.is_empty() && !unnamed {
        return;
    }
    closing::note_kings(hands);
    feel::feel(hands, &changes, false);
    let landed = unnamed || changes.iter().any(|change| matches!(change, Change::Landed(..)));
    // A lift explains no gap, and searching one takes milliseconds.
    hands.lost.note_landing(landed);
    if landed || !hands.hearing.is_gap() {
        look(hands);
    }
    if landed {
        note_stopped(hands);
    }
    acquit_press(hands);
    misreading::reconsider(hands, &changes);
    note_last(hands);
    closing::note_unfollowed(hands, &changes);
    note_array(hands);
}

/// The next game may begin before anybody has seen its array standing.
fn note_array(hands: &mut Hands) {
    beginning::note_array(hands);
    if let Some(side) = beginning::pressed_before_landing(hands) {
        press(hands, side);
    }
}

/// The whole board is reported.
pub(super) fn survey(hands: &mut Hands, contents: &Contents) {
    let missed = hands.hearing.doubt().is_some_and(|doubt| doubt.why == Silence::Missed);
    let first = hands.hearing.survey();
    if first {
        recovery::hear_again(hands);
    }
    let now = hands.now();
    let changes = hands.squares.survey(contents, &hands.settings, now);
    hands.squares.evidence.survey(now);
    // Squares may have told of what was played before the first dump has.
    let told = hands.squares.last_change() > hands.squares.evidence.fell_silent();
    if first && !told && changes.is_empty() && !hands.hearing.was_gap() {
        // Whatever stands as it stood before the silence was not played on meanwhile.
        hands.hearing.close_gap();
    }
    if first && !hands.edges.is_on() {
        return survey_no_game(hands, !changes.is_empty());
    }
    if first && hands.edges.is_assumed() {
        // Nothing is final yet: what stands there now is as good a beginning.
        hands.hearing.close_gap();
        assume_anew(hands);
    }
    let unknown = hands.record.ply() == Ply::START || first && hands.hearing.is_gap();
    if unknown && hands.squares.board() != hands.record.board() {
        turn_if_it_fits(hands, hands.record.board().clone());
    }
    distrust_lacking(hands);
    if first && hands.hearing.is_gap() {
        hands.touches.clear();
        hands.lost.hear_again(now);
        hands.squares.forget();
        carry_out(hands, recovery::bridge);
        beginning::note_unheard_array(hands);
    } else if first || !changes.is_empty() || !hands.seen.fits() || hands.lever.is_open() {
        feel::feel(hands, &changes, true);
        look(hands);
        survey_press(hands);
        acquit_press(hands);
        note_array(hands);
        if has_missed_plies(hands, missed) {
            carry_out(hands, recovery::take_silence_for_gap);
        } else if hands.seen.fits() && untold(hands).last().is_some_and(|played| hands.is_unheard(*played)) {
            recovery::note_unheard(hands, 0);
        }
    }
}

/// A man is missing from the array, as only a dump has told: he was not put up, or is not read. In nobody's hand he stops no
/// ply.
fn distrust_lacking(hands: &mut Hands) {
    let lacks = hands.misfit().single_square().filter(|square| hands.squares.found().contains(*square));
    let begins = hands.edges.is_on() && hands.record.ply() == Ply::START && hands.squares.names();
    if let Some(square) = lacks.filter(|square| begins && !hands.squares.occupied().contains(*square)) {
        hands.squares.distrust(square);
    }
}

/// The board was asked, and shows no dumps: what it has reported is all there is to know.
pub(super) fn survey_in_vain(hands: &mut Hands) {
    hands.hearing.give_up();
    look(hands);
}

/// Whole plies were not heard, though the link was up: a dump shows more than one square that nobody reported, and nothing
/// explains them, or two plies of which nothing was reported. What order those came in nobody has seen. Where the clock was
/// not heard either, one man that has gone unreported is enough, if that is not all: it need not be in a hand.
fn has_missed_plies(hands: &Hands, clock_missed: bool) -> bool {
    // Before the first move men that stand where no moves lead are set up wrongly.
    let begun = hands.edges.is_on() && (hands.record.ply() != Ply::START || hands.seen.fits());
    let open = hands.lost.stories.is_some() || hands.lost.rethinks_at.is_some();
    let known = hands.hearing.is_gap() || open || hands.unlawful.is_restoring();
    let unheard = hands.squares.found();
    let missed = if hands.seen.fits() {
        let plies = untold(hands).iter().filter(|played| hands.is_unheard(**played)).count();
        plies + gone_unheard(hands, plies > 0)
    } else {
        (unheard & hands.misfit()).count()
    };
    let gone = || {
        let differing = hands.squares.misfit_ignoring_air(hands.seen_position().board());
        differing.count() > 1 && !(differing & unheard).is_subset(hands.squares.occupied())
    };
    begun && !known && (missed > 1 || clock_missed && gone())
}

/// How many men only a dump has told to be gone, if they can't be in a hand together, or nobody has heard the ply below
/// them either: they have taken, or were taken.
fn gone_unheard(hands: &Hands, unheard: bool) -> usize {
    let seen = hands.seen_position();
    let gone = hands.squares.found() & seen.board().occupied() & !hands.squares.occupied();
    if unheard || gone.count() > 1 && !may_hold(&seen, &hands.squares, gone) { gone.count() } else { 0 }
}

/// The plies of the tail that were not worked out before.
fn untold(hands: &Hands) -> &[Move] {
    let (tail, ply) = (hands.seen.tail(), hands.record.ply());
    let last = hands.lost.unheard.and_then(|last| (0..tail.len()).find(|at| last.is(ply.on(*at), tail[*at])));
    &tail[last.map_or(0, |at| at + 1)..]
}

/// A board that already shows a start array when it is first heard has nothing to wait for. Unless it is the array of a
/// game that ended without a move: a cable or a daemon that comes back is no new game, nor is the board of a pairing that
/// had its result before. The first move from there is. Men that stand as a game elsewhere has left them are none either.
fn survey_no_game(hands: &mut Hands, changed: bool) {
    let set_up = hands.opening();
    let is_left = set_up.is_none() && !changed && hands.edges.is_left_over();
    if is_left || hands.edges.stands_still() {
        return;
    }
    let never = hands.edges.ended_at().is_none();
    if set_up.as_ref().is_some_and(|opening| closing::is_unplayed(hands, opening)) {
        beginning::note_array(hands);
    } else if set_up.is_some() && (changed || never) {
        closing::start_anew(hands);
    } else if never {
        closing::start_in_mid_game(hands);
    }
    beginning::note_unheard_array(hands);
}
