//! Start-up: the journal is folded again, and what was published is compared with what this build makes of it.

use std::{collections::BTreeMap, thread};

use hall::{Hall, Input, Out, Ply, Scope, StoredRecord};
use protocol::feed::{Entry, Event, GameResult, TableEvent, TableId};

use super::{
    alarm::CLOSED,
    told::{Noted, Told, read},
};
use crate::{
    journal::{Chapter, Committed, Entries, Past, Said},
    record::Book,
    screens::{Air, Glimpses, Register, Views},
    voice::Room,
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
    /// What of it spectators were shown.
    pub air: Air,
    /// Who was told what aloud.
    pub voices: Room,
    /// What each table's record is where this build reads the past differently from what was published.
    pub differing: BTreeMap<TableId, StoredRecord>,
    /// The time of the last input.
    pub last_t: u64,
    /// Rows that no build of this version can read; they are left alone.
    pub unread: usize,
}

impl Folded {
    /// The tables that do not know of the stop: where a board was heard, where something was due or being searched, or
    /// where this build reads the past differently. The tables of earlier rounds have heard their last word long ago.
    pub fn interrupted(&self) -> Vec<TableId> {
        interrupted(&self.hall, &self.differing)
    }

    /// Takes in a round that was folded aside.
    fn take(&mut self, round: Round) {
        self.hall.take_back(round.hall);
        self.book.apply(&round.record);
        self.air.reread(&round.record);
        self.voices.reread(&round.record);
        for (table, at, clock) in round.glimpses.clocks() {
            self.book.see(table, &clock);
            self.voices.see(table, at, &clock);
        }
        self.differing.extend(round.differing);
        self.unread += round.unread;
    }
}

/// The tables that do not know of a stop.
pub(super) fn interrupted(hall: &Hall, differing: &BTreeMap<TableId, StoredRecord>) -> Vec<TableId> {
    let was_on = |table: &hall::table::Table| table.is_linked() || table.deadline().is_some() || table.is_in_doubt();
    let here = hall.tables().filter(|(id, table)| was_on(table) || differing.contains_key(id));
    here.map(|(id, _)| id.clone()).collect()
}

/// One round, folded.
#[derive(Debug)]
pub(super) struct Round {
    /// Its tables.
    pub(super) hall: Hall,
    /// What was published of them.
    pub(super) record: Committed<Entries>,
    /// What is only seen of them.
    pub(super) glimpses: Glimpses,
    /// Where this build reads the past differently.
    pub(super) differing: BTreeMap<TableId, StoredRecord>,
    pub(super) unread: usize,
}

/// Folds all chapters: the hall's first, because rounds rest on it.
pub fn fold(past: &Past) -> Folded {
    let nothing = Chapter::begin(Scope::Hall, "");
    let hall = past.chapters.get(&Scope::Hall).unwrap_or(&nothing);
    let mut folded = fold_hall(hall);
    let (mut told, mut glimpses) = (Views::default(), Glimpses::default());
    // What is told of a round that is read comes with it, in the order in which it came.
    let is_told_here = |scope: &Scope| !past.chapters.contains_key(scope) && !past.shelved.contains_key(scope);
    let (record, unread) = hall.record_of(is_told_here);
    folded.unread += unread;
    told.read(&record);
    folded.book.apply(&record);
    folded.air.reread(&record);
    folded.voices.reread(&record);
    let told_of_rounds = Told::read(hall, past.chapters.keys());
    for (scope, chapter) in &past.chapters {
        let Scope::Round { event, round } = scope else { continue };
        let round = fold_round(chapter, &told_of_rounds, event, *round);
        told.read(&round.record);
        glimpses.add(round.glimpses.clone());
        folded.take(round);
    }
    folded.views = told.with(&glimpses);
    folded.last_t = past.last_t();
    folded
}

/// Folds the hall's own chapter: which rounds were opened, which board stands where, and who was let in. No table says
/// anything here, for none has heard anything yet.
pub(super) fn fold_hall(chapter: &Chapter) -> Folded {
    let mut folded = Folded::default();
    let mut inputs = chapter.inputs();
    let (mut lost_behind, mut so_far) = (chapter.orders_lost_behind(), 0);
    while let Some((t, said)) = inputs.next_input() {
        if lost_behind.take_if(|inputs| *inputs <= so_far).is_some() {
            folded.air.close();
        }
        so_far += 1;
        match said {
            Said::Input(input) => _ = folded.hall.handle(input, t, &mut Vec::new()),
            Said::Text(text) => match read(text) {
                // An order that was carried out then and is refused now is a difference, which the comparison finds.
                Ok(Noted::Input(input)) => {
                    let _ = folded.hall.handle(&input, t, &mut Vec::new());
                    if let Input::Ordered(order) = *input {
                        folded.air.reread_order(&order, t);
                    }
                }
                Ok(Noted::Admission(admission)) => folded.register.apply(&admission),
                Err(_) => folded.unread += 1,
            },
        }
    }
    if lost_behind.is_some() {
        folded.air.close();
    }
    folded.unread += inputs.unread();
    folded
}

/// What is said of a hall's chapter behind which orders may be lost, until somebody has answered for it.
pub fn what_is_closed(hall: &Chapter) -> Option<&'static str> {
    fold_hall(hall).air.is_closed().then_some(CLOSED)
}

