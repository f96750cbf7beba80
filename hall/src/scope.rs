//! Where an input is kept: with the hall or with its round.

use std::{fmt, str::FromStr};

use protocol::feed::{Command, TableId};

/// Which journal an input belongs to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// What belongs to no round: events, pairings, boards, roles.
    Hall,
    /// One round of one event.
    Round {
        /// The event.
        event: String,
        /// From 1.
        round: u16,
    },
}

impl Scope {
    /// The round of a table.
    pub fn of(id: &TableId) -> Scope {
        Scope::Round { event: id.event.clone(), round: id.round }
    }

    /// Whether a table belongs to it.
    pub fn has(&self, id: &TableId) -> bool {
        match self {
            Scope::Hall => false,
            Scope::Round { event, round } => id.event == *event && id.round == *round,
        }
    }

    /// A table of the round.
    pub fn table(&self, table: u16) -> Option<TableId> {
        match self {
            Scope::Hall => None,
            Scope::Round { event, round } => Some(TableId { event: event.clone(), round: *round, table }),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Hall => f.write_str("hall"),
            Scope::Round { event, round } => write!(f, "{event}/{round}"),
        }
    }
}

/// What is not the name of a scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither \"hall\" nor EVENT/ROUND")]
pub struct NoScope;

impl FromStr for Scope {
    type Err = NoScope;

    fn from_str(name: &str) -> Result<Scope, NoScope> {
        match name.split_once('/') {
            Some((event, round)) => {
                Ok(Scope::Round { event: event.to_owned(), round: round.parse().map_err(|_| NoScope)? })
            }
            None if name == "hall" => Ok(Scope::Hall),
            None => Err(NoScope),
        }
    }
}

/// Whether an order is kept with the hall and not with a round: what belongs to no round, and what rounds rest on.
pub(crate) fn is_for_hall(command: &Command) -> bool {
    matches!(
        command,
        Command::Event { .. }
            | Command::OpenRound { .. }
            | Command::CloseRound { .. }
            | Command::Pairings { .. }
            | Command::Remove { .. }
            | Command::Pair { .. }
            | Command::Assign { .. }
            | Command::Boards { .. }
            | Command::StartPosition { .. }
            | Command::Delay { .. }
            | Command::OnAir { .. }
            | Command::Withhold { .. }
            | Command::TellLive { .. }
    )
}
