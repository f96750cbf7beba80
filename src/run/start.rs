//! The start: everything the loop joins, in the order in which something can be missing.

use std::{
    collections::{BTreeSet, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
    thread,
};

use anyhow::Context;
use hall::{Hall, Scope};
use protocol::feed::{Answer, Order};
use tokio::sync::mpsc;

use super::{
    alarm::{Alarm, CLOSED},
    archive::Archive,
    awaited::Awaited,
    bulletins::Bulletins,
    cables::Cables,
    core_time::CoreTime,
    day::round_to_open,
    gates,
    library::{OnAir, Shown},
    origin,
    outlets::Outlets,
    past::{Folded, fold, fold_hall, has_a_game_on},
    plan::{ADDRESS, Plan, usual_state},
    pulse::Pulse,
    running::Run,
    wall::{Calendar, Wall},
    watched::{self, Watched},
};
use crate::{
    journal::{Chapter, Journal, JournalError, Past, Reader, today, wall_ms},
    press::{Counter, Source},
    prover::{Prover, Searched},
    record::{Book, Files, Scribe, papers::Day},
    screens::{
        Air, AppState, Counts, Entrance, Feed, Gate, Opened, Passes, Placed, Shelf,
        livechess::{House, LiveChess, Local, Tap},
        router,
        token::OperatorToken,
    },
    sensors::{Monotonic, Renewal, Sensed, Settings, Watch},
    voice::{self, Keypads, Speakers},
};

/// Orders that wait while a commit is under way. Nobody types faster.
const ORDERS_WAITING: usize = 64;

/// The build, as the journal keeps it beside every entry.
pub(super) const BUILD: &str = concat!("escaque ", env!("CARGO_PKG_VERSION"));

const NO_THREADS: &str = "the system gives no more threads: close other programs";

/// Everything, ready to run.
pub struct Started {
    /// The loop.
    pub run: Run,
    /// What the loop hears from the ports.
    pub sensed: mpsc::Receiver<Sensed>,
    /// What speakers report to the loop.
    pub players: voice::Reports,
    /// What was searched for the loop.
    pub searched: mpsc::Receiver<Searched>,
    /// What the loop is ordered.
    pub orders: mpsc::Receiver<Placed>,
    /// For those who give orders.
    pub ordering: mpsc::Sender<Placed>,
    /// For those who look.
    pub entrance: Entrance,
    /// Where screens of this machine connect in fact.
    pub address: SocketAddr,
    /// All listeners, that one first.
    pub opened: Arc<Vec<Opened>>,
    /// Who knows it may give orders.
    pub token: OperatorToken,
}

/// The house with its doors open, before it is known how everything stands: pages are served, and whoever wants to see
/// or order something waits for a moment.
pub struct Starting {
    state: PathBuf,
    event: Option<Order>,
    pairings: Option<Watched>,
    voice: voice::Plan,
    journal: Journal,
    past: Past,
    hall: Hall,
    feed: Feed,
    book: Arc<Mutex<Book>>,
    air: Arc<Mutex<Air>>,
    whole: Arc<AtomicBool>,
    counter: Counter,
    bulletins: Arc<Bulletins>,
    cables: Cables,
    sensed: mpsc::Receiver<Sensed>,
    clock: Monotonic,
    epoch: u64,
    orders: mpsc::Receiver<Placed>,
    ordering: mpsc::Sender<Placed>,
    /// Where screens of this machine connect in fact.
    pub address: SocketAddr,
    /// All listeners, that one first.
    pub opened: Arc<Vec<Opened>>,
    /// Who knows it may give orders.
    pub token: OperatorToken,
    /// The port at which clients of LiveChess are served, if they are.
    pub livechess: Option<u16>,
}

impl Starting {
    /// What changes where boards are looked for, while everything runs.
    pub fn renewal(&self) -> Renewal {
        self.cables.renewal()
    }

    /// Opens the doors and serves pages. Boards are looked for from here on.
    pub async fn open(plan: Plan) -> anyhow::Result<Starting> {
        Starting::open_by(plan, Monotonic::start(), router).await
    }

    /// The same by a clock, with doors that somebody may have tampered with.
    pub(super) async fn open_by(
        plan: Plan,
        clock: Monotonic,
        doors: impl FnOnce(AppState) -> axum::Router,
    ) -> anyhow::Result<Starting> {
        // First what is most often in the way and leaves nothing behind.
        let Plan { listen, beyond, ports, port_bytes, state, event, pairings, livechess, voice, air: targets } = plan;
        Journal::may_serve(&state).map_err(in_a_sentence)?;
        let taken = gates::take_ports(&listen, &beyond)?;
        let manners = gates::known_by(&listen, &beyond);
        let (journal, past) = Journal::open_shelved(&state, BUILD).map_err(in_a_sentence)?;
        let token = OperatorToken::keep(&state)?;
        let (gateways, opened) = gates::open(taken, beyond.certificate.as_ref(), &manners, &state)?;
        let address = opened[0].address;
        note_address(&state, address);
        let Folded { hall, register, .. } = fold_hall(&past.chapters[&Scope::Hall]);

        let epoch = origin::epoch(&state, &past, clock);
        let feed = Feed::open(name_of_this_run(), move || epoch + clock.now())?;
        feed.hold();
        let (watch, sensed) = Watch::start(ports, Settings { limit: Some(port_bytes), ..Settings::default() }, clock);
        let (ordering, orders) = mpsc::channel(ORDERS_WAITING);
        let (book, air, whole, calendar) = (Arc::default(), Arc::default(), Arc::default(), Calendar::default());
        let counter = Counter::new(targets);
        let bulletins = Arc::new(Bulletins::of(Arc::clone(&air), Arc::clone(&book)));
        let house = House { published: Arc::<Bulletins>::clone(&bulletins), wishes: ordering.clone() };
        let endpoint = livechess.and_then(|local| serve_livechess(&local, clock, epoch, house));
        let livechess = endpoint.as_ref().map(|endpoint| endpoint.port);
        let tap = endpoint.map_or_else(Tap::default, |endpoint| endpoint.tap);
        let app = AppState {
            entrance: feed.entrance(),
            orders: ordering.clone(),
            shelf: Shelf::new(Arc::new(Shown {
                book: Arc::clone(&book),
                whole: Arc::clone(&whole),
                day: Box::new(move || Day::here(epoch + clock.now(), wall_ms())),
            })),
            public_shelf: Shelf::new(Arc::new(OnAir {
                air: Arc::clone(&air),
                bulletins: Arc::clone(&bulletins),
                wall: Box::new(move |t| calendar.at(t, wall_ms(), epoch + clock.now())),
                whole: Arc::clone(&whole),
            })),
            gate: Gate::new(token.clone(), Passes::new(register), manners),
            opened: Arc::clone(&opened),
            counter: counter.clone(),
        };
        tokio::spawn(crate::screens::serve(gateways, doors(app)));
        Ok(Starting {
            state,
            event,
            pairings,
            voice,
            journal,
            past,
            hall,
            feed,
            book,
            air,
            whole,
            counter,
            bulletins,
            cables: Cables::new(watch, tap),
            sensed,
            clock,
            epoch,
            orders,
            ordering,
            address,
            opened,
            token,
            livechess,
        })
    }

    /// Reads how everything stands, and takes the games up again.
    pub async fn enter(mut self) -> anyhow::Result<Started> {
        let folded = self.read().await?;
        let Starting {
            state,
            event,
            pairings,
            voice,
            journal,
            past,
            feed,
            book,
            air,
            whole,
            counter,
            bulletins,
            cables,
            sensed,
            clock,
            epoch,
            ..
        } = self;
        report(&past, &folded);
        feed.restore(folded.views.clone());
        let entrance = feed.entrance();
        replace(&book, folded.book.clone());
        replace(&air, folded.air.clone());
        let (speakers, spoken) = Speakers::new(voice);
        let (keypads, pressed) = Keypads::new();
        let players = voice::Reports { spoken, pressed };
        let reader = journal.reader();
        let (found, findings) = mpsc::unbounded_channel();
        let scribe = Scribe::start(files(&state, reader.clone()), Arc::clone(&book), move |said| {
            // At the end nobody listens any more.
            let _ = found.send(said);
        });
        let scribe = scribe.context(NO_THREADS)?;
        let source: Arc<dyn Source> = bulletins;
        let press = counter.start(&state, &source).context(NO_THREADS)?;
        let (prover, searched) = Prover::start().context(NO_THREADS)?;
        let rounds = past.shelved.into_keys().collect();
        let names = past.chapters.into_values().next().expect("the hall's chapter comes first");
        let archive = Archive::open(reader, names, rounds).context(NO_THREADS)?;
        let alarm = Alarm::new(journal.health(), findings);
        let voices = folded.voices.clone();
        let outlets = Outlets { feed, book, whole, air, scribe, press, voices, speakers, keypads };
        let mut run = Run {
            time: CoreTime::after(folded.last_t, clock, epoch),
            hall: folded.hall.clone(),
            journal,
            awaited: Awaited::default(),
            archive,
            cables,
            outlets,
            prover,
            alarm,
            counts: Counts::default(),
            wall: Wall::default(),
        };
        if run.alarm.note_closed(folded.air.is_closed()) {
            tracing::error!("{CLOSED}");
        }
        run.go_on_air();
        run.resume(&folded).await.map_err(in_a_sentence)?;
        run.outlets.speak_on();
        if let Some(order) = event.or_else(|| round_to_open(&run.hall, folded.last_t, run.now(), &today())) {
            match run.order(order).await.map_err(in_a_sentence)? {
                // What the disk does not take at once it takes later.
                Answer::Done { .. } | Answer::Unrecorded { .. } => {}
                Answer::Refused { refused, .. } => anyhow::bail!(refused),
            }
        }
        run.outlets.feed.release();
        let Starting { orders, ordering, address, opened, token, .. } = self;
        if let Some(watched) = pairings {
            let (note, orders) = (state.join(watched::NOTE), ordering.clone());
            let elsewhere = Some(state).filter(|state| usual_state().ok().as_ref() != Some(state));
            let look = move || watched::watch(&watched, &note, elsewhere.as_deref(), &orders);
            thread::Builder::new().name("pairings".to_owned()).spawn(look)?;
        }
        Ok(Started { run, sensed, players, searched, orders, ordering, entrance, address, opened, token })
    }

    /// Folds the rounds in which games run, on threads of their own: whoever comes meanwhile is answered.
    async fn read(&mut self) -> anyhow::Result<Folded> {
        let reader = self.journal.reader();
        let shelved = self.past.shelved.keys().cloned().collect();
        let in_play = running(&self.hall, shelved, reader.clone());
        for scope in tokio::task::spawn_blocking(in_play).await? {
            let chapter = reader.open(&scope).await.map_err(in_a_sentence)?;
            self.past.shelved.remove(&scope);
            self.past.chapters.insert(scope, chapter);
        }
        let past = std::mem::take(&mut self.past);
        let (past, folded) = tokio::task::spawn_blocking(move || {
            let folded = fold(&past);
            (past, folded)
        })
        .await?;
        self.past = past;
        Ok(folded)
    }
}

fn replace<T>(shared: &Mutex<T>, with: T) {
    *shared.lock().unwrap_or_else(PoisonError::into_inner) = with;
}

/// Says which of these rounds have games that run: those that are open, those where boards were put since, and those where a
/// board sits before a game that has not ended.
fn running(hall: &Hall, shelved: BTreeSet<Scope>, reader: Reader) -> impl FnOnce() -> Vec<Scope> + Send + 'static {
    let scope = |(event, round): (String, u16)| Scope::Round { event, round };
    let open = hall.open_rounds().map(|(event, round)| ((event.to_owned(), round), true));
    let mut rounds = hall.rounds_with_boards();
    rounds.extend(open);
    let mut rounds = rounds.into_iter().map(|(round, is_sure)| (scope(round), is_sure)).collect::<Vec<_>>();
    rounds.retain(|(scope, _)| shelved.contains(scope));
    move || {
        // What can't be read now is asked for again, and says then why.
        let is_on = |scope: &Scope| reader.read(scope).is_ok_and(|chapter| has_a_game_on(&chapter));
        let running = rounds.into_iter().filter(|(scope, is_sure)| *is_sure || is_on(scope));
        running.map(|(scope, _)| scope).collect()
    }
}

