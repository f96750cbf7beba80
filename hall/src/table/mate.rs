//! Whether a player can mate by any series of legal moves. The one door for everything that asks: flags, limits,
//! resignations.

use laws::dead::{self, Budget, Verdict};
use shakmaty::{Chess, Color};

/// `color` can mate from `position`, or nothing proves the contrary.
pub(super) fn can_mate(position: &Chess, color: Color) -> bool {
    !matches!(dead::can_mate(position, color, Budget::TABLE), Verdict::CannotMate(_))
}
