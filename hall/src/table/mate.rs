//! Whether a player can mate by any series of legal moves. The one door for everything that asks: flags, limits,
//! resignations.

use shakmaty::{Chess, Color, Position as _};

/// `color` can mate from `position`, as far as the men alone tell: a lone knight or bishop needs a man of the opponent
/// that gets in its king's way.
pub(super) fn can_mate(position: &Chess, color: Color) -> bool {
    !position.has_insufficient_material(color)
}
