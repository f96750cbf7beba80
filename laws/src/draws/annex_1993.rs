//! The annex to 10.12 of 1993: endings in which seventy-five moves may be counted instead of fifty.
//!
//! Spanish bodies recommended it to organisers; it holds only where it was announced before the event, and like the
//! fifty moves only upon a claim.
//!
//! | | the one side | the other | and |
//! |---|---|---|---|
//! | A | rook, bishop | rook | |
//! | B | two knights | pawn | blocked by a knight, and not beyond a4 b6 c5 d4 e4 f5 g6 h4 (a black pawn), a5 b3 c4 d5 e5 f4 g3 h5 (a white one) |
//! | C | rook, pawn | bishop, pawn | pawns face to face on the edge: the rook's where it started, the bishop controls where the other would promote |
//! | D | queen, pawn | queen | the pawn one step from promotion |
//! | E | queen | two knights | |
//! | F | queen | two bishops | |
//! | G | two bishops | knight | |
//!
//! Our text of the annex prints two slips. In B it asks that the pawn be *not* blocked; the known rule, with the same
//! squares, says that it is, so [`Blockade`] leaves the choice. In C it names the same two squares twice where one pair
//! must be on the a-file, as the mirrored line shows.

use shakmaty::{Board, ByRole, Color, File, Rank, Role, Square};

/// What the two knights have to do with the pawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blockade {
    /// One of them stands in front of it.
    #[default]
    Blocked,
    /// None does, as our text prints it.
    NotBlocked,
}

/// Whether seventy-five moves are counted in this position.
///
/// ```
/// use laws::draws::annex_1993::{Blockade, extends};
/// use shakmaty::fen::Fen;
///
/// let on = |fen: &str| extends(&fen.parse::<Fen>().expect("a position").as_setup().board, Blockade::default());
/// assert!(on("8/8/8/3k4/8/8/4r3/3KRB2 w - - 0 1"));
/// assert!(!on("8/8/8/3k4/8/8/4r3/3KRN2 w - - 0 1"));
/// ```
pub fn extends(board: &Board, blockade: Blockade) -> bool {
    Color::ALL.into_iter().any(|side| extends_for(board, side, blockade))
}

/// The same with `side` as the one side of the table.
fn extends_for(board: &Board, side: Color, blockade: Blockade) -> bool {
    let men = |color| board.material_side(color);
    let (ours, theirs) = (men(side), men(!side));
    let is = |us: ByRole<u8>, them: ByRole<u8>| ours == us && theirs == them;
    let king = ByRole { king: 1, ..ByRole::default() };

    is(ByRole { rook: 1, bishop: 1, ..king }, ByRole { rook: 1, ..king })
        || is(ByRole { knight: 2, ..king }, ByRole { pawn: 1, ..king }) && knights_hold(board, side, blockade)
        || is(ByRole { rook: 1, pawn: 1, ..king }, ByRole { bishop: 1, pawn: 1, ..king })
            && is_edge_fortress(board, side)
        || is(ByRole { queen: 1, pawn: 1, ..king }, ByRole { queen: 1, ..king })
            && lone(board, side, Role::Pawn).rank() == side.relative_rank(Rank::Seventh)
        || is(ByRole { queen: 1, ..king }, ByRole { knight: 2, ..king })
        || is(ByRole { queen: 1, ..king }, ByRole { bishop: 2, ..king })
        || is(ByRole { bishop: 2, ..king }, ByRole { knight: 1, ..king })
}

/// How far a pawn may have come against two knights, file by file, counted from its own side of the board.
const FURTHEST: [Rank; 8] = [
    Rank::Fifth, // a
    Rank::Third, // b
    Rank::Fourth,
    Rank::Fifth,
    Rank::Fifth,
    Rank::Fourth,
    Rank::Third, // g
    Rank::Fifth, // h
];

