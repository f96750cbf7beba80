//! The voice: what a blind player is told, and how it gets into the ear.
//!
//! | file | is |
//! |---|---|
//! | `saying` | what a player may be told, and nothing else: the only way into an ear |
//! | `game` | one game as announcements need it: committed entries in, sayings out |
//! | `keys` | what the keys of a player's keypad ask for: pure |
//! | `keypad` | one thread a keypad: keys go in, requests of its player come out |
//! | `queue` | what one player still has to hear, and in which order: pure, no clock |
//! | `room` | all players of the hall: committed entries and reports in, orders for the speakers out |
//! | `wave` | a sound as samples: read, measured, written; the tone that says that words are missing |
//! | `speech` | words become a sound: a process for each announcement |
//! | `sink` | a sound goes out: to a sound device, or into a folder |
//! | `words` | a game in words, for pages that are heard or felt and as a text: pure |
//! | `speaker` | one task a player, which does what the room orders and reports what came of it |
//!
//! Only what is on disk is spoken, so a move that is only seen never is. What was spoken to its end is an input of the
//! journal: after a restart the room reads what was published, and speaks what has no end there, whole.

mod game;
mod keypad;
mod keys;
mod queue;
mod room;
mod saying;
mod sink;
mod speaker;
mod speech;
mod wave;
mod words;

#[cfg(test)]
mod phonemes;
#[cfg(test)]
mod tests;

pub use keypad::{Keypads, Pressed};
pub use queue::{Key, Order, Utterance, Weight};
pub use room::{Heard, Orders, Player, Room, Standing, What};
pub use saying::Saying;
pub use sink::Sink;
pub use speaker::{Plan, Speakers};
pub use speech::{Speech, usual_speech};
pub use wave::Wave;
pub use words::{Words, wanted};

use tokio::sync::mpsc;

/// What comes back from those who hear a game: from the ear, and from the hand.
#[derive(Debug)]
pub struct Reports {
    /// How far announcements are.
    pub spoken: mpsc::UnboundedReceiver<Heard>,
    /// What players ask for.
    pub pressed: mpsc::UnboundedReceiver<Pressed>,
}
