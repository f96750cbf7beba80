//! The whole hall: which rounds are open, which board stands on which table, and all tables.

use std::{
    collections::{BTreeMap, BTreeSet},
    panic::{AssertUnwindSafe, catch_unwind},
};

use protocol::feed::{Because, Entry, Stage, TableId};

use crate::{
    Millis,
    agenda::Agenda,
    event::{Events, Key, key_of},
    input::{Ask, Input, Out},
    refusal::Refusal,
    scope::{Scope, is_for_hall},
    table::{Said, Say, Table},
};

/// All tables of all rounds.
///
/// Drive it in rounds: `handle` one input with its time, drain `out`, come back at `deadline` with `elapse` or the
/// next input, whichever is first. Before a board's observation is handed in, `seat` says whether an order has to
/// come first, so that which board stands where is in the journal and never guessed twice.
#[derive(Clone, Debug, Default)]
pub struct Hall {
    pub(crate) events: Events,
    pub(crate) seats: BTreeMap<String, TableId>,
    /// Boards that nobody has given a table since a round was opened that they may move on to.
    pub(crate) staying: BTreeSet<String>,
    /// Each apart: what holds them has room for more than there are.
    pub(crate) tables: BTreeMap<TableId, Box<Table>>,
    /// When each of them has something to do.
    agenda: Agenda,
}

impl Hall {
    /// An empty hall.
    pub fn new() -> Hall {
        Hall::default()
    }

    /// Takes one input. What was due before it at its table comes out first, at its own time; only while nobody listened
    /// nothing was due, so neither a return nor the thresholds that are written down before it let time pass. At other
    /// tables no time passes: what a table has come to depends on its own inputs, whoever else's are read with them.
    pub fn handle(&mut self, input: &Input, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        match input {
            Input::Resumed { .. } | Input::Settings { .. } => {}
            Input::Observed { table, .. }
            | Input::Pressed { table, .. }
            | Input::Elapsed { table }
            | Input::Searched { table, .. }
            | Input::Spoken { table, .. }
            | Input::Left { table, .. }
            | Input::LeftOver { table, .. }
            | Input::TakenOver { table, .. } => self.elapse_at(table, now, out),
            Input::Ordered(order) => match order.table() {
                Some(table) => self.elapse_at(table, now, out),
                None => _ = self.elapse(now, out),
            },
        }
        match input {
            Input::Observed { table, board, observation } => {
                self.at(table, now, out, |spot, said| spot.observe(board, observation, now, said));
            }
            Input::Pressed { table, side } => self.at(table, now, out, |spot, said| spot.press(*side, now, said)),
            Input::Ordered(order) => return self.order(order, now, out),
            Input::Elapsed { .. } => {}
            Input::Searched { table, answer } => {
                if !self.tables.contains_key(table) {
                    return Err(Refusal::because(format!("there is no table {table}: nobody there asks anything")));
                }
                return self.at(table, now, out, |spot, said| spot.answer(answer, now, said));
            }
            Input::Spoken { table, side, spoken } => {
                self.at(table, now, out, |spot, said| spot.note_spoken(*side, spoken, now, said));
            }
            Input::Left { table, board } => self.at(table, now, out, |spot, said| spot.let_go(board, now, said)),
            Input::LeftOver { table, contents, .. } => {
                self.at(table, now, out, |spot, said| spot.leave_over(contents, now, said));
            }
            Input::TakenOver { table, game } => self.at(table, now, out, |spot, said| spot.take_over(game, now, said)),
            Input::Resumed { table, record, .. } => {
                self.at(table, now, out, |spot, said| spot.resume(record.as_ref(), now, said));
            }
            Input::Settings { event, round, settings } => {
                self.events.write_down(&(event.clone(), *round), (**settings).clone());
                // A board may have been given its table before: that stands in the journal of the hall.
                let here = |id: &TableId| id.event == *event && id.round == *round;
                for (id, table) in self.tables.iter_mut().filter(|(id, _)| here(id)) {
                    table.set((**settings).clone());
                    self.agenda.note(id, table.deadline());
                }
            }
        }
        Ok(())
    }

