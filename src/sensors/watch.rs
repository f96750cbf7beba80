//! The shell loop: looks for ports, drives one dialogue a port, and never gives up.

use std::collections::BTreeMap;
use std::future::pending;
use std::mem::Discriminant;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use protocol::board::dgt::{Dialogue, Flaw, Heard, Identity, Input, Output};
use protocol::board::{Observation, WireSquare};
use tokio::sync::{Notify, mpsc};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};

use super::find::Patterns;
use super::port::{Port, PortError};
use super::roster::Roster;

/// How often ports are looked for. A board plugged in is seen within this and its introduction takes 0.7 s more.
/// A look reads one folder: at this pace, some hundredths of a percent of a core.
const LOOK_MS: u64 = 500;

/// The longest a write may take. Commands have one byte; a port that does not take it is not alive.
const WRITE: Duration = Duration::from_secs(1);

/// A board says at most 960 bytes a second; a whole dump fits.
const READ_BYTES: usize = 1024;

/// What waits for a slow reader: some seconds of fifty boards in a blitz finish. Then ports wait, in the kernel.
const WAITING: usize = 4096;

/// One thing that happened at one port.
#[derive(Debug)]
pub struct Sensed {
    /// The name the port was found by.
    pub port: Arc<str>,
    /// When, on the clock of the watch.
    pub at: u64,
    /// What.
    pub what: What,
}

/// What can happen at a port.
#[derive(Debug)]
pub enum What {
    /// A port that was named is not there; it is awaited. Told once.
    Awaited,
    /// The port was opened.
    Opened {
        /// The driver passes bytes on at once.
        low_latency: bool,
    },
    /// The port can't be opened; it is tried again. Told once for each kind of trouble.
    Refused(PortError),
    /// An open port ended.
    Lost(PortError),
    /// A board has said who it is.
    Board(Identity),
    /// The device does not answer as a board would; it is asked again.
    NoBoard,
    /// A fact about squares, clock or link.
    Observed(Observation),
    /// Updates were lost; the whole board follows and is right.
    Corrected(Vec<WireSquare>),
    /// Bytes that belong to no message.
    Noise(usize),
    /// A message that can't be true.
    Invalid(Flaw),
    /// Bytes as they were read. Only if asked for.
    Received(Vec<u8>),
    /// Bytes as they were written. Only if asked for.
    Sent(Vec<u8>),
}

/// How a watch goes about it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// Every byte in both directions is passed on too.
    pub tap: bool,
    /// Nothing is ever sent: the bytes are all there is.
    pub listen_only: bool,
}

/// Milliseconds since this was made. The one clock of everything sensed.
#[derive(Clone, Copy, Debug)]
pub struct Monotonic {
    began: Instant,
    /// For tests that set the time themselves.
    #[cfg(test)]
    hand: Option<&'static std::sync::atomic::AtomicU64>,
}

impl Monotonic {
    /// Zero is now.
    pub fn start() -> Monotonic {
        Monotonic {
            began: Instant::now(),
            #[cfg(test)]
            hand: None,
        }
    }

    /// A clock that shows what somebody sets it to.
    #[cfg(test)]
    pub(crate) fn by_hand(hand: &'static std::sync::atomic::AtomicU64) -> Monotonic {
        Monotonic { hand: Some(hand), ..Monotonic::start() }
    }

    /// Now.
    pub fn now(self) -> u64 {
        #[cfg(test)]
        if let Some(hand) = self.hand {
            return hand.load(std::sync::atomic::Ordering::SeqCst);
        }
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Completes when this clock shows `ms`.
    pub async fn sleep_until(self, ms: u64) {
        sleep_until(self.at(ms)).await;
    }

    fn at(self, ms: u64) -> Instant {
        self.began + Duration::from_millis(ms)
    }
}

/// All ports under watch. Dropping it closes them.
#[derive(Debug)]
pub struct Watch {
    asks: mpsc::UnboundedSender<String>,
    task: JoinHandle<()>,
}

impl Watch {
    /// Begins to look. Everything sensed comes through the channel; it ends when the watch is dropped.
    pub fn start(patterns: Patterns, settings: Settings, clock: Monotonic) -> (Watch, mpsc::Receiver<Sensed>) {
        let (told, sensed) = mpsc::channel(WAITING);
        let (asks, asked) = mpsc::unbounded_channel();
        let keeper = Keeper {
            patterns,
            settings,
            clock,
            told,
            roster: Roster::default(),
            talks: JoinSet::new(),
            bells: BTreeMap::new(),
            refusals: BTreeMap::new(),
        };
        let task = tokio::spawn(keeper.keep(asked));
        (Watch { asks, task }, sensed)
    }

