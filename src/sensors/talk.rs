//! One open port, until it ends: reads, lets the dialogue decide, writes and tells.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use protocol::board::dgt::{Dialogue, Heard, Input, Output};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep, sleep_until, timeout};

use super::budget::{Budget, News};
use super::port::{Port, PortError};
use super::sensed::{Monotonic, NobodyListens, Sensed, What, tell};

/// The longest a write may take. Commands have one byte; a port that does not take it is not alive.
const WRITE: Duration = Duration::from_secs(1);

/// A board says at most 960 bytes a second; a whole dump fits.
const READ_BYTES: usize = 1024;

/// Between two reads of a port that is too loud: what it says is thrown away, and need not be soon.
const BETWEEN_LOUD_READS: Duration = Duration::from_millis(50);

/// How often it is seen whether a port that was too loud is quiet. Nobody else wakes for one that says nothing.
const QUIET_LOOK: Duration = Duration::from_millis(500);

/// What can be wanted of an open port.
#[derive(Clone, Debug, Default)]
pub(super) struct Bells {
    /// Somebody wants to see the whole board.
    pub(super) show: Arc<Notify>,
    /// Boards are looked for elsewhere now.
    pub(super) leave: Arc<Notify>,
}

/// One open port.
pub(super) struct Talk {
    pub(super) open: Port,
    pub(super) port: Arc<str>,
    pub(super) clock: Monotonic,
    pub(super) told: mpsc::Sender<Sensed>,
    pub(super) tap: bool,
    /// How much the port may say in a second. May change.
    pub(super) limit: Arc<AtomicU32>,
    pub(super) bells: Bells,
}

/// How a dialogue ended.
enum Parted {
    /// The port is gone.
    Ended(PortError),
    /// It says too much to be a board.
    TooLoud,
}

impl Talk {
    pub(super) async fn listen(mut self) -> Result<(), NobodyListens> {
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

    /// Meets the board, and again whenever it was too loud to be listened to.
    pub(super) async fn converse(mut self) -> Result<(), NobodyListens> {
        let mut budget = Budget::full(self.clock.now());
        loop {
            let mut dialogue = Dialogue::new(self.clock.now());
            let mut out = Vec::new();
            let parted = self.hold(&mut dialogue, &mut budget, &mut out).await?;
            dialogue.handle(Input::Gone, self.clock.now(), &mut out);
            match parted {
                Parted::Ended(error) => return self.finish(error, out).await,
                Parted::TooLoud => {
                    self.act(self.clock.now(), &mut out).await?;
                    self.tell(self.clock.now(), What::TooLoud).await?;
                }
            }
            if let Err(error) = self.sit_out(&mut budget).await {
                return self.finish(error, Vec::new()).await;
            }
            self.tell(self.clock.now(), What::QuietAgain).await?;
        }
    }

    /// Holds one dialogue to its end.
    async fn hold(
        &mut self,
        dialogue: &mut Dialogue,
        budget: &mut Budget,
        out: &mut Vec<Output>,
    ) -> Result<Parted, NobodyListens> {
        let mut buffer = [0; READ_BYTES];
        loop {
            let wake = dialogue.deadline().map(|(at, _)| self.clock.at(at));
            let read = tokio::select! {
                read = self.open.read(&mut buffer) => read.map(Some),
                () = due(wake) => Ok(None),
                () = self.bells.show.notified() => {
                    dialogue.handle(Input::AskBoard, self.clock.now(), out);
                    Ok(None)
                }
                () = self.bells.leave.notified() => Err(self.open.left()),
                () = self.told.closed() => return Err(NobodyListens),
            };
            let now = self.clock.now();
            match read {
                Ok(None) => dialogue.handle(Input::Time, now, out),
                Ok(Some(count)) => {
                    if budget.spend(count, self.limit.load(Ordering::Relaxed), now) == Some(News::TooLoud) {
                        return Ok(Parted::TooLoud);
                    }
                    if self.tap {
                        self.tell(now, What::Received(buffer[..count].to_vec())).await?;
                    }
                    dialogue.handle(Input::Bytes(&buffer[..count]), now, out);
                }
                Err(error) => return Ok(Parted::Ended(error)),
            }
            if let Some(error) = self.act(now, out).await? {
                return Ok(Parted::Ended(error));
            }
        }
    }

    /// Throws away what comes until the port says no more than a board does.
    async fn sit_out(&mut self, budget: &mut Budget) -> Result<(), PortError> {
        let mut buffer = [0; READ_BYTES];
        loop {
            let count = tokio::select! {
                read = self.open.read(&mut buffer) => read?,
                () = sleep(QUIET_LOOK) => 0,
                () = self.bells.leave.notified() => return Err(self.open.left()),
                () = self.told.closed() => return Err(self.open.left()),
            };
            if budget.spend(count, self.limit.load(Ordering::Relaxed), self.clock.now()) == Some(News::Quiet) {
                return Ok(());
            }
            if count > 0 {
                sleep(BETWEEN_LOUD_READS).await;
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
