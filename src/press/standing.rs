//! How a target stands, for the operator.

use std::time::Duration;

use serde::Serialize;
use tokio::time::Instant;

use crate::journal::wall_ms;

/// How a target stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// What it is called.
    pub name: String,
    /// Of which kind it is.
    pub kind: &'static str,
    /// Where it is, without anything secret.
    pub address: String,
    /// It is told the games live, as it holds them back by itself.
    pub live: bool,
    /// What it is about.
    pub state: State,
    /// What was sent last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent: Option<Said>,
    /// What went wrong last, and may be mended by now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<Said>,
    /// When it is tried again, in milliseconds of the calendar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again_ms: Option<u64>,
    /// Its rounds.
    pub rounds: Vec<RoundStanding>,
    /// While it is visited, when it last gave a sign.
    #[serde(skip)]
    pub(super) alive: Option<Instant>,
}

/// Requests are given up before; so this is a folder whose disk does not answer.
const HANGS: Duration = Duration::from_secs(15);

impl Standing {
    /// How it stands for somebody who looks now: nobody else says of a thread that waits for a disk that it does.
    pub(super) fn seen_at(mut self, now: Instant) -> Standing {
        let silent = self.alive.map(|alive| now.saturating_duration_since(alive)).filter(|silent| *silent > HANGS);
        if let Some(silent) = silent {
            let text =
                format!("it hangs: no sign of it for {} s; look at its disk, or at the network", silent.as_secs());
            self.state = State::Failing;
            self.error = Some(Said { at_ms: wall_ms(), text });
        }
        self
    }
}

/// What a target is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// There is nothing to tell.
    #[default]
    Idle,
    /// Everything has arrived.
    Told,
    /// Something is on its way, or stands a while before it leaves.
    Telling,
    /// It was not taken, and is tried again, or not before it reads otherwise.
    Failing,
}

/// Something that was said, and when, in milliseconds of the calendar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// When.
    pub at_ms: u64,
    /// What.
    pub text: String,
}

/// How a round stands at a target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RoundStanding {
    /// The event's name in addresses.
    pub event: String,
    /// From 1.
    pub round: u16,
    /// How many games there are on air.
    pub games: usize,
    /// How many of them the target has as they should be by now.
    pub told: usize,
    /// What somebody may want to look at, a sentence each.
    pub remarks: Vec<String>,
}

/// Whether something that a target needs is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// It is.
    pub in_order: bool,
    /// What was looked at, and what to do where it is not in order.
    pub sentence: String,
}

impl Finding {
    /// It is there.
    pub(super) fn good(sentence: impl Into<String>) -> Finding {
        Finding { in_order: true, sentence: sentence.into() }
    }

    /// It is not.
    pub(super) fn bad(sentence: impl Into<String>) -> Finding {
        Finding { in_order: false, sentence: sentence.into() }
    }
}
