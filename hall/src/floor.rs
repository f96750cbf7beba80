//! The whole hall: which rounds are open, which board stands on which table, and all tables.

use std::collections::{BTreeMap, BTreeSet};

use protocol::feed::{Command, Entry, Order, Period, Player, Rules, TableId, TimeControl};

use crate::{
    Millis, Settings,
    agenda::Agenda,
    input::{Ask, Input, Out, Scope},
    refusal::Refusal,
    table::{Said, Say, Table, conditions},
};

/// Each player may have one.
const BOARDS_AT_A_TABLE: usize = 2;

/// All tables of all rounds.
///
/// Drive it in rounds: `handle` one input with its time, drain `out`, come back at `deadline` with `elapse` or the
/// next input, whichever is first. Before a board's observation is handed in, `seat` says whether an order has to
/// come first, so that which board stands where is in the journal and never guessed twice.
#[derive(Clone, Debug, Default)]
pub struct Hall {
    rounds: BTreeMap<(String, u16), Round>,
    /// The round in which boards without a table sit down.
    open: Option<(String, u16)>,
    seats: BTreeMap<String, TableId>,
    /// Boards that nobody has given a table since the open round was opened.
    staying: BTreeSet<String>,
    tables: BTreeMap<TableId, Table>,
    /// When each of them has something to do.
    agenda: Agenda,
}

/// What is known of a round.
#[derive(Clone, Debug, Default)]
struct Round {
    /// As they were written down when the round started.
    settings: Option<Settings>,
    rules: Rules,
    time_control: Option<TimeControl>,
    pairings: BTreeMap<u16, (Player, Player)>,
}

impl Hall {
    /// An empty hall.
    pub fn new() -> Hall {
        Hall::default()
    }

    /// Takes one input. What was due before it comes out first, at its own time; only while nobody listened nothing
    /// was due, so neither a return nor the thresholds that are written down before it let time pass.
    pub fn handle(&mut self, input: &Input, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        if !matches!(input, Input::Resumed { .. } | Input::Settings { .. }) {
            self.elapse(now, out);
        }
        match input {
            Input::Observed { table, board, observation } => {
                self.at(table, out, |spot, said| spot.observe(board, observation, now, said));
            }
            Input::Pressed { table, side } => self.at(table, out, |spot, said| spot.press(*side, now, said)),
            Input::Ordered(order) => return self.order(order, now, out),
            Input::Elapsed { .. } => {}
            Input::Searched { table, answer } => {
                if !self.tables.contains_key(table) {
                    return Err(Refusal::because(format!("there is no table {table}: nobody there asks anything")));
                }
                return self.at(table, out, |spot, said| spot.answer(answer, now, said));
            }
            Input::Resumed { table, record, .. } => {
                self.at(table, out, |spot, said| spot.resume(record.as_ref(), now, said));
            }
            Input::Settings { event, round, settings } => {
                self.rounds.entry((event.clone(), *round)).or_default().settings = Some((**settings).clone());
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
            self.at(id, out, |table, said| table.elapse(now, said));
            out.len() > before
        });
        due
    }

    /// When to come back at the latest.
    pub fn deadline(&self) -> Option<Millis> {
        self.agenda.next()
    }

    /// The table of a board.
    pub fn table_of(&self, board: &str) -> Option<&TableId> {
        self.seats.get(board)
    }

