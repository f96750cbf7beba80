//! The round of the day, for boards that come before anybody has opened one.

use hall::Hall;
use protocol::feed::{Command, Order, RoundPlan, Stage};

/// A round and its day: of one that is open it gets another.
pub(super) fn dated(event: &str, round: u16, date: &str) -> Order {
    Order::to_hall(Command::OpenRound {
        event: event.to_owned(),
        round,
        title: String::new(),
        site: String::new(),
        date: date.to_owned(),
        time_control: None,
        rules: Box::default(),
    })
}

/// A round that nobody has planned. Its name in addresses is the day's, and it has none for people.
pub(super) fn round_of_the_day(date: &str) -> Order {
    dated(&date.replace('.', "-"), 1, date)
}

/// A shorter stop is one in the middle of things, even over midnight. Cleaning up, going to bed and setting the hall
/// up again takes longer.
const EVENING_MS: u64 = 3 * 60 * 60 * 1000;

/// A hall that was told of no event has a round of the day, and a new one the next day.
pub(super) fn round_to_open(hall: &Hall, last_t: u64, now: u64, date: &str) -> Option<Order> {
    let Some((event, _)) = hall.open_round() else { return Some(round_of_the_day(date)) };
    let is_a_day = jiff::civil::Date::strptime("%Y-%m-%d", event).is_ok();
    let today = date.replace('.', "-");
    let is_over = event != today && now.saturating_sub(last_t) >= EVENING_MS;
    // A day that has not come yet was named by a clock that was wrong at one start.
    let is_to_come = event > today.as_str() && !hall.tables().any(|(_, table)| table.is_in_play());
    (is_a_day && (is_over || is_to_come)).then(|| round_of_the_day(date))
}

/// What to say of a list for a round whose day is over. Of one that was opened it mends what was played.
pub(super) fn bygone(command: &Command, hall: &Hall, today: &str) -> Option<String> {
    let Command::Pairings { event, round, .. } = command else { return None };
    let day = hall.date_of(event, *round).filter(|day| !day.contains('?') && day.as_str() < today)?;
    let is_here = |plan: &RoundPlan| plan.round.event == *event && plan.round.round == *round;
    let was_opened = hall.programme().rounds.iter().any(|plan| is_here(plan) && plan.round.stage != Stage::Prepared);
    (!was_opened).then(|| {
        format!(
            "round {round} of {event} is dated {day}, and today is {today}: \"date\" of \"open_round\" gives it another day, \
             \"days\" of \"event\" all rounds"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 60 * 60 * 1000;

    #[test]
    fn a_new_day_gets_a_round_of_its_own() {
        let (hall, last_t) = evening("2026-11-20");
        assert_eq!(round_to_open(&hall, last_t, 10 * HOUR, "2026.11.21"), Some(round_of_the_day("2026.11.21")));
        assert_eq!(round_to_open(&hall, last_t, 10 * HOUR, "2026.11.20"), None);
    }

    #[test]
    fn a_stop_over_midnight_takes_nobody_out_of_their_game() {
        let (hall, last_t) = evening("2026-11-20");
        assert_eq!(round_to_open(&hall, last_t, HOUR + 5_000, "2026.11.21"), None);
    }

    #[test]
    fn a_day_that_a_wrong_clock_named_does_not_stay() {
        let (hall, last_t) = evening("2036-01-01");
        assert_eq!(round_to_open(&hall, last_t, last_t, "2026.11.22"), Some(round_of_the_day("2026.11.22")));
    }

    #[test]
    fn a_round_that_somebody_named_stays_open_for_days() {
        let (hall, last_t) = evening("open");
        assert_eq!(round_to_open(&hall, last_t, 100 * HOUR, "2026.11.25"), None);
    }

    #[test]
    fn a_list_for_a_round_whose_day_is_over_says_so_unless_it_was_opened() {
        let given = |order: &str| serde_json::from_str::<Order>(order).expect("an order");
        let mut hall = Hall::new();
        let mut take = |order: &Order| {
            hall.handle(&hall::Input::Ordered(order.clone()), 0, &mut Vec::new()).expect("a good order");
            hall.clone()
        };
        let list = given(r#"{"command": "pairings", "event": "open", "round": 1, "pairings": []}"#);
        let said = |hall: &Hall, today: &str| bygone(&list.command, hall, today).unwrap_or_default();
        assert_eq!(said(&Hall::new(), "2026.11.21"), "", "nobody has dated it");
        let dated_event =
            take(&given(r#"{"command": "event", "event": "open", "days": ["2026.11.20", "2026.11.??"]}"#));
        assert!(
            said(&dated_event, "2026.11.21")
                .starts_with("round 1 of open is dated 2026.11.20, and today is 2026.11.21")
        );
        assert_eq!(said(&dated_event, "2026.11.20"), "");
        let prepared = take(&list);
        assert!(said(&prepared, "2026.11.21").starts_with("round 1 of open is dated 2026.11.20"));
        let opened = take(&given(r#"{"command": "open_round", "event": "open", "round": 1}"#));
        assert_eq!(said(&opened, "2026.11.21"), "", "it goes on, or was played");
    }

    /// A hall whose last word was said one hour after its first.
    fn evening(event: &str) -> (Hall, u64) {
        let mut hall = Hall::new();
        let order = dated(event, 1, "2026.11.20");
        hall.handle(&hall::Input::Ordered(order), 0, &mut Vec::new()).expect("the name is good");
        (hall, HOUR)
    }
}
