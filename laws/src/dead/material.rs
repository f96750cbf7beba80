//! Proof by material: forces that mate in no position whatever.

use shakmaty::{Bitboard, Board, Color, Role};

/// Why a side's men can mate in no position.
///
/// Each rule looks only at which men there are. Captures keep it true, and none of the sides it speaks of has pawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lack {
    /// A king alone gives no check.
    BareKing,
    /// King and knight against king and queens only.
    ///
    /// The knight covers no square beside the king along a rank or file, and the other king covers at most one of
    /// those. A mated king therefore has its own queen on all but one of them, and so on one of the two that face
    /// the knight. From there the queen takes the knight along a line or diagonal; if a man stands between, it is
    /// itself a queen beside the knight. Nothing pins her: the winner has no line piece.
    LoneKnight,
    /// King and bishops on squares of one colour, and all else on the board are rooks, queens and bishops on
    /// squares of that colour.
    ///
    /// The mated king stands on that colour, and its neighbours along rank and file are of the other. The winner's
    /// king covers at most one of them; on all the rest stand the king's own rooks or queens, so one stands beside
    /// the square where the diagonal of the check meets the king, and can step there to block or to capture. It is
    /// not pinned, as it is on no diagonal of its king; and two bishops of one colour never check at once, as none
    /// can leave one diagonal of a square for the other of it in one move.
    OneColouredBishops,
}

/// Which men one side has, as far as the rules ask.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Force {
    /// Pawns, rooks or queens: enough to mate, in some position.
    pub(super) strong: bool,
    /// Pawns or rooks: men that can help to mate their own king beside a lone knight.
    pub(super) pawn: bool,
    pub(super) rook: bool,
    pub(super) knights: usize,
    pub(super) light: bool,
    pub(super) dark: bool,
}

impl Force {
    fn of(board: &Board, color: Color) -> Force {
        let own = board.by_color(color);
        let bishops = own & board.bishops();
        Force {
            strong: (own & (board.pawns() | board.rooks_and_queens())).any(),
            pawn: (own & board.pawns()).any(),
            rook: (own & board.rooks()).any(),
            knights: (own & board.knights()).count(),
            light: (bishops & Bitboard::LIGHT_SQUARES).any(),
            dark: (bishops & Bitboard::DARK_SQUARES).any(),
        }
    }

    /// Counts one man in, a bishop by the squares it may stand on.
    pub(super) fn add(&mut self, role: Role, squares: Bitboard) {
        match role {
            Role::Pawn => (self.strong, self.pawn) = (true, true),
            Role::Rook => (self.strong, self.rook) = (true, true),
            Role::Queen => self.strong = true,
            Role::Knight => self.knights += 1,
            Role::Bishop => {
                self.light |= (squares & Bitboard::LIGHT_SQUARES).any();
                self.dark |= (squares & Bitboard::DARK_SQUARES).any();
            }
            Role::King => {}
        }
    }

    /// Why this side can't mate `other`, if its men are the reason.
    pub(super) fn lack(&self, other: &Force) -> Option<Lack> {
        if self.strong {
            return None;
        }
        let bishops = self.light || self.dark;
        if self.knights > 0 {
            let alone = self.knights == 1 && !bishops;
            let helped = other.pawn || other.rook || other.knights > 0 || other.light || other.dark;
            return (alone && !helped).then_some(Lack::LoneKnight);
        }
        if bishops {
            let one_colour = !(self.light || other.light) || !(self.dark || other.dark);
            return (one_colour && other.knights == 0 && !other.pawn).then_some(Lack::OneColouredBishops);
        }
        Some(Lack::BareKing)
    }
}

/// Why the men of `winner` can mate in no position, if they can't.
pub(super) fn lack(board: &Board, winner: Color) -> Option<Lack> {
    // Most positions are answered here, and this is asked for every position of a search.
    if (board.by_color(winner) & (board.pawns() | board.rooks_and_queens())).any() {
        return None;
    }
    Force::of(board, winner).lack(&Force::of(board, !winner))
}
