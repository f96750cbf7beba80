//! A past that is longer than anybody has played: what was played really, with as many readings of the clocks in
//! between as long games have, and rounds before it. Written by the journal's own writer.

use std::{collections::BTreeMap, path::Path};

use escaque::journal::{Batch, Chapter, Entries, Journal, Row, Said};
use hall::{Input, Scope};
use protocol::{
    board::{ClockReading, ClockSense, Face, Observation},
    feed::{TableEvent, TableId},
};

use super::start::ROUND;

/// How many inputs the running round has at most, of all: games that run are three hours long, and those that are
/// over are many.
const RUNNING: u64 = 250_000;

/// How many inputs share a commit while it is written: nobody waits for a receipt.
const TOGETHER: usize = 4_096;

/// Copies a journal whose last round is running into a folder of its own, with rounds before it. Gives how many inputs
/// there are.
pub(super) fn lengthen(from: &Path, to: &Path, inputs: u64) -> u64 {
    let past = Journal::read(from).expect("a sound journal");
    let chapter = |round: u16| &past.chapters[&Scope::Round { event: "open".to_owned(), round }];
    let (over, running) = (chapter(ROUND - 1), chapter(ROUND));
    let rounds = u64::from(ROUND - 1);
    let of_running = RUNNING.min(inputs / 2);
    let of_each = (inputs - of_running) / rounds;

    std::fs::create_dir_all(to).expect("the folder is ours");
    let (journal, _) = Journal::open(to, env!("CARGO_PKG_VERSION")).expect("the folder is empty");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    let mut count = 0;
    let mut write = |batch: Batch| {
        count += batch.inputs.len() as u64;
        runtime.block_on(journal.commit(vec![batch], Entries::default())).map(drop).expect("the disk works");
    };
    for round in 1..ROUND - 1 {
        hall(&past.chapters[&Scope::Hall], round).for_each(&mut write);
    }
    as_it_is(&Scope::Hall, &past.chapters[&Scope::Hall]).for_each(&mut write);
    for round in 1..ROUND {
        padded(over, ROUND - 1, round, of_each, &mut write);
    }
    padded(running, ROUND, ROUND, of_running, &mut write);
    drop(journal);
    count
}

/// The hall's inputs of the round that is over, for another round.
fn hall(chapter: &Chapter, round: u16) -> impl Iterator<Item = Batch> {
    let inputs = texts(chapter).into_iter().filter(|text| is_of(&text.body, ROUND - 1));
    let inputs = inputs.map(|text| text.moved(ROUND - 1, round).row()).collect();
    let entries = chapter.entries().into_iter().map(|(_, told)| written(&told)).filter(|body| is_of(body, ROUND - 1));
    let entries = entries.map(|body| read(&moved(&body, ROUND - 1, round))).collect();
    std::iter::once(Batch { scope: Scope::Hall, inputs, entries })
}

fn as_it_is(scope: &Scope, chapter: &Chapter) -> impl Iterator<Item = Batch> {
    let entries = chapter.entries().into_iter().map(|(_, told)| told).collect();
    let inputs = texts(chapter).iter().map(Text::row).collect();
    std::iter::once(Batch { scope: scope.clone(), inputs, entries })
}

/// An input as it is written for people.
#[derive(Clone)]
struct Text {
    t: u64,
    table: Option<TableId>,
    body: String,
}

impl Text {
    fn row(&self) -> Row {
        Row { t: self.t, said: said(&self.body) }
    }

    fn moved(&self, from: u16, to: u16) -> Text {
        Text { body: moved(&self.body, from, to), ..self.clone() }
    }
}

fn texts(chapter: &Chapter) -> Vec<Text> {
    let mut inputs = chapter.inputs();
    let text = |row: Row| match row.said {
        Said::Input(input) => {
            let table = if let Input::Observed { table, .. } = &input { Some(table.clone()) } else { None };
            Text { t: row.t, table, body: written(&input) }
        }
        Said::Text(body) => Text { t: row.t, table: None, body },
    };
    std::iter::from_fn(|| inputs.next_row()).map(text).collect()
}

fn written(what: &impl serde::Serialize) -> String {
    serde_json::to_string(what).expect("plain data")
}

/// An input as the journal keeps it; with a name beside it it stays a text.
fn said(body: &str) -> Said {
    let input = serde_json::from_str::<Input>(body).ok();
    let whole = input.filter(|input| written(input) == body);
    whole.map_or_else(|| Said::Text(body.to_owned()), Said::Input)
}

