//! What somebody wishes: orders, and what follows from them.

use std::collections::BTreeSet;

use hall::{Input, Preview, Refusal, Scope};
use protocol::{
    board::{Link, Observation},
    feed::{Command, Order, TableId},
};

use super::{
    archive::{Found, Waiting},
    day::bygone,
    fitness::unfit,
    follows::{Follows, Handing},
    past::{Round, interrupted},
    reply::{Granted, Reply},
    running::Run,
    turn::Turn,
    unheard::{event_of, no_such_event},
};
use crate::{
    journal::today,
    screens::{Giver, Placed, Refused, Wish},
};

impl Run {
    /// An order about a round that is over waits until its tables are read again.
    pub(super) fn receive(&mut self, placed: Placed, turn: &mut Turn) -> Option<Reply> {
        let placed = self.archive.keep_back(placed)?;
        if let Placed { wish: Wish::Timeline(table), outcome, .. } = placed {
            self.archive.tell(table, outcome, &self.hall);
            return None;
        }
        Some(self.grant(placed, turn))
    }

    /// Something was read of a round that is over. Gives the answers to orders that waited for it.
    pub(super) fn take_from_archive(&mut self, found: Found, turn: &mut Turn) -> Vec<Reply> {
        let (scope, failure) = match found {
            Found::Record(scope, record) => {
                if self.archive.is_news(&scope) {
                    self.outlets.enter(&record);
                }
                return Vec::new();
            }
            Found::All => {
                self.outlets.note_whole();
                return Vec::new();
            }
            Found::Nothing(scope, error) => {
                let sentence = format!("a round that is over can't be read: {}", error.advice());
                tracing::error!("{sentence}");
                (scope, Some(sentence))
            }
            Found::Round(scope, round) => {
                if self.archive.is_news(&scope) {
                    self.outlets.enter(&round.record);
                }
                let is_known = self.archive.is_known(&scope);
                self.recall(*round, is_known, turn);
                (scope, None)
            }
        };
        let waiting = self.archive.done_with(&scope, failure.is_none());
        let mut replies = Vec::new();
        for one in waiting {
            match (one, &failure) {
                (Waiting::Order(placed), None) => replies.extend(self.receive(placed, turn)),
                (Waiting::Order(Placed { outcome, .. }), Some(sentence)) => {
                    replies.push(Reply { outcome, granted: Granted::Nothing(sentence.clone().into()) });
                }
                // What is lost with a round that can't be read shows in the board's next dump.
                (Waiting::Heard(..), Some(_)) => {}
                (Waiting::Heard(board, observation), None) => {
                    let now = self.time.stamp();
                    self.observe(board, observation, now, turn);
                }
            }
        }
        replies
    }

    /// The tables of a round that is over are in the hall again. Screens may know them.
    fn recall(&mut self, round: Round, is_known: bool, turn: &mut Turn) {
        let Round { hall, record, glimpses, differing, .. } = round;
        let tables = interrupted(&hall, &differing);
        self.hall.take_back(hall);
        self.outlets.listen_again(&record);
        if !is_known {
            self.outlets.recall(&record, glimpses);
        }
        self.go_on_air();
        self.take_up(tables, &differing, 0, turn);
    }

    /// Rounds that are over and that nobody needs leave memory. While nothing is recorded they stay: they are read from
    /// the disk when somebody asks.
    pub(super) fn clear_away(&mut self) {
        let at_rest = if self.is_recording() { self.hall.at_rest() } else { BTreeSet::new() };
        for (event, round) in self.archive.put_away(at_rest, self.now()) {
            tracing::debug!(event, round, "nobody has asked for a round that is over: it is in the journal");
            self.hall.put_away(&event, round);
            self.outlets.put_away(&event, round);
            self.journal.close(Scope::Round { event, round });
        }
    }

    pub(super) fn grant(&mut self, Placed { wish, by, outcome }: Placed, turn: &mut Turn) -> Reply {
        let now = self.time.stamp();
        let granted = match wish {
            Wish::Preview(order) => match self.look_ahead(&order) {
                Ok(preview) => Granted::Preview(preview),
                Err(refused) => Granted::Nothing(refused),
            },
            Wish::Boards { event, round } => match self.hall.boards_of(&event, round, &self.cables.serials()) {
                Ok(view) => Granted::Boards(Box::new(view)),
                Err(refusal) => Granted::Nothing(self.refused(Some(&event), refusal)),
            },
            Wish::Fleet => Granted::Fleet(Box::new(self.cables.view(now, |board| self.hall.table_of(board)))),
            Wish::Voices => Granted::Voices(self.outlets.standing()),
            Wish::Programme => Granted::Programme(Box::new(self.outlets.complete(self.hall.programme()))),
            Wish::Timeline(table) => Granted::Nothing(format!("what happened at {table} is read aside").into()),
            Wish::Vitals => Granted::Vitals(Box::new(self.vitals())),
            Wish::Order(order) => match self.carry_out(order, by, now, turn) {
                Ok(at) => Granted::Order(at),
                Err(refused) => Granted::Nothing(refused),
            },
            Wish::Admissions(admissions) => {
                turn.in_the_name_of(by, |turn| admissions.iter().for_each(|change| turn.admit(change, now)));
                Granted::Admissions
            }
        };
        Reply { outcome, granted }
    }

