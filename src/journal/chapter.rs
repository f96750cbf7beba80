//! All that is in one journal file.

use hall::{Input, Scope};
use protocol::feed::{Order, TableEvent, TableId};

use super::{
    Batch, Committed, Done, Entries, Row, Said,
    code::{Decoder, Encoder, Step, read_entries, write_entry},
    leaf::{Chain, Leaf, Position},
    leaves::{Leaves, Page, Pages, Tail},
};
use crate::bytes::Unreadable;

/// The head of a leaf with which writing begins anew: what was said before is not built upon, and the build is named.
const BEGUN: u8 = 1;
const GOES_ON: u8 = 0;
/// A note about the file itself, and no input.
const NOTE: u8 = 2;

/// Noted in the hall's file behind what is proven of it when it was not whole.
const ORDERS_LOST: &str = "orders may be lost: spectators are shown nothing until the delay is ordered anew";

/// One journal file, proven, in the memory it needs on disk.
#[derive(Clone, Debug)]
pub struct Chapter {
    scope: Scope,
    /// Which file it is: no two have the same.
    id: String,
    leaves: Leaves,
    encoder: Option<Encoder>,
}

impl Chapter {
    /// A chapter in which nothing is written yet.
    pub fn begin(scope: Scope, id: &str) -> Chapter {
        let begins = Position { chain: Chain::begin(&scope.to_string(), id), ..Position::default() };
        Chapter { scope, id: id.to_owned(), leaves: Leaves::begin(begins), encoder: None }
    }

    /// Adds what comes together, as one leaf.
    pub fn add(&mut self, batches: &[&Batch], build: &str, wall_ms: u64) {
        let (mut inputs, mut entries, mut t) = (Vec::new(), Vec::new(), self.last_t().unwrap_or(0));
        let encoder = self.encoder.get_or_insert_with(|| {
            inputs.push(BEGUN);
            inputs.extend([u8::try_from(build.len()).unwrap_or(u8::MAX)]);
            inputs.extend(build.bytes().take(u8::MAX.into()));
            Encoder::default()
        });
        if inputs.is_empty() {
            inputs.push(GOES_ON);
        }
        let mut counts = (0, 0);
        for batch in batches {
            for row in &batch.inputs {
                encoder.write(&mut inputs, &self.scope, row);
                t = t.max(row.t);
            }
            for told in &batch.entries {
                write_entry(&mut entries, &self.scope, told);
                t = t.max(told.t);
            }
            counts = (counts.0 + batch.inputs.len() as u64, counts.1 + batch.entries.len() as u64);
        }
        self.leaves.push(&Leaf::after(self.end(), counts, (t, wall_ms), (inputs, entries)));
    }

    /// Adds a sentence about the file itself, for whoever reads it later.
    pub(super) fn note(&mut self, sentence: &str, wall_ms: u64) {
        let t = self.last_t().unwrap_or(0);
        let bytes = [&[NOTE], sentence.as_bytes()].concat();
        self.leaves.push(&Leaf::after(self.end(), (0, 0), (t, wall_ms), (bytes, Vec::new())));
    }

    /// Notes that something of it is lost. In the hall's file that may be an order about what spectators may see.
    pub(super) fn note_loss(&mut self, sentence: &str, wall_ms: u64) {
        self.note(sentence, wall_ms);
        if self.scope == Scope::Hall {
            self.note(ORDERS_LOST, wall_ms);
        }
    }

    /// Behind how many inputs orders may have been lost last.
    pub fn orders_lost_behind(&self) -> Option<u64> {
        let is_it = |page: &Page<'_>| page.inputs.split_first() == Some((&NOTE, ORDERS_LOST.as_bytes()));
        self.leaves.pages().filter(is_it).last().map(|page| page.inputs_so_far)
    }

    /// Takes a leaf as it was found, if it is proven by those before it.
    pub(super) fn take(&mut self, leaf: &Leaf) -> bool {
        let proven = leaf.follows(&self.end());
        if proven {
            self.leaves.push(leaf);
        }
        proven
    }

    /// Which file it is.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// What it is about.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// How far it goes.
    pub fn end(&self) -> Position {
        self.leaves.end()
    }

    /// Where it begins.
    pub(super) fn begins(&self) -> Position {
        self.leaves.begins()
    }

    /// Whether it goes on from there, or ends there.
    pub(super) fn has_been_at(&self, position: &Position) -> bool {
        self.end() == *position || self.leaves().any(|leaf| leaf.end == *position)
    }

    pub(super) fn leaves(&self) -> impl Iterator<Item = Leaf> {
        self.leaves_behind(self.begins())
    }

    pub(super) fn leaves_behind(&self, position: Position) -> impl Iterator<Item = Leaf> {
        self.leaves.behind(position)
    }

    /// The latest time in it, in milliseconds of the round.
    pub fn last_t(&self) -> Option<u64> {
        self.leaves.last_times().map(|(t, _)| t)
    }

    /// When it was written last, in milliseconds since 1970, by this machine's clock.
    pub fn last_wall_ms(&self) -> Option<u64> {
        self.leaves.last_times().map(|(_, wall_ms)| wall_ms)
    }

    /// The latest time in it, and the time of day when that was written. A note about the file is written at a time of
    /// day and says nothing of the round.
    pub(super) fn last_moment(&self) -> Option<Tail> {
        self.leaves.last_moment()
    }

    /// The latest time of the round that was written by that moment, in milliseconds since 1970.
    pub fn t_at(&self, wall_ms: u64) -> Option<u64> {
        self.leaves.pages().take_while(|page| page.wall_ms <= wall_ms).last().map(|page| page.t)
    }

    /// When it was begun.
    pub fn begun_wall_ms(&self) -> Option<u64> {
        self.leaves.pages().next().map(|first| first.wall_ms)
    }

