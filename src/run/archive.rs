//! The archive: rounds that are over. What was published of them is read aside when nobody waits for it; their tables
//! are folded again when somebody gives an order about one of them, or a board is heard there, and leave memory again when
//! nobody has needed them for a while.

use std::{collections::BTreeSet, future::pending, iter, sync::Arc, thread};

use hall::{Hall, Scope};
use protocol::{
    board::Observation,
    feed::{Command, TableId},
};
use tokio::sync::{Semaphore, mpsc, oneshot};

use super::{
    past::{Round, fold_round},
    timeline::timeline,
    told::Told,
};
use crate::{
    journal::{Chapter, Committed, Entries, JournalError, Reader},
    screens::{Outcome, Placed, Wish},
};

/// So many timelines are folded at once. Each reads a whole round, and only staff may ask.
const TIMELINES: usize = 4;

/// Between two looks at which rounds nobody needs any more: one that nobody has needed from one to the next goes.
const LOOK_MS: u64 = 20_000;

/// The kernel's word for work that stands back for all other.
const STANDS_BACK: i32 = 19;

/// What was found.
#[derive(Debug)]
pub(super) enum Found {
    /// What was published of a round.
    Record(Scope, Committed<Entries>),
    /// A round, folded.
    Round(Scope, Box<Round>),
    /// It can't be read now, and why.
    Nothing(Scope, JournalError),
    /// All that was published is found.
    All,
}

/// What waits for a round to be folded.
#[derive(Debug)]
pub(super) enum Waiting {
    /// An order about it.
    Order(Placed),
    /// What a board has said that has its place there.
    Heard(String, Observation),
}

/// Rounds that are over, and who asks for them.
#[derive(Debug)]
pub(super) struct Archive {
    reader: Reader,
    /// Those whose tables are not in the hall.
    closed: BTreeSet<Scope>,
    /// Those of which the book does not know yet.
    unread: BTreeSet<Scope>,
    asked: BTreeSet<Scope>,
    /// What is about one of those.
    waiting: Vec<Waiting>,
    /// Those that were put away in this run: screens know all of them.
    put_away: BTreeSet<Scope>,
    /// Those in the hall that nobody has needed since the last look.
    resting: BTreeSet<Scope>,
    look_at: u64,
    found: mpsc::UnboundedReceiver<Found>,
    tell: mpsc::UnboundedSender<Found>,
    timelines: Arc<Semaphore>,
}

impl Archive {
    /// An archive of these rounds. Reading begins at once, the latest first, on a thread of its own.
    pub(super) fn open(reader: Reader, hall: Chapter, rounds: BTreeSet<Scope>) -> std::io::Result<Archive> {
        let (tell, found) = mpsc::unbounded_channel();
        let desk = Desk { reader: reader.clone(), hall, tell: tell.clone() };
        let all = rounds.clone();
        thread::Builder::new().name("archive".to_owned()).spawn(move || desk.read(&all))?;
        let (closed, asked) = (rounds.clone(), BTreeSet::new());
        let (put_away, resting) = (BTreeSet::new(), BTreeSet::new());
        let (waiting, timelines) = (Vec::new(), Arc::new(Semaphore::new(TIMELINES)));
        let look_at = LOOK_MS;
        let unread = rounds;
        Ok(Archive { reader, closed, unread, asked, waiting, put_away, resting, look_at, found, tell, timelines })
    }

    /// What is found next. May be given up and asked again.
    pub(super) async fn next(&mut self) -> Found {
        match self.found.recv().await {
            Some(found) => found,
            None => pending().await,
        }
    }

    /// Keeps an order back that is about a round of the archive, and has that round folded. Gives back all others.
    pub(super) fn keep_back(&mut self, placed: Placed) -> Option<Placed> {
        let meant = rounds_of(&placed, &self.closed);
        meant.iter().for_each(|scope| _ = self.resting.remove(scope));
        let rounds = meant.into_iter().filter(|scope| self.closed.contains(scope)).collect::<Vec<_>>();
        if rounds.is_empty() {
            return Some(placed);
        }
        self.waiting.push(Waiting::Order(placed));
        rounds.into_iter().for_each(|scope| self.want(scope));
        None
    }

