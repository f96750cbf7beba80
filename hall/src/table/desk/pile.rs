//! What lies on the arbiter's desk, one thing upon the other: what it came from, what is offered about it, and whether the
//! game waits for it.

use protocol::feed::{AlertKind, Proposal};

use crate::{Millis, Ply};

/// An alert as it is known everywhere: by its kind and by when it was raised.
pub(crate) type Raised = (AlertKind, Millis);

/// What lies there, the latest on top.
#[derive(Clone, Debug, Default)]
pub(super) struct Pile {
    things: Vec<Thing>,
}

/// One thing the arbiter has to look at.
#[derive(Clone, Debug)]
struct Thing {
    /// The alerts it came from, each of which followed from those before it. None where somebody has just said so.
    from: Vec<Raised>,
    offer: Option<Proposal>,
    call: Option<Call>,
}

/// The game waits.
#[derive(Clone, Copy, Debug)]
struct Call {
    awaiting: Awaiting,
    /// The last ply of the record when it began to.
    ply: Ply,
}

/// What a table that has called the arbiter waits for. Between two calls the stronger one stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Awaiting {
    /// The board: a legal move completed on the record's position puts things right by itself. Alerts and penalties
    /// stay open.
    Board,
    /// A decision that nobody else can make.
    Decision,
}

impl Pile {
    pub(super) fn lay_offer(&mut self, from: Vec<Raised>, offer: Proposal) {
        self.things.push(Thing { from, offer: Some(offer), call: None });
    }

    pub(super) fn lay_call(&mut self, from: Vec<Raised>, awaiting: Awaiting, ply: Ply) {
        self.things.push(Thing { from, offer: None, call: Some(Call { awaiting, ply }) });
    }

    /// The latest that is offered.
    pub(super) fn offered(&self) -> Option<&Proposal> {
        self.things.iter().rev().find_map(|thing| thing.offer.as_ref())
    }

    /// Whoever decides about the latest decides about all that was offered before it.
    pub(super) fn take_offers(&mut self) -> Option<Proposal> {
        let latest = self.offered().cloned();
        self.change_offers(|_| None);
        latest
    }

    /// Something else, or nothing, is offered in place of each.
    pub(super) fn change_offers(&mut self, change: impl Fn(&Proposal) -> Option<Proposal>) {
        for thing in &mut self.things {
            thing.offer = thing.offer.as_ref().and_then(&change);
        }
        self.things.retain(Thing::matters);
    }

    /// Nothing is waited for any more. What is offered is offered still.
    pub(super) fn call_off(&mut self) {
        self.things.iter_mut().for_each(|thing| thing.call = None);
        self.things.retain(Thing::matters);
    }

    /// What the game waits for, if it does.
    pub(super) fn awaiting(&self) -> Option<Awaiting> {
        self.calls().map(|call| call.awaiting).max()
    }

    /// The last ply of the record when the game was stopped last.
    pub(super) fn called_at(&self) -> Option<Ply> {
        self.calls().last().map(|call| call.ply)
    }

    /// There is nothing to do about this alert: what came from it is taken away. Gives the alerts that had followed from it.
    pub(super) fn take_away(&mut self, alert: Raised) -> Vec<Raised> {
        let (gone, left) = std::mem::take(&mut self.things).into_iter().partition(|thing| thing.from.contains(&alert));
        self.things = left;
        let gone: Vec<Thing> = gone;
        let after = |thing: Thing| thing.from.into_iter().skip_while(move |from| *from != alert).skip(1);
        let mut followed: Vec<Raised> = gone.into_iter().flat_map(after).collect();
        // What is offered and what is waited for lie there one by one.
        followed.dedup();
        followed
    }

    fn calls(&self) -> impl Iterator<Item = Call> {
        self.things.iter().filter_map(|thing| thing.call)
    }
}

impl Thing {
    /// There is something about it to be done still.
    fn matters(&self) -> bool {
        self.offer.is_some() || self.call.is_some()
    }
}
