//! What happens at a table and no picture shows.

use serde::{Deserialize, Serialize};

use crate::feed::{Entry, Event, Sight, TableEvent};

/// One thing that has happened at a table and that no picture shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Told {
    /// When, on the clock of the messages.
    pub at: u64,
    /// What. Nothing that a member of the change says by itself: no `seen`, `clock`, `link`, `board` or `attended`, and no
    /// `started`, `paired`, `final`, `state`, `shown` or `round`.
    #[serde(flatten)]
    pub event: Event,
}

impl Told {
    /// What is told of an event beside its picture; `None` if the picture shows all there is to it.
    pub fn of(event: &TableEvent) -> Option<Told> {
        (!is_pictured(&event.event)).then(|| Told { at: event.t, event: event.event.clone() })
    }
}

fn is_pictured(event: &Event) -> bool {
    match event {
        Event::Sight(sight) => match sight {
            Sight::Seen { .. }
            | Sight::Clock { .. }
            | Sight::Link { .. }
            | Sight::Board { .. }
            | Sight::Attended { .. } => true,
            Sight::Held { squares, .. } => squares.is_empty(),
            Sight::Touch { .. } => false,
        },
        Event::Entry(entry) => match entry {
            Entry::Started { .. }
            | Entry::Paired { .. }
            | Entry::Final { .. }
            | Entry::State { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. } => true,
            Entry::Instants { .. }
            | Entry::Corrected { .. }
            | Entry::Proposal(_)
            | Entry::Result { .. }
            | Entry::Voice { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Noted { .. }
            | Entry::Earlier { .. }
            | Entry::Alert(_) => false,
        },
    }
}
