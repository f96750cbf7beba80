//! The run: the one loop that joins the rooms. Inputs in; to the journal; events and asks out.
//!
//! Order is everything here: sights are shown as they come, entries only when the journal has given them back as
//! committed, with the inputs they follow from.

mod gates;
mod house;
mod library;
mod past;
mod ports;
mod pulse;
mod replay;
mod turn;

#[cfg(test)]
mod fold_tests;

use std::{
    collections::BTreeSet,
    future::pending,
    sync::{Arc, Mutex, PoisonError},
};

use hall::{Ask, Hall, Input, Refusal, Scope};
use protocol::{
    board::{Link, Observation},
    feed::{Answer, Command, Order, TableId},
};
use tokio::sync::{mpsc, oneshot};

pub use gates::Beyond;
pub use house::{ADDRESS, House, Plan, today, usual_state};
pub use past::{Folded, fold};
pub use pulse::Pulse;
pub use replay::Replay;

use crate::{
    journal::{Committed, Done, Journal, JournalError},
    prover::{Prover, Searched},
    record::{Book, Scribe},
    screens::{Feed, Giver, Outcome, Placed, Wish},
    sensors::{Monotonic, Sensed, Watch, What as Heard},
};
use ports::Ports;
use turn::{Closed, Seen, Turn, place};

/// How many inputs share a commit at most. A commit takes a fifth of a millisecond on a good disk and twenty on a bad
/// one; in twenty, fifty boards say far less than this.
const SHARED: usize = 256;

/// Everything the loop joins.
#[derive(Debug)]
pub struct Run {
    /// The games.
    pub hall: Hall,
    /// Where inputs are kept.
    pub journal: Journal,
    /// Where events are told.
    pub feed: Feed,
    /// What was published, for the doors that hand out PGN.
    pub book: Arc<Mutex<Book>>,
    /// Writes the PGN files.
    pub scribe: Scribe,
    /// The ports.
    pub watch: Watch,
    /// Who searches for what the tables can't decide.
    pub prover: Prover,
    /// The clock of the watch.
    pub clock: Monotonic,
    /// What the core's time was when that clock began.
    pub epoch: u64,
    /// The time of the last input: the core's time never goes back.
    last: u64,
    ports: Ports,
}

impl Run {
    /// Core time at this moment.
    pub fn now(&self) -> u64 {
        self.epoch + self.clock.now()
    }

    /// Says that the daemon is back, at every table that may not know, before anything else is heard.
    pub async fn resume(&mut self, folded: &Folded) -> Result<(), JournalError> {
        let now = self.not_before(self.now());
        let gap_ms = now.saturating_sub(folded.last_t);
        let tables = folded.interrupted();
        let mut turn = Turn::default();
        for table in tables {
            let record = folded.differing.get(&table).cloned();
            if record.is_some() {
                tracing::warn!(%table, "this build reads the journal differently; the published record stands");
            }
            let resumed = Input::Resumed { table, gap_ms, record };
            turn.take(&mut self.hall, resumed, now).expect("only orders are refused");
        }
        self.ask(&mut turn);
        self.close(turn, Vec::new()).await
    }

    /// Places an order as the daemon itself, before the loop runs.
    pub async fn order(&mut self, order: Order) -> Result<Answer, JournalError> {
        let (placed, answered) = Placed::new(Wish::Order(order), Giver::house());
        let mut turn = Turn::default();
        let reply = self.grant(placed, &mut turn);
        self.ask(&mut turn);
        self.close(turn, vec![reply]).await?;
        Ok(answered.await.map_or_else(|_| Answer::Refused("the daemon is stopping".to_owned()), Answer::from))
    }

    /// Runs until `stop`; what was heard before is on disk when it returns.
    pub async fn run(
        &mut self,
        mut sensed: mpsc::Receiver<Sensed>,
        mut orders: mpsc::Receiver<Placed>,
        mut searched: mpsc::Receiver<Searched>,
        mut pulse: Pulse,
        stop: impl Future<Output = ()>,
    ) -> Result<(), JournalError> {
        tokio::pin!(stop);
        let mut stopping = false;
        while !stopping {
            let mut turn = Turn::default();
            let mut replies = Vec::new();
            tokio::select! {
                () = &mut stop => stopping = true,
                heard = sensed.recv() => match heard {
                    Some(heard) => self.hear(heard, &mut turn),
                    None => return Ok(()),
                },
                Some(placed) = orders.recv() => replies.push(self.grant(placed, &mut turn)),
                Some(found) = searched.recv() => self.take_found(found, &mut turn),
                () = self.deadline() => {
                    let now = self.not_before(self.now());
                    turn.elapse(&mut self.hall, now);
                }
                () = pulse.due() => pulse.beat(self.ports.count()),
            }
            // What waits shares a commit; before the end all of it is heard, however much it is.
            for _ in 0..if stopping { usize::MAX } else { SHARED } {
                let Ok(heard) = sensed.try_recv() else { break };
                self.hear(heard, &mut turn);
            }
            self.ask(&mut turn);
            self.close(turn, replies).await?;
        }
        Ok(())
    }

