//! Which positions look nearer to mate: guidance for the search. Nothing here can make a verdict wrong, only late.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square};

/// The worst a position can look; there are no more buckets than this.
pub(super) const WORST: usize = 127;

/// How far from mate by `winner` a position looks; 0 is near.
pub(super) fn distance(position: &Chess, winner: Color) -> usize {
    let board = position.board();
    let own = board.by_color(winner);
    let (Some(king), Some(loser)) = (board.king_of(winner), board.king_of(!winner)) else { return WORST };
    let heavy = (own & board.rooks_and_queens()).any();
    let corner = usize::from(kings(board, own, heavy)[usize::from(loser)][usize::from(king)]);
    let force = if heavy { 0 } else { without_heavy(board, winner) };
    let hindrance = (board.by_color(!winner) & !board.pawns()).count();
    let check = if position.turn() != winner && position.is_check() { 4 } else { 0 };
    (corner + force + hindrance).saturating_sub(check).min(WORST)
}

fn without_heavy(board: &Board, winner: Color) -> usize {
    let own = board.by_color(winner);
    let pawns = own & board.pawns();
    let steps = |pawn: Square| {
        let rank = usize::from(pawn.rank());
        let left = winner.fold_wb(7 - rank, rank);
        let ahead = pawn.offset(winner.fold_wb(8, -8));
        left * 2 + if ahead.is_some_and(|square| board.occupied().contains(square)) { 3 } else { 0 }
    };
    let promotion = pawns.into_iter().map(steps).min();
    let minor = (own & (board.knights() | board.bishops())).count();
    promotion.map_or(if minor > 1 { 8 } else { 16 }, |steps| steps + 10)
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
