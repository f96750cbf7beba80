//! Answers that wait until what they say is on disk.

use hall::Preview;
use protocol::feed::{BoardsView, Fleet, Programme};
use tokio::sync::oneshot;

use crate::{
    journal::{Committed, Done},
    screens::{Outcome, Refused, Vitals},
    voice::Standing,
};

/// An answer and whom it is for.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) outcome: oneshot::Sender<Outcome>,
    pub(super) granted: Granted,
}

/// What a reply will say.
#[derive(Debug)]
pub(super) enum Granted {
    /// The how-many-eth order of the turn is done.
    Order(usize),
    /// Nothing was done; this is what would be.
    Preview(Preview),
    /// Nothing was done; this is how boards stand.
    Boards(Box<BoardsView>),
    /// Nothing was done; these are all boards.
    Fleet(Box<Fleet>),
    /// Nothing was done; these are all rounds.
    Programme(Box<Programme>),
    /// Nothing was done; these are told moves aloud.
    Voices(Vec<Standing>),
    /// Nothing was done; this is how the daemon is.
    Vitals(Box<Vitals>),
    /// What changed at the doors is written down.
    Admissions,
    /// Nothing came of it, and why.
    Nothing(Refused),
}

/// What changed at the doors counts at once: somebody who is refused a pass they have used their code for could never come
/// in again.
const COUNTS: &str = "It counts already, but can't be recorded at the moment: the log says why. A daemon that starts again \
                      before it is recorded knows nothing of it.";

/// What whoever places an order is told while the disk does not answer.
const NOT_YET: &str = "It is done, but can't be recorded at the moment, and counts when it is: the log says why. Do not \
                       order it again.";

impl Reply {
    /// Answers that it is not on disk.
    pub(super) fn put_off(self) {
        let outcome = match self.granted {
            Granted::Nothing(refused) => Outcome::Refused(refused),
            Granted::Preview(preview) => Outcome::Tried(preview),
            Granted::Boards(view) => Outcome::Boards(view),
            Granted::Fleet(fleet) => Outcome::Fleet(fleet),
            Granted::Programme(programme) => Outcome::Programme(programme),
            Granted::Voices(voices) => Outcome::Voices(voices),
            Granted::Vitals(vitals) => Outcome::Vitals(vitals),
            Granted::Order(_) => Outcome::Unrecorded(NOT_YET.to_owned()),
            Granted::Admissions => Outcome::Unrecorded(COUNTS.to_owned()),
        };
        // Who asked may have gone.
        let _ = self.outcome.send(outcome);
    }

    /// Answers with what was committed.
    pub(super) fn send_all(replies: Vec<Reply>, done: Vec<Committed<Done>>) {
        let mut done = done.into_iter().map(Some).collect::<Vec<_>>();
        for Reply { outcome, granted } in replies {
            let told = match granted {
                Granted::Order(at) => Outcome::Done(Box::new(done[at].take().expect("an order is answered once"))),
                Granted::Preview(preview) => Outcome::Tried(preview),
                Granted::Boards(view) => Outcome::Boards(view),
                Granted::Fleet(fleet) => Outcome::Fleet(fleet),
                Granted::Programme(programme) => Outcome::Programme(programme),
                Granted::Voices(voices) => Outcome::Voices(voices),
                Granted::Vitals(vitals) => Outcome::Vitals(vitals),
                Granted::Admissions => Outcome::Admitted,
                Granted::Nothing(refused) => Outcome::Refused(refused),
            };
            // Who asked may have gone; it was granted all the same.
            let _ = outcome.send(told);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_disk_does_not_take_is_not_answered_as_recorded() {
        let (outcome, mut told) = oneshot::channel();
        Reply { outcome, granted: Granted::Admissions }.put_off();
        assert!(matches!(told.try_recv(), Ok(Outcome::Unrecorded(sentence)) if sentence.contains("counts already")));
        let (outcome, mut told) = oneshot::channel();
        Reply { outcome, granted: Granted::Order(0) }.put_off();
        assert!(matches!(told.try_recv(), Ok(Outcome::Unrecorded(sentence)) if sentence.contains("can't be recorded")));
    }
}