    /// The same for what a board has said that has its place there.
    pub(super) fn keep_heard(&mut self, table: &TableId, board: &str, observation: Observation) -> Option<Observation> {
        let scope = Scope::of(table);
        if !self.closed.contains(&scope) {
            return Some(observation);
        }
        self.waiting.push(Waiting::Heard(board.to_owned(), observation));
        self.want(scope);
        None
    }

    fn want(&mut self, scope: Scope) {
        if self.asked.insert(scope.clone()) {
            self.fold(scope);
        }
    }

    /// A round was folded, or can't be: those who waited for it go on.
    pub(super) fn done_with(&mut self, scope: &Scope, is_folded: bool) -> Vec<Waiting> {
        self.asked.remove(scope);
        if is_folded {
            self.closed.remove(scope);
        }
        std::mem::take(&mut self.waiting)
    }

    /// When to look again for what nobody needs.
    pub(super) fn look_at(&self) -> u64 {
        self.look_at
    }

    /// Of the rounds at rest those that nobody has needed since the last look. From here on they are asked for as those
    /// that were over before the start.
    pub(super) fn put_away(&mut self, at_rest: BTreeSet<(String, u16)>, now: u64) -> Vec<(String, u16)> {
        self.look_at = now + LOOK_MS;
        let scope = |(event, round): &(String, u16)| Scope::Round { event: event.clone(), round: *round };
        let before = std::mem::replace(&mut self.resting, at_rest.iter().map(scope).collect());
        let gone = at_rest.into_iter().filter(|key| before.contains(&scope(key))).collect::<Vec<_>>();
        for scope in gone.iter().map(scope) {
            self.resting.remove(&scope);
            // The hall's own file brings tables where boards were put once, without their games: such a round is in the
            // archive already, and screens know no more of it than before.
            if self.closed.insert(scope.clone()) {
                self.put_away.insert(scope);
            }
        }
        gone
    }

    /// Whether screens know a round that is folded again, because they did when it was put away.
    pub(super) fn is_known(&mut self, scope: &Scope) -> bool {
        self.put_away.remove(scope)
    }

    /// Whether this is the first word of what was published of a round.
    pub(super) fn is_news(&mut self, scope: &Scope) -> bool {
        self.unread.remove(scope)
    }

    /// Tells what happened at a table, aside: a table's inputs are read from disk and folded again.
    pub(super) fn tell(&self, table: TableId, outcome: oneshot::Sender<Outcome>, hall: &Hall) {
        let scope = Scope::of(&table);
        if hall.table(&table).is_none() && !self.closed.contains(&scope) {
            let _ = outcome.send(Outcome::Refused(format!("there is no table {table}: nothing happened there").into()));
            return;
        }
        let (reader, timelines) = (self.reader.clone(), Arc::clone(&self.timelines));
        tokio::spawn(async move {
            let turn = timelines.acquire_owned().await;
            tokio::task::spawn_blocking(move || {
                let read = reader.read(&scope).and_then(|chapter| Ok((chapter, reader.read(&Scope::Hall)?)));
                let told = match read {
                    Ok((chapter, hall)) => {
                        let told = Told::read(&hall, iter::once(&scope));
                        Outcome::Timeline(Box::new(timeline(&chapter, &told, &table)))
                    }
                    Err(error) => Outcome::Refused(error.advice().into()),
                };
                // Who asked may have gone.
                let _ = outcome.send(told);
                drop(turn);
            });
        });
    }

    /// Through the thread that writes: the round will be written to at once.
    fn fold(&self, scope: Scope) {
        let Scope::Round { event, round } = scope.clone() else { return };
        let (reader, tell) = (self.reader.clone(), self.tell.clone());
        tokio::spawn(async move {
            let chapter = reader.open(&scope).await;
            tokio::task::spawn_blocking(move || {
                // By what its tables were played, and by whom, stands in the hall's file.
                let read = chapter.and_then(|chapter| Ok((chapter, reader.read(&Scope::Hall)?)));
                let found = match read {
                    Ok((chapter, hall)) => {
                        let told = Told::read(&hall, iter::once(&scope));
                        let folded = fold_round(&chapter, &told, &event, round);
                        Found::Round(scope, Box::new(folded))
                    }
                    Err(error) => Found::Nothing(scope, error),
                };
                // The loop may have ended.
                let _ = tell.send(found);
            });
        });
    }
}