    /// What an order would change, or why it would be none.
    fn look_ahead(&self, order: &Order) -> Result<Preview, Refused> {
        unfit(order).map_or(Ok(()), Err)?;
        let mut preview = self.hall.preview(&order.command)?;
        preview.said.extend(self.outlets.contradictions(order));
        preview.said.extend(bygone(&order.command, &self.hall, &today()));
        Ok(preview)
    }

    /// Gives the how-many-eth order of the turn it was, or why it was none.
    pub(super) fn carry_out(&mut self, order: Order, by: Giver, now: u64, turn: &mut Turn) -> Result<usize, Refused> {
        if let Some(refused) = unfit(&order) {
            return Err(refused);
        }
        let (at, follows) = (turn.orders(), Follows::of(&order.command));
        let event = event_of(&order).map(str::to_owned);
        let settled = self.hall.settled(self.dated(order));
        let (order, stays) = settled.map_err(|refusal| self.refused(event.as_deref(), refusal))?;
        let (order, kept) = self.outlets.completed(order, &self.hall);
        let effect = self.outlets.effect(&order, &self.hall);
        let otherwise = self.outlets.contradictions(&order).into_iter();
        let otherwise = otherwise.chain(bygone(&order.command, &self.hall, &today()));
        let handing = self.games_handed_over(&order);
        let ended = order.table().filter(|id| self.hall.table(id).is_some_and(hall::table::Table::is_over)).cloned();
        let taken = turn.in_the_name_of(by.clone(), |turn| self.take_order(order, now, turn));
        taken.map_err(|refusal| self.refused(event.as_deref(), refusal))?;
        let back = ended.and_then(|table| self.bring_back(&table, now, turn));
        turn.add(at, stays.into_iter().chain(kept).chain(effect).chain(otherwise).chain(back).collect());
        turn.in_the_name_of(by, |turn| handing.into_iter().for_each(|handing| self.hand_over(handing, now, turn)));
        match follows {
            Follows::Nothing => {}
            Follows::Seats => self.seat_all(now, turn),
            Follows::Round(event, round) => {
                self.seat_all(now, turn);
                self.tidy_up(&event, round, now, turn);
                turn.add(at, self.before_a_round(&event, round));
            }
        }
        turn.gather(at);
        Ok(at)
    }

    /// Why something was refused, with the events there are where it is about none of them.
    fn refused(&self, event: Option<&str>, refusal: Refusal) -> Refused {
        let book = self.outlets.book();
        event.and_then(|event| no_such_event(event, &self.hall, &book)).unwrap_or_else(|| refusal.into())
    }

    /// What somebody should see to before a round that is open now.
    fn before_a_round(&self, event: &str, round: u16) -> Vec<String> {
        let boards = self.hall.boards_of(event, Some(round), &self.cables.serials());
        let mut said = boards.map(|view| view.troubles()).unwrap_or_default();
        let running = self.hall.running_strays(event, round);
        if !running.is_empty() {
            let tables = running.iter().map(TableId::to_string).collect::<Vec<_>>().join(", ");
            said.push(format!("games run on at {tables}: \"take_over\" makes them games of this round"));
        }
        let on = self.hall.in_play_before(event, round);
        if !on.is_empty() {
            let tables = counted(&on);
            said.push(format!(
                "games are still on at {tables}, so that stays on the wall: \"close_round\" takes the round off it"
            ));
        }
        said.extend(missing_results(&self.hall.without_result_before(event, round)));
        let undecided = self.hall.undecided_before(event, round);
        if !undecided.is_empty() {
            let tables = undecided.iter().map(TableId::to_string).collect::<Vec<_>>().join(", ");
            said.push(format!(
                "something waits for a decision at {tables}, so that stays on the wall: decide it on the console, or take \
                 the round off the wall with \"close_round\""
            ));
        }
        said
    }

    /// The games an order takes over, as they are before it.
    fn games_handed_over(&self, order: &Order) -> Vec<Handing> {
        let handing = |(from, to)| {
            let game = self.hall.table(&from)?.handed_over()?;
            Some(Handing { boards: self.hall.boards_at(&from), is_ordered: order.at.is_some(), from, to, game })
        };
        self.hall.games_to_take_over(order).into_iter().filter_map(handing).collect()
    }

    /// A game goes on at another table: it ends at the old one, its boards move, and all that is known of it is told
    /// there. The hall has said before that the table is free.
    fn hand_over(&mut self, handing: Handing, now: u64, turn: &mut Turn) {
        let Handing { from, to, boards, game, is_ordered } = handing;
        if !is_ordered {
            let (event, round, number) = (to.event.clone(), to.round, Some(to.table));
            let leave = Order::to_table(from, Command::TakeOver { event, round, number });
            if let Err(refusal) = self.take_order(leave, now, turn) {
                return tracing::warn!(%to, "a game was not taken over: {refusal}");
            }
        }
        for board in boards {
            let assign = Order::to_table(to.clone(), Command::Assign { board });
            if let Err(refusal) = self.take_order(assign, now, turn) {
                tracing::warn!(%to, "a board stays where it was: {refusal}");
            }
        }
        let input = Input::TakenOver { table: to, game: Box::new(game) };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
    }

