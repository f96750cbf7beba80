//! What an organiser orders: events, rounds, pairings, results of tables without boards, and what was a mistake.

use std::collections::BTreeSet;

use protocol::feed::{
    Address, Because, Bye, Clocks, Command, Entry, GameResult, Order, Pairing, Score, Stage, TableId,
};

use crate::{
    Millis,
    event::{Given, Key, Plan, Standing, key_of},
    floor::{Hall, named, removed, shown},
    input::{Out, Preview},
    naming::{no_game, unseen},
    refusal::Refusal,
    table::{Table, conditions, letters},
};

impl Hall {
    /// What a list of pairings would change. Nothing is changed.
    pub fn preview(&self, command: &Command) -> Result<Preview, Refusal> {
        let Command::Pairings { event, round, pairings, byes, .. } = command else {
            return Err(Refusal::because("only pairings can be looked at before they are taken in"));
        };
        let key = named(event, *round)?;
        let standing = |table| self.standing(&key, table);
        self.events
            .plan(&key, pairings, byes, standing)
            .map(|plan| Preview { said: plan.said, disturbed: plan.disturbed })
    }

    /// The order with what hangs on the games at its tables and on its event written into it, and sentences that say so:
    /// the journal of the hall is read again without the games of any round, that of a round without its event.
    pub fn settled(&self, mut order: Order) -> Result<(Order, Vec<String>), Refusal> {
        if let (Command::Pair { .. }, Some(at)) = (&order.command, &mut order.at) {
            self.settle_name(at)?;
        }
        if let Some(at) = &order.at
            && let Some(table) = self.table(&at.table)
        {
            let letters = letters(self.events.notation(&key_of(&at.table)));
            order.command = table.spelt(at.game, order.command, letters)?;
        }
        if let Some(sentence) = self.settle_result(&mut order) {
            return Ok((order, vec![sentence]));
        }
        Ok(self.settle_list(order))
    }

    /// Where somebody plays although the pairing has its result, and the game has none, a result that is taken back is that
    /// of the pairing: the order names its game, so that a journal reads the same without that rule.
    fn settle_result(&self, order: &mut Order) -> Option<String> {
        let Command::Result { result: Score::Open } = &order.command else { return None };
        let at = order.at.as_mut().filter(|at| at.game.is_none())?;
        let table = self.table(&at.table)?;
        let (game, score) = table.given_before()?;
        at.game = Some(game);
        Some(format!(
            "{at} was given {score} before anybody had moved: that is taken back, and {id}/{last} is the game of the pairing",
            id = at.table,
            last = table.games()
        ))
    }

