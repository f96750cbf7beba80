//! What the clock on the wall reads at a time of the record.

use jiff::{Timestamp, Zoned, tz::TimeZone};

use crate::journal::Past;

/// A moment of the record and what the clock on the wall read then. Both go on at the same pace.
#[derive(Clone, Debug)]
pub struct Day {
    /// The time of the record.
    pub t: u64,
    /// Milliseconds since 1970 at that time.
    pub wall_ms: u64,
    /// Where the wall is.
    pub zone: TimeZone,
}

/// Between two columns of the sheet of clocks.
const HALF_HOUR_MS: i64 = 30 * 60 * 1000;

impl Day {
    /// At this moment of the record, and here.
    pub fn here(t: u64, wall_ms: u64) -> Day {
        Day { t, wall_ms, zone: TimeZone::system() }
    }

    /// At the last moment of a journal that nobody writes any more, and here.
    pub fn at_the_end_of(past: &Past) -> Day {
        past.last_moment().map_or_else(|| Day::here(0, 0), |last| Day::here(last.t, last.wall_ms))
    }

    /// The time of day.
    pub(super) fn time(&self, t: u64) -> String {
        self.format(t, "%H:%M:%S")
    }

    /// Hours and minutes.
    pub(super) fn minute(&self, t: u64) -> String {
        self.format(t, "%H:%M")
    }

    /// The day and the time.
    pub(super) fn moment(&self, t: u64) -> String {
        self.format(t, "%Y-%m-%d %H:%M")
    }

    /// Every full and half hour after the first of these times and before the second.
    pub(super) fn half_hours(&self, from: u64, to: u64) -> Vec<u64> {
        let Some(start) = self.at(from) else { return Vec::new() };
        let since =
            (i64::from(start.minute()) * 60 + i64::from(start.second())) * 1000 + i64::from(start.millisecond());
        let first = HALF_HOUR_MS - since % HALF_HOUR_MS;
        let step = usize::try_from(HALF_HOUR_MS).unwrap_or(usize::MAX);
        (from.saturating_add(u64::try_from(first).unwrap_or_default())..to).step_by(step).collect()
    }

    fn format(&self, t: u64, how: &str) -> String {
        self.at(t).map_or_else(|| "?".to_owned(), |at| at.strftime(how).to_string())
    }

    /// Milliseconds since 1970 at a time of the record.
    pub fn wall_at(&self, t: u64) -> Option<u64> {
        self.wall_ms.checked_add(t)?.checked_sub(self.t)
    }

    fn at(&self, t: u64) -> Option<Zoned> {
        let ms = i64::try_from(self.wall_at(t)?).ok()?;
        Some(Timestamp::from_millisecond(ms).ok()?.to_zoned(self.zone.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_hours_are_those_of_the_wall() {
        // 14:50:00 in UTC on the day the record's time was an hour.
        let day = Day { t: 3_600_000, wall_ms: 1_795_531_800_000, zone: TimeZone::UTC };
        assert_eq!(day.minute(3_600_000), "14:50");
        let marks = day.half_hours(3_600_000, 3_600_000 + 75 * 60_000);
        assert_eq!(marks.iter().map(|t| day.minute(*t)).collect::<Vec<_>>(), ["15:00", "15:30", "16:00"]);
        assert_eq!(day.moment(0), "2026-11-24 13:50");
    }
}
