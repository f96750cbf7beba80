//! What an order names and nobody here has spoken of: as a rule a name that was mistyped. Where it may come later the order is
//! carried out all the same.

use std::collections::BTreeSet;

use hall::Hall;
use protocol::feed::{Because, Command, Order, RoundPlan, TableId};

use crate::{
    nearest::nearest,
    record::Games,
    screens::{Refused, air::is_same_player},
};

/// A sentence that says so; none where everything is known.
pub(super) fn unheard_of(order: &Order, hall: &Hall, games: &Games) -> Option<String> {
    if let (Command::Delay { .. }, Some(table)) = (&order.command, order.table()) {
        return (!knows_table(table, hall, games))
            .then(|| format!("no table {table} is known here yet: this counts once there is one"));
    }
    if let Command::Delay { event: Some(event), .. } | Command::OnAir { event: Some(event), .. } = &order.command {
        return (!hall.knows(event) && !games.events().any(|known| known == event))
            .then(|| format!("no event {event} is known here yet: this counts once there is one"));
    }
    if let Command::OpenRound { event, round, .. } = &order.command {
        return unpaired(event, *round, hall);
    }
    if let Command::Withhold { player, .. } = &order.command {
        return (!knows_player(player, hall, games)).then(|| {
            format!("no player {player} is known here yet: this counts once somebody of that name is paired")
        });
    }
    None
}

/// The event an order is about, unless it is one that makes its event.
pub(super) fn event_of(order: &Order) -> Option<&str> {
    if let Command::CloseRound { event, .. }
    | Command::TakeOver { event, .. }
    | Command::Remove { event: Some(event), .. }
    | Command::StartPosition { event: Some(event), .. } = &order.command
    {
        return Some(event);
    }
    order.table().map(|table| table.event.as_str())
}

/// Why something is refused about an event nobody has spoken of, with the events there are. None where the event is known: it
/// is refused for something else.
pub(super) fn no_such_event(event: &str, hall: &Hall, games: &Games) -> Option<Refused> {
    // A board that was assigned to a table brings its event.
    let seated = hall.tables().map(|(table, _)| table.event.as_str());
    let known = hall.known_events().chain(seated).chain(games.events()).collect::<BTreeSet<_>>();
    if known.contains(event) {
        return None;
    }
    let sentence = match (nearest(event, known.iter().copied()), known.len()) {
        (_, 0) => format!("there is no event {event}, nor any other: \"event\" or \"pairings\" makes one"),
        (Some(meant), 1) => format!("there is no event {event}: did you mean {meant}?"),
        (meant, _) => {
            let known = known.iter().copied().collect::<Vec<_>>().join(", ");
            let meant = meant.map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
            format!("there is no event {event}: known are {known}{meant}")
        }
    };
    let known = known.into_iter().map(str::to_owned).collect();
    Some(Refused::known_as(sentence, Because::NoEvent { event: event.to_owned(), known }))
}

/// An alert is dismissed that the record does not have.
pub(super) fn unraised(order: &Order, games: &Games) -> Option<String> {
    let (Command::Dismiss { kind, at, .. }, Some(table)) = (&order.command, order.table()) else { return None };
    (!games.has_alert(table, *kind, *at)).then(|| {
        format!("no alert {kind} was raised at {table} at {at}, so nothing is dismissed: \"at\" is when it was raised")
    })
}

/// A round is opened that nobody has paired. One of an event nobody has spoken of is as a rule another's.
fn unpaired(event: &str, round: u16, hall: &Hall) -> Option<String> {
    let plans = hall.programme().rounds;
    let is_paired =
        |plan: &RoundPlan| plan.round.event == event && plan.round.round == round && !plan.pairings.is_empty();
    if plans.iter().any(is_paired) {
        return None;
    }
    let none = format!("no pairings of round {round} of {event} are known yet");
    if hall.knows(event) {
        return Some(none);
    }
    let meant = nearest(event, plans.iter().map(|plan| plan.round.event.as_str()));
    let meant =
        meant.map(|meant| format!("; if {meant} is meant, \"remove\" takes {event} away again")).unwrap_or_default();
    Some(format!("{none}, and nobody has spoken of that event before{meant}"))
}

fn knows_table(table: &TableId, hall: &Hall, games: &Games) -> bool {
    let is_paired = hall.programme().rounds.iter().any(|plan| {
        let is_here = plan.round.event == table.event && plan.round.round == table.round;
        is_here && plan.pairings.iter().any(|pairing| pairing.table == table.table)
    });
    is_paired || hall.table(table).is_some() || games.tables().any(|known| known == *table)
}

fn knows_player(player: &str, hall: &Hall, games: &Games) -> bool {
    let is_meant = |name: &str| is_same_player(player, name);
    let is_planned = hall.programme().rounds.iter().any(|plan| {
        let paired = plan.pairings.iter().flat_map(|pairing| [&pairing.white, &pairing.black]);
        let resting = plan.round.byes.iter().map(|bye| &bye.player);
        paired.chain(resting).any(|known| is_meant(&known.name))
    });
    is_planned || games.tables().any(|table| games.players(&table).any(is_meant))
}

