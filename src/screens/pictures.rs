//! Version 2 of one stream: what its page was told last, and the difference to how everything stands.
//!
//! Pure. The view is somebody else's: whichever is handed in, live or behind, this tells no more than how it changes.

use std::collections::BTreeMap;

use protocol::feed::{
    Body, Entry, HallView, Sight, TableEvent, TableId, TableView,
    v2::{Change, Page, Snapshot, Told},
};

/// What one page has been told.
#[derive(Debug)]
pub(super) struct Pictures {
    page: Page,
    told: HallView,
    /// Where something may be different, and what is told there beside the picture.
    due: BTreeMap<TableId, Vec<Told>>,
    /// A round may be different.
    rounds_due: bool,
}

impl Pictures {
    /// Before anything is told: the first thing is a snapshot of `view`.
    pub(super) fn of(page: Page, view: &HallView) -> Pictures {
        let mut pictures = Pictures { page, told: HallView::default(), due: BTreeMap::new(), rounds_due: false };
        pictures.restart(view);
        pictures
    }

    /// What is told next is a snapshot of `view`.
    pub(super) fn restart(&mut self, view: &HallView) {
        self.due.clear();
        self.rounds_due = false;
        let tables = self.page.of(view).cloned().collect();
        self.told = HallView { tables, rounds: view.rounds.clone(), away: Vec::new() };
    }

    /// Something has happened at a table. Whether this page sees it turns out later.
    pub(super) fn touch(&mut self, table: &TableId) {
        if self.page.shows(table) && !self.due.contains_key(table) {
            self.due.insert(table.clone(), Vec::new());
        }
    }

    /// Something has happened to a round.
    pub(super) fn touch_rounds(&mut self) {
        self.rounds_due = true;
    }

    /// Something has happened that no picture shows, and these people are told of.
    pub(super) fn tell(&mut self, table: &TableId, told: Told) {
        self.touch(table);
        if let Some(due) = self.due.get_mut(table) {
            due.push(told);
        }
    }

    /// What is different since the last call.
    pub(super) fn changes(&mut self, view: &HallView) -> Vec<Change> {
        let rounds = self.rounds(view);
        let due = std::mem::take(&mut self.due).into_iter();
        rounds.into_iter().chain(due.filter_map(|(table, told)| self.change(table, told, view))).collect()
    }

    /// What is different since the last call, in the words of version 1. It has none for a table that is gone, for how
    /// far behind one is, nor for a round that is another, and says more of a beginning and an end than a picture shows:
    /// then it is how all stands.
    pub(super) fn words_of_one(&mut self, view: &HallView) -> Option<Body> {
        let tables = std::mem::take(&mut self.due).into_keys();
        let mut words = self.rounds(view).is_none().then(Vec::new);
        for table in tables {
            let (before, now) = (find(&self.told, &table), find(view, &table).ok().map(|at| &view.tables[at]));
            let more = match (before, now) {
                (Ok(at), Some(now)) => words_between(&self.told.tables[at], now),
                (Err(_), None) => Some(Vec::new()),
                (Ok(_), None) | (Err(_), Some(_)) => None,
            };
            words = words.zip(more).map(|(words, more)| [words, more].concat());
            self.keep(before, now);
        }
        match words {
            Some(words) => (!words.is_empty()).then_some(Body::Changes(words)),
            None => Some(Body::Snapshot(match &self.page {
                Page::Wall => self.told.clone(),
                Page::Table(own) => self.told.only(own),
            })),
        }
    }

    /// How everything stands, as it was told.
    pub(super) fn snapshot(&self, run: &str) -> Snapshot {
        Snapshot::of(run, &self.page, &self.told)
    }

    fn rounds(&mut self, view: &HallView) -> Option<Change> {
        let is_due = std::mem::take(&mut self.rounds_due);
        if !is_due || self.told.rounds == view.rounds {
            return None;
        }
        self.told.rounds.clone_from(&view.rounds);
        Some(Change { rounds: Some(view.rounds.clone()), ..Change::default() })
    }

    fn change(&mut self, table: TableId, told: Vec<Told>, view: &HallView) -> Option<Change> {
        let before = find(&self.told, &table);
        let now = match &self.page {
            Page::Wall => find(view, &table).ok().map(|at| &view.tables[at]),
            Page::Table(own) => view.find(own),
        };
        let change = match (before, now) {
            (Ok(at), Some(now)) => Change::between(Some(&self.told.tables[at]), now, self.page.extent()),
            (Err(_), Some(now)) => Change::between(None, now, self.page.extent()),
            (Ok(_), None) => Some(Change { gone: true, ..Change::default() }),
            (Err(_), None) => None,
        };
        if change.is_none() && told.is_empty() {
            return None;
        }
        self.keep(before, now);
        let named = self.page == Page::Wall;
        Some(Change { table: named.then_some(table), told, ..change.unwrap_or_default() })
    }

