//! What an organiser orders: events, rounds, pairings, results of tables without boards, and what was a mistake.

use std::collections::BTreeSet;

use protocol::feed::{
    Address, Bye, Command, Entry, Order, Pairing, Player, ResultReason, Score, Stage, State, TableId,
};

use crate::{
    Millis,
    event::{Given, Key, Plan, Standing, key_of},
    floor::{Hall, named, shown},
    input::Out,
    refusal::Refusal,
    table::{Table, conditions},
};

impl Hall {
    /// What a list of pairings would change, in sentences. Nothing is changed.
    pub fn preview(&self, command: &Command) -> Result<Vec<String>, Refusal> {
        let Command::Pairings { event, round, pairings, byes, .. } = command else {
            return Err(Refusal::because("only pairings can be looked at before they are taken in"));
        };
        let key = named(event, *round)?;
        let standing = |table| self.standing(&key, table);
        self.events.plan(&key, pairings, byes, standing).map(|plan| plan.said)
    }

    pub(crate) fn order(&mut self, order: &Order, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        match (&order.command, order.at.clone()) {
            (Command::Event { event, title, site, days, time_control, rules, notation }, _) => {
                let given = Given {
                    title: title.clone(),
                    site: site.clone(),
                    time_control: *time_control,
                    rules: rules.as_deref().cloned(),
                    date: None,
                    days: days.clone(),
                    notation: *notation,
                    chess960: None,
                };
                self.describe(event, given, now, out)
            }
            (Command::OpenRound { event, round, title, site, date, time_control, rules }, _) => {
                let text = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
                let given = Given {
                    title: text(title),
                    site: text(site),
                    date: text(date),
                    time_control: *time_control,
                    rules: Some((**rules).clone()).filter(|rules| !rules.are_usual()),
                    days: None,
                    notation: None,
                    chess960: None,
                };
                self.open(&named(event, *round)?, given, now, out)
            }
            (Command::CloseRound { event, round }, _) => self.close(&named(event, *round)?, now, out),
            (Command::Pairings { event, round, title, site, pairings, byes, .. }, _) => {
                let key = named(event, *round)?;
                let plan = self.events.plan(&key, pairings, byes, |table| self.standing(&key, table))?;
                self.events.name(event, Given { title: title.clone(), site: site.clone(), ..Given::default() });
                self.take_pairings(&key, &plan, byes, now, out);
                Ok(())
            }
            // What spectators are shown is the doors' business, and changes no game.
            (
                Command::Delay { .. } | Command::OnAir { .. } | Command::Withhold { .. } | Command::TellLive { .. },
                _,
            ) => Ok(()),
            (Command::Boards { event, boards }, _) => self.list_boards(event, boards, out),
            (Command::StartPosition { .. }, _) => self.begin_from(order, now, out),
            (Command::TakeOver { .. }, None) => self.take_over_all(order, out),
            (Command::Remove { event: Some(event), round }, None) => self.remove(event, *round, now, out),
            (_, None) => Err(Refusal::because("which table? add \"table\": \"EVENT/ROUND/TABLE\"")),
            (Command::Remove { .. }, Some(at)) => self.remove_table(&at.table, now, out),
            (Command::Pair { white, black }, Some(at)) if at.game.is_none() => {
                self.pair(at.table, white, black, now, out)
            }
            (Command::Assign { board }, Some(at)) => self.assign(board, at.table, now, out),
            (Command::Pair { white, black }, Some(at)) => self.rename(&at, white, black, now, out),
            (Command::Result { result }, Some(at)) if !self.has_game(&at.table) => {
                self.give(&at.table, *result, now, out)
            }
            (command, Some(at)) => {
                self.check_taking_over(order)?;
                self.must_be_there(&at.table, command)?;
                self.at(&at.table, out, |spot, said| spot.order_for(at.game, command, now, said))
            }
        }
    }

    /// A table comes with its board, or where people sit whose game is kept by hand.
    fn must_be_there(&self, table: &TableId, command: &Command) -> Result<(), Refusal> {
        if self.tables.contains_key(table) {
            return Ok(());
        }
        let is_open = self.events.stage(&key_of(table)) == Some(Stage::Open);
        match (is_open && self.events.is_paired(table), command) {
            (true, Command::NewGame { .. }) => Ok(()),
            (true, _) => Err(Refusal::because(format!(
                "{table} has no board: \"new_game\" begins a game there that is kept by hand, with \"insert\""
            ))),
            (false, _) => Err(Refusal::because(format!("there is no table {table}: no board was assigned to it"))),
        }
    }

