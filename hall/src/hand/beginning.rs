//! Beginnings nobody saw standing: a start array that stood for a moment only, or that the first move has left already.

use shakmaty::{Chess, Color, Position};

use super::{
    closing::{begin_exchanged, follow_on, may_be_next},
    edges::Array,
    hands::Hands,
    made::footprint,
    opening::Opening,
    record::after,
    squares::{Squares, difference},
};
use crate::{Millis, Ply};

/// The board has changed, or the game is over: the men stand as a game begins, or hands have begun one.
pub(super) fn note_array(hands: &mut Hands) {
    if awaits_first_move(hands) {
        return;
    }
    let Some(Array { opening, .. }) = hands.edges.array() else { return note_late_array(hands) };
    let mut squares = hands.squares.clone();
    opening.lacks.into_iter().for_each(|unread| squares.distrust(unread));
    let plies = plies_from(&opening.position, &squares, hands.settings.plies_ahead);
    let explained = hands.edges.is_on() && hands.seen.fits();
    if explained || plies.is_none() && hands.misfit_of(opening).count() > 4 * hands.settings.plies_ahead {
        hands.edges.drop_array();
    } else {
        hands.edges.note_first_moves(plies);
    }
}

/// The array of the next game stands. True if that is so.
fn awaits_first_move(hands: &mut Hands) -> bool {
    let next = hands.opening().filter(|opening| may_be_next(hands, opening));
    next.map(|opening| hands.edges.await_first_move(opening, 0)).is_some()
}

/// A game is to begin, and two men stand on each other's squares: it may be played from there before anybody mends that.
pub(super) fn note_exchanged(hands: &mut Hands) {
    let exchanged = Opening::swapped(hands.squares.wire()).filter(|opening| opening.lie == hands.squares.lie());
    let exchanged = exchanged.filter(|_| is_set_up_wrong(hands) && *hands.record.board() == *Chess::default().board());
    if let Some(opening) = exchanged {
        hands.edges.await_first_move(opening, 0);
    }
}

/// Nothing has been played yet, and the board is to be put right.
fn is_set_up_wrong(hands: &Hands) -> bool {
    hands.record.ply() == Ply::START && hands.unlawful.is_restoring()
}

/// The first plies were made before the last man had gone home.
fn note_late_array(hands: &mut Hands) {
    if hands.edges.stands_still() || hands.edges.is_on() && hands.seen.fits() {
        return;
    }
    let opening = hands.edges.usual(hands.squares.lie());
    let misfit = hands.misfit_of(&opening);
    let gone_home = difference(hands.record.board(), opening.position.board()) & !misfit;
    // Men that have not moved since the last game have made no ply of the next.
    let moved = gone_home | misfit;
    let is_late = gone_home.count() >= hands.settings.unfollowed_men && hands.squares.has_changed(moved);
    // Players who take back all but the first plies do not put those men home.
    let array = opening.position.board().occupied();
    let was_home = |square| array.contains(square) && hands.squares.times_read(square) > 0;
    if is_late
        && let Some(plies @ 1..) = plies_from(&opening.position, &hands.squares, hands.settings.plies_ahead)
        && (hands.plies_back().is_none() || misfit.into_iter().any(was_home))
    {
        hands.edges.await_first_move(opening, plies);
    }
}

/// The board is heard again: a game may have begun meanwhile. A position of the game that is on is that game's.
pub(super) fn note_unheard_array(hands: &mut Hands) {
    if awaits_first_move(hands) {
        return;
    }
    let unexplained = !hands.edges.stands_still() && (!hands.edges.is_on() || hands.hearing.is_gap());
    let opening = hands.edges.usual(hands.squares.lie());
    // From where the game that is on stands itself, any first move is one of its own.
    let of_this_game = hands.edges.is_on() && hands.record.board() == opening.position.board();
    let first_move = || plies_from(&opening.position, &hands.squares, 1) == Some(1);
    if unexplained && !of_this_game && hands.edges.array().is_none() && hands.plies_back().is_none() && first_move() {
        hands.edges.await_first_move(opening, 1);
    }
}

/// When the first move from such an array will have rested.
pub(super) fn begins_at(hands: &Hands) -> Option<Millis> {
    let plies = hands.edges.array()?.plies.filter(|plies| *plies > 0)?;
    // Where no press tells a reply does.
    let is_answered = plies > 1 && !hands.lever.can_press();
    let rest = if is_answered { hands.settings.contact_debounce_ms } else { hands.settings.unseen_start_rest_ms };
    Some(hands.squares.rests_since() + rest)
}

/// A game has begun from it.
pub(super) fn begin(hands: &mut Hands) {
    let Some(opening) = hands.edges.drop_array() else { return };
    if opening.exchanged().is_some() && is_set_up_wrong(hands) {
        begin_exchanged(hands, opening);
    } else {
        follow_on(hands, opening);
    }
}

/// Somebody presses on such a board. True if that is none of the last game's business: the first man has not landed
/// yet, or Black starts White's clock.
pub(super) fn takes_press(hands: &mut Hands, side: Color) -> bool {
    let Some(Array { opening, plies, .. }) = hands.edges.array() else { return false };
    match plies {
        Some(0) => {
            hands.edges.press_first(side, hands.now());
            true
        }
        Some(plies) if mover(opening, *plies) == side => {
            begin(hands);
            false
        }
        Some(_) | None => false,
    }
}

/// Who has pressed just before the first man landed: it has, and the game begins with that press.
pub(super) fn pressed_before_landing(hands: &mut Hands) -> Option<Color> {
    let Array { opening, plies, pressed } = hands.edges.array()?;
    let (side, at) = (*pressed)?;
    let moved = plies.is_some_and(|plies| plies > 0 && mover(opening, plies) == side);
    let in_time = hands.now() <= at + hands.settings.press_after_ms;
    (moved && in_time).then(|| begin(hands)).map(|()| side)
}

/// Who has made the last of so many plies.
fn mover(opening: &Opening, plies: usize) -> Color {
    let first = opening.position.turn();
    if plies.is_multiple_of(2) { !first } else { first }
}

/// How many plies lead from here to the board, if a few do. Men in the air stand where they were.
fn plies_from(position: &Chess, squares: &Squares, most: usize) -> Option<usize> {
    let misfit = squares.misfit(position.board());
    if misfit.is_empty() {
        return Some(0);
    }
    if misfit.count() > 2 * most {
        return None;
    }
    let plies = position.legal_moves().into_iter().filter(|candidate| (footprint(*candidate) & misfit).any());
    let plies = plies.filter_map(|candidate| plies_from(&after(position, candidate), squares, most - 1));
    plies.min().map(|plies| plies + 1)
}
