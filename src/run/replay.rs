//! Replay: captures and journals through the whole core, as fast as it goes.

use std::collections::VecDeque;

use hall::{Ask, Doubt, Hall, Input, Out};
use laws::dead::Budget;
use protocol::{
    board::{
        Link, Observation,
        dgt::{Decoder, FRAME_SILENCE_MS, Heard, Message},
    },
    feed::{Command, Order, TableEvent, TableId},
};

use super::{
    past::event,
    told::{Noted, read},
};
use crate::{
    journal::{Chapter, Inputs, Past, Row, Said},
    record::Games,
    sensors::capture::{Entry, Item},
};

/// After the last byte time runs on for this long: every rest that could make a move final is shorter.
const AFTERGLOW_MS: u64 = 10_000;

/// What is wanted of a journal: everything, unless something is said.
#[derive(Clone, Copy, Debug, Default)]
pub struct Choice {
    /// Only tables of this number.
    pub table: Option<u16>,
    /// Nothing that came in later, in milliseconds since 1970.
    pub until_wall_ms: Option<u64>,
}

/// What came out of a replay.
#[derive(Debug, Default)]
pub struct Replay {
    hall: Hall,
    /// Everything that was told, in order.
    pub events: Vec<TableEvent>,
    /// The games.
    pub games: Games,
    captures: u16,
    /// What a table asks that is to be searched here and now.
    doubts: VecDeque<(TableId, Doubt)>,
}

impl Replay {
    /// Plays what a board said. Each capture is a table of its own. Gives how many things about squares and clock were
    /// heard: none where no board ever spoke.
    pub fn capture(&mut self, entries: impl IntoIterator<Item = Entry>) -> usize {
        self.captures += 1;
        let table = TableId { event: "replay".to_owned(), round: 1, table: self.captures };
        let mut playing =
            Playing { replay: self, table, board: String::new(), decoder: Decoder::single(), heard_at: None, heard: 0 };
        for Entry { t, item } in entries {
            match item {
                Item::Rx(bytes) => playing.hear(&bytes, t),
                Item::Link(link) => playing.link(link, t),
                Item::Tx(_) => {}
            }
        }
        let (end, heard) = (playing.heard_at.unwrap_or(0) + AFTERGLOW_MS, playing.heard);
        self.elapse(end);
        heard
    }

    /// Folds a journal: everything it holds is told again. What was searched aside then is in it with its answers, so
    /// nothing is searched now, and what nobody answered then stays open.
    ///
    /// Of a choice only what was chosen is kept.
    pub fn journal(&mut self, past: &Past, choice: &Choice) {
        let until = choice.until_wall_ms.map(|moment| past.chapters.values().filter_map(|one| one.t_at(moment)).max());
        let from = self.events.len();
        let mut chapters = past.chapters.values().map(Ahead::open).collect::<Vec<_>>();
        // In the order they came in, the hall's among the rounds': of equals the hall's first, because rounds rest on it.
        while let Some(next) = chapters
            .iter_mut()
            .filter(|chapter| chapter.row.is_some())
            .min_by_key(|chapter| chapter.row.as_ref().map(|row| row.t))
        {
            let Some(Row { t, said }) = next.take() else { break };
            if until.is_some_and(|until| Some(t) > until) {
                break;
            }
            match said {
                Said::Input(input) => self.take(&input, t),
                Said::Text(text) => match read(&text) {
                    Ok(Noted::Input(input)) => self.take(&input, t),
                    Ok(Noted::Admission(_)) => {}
                    Err(error) => tracing::warn!(t, "an input of the journal can't be read: {error}"),
                },
            }
            self.doubts.clear();
        }
        let is_chosen = |id: &TableId| choice.table.is_none_or(|table| table == id.table);
        let told = self.events.split_off(from);
        self.events.extend(told.into_iter().filter(|event| event.table.as_ref().is_none_or(is_chosen)));
        let unread = chapters.iter().map(|chapter| chapter.inputs.unread()).sum::<usize>();
        if unread > 0 {
            tracing::warn!(unread, "inputs of the journal can't be read by this build");
        }
    }