    fn describe(&mut self, event: &str, given: Given, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        named(event, 1)?;
        given.rules.as_ref().map_or(Ok(()), |rules| conditions(rules).map(|_| ()))?;
        if !self.events.describe(event, given) {
            out.push(Out::Said(format!("nothing has changed: {event} has all of this already")));
            return Ok(());
        }
        let open = self.events.open_of(event).collect::<Vec<_>>();
        open.into_iter().for_each(|round| self.tell_round(&(event.to_owned(), round), now, out));
        out.push(Out::Said(format!("{event} is described; its rounds have it from there")));
        Ok(())
    }

    fn open(&mut self, key: &Key, given: Given, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        if let Some(rules) = &given.rules {
            conditions(rules)?;
            if self.has_begun(key) && self.events.rules(key) != *rules {
                return Err(Refusal::because(
                    "tables of this round have begun by other rules: give each of them its own with \"rules\"",
                ));
            }
        }
        let (event, round) = key;
        let view = self.events.view(key);
        let before = self.events.open(key, given);
        self.staying = self.seats.keys().cloned().collect();
        if before == Stage::Open && self.events.view(key) == view {
            out.push(Out::Said(format!("nothing has changed: round {round} of {event} is open already")));
            return Ok(());
        }
        self.tell_round(key, now, out);
        let tables = self.ids_of(key);
        if before == Stage::Closed {
            out.extend(tables.iter().map(|id| shown(id, now, true)));
        }
        if before != Stage::Open {
            self.tell_pairings(key, |_| true, now, out);
        }
        out.push(Out::Said(format!("round {round} of {event} is open: {}", counted(tables.len(), "table"))));
        Ok(())
    }

    fn close(&mut self, key: &Key, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        self.events.close(key)?;
        self.tell_round(key, now, out);
        let on = |id: &TableId| self.tables.get(id).is_some_and(Table::is_in_play);
        let (mut hidden, mut going_on, mut undecided) = (Vec::new(), Vec::new(), Vec::new());
        for id in self.ids_of(key) {
            hidden.push(shown(&id, now, false));
            going_on.extend(on(&id).then(|| id.to_string()));
            let offered = self.tables.get(&id).and_then(Table::offered);
            undecided.extend(offered.map(|result| format!("{id} ({result})")));
        }
        out.append(&mut hidden);
        let (event, round) = key;
        out.push(Out::Said(format!("round {round} of {event} has left the wall; its tables stay at their addresses")));
        if !going_on.is_empty() {
            out.push(Out::Said(format!("games go on unseen at {}", going_on.join(", "))));
        }
        if !undecided.is_empty() {
            let tables = undecided.join(", ");
            out.push(Out::Said(format!("a result waits for the arbiter, \"confirm\" or \"reject\": {tables}")));
        }
        Ok(())
    }

    fn take_pairings(&mut self, key: &Key, plan: &Plan, byes: &[Bye], now: Millis, out: &mut Vec<Out>) {
        let is_open = self.events.stage(key) == Some(Stage::Open);
        self.events.carry_out(key, plan, byes.to_vec());
        let changed = plan.set.iter().map(|pairing| pairing.table).collect::<BTreeSet<_>>();
        let id = |table: u16| TableId { event: key.0.clone(), round: key.1, table };
        for table in &plan.gone {
            self.clear(&id(*table));
            out.extend(is_open.then(|| shown(&id(*table), now, false)));
        }
        self.tell_round(key, now, out);
        if is_open {
            self.tell_pairings(key, |table| changed.contains(&table), now, out);
        } else {
            out.push(Out::Said(format!(
                "round {} of {} is prepared: nobody sees it before it is opened",
                key.1, key.0
            )));
        }
        out.extend(plan.said.iter().cloned().map(Out::Said));
        if plan.said.is_empty() {
            out.push(Out::Said("nothing has changed: the round is paired like this already".to_owned()));
        }
    }

    fn pair(
        &mut self,
        id: TableId,
        white: &Player,
        black: &Player,
        now: Millis,
        out: &mut Vec<Out>,
    ) -> Result<(), Refusal> {
        self.events.pair(&id, white, black)?;
        let key = key_of(&id);
        if self.events.stage(&key) == Some(Stage::Open) {
            out.extend(self.events.bring_back(&id).then(|| shown(&id, now, true)));
            self.tell_pairings(&key, |table| table == id.table, now, out);
        } else {
            out.push(Out::Said(format!("round {} of {} is not open: nobody sees it before it is", key.1, key.0)));
        }
        Ok(())
    }

