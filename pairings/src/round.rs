//! One round is put together: tables counted where the file does not number them, and what can't be true refused.

use std::collections::BTreeMap;

use crate::{Fault, Faults, Form, Pair, Paper, Person, Sheet};

/// The pairs of one round as they were read.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    rounds: BTreeMap<Option<u16>, Vec<(Option<u16>, Pair)>>,
}

impl Gathering {
    /// A pair, and the table the file gives it.
    pub(crate) fn add(&mut self, round: Option<u16>, table: Option<u16>, pair: Pair) {
        self.rounds.entry(round).or_default().push((table, pair));
    }

    /// What the file says, unless something in it can't be read. Where nothing is wrong and nothing stands there either,
    /// something was `expected`.
    pub(crate) fn finish(self, form: Form, mut faults: Vec<Fault>, expected: Fault) -> Result<Paper, Faults> {
        let (mut sheets, mut remarks) = (Vec::new(), Vec::new());
        for (round, pairs) in self.rounds {
            let pairs = seated(pairs, &mut faults);
            check_players(&pairs, &mut faults, &mut remarks);
            sheets.push(Sheet { round, day: None, pairs });
        }
        if sheets.is_empty() && faults.is_empty() {
            faults.push(expected);
        }
        Faults::or(faults, Paper::of(form, sheets, remarks))
    }
}

/// The FIDE numbers that were read, each with its line.
#[derive(Debug, Default)]
pub(crate) struct FideNumbers(BTreeMap<u32, usize>);

impl FideNumbers {
    /// What is wrong if somebody before had this person's number: it belongs to one.
    pub(crate) fn note(&mut self, person: &Person, line: usize) -> Option<Fault> {
        let earlier = self.0.insert(person.fide_id.filter(|id| *id > 0)?, line)?;
        let expected = format!("each player once: the same FIDE number stands on line {earlier}");
        Some(Fault::new(line, &person.name, expected))
    }
}

/// Every pair at its table, in order. A pair without a number takes the next free table after the one before it.
fn seated(pairs: Vec<(Option<u16>, Pair)>, faults: &mut Vec<Fault>) -> Vec<Pair> {
    let mut tables = BTreeMap::<u16, Pair>::new();
    let numbered = pairs.iter().filter_map(|(table, _)| *table).collect::<std::collections::BTreeSet<_>>();
    let mut last = 0_u16;
    for (table, pair) in pairs {
        let free = || (last.saturating_add(1)..=u16::MAX).find(|table| !numbered.contains(table));
        let Some(number) = table.or_else(free) else {
            faults.push(Fault::new(pair.line, "", format!("no more than {} tables", u16::MAX)));
            continue;
        };
        if let Some(other) = tables.get(&number) {
            let expected = format!("each table once: line {} has table {number} already", other.line);
            faults.push(Fault::new(pair.line, &format!("table {number}"), expected));
            continue;
        }
        last = number;
        tables.insert(number, Pair { table: number, ..pair });
    }
    tables.into_values().collect()
}

/// Nobody plays twice in a round, nor against themselves. A FIDE number belongs to one; two people may have one name, if
/// anything else the file says tells them apart.
fn check_players(pairs: &[Pair], faults: &mut Vec<Fault>, remarks: &mut Vec<String>) {
    let mut numbers = FideNumbers::default();
    let mut names = BTreeMap::<(String, Option<u32>), Vec<(usize, &Person)>>::new();
    for pair in pairs {
        for person in pair.people() {
            if let Some(fault) = numbers.note(person, pair.line) {
                faults.push(fault);
                continue;
            }
            let namesakes = names.entry((person.name.to_lowercase(), person.fide_id)).or_default();
            if let Some((earlier, _)) = namesakes.iter().find(|(_, other)| is_same(other, person)) {
                let expected = format!(
                    "each player once: the same name stands on line {earlier}; if these are two people, write what tells \
                     them apart: a number, a rating, a FIDE number, \"jun.\""
                );
                faults.push(Fault::new(pair.line, &person.name, expected));
            } else if let Some((earlier, _)) = namesakes.last() {
                remarks.push(format!("lines {earlier} and {}: two players called {}", pair.line, person.name));
            }
            namesakes.push((pair.line, person));
        }
    }
}

/// Nothing tells them apart.
fn is_same(one: &Person, other: &Person) -> bool {
    let name = other.name.clone();
    Person { name, ..one.clone() } == *other
}
