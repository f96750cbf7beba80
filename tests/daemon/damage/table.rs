//! The table that is printed: what was done to which file, how often, and what came of it.

use std::{collections::BTreeMap, fmt};

use super::{
    harm::Harm,
    trial::{Outcome, Trial},
};

/// All outcomes, by what was done.
#[derive(Debug, Default)]
pub(super) struct Table {
    rows: BTreeMap<(bool, Harm, String), Row>,
    silent: Vec<String>,
    overwritten: Vec<String>,
    ended: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    count: u64,
    silent: u64,
    said: u64,
    at_once: u64,
    ended: u64,
    refused: u64,
    harmless: u64,
    overwritten: u64,
}

impl Table {
    pub(super) fn note(&mut self, trial: &Trial, outcome: Outcome) {
        let kept = outcome.kept.as_ref().map(|kept| format!("\n  the folder: {}", kept.display())).unwrap_or_default();
        let row = self.rows.entry((trial.running, trial.harm, outcome.struck.class.clone())).or_default();
        row.count += 1;
        row.said += u64::from(!outcome.said.is_empty());
        row.at_once += u64::from(outcome.at_once);
        row.ended += u64::from(outcome.ended);
        row.refused += u64::from(outcome.refused);
        let whole = outcome.missing.is_empty();
        row.harmless += u64::from(whole && outcome.said.is_empty());
        let when = if trial.running { "while running" } else { "at rest" };
        if !whole && outcome.said.is_empty() {
            row.silent += 1;
            let lost = outcome.missing.join("; ");
            self.silent.push(format!("{when}, {}\n  {lost}\n  again: {trial}{kept}", outcome.struck.how));
        }
        if !outcome.overwritten.is_empty() {
            row.overwritten += 1;
            let lost = outcome.overwritten.join("; ");
            self.overwritten.push(format!("{when}, {}\n  PGN: {lost}\n  again: {trial}{kept}", outcome.struck.how));
        }
        // SQLite maps this file: the kernel ends whoever touches what was cut off under it, and the supervisor starts the
        // daemon again. All the rest is judged as ever.
        if outcome.ended && !outcome.struck.class.ends_with("-shm") {
            self.ended.push(format!("{when}, {}\n  again: {trial}", outcome.struck.how));
        }
    }

    pub(super) fn join(&mut self, other: Table) {
        for (what, more) in other.rows {
            let row = self.rows.entry(what).or_default();
            *row = row.plus(more);
        }
        self.silent.extend(other.silent);
        self.overwritten.extend(other.overwritten);
        self.ended.extend(other.ended);
    }

    pub(super) fn is_clean(&self) -> bool {
        self.silent.is_empty() && self.overwritten.is_empty() && self.ended.is_empty()
    }

    /// The first of what was not said, each with the command that brings it back.
    pub(super) fn worst(&self) -> String {
        let some = |all: &[String]| all.iter().take(10).cloned().collect::<Vec<_>>().join("\n");
        format!(
            "{} silent, {} PGN files that know less, {} daemons that ended\n{}\n{}\n{}",
            self.silent.len(),
            self.overwritten.len(),
            self.ended.len(),
            some(&self.silent),
            some(&self.overwritten),
            some(&self.ended)
        )
    }
}

impl Row {
    fn plus(self, more: Row) -> Row {
        Row {
            count: self.count + more.count,
            silent: self.silent + more.silent,
            said: self.said + more.said,
            at_once: self.at_once + more.at_once,
            ended: self.ended + more.ended,
            refused: self.refused + more.refused,
            harmless: self.harmless + more.harmless,
            overwritten: self.overwritten + more.overwritten,
        }
    }

    fn cells(self) -> [u64; 8] {
        [self.count, self.silent, self.said, self.at_once, self.ended, self.refused, self.harmless, self.overwritten]
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, what: &str, file: &str, row: Row| {
            write!(f, "{what:<26} {file:<30}")?;
            row.cells().iter().try_for_each(|cell| write!(f, "{cell:>9}"))?;
            writeln!(f)
        };
        write!(f, "{:<26} {:<30}", "damage", "file")?;
        for head in ["count", "silent", "said", "at once", "ended", "refused", "harmless", "pgn less"] {
            write!(f, "{head:>9}")?;
        }
        writeln!(f)?;
        let mut sums = BTreeMap::<_, Row>::new();
        for ((running, harm, file), row) in &self.rows {
            let what = format!("{}, {}", harm.name(), if *running { "running" } else { "at rest" });
            line(f, &what, file, *row)?;
            let sum = sums.entry(what).or_default();
            *sum = sum.plus(*row);
        }
        sums.iter().try_for_each(|(what, row)| line(f, what, "all", *row))
    }
}