    /// The players of one game, whoever plays the next ones.
    fn rename(
        &mut self,
        at: &Address,
        white: &Player,
        black: &Player,
        now: Millis,
        out: &mut Vec<Out>,
    ) -> Result<(), Refusal> {
        let games = self.tables.get(&at.table).map_or(0, Table::games);
        let Some(game) = at.game.filter(|game| *game <= games) else {
            return Err(Refusal::because(format!(
                "there is no game {at}: {} begun at this table",
                counted_games(games)
            )));
        };
        let time_control = self.events.time_control(&key_of(&at.table));
        let entry = Box::new(Entry::Paired { white: white.clone(), black: black.clone(), time_control });
        out.push(Out::Entry(at.table.clone(), now, Entry::Earlier { game, entry }));
        Ok(())
    }

    /// The result of a table at which no board follows a game.
    fn give(&mut self, id: &TableId, score: Score, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        if !self.events.give(id, score) {
            let sentence = format!("nobody plays at {id}: no game has begun there, and the round has no such pairing");
            return Err(Refusal::because(sentence));
        }
        let reason = if score.is_forfeit() { ResultReason::Forfeit } else { ResultReason::Arbiter };
        let result = Entry::Result { result: score.result(), reason, score: score.beyond_result() };
        let state = if score == Score::Open { State::Waiting } else { State::Ended };
        out.extend([result, Entry::State { state }].map(|entry| Out::Entry(id.clone(), now, entry)));
        Ok(())
    }

    fn remove(&mut self, event: &str, round: Option<u16>, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        let rounds = self.events.rounds_of(event);
        let rounds = rounds.into_iter().filter(|number| round.is_none_or(|one| one == *number)).collect::<Vec<_>>();
        if rounds.is_empty() {
            return Err(Refusal::because(format!("there is no such round of {event}: nothing to remove")));
        }
        let tables =
            rounds.iter().flat_map(|number| self.ids_of(&(event.to_owned(), *number))).collect::<BTreeSet<_>>();
        tables.iter().try_for_each(|id| self.check_unplayed(id))?;
        for id in &tables {
            self.clear(id);
            out.push(shown(id, now, false));
        }
        for number in self.events.remove(event, round) {
            let key = (event.to_owned(), number);
            let gone = protocol::feed::RoundView { stage: Stage::Closed, ..self.events.view(&key) };
            out.push(Out::Round(now, Entry::Round { round: Box::new(gone) }));
        }
        out.push(Out::Said(format!("{event} is removed: {}", counted(tables.len(), "table"))));
        Ok(())
    }

    fn remove_table(&mut self, id: &TableId, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        if !self.tables.contains_key(id) && !self.events.is_paired(id) {
            return Err(Refusal::because(format!("there is no table {id}: nothing to remove")));
        }
        self.check_unplayed(id)?;
        self.clear(id);
        self.events.take_away(id);
        out.push(shown(id, now, false));
        out.push(Out::Said(format!("table {id} is removed")));
        Ok(())
    }

    fn check_unplayed(&self, id: &TableId) -> Result<(), Refusal> {
        let Standing { plies, is_over } = self.standing(&key_of(id), id.table);
        if plies > 0 || is_over {
            return Err(Refusal::because(format!("{id} has a game with moves or a result: it stays")));
        }
        Ok(())
    }

    fn standing(&self, key: &Key, table: u16) -> Standing {
        let id = TableId { event: key.0.clone(), round: key.1, table };
        match self.tables.get(&id).filter(|table| table.games() > 0) {
            Some(table) => Standing { plies: table.plies(), is_over: table.is_over() },
            None => Standing::by_hand(self.events.score(&id)),
        }
    }

    fn has_game(&self, id: &TableId) -> bool {
        self.tables.get(id).is_some_and(|table| table.games() > 0)
    }

    fn has_begun(&self, key: &Key) -> bool {
        self.tables.keys().any(|id| key_of(id) == *key)
    }

    pub(crate) fn tell_round(&self, key: &Key, now: Millis, out: &mut Vec<Out>) {
        out.push(Out::Round(now, Entry::Round { round: Box::new(self.events.view(key)) }));
    }

    fn tell_pairings(&self, key: &Key, which: impl Fn(u16) -> bool, now: Millis, out: &mut Vec<Out>) {
        let time_control = self.events.time_control(key);
        for Pairing { table, white, black } in self.events.pairings(key).filter(|pairing| which(pairing.table)) {
            let id = TableId { event: key.0.clone(), round: key.1, table };
            out.push(Out::Entry(id, now, Entry::Paired { white, black, time_control }));
        }
    }
}

fn counted_games(games: u32) -> String {
    if games == 0 { "none has".to_owned() } else { format!("{games} have") }
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
