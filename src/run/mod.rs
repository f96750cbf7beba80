//! The run: the one loop that joins the rooms. Inputs in; to the journal; events and asks out.
//!
//! Order is everything here: sights are shown as they come, entries only after the journal has given its receipt for
//! the inputs they follow from.

mod house;
mod past;
mod replay;
mod turn;

use std::{
    collections::{BTreeMap, BTreeSet},
    future::pending,
    sync::{Arc, Mutex, PoisonError},
};

use hall::{Ask, Hall, Input, Scope};
use protocol::{
    board::{Link, Observation},
    feed::{Answer, Order},
};
use tokio::sync::{mpsc, oneshot};

pub use house::{House, Plan, today, usual_state};
pub use past::{Folded, fold};
pub use replay::Replay;

use crate::{
    journal::{Journal, JournalError, Receipt},
    record::{Book, Files},
    screens::Feed,
    sensors::{Monotonic, Sensed, Watch, What as Heard},
};
use turn::{Told, Turn, What};

/// How many inputs share a commit at most. A commit takes a fifth of a millisecond on a good disk and twenty on a bad
/// one; in twenty, fifty boards say far less than this.
const SHARED: usize = 256;

/// An order and where its answer goes.
pub type Placed = (Order, oneshot::Sender<Answer>);

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
    /// The PGN files.
    pub files: Files,
    /// The ports.
    pub watch: Watch,
    /// The clock of the watch.
    pub clock: Monotonic,
    /// What the core's time was when that clock began.
    pub epoch: u64,
}

/// What the loop knows of the ports.
#[derive(Debug, Default)]
struct Ports {
    /// The serial number of the board behind each port.
    boards: BTreeMap<Arc<str>, String>,
}

impl Run {
    /// Core time at this moment.
    pub fn now(&self) -> u64 {
        self.epoch + self.clock.now()
    }

    /// Says that the daemon is back, at every table, before anything else is heard.
    pub async fn resume(&mut self, folded: &Folded) -> Result<(), JournalError> {
        let now = self.now();
        let gap_ms = now.saturating_sub(folded.last_t);
        let tables = self.hall.tables().map(|(id, _)| id.clone()).collect::<Vec<_>>();
        let mut turn = Turn::default();
        for table in tables {
            let record = folded.differing.get(&table).cloned();
            if record.is_some() {
                tracing::warn!(%table, "this build reads the journal differently; the published record stands");
            }
            let resumed = Input::Resumed { table, gap_ms, record };
            turn.take(&mut self.hall, resumed, now).expect("only orders are refused");
        }
        self.close(turn).await
    }

    /// Places an order as the daemon itself, before the loop runs.
    pub async fn order(&mut self, order: Order) -> Result<Answer, JournalError> {
        let (answer, answered) = oneshot::channel();
        let mut turn = Turn::default();
        let reply = self.carry_out((order, answer), &mut turn);
        self.close(turn).await?;
        reply.send();
        Ok(answered.await.unwrap_or_else(|_| Answer::Refused("the daemon is stopping".to_owned())))
    }

    /// Runs until `stop`; what was heard before is on disk when it returns.
    pub async fn run(
        &mut self,
        mut sensed: mpsc::Receiver<Sensed>,
        mut orders: mpsc::Receiver<Placed>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), JournalError> {
        tokio::pin!(stop);
        let mut ports = Ports::default();
        loop {
            let mut turn = Turn::default();
            let mut replies = Vec::new();
            tokio::select! {
                () = &mut stop => return Ok(()),
                heard = sensed.recv() => match heard {
                    Some(heard) => self.hear(heard, &mut ports, &mut turn),
                    None => return Ok(()),
                },
                Some(placed) = orders.recv() => replies.push(self.carry_out(placed, &mut turn)),
                () = self.deadline() => turn.elapse(&mut self.hall, self.epoch + self.clock.now()),
            }
            for _ in 0..SHARED {
                let Ok(heard) = sensed.try_recv() else { break };
                self.hear(heard, &mut ports, &mut turn);
            }
            self.ask(&mut turn, &ports);
            self.close(turn).await?;
            replies.into_iter().for_each(Reply::send);
        }
    }

    async fn deadline(&self) {
        match self.hall.deadline() {
            Some(at) => self.clock.sleep_until(at.saturating_sub(self.epoch)).await,
            None => pending().await,
        }
    }

