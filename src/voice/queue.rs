//! What one player still has to hear, and in which order. Pure: it knows no clock and no sound.
//!
//! A move is never cut off, and never left out. What repeats or reads is cut off by a move, and replaced by the next of its
//! kind. What was not heard to its end is heard again from its beginning.

use std::collections::VecDeque;

use laws::blind::Voice;
use protocol::feed::Spoken;

/// Which announcement of a player: the time of what it announces, and the how-many-eth of that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// The time of what it announces.
    pub of: u64,
    /// From 0.
    pub nth: u8,
}

impl Key {
    /// The announcement the journal speaks of.
    pub fn of(spoken: &Spoken) -> Key {
        Key { of: spoken.of, nth: spoken.nth }
    }
}

/// How much an announcement weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// Part of the game: it is heard to its end.
    Move,
    /// A repeat or a reading.
    Reading,
}

/// One announcement, ready to be spoken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// Which.
    pub key: Key,
    /// How much it weighs.
    pub weight: Weight,
    /// In which words.
    pub text: String,
    /// Whose words they are.
    pub voice: Voice,
    /// Words a minute.
    pub rate: u16,
    /// Where; the machine's own device if absent.
    pub device: Option<String>,
}

/// What a speaker is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Speak this. After a failure not before so many milliseconds.
    Say(Box<Utterance>, u64),
    /// Break off what is spoken.
    Cut,
    /// Words are missing, here or elsewhere.
    Tone(Option<String>),
}

/// What has become of the announcement that was spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Ended,
    Cut,
    /// It ended too soon: the process died.
    Broken,
    /// Nothing goes out any more.
    Blocked,
}

/// Whether the player can hear us, where that is news.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    None,
    Silent,
    Back,
}

/// The waits before an announcement is tried again, in milliseconds. The first failure may have been an accident.
const AGAIN_MS: [u64; 5] = [0, 250, 500, 1_000, 2_000];

/// One player's announcements.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Utterance>,
    speaking: Option<Utterance>,
    /// How often in a row it could not be spoken.
    failures: usize,
    is_silent: bool,
}

impl Queue {
    /// Something else is to be heard.
    pub(super) fn add(&mut self, utterance: Utterance) {
        // Whatever is read out is out of date.
        self.drop_readings();
        self.waiting.push_back(utterance);
    }

    /// What the speaker is to do about what waits.
    pub(super) fn go_on(&mut self) -> Vec<Order> {
        match &self.speaking {
            None => self.next(0),
            Some(speaking) if speaking.weight == Weight::Reading && !self.waiting.is_empty() => vec![Order::Cut],
            Some(_) => Vec::new(),
        }
    }

    /// What was asked for is not waited for any more.
    pub(super) fn drop_readings(&mut self) {
        self.waiting.retain(|waiting| waiting.weight == Weight::Move);
    }

    /// What was published takes the place of what waits from the same moment.
    pub(super) fn drop_of(&mut self, of: u64) {
        self.waiting.retain(|waiting| waiting.key.of != of);
    }

    /// This was heard to its end before the daemon stopped.
    pub(super) fn strike(&mut self, key: Key) {
        self.waiting.retain(|waiting| waiting.key != key);
    }

    /// Nothing of this game is to be heard any more.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Before the daemon stopped the player could not hear us, or could again.
    pub(super) fn note_silent(&mut self, is_silent: bool) {
        self.is_silent = is_silent;
    }

    /// What has become of what was spoken.
    pub(super) fn hear(&mut self, key: Key, outcome: Outcome) -> (Change, Vec<Order>) {
        let Some(spoken) = self.speaking.take_if(|speaking| speaking.key == key) else {
            return (Change::None, Vec::new());
        };
        match outcome {
            Outcome::Ended => {
                self.failures = 0;
                let change = if std::mem::take(&mut self.is_silent) { Change::Back } else { Change::None };
                (change, self.next(0))
            }
            Outcome::Cut => (Change::None, self.next(0)),
            Outcome::Broken | Outcome::Blocked => {
                let wait = AGAIN_MS[self.failures.min(AGAIN_MS.len() - 1)];
                self.failures += 1;
                self.waiting.push_front(spoken);
                let is_over = outcome == Outcome::Blocked || self.failures > 1;
                let is_news = is_over && !self.is_silent;
                self.is_silent |= is_over;
                (if is_news { Change::Silent } else { Change::None }, self.next(wait))
            }
        }
    }

    /// How many announcements wait, the one that is spoken included.
    pub(super) fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.speaking.is_some())
    }

    /// Whether the player can't hear us.
    pub(super) fn is_silent(&self) -> bool {
        self.is_silent
    }

    /// What is being spoken.
    pub(super) fn speaking(&self) -> Option<&Utterance> {
        self.speaking.as_ref()
    }

    fn next(&mut self, wait: u64) -> Vec<Order> {
        self.speaking = self.waiting.pop_front();
        self.speaking.iter().map(|utterance| Order::Say(Box::new(utterance.clone()), wait)).collect()
    }
}
