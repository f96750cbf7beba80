//! Dead positions.
mod certificates;
mod checker;
mod explain;
mod family;
mod guide;
mod key;
mod material;
mod plan;
mod positions;
mod search;
mod stroll;
mod walls;

use shakmaty::{Chess, Color};

pub use certificates::{Certificates, Tally};
pub use checker::{CanMate, CannotMate, Proof, Verdict};
pub use material::Lack;
pub use search::Search;

/// How much may be spent on one question, as a count of positions looked at: the same on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(pub u64);

impl Budget {
    /// At the table, while everybody waits.
    pub const TABLE: Budget = Budget(2_000);
    /// Aside.
    pub const BACKGROUND: Budget = Budget(8_000_000);
}

/// Whether `color` can mate from `position`.
pub fn can_mate(position: &Chess, color: Color, budget: Budget) -> Verdict {
    let mut search = Search::new(position, color);
    search.step(budget.0).unwrap_or(Verdict::Unknown { spent: search.spent() })
}
