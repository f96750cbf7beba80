//! What the house does of itself after an order.

use hall::HandedOver;
use protocol::feed::{Command, TableId};

/// What the house does of itself after an order.
pub(super) enum Follows {
    /// Nothing.
    Nothing,
    /// Boards sit down where they belong.
    Seats,
    /// The same for a round that was opened, and what is over leaves the wall.
    Round(String, u16),
}

impl Follows {
    /// What follows from this one.
    pub(super) fn of(command: &Command) -> Follows {
        if let Command::OpenRound { event, round, .. } | Command::TakeOver { event, round, .. } = command {
            return Follows::Round(event.clone(), *round);
        }
        let moves_boards = matches!(
            command,
            Command::Boards { .. } | Command::CloseRound { .. } | Command::Remove { event: Some(_), .. }
        );
        if moves_boards { Follows::Seats } else { Follows::Nothing }
    }
}

/// A game that goes on at another table.
pub(super) struct Handing {
    pub(super) from: TableId,
    pub(super) to: TableId,
    pub(super) boards: Vec<String>,
    pub(super) game: HandedOver,
    /// The order itself names its table.
    pub(super) is_ordered: bool,
}
