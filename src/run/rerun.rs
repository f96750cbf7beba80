//! The rerun: a journal that was written, told to screens again as if it happened at this moment.

use std::{
    collections::{BTreeMap, VecDeque},
    net::SocketAddr,
    path::Path,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use hall::Scope;
use protocol::feed::{Event, Sight, TableId};
use tokio::{sync::mpsc, time::Instant};

use super::{
    Beyond, Replay,
    gates::{known_by, open, take_ports},
    library::Shown,
};
use crate::{
    journal::{Committed, Entries, Past},
    press::Counter,
    record::{Book, papers::Day},
    screens::{
        AppState, Feed, Gate, Outcome, Passes, Placed, Register, Shelf, listen::Where, router, serve,
        token::OperatorToken,
    },
};

/// Longer than this nobody waits for a game to go on: it was night, or lunch.
const LONGEST_PAUSE: Duration = Duration::from_secs(30 * 60);

/// Orders nobody carries out.
const ORDERS_WAITING: usize = 8;

const ONLY_A_REPLAY: &str = "This is a replay of what was: nothing can be ordered. Orders are for `escaque serve`.";

/// What is told again, in order.
#[derive(Debug)]
pub struct Rerun {
    /// The rounds that were opened.
    rounds: Committed<Entries>,
    moments: VecDeque<(u64, Told)>,
    /// What the clock on the wall read then.
    day: Day,
}

#[derive(Debug)]
enum Told {
    Seen(TableId, Sight),
    Published(Committed<Entries>),
}

impl Rerun {
    /// All that a replay of this past tells: sights as this build sees them, and the record as it was published.
    pub fn of(past: &Past, replay: Replay) -> Rerun {
        let mut published = published(past);
        let rounds = past.chapters.get(&Scope::Hall).map(|hall| hall.record_of(|_| false).0).unwrap_or_default();
        let mut moments = VecDeque::new();
        for event in replay.events {
            let Some(table) = event.table else { continue };
            match event.event {
                Event::Sight(sight) => moments.push_back((event.t, Told::Seen(table, sight))),
                Event::Entry(_) => {
                    let next = published.get_mut(&table).and_then(VecDeque::pop_front);
                    moments.extend(next.map(|entry| (event.t, Told::Published(entry))));
                }
            }
        }
        let day = Day::at_the_end_of(past);
        Rerun { rounds, moments, day }
    }

    /// Serves it so many times as fast as it was, until `stop`. Who looks when all is told sees how it ended.
    pub async fn serve(
        mut self,
        listen: &Where,
        speed: f64,
        greet: impl FnOnce(SocketAddr),
        stop: impl Future<Output = ()>,
    ) -> anyhow::Result<()> {
        let began = self.moments.front().map_or(0, |(t, _)| *t);
        let pace = Arc::new(Mutex::new(Pace { t: began, at: Instant::now(), speed }));
        let clock = Arc::clone(&pace);
        let feed = Feed::open("replay".to_owned(), move || clock.lock().unwrap_or_else(PoisonError::into_inner).now())?;
        let mut book = Book::default();
        book.apply(&self.rounds);
        let book = Arc::new(Mutex::new(book));
        let (orders, mut ordered) = mpsc::channel(ORDERS_WAITING);
        greet(open_doors(listen, &feed, &book, self.day.clone(), orders)?);

        tokio::pin!(stop);
        loop {
            let due = self.moments.front().map(|(t, _)| pace.lock().unwrap_or_else(PoisonError::into_inner).due(*t));
            tokio::select! {
                () = &mut stop => return Ok(()),
                Some(placed) = ordered.recv() => refuse(placed),
                () = tokio::time::sleep_until(due.unwrap_or_else(Instant::now)), if due.is_some() => {
                    let Some((t, told)) = self.moments.pop_front() else { continue };
                    pace.lock().unwrap_or_else(PoisonError::into_inner).come_to(t);
                    match told {
                        Told::Seen(table, sight) => feed.show(&table, t, vec![sight]),
                        Told::Published(entry) => {
                            book.lock().unwrap_or_else(PoisonError::into_inner).apply(&entry);
                            feed.publish(&entry);
                        }
                    }
                }
            }
        }
    }
}

/// What was published of each table, one by one.
fn published(past: &Past) -> BTreeMap<TableId, VecDeque<Committed<Entries>>> {
    let mut published = BTreeMap::<TableId, VecDeque<_>>::new();
    let Some(hall) = past.chapters.get(&Scope::Hall) else { return published };
    let rounds = past.chapters.values().filter(|chapter| *chapter.scope() != Scope::Hall);
    let others = hall.record_of(|scope| !past.chapters.contains_key(scope)).0;
    let hall = hall.record().0;
    for record in rounds.map(|chapter| chapter.record_with(&hall).0).chain([others]) {
        for one in record.one_by_one() {
            let table = one.get().events.first().and_then(|event| event.table.clone());
            if let Some(table) = table {
                published.entry(table).or_default().push_back(one);
            }
        }
    }
    published
}

fn open_doors(
    listen: &Where,
    feed: &Feed,
    book: &Arc<Mutex<Book>>,
    day: Day,
    orders: mpsc::Sender<Placed>,
) -> anyhow::Result<SocketAddr> {
    let beyond = Beyond::default();
    let manners = known_by(listen, &beyond);
    let (gateways, opened) = open(take_ports(listen, &beyond)?, None, &manners, Path::new(""))?;
    let address = opened[0].address;
    let whole = Arc::new(AtomicBool::new(true));
    let shown = Shown { book: Arc::clone(book), whole, day: Box::new(move || day.clone()) };
    let shelf = Shelf::new(Arc::new(shown));
    let app = AppState {
        entrance: feed.entrance(),
        orders,
        public_shelf: shelf.clone(),
        shelf,
        gate: Gate::new(OperatorToken::for_now()?, Passes::new(Register::default()), manners),
        opened,
        counter: Counter::default(),
    };
    tokio::spawn(serve(gateways, router(app)));
    Ok(address)
}

fn refuse(placed: Placed) {
    // Who asked may have gone.
    let _ = placed.outcome.send(Outcome::Refused(ONLY_A_REPLAY.to_owned().into()));
}

/// The hall's time, which goes so many times as fast as ours.
#[derive(Debug)]
struct Pace {
    t: u64,
    at: Instant,
    speed: f64,
}

impl Pace {
    fn now(&self) -> u64 {
        let since = Duration::try_from_secs_f64(self.at.elapsed().as_secs_f64() * self.speed).unwrap_or_default();
        self.t + u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn due(&self, t: u64) -> Instant {
        let pause = Duration::from_millis(t.saturating_sub(self.t));
        let pause = if pause > LONGEST_PAUSE { Duration::ZERO } else { pause };
        self.at + Duration::try_from_secs_f64(pause.as_secs_f64() / self.speed).unwrap_or(LONGEST_PAUSE)
    }

    /// What is told late is late once: time goes on from what was told.
    fn come_to(&mut self, t: u64) {
        (self.at, self.t) = (self.due(t).max(self.at), self.t.max(t));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn twice_as_fast_is_half_as_long_and_nobody_waits_for_a_night() {
        let began = Instant::now();
        let mut pace = Pace { t: 1_000, at: began, speed: 2.0 };
        assert_eq!(pace.due(3_000), began + Duration::from_secs(1));
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(pace.now(), 3_000);
        pace.come_to(3_000);
        assert_eq!(pace.due(3_000 + 10 * 60 * 60 * 1_000), began + Duration::from_secs(1));
    }
}
