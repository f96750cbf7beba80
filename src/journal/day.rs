//! The day on the wall.

use super::wall_ms;

/// The day, as PGN writes it, by the clock on this machine's wall.
pub fn today() -> String {
    day_at(wall_ms())
}

/// The day of a moment in milliseconds since 1970, as PGN writes it; one nobody knows where no calendar has it.
pub fn day_at(wall_ms: u64) -> String {
    let moment = i64::try_from(wall_ms).ok().and_then(|ms| jiff::Timestamp::from_millisecond(ms).ok());
    let day = |moment: jiff::Timestamp| moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y.%m.%d").to_string();
    moment.map_or_else(|| "????.??.??".to_owned(), day)
}
