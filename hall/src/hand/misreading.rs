//! A man that is read beside its square: what a press found wrong may be no more than that, for a moment.

use protocol::board::Content;
use shakmaty::{Bitboard, Board, Piece, Square};

use super::{
    deed::{Certainty, Deed},
    evidence::Reading,
    hands::Hands,
    judging,
    lever::OpenPress,
    squares::{Change, filled_on},
    track::matches,
    unlawful::Misreading,
};
use crate::Millis;

/// Whether what this press has found may have been misread: then it is remembered for as long as that may show.
pub(super) fn doubt(hands: &mut Hands, press: &OpenPress, board: &Board) -> Certainty {
    let position = hands.record.position();
    if hands.touches.is_accident() {
        // A man who was knocked over is put up, and nobody has moved him.
        let landed_at = |square| hands.squares.changed_at(square);
        let Some(beside) = judging::beside_his_own(position, board, landed_at) else { return Certainty::Sure };
        remember(hands, press, board.piece_at(beside.0), beside, None);
        return Certainty::Doubted;
    }
    // A hand that had gone to its reply before the press has put nothing right since.
    let record = hands.record.board();
    let early = |square: &Square| hands.squares.changed_at(*square) < press.at;
    let whole = || filled_on(record.by_color(!press.side).into_iter().filter(early).collect(), board, record);
    // Who stands where he stood and has not been lifted was set down nowhere.
    let set_down = |square: Square| {
        let came = |reading: &Reading| reading.square == square && reading.is != Content::Empty;
        board.piece_at(square) != record.piece_at(square) || hands.readings().any(came)
    };
    let beside = judging::beside(position, board, set_down).or_else(|| judging::beside(position, &whole(), set_down));
    let Some((read, meant)) = beside else { return Certainty::Sure };
    let confirmed_at = hands.squares.changed_at(read) + hands.settings.misread_rest_ms;
    let unconfirmed = hands.now() < confirmed_at;
    remember(hands, press, board.piece_at(read), (read, meant), unconfirmed.then_some(confirmed_at));
    if unconfirmed { Certainty::Unconfirmed } else { Certainty::Doubted }
}

/// The same of a press that finds no move: the man that was taken up for one may be read where it came from.
pub(super) fn doubt_nothing(hands: &mut Hands, press: &OpenPress) -> Certainty {
    let (position, board) = (hands.record.position(), hands.squares.board());
    let own = |reading: &&Reading| board.by_color(press.side).contains(reading.square);
    let stands = |reading: &&Reading| matches(reading.is, board.piece_at(reading.square));
    let last = hands.readings().filter(own).filter(stands).last();
    let read = last.map(|reading| reading.square).filter(|_| hands.squares.names());
    let beside = read.and_then(|read| judging::beside(position, board, |square| square == read));
    let Some(beside) = beside else { return Certainty::Sure };
    remember(hands, press, board.piece_at(beside.0), beside, None);
    Certainty::Doubted
}

/// This man was read here when he was judged, and may stand on one of those squares: that is confirmed then, if it has to
/// be. By now the opponent may have taken him off.
fn remember(
    hands: &mut Hands,
    press: &OpenPress,
    man: Option<Piece>,
    (read, meant): (Square, Bitboard),
    confirmed_at: Option<Millis>,
) {
    if let Some(man) = man {
        hands.squares.read_beside(read, man, meant);
    }
    let (side, pressed) = (press.side, press.at);
    hands.unlawful.doubt(Misreading { side, pressed, read, meant, confirmed_at, answered_at: None });
}

/// The man has stood for so long that nothing has to wait any more.
pub(super) fn confirm(hands: &mut Hands) {
    hands.unlawful.confirm();
    hands.say(Deed::Confirmed);
}

/// The board has changed: the reading may have jumped to where the man has stood all the time. Once the opponent has
/// taken up a man, or later, it is put right by hand.
pub(super) fn reconsider(hands: &mut Hands, changes: &[Change]) {
    let Some(side) = hands.unlawful.doubted().map(|doubted| doubted.side) else { return };
    let lifts = |change: &Change| matches!(change, Change::Lifted(_, man, _) if man.color != side);
    if changes.iter().any(lifts) {
        hands.unlawful.answer(hands.now());
    }
    let Some(doubted) = hands.unlawful.doubted().copied() else { return };
    let stays = hands.squares.occupied().contains(doubted.read);
    let went_at = if stays { hands.now() } else { hands.squares.changed_at(doubted.read) };
    // Within one scan nobody knows who went first.
    let answered = doubted.answered_at.is_some_and(|at| went_at >= at + hands.settings.scan_ms);
    let by_hand = answered || hands.now() > doubted.pressed + hands.settings.misread_window_ms;
    let Some(stands) = jumped(hands, &doubted) else { return };
    if !by_hand {
        // Nothing was wrong, and the press that was heard completes the ply.
        hands.take_up_press(doubted.side, doubted.pressed);
        hands.say(Deed::Withdrawn { squares: [doubted.read, stands] });
    }
}

/// Where the man is read, if it left the square beside and landed there within one scan, and now a legal move stands.
fn jumped(hands: &Hands, doubted: &Misreading) -> Option<Square> {
    let (squares, occupied) = (&hands.squares, hands.squares.occupied());
    let lands = |to: &Square| squares.has_jumped(doubted.read, (*to, squares.changed_at(*to)), &hands.settings);
    occupied.into_iter().find(lands).filter(|_| hands.completes(doubted.side) && !occupied.contains(doubted.read))
}
