//! An earlier position of the game stands on the board again, and a clock tells.
//!
//! Where both clocks stand nothing changes before one runs again and a ply that was made from there is pressed: that was
//! taken back. While a clock runs nobody takes back.

use shakmaty::{Color, Move, Position};

use super::{
    deed::Deed,
    explain,
    hands::Hands,
    step::{Step, Steps},
};
use crate::{Course, Millis};

/// Where the clock tells: true if an earlier position stands on the board, and not where a game begins, while both clocks
/// stand.
pub(super) fn stands_earlier(hands: &mut Hands) -> bool {
    let (now, at_rest) = (hands.now(), hands.lever.stands());
    // Then nobody holds a man: this is asked after every report of every board.
    let (men, record) = (hands.squares.occupied().count(), hands.record.board().occupied().count());
    let may = men >= record && hands.lever.tells() && hands.misfit().any() && hands.opening().is_none();
    let plies = Some(()).filter(|()| may).and_then(|()| hands.plies_back());
    match plies {
        // Whatever was touched till then was touched for what is taken back, or for taking it back.
        Some(plies) if hands.making.go_back(plies, at_rest, now) && at_rest => hands.touches.clear(),
        Some(_) => {}
        None => hands.making.leave_earlier(hands.settings.press_after_ms, now),
    }
    at_rest && plies.is_some()
}

/// The players had gone back, and this line takes that for plies: it comes by there, or they have played fewer from there,
/// as far as anybody can tell.
pub(super) fn plays_back(hands: &Hands, moves: &[Move]) -> bool {
    let Some(earlier) = hands.making.gone_back().and_then(|plies| hands.record.before(plies)) else { return false };
    let boards = moves.iter().scan(hands.record.position().clone(), |position, played| {
        position.play_unchecked(*played);
        Some(position.board().clone())
    });
    let fewer = || played_from(hands, &earlier).is_none_or(|since| since.len() < moves.len());
    boards.into_iter().any(|board| board == *earlier.position().board()) || fewer()
}

/// Who has pressed then has made a ply from where the players had gone back to: that was taken back.
pub(super) fn go_on(hands: &mut Hands, (side, pressed): (Color, Millis)) -> Option<Steps> {
    let plies = hands.making.gone_back().filter(|_| !hands.lever.stands())?;
    let earlier = hands.record.before(plies).filter(|earlier| earlier.position().turn() == side)?;
    played_from(hands, &earlier).filter(|since| !since.is_empty())?;
    hands.say(Deed::Takeback(earlier.clone()));
    Some(vec![Step::Correct(earlier), Step::TakeUpPress(side, pressed)])
}

/// What leads from there to the board.
fn played_from(hands: &Hands, earlier: &Course) -> Option<Vec<Move>> {
    let mut squares = hands.squares.clone();
    let since = hands.making.gone_back_at().unwrap_or(hands.now());
    squares.start_from_since(earlier.position().board(), since);
    let lines = explain::lines(earlier.position(), &squares, &hands.settings);
    lines.into_iter().next().map(|line| line.moves)
}