    /// Does everything that is due up to `now`. Gives the tables at which something followed from it.
    pub fn elapse(&mut self, now: Millis, out: &mut Vec<Out>) -> Vec<TableId> {
        let mut due = self.agenda.due(now);
        due.retain(|id| {
            let before = out.len();
            self.at(id, now, out, |table, said| table.elapse(now, said));
            out.len() > before
        });
        due
    }

    /// The same at one table.
    fn elapse_at(&mut self, table: &TableId, now: Millis, out: &mut Vec<Out>) {
        if self.agenda.is_due(table, now) {
            self.at(table, now, out, |table, said| table.elapse(now, said));
        }
    }

    /// When to come back at the latest.
    pub fn deadline(&self) -> Option<Millis> {
        self.agenda.next()
    }

    /// The table of a board.
    pub fn table_of(&self, board: &str) -> Option<&TableId> {
        self.seats.get(board)
    }

    /// The rounds boards sit in, each with whether somebody has seen to that since the open round was opened. The others
    /// stay there only while a game of theirs runs.
    pub fn rounds_with_boards(&self) -> BTreeMap<(String, u16), bool> {
        let mut rounds = BTreeMap::new();
        for (board, id) in &self.seats {
            *rounds.entry((id.event.clone(), id.round)).or_default() |= !self.staying.contains(board);
        }
        rounds
    }

    /// The rounds that are over and of which nobody needs the tables: no board is heard or has its place there, nobody is
    /// told moves aloud, no game is on, and nothing is due or asked aside.
    pub fn at_rest(&self) -> BTreeSet<(String, u16)> {
        let with_boards = self.rounds_with_boards();
        let is_over = |key: &Key| self.events.stage(key) == Some(Stage::Closed);
        let is_left = |key: &Key| !with_boards.get(key).is_some_and(|is_sure| *is_sure);
        let here = self.tables.keys().map(key_of).collect::<BTreeSet<_>>();
        let mut rounds = here.into_iter().filter(|key| is_over(key) && is_left(key)).collect::<BTreeSet<_>>();
        for (id, _) in self.tables().filter(|(_, table)| !table.is_at_rest()) {
            rounds.remove(&key_of(id));
        }
        rounds
    }

    /// Lets go of the tables of a round that is at rest. They are in the journal, and come back with `take_back`.
    pub fn put_away(&mut self, event: &str, round: u16) {
        for id in self.ids_of(&(event.to_owned(), round)) {
            self.tables.remove(&id);
            self.agenda.note(&id, None);
        }
    }

    /// Some tables of one round and nothing else: what was said there was read again aside from all others.
    pub fn only(mut self, event: &str, round: u16, are_kept: impl Fn(u16) -> bool) -> Hall {
        self.tables.retain(|id, _| id.event == event && id.round == round && are_kept(id.table));
        Hall { events: self.events.only(&(event.to_owned(), round)), tables: self.tables, ..Hall::default() }
    }

    /// Takes in what was read again aside.
    pub fn take_back(&mut self, part: Hall) {
        self.events.take_back(part.events);
        for (id, table) in part.tables {
            self.agenda.note(&id, table.deadline());
            self.tables.insert(id, table);
        }
    }

    /// Which journal an input belongs to.
    pub fn scope(&self, input: &Input) -> Scope {
        match input {
            Input::Observed { table, .. }
            | Input::Pressed { table, .. }
            | Input::Elapsed { table }
            | Input::Searched { table, .. }
            | Input::Spoken { table, .. }
            | Input::Left { table, .. }
            | Input::LeftOver { table, .. }
            | Input::TakenOver { table, .. }
            | Input::Resumed { table, .. } => Scope::of(table),
            Input::Settings { event, round, .. } => Scope::Round { event: event.clone(), round: *round },
            Input::Ordered(order) => match order.table() {
                Some(id) if !is_for_hall(&order.command) => Scope::of(id),
                Some(_) | None => Scope::Hall,
            },
        }
    }

