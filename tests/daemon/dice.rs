//! Chance that comes again with its seed, and the dials of the long proofs.

use std::{env, time::Duration};

/// A generator after Steele, Lea and Flood: any seed will do, and two that are neighbours have nothing in common.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 up to, and without, `limit`.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.throw() % limit.max(1)
    }

    /// A time up to so many milliseconds.
    pub(crate) fn within_ms(&mut self, limit: u64) -> Duration {
        Duration::from_millis(self.below(limit))
    }
}

/// What a dial of a long proof is set to: a variable of that name, or what is usual.
pub(crate) fn dial(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |set| set.parse().unwrap_or_else(|_| panic!("{name}={set} is no number")))
}

/// What so many in a hundred are not above.
pub(crate) fn percentile<T: Copy + Ord + Default>(of: &[T], percent: usize) -> T {
    let mut sorted = of.to_vec();
    sorted.sort_unstable();
    let at = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
    sorted.get(at).copied().unwrap_or_default()
}