    async fn deadline(&self) {
        match self.hall.deadline() {
            Some(at) => self.clock.sleep_until(at.saturating_sub(self.epoch)).await,
            None => pending().await,
        }
    }

    /// An input that was stamped before the last one was handled is taken at that time: it waited in a channel while
    /// a deadline ran.
    fn not_before(&mut self, t: u64) -> u64 {
        self.last = self.last.max(t);
        self.last
    }

    fn hear(&mut self, sensed: Sensed, turn: &mut Turn) {
        let Sensed { port, at, what } = sensed;
        match what {
            Heard::Board(identity) => {
                let Some(serial) = identity.serial() else {
                    tracing::warn!(%port, "a board answers but has no serial number, so no table can be kept for it; \
                                           give it one with its maker's program");
                    return;
                };
                if let Some(other) = self.ports.found(&port, serial) {
                    tracing::warn!(%port, %other, serial, "two ports say they are the same board; the newer one counts");
                }
                tracing::info!(%port, board = serial, "board found");
            }
            Heard::Observed(observation) => {
                let Some(board) = self.ports.board(&port).cloned() else { return };
                if observation == Observation::Link(Link::Down) {
                    self.ports.lost(&port);
                    tracing::warn!(%port, board, "board lost");
                }
                let now = self.not_before(self.epoch + at);
                self.observe(board, observation, now, turn);
            }
            Heard::Awaited => {
                tracing::warn!(%port, "port is not there: plug the board in and look at the cable; it is found by itself")
            }
            Heard::Refused(error) => tracing::warn!(%port, "{error}: {}", error.hint()),
            Heard::Lost(error) => tracing::info!(%port, "{error}"),
            Heard::NoBoard => tracing::warn!(%port, "no chess board answers here; asking again"),
            Heard::Corrected(squares) => tracing::warn!(%port, ?squares, "updates were lost; the board's dump counts"),
            Heard::Noise(skipped) => tracing::debug!(%port, skipped, "noise"),
            Heard::Invalid(flaw) => tracing::warn!(%port, "a message was not believed: {flaw}"),
            Heard::Opened { low_latency } => tracing::debug!(%port, low_latency, "port opened"),
            Heard::Received(_) | Heard::Sent(_) => {}
        }
    }

    fn observe(&mut self, board: String, observation: Observation, now: u64, turn: &mut Turn) {
        self.seat(&board, now, turn);
        let Some(table) = self.hall.table_of(&board).cloned() else { return };
        let input = Input::Observed { table, board: board.clone(), observation };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
        // The game it stayed for may be over by this.
        self.seat(&board, now, turn);
    }

    /// Gives a board its table in the open round, if it has none there and no game is on under it.
    fn seat(&mut self, board: &str, now: u64, turn: &mut Turn) {
        let Some(order) = self.hall.seat(board) else { return };
        if let Some(table) = &order.table {
            tracing::info!(board, %table, "board assigned");
        }
        self.take_order(order, now, turn).expect("the hall offered this seat itself");
    }

    fn grant(&mut self, Placed { wish, by, outcome }: Placed, turn: &mut Turn) -> Reply {
        let now = self.not_before(self.now());
        let granted = match wish {
            Wish::Order(order) => match self.carry_out(order, by, now, turn) {
                Ok(at) => Granted::Order(at),
                Err(sentence) => Granted::Nothing(sentence),
            },
            Wish::Admissions(admissions) => {
                turn.in_the_name_of(by, |turn| admissions.iter().for_each(|change| turn.admit(change, now)));
                Granted::Admissions
            }
        };
        Reply { outcome, granted }
    }

    /// Gives the how-many-eth order of the turn it was, or a sentence that says why it was none.
    fn carry_out(&mut self, order: Order, by: Giver, now: u64, turn: &mut Turn) -> Result<usize, String> {
        if let Some(sentence) = unfit(&order) {
            return Err(sentence);
        }
        let (at, opens) = (turn.orders(), matches!(order.command, Command::OpenRound { .. }));
        let taken = turn.in_the_name_of(by, |turn| self.take_order(order, now, turn));
        taken.map_err(|refusal| refusal.to_string())?;
        if opens {
            self.seat_all(now, turn);
        }
        Ok(at)
    }

    /// A new round is open: whoever can be heard sits down in it, in the order of the tables.
    fn seat_all(&mut self, now: u64, turn: &mut Turn) {
        let place = |board: &String| (self.hall.table_of(board).map(|id| id.table), board.clone());
        let boards = self.ports.boards().map(place).collect::<BTreeSet<_>>();
        for (_, board) in boards {
            self.seat(&board, now, turn);
        }
    }

