//! The courier: a thread for each target, so that one that hangs holds nobody up.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot, watch},
    time::Instant,
};

use super::{
    checkup,
    desk::{Desk, Sheet},
    folder,
    mark::Told,
    pages::Document,
    room::Room,
    source::Source,
    standing::{Finding, RoundStanding, Said, Standing, State},
    target::{Method, Receiver, Target},
    token::Keeper,
    wire::{Answered, Asked, Wire},
};
use crate::journal::wall_ms;

/// Between two visits at a receiver: a file is rewritten, and a site is asked, once a second at most.
const PAUSE_MS: u64 = 1000;
/// After so long at a site the games are looked at again, before more of what they were is handed over.
const STALE_MS: u64 = 5000;

/// What a courier is asked by the operator.
pub(super) enum Wanted {
    /// Tell everything now that is due, whatever went wrong before.
    Try,
    /// Find out whether it would work.
    Check(oneshot::Sender<Vec<Finding>>),
}

/// One target's thread.
pub(super) struct Courier {
    pub(super) target: Target,
    source: Arc<dyn Source>,
    /// Where its outbox is.
    folder: PathBuf,
    pub(super) standing: Arc<Mutex<Standing>>,
    pub(super) wire: Wire,
    desks: BTreeMap<(String, u16), Desk>,
    /// It was ordered to be told live.
    is_live: bool,
    began: Instant,
}

/// Why a visit came to nothing.
pub(super) struct Trouble {
    pub(super) sentence: String,
    pub(super) at_least_ms: u64,
}

impl From<String> for Trouble {
    fn from(sentence: String) -> Trouble {
        Trouble { sentence, at_least_ms: 0 }
    }
}

impl Courier {
    /// A courier whose outboxes are below the folder `air`.
    pub(super) fn new(target: Target, source: Arc<dyn Source>, air: &Path, standing: Arc<Mutex<Standing>>) -> Courier {
        let (folder, is_live) = (air.join(&target.name), source.tells_live(&target.name));
        let (wire, desks, began) = (Wire::default(), BTreeMap::new(), Instant::now());
        Courier { target, source, folder, standing, wire, desks, is_live, began }
    }

    /// Works until the press is closed.
    pub(super) async fn work(mut self, mut bell: watch::Receiver<u64>, mut wanted: mpsc::UnboundedReceiver<Wanted>) {
        loop {
            bell.mark_unchanged();
            let due = self.go_round().await;
            // Whatever comes meanwhile leaves together.
            tokio::time::sleep(Duration::from_millis(PAUSE_MS)).await;
            let wait = due.map(|due| Duration::from_millis(due.saturating_sub(self.now())));
            tokio::select! {
                changed = bell.changed() => if changed.is_err() { return },
                asked = wanted.recv() => match asked {
                    Some(asked) => self.serve(asked).await,
                    None => return,
                },
                () = pause(wait) => {}
            }
        }
    }

    async fn serve(&mut self, wanted: Wanted) {
        match wanted {
            Wanted::Try => self.desks.values_mut().for_each(Desk::forget),
            Wanted::Check(answer) => {
                let findings = checkup::look(&self.target, &*self.source, &mut self.wire).await;
                // Whoever asked may have gone.
                let _ = answer.send(findings);
            }
        }
    }

    /// Visits the receiver for each round in which something is due. Gives when something will be.
    async fn go_round(&mut self) -> Option<u64> {
        let mut due = None::<u64>;
        self.look_who_delays();
        for (event, round, edition) in self.source.rounds(self.is_live) {
            if !self.target.wants(&event, round) {
                continue;
            }
            let key = (event, round);
            let open = || Desk::open(&self.folder, &key.0, key.1);
            let mut desk = self.desks.remove(&key).unwrap_or_else(open);
            let next = self.attend(&mut desk, edition).await;
            due = due.into_iter().chain(next).min();
            self.desks.insert(key, desk);
        }
        self.account();
        due
    }

    /// Live and on air are two books with editions of their own.
    fn look_who_delays(&mut self) {
        let is_live = self.source.tells_live(self.target.name());
        if std::mem::replace(&mut self.is_live, is_live) != is_live {
            self.desks.values_mut().for_each(|desk| desk.done = None);
        }
    }

