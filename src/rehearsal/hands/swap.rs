//! A set-up that is wrong: king and queen on each other's squares.

use shakmaty::{Board, ByColor, Color, Move, Position, Role, Square};

use super::super::{dice::Dice, games::Game};

/// A king and a queen on each other's squares, of one player or of both, until somebody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rehearsal) struct Swap {
    /// Where the king and the queen should stand.
    players: ByColor<Option<[Square; 2]>>,
    /// After so many plies they are put right.
    pub(super) until: usize,
}

impl Swap {
    /// Whose king and queen can stand wrong until `moves` have been played without anybody being in the way of it. Who sits
    /// opposite sets up as he sees it done.
    pub(in crate::rehearsal) fn choose(game: &Game, moves: usize, dice: &mut Dice) -> Option<Swap> {
        /// Nobody who begins to write the third move has played fewer.
        const LEAST: usize = 2;
        let first = if dice.chance(0.5) { Color::White } else { Color::Black };
        let both = dice.chance(0.25).then(|| Swap::of(game, &Color::ALL, moves * 2)).flatten();
        let alone = [first, !first].into_iter().filter_map(|color| Swap::of(game, &[color], moves * 2));
        let is_seen_late = |swap: &Swap| swap.until >= LEAST;
        let alone = alone.filter(is_seen_late).max_by_key(|swap| (swap.until, swap.is_of(first)));
        both.filter(is_seen_late).or(alone)
    }

    fn of(game: &Game, colors: &[Color], most: usize) -> Option<Swap> {
        let board = game.start.board();
        let mut players = ByColor::default();
        for color in colors {
            let queen = board.by_piece(Role::Queen.of(*color)).first()?;
            *players.get_mut(*color) = Some([board.king_of(*color)?, queen]);
        }
        let is_touched = |square: Square| players.into_iter().flatten().flatten().any(|other| other == square);
        let touches = |mv: &Move| mv.is_castle() || is_touched(mv.to()) || mv.from().is_some_and(is_touched);
        let until = game.moves.iter().take(most).take_while(|mv| !touches(mv)).count();
        // The last of them would be the end of the game, not of the mistake.
        (until < game.moves.len()).then_some(Swap { players, until })
    }

    fn is_of(&self, color: Color) -> bool {
        self.players.get(color).is_some()
    }

    /// Each player whose men stand so, and where king and queen should stand.
    pub(super) fn players(&self) -> impl Iterator<Item = (Color, [Square; 2])> + use<> {
        let players = self.players;
        Color::ALL.into_iter().filter_map(move |color| Some((color, (*players.get(color))?)))
    }

    /// The board with the men on each other's squares.
    pub(in crate::rehearsal) fn apply(&self, board: &mut Board) {
        for (color, [king, queen]) in self.players() {
            board.set_piece_at(king, Role::Queen.of(color));
            board.set_piece_at(queen, Role::King.of(color));
        }
    }
}
