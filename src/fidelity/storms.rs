//! Up to three things that are bad at once, by any measure: nothing is told that can't be played, and nothing ends but the
//! game.

use std::thread;

use rand_chacha::{
    ChaCha8Rng,
    rand_core::{Rng, SeedableRng},
};

use super::{Conditions, FACTORS, Hardship, play};
use crate::{
    rehearsal::{Profile, embedded},
    run::simulation::dial,
};

/// Where tests are built every conclusion on the way is asked whether it can be played. A storm has a thread of its own,
/// called by what plays it again, so that whatever ends it names it, an overflowing stack too.
#[test]
#[ignore = "minutes: make storms"]
fn whatever_comes_together_nothing_is_told_that_cannot_be_played() {
    let (from, many) = (dial("SEED", 1), dial("SEEDS", 5_000));
    let at_once = thread::available_parallelism().map_or(1, usize::from);
    let seeds = (from..from + many).collect::<Vec<_>>();
    let begin = |seed: &u64| {
        let seed = *seed;
        let named = thread::Builder::new().name(format!("SEED={seed} SEEDS=1 make storms"));
        named.spawn(move || storm(seed)).expect("a thread")
    };
    let passed = |seeds: &[u64]| {
        let storms = seeds.iter().map(begin).collect::<Vec<_>>();
        storms.into_iter().map(|storm| storm.join().is_ok()).filter(|passed| *passed).count()
    };
    let passed = seeds.chunks(at_once).map(passed).sum::<usize>();
    assert_eq!(passed, seeds.len(), "each storm that did not pass is named above");
    println!("{many} storms from seed {from} have passed");
}

/// One game in one storm.
fn storm(seed: u64) {
    let mut dice = Dice(ChaCha8Rng::seed_from_u64(seed));
    let profile = [Profile::Classical, Profile::Rapid, Profile::Blitz, Profile::Blitz][dice.below(4)];
    let mut conditions = Conditions::of(profile, dice.below(4) > 0, seed);
    for _ in 0..1 + dice.below(3) {
        let factor = &FACTORS[dice.below(FACTORS.len())];
        let (least, most) = factor.range;
        let anything = least + (most - least) * dice.share();
        let level = [None, Some(most), Some(anything)][dice.below(3)];
        Hardship { factor, level }.apply(&mut conditions, None);
    }
    let games = embedded();
    let (at, in_a_row) = (dice.below(games.len()), 1 + dice.below(3) / 2);
    let session = play(&conditions, games.into_iter().cycle().skip(at).take(in_a_row).collect());
    assert!(!session.told.is_empty(), "a board that is heard is told of");
}

struct Dice(ChaCha8Rng);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.0.next_u32()).expect("32 bits") % most
    }

    fn share(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }
}
