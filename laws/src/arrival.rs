//! Late arrival: how long a board may stay empty.
//!
//! | | 1993 | 2009 | 2014 | 2018 | 2023 |
//! |---|---|---|---|---|---|
//! | lost after | an hour, 10.15 | what was announced, 6.6.a | what was announced, 6.7.a | 6.7.1 | 6.7.1 |
//! | nothing announced | an hour | at once | to be announced | at once | at once |
//! | neither is there at the start | White's clock runs, 12.3 | White loses the time, 6.6.b | 6.7.b | 6.7.2 | 6.7.2 |
//!
//! A forfeit is the arbiter's: what this page says is what may be proposed.

use shakmaty::Color;

use crate::{ByEdition, Edition, result::GameResult};

const HOUR_MS: u64 = 3_600_000;

/// What holds where nothing was announced.
const UNANNOUNCED_MS: ByEdition<Option<u64>> = ByEdition([Some(HOUR_MS), Some(0), None, Some(0), Some(0)]);

/// How late a player may come, in milliseconds from the start of the session. `announced` is what the event's
/// regulations say; in 1993 the hour is the Laws' own. `None` where regulations had to say it and do not: the arbiter
/// decides.
///
/// ```
/// use laws::{Edition, arrival::default_time};
/// assert_eq!(default_time(Edition::E1993, None), Some(3_600_000));
/// assert_eq!(default_time(Edition::E2023, None), Some(0));
/// assert_eq!(default_time(Edition::E2023, Some(900_000)), Some(900_000));
/// assert_eq!(default_time(Edition::E2014, None), None);
/// ```
pub fn default_time(edition: Edition, announced_ms: Option<u64>) -> Option<u64> {
    announced_ms.or(UNANNOUNCED_MS[edition])
}

/// What an arbiter may propose about who is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// Nothing yet: somebody is missing, and there is time until then.
    Waits {
        /// When the default time is over.
        until_ms: u64,
    },
    /// Both have come in time.
    Played,
    /// The result of who came too late, or not at all.
    Forfeit(GameResult),
    /// The regulations had to name a time and do not.
    ArbiterDecides,
}

/// Looks at who has come, `now_ms` into the session; times of arrival in milliseconds from its start, `None` for who
/// is not there. Who arrives exactly when the default time ends is in time.
pub fn examine(
    edition: Edition,
    announced_ms: Option<u64>,
    white: Option<u64>,
    black: Option<u64>,
    now_ms: u64,
) -> Absence {
    let Some(until_ms) = default_time(edition, announced_ms) else {
        let in_time = white == Some(0) && black == Some(0);
        return if in_time { Absence::Played } else { Absence::ArbiterDecides };
    };
    let came = |arrival: Option<u64>| arrival.is_some_and(|at| at <= until_ms);
    match (came(white), came(black)) {
        (true, true) => Absence::Played,
        _ if now_ms <= until_ms => Absence::Waits { until_ms },
        (true, false) => Absence::Forfeit(GameResult::WonByForfeit(Color::White)),
        (false, true) => Absence::Forfeit(GameResult::WonByForfeit(Color::Black)),
        (false, false) => Absence::Forfeit(GameResult::BothForfeited),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: u64 = 60_000;

    #[test]
    fn who_comes_within_the_default_time_plays() {
        let at = |white, black, now| examine(Edition::E2023, Some(15 * MINUTE), white, black, now);
        assert_eq!(at(Some(0), Some(15 * MINUTE), 20 * MINUTE), Absence::Played);
        assert_eq!(at(Some(0), None, 15 * MINUTE), Absence::Waits { until_ms: 15 * MINUTE });
        let white_wins = Absence::Forfeit(GameResult::WonByForfeit(Color::White));
        assert_eq!(at(Some(0), None, 15 * MINUTE + 1), white_wins);
        assert_eq!(at(Some(0), Some(16 * MINUTE), 20 * MINUTE), white_wins);
        assert_eq!(at(None, None, 16 * MINUTE), Absence::Forfeit(GameResult::BothForfeited));
    }

    #[test]
    fn with_no_default_time_the_start_is_the_limit() {
        let black_wins = Absence::Forfeit(GameResult::WonByForfeit(Color::Black));
        assert_eq!(examine(Edition::E2023, None, Some(1), Some(0), 2), black_wins);
        assert_eq!(examine(Edition::E1993, None, Some(59 * MINUTE), Some(0), 60 * MINUTE), Absence::Played);
        assert_eq!(examine(Edition::E2014, None, Some(1), Some(0), 2), Absence::ArbiterDecides);
    }
}