    fn hear(&mut self, sensed: Sensed, ports: &mut Ports, turn: &mut Turn) {
        let Sensed { port, at, what } = sensed;
        let now = self.epoch + at;
        match what {
            Heard::Board(identity) => {
                let Some(serial) = identity.serial() else { return };
                if let Some((other, _)) = ports.boards.iter().find(|(other, known)| **other != port && *known == serial)
                {
                    tracing::warn!(%port, %other, serial, "two ports say they are the same board; the newer one counts");
                }
                ports.boards.retain(|_, known| known != serial);
                ports.boards.insert(port.clone(), serial.to_owned());
                tracing::info!(%port, board = serial, "board found");
            }
            Heard::Observed(observation) => {
                let Some(board) = ports.boards.get(&port).cloned() else { return };
                if observation == Observation::Link(Link::Down) {
                    ports.boards.remove(&port);
                    tracing::warn!(%port, board, "board lost");
                }
                self.observe(board, observation, now, turn);
            }
            Heard::Awaited => tracing::warn!(%port, "port is not there; waiting for it"),
            Heard::Refused(error) => tracing::warn!(%port, hint = error.hint(), "{error}"),
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
        if let Some(order) = self.hall.seat(&board) {
            if let Some(table) = &order.table {
                tracing::info!(board, %table, "board assigned");
            }
            turn.take(&mut self.hall, Input::Ordered(order), now).expect("the hall offered this seat itself");
        }
        let Some(table) = self.hall.table_of(&board).cloned() else { return };
        let input = Input::Observed { table, board, observation };
        turn.take(&mut self.hall, input, now).expect("only orders are refused");
    }

    fn carry_out(&mut self, (order, answer): Placed, turn: &mut Turn) -> Reply {
        let now = self.now();
        let command = order.command.clone();
        let content = match turn.take(&mut self.hall, Input::Ordered(order), now) {
            Ok(events) => {
                past::note_round(&mut self.book.lock().unwrap_or_else(PoisonError::into_inner), &command);
                Answer::Done(events)
            }
            Err(refusal) => Answer::Refused(refusal.to_string()),
        };
        Reply { answer, content }
    }

    fn ask(&self, turn: &mut Turn, ports: &Ports) {
        for Ask::Dump { board } in turn.take_asks() {
            if let Some((port, _)) = ports.boards.iter().find(|(_, known)| **known == board) {
                self.watch.ask_board(port);
            }
        }
    }

    /// Shows what may be shown, writes down what must be, then publishes.
    async fn close(&mut self, mut turn: Turn) -> Result<(), JournalError> {
        if turn.is_empty() {
            return Ok(());
        }
        let batches = turn.take_batches();
        let (at_once, after) = turn.into_parts();
        for told in at_once {
            self.tell(told, &BTreeMap::new());
        }
        let mut receipts = BTreeMap::new();
        for (scope, batch) in batches {
            receipts.insert(scope, self.journal.commit(batch).await?);
        }
        let changed = after.iter().map(|told| told.table.clone()).collect::<BTreeSet<_>>();
        for told in after {
            self.tell(told, &receipts);
        }
        if !changed.is_empty() {
            let book = self.book.lock().unwrap_or_else(PoisonError::into_inner);
            for sentence in self.files.update(&book, &changed) {
                tracing::error!("{sentence}");
            }
        }
        Ok(())
    }

    fn tell(&self, told: Told, receipts: &BTreeMap<Scope, Receipt>) {
        let event = told.event();
        let Told { table, t, what } = told;
        match what {
            What::Sight(sight) => self.feed.show(&table, t, vec![sight]),
            What::Entry(scope, entry) => {
                let receipt = receipts.get(&scope).expect("every entry's batch was committed before");
                self.book.lock().unwrap_or_else(PoisonError::into_inner).apply(&event);
                self.feed.publish(receipt, &table, t, vec![entry]);
            }
        }
    }
}

/// An answer that waits until what it says is on disk.
struct Reply {
    answer: oneshot::Sender<Answer>,
    content: Answer,
}

impl Reply {
    fn send(self) {
        // Who asked may have gone; the order was carried out all the same.
        let _ = self.answer.send(self.content);
    }
}
