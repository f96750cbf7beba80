//! Explaining the board: the legal lines from the record's position that lead to what the sensors say.

use shakmaty::{Bitboard, CastlingMode, Chess, Color, Move, Position, Rank, Role, Square};

use super::squares::Squares;

/// A line that explains the board, men in the air aside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    /// Men of the line's position that are in the air.
    missing: usize,
    /// Of several pieces a pawn may have become, a queen is the one: counts the others.
    underpromotions: usize,
}

impl Line {
    /// No man of the line's position is in the air.
    pub(super) fn is_whole(&self) -> bool {
        self.missing == 0
    }
}

/// All lines of up to `depth` plies that explain the board, the likeliest first.
///
/// Only squares on which something was reported take part in a move: a ply of which no event was seen is assumed
/// only after a gap, when every square counts as changed.
pub(super) fn lines(root: &Chess, squares: &Squares, depth: usize) -> Vec<Line> {
    let mut found = Vec::new();
    search(root, squares, depth, &mut Vec::new(), &mut found);
    found.sort_by_cached_key(|line| (line.missing, line.moves.len(), inversions(line, squares), text(line)));
    found
}

fn search(position: &Chess, squares: &Squares, left: usize, moves: &mut Vec<Move>, found: &mut Vec<Line>) {
    let misfit = squares.misfit(position.board());
    if misfit.is_empty() && (moves.is_empty() || is_released(position, squares)) {
        let missing = squares.misfit_ignoring_air(position.board()).count();
        let under = |played: &&Move| played.promotion().is_some_and(|role| role != Role::Queen);
        let underpromotions = moves.iter().filter(under).count();
        found.push(Line { moves: moves.clone(), missing, underpromotions });
    }
    // A ply mends two squares, castling four; more than two castlings in one explanation do not happen.
    if left == 0 || misfit.count() > 2 * left + 2 * left.min(2) {
        return;
    }
    for candidate in position.legal_moves() {
        if !squares.has_changed(footprint(candidate)) {
            continue;
        }
        let mut next = position.clone();
        next.play_unchecked(candidate);
        moves.push(candidate);
        search(&next, squares, left - 1, moves, found);
        moves.pop();
    }
}

/// Nobody who moved last has a man in the air: such a man begins no later ply, it goes on with this one.
fn is_released(position: &Chess, squares: &Squares) -> bool {
    squares.in_air(position.board()).all(|lifted| lifted.piece.color == position.turn())
}

/// The squares a move empties or fills.
pub(super) fn footprint(candidate: Move) -> Bitboard {
    match candidate {
        Move::Castle { king, rook } => {
            let side = candidate.castling_side().expect("castling has a side");
            let color = Color::from_white(king.rank() == Rank::First);
            Bitboard::from_iter([king, rook, side.king_to(color), side.rook_to(color)])
        }
        Move::EnPassant { from, to } => Bitboard::from_iter([from, to, Square::from_coords(to.file(), from.rank())]),
        Move::Normal { from, to, .. } => Bitboard::from_iter([from, to]),
        Move::Put { to, .. } => Bitboard::from(to),
    }
}

/// Plies that landed before the ply they follow.
fn inversions(line: &Line, squares: &Squares) -> usize {
    line.moves.windows(2).filter(|pair| squares.changed_at(pair[1].to()) < squares.changed_at(pair[0].to())).count()
}

fn text(line: &Line) -> String {
    line.moves.iter().map(|candidate| candidate.to_uci(CastlingMode::Chess960).to_string()).collect()
}
