//! The round of the day, for boards that come before anybody has opened one.

use protocol::feed::{Command, Order};

/// The day, as PGN writes it, by the clock on this machine's wall.
pub fn today() -> String {
    jiff::Zoned::now().strftime("%Y.%m.%d").to_string()
}

/// The day of a moment in milliseconds since 1970, as PGN writes it; one nobody knows where no calendar has it.
pub(super) fn day_at(wall_ms: u64) -> String {
    let moment = i64::try_from(wall_ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    let day = |moment: jiff::Timestamp| moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y.%m.%d").to_string();
    moment.map_or_else(|| "????.??.??".to_owned(), day)
}

/// A round that is open gets another date.
pub(super) fn dated_again(event: &str, round: u16, date: &str) -> Order {
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
    let command = Command::OpenRound {
        event: date.replace('.', "-"),
        round: 1,
        title: String::new(),
        site: String::new(),
        date: date.to_owned(),
        time_control: None,
        rules: Box::default(),
    };
    Order::to_hall(command)
}
