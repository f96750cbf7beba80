//! A table's timeline: its inputs are folded again, one by one, and what each of them said and changed is noted.

use hall::{Hall, Input, Out};
use protocol::{
    board::Observation,
    feed::{ClockView, Event, Moment, Shown, Sight, TableId, Timeline},
};
use serde::Deserialize;

use super::{
    past::{event, table_of},
    told::{Source, Told},
};
use crate::journal::Chapter;

/// Who gave an order, as far as anybody asks.
#[derive(Debug, Default, Deserialize)]
struct Signed {
    #[serde(default)]
    by: By,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct By {
    role: String,
    name: String,
}

/// What happened at `table`, with what the hall was told of its round.
pub(super) fn timeline(chapter: &Chapter, told: &Told, table: &TableId) -> Timeline {
    let mut folding = Folding { hall: Hall::new(), table, board: String::new(), moments: Vec::new() };
    told.each(chapter, |t, input, from| match from {
        Source::Hall => folding.hear(input, t),
        Source::Round(text) => folding.take(input, t, || text.map(signed_by).unwrap_or_default()),
    });
    Timeline { table: table.clone(), moments: folding.moments }
}

fn signed_by(order: &str) -> String {
    let By { role, name } = serde_json::from_str::<Signed>(order).unwrap_or_default().by;
    if name.is_empty() { role } else { format!("{role}, {name}") }
}

struct Folding<'a> {
    hall: Hall,
    table: &'a TableId,
    board: String,
    moments: Vec<Moment>,
}

impl Folding<'_> {
    /// The hall is told something that may change by what this table is played.
    fn hear(&mut self, order: &Input, t: u64) {
        if table_of(order).is_none_or(|table| table == self.table) {
            let mut out = Vec::new();
            let _ = self.hall.handle(order, t, &mut out);
            self.note(Moment { t, ..Moment::default() }, out);
        }
    }

    fn take(&mut self, input: &Input, t: u64, by: impl FnOnce() -> String) {
        if table_of(input).is_some_and(|table| table != self.table) {
            return;
        }
        let mut out = Vec::new();
        let _ = self.hall.handle(input, t, &mut out);
        let mut moment = Moment { t, ..Moment::default() };
        match input {
            Input::Observed { observation: Observation::Square { square, content }, .. } => {
                moment.square = Some((square.to_string(), content.letter()));
            }
            Input::Ordered(order) if order.table().is_some() => {
                (moment.order, moment.by) = (Some(Box::new(order.clone())), by());
            }
            Input::Observed { .. }
            | Input::Pressed { .. }
            | Input::Ordered(_)
            | Input::Elapsed { .. }
            | Input::Searched { .. }
            | Input::Spoken { .. }
            | Input::Left { .. }
            | Input::LeftOver { .. }
            | Input::TakenOver { .. }
            | Input::Resumed { .. }
            | Input::Settings { .. } => {}
        }
        let stands = self.hall.table(self.table).map(hall::table::Table::physical).unwrap_or_default();
        if stands != self.board {
            self.board.clone_from(&stands);
            moment.board = Some(stands);
        }
        self.note(moment, out);
    }

    /// What was due before the input came out at its own time.
    fn note(&mut self, mut moment: Moment, out: Vec<Out>) {
        for told in out.into_iter().filter_map(event).filter(|told| told.table.as_ref() == Some(self.table)) {
            if told.t < moment.t {
                let mut earlier = Moment { t: told.t, ..Moment::default() };
                add(&mut earlier, told.event);
                self.moments.push(earlier);
            } else {
                add(&mut moment, told.event);
            }
        }
        if !moment.is_empty() {
            self.moments.push(moment);
        }
    }
}

fn add(moment: &mut Moment, event: Event) {
    match event {
        Event::Sight(Sight::Seen { line, settled, placement, .. }) => {
            moment.shown = Some(Shown { placement, plies: line.len(), settled, san: line.last().map(str::to_owned) });
        }
        Event::Sight(Sight::Clock { white_ms, black_ms, running }) => {
            moment.clock = Some(ClockView { white_ms, black_ms, running, at: moment.t });
        }
        told @ (Event::Sight(_) | Event::Entry(_)) => moment.told.push(told),
    }
}