    /// The thresholds that have to be written down before anything else happens in this round; none once they are.
    pub fn start(&self, event: &str, round: u16) -> Option<Input> {
        let known = self.events.has_settings(&(event.to_owned(), round));
        (!known).then(|| Input::Settings { event: event.to_owned(), round, settings: Box::default() })
    }

    /// All tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = (&TableId, &Table)> {
        self.tables.iter().map(|(id, table)| (id, &**table))
    }

    /// One table.
    pub fn table(&self, id: &TableId) -> Option<&Table> {
        self.tables.get(id).map(|table| &**table)
    }

    /// The round that is open for boards without a table.
    pub fn open_round(&self) -> Option<(&str, u16)> {
        self.events.latest().map(|(event, round)| (event.as_str(), *round))
    }

    /// All rounds that are open, of all events.
    pub fn open_rounds(&self) -> impl Iterator<Item = (&str, u16)> {
        self.events.open_rounds().map(|(event, round)| (event.as_str(), *round))
    }

    /// The rounds of an event that are open and over, but for this one.
    pub fn played_out(&self, event: &str, but: u16) -> Vec<u16> {
        let is_over = |round: &u16| *round != but && self.is_played_out(&(event.to_owned(), *round));
        self.events.open_of(event).filter(is_over).collect()
    }

    /// Open rounds nobody has planned, as those of a day are, that are over; but none of this event.
    pub fn strays(&self, but: &str) -> Vec<(String, u16)> {
        self.events.unplanned().filter(|key| key.0 != but && self.is_played_out(key)).cloned().collect()
    }

    /// No game of a round is on any more, nobody has anything left to decide about one, and no result is missing.
    fn is_played_out(&self, key: &Key) -> bool {
        self.missing_results(key).is_empty() && !self.ids_of(key).iter().any(|id| self.goes_on(id))
    }

    /// The pairings of a round of which nobody has said how they have ended, if its results are given here: one was, of a
    /// table that no board has told of. Else those of tables without boards are known to the pairing program alone.
    fn missing_results(&self, key: &Key) -> Vec<TableId> {
        let paired = self.ids_of(key).into_iter().filter(|id| self.events.is_paired(id));
        let (ended, missing) = paired.partition::<Vec<_>, _>(|id| self.table(id).is_some_and(Table::has_result));
        let by_hand = |id: &TableId| self.table(id).is_some_and(|table| !table.has_had_board());
        if ended.iter().any(by_hand) { missing } else { Vec::new() }
    }

    /// A game is on there, or somebody has something left to decide about one.
    fn goes_on(&self, id: &TableId) -> bool {
        self.table(id).is_some_and(|table| table.is_in_play() || table.is_undecided())
    }

    /// The tables of other rounds of this event that are open at which nobody plays, nothing waits for a decision, and no
    /// result has come: they keep their rounds on the wall.
    pub fn without_result_before(&self, event: &str, round: u16) -> Vec<TableId> {
        let open = self.events.open_of(event).filter(|open| *open != round);
        let missing = open.flat_map(|round| self.missing_results(&(event.to_owned(), round)));
        missing.filter(|id| !self.goes_on(id)).collect()
    }

    /// The tables of other rounds of this event that are open at which a game is on: they keep their rounds on the wall.
    pub fn in_play_before(&self, event: &str, round: u16) -> Vec<TableId> {
        let open = self.events.open_of(event).filter(|open| *open != round).collect::<BTreeSet<_>>();
        let is_on = |(id, table): &(&TableId, &Table)| {
            id.event == event && open.contains(&id.round) && table.is_in_play() && !table.is_undecided()
        };
        self.tables().filter(is_on).map(|(id, _)| id.clone()).collect()
    }

    /// The tables that keep rounds before this one on the wall, because something waits for a decision there.
    pub fn undecided_before(&self, event: &str, round: u16) -> Vec<TableId> {
        let is_before = |key: &Key| key.0 == event && key.1 != round || !self.events.is_planned(key);
        let open = self.events.open_rounds().filter(|key| is_before(key)).collect::<BTreeSet<_>>();
        let waits = |(id, table): &(&TableId, &Table)| open.contains(&key_of(id)) && table.is_undecided();
        self.tables().filter(waits).map(|(id, _)| id.clone()).collect()
    }

    /// Whether somebody has spoken of an event.
    pub fn knows(&self, event: &str) -> bool {
        self.events.is_known(event)
    }

    /// The events somebody has spoken of.
    pub fn known_events(&self) -> impl Iterator<Item = &str> {
        self.events.names()
    }

    /// The day of a round, where it is known.
    pub fn date_of(&self, event: &str, round: u16) -> Option<String> {
        Some(self.events.view(&(event.to_owned(), round)).date).filter(|date| !date.is_empty())
    }

    /// All tables of a round, with boards or without.
    pub(crate) fn ids_of(&self, key: &Key) -> BTreeSet<TableId> {
        let id = |table: u16| TableId { event: key.0.clone(), round: key.1, table };
        let with_boards = self.tables.range(id(0)..=id(u16::MAX)).map(|(id, _)| id.clone());
        with_boards.chain(self.events.pairings(key).map(|pairing| id(pairing.table))).collect()
    }

    /// Nobody sits at this table, and no game was begun there.
    pub(crate) fn clear(&mut self, id: &TableId) {
        self.take_down(id);
        self.seats.retain(|_, seat| seat != id);
    }

    /// No game was begun there. Which board had its place there is known still.
    pub(crate) fn take_down(&mut self, id: &TableId) {
        self.tables.remove(id);
        self.agenda.note(id, None);
    }

    /// Something happens at this table. One that panics takes nobody else's game with it, and its own goes on from its
    /// record: the same inputs give the same panic whenever they are read again.
    pub(crate) fn at<T: Interrupted>(
        &mut self,
        id: &TableId,
        now: Millis,
        out: &mut Vec<Out>,
        act: impl FnOnce(&mut Table, &mut Vec<Said>) -> T,
    ) -> T {
        let events = &self.events;
        let table = self.tables.entry(id.clone()).or_insert_with(|| {
            let (settings, rules) = events.terms(id);
            Box::new(Table::under(settings, &rules))
        });
        let mut said = Vec::new();
        // Nothing that is half changed is read again: what hands were at is thrown away.
        let outcome = catch_unwind(AssertUnwindSafe(|| act(table, &mut said))).unwrap_or_else(|_| {
            table.begin_anew(now, &mut said);
            T::interrupted(id)
        });
        self.agenda.note(id, table.deadline());
        pass_on(id, said, out);
        outcome
    }
}

