//! What was said about the game that is on and waits for its moment: offers, announcements, reports, an adjournment.

use laws::scoresheet::Exemption;
use protocol::feed::Side;

use super::{announcing::Announced, offers::Offers};
use crate::Millis;

/// Words of players and arbiter that count later. A new game begins without any.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    pub(super) offers: Offers,
    /// What White and Black announced last.
    pub(super) announced: [Option<Announced>; 2],
    /// Somebody saw this player touch a man, after so many plies.
    pub(super) touched_at: Option<(Side, usize)>,
    /// After how many plies the game was adjourned.
    pub(super) adjourned_at: Option<usize>,
    /// Whether White and Black need not write any more, each in which period.
    pub(super) exempt: [(usize, Exemption); 2],
    /// When the arbiter started the game.
    pub(super) started_at: Option<Millis>,
}
