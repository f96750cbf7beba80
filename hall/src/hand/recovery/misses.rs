//! Men that were taken before any sensor had read them, and squares that tell nothing.

use shakmaty::{Color, Move, Position};

use super::story::one_and_all;
use crate::hand::{
    deed::Deed,
    explain::{self, Explanation},
    hands::Hands,
};

/// Whether a press was for a ply that no sensor has told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hand) enum Caught {
    /// It was not.
    Nothing,
    /// It is shown: so many plies of it are final.
    Plies(usize),
    /// The next ply has to tell which one it was.
    Several,
}

/// The presser's man is nowhere because it was taken before any sensor had read it: the reply shows which move it made.
pub(in crate::hand) fn catch_up(hands: &mut Hands) -> Caught {
    let until = hands.now();
    let root = hands.record.position();
    let Some(line) = explain::line_with_a_miss(root, &hands.squares, &hands.settings, until) else {
        return Caught::Nothing;
    };
    let turn = root.turn();
    let unseen = |(played, side): (&Move, Color)| !explain::was_seen_landing(side, *played, &hands.squares);
    let sides = [turn, !turn].into_iter().cycle();
    // What was played on top of the ply that was pressed is for the presses on top of this one.
    let missed = line.moves.iter().zip(sides).position(unseen).unwrap_or(0);
    hands.lever.advance();
    hands.show(line.moves);
    Caught::Plies(missed + 1)
}

/// On a board that names nobody the presser's man took another so fast that the square never read empty. If it may have
/// taken one of several, the next ply has to tell which.
pub(in crate::hand) fn took_unnoticed(hands: &mut Hands) -> Caught {
    if hands.squares.names() {
        return Caught::Nothing;
    }
    let lines = explain::lines_past_silence(hands.record.position(), &hands.squares, &hands.settings, 1);
    let mut lines = lines.into_iter().map(|line| line.moves);
    let Some(best) = lines.next() else { return Caught::Nothing };
    let others = lines.collect::<Vec<_>>();
    if others.is_empty() {
        hands.lever.advance();
        hands.show(best);
        return Caught::Plies(1);
    }
    puzzle(hands, best, others);
    Caught::Several
}

/// Says once that more than one line leads to the board.
fn puzzle(hands: &mut Hands, best: Vec<Move>, others: Vec<Vec<Move>>) {
    hands.hold(hands.misfit());
    hands.show(best.clone());
    if !std::mem::replace(&mut hands.lost.puzzled, true) {
        let lines = hands.all_above_final(&one_and_all(best, others));
        hands.say(Deed::Undecided { lines, news: true });
    }
}

/// The one line of a ply that nothing has told of and its replies.
pub(in crate::hand) fn line_past_silence(hands: &Hands) -> Option<Explanation> {
    let (root, settings) = (hands.record.position(), &hands.settings);
    let mut lines = explain::lines_past_silence(root, &hands.squares, settings, settings.plies_ahead);
    lines.retain(|line| line.moves.len() > 1);
    let alike = lines.windows(2).all(|pair| pair[0].moves == pair[1].moves);
    lines.into_iter().next().filter(|_| alike)
}
