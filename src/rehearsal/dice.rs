//! Chance: seeded, the same on every machine, and counted.

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use super::{count::Kind, count::NoiseCount, noise::Spread};

/// One stream of chance. What can go wrong is asked of it by [`Kind`], so that nothing happens uncounted.
///
/// Only additions and multiplications are used on fractions: the library functions of two machines may differ in
/// the last bit, and then a seed would not be the same game everywhere.
#[derive(Clone, Debug)]
pub(super) struct Dice {
    random: ChaCha8Rng,
    pub(super) count: NoiseCount,
}

impl Dice {
    /// Streams of one seed are independent of each other.
    pub(super) fn new(seed: u64, stream: u64) -> Dice {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(stream);
        Dice { random, count: NoiseCount::default() }
    }

    /// Whether `kind` occurs, with this probability.
    pub(super) fn happens(&mut self, kind: Kind, probability: f64) -> bool {
        let happened = self.chance(probability);
        self.count.note(kind, happened);
        happened
    }

    /// One of several ways, by weight.
    pub(super) fn choose<const N: usize>(&mut self, ways: [(Kind, f64); N]) -> Kind {
        let mut left = self.unit() * ways.iter().map(|(_, weight)| weight).sum::<f64>();
        let mut chosen = ways[0].0;
        for (kind, weight) in ways {
            if weight > 0.0 && left >= 0.0 {
                chosen = kind;
            }
            left -= weight;
        }
        for (kind, _) in ways {
            self.count.note(kind, kind == chosen);
        }
        chosen
    }

    /// A probability that is nobody's mistake.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }

    /// Any millisecond from `low` to `high`.
    pub(super) fn between(&mut self, (low, high): (u64, u64)) -> u64 {
        low + self.random.next_u64() % (high - low + 1)
    }

    /// A time whose logarithm is normally distributed.
    pub(super) fn time(&mut self, spread: Spread) -> u64 {
        if spread.sd == 0.0 {
            return spread.median;
        }
        // Twelve uniform numbers have variance one, and their sum is bell-shaped as far as anyone sees.
        let normal = (0..12).map(|_| self.unit()).sum::<f64>() - 6.0;
        times(spread.median, exp(spread.sd * normal))
    }

    /// Any number from `low` to `high`.
    pub(super) fn factor(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// Any of `0..count`.
    pub(super) fn index(&mut self, count: usize) -> usize {
        let count = u64::try_from(count).expect("a list has fewer than 2^64 entries");
        usize::try_from(self.random.next_u64() % count).expect("below the length of a list")
    }

    /// Any of them.
    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        (!from.is_empty()).then(|| from[self.index(from.len())])
    }

    /// Any order.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }

    fn unit(&mut self) -> f64 {
        /// What an f64 holds exactly.
        const BITS: u32 = 53;
        const STEP: f64 = 1.0 / 9_007_199_254_740_992.0;
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let whole = (self.random.next_u64() >> (64 - BITS)) as f64;
        whole * STEP
    }
}

/// `e` to the power of `x`, by additions and multiplications: the series near zero, then squared back.
fn exp(x: f64) -> f64 {
    const HALVINGS: u32 = 10;
    let small = x / 1_024.0;
    let near = 1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0 * (1.0 + small / 4.0)));
    (0..HALVINGS).fold(near, |value, _| value * value)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "times of a game are far below 2^53 milliseconds and never negative"
)]
pub(super) fn times(ms: u64, factor: f64) -> u64 {
    (ms as f64 * factor + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_the_same_numbers_everywhere() {
        let mut dice = Dice::new(7, 0);
        let spread = Spread { median: 900, sd: 0.5 };
        let times: Vec<u64> = (0..6).map(|_| dice.time(spread)).collect();
        assert_eq!(times, SEED_7, "a change here makes every recorded seed another game");
    }

    const SEED_7: [u64; 6] = [733, 332, 858, 655, 1014, 848];

    #[test]
    fn half_of_the_times_are_below_the_median() {
        let mut dice = Dice::new(1, 0);
        let below = (0..20_000).filter(|_| dice.time(Spread { median: 900, sd: 0.5 }) < 900).count();
        assert!((9_700..10_300).contains(&below), "{below}");
    }

    #[test]
    fn the_exponential_is_right_to_nine_digits() {
        for step in -60..=60 {
            let x = f64::from(step) / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-9, "{x}");
        }
    }

    #[test]
    fn ways_without_weight_are_never_chosen() {
        let mut dice = Dice::new(3, 0);
        for _ in 0..1_000 {
            let way = dice.choose([
                (Kind::CaptureMoverFirst, 0.0),
                (Kind::CaptureReplaced, 0.5),
                (Kind::CaptureVictimFirst, 0.0),
            ]);
            assert_eq!(way, Kind::CaptureReplaced);
        }
    }
}