    fn settle_list(&self, mut order: Order) -> (Order, Vec<String>) {
        let Command::Pairings { event, round, pairings, byes, .. } = &mut order.command else {
            return (order, Vec::new());
        };
        let Ok(key) = named(event, *round) else { return (order, Vec::new()) };
        let plan = |pairings: &[Pairing]| self.events.plan(&key, pairings, byes, |table| self.standing(&key, table));
        // What is wrong with a list is said when it is taken in.
        let Ok(Plan { kept, mut said, .. }) = plan(pairings) else { return (order, Vec::new()) };
        pairings.retain(|pairing| kept.iter().all(|kept| kept.table != pairing.table));
        pairings.extend(kept);
        pairings.sort_by_key(|pairing| pairing.table);
        if let Ok(settled) = plan(pairings) {
            said.retain(|sentence| !settled.said.contains(sentence));
        }
        (order, said)
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
            (Command::Result { result }, Some(at)) if !self.has_game(&at.table) => self.give(&at, *result, now, out),
            (command, Some(at)) => {
                self.check_taking_over(order)?;
                self.order_at(&at, command, now, out)
            }
        }
    }

    /// A table carries out what is its own business; what somebody may not have meant by it is said.
    fn order_at(&mut self, at: &Address, command: &Command, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        self.must_be_there(at, command)?;
        out.extend(self.comes_unseen(&at.table).then(|| shown(&at.table, now, false)));
        let (before, adjourned) = (out.len(), self.table(&at.table).and_then(Table::adjourned));
        self.at(&at.table, now, out, |spot, said| spot.order_for(at.game, command, now, said))?;
        out.extend(self.to_be_known(at, command, adjourned).map(Out::Said));
        let is_silent = !out[before..].iter().any(|out| matches!(out, Out::Entry(..)));
        if let Command::ClockTells { tells } = command {
            out.push(Out::Said(trusted(*tells, at)));
        } else if is_silent {
            out.push(Out::Said(unrecorded(command, at)));
        }
        out.extend(fallen(command, at, &out[before..]).map(Out::Said));
        let is_given = out[before..].iter().any(|out| matches!(out, Out::Entry(_, _, Entry::Result { .. })));
        if let Command::Result { .. } = command
            && (is_given || is_silent)
            && at.game.is_none()
        {
            out.extend(self.which(&at.table).map(Out::Said));
        }
        Ok(())
    }

    /// What somebody may not have meant by an order that was carried out at a table, `adjourned` with which times before it.
    fn to_be_known(&self, at: &Address, command: &Command, adjourned: Option<Option<Clocks>>) -> Option<String> {
        let table = self.table(&at.table)?;
        let goes_on = matches!(command, Command::Resume | Command::Reject) && table.adjourned().is_none();
        if let Some(times) = adjourned.filter(|_| goes_on) {
            return Some(adjourned_no_more(at, times));
        }
        let is_over = matches!(command, Command::Rules { .. }) && table.is_over();
        is_over.then(|| format!("the game at {at} has ended: another one there is played by these rules"))
    }

    /// Which game a result went to that names none, where there is another: on men that were put up again somebody may
    /// only have shown something.
    fn which(&self, id: &TableId) -> Option<String> {
        let table = self.table(id)?;
        let (before, score) = table.before()?;
        let score = if score == Score::Open { "has no result".to_owned() } else { format!("stays {score}") };
        Some(format!(
            "{id}/{last} is meant, the last game there: {id}/{before} before it {score}, and takes one by its own address",
            last = table.games()
        ))
    }

    /// A table of a round nobody sees yet, or any more, comes into being unseen.
    pub(crate) fn comes_unseen(&self, id: &TableId) -> bool {
        let stage = self.events.stage(&key_of(id));
        stage.is_some_and(|stage| stage != Stage::Open) && !self.tables.contains_key(id)
    }

    /// A table comes with its board, or where people sit whose game is kept by hand, or by what it is to be played by.
    fn must_be_there(&self, at: &Address, command: &Command) -> Result<(), Refusal> {
        let table = &at.table;
        if self.tables.contains_key(table) {
            return Ok(());
        }
        let is_paired = self.events.is_paired(table);
        if let Command::Rules { rules } = command
            && is_paired
            && at.game.is_none()
        {
            return conditions(rules).map(|_| ());
        }
        let is_open = self.events.stage(&key_of(table)) == Some(Stage::Open);
        match (is_open && is_paired, command) {
            (true, Command::NewGame { .. }) => Ok(()),
            (true, _) => Err(Refusal::because(format!(
                "{table} has no board: \"new_game\" begins a game there that is kept by hand, with \"insert\""
            ))
            .known_as(Because::NoBoard { table: table.clone() })),
            (false, _) => Err(Refusal::because(format!("there is no table {table}: no board was assigned to it"))
                .known_as(Because::NoTable { table: table.clone() })),
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
        self.move_on_to(key, before);
        if before == Stage::Open && self.events.view(key) == view {
            out.push(Out::Said(format!("nothing has changed: round {round} of {event} is open already")));
            return Ok(());
        }
        self.tell_round(key, now, out);
        let tables = self.ids_of(key);
        if before != Stage::Open {
            let unseen = tables.iter().filter(|id| before == Stage::Closed || self.tables.contains_key(id));
            out.extend(unseen.map(|id| shown(id, now, true)));
        }
        self.spread_rules(key, now, out);
        // What changed while it was closed was told then.
        if before == Stage::Prepared {
            self.tell_pairings(key, |_| true, now, out);
        }
        out.push(Out::Said(format!("round {round} of {event} is open: {}", counted(tables.len(), "table"))));
        Ok(())
    }

    fn close(&mut self, key: &Key, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        self.events.close(key)?;
        // Nobody has played there: it was opened by mistake.
        if self.ids_of(key).iter().all(|id| self.check_unplayed(id).is_ok()) {
            self.move_back_from(key);
        }
        self.tell_round(key, now, out);
        let on = |id: &TableId| self.table(id).is_some_and(Table::is_in_play);
        let waits = |id: &TableId| self.table(id).is_some_and(Table::is_undecided);
        let (mut hidden, mut going_on, mut offered, mut undecided) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for id in self.ids_of(key) {
            hidden.push(shown(&id, now, false));
            going_on.extend(on(&id).then(|| id.to_string()));
            match self.table(&id).and_then(Table::offered) {
                Some(result) => offered.push(format!("{id} ({result})")),
                None => undecided.extend(waits(&id).then(|| id.to_string())),
            }
        }
        out.append(&mut hidden);
        let (event, round) = key;
        out.push(Out::Said(format!("round {round} of {event} has left the wall; its tables stay at their addresses")));
        if !going_on.is_empty() {
            out.push(Out::Said(format!("games go on unseen at {}", going_on.join(", "))));
        }
        if !offered.is_empty() {
            let tables = offered.join(", ");
            out.push(Out::Said(format!("a result waits for the arbiter, \"confirm\" or \"reject\": {tables}")));
        }
        if !undecided.is_empty() {
            let tables = undecided.join(", ");
            out.push(Out::Said(format!("the arbiter has something to decide at {tables}: the console says what")));
        }
        Ok(())
    }

    fn take_pairings(&mut self, key: &Key, plan: &Plan, byes: &[Bye], now: Millis, out: &mut Vec<Out>) {
        let stage = self.events.stage(key).unwrap_or_default();
        self.events.carry_out(key, plan, byes.to_vec());
        let changed = plan.set.iter().map(|pairing| pairing.table).collect::<BTreeSet<_>>();
        let id = |table: u16| TableId { event: key.0.clone(), round: key.1, table };
        for table in &plan.gone {
            self.clear(&id(*table));
            out.extend((stage != Stage::Prepared).then(|| removed(&id(*table), now)));
        }
        self.tell_round(key, now, out);
        self.tell_changed(key, stage, &changed, now, out);
        if stage == Stage::Prepared {
            out.push(Out::Said(unseen(key)));
        }
        out.extend(plan.said.iter().cloned().map(Out::Said));
        if plan.said.is_empty() {
            out.push(Out::Said("nothing has changed: the round is paired like this already".to_owned()));
        }
    }

    /// The result of a pairing before its game has begun: one that was not played, or a table without a board.
    fn give(&mut self, at: &Address, score: Score, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        let id = &at.table;
        if !self.events.is_paired(id) {
            let sentence = format!("nobody plays at {id}: no game has begun there, and the round has no such pairing");
            return Err(Refusal::because(sentence).known_as(Because::NobodyPlays { table: id.clone() }));
        }
        if at.game.is_some_and(|game| game > 1) {
            return Err(no_game(at, 0));
        }
        if score == Score::Open {
            out.push(Out::Said(format!("nothing has changed: {id} has no result")));
            return Ok(());
        }
        out.extend(self.comes_unseen(id).then(|| shown(id, now, false)));
        self.at(id, now, out, |table, said| table.give_before(score, now, said))
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
            self.take_down(id);
            out.push(removed(id, now));
        }
        for number in self.events.remove(event, round) {
            let key = (event.to_owned(), number);
            self.leave_behind(&key);
            let gone = protocol::feed::RoundView { stage: Stage::Closed, ..self.events.view(&key) };
            out.push(Out::Round(now, Entry::Round { round: Box::new(gone) }));
        }
        let what = round.map_or_else(|| event.to_owned(), |round| format!("round {round} of {event}"));
        out.push(Out::Said(format!("{what} is removed: {}", counted(tables.len(), "table"))));
        Ok(())
    }

    fn remove_table(&mut self, id: &TableId, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        if !self.tables.contains_key(id) && !self.events.is_paired(id) {
            return Err(Refusal::because(format!("there is no table {id}: nothing to remove")));
        }
        self.check_unplayed(id)?;
        let byes = self.events.byes_left(&key_of(id));
        self.clear(id);
        self.events.take_away(id);
        out.push(removed(id, now));
        self.tell_byes(&key_of(id), &byes, now, out);
        out.push(Out::Said(format!("table {id} is removed")));
        Ok(())
    }

    /// A table of an open round with pairings at which nobody is to play: it came with a board that has another place now,
    /// and nothing was played there.
    pub fn is_forsaken(&self, id: &TableId) -> bool {
        let key = key_of(id);
        let is_paired = self.events.stage(&key) == Some(Stage::Open) && self.events.pairings(&key).next().is_some();
        is_paired && !self.events.is_paired(id) && !self.has_seat(id) && self.check_unplayed(id).is_ok()
    }

    pub(crate) fn check_unplayed(&self, id: &TableId) -> Result<(), Refusal> {
        let Standing { plies, is_over } = self.standing(&key_of(id), id.table);
        if plies > 0 || is_over {
            let refusal = Refusal::because(format!("{id} has a game with moves or a result: it stays"));
            return Err(refusal.known_as(Because::TableStays { table: id.clone() }));
        }
        Ok(())
    }

    fn standing(&self, key: &Key, table: u16) -> Standing {
        let id = TableId { event: key.0.clone(), round: key.1, table };
        match self.table(&id).filter(|table| table.games() > 0) {
            Some(table) => Standing { plies: table.plies(), is_over: table.is_over() },
            None => Standing::default(),
        }
    }

    pub(crate) fn has_game(&self, id: &TableId) -> bool {
        self.table(id).is_some_and(|table| table.games() > 0)
    }

    /// A table that nothing but its own rules has brought into being has not begun.
    fn has_begun(&self, key: &Key) -> bool {
        let mut here = self.tables().filter(|(id, table)| key_of(id) == *key && !table.is_unplayed());
        here.any(|(id, table)| table.games() > 0 || self.has_seat(id))
    }

    /// Tables that have come into being by nothing but a result play by what their round was given since.
    fn spread_rules(&mut self, key: &Key, now: Millis, out: &mut Vec<Out>) {
        let unplayed = self.tables().filter(|(id, table)| key_of(id) == *key && table.is_unplayed());
        for id in unplayed.map(|(id, _)| id.clone()).collect::<Vec<_>>() {
            let (_, rules) = self.events.terms(&id);
            self.at(&id, now, out, |table, said| table.change_terms(&rules, now, said));
        }
    }

    pub(crate) fn tell_round(&self, key: &Key, now: Millis, out: &mut Vec<Out>) {
        out.push(Out::Round(now, Entry::Round { round: Box::new(self.events.view(key)) }));
    }

    pub(crate) fn tell_pairings(&self, key: &Key, which: impl Fn(u16) -> bool, now: Millis, out: &mut Vec<Out>) {
        let time_control = self.events.time_control(key);
        for Pairing { table, white, black } in self.events.pairings(key).filter(|pairing| which(pairing.table)) {
            let id = TableId { event: key.0.clone(), round: key.1, table };
            out.push(Out::Entry(id, now, Entry::Paired { white, black, time_control }));
        }
    }
}

