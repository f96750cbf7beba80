//! A clock on the wall that somebody sets, for tests in which time is a value.

use std::cell::Cell;

thread_local! {
    static WALL: Cell<Option<u64>> = const { Cell::new(None) };
}

/// From here on the wall's clock shows this to this thread.
pub(crate) fn set_wall(ms: u64) {
    WALL.set(Some(ms));
}

/// What somebody has set it to.
pub(super) fn wall() -> Option<u64> {
    WALL.get()
}
