//! The shell loop: looks for ports, drives one dialogue a port, and never gives up.

use std::collections::BTreeMap;
use std::mem::Discriminant;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep_until;

use super::budget::NO_LIMIT;
use super::find::Patterns;
use super::port::{Port, PortError};
use super::roster::Roster;
use super::sensed::{Monotonic, NobodyListens, Sensed, What, tell};
use super::talk::{Bells, Talk};

/// How often ports are looked for. A board plugged in is seen within this and its introduction takes 0.7 s more.
/// A look reads one folder: at this pace, some hundredths of a percent of a core.
const LOOK_MS: u64 = 500;

/// A watch that has not looked for so long hangs.
const ASLEEP_MS: u64 = 5_000;

/// What waits for a slow reader: some seconds of fifty boards in a blitz finish. Then ports wait, in the kernel.
const WAITING: usize = 4096;

/// How a watch goes about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Every byte in both directions is passed on too.
    pub tap: bool,
    /// Nothing is ever sent: the bytes are all there is.
    pub listen_only: bool,
    /// How many bytes a port may say in a second, for longer than a moment; any number where nothing is said.
    pub limit: Option<u32>,
}

/// All ports under watch. Dropping it closes them.
#[derive(Debug)]
pub struct Watch {
    asks: mpsc::UnboundedSender<Wanted>,
    limit: Arc<AtomicU32>,
    /// When it looked last.
    looked: Arc<AtomicU64>,
    task: JoinHandle<()>,
}

/// What somebody wants of a watch that runs.
#[derive(Debug)]
enum Wanted {
    /// The whole board at the port of this name.
    Board(String),
    /// Other ports than until now.
    Ports(Patterns),
}

/// The ports whose boards were asked to show all their squares.
#[cfg(test)]
#[derive(Debug)]
pub(crate) struct Asked(mpsc::UnboundedReceiver<Wanted>);

#[cfg(test)]
impl Asked {
    /// All of them since the last look.
    pub(crate) fn ports(&mut self) -> Vec<String> {
        let mut ports = Vec::new();
        while let Ok(wanted) = self.0.try_recv() {
            if let Wanted::Board(port) = wanted {
                ports.push(port);
            }
        }
        ports
    }
}

/// Changes what a watch looks for while it runs.
#[derive(Clone, Debug)]
pub struct Renewal {
    asks: mpsc::UnboundedSender<Wanted>,
    limit: Arc<AtomicU32>,
}

impl Renewal {
    /// From now on boards are looked for under these names, and a port may say so much in a second. Ports that are
    /// meant no more are closed; the others are not disturbed.
    pub fn renew(&self, patterns: Patterns, limit: Option<u32>) {
        self.limit.store(limit.unwrap_or(NO_LIMIT), Ordering::Relaxed);
        // A watch that has ended looks for nothing any more.
        let _ = self.asks.send(Wanted::Ports(patterns));
    }
}

impl Watch {
    /// Begins to look. Everything sensed comes through the channel; it ends when the watch is dropped.
    pub fn start(patterns: Patterns, settings: Settings, clock: Monotonic) -> (Watch, mpsc::Receiver<Sensed>) {
        let (told, sensed) = mpsc::channel(WAITING);
        let (asks, asked) = mpsc::unbounded_channel();
        let limit = Arc::new(AtomicU32::new(settings.limit.unwrap_or(NO_LIMIT)));
        let looked = Arc::new(AtomicU64::new(clock.now()));
        let keeper = Keeper {
            patterns,
            settings,
            limit: Arc::clone(&limit),
            looked: Arc::clone(&looked),
            clock,
            told,
            roster: Roster::default(),
            talks: JoinSet::new(),
            bells: BTreeMap::new(),
            refusals: BTreeMap::new(),
        };
        let task = tokio::spawn(keeper.keep(asked));
        (Watch { asks, limit, looked, task }, sensed)
    }

    /// One that looks nowhere, and who it is asked for. Wants a runtime around it.
    #[cfg(test)]
    pub(crate) fn by_hand() -> (Watch, Asked) {
        let (asks, asked) = mpsc::unbounded_channel();
        let task = tokio::spawn(async {});
        (Watch { asks, limit: Arc::default(), looked: Arc::default(), task }, Asked(asked))
    }

    /// It has looked for ports lately.
    pub fn is_awake(&self, now: u64) -> bool {
        now.saturating_sub(self.looked.load(Ordering::Relaxed)) <= ASLEEP_MS
    }

    /// What changes it while it runs.
    pub fn renewal(&self) -> Renewal {
        Renewal { asks: self.asks.clone(), limit: Arc::clone(&self.limit) }
    }