    fn take(&mut self, input: &Input, now: u64) {
        if let Input::Ordered(order) = input {
            self.games.note(&order.command);
        }
        let mut out = Vec::new();
        if let Err(refusal) = self.hall.handle(input, now, &mut out) {
            tracing::warn!(t = now, "refused: {refusal}");
        }
        self.tell(out);
    }

    fn elapse(&mut self, now: u64) {
        let mut out = Vec::new();
        self.hall.elapse(now, &mut out);
        self.tell(out);
        self.search(now);
    }

    /// Searches what is asked at once: a count of positions, so that a capture gives the same everywhere. Time stands
    /// still meanwhile.
    fn search(&mut self, now: u64) {
        while let Some((table, doubt)) = self.doubts.pop_front() {
            let answer = doubt.search(Budget::BACKGROUND);
            self.take(&Input::Searched { table, answer }, now);
        }
    }

    fn tell(&mut self, out: Vec<Out>) {
        for ask in &out {
            let Out::Ask(Ask::Proof { table, doubts }) = ask else { continue };
            self.doubts.retain(|(from, _)| from != table);
            self.doubts.extend(doubts.iter().map(|doubt| (table.clone(), doubt.clone())));
        }
        for event in out.into_iter().filter_map(event) {
            self.games.apply(&event);
            self.events.push(event);
        }
    }
}

/// A chapter and the next of its inputs.
struct Ahead<'a> {
    inputs: Inputs<'a>,
    row: Option<Row>,
}

impl<'a> Ahead<'a> {
    fn open(chapter: &'a Chapter) -> Ahead<'a> {
        let mut inputs = chapter.inputs();
        let row = inputs.next_row();
        Ahead { inputs, row }
    }

    fn take(&mut self) -> Option<Row> {
        let next = self.inputs.next_row();
        std::mem::replace(&mut self.row, next)
    }
}

/// One capture on its way through the core.
struct Playing<'a> {
    replay: &'a mut Replay,
    table: TableId,
    board: String,
    decoder: Decoder,
    heard_at: Option<u64>,
    heard: usize,
}

impl Playing<'_> {
    fn hear(&mut self, bytes: &[u8], t: u64) {
        if self.heard_at.is_some_and(|at| t > at + FRAME_SILENCE_MS) {
            self.decoder.silence();
        }
        self.heard_at = Some(t);
        self.decoder.push(bytes);
        while let Some(heard) = self.decoder.next_heard() {
            let Heard::Message(message) = heard else { continue };
            if let Message::ShortSerial(serial) = &message
                && !self.is_seated()
            {
                self.board.clone_from(serial);
            }
            for observation in message.observe() {
                self.heard += 1;
                self.observe(observation, t);
            }
        }
    }

    /// A port that opens says nothing yet of who is behind it: the board sits down with the first thing it says.
    fn link(&mut self, link: Link, t: u64) {
        if self.is_seated() {
            self.tell(Observation::Link(link), t);
        }
    }

    fn is_seated(&self) -> bool {
        self.replay.hall.table_of(&self.board) == Some(&self.table)
    }

    fn observe(&mut self, observation: Observation, t: u64) {
        if !self.is_seated() {
            let command = Command::Assign { board: self.board.clone() };
            self.replay.take(&Input::Ordered(Order::to_table(self.table.clone(), command)), t);
            self.tell(Observation::Link(Link::Up), t);
        }
        self.tell(observation, t);
    }

    fn tell(&mut self, observation: Observation, t: u64) {
        let input = Input::Observed { table: self.table.clone(), board: self.board.clone(), observation };
        self.replay.take(&input, t);
        self.replay.search(t);
    }
}
