//! A game that was on before anybody listened: what the board shows first is all there is. Whose turn it is, and how the
//! board lies, shows in the first move.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square};

use super::{
    deed::Deed,
    explain::{self, Explanation},
    hands::Hands,
    opening::Opening,
    step::{Step, Steps},
};
use crate::{Course, Ply};

/// This player's clock runs: as far as nobody has moved, it is their turn.
pub(super) fn expect_turn(hands: &mut Hands, turn: Color) {
    if hands.edges.is_assumed() && hands.seen.tail().is_empty() && hands.record.turn() != turn {
        pass_turn(hands);
    }
}

/// A position of a game, read off a board that was just heard.
pub(super) fn assume_anew(hands: &mut Hands) {
    let Some(opening) = Opening::in_mid_game(hands.squares.wire()) else { return };
    let before = begins_at(hands);
    // Whose turn it was said to be is as likely as before.
    let opening = opening.with_turn(before.position.turn());
    if opening.position.board() != before.position.board() || opening.lie != before.lie {
        begin_otherwise(hands, opening);
    }
}

/// A player presses who had a man in the hand when the board was heard first: the game begins once it is put down. True if
/// that is so.
pub(super) fn puts_down(hands: &mut Hands, side: Color) -> bool {
    let men = |board: &Board| board.by_color(side).count();
    let (board, assumed) = (hands.squares.board(), hands.record.board());
    let landed = hands.misfit().single_square().is_some_and(|square| board.color_at(square) == Some(side));
    if !hands.edges.is_assumed() || !landed || men(board) != men(assumed) + 1 {
        return false;
    }
    assume_anew(hands);
    if hands.record.turn() == side {
        pass_turn(hands);
    }
    true
}

/// The board fits nothing, or only with men in the air: perhaps the game began otherwise.
pub(super) fn guess_again(hands: &mut Hands) -> bool {
    if !hands.edges.is_assumed() {
        return false;
    }
    let lie = hands.squares.lie();
    let known = explain::lines(hands.record.position(), &hands.squares, &hands.settings);
    let missing = known.first().map(|line| line.missing);
    let busy = !hands.squares.lifted().is_empty();
    let explains = |other: &Opening| {
        let mut squares = hands.squares.clone();
        if other.lie != lie {
            squares.lay(other.lie, hands.now());
            squares.start_from(other.position.board());
        }
        let lines = explain::lines(&other.position, &squares, &hands.settings);
        let better = |line: &Explanation| missing.is_none_or(|missing| line.missing < missing);
        lines.first().is_some_and(|line| !line.moves.is_empty() && better(line))
    };
    let may_be = |other: &Opening| other.lie == lie || missing.is_none() && !busy;
    let others = begins_at(hands).others();
    let Some(found) = others.into_iter().filter(may_be).find(explains) else { return false };
    begin_otherwise(hands, found);
    true
}

/// It is the other player's turn, if that may be.
pub(super) fn pass_turn(hands: &mut Hands) -> bool {
    let turn = !hands.record.turn();
    let passed = begins_at(hands).with_turn(turn);
    let may_be = hands.edges.is_assumed() && passed.position.turn() == turn;
    if may_be {
        begin_otherwise(hands, passed);
    }
    may_be
}

fn begins_at(hands: &Hands) -> Opening {
    let position = hands.record.position().clone();
    Opening { lie: hands.squares.lie(), assumed: true, ..Opening::announced(position, hands.record.mode()) }
}

fn begin_otherwise(hands: &mut Hands, opening: Opening) {
    let turned = opening.lie != hands.squares.lie();
    if turned {
        hands.squares.lay(opening.lie, hands.now());
    }
    if turned || opening.position.board() != hands.record.board() {
        hands.squares.start_from(opening.position.board());
    }
    let record = Course::begin(opening.position, opening.mode);
    hands.record.set(record.clone());
    // What nobody heard was played in a game that began otherwise.
    hands.lost.drop_stories();
    hands.seen.clear();
    hands.say(Deed::Reopened(record));
}

/// The first ply was made while two men of a player stood on each other's squares, and nobody had seen it: the game is
/// played from there until they are put right.
pub(super) fn stands_exchanged(hands: &mut Hands) -> Option<Steps> {
    let begins = hands.record.ply() == Ply::START && hands.edges.exchanged().is_empty();
    let array = hands.record.board();
    if !begins || !hands.squares.names() || *array != *Chess::default().board() {
        return None;
    }
    // Who has been put there since was not put up so.
    let stood = |square: &Square| hands.squares.heard_landing(*square).is_none();
    let moved = (hands.misfit() & array.occupied()).into_iter().filter(stood).collect::<Bitboard>();
    let stands = |square: Square, of: Square| hands.squares.board().piece_at(square) == array.piece_at(of);
    let is_exchanged = |square: &Square| {
        let beside = moved & Bitboard::from(square.rank()) & !Bitboard::from(*square);
        beside.into_iter().any(|other| stands(*square, other) && stands(other, *square))
    };
    let squares = moved.into_iter().filter(is_exchanged).collect();
    let opening = Opening::exchanging(squares, hands.squares.lie())?;
    let lines = explain::lines(&opening.position, &hands.squares, &hands.settings);
    lines.iter().find(|line| !line.moves.is_empty())?;
    let record = Course::begin(opening.position, opening.mode);
    hands.edges.doubt_set_up(squares);
    hands.say(Deed::Set(record.clone()));
    Some(vec![Step::Correct(record)])
}
