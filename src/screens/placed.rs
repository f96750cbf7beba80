//! What is put to the run loop from the doors, by whom, and what becomes of it.

use hall::Preview;
use protocol::feed::{Answer, Because, BoardsView, Fleet, Order, Programme, TableId, Timeline};
use tokio::sync::oneshot;

use super::{asker::Giver, register::Admission, vitals::Vitals};
use crate::{
    journal::{Committed, Done},
    voice::Standing,
};

/// A wish, who has it, and where its outcome goes.
#[derive(Debug)]
pub struct Placed {
    /// What.
    pub wish: Wish,
    /// Who; it stands in the journal beside it.
    pub by: Giver,
    /// Told once it is on disk.
    pub outcome: oneshot::Sender<Outcome>,
}

/// What somebody can wish for.
#[derive(Debug)]
pub enum Wish {
    /// That an order is carried out.
    Order(Order),
    /// To know what an order would change.
    Preview(Order),
    /// To know which boards of an event are missing, too many or elsewhere before a round.
    Boards {
        /// Which event.
        event: String,
        /// Which round; the one that is open, or else the next, if absent.
        round: Option<u16>,
    },
    /// To know all boards of the house.
    Fleet,
    /// To know all rounds.
    Programme,
    /// To know who is told moves aloud.
    Voices,
    /// To know all that happened at a table.
    Timeline(TableId),
    /// To know how the daemon is.
    Vitals,
    /// That what has changed at the doors is written down.
    Admissions(Vec<Admission>),
}

/// What has become of a wish.
#[derive(Debug)]
pub enum Outcome {
    /// The order is done, and on disk.
    Done(Box<Committed<Done>>),
    /// What the order would change. Nothing was done.
    Tried(Preview),
    /// How the boards of an event stand.
    Boards(Box<BoardsView>),
    /// All boards of the house.
    Fleet(Box<Fleet>),
    /// All rounds.
    Programme(Box<Programme>),
    /// Who is told moves aloud.
    Voices(Vec<Standing>),
    /// All that happened at a table.
    Timeline(Box<Timeline>),
    /// How the daemon is.
    Vitals(Box<Vitals>),
    /// What changed at the doors is on disk.
    Admitted,
    /// It is done, and not on disk yet: a sentence that says so.
    Unrecorded(String),
    /// Not done.
    Refused(Refused),
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A sentence with the next thing to try.
    pub sentence: String,
    /// The same as a word for pages, where people meet it there.
    pub because: Option<Because>,
}

impl Refused {
    /// Why, and the same as a word for pages.
    pub fn known_as(sentence: String, because: Because) -> Refused {
        Refused { sentence, because: Some(because) }
    }
}

impl From<String> for Refused {
    fn from(sentence: String) -> Refused {
        Refused { sentence, because: None }
    }
}

impl From<hall::Refusal> for Refused {
    fn from(refusal: hall::Refusal) -> Refused {
        Refused { sentence: refusal.to_string(), because: refusal.because }
    }
}

impl Placed {
    /// A wish, and where its outcome will be.
    pub fn new(wish: Wish, by: Giver) -> (Placed, oneshot::Receiver<Outcome>) {
        let (outcome, told) = oneshot::channel();
        (Placed { wish, by, outcome }, told)
    }
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Answer {
        match outcome {
            Outcome::Done(done) => {
                let Done { events, said, .. } = done.into_inner();
                Answer::Done { done: events, said }
            }
            Outcome::Tried(Preview { said, .. }) => Answer::Done { done: Vec::new(), said },
            Outcome::Boards(view) => Answer::Done { done: Vec::new(), said: view.troubles() },
            Outcome::Vitals(vitals) => Answer::Done { done: Vec::new(), said: vec![vitals.to_string()] },
            Outcome::Admitted
            | Outcome::Fleet(_)
            | Outcome::Programme(_)
            | Outcome::Voices(_)
            | Outcome::Timeline(_) => Answer::Done { done: Vec::new(), said: Vec::new() },
            Outcome::Unrecorded(unrecorded) => Answer::Unrecorded { unrecorded },
            Outcome::Refused(Refused { sentence, because }) => Answer::Refused { refused: sentence, because },
        }
    }
}
