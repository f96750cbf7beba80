//! Boards and tables: where each board belongs, where it sits down by itself, and what is wrong before a round.

use std::collections::{BTreeMap, BTreeSet};

use protocol::feed::{
    Because, BoardTrouble, BoardView, BoardsView, Command, Delay, OnAir, Order, Place, Programme, RoundPlan, Stage,
    TableId,
};

use crate::{
    Millis,
    event::{Key, key_of},
    floor::{Hall, named, shown},
    input::Out,
    refusal::Refusal,
    table::Table,
};

/// Each player may have one.
const BOARDS_AT_A_TABLE: usize = 2;

impl Hall {
    /// The order that gives a board a table in an open round: the one it belongs to; or else the number it had in the
    /// round before; or else the first one at which somebody is to play and no board has its place; or else the first one
    /// that no board has, had or belongs to. A hall is wired once; nobody carries boards round between two rounds. A game
    /// that is on is played to its end where it was begun. Of several events each keeps its boards.
    pub fn seat(&self, board: &str) -> Option<Order> {
        let last = self.seats.get(board);
        let key @ (event, round) = self.room_for(board, last)?;
        let here = |id: &TableId| id.event == *event && id.round == *round;
        let is_home = |id: &TableId| here(id) && self.events.fits(event, board, id.table);
        let goes_on = |id: &TableId| self.staying.contains(board) || (!here(id) && self.is_recalled(board, id));
        if last.is_some_and(|id| is_home(id) || !goes_on(id) || self.is_busy(id)) {
            return None;
        }
        let id = |table: u16| TableId { event: event.clone(), round: *round, table };
        let sitting = |number: u16| self.seats.values().filter(|seat| **seat == id(number)).count();
        let fits = |number: &u16| self.events.fits(event, board, *number);
        let known = |number: u16| self.seats.values().any(|id| id.table == number);
        let table = match self.events.place_of(event, board) {
            Some(own) => Some(own).filter(|own| sitting(*own) < BOARDS_AT_A_TABLE && !self.is_busy(&id(*own)))?,
            None => {
                let before = last.map(|id| id.table).filter(|number| sitting(*number) == 0 && fits(number));
                let is_free = |number: &u16| sitting(*number) == 0 && fits(number) && !self.is_busy(&id(*number));
                let free = || self.paired_and_free(key, is_free);
                before.or_else(free).or_else(|| (1..=u16::MAX).find(|number| !known(*number) && fits(number)))?
            }
        };
        Some(Order::to_table(id(table), Command::Assign { board: board.to_owned() }))
    }

    /// The first free table of a round at which somebody is to play. One whose board may still come, because it had that
    /// number in the round before, is the last choice.
    fn paired_and_free(&self, key: &Key, is_free: impl Fn(&u16) -> bool) -> Option<u16> {
        let had = |number: &u16| self.seats.values().any(|id| id.event == key.0 && id.table == *number);
        let free = self.events.pairings(key).map(|pairing| pairing.table).filter(is_free).collect::<Vec<_>>();
        free.iter().find(|number| !had(number)).or_else(|| free.first()).copied()
    }

    /// The round a board with this seat belongs in: one of an event that lists it, its own one before all others; or that
    /// of its own event, unless that has none or its rounds have no pairings, as a round of the day has none.
    fn room_for(&self, board: &str, last: Option<&TableId>) -> Option<&Key> {
        let own = last.and_then(|id| self.events.latest_of(&id.event));
        let lists = |key: &&Key| self.events.place_of(&key.0, board).is_some();
        let listed = own.filter(lists).or_else(|| self.events.open_rounds().find(lists));
        listed.or_else(|| own.filter(|key| self.events.is_planned(key))).or(self.events.latest())
    }

    /// A round was opened that was at `before`: boards may move on to it from the other rounds of its event, and from those
    /// that are over or of which nobody has said who plays in them; and those its event lists, from wherever they are. A
    /// board of another event stays where somebody has put it.
    pub(crate) fn move_on_to(&mut self, key: &Key, before: Stage) {
        let is_news = before != Stage::Open;
        let moves_on = |board: &String, id: &TableId| {
            let at = key_of(id);
            let is_over = matches!(self.events.stage(&at), None | Some(Stage::Closed));
            let is_next = at.0 == key.0 && at != *key && self.events.stage(&at) != Some(Stage::Prepared);
            let is_listed = self.events.place_of(&key.0, board).is_some();
            is_over || self.is_stray(id) || (is_news && (is_next || is_listed))
        };
        let moving = self.seats.iter().filter(|(board, id)| moves_on(board, id));
        let moving = moving.map(|(board, _)| board.clone()).collect::<Vec<_>>();
        self.staying.extend(moving);
    }

    /// A round in which nobody has played is open no more: if another one of its event is, its boards may go back there, by
    /// the numbers they had.
    pub(crate) fn move_back_from(&mut self, key: &Key) {
        if self.events.latest_of(&key.0).is_some() {
            let sitting = self.seats.iter().filter(|(_, id)| key_of(id) == *key);
            self.staying.extend(sitting.map(|(board, _)| board.clone()).collect::<Vec<_>>());
        }
    }

