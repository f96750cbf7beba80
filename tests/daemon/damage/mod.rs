//! Files that are not as they were written: a bit flipped, a file gone, cut or exchanged, at rest and under a running
//! daemon. What was told long before the damage is still there afterwards, or a sentence says that it is not.

mod evening;
mod harm;
mod ledger;
mod table;
mod trial;

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread::scope,
};

use crate::dice::dial;
use evening::Evening;
use table::Table;
use trial::Trial;

#[test]
#[ignore = "takes most of an hour; `make damage` runs it"]
fn no_damage_is_silent() {
    let each = dial("EACH", 1_000);
    // A failing trial names its number, which brings it back alone.
    let only = std::env::var("ONLY").is_ok().then(|| dial("ONLY", 0));
    let numbers = only.map_or(0..each * Trial::KINDS, |number| number..number + 1);
    let table = try_all(numbers);
    println!("{table}");
    assert!(table.is_clean(), "{}", table.worst());
}

/// Tries them, several at a time: most of a trial is waiting.
fn try_all(numbers: std::ops::Range<u64>) -> Table {
    let (seed, jobs) = (dial("SEED", 1), dial("JOBS", 6));
    let evening = Evening::play();
    let (next, end) = (AtomicU64::new(numbers.start), numbers.end);
    let work = || {
        let mut table = Table::default();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= end {
                return table;
            }
            let trial = Trial::new(seed, number);
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