    /// Asks the board at this port to show all its squares. If none is there, its first words will.
    pub fn ask_board(&self, port: &str) {
        // The keeper ends only with the watch.
        let _ = self.asks.send(Wanted::Board(port.to_owned()));
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Keeps the list of ports, and a task for each that is open.
struct Keeper {
    patterns: Patterns,
    settings: Settings,
    limit: Arc<AtomicU32>,
    looked: Arc<AtomicU64>,
    clock: Monotonic,
    told: mpsc::Sender<Sensed>,
    roster: Roster,
    talks: JoinSet<PathBuf>,
    /// Rung when somebody wants something of the open port of this device.
    bells: BTreeMap<PathBuf, (Arc<str>, Bells)>,
    refusals: BTreeMap<PathBuf, Discriminant<PortError>>,
}

impl Keeper {
    async fn keep(mut self, mut asked: mpsc::UnboundedReceiver<Wanted>) {
        let mut look_at = self.clock.now();
        loop {
            let wake = self.roster.deadline().map_or(look_at, |retry| retry.min(look_at));
            tokio::select! {
                () = sleep_until(self.clock.at(wake)) => {
                    look_at = self.clock.now() + LOOK_MS;
                    self.looked.store(self.clock.now(), Ordering::Relaxed);
                    if self.look().await.is_err() {
                        return;
                    }
                }
                Some(ended) = self.talks.join_next() => {
                    if let Ok(device) = ended {
                        self.bells.remove(&device);
                        self.roster.lost(&device, self.clock.now());
                    }
                }
                Some(wanted) = asked.recv() => match wanted {
                    Wanted::Board(port) => self.bells_of(&port).for_each(|bells| bells.show.notify_one()),
                    Wanted::Ports(patterns) => {
                        self.patterns = patterns;
                        self.leave_others();
                        look_at = self.clock.now();
                    }
                },
            }
        }
    }

    fn bells_of(&self, port: &str) -> impl Iterator<Item = &Bells> {
        self.bells.values().filter(move |(name, _)| **name == *port).map(|(_, bells)| bells)
    }

    /// Hangs up where no board is looked for any more.
    fn leave_others(&self) {
        let meant = self.patterns.look();
        let others = self.bells.iter().filter(|(device, _)| !meant.contains_key(*device));
        others.for_each(|(_, (_, bells))| bells.leave.notify_one());
    }

    async fn look(&mut self) -> Result<(), NobodyListens> {
        for path in self.roster.newly_missing(self.patterns.named()) {
            self.tell(&name(&path), What::Awaited).await?;
        }
        let devices = self.patterns.look();
        self.refusals.retain(|device, _| devices.contains_key(device));
        for device in self.roster.found(devices.keys().map(PathBuf::as_path), self.clock.now()) {
            self.open(&device, &devices[&device]).await?;
        }
        Ok(())
    }

    async fn open(&mut self, device: &Path, found_as: &Path) -> Result<(), NobodyListens> {
        let port = name(found_as);
        match Port::open(found_as) {
            Ok(open) => {
                self.refusals.remove(device);
                self.roster.opened(device, self.clock.now());
                let low_latency = open.low_latency();
                match low_latency {
                    Ok(()) => tracing::info!(port = &*port, "port opened, with low latency"),
                    Err(error) => tracing::info!(port = &*port, %error, "port opened, without low latency"),
                }
                self.tell(&port, What::Opened { low_latency: low_latency.is_ok() }).await?;
                self.talk(open, port, device.to_owned());
            }
            Err(error) => {
                self.roster.refused(device, self.clock.now());
                if self.refusals.get(device) != Some(&error.kind()) {
                    self.refusals.insert(device.to_owned(), error.kind());
                    self.tell(&port, What::Refused(error.with_holders(device))).await?;
                }
            }
        }
        Ok(())
    }

    fn talk(&mut self, open: Port, port: Arc<str>, device: PathBuf) {
        let bells = Bells::default();
        self.bells.insert(device.clone(), (port.clone(), bells.clone()));
        let (told, limit, tap) = (self.told.clone(), Arc::clone(&self.limit), self.settings.tap);
        let talk = Talk { open, port, clock: self.clock, told, tap, limit, bells };
        let listen_only = self.settings.listen_only;
        self.talks.spawn(async move {
            let _ = if listen_only { talk.listen().await } else { talk.converse().await };
            device
        });
    }

    async fn tell(&self, port: &Arc<str>, what: What) -> Result<(), NobodyListens> {
        tell(&self.told, port, self.clock.now(), what).await
    }
}

fn name(path: &Path) -> Arc<str> {
    path.to_string_lossy().into()
}
