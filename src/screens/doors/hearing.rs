//! What of an event may be heard behind which doors.

use protocol::feed::{Command, Entry, Event, Penalty, Sight, Staff, Stage, State, TableEvent};

/// An event as people may know it who are neither operator nor arbiter. Nothing else makes one, and an open door takes
/// nothing else: so no alert, proposal or touch can be put through a door to the hall or the public.
#[derive(Clone, Debug, PartialEq)]
pub struct Open(TableEvent);

impl Open {
    /// What the hall may know of `event`; `None` where it may not even know that something happened.
    pub fn to_hall(event: &TableEvent) -> Option<Open> {
        for_hall(&event.event).map(|shown| Open::with(event, shown))
    }

    /// What the public may know of it.
    pub fn to_public(event: &TableEvent) -> Option<Open> {
        for_public(&event.event).map(|shown| Open::with(event, shown))
    }

    /// Whether no picture shows it, and whoever sits at the table hears or sees it.
    pub(in crate::screens) fn is_heard_at_the_board(&self) -> bool {
        matches!(&self.0.event, Event::Entry(Entry::Noted { order }) if is_heard_at_the_board(order))
    }

    /// As it is told.
    pub fn event(&self) -> &TableEvent {
        &self.0
    }

    fn with(event: &TableEvent, shown: Event) -> Open {
        Open(TableEvent { table: event.table.clone(), t: event.t, event: shown })
    }
}

impl From<Open> for TableEvent {
    fn from(open: Open) -> TableEvent {
        open.0
    }
}

/// Whether `event` is for these people behind the house's own doors. They see everything but alerts that do not name them:
/// that a claim would succeed is for nobody, unless the arbiter wants to know.
pub fn is_for(event: &TableEvent, staff: Staff) -> bool {
    is_theirs(&event.event, staff)
}

/// The same of what was told, wherever it was.
pub(in crate::screens) fn is_theirs(event: &Event, staff: Staff) -> bool {
    match event {
        Event::Entry(Entry::Alert(alert)) => alert.audience.contains(&staff),
        Event::Entry(_) | Event::Sight(_) => true,
    }
}

/// The hall sees the visible line and never the physical board: no touches, no squares.
pub(super) fn for_hall(event: &Event) -> Option<Event> {
    match event {
        Event::Sight(Sight::Touch { .. } | Sight::Board { .. }) => None,
        Event::Sight(Sight::Held { held, squares: _ }) => Some(Sight::Held { held: *held, squares: Vec::new() }.into()),
        // That a clock was not pressed is nobody's business while it runs.
        Event::Sight(Sight::Seen { at_rest: false, off_clock: 1.., .. }) => Some(without_marks(event)),
        Event::Sight(Sight::Seen { .. } | Sight::Clock { .. } | Sight::Link { .. } | Sight::Attended { .. }) => {
            Some(event.clone())
        }
        Event::Entry(Entry::Noted { order }) if is_heard_at_the_board(order) => Some(without_note(order)),
        Event::Entry(entry) => is_public(entry).then(|| event.clone()),
    }
}

/// Whoever sits at the table hears an offer and what becomes of it, and that time is given or taken, and sees a clock that is
/// set. A blind player has it from the listening page, which is in the hall.
fn is_heard_at_the_board(order: &Command) -> bool {
    matches!(
        order,
        Command::DrawOffer { .. }
            | Command::DrawAccept { .. }
            | Command::DrawDecline { .. }
            | Command::AdjustTimes { .. }
            | Command::Penalty { penalty: Penalty::OpponentTime | Penalty::OwnTime, .. }
    )
}

/// What the arbiter wrote down beside it is the arbiter's.
fn without_note(order: &Command) -> Event {
    let mut order = order.clone();
    if let Command::Penalty { note, .. } = &mut order {
        note.clear();
    }
    Entry::Noted { order: Box::new(order) }.into()
}

/// Moves that the clock does not count look like any that are only seen.
fn without_marks(event: &Event) -> Event {
    let mut plain = event.clone();
    if let Event::Sight(Sight::Seen { off_clock, .. }) = &mut plain {
        *off_clock = 0;
    }
    plain
}

/// The public sees what is in the record. What is only seen may still turn out otherwise.
fn for_public(event: &Event) -> Option<Event> {
    match event {
        Event::Sight(_) => None,
        Event::Entry(entry) => is_public(entry).then(|| event.clone()),
    }
}

fn is_public(entry: &Entry) -> bool {
    match entry {
        Entry::Started { .. }
        | Entry::Paired { .. }
        | Entry::Final { .. }
        | Entry::Corrected { .. }
        | Entry::Result { .. }
        | Entry::Shown { .. } => true,
        // Both players get up, and everybody sees it. What else is noted is between them and the arbiter.
        Entry::Noted { order } => matches!(**order, Command::Adjourn { .. }),
        // Nobody sees a round before it is opened.
        Entry::Round { round } => round.stage != Stage::Prepared,
        Entry::Earlier { entry, .. } => is_public(entry),
        // That the arbiter was called tells players of a flag that fell, or of a move that was not legal, before anybody
        // may. For all to see the game goes on until there is a ruling.
        Entry::State { state } => *state != State::AwaitingArbiter,
        Entry::Instants { .. }
        | Entry::Proposal(_)
        | Entry::Confirmed { .. }
        | Entry::Verdict { .. }
        | Entry::Voice { .. }
        | Entry::Alert(_) => false,
    }
}
