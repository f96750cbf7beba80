//! Two boards, two scores, one game.

use shakmaty::{Board, Chess, Move, Position, Square};

/// What is to be done about two boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boards {
    /// They show the same position, and it is the game's.
    Agree,
    /// The scores agree. Who wrote the right move and executed another adjusts their board.
    Adjust {
        /// The squares to put right on the first board.
        first: Vec<Square>,
        /// The same on the second.
        second: Vec<Square>,
    },
    /// The scores differ: the moves are retraced to the last one they have in common, and the clocks adjusted.
    Retrace {
        /// How many plies both scores have in common.
        to_ply: usize,
    },
}

/// Compares two boards by the two players' scores of a game from `start`. The moves of both are legal.
///
/// It does not say who is right: where the scores differ, nobody knows.
pub fn compare(start: &Chess, scores: [&[Move]; 2], boards: [&Board; 2]) -> Boards {
    let common = last_common_ply(scores);
    if scores.iter().any(|score| score.len() > common) {
        return Boards::Retrace { to_ply: common };
    }
    let mut position = start.clone();
    scores[0].iter().for_each(|played| position.play_unchecked(*played));
    let wrong = |board: &Board| {
        let differs = |square: &Square| board.piece_at(*square) != position.board().piece_at(*square);
        Square::ALL.into_iter().filter(differs).collect::<Vec<_>>()
    };
    let [first, second] = boards.map(wrong);
    if first.is_empty() && second.is_empty() { Boards::Agree } else { Boards::Adjust { first, second } }
}

/// How many plies two scores have in common from the start.
pub fn last_common_ply(scores: [&[Move]; 2]) -> usize {
    scores[0].iter().zip(scores[1]).take_while(|(first, second)| first == second).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::uci::UciMove;

    #[test]
    fn boards_of_the_same_score_are_adjusted_where_they_are_wrong() {
        let (moves, played) = game("e2e4 e7e5 g1f3");
        let scores = [&moves[..], &moves[..]];
        assert_eq!(compare(&Chess::default(), scores, [&played, &played]), Boards::Agree);
        let (_, slipped) = game("e2e4 e7e5 g1h3");
        let expected = Boards::Adjust { first: vec![], second: vec![Square::F3, Square::H3] };
        assert_eq!(compare(&Chess::default(), scores, [&played, &slipped]), expected);
    }

    #[test]
    fn where_scores_differ_the_moves_are_retraced_to_what_they_share() {
        let (first, one) = game("e2e4 e7e5 g1f3 b8c6");
        let (second, other) = game("e2e4 e7e5 f1c4 b8c6");
        let compared = compare(&Chess::default(), [&first, &second], [&one, &other]);
        assert_eq!(compared, Boards::Retrace { to_ply: 2 });
        let shorter = compare(&Chess::default(), [&first[..3], &first], [&one, &one]);
        assert_eq!(shorter, Boards::Retrace { to_ply: 3 });
    }

    fn game(text: &str) -> (Vec<Move>, Board) {
        let mut position = Chess::default();
        let mut moves = Vec::new();
        for uci in text.split(' ') {
            let played = uci.parse::<UciMove>().expect("a move").to_move(&position).expect("a legal move");
            position.play_unchecked(played);
            moves.push(played);
        }
        (moves, position.board().clone())
    }
}
