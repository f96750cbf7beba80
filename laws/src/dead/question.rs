//! The question, asked once: a position, a colour and what may be spent on the answer.

use shakmaty::{ByColor, Chess, Color};

use super::{
    checker::{CannotMate, Verdict},
    search::Search,
};

/// How much may be spent on one question, as a count of positions looked at: the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(pub u64);

impl Budget {
    /// At the table, while everybody waits: a few milliseconds at worst.
    pub const TABLE: Budget = Budget(2_000);
    /// Aside: some ten seconds at worst. A closed set is gone through twice, by the search and by the checker.
    pub const BACKGROUND: Budget = Budget(8_000_000);
}

/// Whether `color` can mate from `position` by any series of legal moves.
///
/// ```
/// use laws::dead::{Budget, Verdict, can_mate};
/// use shakmaty::{CastlingMode, Chess, Color, fen::Fen};
///
/// let wall: Chess = "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1".parse::<Fen>()?
///     .into_position(CastlingMode::Standard)?;
/// let Verdict::CannotMate(proof) = can_mate(&wall, Color::White, Budget::TABLE) else { panic!("no way through") };
/// assert_eq!(
///     proof.proof().to_string(),
///     "the pieces never get to where they could mate: the men on b4 d4 f4 h4 b5 d5 f5 h5 stand for good",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn can_mate(position: &Chess, color: Color, budget: Budget) -> Verdict {
    let mut search = Search::new(position, color);
    search.step(budget.0).unwrap_or(Verdict::Unknown { spent: search.spent() })
}

/// The two proofs that a position is dead, if it is and they are found.
pub fn dead(position: &Chess, budget: Budget) -> Option<ByColor<CannotMate>> {
    let cannot = |color| match can_mate(position, color, budget) {
        Verdict::CannotMate(proof) => Some(proof),
        Verdict::CanMate(_) | Verdict::Unknown { .. } => None,
    };
    Some(ByColor { black: cannot(Color::Black)?, white: cannot(Color::White)? })
}