fn in_a_sentence(error: JournalError) -> anyhow::Error {
    anyhow::Error::msg(error.advice())
}

impl Started {
    /// Opens everything and serves screens. Boards are looked for from here on.
    pub async fn open(plan: Plan) -> anyhow::Result<Started> {
        Starting::open(plan).await?.enter().await
    }

    /// Runs until `stop`, giving signs of life. What was heard before is on disk when this returns; what the disk did
    /// not take to the end is counted in the error.
    pub async fn run(mut self, pulse: Pulse, stop: impl Future<Output = ()>) -> anyhow::Result<()> {
        let outcome = self.run.run(self.sensed, self.orders, self.searched, self.players, pulse, stop).await;
        outcome.map_err(in_a_sentence)?;
        let health = self.run.journal.health();
        // With it goes the journal, whose thread tries once more before it ends.
        drop(self.run);
        let outage = health.borrow().outage.clone().filter(|outage| outage.held > 0);
        outage.map_or(Ok(()), |outage| Err(anyhow::Error::msg(outage.loss())))
    }
}

/// Where the port is taken nobody's game waits for it.
fn serve_livechess(local: &Local, clock: Monotonic, epoch: u64, house: House) -> Option<LiveChess> {
    LiveChess::open(local, clock, epoch, house)
        .inspect_err(|error| {
            tracing::warn!(
                "clients of LiveChess are not served: port {} is not to be had ({error}); end the program that has it and \
                 start again, or choose another with --livechess PORT",
                local.port
            );
        })
        .ok()
}

