//! The times after an earlier position was restored: the formula of 1993.

/// The next control of a player whose time is computed, so that the formula leaves enough for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlAhead {
    /// All the time up to the control.
    pub allotted_ms: u64,
    /// The number of the control's last move.
    pub last_move: u32,
}

const MINUTE: u64 = 60_000;

/// The time a player had used by the irregular move, if after `done` moves it was `used_ms`: the same share of the time
/// as of the moves (12.6). Where the times at that move are known, they are better than any formula; later editions
/// leave it to the arbiter.
///
/// The formula must not leave anybody less than five minutes to the control, or less than a minute for each move up to
/// it: with a control ahead, less is charged instead.
///
/// ```
/// use laws::clock::{ControlAhead, used_at_1993};
///
/// let minutes = |minutes: u64| minutes * 60_000;
/// assert_eq!(used_at_1993(minutes(90), 30, 20, None), minutes(60));
/// assert_eq!(used_at_1993(minutes(60), 30, 20, None), minutes(40));
///
/// // Sixty of seventy-five minutes would leave fifteen for the twenty moves up to the control.
/// let control = ControlAhead { allotted_ms: minutes(75), last_move: 40 };
/// assert_eq!(used_at_1993(minutes(90), 30, 20, Some(control)), minutes(55));
/// ```
pub fn used_at_1993(used_ms: u64, done: u32, irregular_move: u32, control: Option<ControlAhead>) -> u64 {
    let share = if done == 0 { 0 } else { used_ms * u64::from(irregular_move.min(done)) / u64::from(done) };
    let Some(control) = control else { return share };
    let moves_left = u64::from(control.last_move.saturating_sub(irregular_move));
    let least = (5 * MINUTE).max(moves_left * MINUTE);
    share.min(control.allotted_ms.saturating_sub(least))
}
