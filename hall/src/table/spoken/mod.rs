//! What was said about the game that is on and waits for its moment: offers, announcements, reports, an adjournment.

mod arrival;
mod offers;

use protocol::feed::{Alert, Bound, Clocks, Side};
use shakmaty::{ByColor, Move};

use crate::{Millis, Ply};
use arrival::Arrival;
pub(crate) use offers::Offer;
use offers::Offers;

/// Words of players and arbiter that count later. A new game begins without any.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spoken {
    pub(crate) offers: Offers,
    pub(crate) arrival: Arrival,
    /// What White and Black announced last.
    announced: ByColor<Option<Announced>>,
    /// Somebody saw this player touch a man, after this ply.
    touched_at: Option<(Side, Ply)>,
    /// The game is adjourned.
    envelope: Option<Envelope>,
    /// An illegal move that nobody may act on before the opponent claims.
    unclaimed: Option<Unclaimed>,
    /// The move that is seen and not final.
    standing: Option<Standing>,
}

/// What a player announced last, and in which position.
#[derive(Clone, Debug)]
struct Announced {
    /// After which ply of the record the words were spoken or, if the move was seen already, were about.
    ply: Ply,
    text: String,
}

/// A move that stands on the board and is not final.
#[derive(Clone, Copy, Debug)]
struct Standing {
    played: Move,
    since: Millis,
    /// That nobody has pressed for it has been noted.
    noted: bool,
}

/// What stands on an envelope beside the position.
#[derive(Clone, Copy, Debug)]
struct Envelope {
    /// After which ply of the record it was sealed.
    ply: Ply,
    /// What both clocks showed then, where that is known.
    times: Option<Clocks>,
    /// The clock ran when the game was adjourned: it counts what it shows when it is stopped.
    runs: bool,
}

/// A completed illegal move and what a claim would lead to.
#[derive(Clone, Debug)]
pub(crate) struct Unclaimed {
    pub(crate) side: Side,
    pub(crate) count: Option<u32>,
    pub(crate) bound: Bound,
    /// The last ply of the record.
    pub(crate) ply: Ply,
    /// When it was completed and counted.
    pub(crate) at: Millis,
    /// What the arbiter is told once it is claimed.
    pub(crate) note: Option<Alert>,
}

impl Spoken {
    /// A player announces a move about the position after this ply. Until the clock is pressed the last words count.
    pub(crate) fn announce(&mut self, side: Side, ply: Ply, text: &str) {
        *self.announced.get_mut(side.into()) = Some(Announced { ply, text: text.to_owned() });
    }

    /// What this player announced for this ply. Words about an earlier one are forgotten.
    pub(crate) fn take_announced(&mut self, side: Side, ply: Ply) -> Option<String> {
        let announced = self.announced.get_mut(side.into()).take_if(|announced| announced.ply < ply)?;
        (announced.ply.next() == ply).then_some(announced.text)
    }

    /// Somebody saw this player touch a man, after this ply.
    pub(crate) fn see_touch(&mut self, side: Side, ply: Ply) {
        self.touched_at = Some((side, ply));
    }

    pub(crate) fn has_seen_touch(&self, side: Side, ply: Ply) -> bool {
        self.touched_at == Some((side, ply))
    }

    /// The game stands still after this ply, with a move in an envelope. `runs`: the clock has still to be stopped.
    pub(crate) fn adjourn(&mut self, ply: Ply, times: Option<Clocks>, runs: bool) {
        self.envelope = Some(Envelope { ply, times, runs });
    }

    /// There is an envelope that was sealed after this ply.
    pub(crate) fn has_envelope(&self, ply: Ply) -> bool {
        self.envelope.is_some_and(|envelope| envelope.ply == ply)
    }

    /// What both clocks showed when it was sealed.
    pub(crate) fn sealed_times(&self, ply: Ply) -> Option<Clocks> {
        self.envelope.filter(|envelope| envelope.ply == ply)?.times
    }

    /// Whether the clock was not stopped yet when it was.
    pub(crate) fn is_sealing(&self, ply: Ply) -> bool {
        self.envelope.is_some_and(|envelope| envelope.ply == ply && envelope.runs)
    }

    /// The arbiter says what the clocks are set to.
    pub(crate) fn set_envelope(&mut self, times: Clocks) {
        if let Some(envelope) = &mut self.envelope {
            (envelope.times, envelope.runs) = (Some(times), false);
        }
    }

    /// The clock was taken away: what another one shows when it is stopped says nothing of this game.
    pub(crate) fn lose_clock(&mut self) {
        if let Some(envelope) = &mut self.envelope {
            envelope.runs = false;
        }
    }

    /// It is opened.
    pub(crate) fn open_envelope(&mut self) {
        self.envelope = None;
    }

    /// Nobody may act on this before it is claimed.
    pub(crate) fn keep_unclaimed(&mut self, unclaimed: Unclaimed) {
        self.unclaimed = Some(unclaimed);
    }

    /// This player claims what the opponent did, if nothing was played since.
    pub(crate) fn claim(&mut self, by: Side, ply: Ply) -> Option<Unclaimed> {
        self.unclaimed.take_if(|open| open.side != by && open.ply == ply)
    }

    /// This move is seen and not final; it stands since it was seen first.
    pub(crate) fn note_standing(&mut self, head: Option<Move>, now: Millis) {
        if self.standing.map(|standing| standing.played) != head {
            self.standing = head.map(|played| Standing { played, since: now, noted: false });
        }
    }

    /// The game goes on: it counts as seen from here on.
    pub(crate) fn stand_anew(&mut self, now: Millis) {
        if let Some(standing) = &mut self.standing {
            standing.since = now;
        }
    }

    /// Since when it stands, while it has not been noted that nobody pressed for it.
    pub(crate) fn stands_since(&self) -> Option<Millis> {
        self.standing.filter(|standing| !standing.noted).map(|standing| standing.since)
    }

    /// That has been noted.
    pub(crate) fn note_unpressed(&mut self) {
        if let Some(standing) = &mut self.standing {
            standing.noted = true;
        }
    }
}
