//! The way back to an earlier position of a game: both sides take their moves back, one after the other.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role};

use super::{
    checker::{Replay, Way},
    key::Key,
    reach::reach,
};

/// How many ways of passing a move are tried.
const IDLE_TRIES: usize = 4;

/// The way back from `position` before `steps`, the moves that led here, to the one they began from.
pub(super) fn way(position: &Chess, steps: &[Move], to: &Key) -> Option<Way> {
    let back = steps.iter().map(|step| reverse(*step)).collect::<Option<Vec<_>>>()?;
    if back.len() % 2 == 0 {
        // The side to move played the last but one of each pair.
        let moves = back.rchunks(2).flatten().copied();
        return walk(position, moves, to);
    }
    // The side to move has played one less, and passes: a man goes somewhere while the other side takes back its first
    // move, and returns in the end.
    idle(position).take(IDLE_TRIES).find_map(|there| {
        let moves = std::iter::once(there).chain(back.iter().rev().copied()).chain(reverse(there));
        walk(position, moves, to)
    })
}

fn walk(position: &Chess, moves: impl Iterator<Item = Move>, to: &Key) -> Option<Way> {
    // Any colour would do: the way is no mate.
    let mut replay = Replay::new(position.clone(), Color::White);
    for next in moves {
        if !replay.play(next) {
            return None;
        }
    }
    replay.way(to)
}

/// Steps of pieces that can be taken back, one for each piece.
fn idle(position: &Chess) -> impl Iterator<Item = Move> + '_ {
    let (board, side) = (position.board(), position.turn());
    let own = board.by_color(side) & !position.castles().castling_rights();
    let kings = if position.castles().has_color(side) { Bitboard::EMPTY } else { board.kings() };
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen].map(|role| (role, board.by_role(role)));
    roles.into_iter().chain([(Role::King, kings)]).flat_map(move |(role, men)| {
        (own & men).into_iter().filter_map(move |from| {
            let to = (reach(role, side, from, board.occupied()) & !board.occupied()).first()?;
            Some(Move::Normal { role, from, capture: None, to, promotion: None })
        })
    })
}

/// The move back, if there is one.
pub(super) fn reverse(there: Move) -> Option<Move> {
    match there {
        Move::Normal { role, from, to, capture: None, promotion: None } if role != Role::Pawn => {
            Some(Move::Normal { role, from: to, capture: None, to: from, promotion: None })
        }
        Move::Normal { .. } | Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => None,
    }
}