    /// A board that is moved to another table while it can be heard takes its cable along: the old table hears it no
    /// more, the new one hears it whole.
    fn take_order(&mut self, order: Order, now: u64, turn: &mut Turn) -> Result<(), Refusal> {
        let Command::Assign { board } = &order.command else {
            return turn.take(&mut self.hall, Input::Ordered(order), now);
        };
        let board = board.clone();
        let old = self.hall.table_of(&board).cloned();
        turn.take(&mut self.hall, Input::Ordered(order), now)?;
        let new = self.hall.table_of(&board).cloned();
        let (Some(old), Some(new)) = (old, new) else { return Ok(()) };
        if old != new && self.hall.table(&old).is_some_and(hall::table::Table::is_linked) {
            self.link(old, &board, Link::Down, now, turn);
            self.link(new, &board, Link::Up, now, turn);
            if let Some(port) = self.ports.port(&board) {
                self.watch.ask_board(port);
            }
        }
        Ok(())
    }

    fn link(&mut self, table: TableId, board: &str, link: Link, now: u64, turn: &mut Turn) {
        let input = Input::Observed { table, board: board.to_owned(), observation: Observation::Link(link) };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
    }

    fn ask(&self, turn: &mut Turn) {
        for ask in turn.take_asks() {
            match ask {
                Ask::Dump { board } => {
                    if let Some(port) = self.ports.port(&board) {
                        self.watch.ask_board(port);
                    }
                }
                Ask::Proof { table, doubts } => self.prover.ask(&table, doubts),
            }
        }
    }

    /// What a search has come to. The game may have gone on meanwhile, so that nobody asks any more.
    fn take_found(&mut self, (table, answer): Searched, turn: &mut Turn) {
        let now = self.not_before(self.now());
        if let Err(refusal) = turn.take(&mut self.hall, Input::Searched { table: table.clone(), answer }, now) {
            tracing::debug!(%table, "an answer was not used: {refusal}");
        }
    }

    /// Shows what may be shown, writes down what must be, then publishes.
    async fn close(&mut self, turn: Turn, replies: Vec<Reply>) -> Result<(), JournalError> {
        let Closed { seen, batches, entries } = turn.close();
        for Seen { table, t, sight } in seen {
            self.feed.show(&table, t, vec![sight]);
        }
        let done = if batches.is_empty() {
            Vec::new()
        } else {
            let committed = self.journal.commit(batches, entries).await?;
            self.book.lock().unwrap_or_else(PoisonError::into_inner).apply(&committed);
            self.feed.publish(&committed);
            self.scribe.note(&committed);
            committed.into_done()
        };
        Reply::send_all(replies, done);
        Ok(())
    }
}

/// Why an order names something of which no journal can be kept. Said before anything has come of it.
fn unfit(order: &Order) -> Option<String> {
    if matches!(&order.command, Command::Assign { board } if board.trim().is_empty()) {
        return Some("which board? \"board\" is its serial number, as `escaque doctor` shows it".to_owned());
    }
    if let Command::OpenRound { date, .. } = &order.command
        && !is_date(date)
    {
        return Some(format!("\"{date}\" is no day: write it as PGN does, 2026.11.20, with ? where it is not known"));
    }
    let opened =
        if let Command::OpenRound { event, round, .. } = &order.command { Some((event, *round)) } else { None };
    let named = order.table.as_ref().map(|id| (&id.event, id.round)).into_iter().chain(opened);
    let scopes = named.map(|(event, round)| place(&Scope::Round { event: event.clone(), round }));
    scopes.filter_map(|scope| scope.check().err()).map(|error| error.advice()).next()
}

/// A day as PGN writes it.
fn is_date(text: &str) -> bool {
    let fits = |(at, letter): (usize, char)| match at {
        4 | 7 => letter == '.',
        _ => letter.is_ascii_digit() || letter == '?',
    };
    text.len() == "YYYY.MM.DD".len() && text.chars().enumerate().all(fits)
}

/// An answer that waits until what it says is on disk.
struct Reply {
    outcome: oneshot::Sender<Outcome>,
    granted: Granted,
}

/// What a reply will say.
enum Granted {
    /// The how-many-eth order of the turn is done.
    Order(usize),
    /// What changed at the doors is written down.
    Admissions,
    /// Nothing came of it, and why.
    Nothing(String),
}

impl Reply {
    /// Answers with what was committed.
    fn send_all(replies: Vec<Reply>, done: Vec<Committed<Done>>) {
        let mut done = done.into_iter().map(Some).collect::<Vec<_>>();
        for Reply { outcome, granted } in replies {
            let told = match granted {
                Granted::Order(at) => Outcome::Done(done[at].take().expect("an order is answered once")),
                Granted::Admissions => Outcome::Admitted,
                Granted::Nothing(sentence) => Outcome::Refused(sentence),
            };
            // Who asked may have gone; it was granted all the same.
            let _ = outcome.send(told);
        }
    }
}