/// What comes of an input at a table that has panicked over it.
pub(crate) trait Interrupted {
    fn interrupted(id: &TableId) -> Self;
}

impl Interrupted for () {
    fn interrupted(_: &TableId) {}
}

impl Interrupted for Result<(), Refusal> {
    fn interrupted(id: &TableId) -> Self {
        let sentence = format!("this went wrong at {id}, and its board is read anew; look at its record and try again");
        Err(Refusal::because(sentence))
    }
}

fn pass_on(id: &TableId, said: Vec<Said>, out: &mut Vec<Out>) {
    out.extend(said.into_iter().map(|(at, say)| match say {
        Say::Sight(sight) => Out::Sight(id.clone(), at, sight),
        Say::Entry(entry) => Out::Entry(id.clone(), at, entry),
        Say::AskDump(board) => Out::Ask(Ask::Dump { board }),
        Say::AskProof(doubts) => Out::Ask(Ask::Proof { table: id.clone(), doubts }),
    }));
}

/// A round by its name, which is checked by the same rule as every other name of a table.
pub(crate) fn named(event: &str, round: u16) -> Result<Key, Refusal> {
    let first = TableId { event: event.to_owned(), round, table: 1 };
    let checked = first.to_string().parse::<TableId>();
    checked.map(|id| key_of(&id)).map_err(|_| match round {
        0 => Refusal::because("rounds count from 1"),
        _ => Refusal::because(format!(
            "\"{event}\" is no name in addresses: write it in letters from a to z, digits and dashes, such as open-2026"
        ))
        .known_as(Because::NoName { text: event.to_owned() }),
    })
}