    /// The order that gives a board a table in the open round: the number it had in the round before, or else the
    /// first one that no board has or had. A hall is wired once; nobody carries boards round between two rounds. A game
    /// that is on is played to its end where it was begun.
    pub fn seat(&self, board: &str) -> Option<Order> {
        let (event, round) = self.open.as_ref()?;
        let here = |id: &TableId| id.event == *event && id.round == *round;
        let last = self.seats.get(board);
        let busy = |id: &TableId| self.tables.get(id).is_some_and(Table::is_in_play);
        if last.is_some_and(|id| here(id) || !self.staying.contains(board) || busy(id)) {
            return None;
        }
        let taken = |number: u16| self.seats.values().any(|id| here(id) && id.table == number);
        let known = |number: u16| self.seats.values().any(|id| id.table == number);
        let table = last.map(|id| id.table).filter(|number| !taken(*number));
        let table = table.or_else(|| (1..=u16::MAX).find(|number| !known(*number)))?;
        let command = Command::Assign { board: board.to_owned() };
        Some(Order { table: Some(TableId { event: event.clone(), round: *round, table }), command })
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

    /// Some tables of one round as a hall of their own: what was said there can be read again aside from all others.
    pub fn apart(&self, event: &str, round: u16, are_read: impl Fn(u16) -> bool) -> Hall {
        let key = (event.to_owned(), round);
        let is_read = |id: &TableId| id.event == event && id.round == round && are_read(id.table);
        let tables = self.tables.iter().filter(|(id, _)| is_read(id)).map(|(id, table)| (id.clone(), table.clone()));
        let tables = tables.collect();
        let rounds = self.rounds.get(&key).map(|known| (key, known.clone())).into_iter().collect();
        Hall { rounds, tables, ..Hall::default() }
    }

    /// Takes in what was read again aside.
    pub fn take_back(&mut self, part: Hall) {
        for (key, round) in part.rounds {
            self.rounds.entry(key).or_default().settings = round.settings;
        }
        for (id, table) in part.tables {
            self.agenda.note(&id, table.deadline());
            self.tables.insert(id, table);
        }
    }

    /// Which journal an input belongs to.
    pub fn scope(&self, input: &Input) -> Scope {
        let of = |id: &TableId| Scope::Round { event: id.event.clone(), round: id.round };
        match input {
            Input::Observed { table, .. }
            | Input::Pressed { table, .. }
            | Input::Elapsed { table }
            | Input::Searched { table, .. }
            | Input::Resumed { table, .. } => of(table),
            Input::Settings { event, round, .. } => Scope::Round { event: event.clone(), round: *round },
            Input::Ordered(Order { table, command }) => match (command, table) {
                (
                    Command::OpenRound { .. }
                    | Command::Pair { .. }
                    | Command::Assign { .. }
                    | Command::Delay { .. }
                    | Command::OnAir { .. }
                    | Command::Withhold { .. },
                    _,
                )
                | (_, None) => Scope::Hall,
                (_, Some(id)) => of(id),
            },
        }
    }

    /// The thresholds that have to be written down before anything else happens in this round; none once they are.
    pub fn start(&self, event: &str, round: u16) -> Option<Input> {
        let known = self.rounds.get(&(event.to_owned(), round)).is_some_and(|round| round.settings.is_some());
        (!known).then(|| Input::Settings { event: event.to_owned(), round, settings: Box::default() })
    }

    /// All tables, in order.
    pub fn tables(&self) -> impl Iterator<Item = (&TableId, &Table)> {
        self.tables.iter()
    }

    /// One table.
    pub fn table(&self, id: &TableId) -> Option<&Table> {
        self.tables.get(id)
    }

    /// The round that is open for boards without a table.
    pub fn open_round(&self) -> Option<(&str, u16)> {
        self.open.as_ref().map(|(event, round)| (event.as_str(), *round))
    }

    fn order(&mut self, order: &Order, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        match (&order.command, order.table.clone()) {
            (Command::OpenRound { event, round, time_control, rules, .. }, _) => {
                // Checked by the same rule as every other name of a table.
                TableId { event: event.clone(), round: *round, table: 1 }
                    .to_string()
                    .parse::<TableId>()
                    .map_err(|bad| Refusal::because(bad.to_string()))?;
                let key = (event.clone(), *round);
                conditions(rules)?;
                self.rule_round(&key, rules)?;
                self.rounds.entry(key.clone()).or_default().time_control = *time_control;
                self.open = Some(key);
                self.staying = self.seats.keys().cloned().collect();
                Ok(())
            }
            // What spectators are shown is the doors' business, and changes no game.
            (Command::Delay { .. } | Command::OnAir { .. } | Command::Withhold { .. }, _) => Ok(()),
            (_, None) => Err(Refusal::because("which table? add \"table\": \"EVENT/ROUND/TABLE\"")),
            (Command::Pair { white, black }, Some(id)) => {
                let round = self.rounds.entry((id.event.clone(), id.round)).or_default();
                round.pairings.insert(id.table, (white.clone(), black.clone()));
                let entry =
                    Entry::Paired { white: white.clone(), black: black.clone(), time_control: round.time_control };
                out.push(Out::Entry(id, now, entry));
                Ok(())
            }
            (Command::Assign { board }, Some(id)) => self.assign(board, id, out),
            (command, Some(id)) => {
                if !self.tables.contains_key(&id) {
                    return Err(Refusal::because(format!("there is no table {id}: no board was assigned to it")));
                }
                self.at(&id, out, |spot, said| spot.order(command, now, said))
            }
        }
    }

    fn assign(&mut self, board: &str, id: TableId, out: &mut Vec<Out>) -> Result<(), Refusal> {
        let others = self.seats.iter().filter(|(other, seat)| **seat == id && *other != board);
        let others = others.map(|(other, _)| other.as_str()).collect::<Vec<_>>();
        if others.len() >= BOARDS_AT_A_TABLE {
            let sentence =
                format!("{id} has its two boards, {}: give one of them another table first", others.join(" and "));
            return Err(Refusal::because(sentence));
        }
        self.staying.remove(board);
        self.seats.insert(board.to_owned(), id.clone());
        self.at(&id, out, |_, _| {});
        Ok(())
    }

    /// The rules with which the tables of a round begin. A table keeps those it has begun with until it is told others,
    /// so that the past of a round reads the same whenever the round was opened again.
    fn rule_round(&mut self, key: &(String, u16), rules: &Rules) -> Result<(), Refusal> {
        let begun = self.tables.keys().any(|id| id.event == key.0 && id.round == key.1);
        let round = self.rounds.entry(key.clone()).or_default();
        if begun && round.rules != *rules {
            return Err(Refusal::because(
                "tables of this round have begun by other rules: give each of them its own with \"rules\"",
            ));
        }
        round.rules = rules.clone();
        Ok(())
    }

    fn at<T>(&mut self, id: &TableId, out: &mut Vec<Out>, act: impl FnOnce(&mut Table, &mut Vec<Said>) -> T) -> T {
        let round = || self.rounds.get(&(id.event.clone(), id.round)).cloned().unwrap_or_default();
        let table = self.tables.entry(id.clone()).or_insert_with(|| {
            let Round { settings, rules, time_control, .. } = round();
            Table::under(settings.unwrap_or_default(), &with_periods(rules, time_control))
        });
        let mut said = Vec::new();
        let outcome = act(table, &mut said);
        self.agenda.note(id, table.deadline());
        pass_on(id, said, out);
        outcome
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

/// A time control is a clock of one period, where nothing more is said about it.
fn with_periods(mut rules: Rules, time_control: Option<TimeControl>) -> Rules {
    if let Some(TimeControl { base_s, increment_s }) = time_control
        && rules.periods.is_empty()
    {
        rules.periods.push(Period { moves: None, base_s, increment_s });
    }
    rules
}
