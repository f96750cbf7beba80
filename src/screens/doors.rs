//! The doors: every way information leaves, and for whom it is. This is the one place that decides who sees what.

use protocol::feed::{Audience, Entry, Event, Sight, Staff, State, TableEvent};

/// A way information leaves the daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Door {
    /// The feed of spectators.
    PublicFeed,
    /// `GET /feed/ws`.
    HallFeed,
    /// `GET /feed/ws` with the operator's token.
    OperatorFeed,
    /// `GET /snapshot`.
    Snapshot,
    /// `GET /pgn` and everything below it.
    Pgn,
    /// What `POST /command` answers.
    Command,
}

impl Door {
    /// For whom the door is.
    pub fn audience(self) -> Audience {
        match self {
            Door::PublicFeed => Audience::Public,
            Door::HallFeed | Door::Snapshot | Door::Pgn => Audience::Hall,
            Door::OperatorFeed | Door::Command => Audience::Operator,
        }
    }
}

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
    match &event.event {
        Event::Entry(Entry::Alert(alert)) => alert.audience.contains(&staff),
        Event::Entry(_) | Event::Sight(_) => true,
    }
}

/// The hall sees the visible line and never the physical board: no touches, no squares.
fn for_hall(event: &Event) -> Option<Event> {
    match event {
        Event::Sight(Sight::Touch { .. }) => None,
        Event::Sight(Sight::Held { held, squares: _ }) => Some(Sight::Held { held: *held, squares: Vec::new() }.into()),
        Event::Sight(Sight::Seen { .. } | Sight::Clock { .. } | Sight::Link { .. }) => Some(event.clone()),
        Event::Entry(entry) => is_public(entry).then(|| event.clone()),
    }
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
        | Entry::Result { .. } => true,
        // That the arbiter was called tells players of a flag that fell, or of a move that was not legal, before anybody
        // may. For all to see the game goes on until there is a ruling.
        Entry::State { state } => *state != State::AwaitingArbiter,
        Entry::Instants { .. } | Entry::Proposal(_) | Entry::Verdict { .. } | Entry::Noted { .. } | Entry::Alert(_) => {
            false
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use protocol::{
        board::Link,
        feed::{
            Alert, AlertKind, Command, Correction, GameResult, Player, Proposal, ResultReason, Side, State, TouchKind,
            Variant,
        },
    };

    use super::*;

    #[test]
    fn who_is_told_what() {
        // Kind of event, and what public and hall get: nothing, a part, or all of it. Operator and arbiter get all.
        let expected = "
            seen              - all
            held              - part
            clock             - all
            link              - all
            touch             - -
            started           all all
            paired            all all
            final             all all
            corrected         all all
            state             all all
            instants          - -
            proposal          - -
            verdict           - -
            noted             - -
            result            all all
            alert             - -
        ";
        let rows = one_of_each().into_iter().map(|(name, event)| {
            let event = TableEvent { table: None, t: 7, event };
            let told = [Open::to_public(&event), Open::to_hall(&event)]
                .map(|shown| match shown.as_ref().map(Open::event) {
                    None => "-",
                    Some(shown) if *shown == event => "all",
                    Some(_) => "part",
                })
                .join(" ");
            format!("{name} {told}")
        });
        let expected: Vec<String> =
            expected.trim().lines().map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn that_a_claim_would_succeed_is_for_nobody_unless_the_arbiter_wants_to_know() {
        let event = |alert: Alert| TableEvent { table: None, t: 7, event: Entry::Alert(Box::new(alert)).into() };
        let who = |event: &TableEvent| [Staff::Operator, Staff::Arbiter].map(|staff| is_for(event, staff));
        let hint = Alert::new(AlertKind::ThreefoldAvailable);
        assert_eq!(who(&event(hint.clone())), [false, false]);
        assert_eq!(who(&event(Alert { audience: vec![Staff::Arbiter], ..hint })), [false, true]);
        assert_eq!(who(&event(Alert::new(AlertKind::FlagFall))), [true, true]);
    }

    #[test]
    fn that_the_arbiter_was_called_is_for_the_staff() {
        let told = |state: State| {
            let event = TableEvent { table: None, t: 7, event: Entry::State { state }.into() };
            (Open::to_hall(&event).is_some(), Open::to_public(&event).is_some(), is_for(&event, Staff::Arbiter))
        };
        assert_eq!(told(State::AwaitingArbiter), (false, false, true));
        assert_eq!(told(State::Playing), (true, true, true));
        assert_eq!(told(State::Ended), (true, true, true));
    }

    #[test]
    fn the_hall_is_told_that_a_board_is_held_and_not_which_squares() {
        let held = Sight::Held { held: true, squares: vec!["e4".into()] };
        let event = TableEvent { table: None, t: 7, event: held.into() };
        let shown = Open::to_hall(&event).expect("the hall may know that a board is held");
        assert_eq!(shown.event().event, Sight::Held { held: true, squares: vec![] }.into());
    }

    /// One event of each kind; the compiler does not let a kind be forgotten in `is_public` and `for_hall`.
    pub(in crate::screens) fn one_of_each() -> Vec<(&'static str, Event)> {
        let side = Side::White;
        let line = vec!["e4".to_owned()];
        let placement = "8/8/8/8/8/8/8/8".to_owned();
        vec![
            ("seen", Sight::Seen { line, settled: 0, placement, turn: side, last: None, check: false }.into()),
            ("held", Sight::Held { held: true, squares: vec!["e4".into()] }.into()),
            ("clock", Sight::Clock { white_ms: 1, black_ms: 2, running: None }.into()),
            ("link", Sight::Link { board: "7".into(), state: Link::Up }.into()),
            (
                "touch",
                Sight::Touch { side, sq: "e2".into(), piece: "P".into(), held_ms: 1, kind: TouchKind::Touch }.into(),
            ),
            ("started", Entry::Started { game: 1, fen: String::new(), variant: Variant::Standard }.into()),
            ("paired", Entry::Paired { white: Player::default(), black: Player::default(), time_control: None }.into()),
            ("final", a_final(1).into()),
            (
                "corrected",
                Entry::Corrected { from_ply: 1, old: vec![], new: vec![], reason: Correction::Arbiter }.into(),
            ),
            ("state", Entry::State { state: State::Playing }.into()),
            ("instants", Entry::Instants { ply: 1, touched: None, placed: None, pressed: None, settled: 7 }.into()),
            ("proposal", Entry::Proposal(Proposal::default()).into()),
            (
                "verdict",
                Entry::Verdict { ply: 1, side, can_mate: Some(false), line: vec![], proof: Some("walls".into()) }
                    .into(),
            ),
            ("noted", Entry::Noted { order: Box::new(Command::Stop) }.into()),
            ("result", Entry::Result { result: GameResult::Draw, reason: ResultReason::Arbiter }.into()),
            ("alert", an_alert().into()),
        ]
    }

    pub(in crate::screens) fn a_final(ply: usize) -> Entry {
        let (san, uci, fen) = ("e4".into(), "e2e4".into(), "8/8/8/8/8/8/8/8 b - - 0 1".into());
        Entry::Final { ply, san, uci, fen, clock_ms: None, inferred: false, illegal: false }
    }

    pub(in crate::screens) fn an_alert() -> Entry {
        Entry::Alert(Box::new(Alert::new(AlertKind::Checkmate)))
    }
}
