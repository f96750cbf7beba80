//! The round of the day, for boards that come before anybody has opened one.

use hall::Hall;
use protocol::feed::{Command, Order};

use crate::journal::wall_ms;

/// The day, as PGN writes it, by the clock on this machine's wall.
pub fn today() -> String {
    day_at(wall_ms())
}

/// The day of a moment in milliseconds since 1970, as PGN writes it; one nobody knows where no calendar has it.
pub(super) fn day_at(wall_ms: u64) -> String {
    let moment = i64::try_from(wall_ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    let day = |moment: jiff::Timestamp| moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y.%m.%d").to_string();
    moment.map_or_else(|| "????.??.??".to_owned(), day)
}

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

    /// A hall whose last word was said one hour after its first.
    fn evening(event: &str) -> (Hall, u64) {
        let mut hall = Hall::new();
        let order = dated(event, 1, "2026.11.20");
        hall.handle(&hall::Input::Ordered(order), 0, &mut Vec::new()).expect("the name is good");
        (hall, HOUR)
    }
}
