//! How a target stands, for the operator.

use serde::Serialize;

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
    /// It was not taken, and is tried again.
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
