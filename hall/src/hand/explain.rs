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

/// What a line may take for granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Nothing: every man of the line was seen landing.
    Seen,
    /// A report may have been lost, and a dump has confirmed the board: every square of the line has changed.
    Dumped,
}

/// All lines of up to `depth` plies that explain the board, the likeliest first.
///
/// Only squares on which something was reported take part in a move: a ply of which no event was seen is assumed
/// only after a gap, when every square counts as changed.
pub(super) fn lines(root: &Chess, squares: &Squares, depth: usize, trust: Trust) -> Vec<Line> {
    let mut found = Vec::new();
    search(root, squares, depth, trust, &mut Vec::new(), &mut found);
    found.sort_by_cached_key(|line| (line.missing, line.moves.len(), inversions(line, squares), text(line)));
    found
}

fn search(
    position: &Chess,
    squares: &Squares,
    left: usize,
    trust: Trust,
    moves: &mut Vec<Move>,
    found: &mut Vec<Line>,
) {
    let misfit = squares.misfit(position.board());
    if misfit.is_empty() && is_released(position, moves, squares) && in_order(moves, squares) {
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
        let happened = squares.has_changed(footprint(candidate))
            && (trust == Trust::Dumped || was_seen_landing(position.turn(), candidate, squares));
        if !happened {
            continue;
        }
        let mut next = position.clone();
        next.play_unchecked(candidate);
        moves.push(candidate);
        search(&next, squares, left - 1, trust, moves, found);
        moves.pop();
    }
}

/// The man that moves was seen on the square it goes to. A captured man that was never put down did not move first.
fn was_seen_landing(side: Color, candidate: Move, squares: &Squares) -> bool {
    let landed = |square, role: Role| squares.has_landed(square, role.of(side));
    match candidate {
        Move::Castle { king, rook } => {
            let castling = candidate.castling_side().expect("castling has a side");
            let (king_to, rook_to) = (castling.king_to(side), castling.rook_to(side));
            (king == king_to || landed(king_to, Role::King)) && (rook == rook_to || landed(rook_to, Role::Rook))
        }
        Move::Normal { to, promotion: Some(role), .. } => landed(to, role),
        Move::Normal { role, to, .. } | Move::Put { role, to } => landed(to, role),
        Move::EnPassant { to, .. } => landed(to, Role::Pawn),
    }
}

/// A man in the air begins a later ply: its side is to move after the line, and it was lifted after the side's last
/// ply of the line had landed. Otherwise it still goes on with that ply.
fn is_released(position: &Chess, moves: &[Move], squares: &Squares) -> bool {
    let Some(index) = moves.len().checked_sub(1) else { return true };
    let last_of_its_side = index.checked_sub(1).map(|before| moves[before]);
    squares.in_air(position.board()).all(|lifted| {
        lifted.piece.color == position.turn()
            && last_of_its_side.is_none_or(|played| lifted.at >= squares.changed_at(played.to()))
    })
}

/// A player may land before the opponent's move below has landed. But nobody moves twice before the opponent has moved.
fn in_order(moves: &[Move], squares: &Squares) -> bool {
    let landed = |played: Move| squares.changed_at(played.to());
    let Some((_, later)) = moves.split_first() else { return true };
    later.windows(2).all(|pair| landed(pair[0]) <= landed(pair[1]))
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