    fn keep(&mut self, before: Result<usize, usize>, now: Option<&TableView>) {
        match (before, now) {
            (Ok(at), Some(now)) => self.told.tables[at].clone_from(now),
            (Err(at), Some(now)) => self.told.tables.insert(at, now.clone()),
            (Ok(at), None) => drop(self.told.tables.remove(at)),
            (Err(_), None) => {}
        }
    }
}

/// What makes `before` into `after`, if version 1 has words for it.
fn words_between(before: &TableView, after: &TableView) -> Option<Vec<TableEvent>> {
    let mut told = before.clone();
    let mut words = Vec::new();
    let clock = after.clock.filter(|_| before.clock != after.clock);
    let t = clock.map_or(0, |clock| clock.at);
    let mut say = |event: protocol::feed::Event| {
        let event = TableEvent { table: Some(after.table.clone()), t, event };
        let mut view = HallView { tables: vec![told.clone()], ..HallView::default() };
        view.apply(&event);
        told.clone_from(&view.tables[0]);
        words.push(event);
    };
    if let (Some(white), Some(black)) = (&after.white, &after.black)
        && (&before.white, &before.black, before.time_control) != (&after.white, &after.black, after.time_control)
    {
        let (white, black) = (white.clone(), black.clone());
        say(Entry::Paired { white, black, time_control: after.time_control }.into());
    }
    if before.state != after.state {
        say(Entry::State { state: after.state }.into());
    }
    if before.line != after.line || before.placement != after.placement {
        let TableView { line, settled, placement, turn, rest, last, check, .. } = after.clone();
        say(Sight::Seen { line, settled, placement, turn, rest, last, check, off_clock: 0, at_rest: false }.into());
    }
    if let Some(clock) = clock {
        say(Sight::Clock { white_ms: clock.white_ms, black_ms: clock.black_ms, running: clock.running }.into());
    }
    (told == *after).then_some(words)
}

/// Where a table is, or where it would be.
fn find(view: &HallView, table: &TableId) -> Result<usize, usize> {
    view.tables.binary_search_by(|it| it.table.cmp(table))
}

#[cfg(test)]
mod tests {
    use protocol::feed::{Side, Sight, TableEvent};

    use super::*;

    #[test]
    fn what_comes_and_goes_before_it_is_told_is_not_told() {
        let mut view = HallView::default();
        seen(&mut view, 1, &["e4"]);
        let mut wall = Pictures::of(Page::Wall, &view);
        seen(&mut view, 1, &["d4"]);
        wall.touch(&table(1));
        seen(&mut view, 1, &["e4"]);
        wall.touch(&table(1));
        assert_eq!(wall.changes(&view), []);
    }

    #[test]
    fn a_table_page_is_told_of_its_table_without_its_name_and_of_no_other() {
        let mut view = HallView::default();
        let mut page = Pictures::of(Page::Table(table(1)), &view);
        for number in [1, 2] {
            seen(&mut view, number, &["e4"]);
            page.touch(&table(number));
        }
        let changes = page.changes(&view);
        assert_eq!((changes.len(), &changes[0].table, &changes[0].san[..]), (1, &None, &["e4".to_owned()][..]));
        assert_eq!(page.snapshot("run").tables.len(), 1);
    }

    #[test]
    fn a_table_that_is_taken_from_the_view_is_gone() {
        let mut view = HallView::default();
        seen(&mut view, 1, &["e4"]);
        let mut wall = Pictures::of(Page::Wall, &view);
        view.tables.clear();
        wall.touch(&table(1));
        let change = Change { table: Some(table(1)), gone: true, ..Change::default() };
        assert_eq!(wall.changes(&view), [change]);
        assert_eq!(wall.snapshot("run").tables, []);
    }

    fn seen(view: &mut HallView, number: u16, line: &[&str]) {
        let line = line.iter().map(|san| (*san).to_owned()).collect();
        let placement = "8/8/8/8/8/8/8/8".to_owned();
        let sight = Sight::Seen {
            line,
            settled: 0,
            placement,
            turn: Side::White,
            rest: String::new(),
            last: None,
            check: false,
            off_clock: 0,
            at_rest: false,
        };
        view.apply(&TableEvent { table: Some(table(number)), t: 1, event: sight.into() });
    }

    fn table(number: u16) -> TableId {
        TableId { event: "open".into(), round: 3, table: number }
    }
}