pub(crate) fn shown(id: &TableId, now: Millis, shown: bool) -> Out {
    Out::Entry(id.clone(), now, Entry::Shown { shown, removed: false })
}

/// It is no table of its round any more.
pub(crate) fn removed(id: &TableId, now: Millis) -> Out {
    Out::Entry(id.clone(), now, Entry::Shown { shown: false, removed: true })
}

#[cfg(test)]
mod tests {
    use protocol::board::{Content, Contents, Lie, Link, Observation, WireSquare};
    use shakmaty::{Board, Piece, Square};

    use super::*;

    #[test]
    fn a_round_that_no_address_can_name_is_refused_by_what_is_wrong_with_it() {
        assert!(named("open-2026", 3).is_ok());
        assert_eq!(named("open", 0).expect_err("none").to_string(), "rounds count from 1");
        let sentence = named("Open Kiel", 1).expect_err("a space").to_string();
        assert!(sentence.starts_with("\"Open Kiel\" is no name in addresses: "), "{sentence}");
    }

    /// One board, whose hands need no clock.
    struct Evening {
        hall: Hall,
        men: Board,
        now: Millis,
        told: Vec<Out>,
    }

    impl Evening {
        fn observe(&mut self, observation: Observation) {
            let input = Input::Observed { table: table(), board: "1".to_owned(), observation };
            self.hall.handle(&input, self.now, &mut self.told).expect("a board is heard");
        }

        fn dump(&mut self) {
            self.observe(Observation::Board(Box::new(Contents::of(&self.men, Lie::Straight))));
        }

        fn put(&mut self, square: Square, man: Option<Piece>) {
            self.now += 200;
            self.men.discard_piece_at(square);
            man.into_iter().for_each(|man| self.men.set_piece_at(square, man));
            let content = man.map_or(Content::Empty, Content::Man);
            self.observe(Observation::Square { square: WireSquare::under(square, Lie::Straight), content });
        }

        fn play(&mut self, from: Square, to: Square) {
            let man = self.men.piece_at(from);
            self.put(from, None);
            self.put(to, man);
            self.now += 5_000;
            self.hall.elapse(self.now, &mut self.told);
        }

        fn finals(&self) -> Vec<String> {
            let of = |out: &Out| {
                let Out::Entry(_, _, Entry::Final { san, .. }) = out else { return None };
                Some(san.clone())
            };
            self.told.iter().filter_map(of).collect()
        }
    }

    fn table() -> TableId {
        "open/1/1".parse().expect("a table")
    }

    #[test]
    fn a_table_that_panics_goes_on_from_its_record() {
        let mut evening = Evening { hall: Hall::new(), men: Board::new(), now: 0, told: Vec::new() };
        evening.observe(Observation::Link(Link::Up));
        evening.dump();
        evening.now = 10_000;
        evening.play(Square::E2, Square::E4);
        evening.play(Square::E7, Square::E5);
        let now = evening.now;
        let panics = |_: &mut Table, _: &mut Vec<Said>| panic!("this one does");
        evening.told.clear();
        evening.hall.at::<()>(&table(), now, &mut evening.told, panics);
        let asks = |out: &Out| matches!(out, Out::Ask(Ask::Dump { .. }));
        assert!(evening.told.iter().any(asks), "{:?}", evening.told);
        evening.dump();
        evening.play(Square::G1, Square::F3);
        evening.play(Square::B8, Square::C6);
        evening.play(Square::F1, Square::B5);
        assert_eq!(evening.finals(), ["Nf3", "Nc6", "Bb5"]);
        assert_eq!(evening.hall.table(&table()).map(Table::plies), Some(5));
    }

    #[test]
    fn an_order_that_panics_is_refused() {
        let mut hall = Hall::new();
        let panics = |_: &mut Table, _: &mut Vec<Said>| panic!("this one does");
        let refused: Result<(), Refusal> = hall.at(&table(), 0, &mut Vec::new(), panics);
        assert!(refused.is_err_and(|refusal| refusal.to_string().contains("open/1/1")));
    }
}
