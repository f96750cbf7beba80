//! Taking over: a game that was begun before its round was opened goes on in that round.
//!
//! Two rounds have two journals, so the game goes from one to the other as an input: all that is known of it, told once
//! more at its new table.

use protocol::feed::{Command, Order, Stage, TableId};

use crate::{
    event::{Key, key_of},
    floor::{Hall, named},
    input::Out,
    refusal::Refusal,
    table::Table,
};

impl Hall {
    /// The games an order takes over, each with the table it goes on at.
    pub fn games_to_take_over(&self, order: &Order) -> Vec<(TableId, TableId)> {
        let Command::TakeOver { event, round, number } = &order.command else { return Vec::new() };
        let key = (event.clone(), *round);
        match order.table() {
            Some(from) => vec![(from.clone(), self.place_in(&key, from, *number))],
            None => {
                let runs =
                    |(id, table): &(&TableId, &Table)| table.is_in_play() && !self.events.is_planned(&key_of(id));
                let running = self.tables().filter(runs).filter(|(id, _)| key_of(id) != key);
                running.map(|(from, _)| (from.clone(), self.place_in(&key, from, None))).collect()
            }
        }
    }

    /// The boards that have their place at a table.
    pub fn boards_at(&self, id: &TableId) -> Vec<String> {
        self.seats.iter().filter(|(_, seat)| *seat == id).map(|(board, _)| board.clone()).collect()
    }

    /// The games that run in rounds nobody has planned, for whoever opens one.
    pub fn running_strays(&self, event: &str, round: u16) -> Vec<TableId> {
        let order = Order::to_hall(Command::TakeOver { event: event.to_owned(), round, number: None });
        self.games_to_take_over(&order).into_iter().map(|(from, _)| from).collect()
    }

    fn place_in(&self, (event, round): &Key, from: &TableId, number: Option<u16>) -> TableId {
        let listed = || self.boards_at(from).iter().find_map(|board| self.events.place_of(event, board));
        TableId { event: event.clone(), round: *round, table: number.or_else(listed).unwrap_or(from.table) }
    }

    /// Looks whether anything can be taken over, and says what is. What is done with each game is ordered one by one.
    pub(crate) fn take_over_all(&self, order: &Order, out: &mut Vec<Out>) -> Result<(), Refusal> {
        let Command::TakeOver { event, round, number } = &order.command else { return Ok(()) };
        self.check_open(&named(event, *round)?)?;
        if number.is_some() {
            return Err(Refusal::because("which game? add \"table\": \"EVENT/ROUND/TABLE\", or leave \"number\" out"));
        }
        let games = self.games_to_take_over(order);
        if games.is_empty() {
            return Err(Refusal::because(
                "no game runs in a round nobody has planned: name one of another round with \"table\"",
            ));
        }
        for (from, to) in &games {
            self.check_free(from, to)?;
        }
        out.extend(games.iter().map(|(from, to)| Out::Said(format!("{from}: its game goes on at {to}"))));
        Ok(())
    }

    /// The same for one game.
    pub(crate) fn check_taking_over(&self, order: &Order) -> Result<(), Refusal> {
        let Command::TakeOver { event, round, .. } = &order.command else { return Ok(()) };
        self.check_open(&named(event, *round)?)?;
        self.games_to_take_over(order).iter().try_for_each(|(from, to)| self.check_free(from, to))
    }

    fn check_open(&self, key: &Key) -> Result<(), Refusal> {
        if self.events.stage(key) == Some(Stage::Open) {
            return Ok(());
        }
        Err(Refusal::because(format!("round {} of {} is not open: \"open_round\" opens it", key.1, key.0)))
    }

    fn check_free(&self, from: &TableId, to: &TableId) -> Result<(), Refusal> {
        if !self.table(from).is_some_and(Table::is_in_play) {
            return Err(Refusal::because(format!("no game is on at {from}: nothing to take over")));
        }
        // What is written of a table without a number is read by nobody again.
        if to.table == 0 {
            return Err(Refusal::because("there is no table 0: tables count from 1, give another \"number\" or none"));
        }
        if from == to {
            return Err(Refusal::because(format!("the game at {from} is played there already")));
        }
        let is_taken = |table: &Table| table.plies() > 0 || table.is_over();
        if self.table(to).is_some_and(is_taken) {
            return Err(Refusal::because(format!(
                "{to} has a game of its own: take the game at {from} over by itself, with \"table\" and another \"number\""
            )));
        }
        Ok(())
    }
}