    async fn attend(&mut self, desk: &mut Desk, edition: u64) -> Option<u64> {
        let now = self.now();
        let is_due = desk.due(&self.target, now).is_some_and(|due| due <= now);
        if desk.done == Some(edition) && !is_due {
            return desk.due(&self.target, now);
        }
        if desk.patience.until() > now {
            return Some(desk.patience.until());
        }
        let bulletin = self.source.bulletin(&desk.event, desk.round, self.is_live);
        let sheet = desk.look(bulletin, &self.target, now);
        // Until everything has been told there is something to do, whatever changes.
        desk.done = None;
        self.note_alive(true);
        let told = self.tell(desk, &sheet).await;
        self.note_alive(false);
        let now = self.now();
        let next = match told {
            Ok(true) => {
                (desk.done, desk.patience) = (Some(edition), Default::default());
                if let Some(sentence) = desk.refused() {
                    self.complain(desk, sentence);
                }
                desk.due(&self.target, now)
            }
            Ok(false) => {
                desk.patience.succeed();
                Some(now)
            }
            Err(Trouble { sentence, at_least_ms }) => {
                desk.patience.fail(now, at_least_ms);
                self.complain(desk, sentence);
                Some(desk.patience.until())
            }
        };
        desk.keep();
        desk.account(&sheet, &self.target);
        next
    }

    /// Tells what is due. True once that is everything.
    async fn tell(&mut self, desk: &mut Desk, sheet: &Sheet) -> Result<bool, Trouble> {
        match self.target.receiver.clone() {
            Receiver::Folder { folder, .. } => self.write(desk, sheet, &folder),
            Receiver::Http { method, keeper, .. } => self.hand_over(desk, sheet, method, keeper.as_ref()).await,
            Receiver::Lichess { base, rounds, keeper } => {
                let id = rounds.get(&desk.round).cloned().unwrap_or_default();
                self.push(desk, sheet, &Room { base, id, keeper }).await
            }
        }
    }

    fn write(&mut self, desk: &mut Desk, sheet: &Sheet, folder: &Path) -> Result<bool, Trouble> {
        let told = told(sheet);
        let layout = self.target.layout().expect("it is told by documents");
        let mut written = 0;
        for document in layout.documents(&sheet.bulletin, &told) {
            if !desk.pages.is_due(&document) {
                continue;
            }
            let text = document.write();
            folder::put(folder, &document.path, text.as_deref(), desk.pages.ends_a_game(&document))?;
            desk.pages.note_taken(&document);
            self.note_alive(true);
            written += 1;
        }
        self.note_sent(written, "file");
        Ok(true)
    }

    async fn hand_over(
        &mut self,
        desk: &mut Desk,
        sheet: &Sheet,
        method: Method,
        keeper: Option<&Keeper>,
    ) -> Result<bool, Trouble> {
        let told = told(sheet);
        let layout = self.target.layout().expect("it is told by documents").clone();
        let (mut taken, mut is_all) = (0, true);
        let began = self.now();
        for document in in_turn(layout.documents(&sheet.bulletin, &told), &desk.last) {
            if !desk.pages.is_due(&document) || document.is_nothing() && !desk.pages.holds(&document.path) {
                continue;
            }
            if document.is_nothing() && self.pass_on(&document.path) {
                desk.pages.note_taken(&document);
                is_all = false;
                continue;
            }
            // A site that takes its time is told what the games have come to by then, and nothing that was taken off the air.
            if self.now() > began + STALE_MS {
                is_all = false;
                break;
            }
            desk.last.clone_from(&document.path);
            taken += usize::from(self.hand_over_one(desk, &document, method, keeper).await?);
            self.note_alive(true);
        }
        self.note_sent(taken, "document");
        Ok(is_all)
    }

    /// Where several rounds share an address, one that goes leaves it to the others: they are handed over anew. False where
    /// nobody else is told there.
    fn pass_on(&mut self, path: &str) -> bool {
        let mut is_shared = false;
        for desk in self.desks.values_mut().filter(|desk| desk.pages.holds(path)) {
            desk.pages.lose(path);
            (desk.done, is_shared) = (None, true);
        }
        is_shared
    }