/// What follows from whether a clock tells.
fn trusted(tells: bool, at: &Address) -> String {
    if tells {
        format!("{at}: presses decide again which moves are final")
    } else {
        format!("{at}: moves are final by a reply or by rest, until a press of the clock completes one")
    }
}

/// A result fell with the position it rested on, where somebody meant only the moves, and no other end took its place.
fn fallen(command: &Command, at: &Address, told: &[Out]) -> Option<String> {
    let result = |out: &Out| {
        let Out::Entry(_, _, entry) = out else { return None };
        let entry = if let Entry::Earlier { entry, .. } = entry { entry } else { entry };
        if let Entry::Result { result, .. } = entry { Some(*result) } else { None }
    };
    let is_meant = matches!(command, Command::Result { .. });
    let is_fallen = told.iter().rev().find_map(result) == Some(GameResult::Open);
    (!is_meant && is_fallen).then(|| {
        format!("the result of {at} rested on what stood there before, and falls with it: the game has no result now")
    })
}

/// An adjournment has ended and nobody has opened the envelope: what that means, and how it is as before.
fn adjourned_no_more(at: &Address, times: Option<Clocks>) -> String {
    let as_before = match times {
        Some(Clocks { white, black }) => {
            format!("\"adjourn\" with \"clocks_ms\": {{\"white\": {white}, \"black\": {black}}}")
        }
        None => "\"adjourn\"".to_owned(),
    };
    format!(
        "{at} is adjourned no more: it goes on from the record, and the sealed move counts no more; {as_before} puts it away \
         as it was, and then \"open_sealed\" opens the envelope"
    )
}

/// What came of an order with which nothing enters the record.
fn unrecorded(command: &Command, at: &Address) -> String {
    if let Command::TurnBoard = command {
        return format!("{at}: White sits on the other side of the board from here on");
    }
    if let Command::Result { result } = command {
        return format!("nothing has changed: the result of {at} is {result} already");
    }
    format!("nothing has changed: {at} stands like this already")
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}