#[cfg(test)]
mod tests {
    use hall::Input;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_name_nobody_has_spoken_of_is_said_to_be_none() {
        let mut hall = Hall::new();
        let pairing = json!({"table": 1, "white": {"name": "Polgár, Judit"}, "black": {"name": "Xie Jun"}});
        let pairings = json!({"command": "pairings", "event": "open", "round": 1, "pairings": [pairing]});
        for prepared in [pairings, json!({"command": "event", "event": "youth", "title": "Youth Cup"})] {
            hall.handle(&Input::Ordered(order(prepared)), 0, &mut Vec::new()).expect("a list, and an event");
        }
        let said = |command: Value| unheard_of(&order(command), &hall, &Games::default()).unwrap_or_default();
        let none = "no event opne is known here yet: this counts once there is one";
        for (command, expected) in [
            (json!({"command": "delay", "event": "opne", "seconds": 900}), none),
            (json!({"command": "delay", "event": "open", "seconds": 900}), ""),
            (json!({"command": "delay", "event": "youth", "seconds": 900}), ""),
            (json!({"command": "delay", "seconds": 900}), ""),
            (json!({"command": "delay", "table": "open/1/1", "seconds": 900}), ""),
            (
                json!({"command": "delay", "table": "open/1/2", "seconds": 900}),
                "no table open/1/2 is known here yet: this counts once there is one",
            ),
            (json!({"command": "on_air", "event": "opne", "tables": "none"}), none),
            (json!({"command": "on_air", "tables": "none"}), ""),
            (json!({"command": "withhold", "player": "polgár judit"}), ""),
            (
                json!({"command": "withhold", "player": "Polgar, Judit"}),
                "no player Polgar, Judit is known here yet: this counts once somebody of that name is paired",
            ),
            (json!({"command": "tell_live", "target": "lichess"}), ""),
            (json!({"command": "open_round", "event": "open", "round": 1}), ""),
            (
                json!({"command": "open_round", "event": "open", "round": 2}),
                "no pairings of round 2 of open are known yet",
            ),
            (
                json!({"command": "open_round", "event": "opne", "round": 1}),
                "no pairings of round 1 of opne are known yet, and nobody has spoken of that event before; if open is meant, \
                 \"remove\" takes opne away again",
            ),
            (
                json!({"command": "open_round", "event": "2026-11-20", "round": 1}),
                "no pairings of round 1 of 2026-11-20 are known yet, and nobody has spoken of that event before",
            ),
        ] {
            assert_eq!(said(command.clone()), expected, "{command}");
        }
    }

    #[test]
    fn what_is_refused_about_a_mistyped_event_is_answered_with_the_events_there_are() {
        let mut hall = Hall::new();
        let said = |event: &str, hall: &Hall| no_such_event(event, hall, &Games::default()).map(|no| no.sentence);
        let none = "there is no event opne, nor any other: \"event\" or \"pairings\" makes one";
        assert_eq!(said("opne", &hall).as_deref(), Some(none));
        let mut make = |event: &str| {
            let event = order(json!({"command": "event", "event": event, "title": "A Cup"}));
            hall.handle(&Input::Ordered(event), 0, &mut Vec::new()).expect("an event");
            hall.clone()
        };
        let one = make("open");
        assert_eq!(said("opne", &one).as_deref(), Some("there is no event opne: did you mean open?"));
        assert_eq!(said("girls", &one).as_deref(), Some("there is no event girls: known are open"));
        let mut two = make("youth");
        let both = "there is no event opne: known are open, youth; did you mean open?";
        assert_eq!(said("opne", &two).as_deref(), Some(both));
        let because = no_such_event("opne", &two, &Games::default()).and_then(|no| no.because);
        let known = vec!["open".to_owned(), "youth".to_owned()];
        assert_eq!(because, Some(Because::NoEvent { event: "opne".to_owned(), known }));
        assert_eq!(said("open", &two), None, "it is refused for something else");
        let assign = order(json!({"command": "assign", "board": "20012", "table": "opne/1/1"}));
        two.handle(&Input::Ordered(assign), 0, &mut Vec::new()).expect("a board brings an event");
        assert_eq!(said("opne", &two), None);
    }

    #[test]
    fn an_order_is_about_the_event_it_names_or_that_of_its_table_unless_it_makes_one() {
        for (command, event) in [
            (json!({"command": "undo", "plies": 1, "table": "opne/1/1"}), Some("opne")),
            (json!({"command": "remove", "table": "opne/1/1"}), Some("opne")),
            (json!({"command": "remove", "event": "opne"}), Some("opne")),
            (json!({"command": "close_round", "event": "opne", "round": 1}), Some("opne")),
            (json!({"command": "take_over", "event": "opne", "round": 1, "table": "open/1/1"}), Some("opne")),
            (json!({"command": "start_position", "event": "opne", "round": 1, "number": 1}), Some("opne")),
            (json!({"command": "open_round", "event": "opne", "round": 1}), None),
            (json!({"command": "pairings", "event": "opne", "round": 1, "pairings": []}), None),
        ] {
            assert_eq!(event_of(&order(command.clone())), event, "{command}");
        }
    }

    fn order(order: Value) -> Order {
        serde_json::from_value(order).expect("an order")
    }
}