    /// True if it was taken, false if it can't be used as it is.
    async fn hand_over_one(
        &mut self,
        desk: &mut Desk,
        document: &Document<'_>,
        method: Method,
        keeper: Option<&Keeper>,
    ) -> Result<bool, Trouble> {
        let method = match method {
            Method::Put => "PUT",
            Method::Post => "POST",
        };
        let token = keeper.map(Keeper::token).transpose()?;
        let (address, parcel) = (document.path.clone(), document.parcel());
        let mime = "application/x-chess-pgn; charset=utf-8";
        // It may arrive whatever is heard of it, and then it has to be taken away there.
        desk.pages.note_sent(document);
        desk.keep();
        let answered = self.wire.ask(Asked { method, address, token, mime, parcel }).await;
        let Answered { status, body, at_least_ms } = answered.map_err(|unanswered| unanswered.sentence)?;
        let is_taken = matches!(status, 200..=299);
        match status {
            200..=299 => desk.pages.note_taken(document),
            // The others may be taken.
            400 | 413 | 415 | 422 => {
                desk.pages.note_refused(document, checkup::refusal(status, &body, document.is_nothing()));
            }
            _ => {
                let sentence = checkup::trouble(status, &body, keeper.is_some());
                return Err(Trouble { sentence, at_least_ms });
            }
        }
        Ok(is_taken)
    }

    fn note_alive(&self, is_visited: bool) {
        let alive = is_visited.then(Instant::now);
        self.standing.lock().unwrap_or_else(PoisonError::into_inner).alive = alive;
    }

    pub(super) fn note_sent(&self, count: usize, what: &str) {
        if count > 0 {
            let plural = if count == 1 { "" } else { "s" };
            let said = Said { at_ms: wall_ms(), text: format!("{count} {what}{plural}") };
            self.standing.lock().unwrap_or_else(PoisonError::into_inner).sent = Some(said);
        }
    }

    /// Said once in the log, until it is something else.
    fn complain(&self, desk: &Desk, sentence: String) {
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        let is_news = standing.error.as_ref().is_none_or(|said| said.text != sentence) || desk.patience.failures() == 1;
        if is_news {
            tracing::warn!(target = self.target.name, event = desk.event, round = desk.round, "not told: {sentence}");
        }
        standing.error = Some(Said { at_ms: wall_ms(), text: sentence });
    }

    fn account(&self) {
        let now = self.now();
        let open = self.source.open();
        let is_open = |desk: &&Desk| open.iter().any(|(event, round)| (event, *round) == (&desk.event, desk.round));
        let is_refused =
            self.desks.values().filter(is_open).any(|desk| desk.done.is_some() && desk.refused().is_some());
        let failing = self.desks.values().filter(|desk| desk.patience.failures() > 0);
        let again = failing.map(|desk| desk.patience.until()).min();
        let mut rounds = self.desks.values().map(|desk| desk.standing.clone()).collect::<Vec<_>>();
        rounds.extend(self.homeless());
        let is_all = |state: bool| if state { State::Told } else { State::Telling };
        let mut standing = self.standing.lock().unwrap_or_else(PoisonError::into_inner);
        standing.again_ms = again.map(|at| wall_ms() + at.saturating_sub(now));
        standing.state = match again {
            Some(_) => State::Failing,
            None if is_refused => State::Failing,
            None if self.desks.is_empty() => State::Idle,
            None => {
                is_all(self.desks.values().all(|desk| desk.done.is_some() && desk.due(&self.target, now).is_none()))
            }
        };
        (standing.rounds, standing.live) = (rounds, self.is_live);
    }

    /// The rounds that are open of which nobody would be told though they should.
    fn homeless(&self) -> impl Iterator<Item = RoundStanding> {
        self.source.open().into_iter().filter_map(|(event, round)| {
            let remarks = vec![self.target.lacks(&event, round)?];
            Some(RoundStanding { event, round, remarks, ..RoundStanding::default() })
        })
    }

    pub(super) fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// All documents, those first that come after the one that was handed over last.
fn in_turn<'a>(mut documents: Vec<Document<'a>>, last: &str) -> Vec<Document<'a>> {
    let after = documents.iter().position(|document| document.path == last).map_or(0, |at| at + 1);
    documents.rotate_left(after);
    documents
}

fn told(sheet: &Sheet) -> Vec<Told<'_>> {
    sheet.games.iter().map(|(slip, settled)| (slip, &settled.mark)).collect()
}

async fn pause(wait: Option<Duration>) {
    match wait {
        Some(wait) => tokio::time::sleep(wait).await,
        None => std::future::pending().await,
    }
}