/// Reads aside.
struct Desk {
    reader: Reader,
    hall: Chapter,
    tell: mpsc::UnboundedSender<Found>,
}

impl Desk {
    fn read(self, rounds: &BTreeSet<Scope>) {
        // Where the system does not let us stand back we don't.
        let _ = rustix::process::setpriority_process(None, STANDS_BACK);
        let hall = self.hall.record().0;
        for scope in rounds.iter().rev() {
            let found = match self.reader.read(scope) {
                Ok(chapter) => Found::Record(scope.clone(), chapter.record_with(&hall).0),
                Err(error) => Found::Nothing(scope.clone(), error),
            };
            if self.tell.send(found).is_err() {
                return;
            }
        }
        let _ = self.tell.send(Found::All);
    }
}

/// The rounds an order is about.
fn rounds_of(placed: &Placed, closed: &BTreeSet<Scope>) -> Vec<Scope> {
    let (Wish::Order(order) | Wish::Preview(order)) = &placed.wish else { return Vec::new() };
    let of = |id: &TableId| Scope::Round { event: id.event.clone(), round: id.round };
    let mut rounds = order.table().into_iter().map(of).collect::<Vec<_>>();
    if let Command::OpenRound { event, round, .. }
    | Command::CloseRound { event, round }
    | Command::Pairings { event, round, .. } = &order.command
    {
        rounds.push(Scope::Round { event: event.clone(), round: *round });
    }
    if let Command::Remove { event: Some(event), round } = &order.command {
        let is_meant = |scope: &&Scope| match scope {
            Scope::Hall => false,
            Scope::Round { event: name, round: number } => name == event && round.is_none_or(|one| one == *number),
        };
        rounds.extend(closed.iter().filter(is_meant).cloned());
    }
    rounds
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, path::Path};

    use protocol::feed::TableView;
    use serde_json::{Value, json};

    use super::*;
    use crate::{
        run::{Plan, Started, running::PATIENCE, turn::Turn},
        screens::{Giver, doors::Door},
    };

    #[tokio::test]
    async fn a_round_nobody_needs_leaves_memory_and_comes_back_for_who_does() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let mut house = House::open(state.path()).await;
        house.play_a_round().await;
        assert_eq!(house.tables(), [table()]);
        house.0.run.clear_away();
        assert_eq!(house.tables(), [table()], "it was needed until now");
        house.0.run.clear_away();
        assert!(house.tables().is_empty());
        let before = house.pgn();
        assert!(before.contains("1. e4 e5 2. Nf3 1-0"), "{before}");

        let said = house.ask(json!({"command": "result", "table": "spring/1/1", "result": "1/2-1/2"})).await;
        assert!(matches!(said, Outcome::Done(_)), "{said:?}");
        assert_eq!(house.tables(), [table()]);
        assert_eq!(house.pgn(), before.replace("1-0", "1/2-1/2"));
        house.0.run.clear_away();
        house.0.run.clear_away();
        assert!(house.tables().is_empty());
        let said = house.ask(json!({"command": "open_round", "event": "spring", "round": 1})).await;
        assert!(matches!(said, Outcome::Done(_)), "{said:?}");
        house.0.run.clear_away();
        house.0.run.clear_away();
        assert_eq!(house.tables(), [table()], "it is open");
    }

    /// The hall's own file says where boards were put: it brings tables without their games.
    #[tokio::test]
    async fn a_round_where_a_board_was_put_once_is_shown_with_its_games_at_any_time_after_a_start() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let mut house = House::open(state.path()).await;
        house.play_a_round().await;
        for table in ["spring/1/1", "spring/2/1"] {
            let said = house.ask(json!({"command": "assign", "table": table, "board": "7"})).await;
            assert!(matches!(said, Outcome::Done(_)), "{said:?}");
        }
        drop(house);
        let mut house = House::open(state.path()).await;
        house.0.run.clear_away();
        house.0.run.clear_away();
        let said = house.ask(json!({"command": "result", "table": "spring/1/1", "result": "1/2-1/2"})).await;
        assert!(matches!(said, Outcome::Done(_)), "{said:?}");
        assert!(!house.wall().await.contains_key("spring/1/1"), "it is closed");
        house.0.run.clear_away();
        house.0.run.clear_away();
        let said = house.ask(json!({"command": "open_round", "event": "spring", "round": 1})).await;
        assert!(matches!(said, Outcome::Done(_)), "{said:?}");
        assert_eq!(house.wall().await.get("spring/1/1").map(String::as_str), Some("Ada 1/2-1/2"));
    }

    #[tokio::test]
    async fn who_wants_a_round_that_cant_be_read_is_told_so_and_may_ask_again() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let mut house = House::open(state.path()).await;
        house.play_a_round().await;
        house.0.run.clear_away();
        house.0.run.clear_away();
        let scope = Scope::of(&table());
        let mut turn = Turn::default();
        let (placed, mut answered) = placed(json!({"command": "result", "table": "spring/1/1", "result": "0-1"}));
        assert!(house.0.run.receive(placed, &mut turn).is_none());
        let replies = house.0.run.take_from_archive(Found::Nothing(scope, JournalError::Gone), &mut turn);
        house.0.run.close(turn, replies);
        assert!(matches!(answered.try_recv(), Ok(Outcome::Refused(_))));
        // What was asked for at that time comes all the same.
        let found = house.0.run.archive.next().await;
        let replies = house.0.run.take_from_archive(found, &mut Turn::default());
        assert!(replies.is_empty());
        let said = house.ask(json!({"command": "result", "table": "spring/1/1", "result": "0-1"})).await;
        assert!(matches!(said, Outcome::Done(_)), "{said:?}");
    }

    struct House(Started);

    impl House {
        async fn open(state: &Path) -> House {
            let plan = Plan::for_a_test(state).expect("an address and a pattern");
            House(Started::open(plan).await.expect("the folder is writable"))
        }

        async fn play_a_round(&mut self) {
            let pairing = json!({"table": 1, "white": {"name": "Ada"}, "black": {"name": "Bela"}});
            for order in [
                json!({"command": "pairings", "event": "spring", "round": 1, "pairings": [pairing]}),
                json!({"command": "open_round", "event": "spring", "round": 1}),
                json!({"command": "new_game", "table": "spring/1/1"}),
                json!({"command": "insert", "table": "spring/1/1", "moves": ["e4", "e5", "Nf3"]}),
                json!({"command": "result", "table": "spring/1/1", "result": "1-0"}),
                json!({"command": "open_round", "event": "spring", "round": 2}),
            ] {
                let said = self.ask(order.clone()).await;
                assert!(matches!(said, Outcome::Done(_)), "{order}: {said:?}");
            }
        }

        async fn ask(&mut self, order: Value) -> Outcome {
            let (placed, mut answered) = placed(order);
            let run = &mut self.0.run;
            let mut turn = Turn::default();
            let replies = match run.receive(placed, &mut turn) {
                Some(reply) => vec![reply],
                None => loop {
                    let found = run.archive.next().await;
                    let replies = run.take_from_archive(found, &mut turn);
                    if !replies.is_empty() {
                        break replies;
                    }
                },
            };
            run.close(turn, replies);
            run.settle(PATIENCE).await.expect("the disk works");
            answered.try_recv().expect("it is answered")
        }

        fn tables(&self) -> Vec<TableId> {
            self.0.run.hall.tables().map(|(id, _)| id.clone()).collect()
        }

        /// Who plays White on the hall's wall, and with which result.
        async fn wall(&self) -> BTreeMap<String, String> {
            let view = self.0.entrance.view(Door::HallSnapshot).await.expect("the feed is on");
            let of = |table: TableView| {
                let white = table.white.map(|white| white.name).unwrap_or_default();
                (table.table.to_string(), format!("{white} {}", table.result))
            };
            view.tables.into_iter().map(of).collect()
        }

        fn pgn(&self) -> String {
            self.0.run.book().lock().expect("nobody panicked").table_pgn(&table())
        }
    }

    fn placed(order: Value) -> (Placed, oneshot::Receiver<Outcome>) {
        let order = serde_json::from_value(order).expect("an order");
        Placed::new(Wish::Order(order), Giver::house())
    }

    fn table() -> TableId {
        TableId { event: "spring".to_owned(), round: 1, table: 1 }
    }
}
