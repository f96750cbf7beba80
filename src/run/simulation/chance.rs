//! Chance that comes again with its seed.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng as _, SeedableRng as _},
};

/// One stream of chance. Streams of one seed have nothing in common.
#[derive(Clone, Debug)]
pub(super) struct Chance(ChaCha8Rng);

impl Chance {
    pub(super) fn new(seed: u64, stream: u64) -> Chance {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Chance(random)
    }

    /// From 0 up to, and without, `limit`.
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit.max(1)
    }

    pub(super) fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.below(to - from + 1)
    }

    /// So many times in a hundred.
    pub(super) fn percent(&mut self, often: u64) -> bool {
        self.below(100) < often
    }

    /// One of a list's places.
    pub(super) fn place(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("below the length of a list")
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.place(from.len())]
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.0.next_u64().to_le_bytes()[0]
    }
}