    /// All inputs, in order.
    pub fn inputs(&self) -> Inputs<'_> {
        let decoder = Decoder::new(self.scope.clone());
        Inputs { decoder, pages: self.leaves.pages(), left: &[], unread: 0 }
    }

    /// What was told of it: the orders that were done, and the entries. It is on disk, so it is committed. What this
    /// build can't read is left out and counted.
    pub fn record(&self) -> (Committed<Entries>, usize) {
        let (mut entries, mut unread) = (Entries::default(), 0);
        for page in self.leaves.pages() {
            let read = read_entries(page.entries, &self.scope, |told| entries.events.push(told));
            unread += read.unwrap_or(1);
        }
        (Committed::new(entries, self.end().inputs), unread)
    }

    /// The same with what the hall's record says of this round, in the order in which all of it came: players are named
    /// there, and the games they play are told here.
    pub fn record_with(&self, hall: &Committed<Entries>) -> (Committed<Entries>, usize) {
        let (told, unread) = self.record();
        let mut told = told.into_inner().events.into_iter().peekable();
        let mut events = Vec::new();
        let is_of_it = |event: &&TableEvent| event.table.as_ref().is_some_and(|table| self.scope.has(table));
        for event in hall.get().events.iter().filter(is_of_it) {
            events.extend(std::iter::from_fn(|| told.next_if(|earlier| earlier.t < event.t)));
            events.push(event.clone());
        }
        events.extend(told);
        (Committed::new(Entries { done: Vec::new(), events }, self.end().inputs), unread)
    }

    /// Of the hall's chapter: the orders that were done, and the entries of rounds that `are_told` here.
    pub fn record_of(&self, are_told: impl Fn(&Scope) -> bool) -> (Committed<Entries>, usize) {
        let (record, unread) = self.record_with_orders();
        let mut entries = record.into_inner();
        let round = |table: &TableId| Scope::Round { event: table.event.clone(), round: table.round };
        entries.events.retain(|event| event.table.as_ref().is_none_or(|table| are_told(&round(table))));
        (Committed::new(entries, self.end().inputs), unread)
    }

    /// The same with the orders that were done, which takes a look at all inputs.
    fn record_with_orders(&self) -> (Committed<Entries>, usize) {
        let (record, unread) = self.record();
        let mut entries = record.into_inner();
        let mut inputs = self.inputs();
        while let Some((_, said)) = inputs.next_input() {
            if let Some(order) = order(said) {
                entries.done.push(Done { order, events: Vec::new(), said: Vec::new() });
            }
        }
        (Committed::new(entries, self.end().inputs), unread)
    }

    /// The entries, each with the number of the last input it follows from.
    pub fn entries(&self) -> Vec<(u64, TableEvent)> {
        let mut entries = Vec::new();
        for page in self.leaves.pages() {
            let after = page.inputs_so_far;
            let _ = read_entries(page.entries, &self.scope, |told| entries.push((after, told)));
        }
        entries
    }

    /// What was noted about the file itself, with the time of day.
    pub fn notes(&self) -> impl Iterator<Item = (u64, String)> {
        let note = |page: Page<'_>| match page.inputs.split_first() {
            Some((&NOTE, text)) => Some((page.wall_ms, String::from_utf8_lossy(text).into_owned())),
            _ => None,
        };
        self.leaves.pages().filter_map(note)
    }
}

/// The order that is said, whoever gave it.
fn order(said: &Said) -> Option<Order> {
    let input = match said {
        Said::Input(input) => input.clone(),
        Said::Text(text) => serde_json::from_str(text).ok()?,
    };
    if let Input::Ordered(order) = input { Some(order) } else { None }
}

/// Whether a leaf is only a note about the file.
pub(super) fn is_note(leaf: &Leaf) -> bool {
    leaf.inputs.first() == Some(&NOTE)
}

/// Two chapters are the same when they say the same, whichever files they are in.
impl PartialEq for Chapter {
    fn eq(&self, other: &Chapter) -> bool {
        self.scope == other.scope && self.id == other.id && self.end() == other.end()
    }
}

/// The inputs of a chapter, one after the other. What is read lies in here until the next is: nothing is made anew for
/// a clock that counts.
#[derive(Clone, Debug)]
pub struct Inputs<'a> {
    decoder: Decoder,
    pages: Pages<'a>,
    left: &'a [u8],
    unread: usize,
}

impl Inputs<'_> {
    /// The next input and its time.
    pub fn next_input(&mut self) -> Option<(u64, &Said)> {
        if self.advance() { self.decoder.current() } else { None }
    }

    /// The next input as a row of its own.
    pub fn next_row(&mut self) -> Option<Row> {
        self.next_input().map(|(t, said)| Row { t, said: said.clone() })
    }

    /// How many were met that this build can't read.
    pub fn unread(&self) -> usize {
        self.unread
    }

    fn advance(&mut self) -> bool {
        loop {
            match self.decoder.step(&mut self.left) {
                Ok(Step::Input) => return true,
                Ok(Step::End) => {
                    let Some(page) = self.pages.next() else { return false };
                    self.open(page.inputs);
                }
                Err(Unreadable) => {
                    // Proven, so another build wrote it.
                    self.unread += 1;
                    self.left = &[];
                }
            }
        }
    }
}

impl<'a> Inputs<'a> {
    fn open(&mut self, bytes: &'a [u8]) {
        self.left = match bytes.split_first() {
            Some((&GOES_ON, left)) => left,
            Some((&BEGUN, left)) => {
                self.decoder.reset();
                let build = left.first().map_or(0, |length| usize::from(*length) + 1);
                left.get(build..).unwrap_or_default()
            }
            _ => &[],
        };
    }
}
