//! A whole evening of the hall in a world that follows from a seed: hands that bump and slide, boards that are unplugged,
//! rebooted and babble, lines that lose, double, flip and cut bytes, a disk that hangs or is full, a clock on the wall that
//! is set, and a process that dies at any moment and loses what was not committed.
//!
//! Time is a value, and nothing else is there: no thread decides anything, nobody sleeps, and a seed is the same evening
//! every time. Everything from the bytes of a board to what screens are told is the daemon's own; [`Checks`] are what has
//! to hold. A seed that fails says how to play it again:
//!
//! ```text
//! SEED=17 SEEDS=1 make simulation
//! ```

mod chance;
mod checks;
mod daemon;
mod mutant;
mod plan;
mod referee;
mod station;
mod world;

use std::{
    collections::BTreeMap,
    env,
    sync::{
        Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

use checks::Checks;
use mutant::Mutant;
use plan::Plan;
use world::World;

/// What `make test` plays: some seconds.
const SLICE: u64 = 40;
/// A mutant that has not shown in so many evenings is not found.
const PATIENCE: u64 = 60;

#[test]
fn every_evening_of_the_slice_holds() {
    let games = play_all(1..=SLICE);
    assert!(games > 0, "careful hands were heard well at no table");
}

/// As many as are asked for: `SEEDS=10000 make simulation`.
#[test]
#[ignore = "minutes: make simulation"]
fn every_evening_holds() {
    let (from, many) = (dial("SEED", 1), dial("SEEDS", 10_000));
    let games = play_all(from..=from + many - 1);
    println!("{many} evenings from seed {from} hold; {games} games of careful hands are exactly what was played");
}

#[test]
fn a_seed_is_the_same_evening_every_time() {
    let once = play(7, None).map(|checks| format!("{checks:?}"));
    assert_eq!(once, play(7, None).map(|checks| format!("{checks:?}")));
}

#[test]
fn every_mutant_is_found() {
    for mutant in Mutant::ALL {
        let mut evenings = mutant.found_last()..mutant.found_last() + PATIENCE;
        let found = evenings.find_map(|seed| Some((seed, play(seed, Some(mutant)).err()?)));
        let (seed, why) = found.unwrap_or_else(|| panic!("{mutant:?} was not found in {PATIENCE} evenings"));
        println!("{mutant:?} is found with seed {seed}: {}", why.chars().take(200).collect::<String>());
    }
}

/// Plays these evenings, on as many threads as there are cores. Gives how many games of careful hands there were, or panics
/// with every evening that did not hold.
fn play_all(seeds: std::ops::RangeInclusive<u64>) -> usize {
    let (next, games, failed) = (AtomicU64::new(*seeds.start()), AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let work = || {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed > *seeds.end() {
                    return;
                }
                match play(seed, None) {
                    Ok(checks) => _ = games.fetch_add(checks.games, Ordering::Relaxed),
                    Err(why) => _ = failed.lock().expect("nobody panicked").insert(seed, why),
                }
            }
        };
        (0..workers).for_each(|_| _ = scope.spawn(work));
    });
    let failed = failed.into_inner().expect("nobody panicked");
    let told = failed.iter().map(|(seed, why)| format!("SEED={seed} SEEDS=1 make simulation\n{why}\n"));
    assert!(failed.is_empty(), "{} evenings did not hold\n{}", failed.len(), told.collect::<String>());
    games.into_inner()
}

/// One evening.
fn play(seed: u64, mutant: Option<Mutant>) -> Result<Checks, String> {
    // The loop's rooms want a runtime around them; nothing in it ever waits.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let _inside = runtime.enter();
    World::new(seed, Plan::of(seed), mutant).play()
}

/// What a dial of a long proof is set to: a variable of that name, or what is usual.
pub(crate) fn dial(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |set| set.parse().unwrap_or_else(|_| panic!("{name}={set} is no number")))
}
