//! A set-up that is wrong: king and queen on each other's squares.

use shakmaty::{Board, Color, Move, Position, Role, Square};

use super::super::{dice::Dice, games::Game};

/// A king and a queen on each other's squares, until somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rehearsal) struct Swap {
    pub(super) color: Color,
    pub(super) squares: [Square; 2],
    /// After so many plies they are put right.
    pub(super) until: usize,
}

impl Swap {
    /// Whose king and queen can stand wrong until `moves` have been played without anybody being in the way of it.
    pub(in crate::rehearsal) fn choose(game: &Game, moves: usize, dice: &mut Dice) -> Option<Swap> {
        /// Nobody who begins to write the third move has played fewer.
        const LEAST: usize = 2;
        let first = if dice.chance(0.5) { Color::White } else { Color::Black };
        let candidates = [first, !first].into_iter().filter_map(|color| Swap::of(game, color, moves * 2));
        candidates.filter(|swap| swap.until >= LEAST).max_by_key(|swap| (swap.until, swap.color == first))
    }

    fn of(game: &Game, color: Color, most: usize) -> Option<Swap> {
        let board = game.start.board();
        let queen = board.by_piece(Role::Queen.of(color)).first()?;
        let squares = [board.king_of(color)?, queen];
        let touches = |mv: &Move| {
            mv.is_castle() || squares.contains(&mv.to()) || mv.from().is_some_and(|from| squares.contains(&from))
        };
        let until = game.moves.iter().take(most).take_while(|mv| !touches(mv)).count();
        // The last of them would be the end of the game, not of the mistake.
        (until < game.moves.len()).then_some(Swap { color, squares, until })
    }

    /// The board with the two men on each other's squares.
    pub(in crate::rehearsal) fn apply(&self, board: &mut Board) {
        let [king, queen] = self.squares;
        board.set_piece_at(king, Role::Queen.of(self.color));
        board.set_piece_at(queen, Role::King.of(self.color));
    }
}
