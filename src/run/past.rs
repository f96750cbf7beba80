//! Start-up: the journal is folded again, and what was published is compared with what this build makes of it.

use std::collections::BTreeMap;

use hall::{Hall, Input, Out, Ply, StoredRecord};
use protocol::feed::{Entry, Event, GameResult, TableEvent, TableId};

use crate::{
    journal::{Chapter, Past, Said, Scope},
    record::Book,
    screens::{Admission, Register, Views},
};

/// Everything as it stood when the daemon stopped.
#[derive(Debug, Default)]
pub struct Folded {
    /// The hall.
    pub hall: Hall,
    /// What each audience was shown last.
    pub views: Views,
    /// Who was invited, and who came.
    pub register: Register,
    /// What was published.
    pub book: Book,
    /// What each table's record is where this build reads the past differently from what was published.
    pub differing: BTreeMap<TableId, StoredRecord>,
    /// The time of the last input.
    pub last_t: u64,
    /// When that was by the wall's clock, in milliseconds since 1970.
    pub last_wall_ms: Option<u64>,
    /// Rows that no build of this version can read; they are left alone.
    pub unread: usize,
}

impl Folded {
    /// The tables that do not know of the stop: where a board was heard, where something was due or being searched, or
    /// where this build reads the past differently. The tables of earlier rounds have heard their last word long ago.
    pub fn interrupted(&self) -> Vec<TableId> {
        let was_on =
            |table: &hall::table::Table| table.is_linked() || table.deadline().is_some() || table.is_in_doubt();
        let tables = self.hall.tables();
        let here = tables.filter(|(id, table)| was_on(table) || self.differing.contains_key(id));
        here.map(|(id, _)| id.clone()).collect()
    }
}

/// Folds all chapters: the hall's first, because rounds rest on it.
pub fn fold(past: &Past) -> Folded {
    let mut folded = Folded::default();
    let mut told = Views::default();
    for (scope, chapter) in &past.chapters {
        fold_inputs(&mut folded, chapter);
        folded.last_t = folded.last_t.max(chapter.last_t().unwrap_or(0));
        folded.last_wall_ms = folded.last_wall_ms.max(chapter.last_wall_ms());
        let published = read_entries(&mut folded, &mut told, chapter);
        if *scope != Scope::Hall {
            compare(&mut folded, &published);
        }
    }
    folded.views = std::mem::take(&mut folded.views).as_published(told);
    folded
}

/// What stands in a row of the journal that is kept as text.
pub(super) enum Noted {
    Input(Box<Input>),
    /// Something that changed at the doors: no game knows of it.
    Admission(Admission),
}

pub(super) fn read(body: &str) -> serde_json::Result<Noted> {
    serde_json::from_str(body)
        .map(|input| Noted::Input(Box::new(input)))
        .or_else(|error| serde_json::from_str(body).map(Noted::Admission).map_err(|_| error))
}

fn fold_inputs(folded: &mut Folded, chapter: &Chapter) {
    let mut inputs = chapter.inputs();
    let mut out = Vec::new();
    while let Some((t, said)) = inputs.next_input() {
        match said {
            Said::Input(input) => fold_input(folded, input, t, &mut out),
            Said::Text(text) => match read(text) {
                Ok(Noted::Input(input)) => fold_input(folded, &input, t, &mut out),
                Ok(Noted::Admission(admission)) => folded.register.apply(&admission),
                Err(_) => folded.unread += 1,
            },
        }
    }
    folded.unread += inputs.unread();
}

fn fold_input(folded: &mut Folded, input: &Input, t: u64, out: &mut Vec<Out>) {
    // An order that was carried out then and is refused now is a difference, which the comparison finds.
    let _ = folded.hall.handle(input, t, out);
    out.drain(..).filter_map(event).for_each(|event| folded.views.apply(&event));
}

fn read_entries(folded: &mut Folded, told: &mut Views, chapter: &Chapter) -> BTreeMap<TableId, StoredRecord> {
    let mut records = BTreeMap::new();
    // Rounds are opened in the hall's.
    let (record, unread) =
        if *chapter.scope() == Scope::Hall { chapter.record_with_orders() } else { chapter.record() };
    folded.book.apply(&record);
    folded.unread += unread;
    for event in &record.get().events {
        told.apply(event);
        write(&mut records, event);
    }
    records
}

/// The record of each table's current game, as it was published.
fn write(records: &mut BTreeMap<TableId, StoredRecord>, event: &TableEvent) {
    let (Some(table), Event::Entry(entry)) = (&event.table, &event.event) else { return };
    if let Entry::Started { game, fen, variant } = entry {
        let record = StoredRecord {
            game: *game,
            fen: fen.clone(),
            variant: *variant,
            moves: Vec::new(),
            irregular: BTreeMap::new(),
            result: GameResult::Open,
        };
        records.insert(table.clone(), record);
        return;
    }
    let Some(record) = records.get_mut(table) else { return };
    match entry {
        Entry::Final { ply, uci, fen, illegal, .. } => {
            record.shorten(Ply::new(*ply).back(1));
            record.moves.push(uci.clone());
            if *illegal {
                record.irregular.insert(Ply::new(*ply), fen.clone());
            }
        }
        Entry::Corrected { from_ply, new, .. } => record.correct(Ply::new(*from_ply), new),
        Entry::Result { result, .. } => record.result = *result,
        Entry::Started { .. }
        | Entry::Paired { .. }
        | Entry::Instants { .. }
        | Entry::State { .. }
        | Entry::Proposal(_)
        | Entry::Verdict { .. }
        | Entry::Noted { .. }
        | Entry::Alert(_) => {}
    }
}

fn compare(folded: &mut Folded, published: &BTreeMap<TableId, StoredRecord>) {
    for (table, record) in published {
        let read = folded.hall.tables().find(|(id, _)| *id == table).and_then(|(_, spot)| spot.record());
        if read.as_ref() != Some(record) {
            folded.differing.insert(table.clone(), record.clone());
        }
    }
}

/// What came out, as it is told.
pub(super) fn event(out: Out) -> Option<TableEvent> {
    let (table, t, event) = match out {
        Out::Sight(table, t, sight) => (table, t, Event::Sight(sight)),
        Out::Entry(table, t, entry) => (table, t, Event::Entry(entry)),
        Out::Ask(_) => return None,
    };
    Some(TableEvent { table: Some(table), t, event })
}