fn read<T: serde::de::DeserializeOwned>(body: &str) -> T {
    serde_json::from_str(body).expect("it was written so")
}

/// A round's inputs with its entries behind those they follow from, and in the middle of the games the clocks run.
fn padded(chapter: &Chapter, from: u16, round: u16, inputs: u64, write: &mut impl FnMut(Batch)) {
    let scope = Scope::Round { event: "open".to_owned(), round };
    let texts = texts(chapter);
    let middle = texts.len() / 2;
    let padding = inputs.saturating_sub(texts.len() as u64);
    let mut clocks = Clocks::of(&texts[..middle]);
    let (mut late, mut entries) = (0, chapter.entries().into_iter().peekable());
    let mut inputs = Vec::new();
    for (at, text) in (1..).zip(&texts) {
        if at == middle as u64 + 1 {
            write(Batch { scope: scope.clone(), inputs: std::mem::take(&mut inputs), entries: Vec::new() });
            late = clocks.run(round, text.t, padding, |inputs| {
                write(Batch { scope: scope.clone(), inputs, entries: Vec::new() });
            });
        }
        inputs.push(Row { t: text.t + late, ..text.moved(from, round).row() });
        let mut follow = Vec::new();
        while let Some((_, told)) = entries.next_if(|(after, _)| *after <= at) {
            let moved: TableEvent = read(&moved(&written(&told), from, round));
            follow.push(TableEvent { t: moved.t + late, ..moved });
        }
        // An entry follows from the last input of its batch.
        if !follow.is_empty() || inputs.len() == TOGETHER {
            write(Batch { scope: scope.clone(), inputs: std::mem::take(&mut inputs), entries: follow });
        }
    }
    write(Batch { scope, inputs, entries: Vec::new() });
}

/// The clocks of all tables as they were last read, each a second further with each reading.
struct Clocks(Vec<Input>);

impl Clocks {
    fn of(texts: &[Text]) -> Clocks {
        let mut last = BTreeMap::new();
        for text in texts {
            let input = serde_json::from_str::<Input>(&text.body).ok();
            if let Some(input) = input.filter(|input| reading(&mut input.clone()).is_some()) {
                last.insert(text.table.clone(), input);
            }
        }
        Clocks(last.into_values().collect())
    }

    /// Reads them in turn in another round, so many times in all; gives how long that took.
    fn run(&mut self, round: u16, from: u64, count: u64, mut take: impl FnMut(Vec<Row>)) -> u64 {
        let tables = self.0.len() as u64;
        self.0.iter_mut().for_each(|input| sit_down(input, round));
        let mut rows = Vec::with_capacity(TOGETHER);
        for reading in (0..count).take_while(|_| tables > 0) {
            let (second, at) = (reading / tables, usize::try_from(reading % tables).expect("a few tables"));
            tick(&mut self.0[at]);
            rows.push(Row { t: from + second * 1_000 + at as u64, said: Said::Input(self.0[at].clone()) });
            if rows.len() == TOGETHER {
                take(std::mem::take(&mut rows));
            }
        }
        take(rows);
        (count / tables.max(1) + 1) * 1_000
    }
}

fn reading(input: &mut Input) -> Option<&mut ClockReading> {
    let Input::Observed { observation: Observation::Clock(ClockSense::Reading(reading)), .. } = input else {
        return None;
    };
    Some(reading)
}

fn sit_down(input: &mut Input, at: u16) {
    if let Input::Observed { table, .. } = input {
        table.round = at;
    }
}

fn tick(input: &mut Input) {
    let Some(reading) = reading(input) else { return };
    let face = match reading.to_move.unwrap_or(reading.high) {
        Face::Left => &mut reading.left,
        Face::Right => &mut reading.right,
    };
    face.seconds = face.seconds.saturating_sub(1).max(60);
}

fn is_of(body: &str, round: u16) -> bool {
    body.contains(&format!("\"open/{round}/")) || body.contains(&format!("\"event\":\"open\",\"round\":{round}"))
}

/// The same in another round.
fn moved(body: &str, from: u16, to: u16) -> String {
    if from == to {
        return body.to_owned();
    }
    let body = body.replace(&format!("\"open/{from}/"), &format!("\"open/{to}/"));
    body.replace(&format!("\"event\":\"open\",\"round\":{from}"), &format!("\"event\":\"open\",\"round\":{to}"))
}