    /// A game that was over goes on: its board comes back from the next round, if nobody has moved there, or it is said where
    /// it is.
    fn bring_back(&mut self, table: &TableId, now: u64, turn: &mut Turn) -> Option<String> {
        match self.hall.bring_back(table)? {
            Ok(assign) => {
                let refused = self.take_order(assign, now, turn).err();
                refused.map(|refusal| format!("the board of {table} stays where it is: {refusal}"))
            }
            Err(sentence) => Some(sentence),
        }
    }

    /// A round is opened today, where nobody says otherwise.
    fn dated(&self, mut order: Order) -> Order {
        if let Command::OpenRound { event, round, date, .. } = &mut order.command
            && date.is_empty()
            && self.hall.date_of(event, *round).is_none()
        {
            *date = today();
        }
        order
    }

    /// A round was opened: earlier ones of its event that are played out leave the wall, and so does the round of the day
    /// once nobody plays in it. What somebody has still to decide keeps its round there.
    fn tidy_up(&mut self, event: &str, round: u16, now: u64, turn: &mut Turn) {
        let played_out = self.hall.played_out(event, round).into_iter();
        let closing = played_out.map(|round| Command::CloseRound { event: event.to_owned(), round });
        let strays = self.hall.strays(event).into_iter();
        let strays = strays.map(|(event, round)| Command::CloseRound { event, round });
        for command in closing.chain(strays).collect::<Vec<_>>() {
            self.take_order(Order::to_hall(command), now, turn).expect("the hall has named it itself");
        }
    }

    /// A new round is open: whoever can be heard sits down in it, in the order of the tables.
    fn seat_all(&mut self, now: u64, turn: &mut Turn) {
        let place = |board: &String| (self.hall.table_of(board).map(|id| id.table), board.clone());
        let boards = self.cables.heard().map(place).collect::<BTreeSet<_>>();
        for (_, board) in boards {
            self.seat(&board, now, turn);
            // Its round may have been removed, and with it that it was heard there.
            let here = self.hall.table_of(&board).cloned();
            let is_deaf = |id: &TableId| self.hall.table(id).is_some_and(|table| !table.is_linked());
            if let Some(table) = here.filter(is_deaf) {
                self.link(table, &board, Link::Up, now, turn);
                self.cables.ask(&board);
            }
        }
    }

    /// A board that is moved to another table while it can be heard takes its cable along: the old table hears it no
    /// more, the new one hears it whole. A table that only the board had brought leaves the wall.
    pub(super) fn take_order(&mut self, order: Order, now: u64, turn: &mut Turn) -> Result<(), Refusal> {
        let Command::Assign { board } = &order.command else {
            return turn.take(&mut self.hall, Input::Ordered(order), now);
        };
        let board = board.clone();
        let old = self.hall.table_of(&board).cloned();
        turn.take(&mut self.hall, Input::Ordered(order), now)?;
        let new = self.hall.table_of(&board).cloned();
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        // At a table that was put away nobody was heard any more.
        let Some(table) = self.hall.table(&old).filter(|_| old != new) else { return Ok(()) };
        let (is_heard, contents) = (table.is_linked(), table.left_on(&board));
        let left = Input::Left { table: old.clone(), board: board.clone() };
        turn.take(&mut self.hall, left, now).expect("only orders are refused");
        if let Some(contents) = contents.map(Box::new) {
            let input = Input::LeftOver { table: new.clone(), board: board.clone(), contents };
            turn.take(&mut self.hall, input, now).expect("only orders are refused");
        }
        if is_heard {
            self.link(new, &board, Link::Up, now, turn);
            self.cables.ask(&board);
        }
        if self.hall.is_forsaken(&old) {
            let remove = Command::Remove { event: None, round: None };
            turn.take(&mut self.hall, Input::Ordered(Order::to_table(old, remove)), now)?;
        }
        Ok(())
    }

    fn link(&mut self, table: TableId, board: &str, link: Link, now: u64, turn: &mut Turn) {
        let input = Input::Observed { table, board: board.to_owned(), observation: Observation::Link(link) };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
    }
}

/// So many tables are named; of more only their number is said.
const NAMED: usize = 20;

/// The tables by their addresses.
fn counted(tables: &[TableId]) -> String {
    let named = tables.iter().take(NAMED).map(TableId::to_string).collect::<Vec<_>>().join(", ");
    match tables.len().saturating_sub(NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// What keeps earlier rounds on the wall beside games and decisions: pairings of which nobody has said how they ended.
fn missing_results(tables: &[TableId]) -> Option<String> {
    (!tables.is_empty()).then(|| {
        let tables = counted(tables);
        format!(
            "no result has come from {tables}, so that stays on the wall: give it with \"result\", or take the round \
             off the wall with \"close_round\""
        )
    })
}