fn knights_hold(board: &Board, side: Color, blockade: Blockade) -> bool {
    let pawn = lone(board, !side, Role::Pawn);
    let not_beyond = (!side).relative_rank(pawn.rank()) <= FURTHEST[usize::from(pawn.file())];
    let in_front = (!side).fold_wb(pawn.offset(8), pawn.offset(-8));
    let is_blocked = in_front.is_some_and(|square| board.piece_at(square) == Some(side.knight()));
    not_beyond
        && match blockade {
            Blockade::Blocked => is_blocked,
            Blockade::NotBlocked => !is_blocked,
        }
}

fn is_edge_fortress(board: &Board, side: Color) -> bool {
    let (ours, theirs) = (lone(board, side, Role::Pawn), lone(board, !side, Role::Pawn));
    let promotes_on = Square::from_coords(theirs.file(), side.relative_rank(Rank::First));
    matches!(ours.file(), File::A | File::H)
        && ours.file() == theirs.file()
        && ours.rank() == side.relative_rank(Rank::Second)
        && theirs.rank() == side.relative_rank(Rank::Third)
        && lone(board, !side, Role::Bishop).is_light() == promotes_on.is_light()
}

/// Where the only man of its kind stands. Asked for only after the men have been counted.
fn lone(board: &Board, side: Color, role: Role) -> Square {
    board.by_piece(role.of(side)).first().expect("it has been counted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_the_annex_holds_for_both_colours_and_not_for_its_neighbour() {
        for (fen, held) in [
            // A
            ("8/8/8/3k4/8/8/4r3/3KRB2", true),
            ("8/8/8/3k4/8/8/4rp2/3KRB2", false),
            // B: on the line, and one step beyond.
            ("8/8/8/k7/p7/N7/1N6/K7", true),
            ("8/8/8/k7/8/p7/N7/KN6", false),
            ("8/8/kp6/1N6/8/8/1N6/K7", true),
            ("8/8/k7/1p6/1N6/8/1N6/K7", false),
            ("8/8/8/8/3p4/3N4/1N6/K6k", true),
            ("8/8/8/6p1/6N1/8/1N6/K6k", false),
            // B, blocked from the side only.
            ("8/8/8/8/2Np4/8/1N6/K6k", false),
            // C
            ("8/8/8/3k1b2/8/7p/7P/3KR3", true),
            ("8/8/8/3kb3/8/7p/7P/3KR3", false),
            ("8/8/8/3kb3/8/p7/P7/3KR3", true),
            ("8/8/8/3k1b2/8/p7/P7/3KR3", false),
            ("8/8/8/3kb3/7p/8/7P/3KR3", false),
            // D
            ("8/3P4/8/3k4/8/8/4q3/3K1Q2", true),
            ("8/8/3P4/3k4/8/8/4q3/3K1Q2", false),
            // E, F, G
            ("8/8/8/3k4/8/2nn4/8/3K1Q2", true),
            ("8/8/8/3k4/8/2bb4/8/3K1Q2", true),
            ("8/8/8/3k4/8/2nb4/8/3K1Q2", false),
            ("8/8/8/3k4/8/3n4/8/2BK1B2", true),
            ("8/8/8/3k4/8/3b4/8/2BK1B2", false),
        ] {
            let mut board = Board::from_ascii_board_fen(fen.as_bytes()).expect("a placement");
            assert_eq!(extends(&board, Blockade::Blocked), held, "{fen}");
            board.flip_vertical();
            board = swapped(&board);
            assert_eq!(extends(&board, Blockade::Blocked), held, "{fen}, colours changed");
        }
    }

    #[test]
    fn as_printed_the_pawn_is_free() {
        let blocked = Board::from_ascii_board_fen(b"8/8/8/8/3p4/3N4/1N6/K6k").expect("a placement");
        let free = Board::from_ascii_board_fen(b"8/8/8/8/2Np4/8/1N6/K6k").expect("a placement");
        assert!(!extends(&blocked, Blockade::NotBlocked));
        assert!(extends(&free, Blockade::NotBlocked));
    }

    fn swapped(board: &Board) -> Board {
        board.iter().map(|(square, piece)| (square, piece.role.of(!piece.color))).collect()
    }
}
