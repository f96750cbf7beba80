//! Which positions look nearer to mate: guidance for the search. Nothing here can make a verdict wrong, only late.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square, attacks};

/// The worst a position can look; there are no more buckets than this.
pub(super) const WORST: usize = 127;

/// How far from mate by `winner` a position looks; 0 is near.
pub(super) fn distance(position: &Chess, winner: Color) -> usize {
    let board = position.board();
    let own = board.by_color(winner);
    let (Some(king), Some(loser)) = (board.king_of(winner), board.king_of(!winner)) else { return WORST };
    let heavy = (own & board.rooks_and_queens()).any();
    let corner = usize::from(kings(board, own, heavy)[usize::from(loser)][usize::from(king)]);
    let hindrance = (board.by_color(!winner) & !board.pawns()).count();
    let far = if heavy {
        corner + hindrance
    } else if (own & board.pawns()).any() {
        to_promotion(board, winner, king, loser) + hindrance
    } else if own.without(king).more_than_one() {
        corner + hindrance + 8
    } else {
        with_help(board, winner, king, loser)
    };
    let check = if position.turn() != winner && position.is_check() { 4 } else { 0 };
    far.saturating_sub(check).min(WORST)
}

/// For a side that has pawns, but neither rook nor queen: a pawn has to promote first. What stands in its way goes away,
/// but for pawns: the king takes them.
fn to_promotion(board: &Board, winner: Color, king: Square, loser: Square) -> usize {
    let their_pawns = board.by_color(!winner) & board.pawns();
    let far = |pawn: Square| {
        let way = ahead(winner, pawn);
        let blocked = (way & board.occupied()).count();
        let taken = (way & their_pawns).into_iter().map(|wall| 3 * steps_between(king, wall)).max().unwrap_or(0);
        let guarded = usize::from((attacks::king_attacks(loser) & way).any());
        2 * (way.count() + blocked + guarded) + taken
    };
    let pawns = board.by_color(winner) & board.pawns();
    // Further than any position with a queen.
    pawns.into_iter().map(far).min().map_or(WORST, |far| far + 24)
}

/// The squares from a pawn to where it promotes.
fn ahead(color: Color, pawn: Square) -> Bitboard {
    let mut way = Bitboard::EMPTY;
    let mut at = pawn;
    while let Some(next) = at.offset(color.fold_wb(8, -8)) {
        way.add(next);
        at = next;
    }
    way
}

/// For a side that has one minor piece, which mates in a corner only: the other side's king goes there, one of its own men
/// stands beside it along the file or the rank, and the winner's king guards the other two squares.
fn with_help(board: &Board, winner: Color, king: Square, loser: Square) -> usize {
    let bishop = board.by_color(winner) & board.bishops();
    let corners = match bishop.first() {
        Some(bishop) => of_colour(bishop) & Bitboard::CORNERS,
        None => Bitboard::CORNERS,
    };
    let far = |corner: Square| {
        let beside = attacks::king_attacks(corner);
        let blocks = beside & !of_colour(corner);
        let far = move |block: Square| {
            let flights = beside.without(block);
            let guards = flights.into_iter().fold(!beside, |all, at| all & attacks::king_attacks(at));
            let guard = guards.without(corner).into_iter().map(|at| steps_between(king, at)).min().unwrap_or(8);
            // The winner's king comes no nearer before the other is in the corner: it would keep it out.
            let guard = if loser == corner { guard } else { guard.max(2) };
            2 * (steps_between(loser, corner) + guard + until_blocked(board, winner, block)) + 8
        };
        blocks.into_iter().map(far).min().unwrap_or(WORST)
    };
    corners.into_iter().map(far).min().unwrap_or(WORST)
}

/// How far a side is from having a man on a square beside its king that neither takes what mates nor steps between.
fn until_blocked(board: &Board, winner: Color, block: Square) -> usize {
    let their = board.by_color(!winner);
    let pawns = their & board.pawns();
    let knight = (board.by_color(winner) & board.knights()).any();
    let rooks = if knight { board.rooks() } else { Bitboard::EMPTY };
    let pieces = their & (board.knights() | rooks | (board.bishops() & of_colour(block)));
    if (pieces | pawns).contains(block) {
        return 0;
    }
    if pieces.any() {
        return 2;
    }
    let far = |pawn: Square| {
        let way = ahead(!winner, pawn);
        let there = way.contains(block) && !Bitboard::BACKRANKS.contains(block);
        let rest = if there { ahead(!winner, block).count() } else { 0 };
        2 * (way.count() - rest) + if there { 0 } else { 4 }
    };
    pawns.into_iter().map(far).min().unwrap_or(30)
}

fn of_colour(square: Square) -> Bitboard {
    if Bitboard::LIGHT_SQUARES.contains(square) { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES }
}

fn steps_between(one: Square, other: Square) -> usize {
    usize::from(KING_STEPS[usize::from(one)][usize::from(other)])
}

/// The table of distances for the corners in which `own` pieces may mate.
fn kings(board: &Board, own: Bitboard, heavy: bool) -> &'static [[u8; 64]; 64] {
    let bishops = own & board.bishops();
    let any = heavy || (own & (board.knights() | board.pawns())).any();
    if any
        || bishops.is_empty()
        || ((bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any())
    {
        &ANY_CORNER
    } else if (bishops & Bitboard::LIGHT_SQUARES).any() {
        &LIGHT_CORNERS
    } else {
        &DARK_CORNERS
    }
}

static ANY_CORNER: [[u8; 64]; 64] = to_corners(&[0, 7, 56, 63]);
static LIGHT_CORNERS: [[u8; 64]; 64] = to_corners(&[7, 56]);
static DARK_CORNERS: [[u8; 64]; 64] = to_corners(&[0, 63]);

/// By the squares of the king to be mated and of the other: three times the former's way to a corner, and twice what
/// the latter lacks to stand two squares from it.
const fn to_corners(corners: &[u8]) -> [[u8; 64]; 64] {
    let mut table = [[u8::MAX; 64]; 64];
    let mut loser = 0;
    while loser < 64 {
        let mut winner = 0;
        while winner < 64 {
            let mut at = 0;
            while at < corners.len() {
                let far = 3 * steps(loser, corners[at]) + 2 * steps(winner, corners[at]).abs_diff(2);
                if far < table[loser as usize][winner as usize] {
                    table[loser as usize][winner as usize] = far;
                }
                at += 1;
            }
            winner += 1;
        }
        loser += 1;
    }
    table
}

/// A king's way between any two squares of an empty board.
pub(super) static KING_STEPS: [[u8; 64]; 64] = {
    let mut table = [[0; 64]; 64];
    let mut one = 0;
    while one < 64 {
        let mut other = 0;
        while other < 64 {
            table[one as usize][other as usize] = steps(one, other);
            other += 1;
        }
        one += 1;
    }
    table
};

const fn steps(one: u8, other: u8) -> u8 {
    let files = (one % 8).abs_diff(other % 8);
    let ranks = (one / 8).abs_diff(other / 8);
    if files > ranks { files } else { ranks }
}