    /// A round is there no more. Where none of its event is open its boards keep their numbers in the last one that was, so
    /// that they have them when that is opened again.
    pub(crate) fn leave_behind(&mut self, key: &Key) {
        if self.events.latest_of(&key.0).is_some() {
            return self.move_back_from(key);
        }
        let was_open = |round: &u16| self.events.stage(&(key.0.clone(), *round)) == Some(Stage::Closed);
        let last = self.events.rounds_of(&key.0).into_iter().filter(was_open).max();
        let sitting = self.seats.extract_if(.., |_, id| key_of(id) == *key).collect::<Vec<_>>();
        for (board, seat) in sitting {
            let id = last.map(|round| TableId { round, ..seat });
            if let Some(id) = id.filter(|id| !self.has_seat(id)) {
                self.seats.insert(board, id);
            }
        }
    }

    /// It is there for a game that was opened again, and goes on like all others once that is over.
    fn is_recalled(&self, board: &str, id: &TableId) -> bool {
        self.table(id).and_then(Table::recalled).is_some_and(|recalled| recalled == board)
    }

    /// The order that brings the board of a game that was opened again back from the next round, where nobody has moved
    /// yet; or a sentence that says where it is.
    pub fn bring_back(&self, id: &TableId) -> Option<Result<Order, String>> {
        let board = self.table(id).filter(|table| !table.is_over())?.recalled()?;
        let at = self.seats.get(board).filter(|at| *at != id)?;
        let is_shown = self.events.stage(&key_of(id)) == Some(Stage::Open);
        let is_free =
            at.event == id.event && !self.is_busy(at) && self.check_unplayed(at).is_ok() && !self.has_seat(id);
        Some(if is_shown && is_free {
            Ok(Order::to_table(id.clone(), Command::Assign { board: board.clone() }))
        } else {
            Err(format!(
                "the game at {id} has no board now: board {board} has its place at {at}, and \"assign\" brings it back"
            ))
        })
    }

    fn is_busy(&self, id: &TableId) -> bool {
        self.table(id).is_some_and(Table::is_in_play)
    }

    /// The boards of an event before a round, the one that is open or else the next one, if none is named; `heard` are
    /// those that can be heard.
    pub fn boards_of(&self, event: &str, round: Option<u16>, heard: &BTreeSet<String>) -> Result<BoardsView, Refusal> {
        if !self.events.is_known(event) {
            return Err(Refusal::because(format!("there is no event {event}: \"event\" or \"pairings\" makes one")));
        }
        if let Some(round) = round
            && self.events.stage(&(event.to_owned(), round)).is_none()
        {
            let known = self.events.rounds_of(event).iter().map(u16::to_string).collect::<Vec<_>>();
            let known = if known.is_empty() {
                "none is known yet".to_owned()
            } else {
                format!("known are {}", known.join(", "))
            };
            return Err(Refusal::because(format!("there is no round {round} of {event}: {known}")));
        }
        let open = self.events.latest_of(event).map(|(_, round)| *round);
        let round = round.or(open).or_else(|| self.events.rounds_of(event).last().copied());
        let key = (event.to_owned(), round.unwrap_or_default());
        let played_at = self.events.pairings(&key).map(|pairing| pairing.table).collect::<BTreeSet<_>>();
        let bare = played_at.iter().copied().filter(|table| self.wants_a_board(&key, *table)).collect::<Vec<_>>();
        let is_astray = |at: &TableId| !bare.is_empty() && key_of(at) == key && !played_at.contains(&at.table);
        let places = self.events.places(event).collect::<BTreeMap<_, _>>();
        let is_here = |board: &&str| self.seats.get(*board).is_none_or(|id| id.event == event || self.is_stray(id));
        let sitting = self.seats.iter().filter(|(_, id)| id.event == event).map(|(board, _)| board.as_str());
        let around = heard.iter().map(String::as_str).filter(is_here);
        let mut boards = places.keys().copied().chain(sitting).chain(around).collect::<BTreeSet<_>>().into_iter();
        let view = |board: &str| {
            let (table, at) = (places.get(board).copied(), self.seats.get(board).cloned());
            let is_heard = heard.contains(board);
            let elsewhere = |at: &TableId| if at.event == event { table != Some(at.table) } else { !self.is_stray(at) };
            let trouble = match table {
                None if !is_heard => None,
                None if !places.is_empty() => Some(BoardTrouble::TooMany),
                None => at.as_ref().is_some_and(is_astray).then_some(BoardTrouble::Astray),
                Some(own) if !is_heard => {
                    (played_at.is_empty() || played_at.contains(&own)).then_some(BoardTrouble::Missing)
                }
                Some(_) => at.as_ref().is_some_and(elsewhere).then_some(BoardTrouble::WrongTable),
            };
            let stands_wrong = || at.as_ref().and_then(|at| self.table(at)).is_some_and(Table::stands_wrong);
            let trouble = trouble.or_else(|| stands_wrong().then_some(BoardTrouble::WrongArray));
            BoardView { board: board.to_owned(), table, at, heard: is_heard, trouble }
        };
        let mut boards = boards.by_ref().map(view).collect::<Vec<_>>();
        boards.sort_by_key(|view| (view.table.or_else(|| view.at.as_ref().map(|at| at.table)), view.board.clone()));
        Ok(BoardsView { event: event.to_owned(), round, bare, boards })
    }

