//! Offers of a draw that nobody has answered.

use protocol::feed::Side;
use shakmaty::ByColor;

use crate::{Millis, Ply};

/// What has been offered and not been answered, by White and by Black.
#[derive(Clone, Debug, Default)]
pub(crate) struct Offers(ByColor<Option<Offer>>);

/// An offer can't be taken back. It ends with an answer, and touching a man is one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    pub(crate) at: Millis,
    /// The last ply that was seen.
    pub(crate) ply: Ply,
}

impl Offers {
    pub(crate) fn make(&mut self, by: Side, offer: Offer) {
        *self.0.get_mut(by.into()) = Some(offer);
    }

    /// The offer of this player is answered.
    pub(crate) fn answer(&mut self, by: Side) -> Option<Offer> {
        self.0.get_mut(by.into()).take()
    }
}
