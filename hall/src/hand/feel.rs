//! What hands touched on the way: evidence for the Laws, none of it a move.

use laws::touch::victim;
use protocol::{board::Content, feed::TouchKind};
use shakmaty::{Bitboard, CastlingSide, Color, Piece, Position, Role, Square};

use super::{
    deed::Deed,
    hands::Hands,
    made::can_be_taken,
    squares::{Change, Lifted},
};
use crate::Millis;

/// What the changes mean for men that are touched, castled or promoted. A dump may have found them.
pub(super) fn feel(hands: &mut Hands, changes: &[Change], found: bool) {
    if changes.is_empty() || !hands.edges.is_on() || !hands.hearing.is_surveyed() {
        return;
    }
    let now = hands.now();
    // Who was read beside his square before he left it is one man.
    let mut in_air = hands.squares.in_air(hands.record.board()).collect::<Vec<_>>();
    if !hands.touches.is_accident() {
        let board = hands.squares.board();
        // A king that is read elsewhere is no more in the hand, nor is he known to be where he may stand unread.
        let goals = |side: Color| CastlingSide::ALL.map(|castling| castling.king_to(side));
        let stands_unread = |side| goals(side).into_iter().any(|goal| hands.squares.is_blind(goal));
        let is_read = |side| board.king_of(side).is_some();
        let is_held = |man: Piece| man.role != Role::King || !is_read(man.color) && !stands_unread(man.color);
        let held = in_air.iter().filter(|up| is_held(up.piece)).map(|up| up.from).collect::<Vec<_>>();
        hands.making.feel_pair(&held, &hands.record, hands.settings.contact_debounce_ms, now);
    }
    // Whoever is taken by what is seen is in the box, and who has no name may be there, or where another one stood, once the
    // opponent's hand is at work and not just when he was knocked over.
    let taken = hands.seen.tail().iter().filter_map(|played| victim(*played)).collect::<Bitboard>();
    let answered = |up: &Lifted| {
        let theirs = hands.record.board().by_color(!up.piece.color);
        let mut later = hands.squares.evidence.readings(up.at + hands.settings.adjust_max_ms);
        later.any(|reading| reading.is == Content::Empty && theirs.contains(reading.square))
    };
    in_air.retain(|up| !taken.contains(up.from) && (hands.squares.names() || !answered(up)));
    for change in changes {
        hands.making.feel(*change, &hands.record, &hands.settings, now);
        let (Change::Lifted(square, piece, _) | Change::Landed(square, piece)) = *change;
        if let Some((held, kind)) = hands.touches.take(*change, found, &in_air, now, &hands.settings) {
            hands.say(Deed::Touched { piece, square, held, kind });
            let excused = hands.touches.is_excused() || hands.unlawful.is_found() || hands.edges.is_assumed();
            // While the game rests nobody has the move.
            let rests = hands.lever.stands() || hands.is_closed();
            // Who had stood elsewhere meanwhile has moved, and is taken back or carried off.
            let elsewhere = hands.squares.reached(square).is_some_and(|reached| reached != square);
            let moved = elsewhere || hands.squares.dwelt(square).is_some() || is_exchanged(hands, square);
            let takable =
                || can_be_taken(hands.record.position(), square) || can_be_taken(&hands.seen_position(), square);
            let out_of_turn = || piece.color != hands.having_the_move() && !takable() && !moved;
            if kind == TouchKind::Touch && !excused && !rests && out_of_turn() {
                hands.say(Deed::TouchedOutOfTurn(piece, square));
            }
        }
    }
}

/// The player has the move and has touched a man since `since`: put back as a touch, still in the hand, or moved.
/// Men of the opponent count where they can be taken.
pub(super) fn has_touched(hands: &Hands, side: Color, since: Millis, now: Millis) -> bool {
    let (made, mut position) = (hands.seen.tail().first(), hands.record.position().clone());
    if let Some(made) = made {
        if position.turn() == side {
            return hands.changed_at(*made) >= since;
        }
        position.play_unchecked(*made);
    }
    // Nor is a man touched that is taken back.
    if position.turn() != side || hands.making.gone_back().is_some() {
        return false;
    }
    let touchable = |piece: Piece, square| piece.color == side || can_be_taken(&position, square);
    hands.touches.touched(since, now, &hands.settings).any(|(piece, square)| touchable(piece, square))
}

/// On a board that names nobody: a pawn was promoted there, and the piece is put in its place.
fn is_exchanged(hands: &Hands, square: Square) -> bool {
    let last = hands.seen.tail().last().copied().or_else(|| hands.record.last().map(|(_, played)| played));
    !hands.squares.names() && last.is_some_and(|last| last.is_promotion() && last.to() == square)
}
