//! What is to be done about an offence.

use protocol::feed::{Action, Bound, Side};

use super::desk::{Awaiting, Raised};

/// What follows an offence, below the limit.
#[derive(Clone, Debug)]
pub(crate) struct Sanction {
    /// The alert that told of it.
    pub(crate) of: Raised,
    /// Who has offended.
    pub(crate) side: Side,
    /// How often by now, where that counts.
    pub(crate) count: Option<u32>,
    pub(crate) action: Action,
    /// What touch-move binds the player to, where the position is restored.
    pub(crate) bound: Option<Bound>,
    pub(crate) awaiting: Option<Awaiting>,
}