    /// Asks the board at this port to show all its squares. If none is there, its first words will.
    pub fn ask_board(&self, port: &str) {
        // The keeper ends only with the watch.
        let _ = self.asks.send(port.to_owned());
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
    clock: Monotonic,
    told: mpsc::Sender<Sensed>,
    roster: Roster,
    talks: JoinSet<PathBuf>,
    /// Rung when somebody wants to see the board at the port of this name.
    bells: BTreeMap<Arc<str>, Arc<Notify>>,
    refusals: BTreeMap<PathBuf, Discriminant<PortError>>,
}

impl Keeper {
    async fn keep(mut self, mut asked: mpsc::UnboundedReceiver<String>) {
        let mut look_at = self.clock.now();
        loop {
            let wake = self.roster.deadline().map_or(look_at, |retry| retry.min(look_at));
            tokio::select! {
                () = sleep_until(self.clock.at(wake)) => {
                    look_at = self.clock.now() + LOOK_MS;
                    if self.look().await.is_err() {
                        return;
                    }
                }
                Some(ended) = self.talks.join_next() => {
                    if let Ok(device) = ended {
                        self.roster.lost(&device, self.clock.now());
                    }
                }
                Some(port) = asked.recv() => {
                    if let Some(bell) = self.bells.get(port.as_str()) {
                        bell.notify_one();
                    }
                }
            }
        }
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
        let bell = Arc::new(Notify::new());
        self.bells.insert(port.clone(), bell.clone());
        let talk = Talk { open, port, clock: self.clock, told: self.told.clone(), tap: self.settings.tap, bell };
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

/// The receiver of what is sensed is gone, so there is nobody to go on for.
#[derive(Debug)]
struct NobodyListens;

async fn tell(told: &mpsc::Sender<Sensed>, port: &Arc<str>, at: u64, what: What) -> Result<(), NobodyListens> {
    told.send(Sensed { port: port.clone(), at, what }).await.map_err(|_| NobodyListens)
}

/// One open port, until it ends.
struct Talk {
    open: Port,
    port: Arc<str>,
    clock: Monotonic,
    told: mpsc::Sender<Sensed>,
    tap: bool,
    bell: Arc<Notify>,
}

impl Talk {
    async fn listen(mut self) -> Result<(), NobodyListens> {
        let mut buffer = [0; READ_BYTES];
        loop {
            let read = tokio::select! {
                read = self.open.read(&mut buffer) => read,
                () = self.told.closed() => return Err(NobodyListens),
            };
            match read {
                Ok(count) => self.tell(self.clock.now(), What::Received(buffer[..count].to_vec())).await?,
                Err(error) => return self.tell(self.clock.now(), What::Lost(error)).await,
            }
        }
    }

    async fn converse(mut self) -> Result<(), NobodyListens> {
        let mut dialogue = Dialogue::new(self.clock.now());
        let mut buffer = [0; READ_BYTES];
        let mut out = Vec::new();
        loop {
            let wake = dialogue.deadline().map(|(at, _)| self.clock.at(at));
            let read = tokio::select! {
                read = self.open.read(&mut buffer) => Some(read),
                () = due(wake) => None,
                () = self.bell.notified() => {
                    dialogue.handle(Input::AskBoard, self.clock.now(), &mut out);
                    None
                }
                () = self.told.closed() => return Err(NobodyListens),
            };
            let now = self.clock.now();
            let ended = match read {
                None => {
                    dialogue.handle(Input::Time, now, &mut out);
                    None
                }
                Some(Ok(count)) => {
                    if self.tap {
                        self.tell(now, What::Received(buffer[..count].to_vec())).await?;
                    }
                    dialogue.handle(Input::Bytes(&buffer[..count]), now, &mut out);
                    None
                }
                Some(Err(error)) => Some(error),
            };
            let ended = match ended {
                Some(error) => Some(error),
                None => self.act(now, &mut out).await?,
            };
            if let Some(error) = ended {
                dialogue.handle(Input::Gone, now, &mut out);
                return self.finish(error, out).await;
            }
        }
    }

    /// Writes and tells what the dialogue wants; gives the error that ends the port, if there is one.
    async fn act(&mut self, now: u64, out: &mut Vec<Output>) -> Result<Option<PortError>, NobodyListens> {
        let mut ended = None;
        for output in out.drain(..) {
            match output {
                // Nothing more can be said, but what was heard before is still told.
                Output::Send(_) if ended.is_some() => {}
                Output::Send(bytes) => match timeout(WRITE, self.open.write(&bytes)).await {
                    Ok(Ok(())) if self.tap => tell(&self.told, &self.port, self.clock.now(), What::Sent(bytes)).await?,
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => ended = Some(error),
                    Err(_) => ended = Some(self.open.stuck()),
                },
                Output::Identity(_)
                | Output::Observed(_)
                | Output::Corrected(_)
                | Output::NoBoard
                | Output::Heard(_) => self.pass(now, output).await?,
            }
        }
        Ok(ended)
    }

    /// The descriptor is closed first: while it is open, the device comes back under another name.
    async fn finish(self, error: PortError, out: Vec<Output>) -> Result<(), NobodyListens> {
        let Talk { open, port, clock, told, .. } = self;
        drop(open);
        let now = clock.now();
        for what in out.into_iter().filter_map(what) {
            tell(&told, &port, now, what).await?;
        }
        tell(&told, &port, now, What::Lost(error)).await
    }

    async fn pass(&self, now: u64, output: Output) -> Result<(), NobodyListens> {
        match what(output) {
            Some(what) => self.tell(now, what).await,
            None => Ok(()),
        }
    }

    async fn tell(&self, at: u64, what: What) -> Result<(), NobodyListens> {
        tell(&self.told, &self.port, at, what).await
    }
}

async fn due(wake: Option<Instant>) {
    match wake {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}

/// What leaves the room. Messages in good order have become observations.
fn what(output: Output) -> Option<What> {
    match output {
        Output::Identity(identity) => Some(What::Board(identity)),
        Output::Observed(observation) => Some(What::Observed(observation)),
        Output::Corrected(squares) => Some(What::Corrected(squares)),
        Output::NoBoard => Some(What::NoBoard),
        Output::Heard(Heard::Noise { skipped }) => Some(What::Noise(skipped)),
        Output::Heard(Heard::Invalid { flaw, .. }) => Some(What::Invalid(flaw)),
        Output::Heard(Heard::Message(_)) | Output::Send(_) => None,
    }
}
