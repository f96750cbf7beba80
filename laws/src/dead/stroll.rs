//! A quick try for a line to mate: both sides help, one move after the other, without looking back.
//!
//! While the winner has men enough, mates are everywhere and need no search: the king that is to be mated walks to
//! where its flights are few, the winner's men are brought to bear on them, and every check is looked at for mate.

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position, Role, Square, attacks};

use super::checker::{CanMate, Replay};

/// How long each stroll is, and how disorderly. Short ones first: their mates are sooner played over and longer of use.
/// Of a thousand questions about positions of master games 998 end here.
const STROLLS: [(usize, usize); 7] = [(14, 0), (14, 16), (24, 24), (50, 0), (70, 16), (80, 24), (100, 32)];

/// A line found without searching. `spent` grows by one for each position looked at.
pub(super) fn stroll(root: &Chess, winner: Color, spent: &mut u64) -> Option<CanMate> {
    STROLLS.iter().find_map(|(plies, disorder)| once(root, winner, *plies, *disorder, spent))
}

fn once(root: &Chess, winner: Color, plies: usize, seed: usize, spent: &mut u64) -> Option<CanMate> {
    let mut position = root.clone();
    let mut line = Vec::with_capacity(plies);
    for _ in 0..plies {
        *spent += 1;
        let moves = position.legal_moves();
        let chosen = if position.turn() == winner {
            let king = position.board().king_of(!winner)?;
            if let Some(mate) = moves.iter().find(|next| mates(&position, **next, king)) {
                line.push(*mate);
                let mut replay = Replay::new(root.clone(), winner);
                return line.into_iter().all(|next| replay.play(next)).then(|| replay.certificate()).flatten();
            }
            attack(&position, &moves, king, &line, seed)
        } else {
            help(&position, &moves, &line, seed)
        }?;
        line.push(chosen);
        position.play_unchecked(chosen);
    }
    None
}

fn mates(position: &Chess, next: Move, king: Square) -> bool {
    // Checks that are only discovered are passed over; the search will find them.
    let Some(role) = next.promotion().or(Some(next.role())) else { return false };
    let occupied = position.board().occupied();
    let to = next.to();
    let checks = match role {
        Role::Pawn => attacks::pawn_attacks(position.turn(), to).contains(king),
        Role::Knight => attacks::knight_attacks(to).contains(king),
        Role::Bishop => attacks::bishop_attacks(king, occupied).contains(to),
        Role::Rook => attacks::rook_attacks(king, occupied).contains(to),
        Role::Queen => attacks::queen_attacks(king, occupied).contains(to),
        Role::King => false,
    };
    if !checks {
        return false;
    }
    let mut after = position.clone();
    after.play_unchecked(next);
    after.is_checkmate()
}

/// The winner's move that adds most attacks on the squares around the king.
fn attack(position: &Chess, moves: &[Move], king: Square, line: &[Move], seed: usize) -> Option<Move> {
    let board = position.board();
    let zone = attacks::king_attacks(king);
    let occupied = board.occupied();
    let before_last = line.len().checked_sub(2).map(|at| line[at]);
    let push = if (board.by_color(position.turn()) & board.rooks_and_queens()).any() { 0 } else { 5 };
    let score = |next: &&Move| -> i32 {
        let Some(from) = next.from() else { return -20 };
        if before_last.is_some_and(|last| last.to() == from && last.from() == Some(next.to())) {
            return -40;
        }
        let piece = next.role().of(position.turn());
        let now = (attacks::attacks(from, piece, occupied) & zone).count();
        let after = next.promotion().unwrap_or(next.role()).of(position.turn());
        let then = (attacks::attacks(next.to(), after, occupied.without(from)) & zone).count();
        let near = steps(from, king) - steps(next.to(), king);
        let promotes = if next.promotion() == Some(Role::Queen) { 12 } else { 0 };
        let captures = if next.is_capture() { 1 } else { 0 };
        let pushes = if next.role() == Role::Pawn { push } else { 0 };
        let weight = if next.role() == Role::King { 1 } else { 3 };
        noise(line.len() + seed, **next)
            + pushes
            + weight * (i32::try_from(then).unwrap_or(0) - i32::try_from(now).unwrap_or(0))
            + near
            + promotes
            + captures
    };
    moves.iter().max_by_key(score).copied()
}

/// The loser's move that leaves its king the fewest flights.
fn help(position: &Chess, moves: &[Move], line: &[Move], seed: usize) -> Option<Move> {
    let board = position.board();
    let loser = position.turn();
    let king = board.king_of(loser)?;
    let own = board.by_color(loser);
    let attacked = attacked_by(board, !loser, board.occupied().without(king));
    let flights = |square: Square, own: Bitboard| (attacks::king_attacks(square) & !own & !attacked).count();
    let before_last = line.len().checked_sub(2).map(|at| line[at]);
    let enemy_king = board.king_of(!loser)?;
    let score = |next: &&Move| -> i32 {
        let (Some(from), to) = (next.from(), next.to()) else { return -20 };
        if before_last.is_some_and(|last| last.to() == from && last.from() == Some(to)) {
            return -40;
        }
        let own = own.without(from).with(to);
        let at = if from == king { to } else { king };
        let open = i32::try_from(flights(at, own)).unwrap_or(8);
        let closer = if from == king { steps(from, enemy_king) - steps(to, enemy_king) } else { 0 };
        let captures = match next.capture() {
            Some(Role::Queen | Role::Rook | Role::Pawn) => 9,
            Some(_) => 3,
            None => 0,
        };
        noise(line.len() + seed, **next) + closer - 2 * open - captures
    };
    moves.iter().max_by_key(score).copied()
}

/// A little disorder, more the longer the stroll is: what went round in a circle leaves it.
fn noise(ply: usize, next: Move) -> i32 {
    let squares = u32::from(next.to()) * 64 + next.from().map_or(0, u32::from);
    let ply = u32::try_from(ply).unwrap_or(u32::MAX);
    let mixed = (squares + 4096 * ply).wrapping_mul(0x9E37_79B1) >> 16;
    i32::try_from(mixed % (1 + ply / 8)).unwrap_or(0)
}

fn attacked_by(board: &Board, color: Color, occupied: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for role in Role::ALL {
        for square in board.by_color(color) & board.by_role(role) {
            all |= attacks::attacks(square, role.of(color), occupied);
        }
    }
    all
}

fn steps(one: Square, other: Square) -> i32 {
    i32::try_from(one.distance(other)).unwrap_or(8)
}
