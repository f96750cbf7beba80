//! How few plies can lead from a position to a board: what needs more need not be looked at.

use shakmaty::{Bitboard, Board, Chess, Color, Piece, Position, Rank, Role, Square, attacks};

/// More plies than anybody looks for.
const NEVER: usize = 100;

/// So many plies may bring all men to where the board has them.
pub(super) fn reaches(position: &Chess, sensed: &Board, plies: usize, misfit: Bitboard) -> bool {
    let mover = position.turn();
    least(position, sensed, mover, misfit) <= plies.div_ceil(2) && least(position, sensed, !mover, misfit) <= plies / 2
}

/// How many squares so many plies can put right at most: two each, two more where the board shows a castled king, one
/// more where it shows a pawn that may have come by en passant.
pub(super) fn mendable(position: &Chess, sensed: &Board, plies: usize) -> usize {
    let en_passant = |color: Color| {
        let third = Bitboard::from(color.fold_wb(Rank::Sixth, Rank::Third));
        let pawns = |board: &Board| board.by_piece(Role::Pawn.of(color)) & third;
        (pawns(sensed) & !pawns(position.board())).any()
    };
    let castlings = Color::ALL.into_iter().filter(|color| castled(position, sensed, *color)).count();
    let passants = Color::ALL.into_iter().filter(|color| en_passant(*color)).count();
    2 * plies + 2 * castlings.min(plies) + passants.min(plies)
}

/// The board shows a king that may have castled.
fn castled(position: &Chess, sensed: &Board, color: Color) -> bool {
    let back = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
    let king = sensed.by_piece(Role::King.of(color)) & back;
    position.castles().has_color(color) && king.any() && king != position.board().by_piece(Role::King.of(color))
}

/// So many plies of this player it takes at least to bring men to where the board has them.
fn least(position: &Chess, sensed: &Board, color: Color, misfit: Bitboard) -> usize {
    let castles = castled(position, sensed, color);
    let (mut plies, mut rook) = (0, 0);
    for square in misfit & sensed.by_color(color) {
        let Some(role) = sensed.role_at(square) else { continue };
        let way = shortest(position.board(), role.of(color), square);
        plies += if castles && role == Role::King { 1 } else { way };
        if role == Role::Rook {
            rook = way.max(rook);
        }
    }
    // One rook comes with its king.
    plies - if castles { rook } else { 0 }
}

/// The fewest plies in which a man of this kind gets there, as if nobody stood in its way.
fn shortest(board: &Board, man: Piece, to: Square) -> usize {
    let ways = board.by_piece(man).into_iter().filter_map(|from| way(man, from, to));
    let promoted = board.by_piece(Role::Pawn.of(man.color)).into_iter().filter(|_| man.role != Role::Pawn);
    let promotes = promoted.map(|pawn| left_to_go(man.color, pawn).max(1));
    ways.chain(promotes).min().unwrap_or(NEVER)
}

fn way(man: Piece, from: Square, to: Square) -> Option<usize> {
    let at_once = |reached: Bitboard| if reached.contains(to) { 1 } else { 2 };
    match man.role {
        Role::Pawn => {
            let ranks = left_to_go(man.color, from).checked_sub(left_to_go(man.color, to))?;
            let files = from.file().distance(to.file()) as usize;
            // Two at once, from where it began.
            let doubled = usize::from(ranks > 1 && left_to_go(man.color, from) == 6);
            (files <= ranks && ranks > 0).then(|| files.max(ranks - doubled))
        }
        Role::Knight if attacks::knight_attacks(from).contains(to) => Some(1),
        Role::Knight => Some(if attacks::knight_attacks(from).intersects(attacks::knight_attacks(to)) { 2 } else { 3 }),
        Role::Bishop if from.is_light() != to.is_light() => None,
        Role::Bishop => Some(at_once(attacks::bishop_attacks(from, Bitboard::EMPTY))),
        Role::Rook => Some(at_once(attacks::rook_attacks(from, Bitboard::EMPTY))),
        Role::Queen => Some(at_once(attacks::queen_attacks(from, Bitboard::EMPTY))),
        Role::King => Some(from.distance(to) as usize),
    }
}

/// How many ranks a pawn has still before it.
fn left_to_go(color: Color, square: Square) -> usize {
    let rank = square.rank() as usize;
    color.fold_wb(7 - rank, rank)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least_of(from: &str, to: &str, color: Color) -> usize {
        let read = |fen: &str| fen.parse::<shakmaty::fen::Fen>().expect("a position");
        let position = read(from).into_position::<Chess>(shakmaty::CastlingMode::Standard).expect("a lawful one");
        let sensed = read(to).as_setup().board.clone();
        let misfit = super::super::squares::difference(position.board(), &sensed);
        least(&position, &sensed, color, misfit)
    }

    #[test]
    fn men_take_as_many_plies_as_their_ways_are_long() {
        let from = "4k3/8/8/8/8/8/PP6/RN2K2R w KQ - 0 1";
        for (to, color, plies, why) in [
            ("4k3/8/8/8/8/8/PP6/RN2K2R", Color::White, 0, "they stand there"),
            ("4k3/8/8/8/P7/2N5/1P6/R3K2R", Color::White, 2, "one for each"),
            ("4k3/8/8/3N4/8/8/PP6/R3K2R", Color::White, 2, "a knight goes there in two"),
            ("4k3/8/P7/8/8/8/1P6/RN2K2R", Color::White, 3, "a pawn in three"),
            ("4k3/8/8/8/8/8/PP6/RN3RK1", Color::White, 1, "one ply brings king and rook"),
            ("3k4/8/8/8/8/8/PP6/RN2K2R", Color::Black, 1, "a king goes one step"),
        ] {
            assert_eq!(least_of(from, to, color), plies, "{why}");
        }
    }

    #[test]
    fn a_man_that_nobody_can_be_was_a_pawn() {
        let from = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(least_of(from, "Q3k3/8/8/8/8/8/8/4K3", Color::White), 1);
    }
}
