//! The prover: searches aside for what a table could not decide, one question at a time, on a thread of its own.
//!
//! It knows questions and answers, and no game: what nobody asks any more is dropped, also in the middle of a search.

use std::{
    collections::VecDeque,
    io,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use hall::{Answer, Doubt};
use laws::dead::{Budget, Search, Verdict};
use protocol::feed::TableId;
use tokio::sync::mpsc;

use crate::sensors::Monotonic;

/// How long one search may take, in milliseconds. A search remembers less than half a gibibyte by itself.
const LONGEST_MS: u64 = 10_000;

/// How many positions are looked at between two looks at whether anybody still asks: some milliseconds.
const STEP: u64 = 4_096;

/// Answers that wait for the loop. One is found in a second at most, and taken in milliseconds.
const WAITING: usize = 64;

/// How much the search yields to whoever wants the processor: boards are heard and screens served first.
const NICENESS: i32 = 10;

/// An answer, and the table that asked.
pub type Searched = (TableId, Answer);

/// Searches until it is dropped.
#[derive(Debug)]
pub struct Prover(Arc<Desk>);

/// What lies on the prover's desk.
#[derive(Debug, Default)]
struct Desk {
    work: Mutex<Work>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Work {
    waiting: VecDeque<(TableId, Doubt)>,
    /// What is being searched; taken away when nobody asks it any more.
    at_hand: Option<(TableId, Doubt)>,
    closed: bool,
}

impl Prover {
    /// Begins to wait for questions. Answers come through the channel.
    pub fn start() -> io::Result<(Prover, mpsc::Receiver<Searched>)> {
        let desk = Arc::new(Desk::default());
        let (answers, searched) = mpsc::channel(WAITING);
        let work = Arc::clone(&desk);
        std::thread::Builder::new().name("prover".to_owned()).spawn(move || {
            // Without the right to it the search is not more polite, and no less right.
            let _ = rustix::process::nice(NICENESS);
            work.search_on(&answers);
        })?;
        Ok((Prover(desk), searched))
    }

    /// One that answers when it is told to.
    #[cfg(test)]
    pub(crate) fn by_hand() -> Prover {
        Prover(Arc::default())
    }

    /// Answers the question that lies on top, by so long a search.
    #[cfg(test)]
    pub(crate) fn answer(&self, budget: Budget) -> Option<Searched> {
        let (table, doubt) = self.0.work().waiting.pop_front()?;
        let answer = doubt.search(budget);
        Some((table, answer))
    }

    /// From here on this table asks these, and nothing else.
    pub fn ask(&self, table: &TableId, doubts: Vec<Doubt>) {
        let mut work = self.0.work();
        let asked = |doubt: &Doubt| doubts.iter().any(|known| known.question == doubt.question);
        work.waiting.retain(|(from, doubt)| from != table || asked(doubt));
        work.at_hand.take_if(|(from, doubt)| from == table && !asked(doubt));
        for doubt in doubts {
            let known = |(from, known): &(TableId, Doubt)| from == table && known.question == doubt.question;
            if !work.waiting.iter().chain(&work.at_hand).any(known) {
                work.waiting.push_back((table.clone(), doubt));
            }
        }
        self.0.changed.notify_all();
    }
}

impl Drop for Prover {
    fn drop(&mut self) {
        let mut work = self.0.work();
        *work = Work { closed: true, ..Work::default() };
        self.0.changed.notify_all();
    }
}

impl Desk {
    /// What lies there is whole between any two statements, so a panic elsewhere spoils nothing.
    fn work(&self) -> MutexGuard<'_, Work> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn search_on(&self, answers: &mpsc::Sender<Searched>) {
        while let Some((table, doubt)) = self.next() {
            let Some(verdict) = self.search(&doubt) else { continue };
            let answer = Answer::new(&doubt, verdict);
            if answers.blocking_send((table, answer)).is_err() {
                return;
            }
        }
    }

    /// Waits for a question; none when the prover is gone.
    fn next(&self) -> Option<(TableId, Doubt)> {
        let mut work = self.work();
        loop {
            if work.closed {
                return None;
            }
            if let Some(next) = work.waiting.pop_front() {
                work.at_hand = Some(next.clone());
                return Some(next);
            }
            work = self.changed.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// What the search comes to; nothing if it is not asked any more.
    fn search(&self, doubt: &Doubt) -> Option<Verdict> {
        let clock = Monotonic::start();
        let mut search = Search::new(doubt.position(), doubt.color());
        let verdict = loop {
            self.work().at_hand.as_ref()?;
            if let Some(verdict) = search.step(STEP) {
                break verdict;
            }
            if search.is_stuck() || search.spent() >= Budget::BACKGROUND.0 || clock.now() >= LONGEST_MS {
                break Verdict::Unknown { spent: search.spent() };
            }
        };
        let question = &doubt.question;
        let (ms, spent) = (clock.now(), search.spent());
        tracing::info!(ply = %question.ply, side = ?question.side, fen = question.fen, ms, spent, "searched for a mate");
        self.work().at_hand.take().map(|_| verdict)
    }
}

#[cfg(test)]
mod tests {
    use hall::Ply;
    use protocol::feed::Side;
    use shakmaty::{CastlingMode, Chess, fen::Fen};

    use super::*;

    /// Dead, by forty thousand positions: some tenths of a second.
    const DEAD: &str = "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B3/8/8/8 w - - 0 1";

    #[test]
    fn what_is_asked_is_answered_in_turn() {
        let (prover, mut searched) = Prover::start().expect("a thread");
        let doubts = doubts(DEAD);
        prover.ask(&table(1), doubts.clone());
        for doubt in doubts {
            let (from, answer) = searched.blocking_recv().expect("an answer");
            assert_eq!((from, answer), (table(1), doubt.search(Budget::BACKGROUND)));
        }
    }

    #[test]
    fn what_is_not_asked_any_more_is_not_answered() {
        let (prover, mut searched) = Prover::start().expect("a thread");
        let (first, second) = (doubts(DEAD), doubts(&DEAD.replace(" w ", " b ")));
        prover.ask(&table(1), first);
        prover.ask(&table(2), second.clone());
        prover.ask(&table(1), Vec::new());
        let (from, answer) = searched.blocking_recv().expect("an answer");
        assert_eq!((from, &answer.question), (table(2), &second[0].question));
    }

    #[test]
    fn the_thread_ends_with_the_prover_in_the_middle_of_a_search() {
        let (prover, mut searched) = Prover::start().expect("a thread");
        prover.ask(&table(1), doubts(DEAD));
        drop(prover);
        assert_eq!(searched.blocking_recv(), None);
    }

    /// Whether White can mate, and Black.
    fn doubts(fen: &str) -> Vec<Doubt> {
        let position: Chess =
            fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
        let doubt = |side| Doubt::new(1, Ply::START, side, position.clone(), CastlingMode::Standard);
        [Side::White, Side::Black].map(doubt).into()
    }

    fn table(number: u16) -> TableId {
        TableId { event: "open".to_owned(), round: 1, table: number }
    }
}
