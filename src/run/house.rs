//! Opening the house: everything the loop joins, in the order in which something can be missing.

use std::{
    collections::hash_map::RandomState,
    hash::{BuildHasher, Hasher},
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::Context;
use protocol::feed::{Answer, Command, Order};
use tokio::sync::mpsc;

use super::{Folded, Placed, Run, fold};
use crate::{
    journal::{Journal, Past},
    record::{Book, Files},
    screens::{AppState, Entrance, Feed, PgnAddress, listen, router, token::OperatorToken},
    sensors::{Monotonic, Patterns, Sensed, Settings, Watch},
};

/// Orders that wait while a commit is under way. Nobody types faster.
const ORDERS_WAITING: usize = 64;

/// The build, as the journal keeps it beside every entry.
const BUILD: &str = concat!("escaque ", env!("CARGO_PKG_VERSION"));

/// What the house is opened with.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Where screens connect.
    pub listen: SocketAddr,
    /// Where boards are looked for.
    pub ports: Patterns,
    /// Where everything is kept.
    pub state: PathBuf,
    /// The event, if it is not that of the day.
    pub event: Option<Order>,
}

/// Everything, ready to run.
pub struct House {
    /// The loop.
    pub run: Run,
    /// What the loop hears from the ports.
    pub sensed: mpsc::Receiver<Sensed>,
    /// What the loop is ordered.
    pub orders: mpsc::Receiver<Placed>,
    /// For those who give orders.
    pub ordering: mpsc::Sender<Placed>,
    /// For those who look.
    pub entrance: Entrance,
    /// Where screens connect in fact.
    pub address: SocketAddr,
    /// Who knows it may give orders.
    pub token: OperatorToken,
}

impl House {
    /// Opens everything and serves screens. Boards are looked for from here on.
    pub async fn open(plan: Plan) -> anyhow::Result<House> {
        // First what is most often in the way and leaves nothing behind.
        let listener = listen::listen(plan.listen)?;
        let address = listener.local_addr()?;
        let (journal, past) = Journal::open(&plan.state, BUILD).map_err(|error| {
            let hint = error.hint();
            anyhow::Error::from(error).context(hint)
        })?;
        let token = OperatorToken::keep(&plan.state)?;
        let folded = fold(&past);
        report(&past, &folded);

        let clock = Monotonic::start();
        let epoch = epoch(&folded);
        let feed = Feed::open(name_of_this_run(), move || epoch + clock.now())?;
        feed.restore(folded.view.clone());
        let entrance = feed.entrance();
        let (watch, sensed) = Watch::start(plan.ports, Settings::default(), clock);
        let book = Arc::new(Mutex::new(folded.book.clone()));
        let (ordering, orders) = mpsc::channel(ORDERS_WAITING);
        let files = Files::new(&plan.state);
        let hall = folded.hall.clone();
        let mut run = Run { hall, journal, feed, book, files, watch, clock, epoch };
        run.resume(&folded).await?;
        if let Some(order) = plan.event.or_else(|| round_to_open(&run)) {
            match run.order(order).await? {
                Answer::Done(_) => {}
                Answer::Refused(sentence) => anyhow::bail!(sentence),
            }
        }

        let library = library(Arc::clone(&run.book), run.hall.open_round());
        let state = AppState { entrance: entrance.clone(), orders: ordering.clone(), library, token: token.clone() };
        tokio::spawn(crate::screens::serve(listener, router(state)));
        Ok(House { run, sensed, orders, ordering, entrance, address, token })
    }

    /// Runs until `stop`. What was heard before is on disk when this returns.
    pub async fn run(mut self, stop: impl Future<Output = ()>) -> anyhow::Result<()> {
        self.run.run(self.sensed, self.orders, stop).await.map_err(|error| {
            let hint = error.hint();
            anyhow::Error::from(error).context(hint)
        })
    }
}

fn report(past: &Past, folded: &Folded) {
    let inputs = past.chapters.values().map(|chapter| chapter.inputs.len()).sum::<usize>();
    if inputs > 0 {
        tracing::info!(inputs, "journal read again");
    }
    if folded.unread > 0 {
        tracing::error!(rows = folded.unread, "rows of the journal can't be read by this build; they are left alone");
    }
}

/// Core time goes on from the last input plus the time nobody listened, as far as the wall's clock tells it.
fn epoch(folded: &Folded) -> u64 {
    let gap = folded.last_wall_ms.map_or(0, |then| wall_ms().saturating_sub(then));
    folded.last_t + gap
}

/// A label for people, and the length of a stop: no other clock survives one.
fn wall_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// New at each start: the hasher's keys are random.
fn name_of_this_run() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

/// The day, as PGN writes it, by the clock on this machine's wall.
pub fn today() -> String {
    jiff::Zoned::now().strftime("%Y.%m.%d").to_string()
}

/// A hall that was told of no event has a round of the day, and a new one the next day.
fn round_to_open(run: &Run) -> Option<Order> {
    let date = today();
    let of_the_day = round_of_the_day(&date);
    match run.hall.open_round() {
        None => Some(of_the_day),
        Some((event, _)) => {
            let is_a_day = jiff::civil::Date::strptime("%Y-%m-%d", event).is_ok();
            (is_a_day && event != date.replace('.', "-")).then_some(of_the_day)
        }
    }
}

fn round_of_the_day(date: &str) -> Order {
    let command = Command::OpenRound {
        event: date.replace('.', "-"),
        round: 1,
        title: String::new(),
        site: String::new(),
        date: date.to_owned(),
        time_control: None,
    };
    Order { table: None, command }
}

/// What the doors hand out as PGN. `/pgn` and `/pgn/TABLE` mean the round that was open at the start.
fn library(book: Arc<Mutex<Book>>, open: Option<(&str, u16)>) -> Arc<dyn crate::screens::Library> {
    let open = open.map(|(event, round)| (event.to_owned(), round));
    Arc::new(move |address: &PgnAddress| {
        let book = book.lock().unwrap_or_else(PoisonError::into_inner);
        let none_open = || "No round is open. Write /pgn/EVENT/ROUND, as in /pgn/open/3.".to_owned();
        let text = match address {
            PgnAddress::All => {
                let (event, round) = open.as_ref().ok_or_else(none_open)?;
                book.round_pgn(event, *round)
            }
            PgnAddress::Table(table) => {
                let (event, round) = open.clone().ok_or_else(none_open)?;
                book.table_pgn(&protocol::feed::TableId { event, round, table: *table })
            }
            PgnAddress::Round { event, round } => book.round_pgn(event, *round),
            PgnAddress::Game(table) => book.table_pgn(table),
        };
        if text.is_empty() {
            Err("There is no game here yet: none has begun at this address.".to_owned())
        } else {
            Ok(text)
        }
    })
}

/// The state folder of this user, or of the service.
pub fn usual_state() -> anyhow::Result<PathBuf> {
    if let Some(folder) = std::env::var_os("STATE_DIRECTORY").filter(|folder| !folder.is_empty()) {
        return Ok(PathBuf::from(folder));
    }
    let home = || Some(Path::new(&std::env::var_os("HOME")?).join(".local/state"));
    let base = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute()).or_else(home);
    Ok(base.context("there is no home folder to keep games in: name one with --state DIR")?.join("escaque"))
}
