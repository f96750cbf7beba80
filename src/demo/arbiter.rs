//! The arbiter of the demonstration, who names the players of each game and sees to its result.

use std::{collections::BTreeMap, time::Duration};

use protocol::feed::{Command, GameResult, HallView, Order, State, TableId, TableView};
use tokio::{
    sync::mpsc,
    time::{Instant, sleep},
};

use super::{boards::Heard, programme::names};
use crate::{
    rehearsal::News,
    screens::{Entrance, Giver, Outcome, Placed, Wish, doors::Door},
};

/// How often the arbiter walks round the hall.
const ROUND: Duration = Duration::from_millis(500);

/// Players who show the result with their kings have done so within this; then the arbiter asks them.
const SHOWN_WITHIN: Duration = Duration::from_secs(12);

/// The arbiter of the rehearsal. Walks round the hall, names the players when a game begins, confirms what the kings
/// show, asks for the result where they show nothing, and knows when enough games have been played. All of it by orders
/// that an operator could give.
#[derive(Debug)]
pub struct Arbiter {
    ordering: mpsc::Sender<Placed>,
    entrance: Entrance,
    heard: mpsc::UnboundedReceiver<Heard>,
    until: Option<u32>,
    desks: BTreeMap<u16, Desk>,
    settled: u32,
}

/// What the arbiter has to do at one table.
#[derive(Debug, Default)]
struct Desk {
    /// The game that is on at the board, from 1, and whose names are not down yet.
    to_name: Option<usize>,
    /// The game of the record whose names are down.
    named: u32,
    /// A game is over, and its result is not down yet.
    to_settle: Option<Claim>,
}

/// A result on its way to the record.
#[derive(Debug)]
struct Claim {
    /// Which game of the record.
    game: u32,
    result: GameResult,
    since: Instant,
    /// The arbiter was not wanted at this table before: if he is now, the kings have shown something.
    was_playing: bool,
    confirmed: bool,
}

impl Arbiter {
    /// An arbiter who ends the rehearsal after `until` games, or never.
    pub fn new(
        ordering: mpsc::Sender<Placed>,
        entrance: Entrance,
        heard: mpsc::UnboundedReceiver<Heard>,
        until: Option<u32>,
    ) -> Arbiter {
        Arbiter { ordering, entrance, heard, until, desks: BTreeMap::new(), settled: 0 }
    }

    /// Walks until enough games have been played and have their results.
    pub async fn walk(mut self) {
        loop {
            sleep(ROUND).await;
            let Some(view) = self.entrance.view(Door::OperatorFeed).await else { return };
            while let Ok(heard) = self.heard.try_recv() {
                self.note(&heard, &view);
            }
            for table in &view.tables {
                self.look_at(table).await;
            }
            if self.until.is_some_and(|until| self.settled >= until) {
                return;
            }
        }
    }

    fn note(&mut self, heard: &Heard, view: &HallView) {
        let desk = self.desks.entry(heard.table).or_default();
        match &heard.news {
            News::Begun { number } => desk.to_name = Some(*number),
            News::Over { result, .. } => {
                let Some(table) = view.tables.iter().find(|table| table.table.table == heard.table) else { return };
                desk.to_settle = Some(Claim {
                    game: table.game,
                    result: game_result(result),
                    since: Instant::now(),
                    was_playing: table.state == State::Playing,
                    confirmed: false,
                });
            }
        }
    }

    async fn look_at(&mut self, view: &TableView) {
        let Some(desk) = self.desks.get_mut(&view.table.table) else { return };
        let mut orders = Vec::new();
        if let Some(claim) = &mut desk.to_settle {
            orders.extend(claim.order(view));
            if claim.is_settled(view) {
                desk.to_settle = None;
                self.settled += 1;
            }
        }
        if let Some(number) = desk.to_name.filter(|_| view.game > desk.named && desk.to_settle.is_none()) {
            desk.to_name = None;
            desk.named = view.game;
            orders.push(names(view.table.table, number));
        }
        for command in orders {
            self.order(&view.table, command).await;
        }
    }

    async fn order(&self, table: &TableId, command: Command) {
        let order = Order::to_table(table.clone(), command);
        let (placed, told) = Placed::new(Wish::Order(order), Giver::house());
        if self.ordering.send(placed).await.is_ok()
            && let Ok(Outcome::Refused(why)) = told.await
        {
            tracing::info!(table = table.table, "the arbiter of the rehearsal was refused: {}", why.sentence);
        }
    }
}

impl Claim {
    /// What is to be ordered now, if anything.
    fn order(&mut self, view: &TableView) -> Option<Command> {
        if self.is_settled(view) {
            return None;
        }
        if view.state == State::AwaitingArbiter && self.was_playing && !self.confirmed {
            self.confirmed = true;
            return Some(Command::Confirm);
        }
        let asks = self.confirmed || self.since.elapsed() >= SHOWN_WITHIN;
        asks.then_some(Command::Result { result: self.result.into() })
    }

    /// The result is down, or there is none to come, or it is too late for it: the table has begun another game.
    fn is_settled(&self, view: &TableView) -> bool {
        self.result == GameResult::Open || view.result == self.result || view.game != self.game
    }
}

fn game_result(text: &str) -> GameResult {
    match text {
        "1-0" => GameResult::WhiteWins,
        "0-1" => GameResult::BlackWins,
        "1/2-1/2" => GameResult::Draw,
        _ => GameResult::Open,
    }
}
