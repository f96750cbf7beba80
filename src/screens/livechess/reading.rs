//! Which moves one subscriber's board has made since the position that was named: read aside, in a hall of one table.

use std::mem;

use hall::{Hall, Input, Out};
use protocol::{
    board::{Contents, Link, Observation},
    feed::{Command, Entry, Line, Order, Sight, TableId, Variant},
};

use super::told::{Seen, Told};

/// A ply that has stood so long with nothing in the air is said.
const STANDS_MS: u64 = 500;

/// What is read for one subscriber. Its board lies straight.
#[derive(Debug)]
pub(super) struct Reading {
    hall: Hall,
    start: String,
    line: Line,
    settled: usize,
    /// What the line leads to.
    placement: String,
    /// What the board shows.
    shown: String,
    /// Since when both are as they are.
    since: u64,
    told: Told,
    /// The men were put up for another game than the one that was named: nothing is read until another is.
    is_over: bool,
}

impl Reading {
    /// Begins at a position, or says why it can't.
    pub(super) fn begin(fen: &str, contents: Option<Contents>, now: u64) -> Result<Reading, String> {
        let mut reading = Reading {
            hall: Hall::new(),
            start: fen.to_owned(),
            line: Line::new(),
            settled: 0,
            placement: fen.split(' ').next().unwrap_or_default().to_owned(),
            shown: contents.map(|contents| contents.placement()).unwrap_or_default(),
            since: now,
            told: Told::default(),
            is_over: false,
        };
        let orders = [
            Command::Assign { board: BOARD.to_owned() },
            Command::NewGame { fen: Some(fen.to_owned()), variant: Variant::default() },
        ];
        for command in orders {
            reading.take(&Input::Ordered(Order::to_table(table(), command)), now)?;
        }
        reading.observe(Observation::Link(Link::Up), now);
        if let Some(contents) = contents {
            reading.observe(Observation::Board(Box::new(contents)), now);
        }
        Ok(reading)
    }

    /// The board has said something, and shows `contents` now.
    pub(super) fn hear(&mut self, observation: Observation, contents: Option<Contents>, now: u64) {
        let shown = contents.map(|contents| contents.placement()).unwrap_or_default();
        if mem::replace(&mut self.shown, shown) != self.shown {
            self.since = now;
        }
        // Presses of a clock are another program's business: what stands is said, pressed or not.
        if !matches!(observation, Observation::Clock(_)) {
            self.observe(observation, now);
        }
    }

    /// Does what is due.
    pub(super) fn elapse(&mut self, now: u64) {
        let mut out = Vec::new();
        self.hall.elapse(now, &mut out);
        self.note(out, now);
    }

    /// When there is something to do.
    pub(super) fn deadline(&self) -> Option<u64> {
        let waits = !self.is_over && self.told.is_behind(&self.line) && self.matches_line();
        let stands = waits.then_some(self.since + STANDS_MS);
        [self.hall.deadline(), stands].into_iter().flatten().min()
    }

    /// Says one ply more. False where there is none to say.
    pub(super) fn go_on(&mut self, now: u64) -> bool {
        let stands = self.matches_line() && now >= self.since + STANDS_MS;
        !self.is_over && self.told.go_on(Seen { line: &self.line, settled: self.settled, stands })
    }

    pub(super) fn start(&self) -> &str {
        &self.start
    }

    pub(super) fn san(&self) -> &Line {
        self.told.line()
    }

    /// The board shows what the moves lead to that were said.
    pub(super) fn matches(&self) -> bool {
        !self.is_over && !self.told.is_behind(&self.line) && self.matches_line()
    }

    fn matches_line(&self) -> bool {
        self.shown == self.placement
    }

    fn observe(&mut self, observation: Observation, now: u64) {
        let input = Input::Observed { table: table(), board: BOARD.to_owned(), observation };
        let _only_orders_are_refused = self.take(&input, now);
    }

    fn take(&mut self, input: &Input, now: u64) -> Result<(), String> {
        let mut out = Vec::new();
        let taken = self.hall.handle(input, now, &mut out);
        self.note(out, now);
        taken.map_err(|refusal| refusal.to_string())
    }

    fn note(&mut self, out: Vec<Out>, now: u64) {
        for out in out {
            match out {
                Out::Sight(_, _, Sight::Seen { line, settled, placement, .. }) if !self.is_over => {
                    if line != self.line || placement != self.placement {
                        self.since = now;
                    }
                    (self.line, self.settled, self.placement) = (line, settled, placement);
                }
                Out::Entry(_, _, Entry::Started { fen, .. }) => {
                    self.is_over = fen.split(' ').next() != self.start.split(' ').next();
                }
                Out::Sight(..) | Out::Entry(..) | Out::Round(..) | Out::Said(_) | Out::Ask(_) => {}
            }
        }
    }
}

const BOARD: &str = "1";

fn table() -> TableId {
    TableId { event: "livechess".to_owned(), round: 1, table: 1 }
}