    /// Somebody is to play there, and no board has its place there. A game that is kept by hand wants none, and neither does one
    /// that was not played.
    fn wants_a_board(&self, (event, round): &Key, table: u16) -> bool {
        let id = TableId { event: event.clone(), round: *round, table };
        !self.has_seat(&id) && !self.has_game(&id) && !self.table(&id).is_some_and(Table::has_result)
    }

    /// All rounds that are known, and who plays in them. What spectators are shown of them is the doors' business.
    pub fn programme(&self) -> Programme {
        let plan = |key: Key| {
            let places = self.events.places(&key.0).map(|(board, table)| Place { table, board: board.to_owned() });
            RoundPlan {
                pairings: self.events.pairings(&key).collect(),
                places: places.collect(),
                round: self.events.view(&key),
                delay: Delay::default(),
                on_air: OnAir::default(),
            }
        };
        Programme { rounds: self.events.keys().map(plan).collect(), withheld: Vec::new() }
    }

    /// It is a table of a round nobody has planned.
    fn is_stray(&self, id: &TableId) -> bool {
        !self.events.is_planned(&(id.event.clone(), id.round))
    }

    /// Lists which board belongs to which table. Those that sit elsewhere move as soon as no game of theirs is on.
    pub(crate) fn list_boards(&mut self, event: &str, places: &[Place], out: &mut Vec<Out>) -> Result<(), Refusal> {
        named(event, 1)?;
        let listed = checked(places)?;
        if !self.events.list(event, listed) {
            out.push(Out::Said(format!("nothing has changed: {event} lists its boards like this already")));
            return Ok(());
        }
        let moves = |(board, id): &(&String, &TableId)| {
            let is_listed = self.events.place_of(event, board).is_some();
            if id.event == event { !self.events.fits(event, board, id.table) } else { is_listed }
        };
        let moving = self.seats.iter().filter(moves).map(|(board, _)| board.clone()).collect::<Vec<_>>();
        self.staying.extend(moving);
        let count = places.len();
        let boards = if count == 1 { "1 board".to_owned() } else { format!("{count} boards") };
        out.push(Out::Said(format!("{event} lists {boards}: each sits down at its table in every round")));
        Ok(())
    }

    /// Some board has its place there.
    pub(crate) fn has_seat(&self, id: &TableId) -> bool {
        self.seats.values().any(|seat| seat == id)
    }

    pub(crate) fn assign(&mut self, board: &str, id: TableId, now: Millis, out: &mut Vec<Out>) -> Result<(), Refusal> {
        let others = self.seats.iter().filter(|(other, seat)| **seat == id && *other != board);
        let others = others.map(|(other, _)| other.as_str()).collect::<Vec<_>>();
        if others.len() >= BOARDS_AT_A_TABLE {
            let sentence =
                format!("{id} has its two boards, {}: give one of them another table first", others.join(" and "));
            return Err(Refusal::because(sentence).known_as(Because::TwoBoards { table: id }));
        }
        self.staying.remove(board);
        let before = self.seats.insert(board.to_owned(), id.clone());
        let is_relisted = self.events.relist(&id, board);
        out.push(Out::Said(match before {
            Some(before) if before == id => format!("nothing has changed: board {board} has its place at {id} already"),
            Some(before) => format!("board {board} has its place at {id}, no more at {before}"),
            None => format!("board {board} has its place at {id}; nothing was heard of it yet, look at its number"),
        }));
        if is_relisted {
            out.push(Out::Said(format!("{} lists board {board} at table {} from here on", id.event, id.table)));
        }
        out.extend(self.comes_unseen(&id).then(|| shown(&id, now, false)));
        if self.events.stage(&key_of(&id)) == Some(Stage::Open) && self.events.bring_back(&id) {
            out.push(shown(&id, now, true));
        }
        self.at(&id, now, out, |_, _| {});
        Ok(())
    }
}

/// Each board once, and no more than two at a table.
fn checked(places: &[Place]) -> Result<BTreeMap<String, u16>, Refusal> {
    let mut listed = BTreeMap::new();
    for Place { table, board } in places {
        let board = board.trim();
        if *table == 0 || board.is_empty() {
            let sentence =
                "a line of the list lacks its table or its board: tables count from 1, boards have serial numbers";
            return Err(Refusal::because(sentence));
        }
        if let Some(other) = listed.insert(board.to_owned(), *table) {
            return Err(Refusal::because(format!("board {board} is listed twice, at tables {other} and {table}")));
        }
        if listed.values().filter(|other| *other == table).count() > BOARDS_AT_A_TABLE {
            return Err(Refusal::because(format!("table {table} is listed with more than two boards")));
        }
    }
    Ok(listed)
}
