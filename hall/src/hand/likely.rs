//! Which of several orders of the same moves players are likelier to have made: they take what stands there for nothing.

use shakmaty::{Board, Chess, Color, Move, Position, Role, Square};

/// How much the players of a line have left standing that they could have taken, in pawns.
pub(super) fn left_standing(root: &Chess, moves: &[Move]) -> i32 {
    let mut position = root.clone();
    let mut left = 0;
    for played in moves {
        left += (best_gain(&position) - gain(&position, *played)).max(0);
        position.play_unchecked(*played);
    }
    left
}

/// What the player to move can win by one capture and what follows from it on its square. In check there are other cares.
fn best_gain(position: &Chess) -> i32 {
    if position.is_check() {
        return 0;
    }
    let enemies = position.board().by_color(!position.turn()) & !position.board().kings();
    enemies.into_iter().map(|square| exchange(position.board().clone(), position.turn(), square)).max().unwrap_or(0)
}

fn gain(position: &Chess, played: Move) -> i32 {
    let Some(taken) = played.capture() else { return 0 };
    let (side, to) = (position.turn(), played.to());
    let mut after = position.clone();
    after.play_unchecked(played);
    worth(taken) - exchange(after.board().clone(), !side, to)
}

/// What `side` wins on this square if both players take as long as it pays, the cheapest man first. Pins don't count.
fn exchange(mut board: Board, side: Color, square: Square) -> i32 {
    let attackers = board.attacks_to(square, side, board.occupied());
    let cheapest = attackers.into_iter().min_by_key(|from| board.role_at(*from).map_or(0, worth));
    let (Some(victim), Some(from)) = (board.role_at(square), cheapest) else { return 0 };
    let Some(attacker) = board.remove_piece_at(from) else { return 0 };
    board.set_piece_at(square, attacker);
    (worth(victim) - exchange(board, !side, square)).max(0)
}

fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        // A king takes last, and only what nobody guards.
        Role::King => 100,
    }
}