/// Where commands of this machine find the daemon. Without it they have to be told.
fn note_address(state: &Path, address: SocketAddr) {
    let path = state.join(ADDRESS);
    if let Err(error) = std::fs::write(&path, format!("{address}\n")) {
        tracing::warn!(%error, path = %path.display(), "commands won't find this daemon by themselves");
    }
}

/// The PGN files, but for those that know more than the journal.
fn files(state: &Path, reader: Reader) -> Files {
    Files::guarded(state, move |event, round| {
        let chapter = reader.read(&Scope::Round { event: event.to_owned(), round });
        // Players are named in the hall's file.
        let hall = reader.read(&Scope::Hall).unwrap_or_else(|_| Chapter::begin(Scope::Hall, ""));
        chapter.map_or_else(|_| Vec::new(), |chapter| chapter.record_with(&hall.record().0).0.into_inner().events)
    })
}

fn report(past: &Past, folded: &Folded) {
    let inputs = past.chapters.values().map(|chapter| chapter.end().inputs).sum::<u64>();
    if inputs > 0 {
        tracing::info!(inputs, "journal read again");
    }
    if folded.unread > 0 {
        tracing::error!(rows = folded.unread, "rows of the journal can't be read by this build; they are left alone");
    }
}

/// New at each start: the hasher's keys are random.
fn name_of_this_run() -> String {
    format!("{:016x}", RandomState::new().build_hasher().finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::day::dated;

    #[tokio::test]
    async fn a_round_that_is_not_on_disk_is_not_shown_at_the_doors() {
        let state = tempfile::tempdir().expect("a folder for the test");
        let plan = Plan::for_a_test(state.path()).expect("an address and a pattern");
        let mut started = Started::open(plan).await.expect("the folder is writable");
        // A file where the journal of the next round wants its folder.
        std::fs::write(state.path().join("journal/spring"), "in the way").expect("the folder is writable");
        started.run.order(dated("spring", 1, "2026.11.20")).await.expect("it waits for the disk");
        let book = started.run.book();
        let book = book.lock().unwrap_or_else(PoisonError::into_inner);
        assert_ne!(book.open().map(|(event, _)| event), Some("spring"));
    }
}
