//! What was said about the game that is on and waits for its moment: offers, announcements, reports, an adjournment.

use laws::scoresheet::Exemption;
use protocol::feed::{Alert, Bound, Side};
use shakmaty::Move;

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
    /// An illegal move that nobody may act on before the opponent claims.
    pub(super) unclaimed: Option<Unclaimed>,
    /// The move that is seen and not final.
    pub(super) standing: Option<Standing>,
    /// When the arbiter started the game.
    pub(super) started_at: Option<Millis>,
    /// White and Black have pressed the clock since then.
    pub(super) pressed: [bool; 2],
}

/// A move that stands on the board and is not final.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) played: Move,
    pub(super) since: Millis,
    /// That nobody has pressed for it has been noted.
    pub(super) noted: bool,
}

/// A completed illegal move and what a claim would lead to.
#[derive(Clone, Debug)]
pub(super) struct Unclaimed {
    pub(super) side: Side,
    pub(super) count: Option<u32>,
    pub(super) bound: Bound,
    /// How many plies the record had.
    pub(super) plies: usize,
    /// What the arbiter is told once it is claimed.
    pub(super) note: Option<Alert>,
}