/// Folds one round. Tables know nothing of one another, so those who fold share them out.
pub(super) fn fold_round(chapter: &Chapter, told: &Told, event: &str, round: u16) -> Round {
    let (record, mut unread) = chapter.record_with(&told.record);
    let shares = u16::try_from(thread::available_parallelism().map_or(1, usize::from)).unwrap_or(1);
    let mut folded =
        Round { hall: Hall::new(), record, glimpses: Glimpses::default(), differing: BTreeMap::new(), unread: 0 };
    let parts = thread::scope(|scope| {
        let parts = (0..shares).map(|share| {
            let is_mine = move |table: u16| table % shares == share;
            let part = Part { hall: Hall::new(), glimpses: Glimpses::default(), unread: 0 };
            scope.spawn(move || {
                let Part { hall, glimpses, unread } = part.fold(chapter, told, is_mine);
                Part { hall: hall.only(event, round, is_mine), glimpses, unread }
            })
        });
        // All of them begin before the first is waited for.
        let parts = parts.collect::<Vec<_>>();
        parts.into_iter().map(|part| part.join().expect("a fold that panics ends the start")).collect::<Vec<_>>()
    });
    for part in parts {
        unread += part.unread;
        folded.glimpses.add(part.glimpses);
        folded.hall.take_back(part.hall);
    }
    folded.differing = differing(&folded.hall, &folded.record);
    folded.unread = unread;
    folded
}

/// Some tables of a round.
struct Part {
    hall: Hall,
    glimpses: Glimpses,
    unread: usize,
}

impl Part {
    fn fold(mut self, chapter: &Chapter, told: &Told, is_mine: impl Fn(u16) -> bool) -> Part {
        let mut out = Vec::new();
        let unread = told.each(chapter, |t, input, _| self.take(input, t, &is_mine, &mut out));
        // All of them meet what can't be read, and one of them counts it.
        self.unread += if is_mine(0) { unread } else { 0 };
        self
    }

    fn take(&mut self, input: &Input, t: u64, is_mine: impl Fn(u16) -> bool, out: &mut Vec<Out>) {
        if table_of(input).is_some_and(|table| !is_mine(table.table)) {
            return;
        }
        let _ = self.hall.handle(input, t, out);
        // What is told of the whole round is heard in every part, and says something of the tables of others.
        let is_mine = |told: &TableEvent| told.table.as_ref().is_none_or(|table| is_mine(table.table));
        out.drain(..).filter_map(event).filter(is_mine).for_each(|told| self.glimpses.take(&told));
    }
}

/// The table an input is about; none where it is about the whole round.
pub(super) fn table_of(input: &Input) -> Option<&TableId> {
    match input {
        Input::Observed { table, .. }
        | Input::Pressed { table, .. }
        | Input::Elapsed { table }
        | Input::Searched { table, .. }
        | Input::Spoken { table, .. }
        | Input::Left { table, .. }
        | Input::LeftOver { table, .. }
        | Input::TakenOver { table, .. }
        | Input::Resumed { table, .. } => Some(table),
        Input::Ordered(order) => order.table(),
        Input::Settings { .. } => None,
    }
}

/// Whether a game was on in this round when the last word of it was written.
pub(super) fn has_a_game_on(chapter: &Chapter) -> bool {
    let is_on = |record: &StoredRecord| record.result == GameResult::Open && !record.moves.is_empty();
    records(&chapter.record().0).values().any(is_on)
}

/// The record of each table's current game, as it was published.
fn records(published: &Committed<Entries>) -> BTreeMap<TableId, StoredRecord> {
    let mut records = BTreeMap::new();
    published.get().events.iter().for_each(|event| write(&mut records, event));
    records
}

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
            score: None,
        };
        records.insert(table.clone(), record);
        return;
    }
    if let Entry::Shown { removed: true, .. } = entry {
        records.remove(table);
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
        Entry::Result { result, score, .. } => (record.result, record.score) = (*result, *score),
        Entry::Started { .. }
        | Entry::Paired { .. }
        | Entry::Instants { .. }
        | Entry::State { .. }
        | Entry::Proposal(_)
        | Entry::Voice { .. }
        | Entry::Confirmed { .. }
        | Entry::Verdict { .. }
        | Entry::Noted { .. }
        | Entry::Earlier { .. }
        | Entry::Shown { .. }
        | Entry::Round { .. }
        | Entry::Alert(_) => {}
    }
}

fn differing(hall: &Hall, published: &Committed<Entries>) -> BTreeMap<TableId, StoredRecord> {
    let read = |table: &TableId| hall.table(table).and_then(hall::table::Table::record);
    records(published).into_iter().filter(|(table, record)| read(table).as_ref() != Some(record)).collect()
}

/// What came out, as it is told.
pub(super) fn event(out: Out) -> Option<TableEvent> {
    let (table, t, event) = match out {
        Out::Sight(table, t, sight) => (table, t, Event::Sight(sight)),
        Out::Entry(table, t, entry) => (table, t, Event::Entry(entry)),
        Out::Round(t, entry) => return Some(TableEvent { table: None, t, event: Event::Entry(entry) }),
        Out::Said(_) | Out::Ask(_) => return None,
    };
    Some(TableEvent { table: Some(table), t, event })
}
