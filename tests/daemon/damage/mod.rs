//! Files that are not as they were written: a bit flipped, a file gone, cut or exchanged, at rest and under a running
//! daemon. What was told long before the damage is still there afterwards, or a sentence says that it is not.

pub(crate) mod evening;
mod harm;
mod ledger;
mod table;
mod trial;

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread::scope,
};

use crate::dice::dial;
use evening::Evening;
use table::Table;
use trial::Trial;

/// One of each kind, at rest and while running, the same dice every time. The first three had names lost in silence once.
#[test]
fn a_slice_of_damage_is_never_silent() {
    let table = try_all(&[32, 49, 2, 3, 4, 5, 6, 7]);
    assert!(table.is_clean(), "{}", table.worst());
}

#[test]
#[ignore = "takes most of an hour; `make damage` runs it"]
fn no_damage_is_silent() {
    let each = dial("EACH", 1_000);
    // A failing trial names its number, which brings it back alone.
    let only = std::env::var("ONLY").is_ok().then(|| dial("ONLY", 0));
    let numbers = only.map_or(0..each * Trial::KINDS, |number| number..number + 1);
    let table = try_all(&numbers.collect::<Vec<_>>());
    println!("{table}");
    assert!(table.is_clean(), "{}", table.worst());
}

/// Tries them, several at a time: most of a trial is waiting.
fn try_all(numbers: &[u64]) -> Table {
    let (seed, jobs) = (dial("SEED", 1), dial("JOBS", 6));
    let evening = Evening::play();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut table = Table::default();
        loop {
            let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else { return table };
            let trial = Trial::new(seed, *number);
            let outcome = trial.run(&evening);
            table.note(&trial, outcome);
        }
    };
    scope(|threads| {
        let workers = (0..jobs).map(|_| threads.spawn(work)).collect::<Vec<_>>();
        let mut whole = Table::default();
        workers.into_iter().for_each(|worker| whole.join(worker.join().expect("no trial panics")));
        whole
    })
}
