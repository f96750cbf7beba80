//! The round of the day, for boards that come before anybody has opened one.

use protocol::feed::{Command, Order};

/// The day, as PGN writes it, by the clock on this machine's wall.
pub fn today() -> String {
    jiff::Zoned::now().strftime("%Y.%m.%d").to_string()
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
