//! How the journal is: what everybody who looks at a screen should know of it.

use std::collections::BTreeSet;

use hall::Scope;

use super::proof::clock;

/// What is wrong with the journal, if anything is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Health {
    /// Nothing is being recorded.
    pub outage: Option<Outage>,
    /// What was found since the start: damage, and what is still good.
    pub findings: Vec<String>,
    /// Of which something is missing or can't be relied on.
    pub doubtful: BTreeSet<Scope>,
    /// Clock readings that nobody could keep any more while nothing was recorded.
    pub dropped: u64,
}

/// Nothing is being recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outage {
    /// Since when, in milliseconds since 1970.
    pub since_wall_ms: u64,
    /// Why, and what to do.
    pub cause: String,
    /// How many inputs wait in memory.
    pub held: u64,
}

impl Outage {
    /// The line for every screen.
    pub fn short(&self) -> String {
        format!("{}.", self.since())
    }

    /// The line for those who can do something about it.
    pub fn sentence(&self) -> String {
        format!("{}: {}. {} inputs wait in memory.", self.since(), self.cause, self.held)
    }

    /// What is said at a stop.
    pub fn loss(&self) -> String {
        let inputs = if self.held == 1 { "1 input is".to_owned() } else { format!("{} inputs are", self.held) };
        format!("{inputs} lost with this stop, orders among them that counted once they were recorded: {}", self.cause)
    }

    fn since(&self) -> String {
        let at = clock(self.since_wall_ms);
        format!("Nothing is being recorded since {}", at.split(' ').next_back().unwrap_or_default())
    }
}
