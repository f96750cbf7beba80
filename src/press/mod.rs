//! The press: games on their way to those who take them in their own manner, folders, sites and broadcasts.
//!
//! What comes in: what is on air, through [`Source`]. What goes out: files and requests, by one thread a target, so that a
//! receiver that hangs holds up neither a board nor another receiver. What to tell next is decided by pure code
//! (`settling`, `outbox`, `pages`, `patience`) to which time is a number; `courier` does the rest. Nothing here decides
//! anything about a game, or who may see it.

mod broadcast;
mod checkup;
mod cloud;
mod courier;
mod desk;
mod folder;
mod kept;
mod lichess;
mod livechess;
mod local;
mod mark;
mod outbox;
mod pages;
mod parcel;
mod patience;
mod room;
mod settling;
mod source;
mod standing;
mod target;
mod token;
mod wire;

#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    io,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::{
    sync::{mpsc, oneshot, watch},
    time::Instant,
};

pub use self::{
    cloud::CloudAddress,
    local::{LocalAddress, Published, Sitting},
    source::Source,
    standing::{Finding, RoundStanding, Said, Standing, State},
    target::Target,
};
use self::{
    courier::{Courier, Wanted},
    target::Receiver,
};

/// All targets at work. When it is dropped they end, each with the visit it is on.
#[derive(Debug)]
pub struct Press {
    bell: watch::Sender<u64>,
}

/// What the operator sees of it, and asks of it.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    windows: Arc<BTreeMap<String, Window>>,
}

#[derive(Debug)]
struct Window {
    standing: Arc<Mutex<Standing>>,
    wanted: mpsc::UnboundedSender<Wanted>,
    /// Until the thread is started.
    asked: Mutex<Option<mpsc::UnboundedReceiver<Wanted>>>,
    target: Target,
}

impl Counter {
    /// A counter for these targets, before any of them is at work.
    pub fn new(targets: Vec<Target>) -> Counter {
        let windows = targets.into_iter().map(|target| {
            let (wanted, asked) = mpsc::unbounded_channel();
            let standing = Arc::new(Mutex::new(standing(&target)));
            (target.name.clone(), Window { standing, wanted, asked: Mutex::new(Some(asked)), target })
        });
        Counter { windows: Arc::new(windows.collect()) }
    }

    /// Sets them to work, with their outboxes below the folder `state`.
    pub fn start(&self, state: &Path, source: &Arc<dyn Source>) -> io::Result<Press> {
        let (bell, heard) = watch::channel(0);
        for (name, window) in &*self.windows {
            let Some(asked) = window.asked.lock().unwrap_or_else(PoisonError::into_inner).take() else { continue };
            let (air, standing) = (state.join("air"), Arc::clone(&window.standing));
            let courier = Courier::new(window.target.clone(), Arc::clone(source), &air, standing);
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let heard = heard.clone();
            std::thread::Builder::new()
                .name(format!("air {name}"))
                .spawn(move || runtime.block_on(courier.work(heard, asked)))?;
        }
        Ok(Press { bell })
    }

    /// Whether there is a target of this name.
    pub fn knows(&self, name: &str) -> bool {
        self.windows.contains_key(name)
    }

    /// How all targets stand.
    pub fn standings(&self) -> Vec<Standing> {
        self.standings_at(Instant::now())
    }

    fn standings_at(&self, now: Instant) -> Vec<Standing> {
        let standing = |window: &Window| window.standing.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.windows.values().map(|window| standing(window).seen_at(now)).collect()
    }

    /// Has a target try again at once. False where there is none of this name.
    pub fn try_now(&self, name: &str) -> bool {
        self.windows.get(name).is_some_and(|window| window.wanted.send(Wanted::Try).is_ok())
    }

    /// Finds out whether a target would work. None where there is none of this name.
    pub fn check(&self, name: &str) -> Option<oneshot::Receiver<Vec<Finding>>> {
        let (answer, answered) = oneshot::channel();
        self.windows.get(name)?.wanted.send(Wanted::Check(answer)).ok()?;
        Some(answered)
    }
}

impl Press {
    /// What is on air has changed. Nobody is waited for.
    pub fn ring(&self) {
        self.bell.send_modify(|rung| *rung += 1);
    }
}

fn standing(target: &Target) -> Standing {
    let (kind, address) = match &target.receiver {
        Receiver::Folder { folder, layout: pages::Layout::LiveChess } => ("livechess", folder.display().to_string()),
        Receiver::Folder { folder, .. } => ("folder", folder.display().to_string()),
        Receiver::Http { layout: pages::Layout::Addressed(address), .. } => ("http", pages::without_query(address)),
        Receiver::Http { .. } => ("http", String::new()),
        Receiver::Lichess { base, .. } => ("lichess", base.clone()),
    };
    Standing { name: target.name.clone(), kind, address, ..Standing::default() }
}
