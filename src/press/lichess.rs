//! The broadcast API of lichess: what is asked, and what its answers mean.
//!
//! Pure. `docs/air.md` says what it does with what it is sent.

use serde_json::Value;

use super::outbox::{Part, Reception};

/// How an answer is to be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// What became of each game.
    Taken(Vec<Reception>),
    /// None of it was taken, for what stands in it.
    Refused(String),
    /// It may be tried again, not before so many milliseconds.
    Later { sentence: String, at_least_ms: u64 },
    /// Somebody has to mend the settings.
    Shut(String),
}

/// After "too many requests" nothing is asked for a minute, as its rules say.
const TOO_MANY_MS: u64 = 60_000;

pub(super) fn push_address(base: &str, round: &str) -> String {
    format!("{base}/api/broadcast/round/{round}/push")
}

pub(super) fn reset_address(base: &str, round: &str) -> String {
    format!("{base}/api/broadcast/round/{round}/reset")
}

pub(super) fn rounds_address(base: &str) -> String {
    format!("{base}/api/broadcast/my-rounds")
}

/// What the answer to a push means for the games that were in it.
pub(super) fn read(parts: &[Part], status: u16, body: &str) -> Meaning {
    let told = serde_json::from_str::<Value>(body).unwrap_or_default();
    if let (200, Some(games)) = (status, told["games"].as_array()) {
        return Meaning::Taken(parts.iter().enumerate().map(|(at, part)| reception(part, at, parts, games)).collect());
    }
    let said = told["error"].as_str().map_or_else(|| first_line(body), str::to_owned);
    match status {
        400 | 413 | 422 => Meaning::Refused(said),
        200 => Meaning::Later {
            sentence: format!(
                "it answers {} and says nothing of the games: look at its url, and whether a page of the network answers in its \
                 place",
                answer(200, &said)
            ),
            at_least_ms: 0,
        },
        other => trouble(other, &said),
    }
}

/// What a status other than success means, whatever was asked.
pub(super) fn trouble(status: u16, said: &str) -> Meaning {
    let shut = |sentence: &str| Meaning::Shut(sentence.to_owned());
    match status {
        401 => shut("its token is not accepted: make a new one with the scope study:write and put it in place"),
        403 => {
            shut("its token may not write there: it wants the scope study:write, and its owner a part in the broadcast")
        }
        404 => shut("it knows no such round: look at the last part of the round's address"),
        300..=399 => shut("it answers with another address, and pushes follow none: write the new one as url"),
        429 => Meaning::Later { sentence: "it has had too many requests".to_owned(), at_least_ms: TOO_MANY_MS },
        _ => Meaning::Later { sentence: unwell(status, said), at_least_ms: 0 },
    }
}

/// Something at the other end is not as it should be, and nobody here can tell what.
pub(super) fn unwell(status: u16, said: &str) -> String {
    format!("it answers {}: look at its log; it is tried again by itself", answer(status, said))
}

/// A status, and what was said with it, if anything was.
pub(super) fn answer(status: u16, said: &str) -> String {
    let said = first_line(said);
    if said.is_empty() { status.to_string() } else { format!("{status} ({said})") }
}

/// Whether a round stands in the list of those that may be pushed to.
pub(super) fn lists(body: &str, id: &str) -> bool {
    body.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).any(|told| told["round"]["id"] == id)
}

/// Answers are found by what games are known by; one that was thrown away has none.
fn reception(part: &Part, at: usize, parts: &[Part], games: &[Value]) -> Reception {
    let is_this = |told: &&Value| {
        let tags = &told["tags"];
        match tags["GameId"].as_str() {
            Some(id) => id == part.id,
            None => part.known_by.iter().all(|(tag, value)| tags[*tag] == value.as_str()),
        }
    };
    let in_order = || games.get(at).filter(|_| games.len() == parts.len());
    match games.iter().find(is_this).or_else(in_order) {
        None => Reception::Refused("the receiver left it out without a word".to_owned()),
        Some(told) => match told["error"].as_str() {
            Some(error) => Reception::Refused(first_line(error)),
            None => Reception::Taken,
        },
    }
}

/// As much of what somebody else said as belongs on a page.
pub(super) fn first_line(said: &str) -> String {
    let line = said.lines().next().unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(200).collect()
}
