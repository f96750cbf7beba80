//! The difference of two placements, square by square.

/// Four squares change when somebody castles, and twice that many in two moves. What changes more is told whole.
const MOST: usize = 8;

/// From a8 to h1, as a FEN goes.
type Board = [u8; 64];

/// `before` becomes `after` by these squares, as in `g1-f3N`; `None` where telling the placement is shorter, or where
/// one of the two is no placement.
pub(super) fn between(before: &str, after: &str) -> Option<String> {
    let (before, after) = (board(before)?, board(after)?);
    let changed: Vec<usize> = (0..64).filter(|at| before[*at] != after[*at]).collect();
    (changed.len() <= MOST)
        .then(|| changed.iter().map(|at| format!("{}{}", name(*at), char::from(after[*at]))).collect())
}

/// Does to `placement` what [`between`] says. Whatever is no square is passed over.
pub(super) fn apply(placement: &str, squares: &str) -> String {
    let Some(mut board) = board(placement) else { return placement.to_owned() };
    for square in squares.as_bytes().chunks_exact(3) {
        if let Some(at) = (0..64).find(|at| name(*at).as_bytes() == &square[..2]) {
            board[at] = square[2];
        }
    }
    text(&board)
}

fn name(at: usize) -> String {
    let file = char::from(b"abcdefgh"[at % 8]);
    format!("{file}{}", 8 - at / 8)
}

fn board(placement: &str) -> Option<Board> {
    let mut squares = Vec::with_capacity(64);
    for sign in placement.bytes() {
        match sign {
            b'1'..=b'8' => squares.extend(std::iter::repeat_n(b'-', usize::from(sign - b'0'))),
            b'/' => {}
            man => squares.push(man),
        }
    }
    squares.try_into().ok()
}

fn text(board: &Board) -> String {
    let rank = |rank: &[u8]| {
        let runs = rank.chunk_by(|a, b| *a == b'-' && *b == b'-');
        runs.map(|run| if run[0] == b'-' { run.len().to_string() } else { char::from(run[0]).to_string() }).collect()
    };
    board.chunks(8).map(rank).collect::<Vec<String>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    #[test]
    fn a_move_is_the_squares_it_changes() {
        let after = "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R";
        assert_eq!(between(INITIAL, after).as_deref(), Some("f3Ng1-"));
        assert_eq!(apply(INITIAL, "f3Ng1-"), after);
    }

    #[test]
    fn castling_is_four_squares_and_another_position_is_told_whole() {
        let (before, after) = ("8/8/8/8/8/8/8/4K2R", "8/8/8/8/8/8/8/5RK1");
        assert_eq!(between(before, after).as_deref(), Some("e1-f1Rg1Kh1-"));
        assert_eq!(apply(before, "e1-f1Rg1Kh1-"), after);
        assert_eq!(between(INITIAL, "8/8/8/8/8/8/8/4K2R"), None);
        assert_eq!(between(INITIAL, "no placement"), None);
    }
}
