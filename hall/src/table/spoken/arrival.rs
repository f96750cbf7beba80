//! Who has come to the board since the arbiter started the game.

use protocol::feed::Side;
use shakmaty::ByColor;

use crate::Millis;

/// What the players have done since the game was started.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrival {
    /// When the arbiter started the game, while nobody has looked who is late.
    started_at: Option<Millis>,
    pressed: ByColor<bool>,
}

impl Arrival {
    /// The arbiter starts the game.
    pub(crate) fn start(&mut self, now: Millis) {
        *self = Arrival { started_at: Some(now), pressed: ByColor::default() };
    }

    /// The default time is over.
    pub(crate) fn end(&mut self) {
        self.started_at = None;
    }

    pub(crate) fn started_at(&self) -> Option<Millis> {
        self.started_at
    }

    /// This player has pressed the clock.
    pub(crate) fn press(&mut self, side: Side) {
        *self.pressed.get_mut(side.into()) = true;
    }

    pub(crate) fn has_pressed(&self, side: Side) -> bool {
        self.pressed[side.into()]
    }
}
