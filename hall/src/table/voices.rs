//! Who at the table is told moves aloud, and how.

use protocol::feed::{Earphone, Side};
use shakmaty::ByColor;

/// The earphones of the table. They stay from game to game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Voices(ByColor<Option<Earphone>>);

impl Voices {
    /// This player hears the game like this, or not any more.
    pub(crate) fn give(&mut self, side: Side, earphone: Option<Earphone>) {
        *self.0.get_mut(side.into()) = earphone;
    }

    /// How this player hears it.
    pub(crate) fn of(&self, side: Side) -> Option<&Earphone> {
        self.0.get(side.into()).as_ref()
    }
}
