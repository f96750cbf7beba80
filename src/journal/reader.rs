//! Who reads chapters of a journal that is being written, whenever somebody asks for them.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Weak, mpsc::Sender},
};

use hall::Scope;
use tokio::sync::oneshot;

use super::{
    JournalError,
    chapter::Chapter,
    place,
    positions::Known,
    proof::{State, examine},
    store::Store,
    writer::Task,
};

/// Reads what was not read at the start. Cheap to clone, and holds nothing open.
#[derive(Clone, Debug)]
pub struct Reader {
    state: PathBuf,
    /// Where each file ended at the start.
    known: Arc<BTreeMap<Scope, Known>>,
    queue: Weak<Sender<Task>>,
}

impl Reader {
    pub(super) fn new(state: &Path, known: BTreeMap<Scope, Known>, queue: &Arc<Sender<Task>>) -> Reader {
        Reader { state: state.to_owned(), known: Arc::new(known), queue: Arc::downgrade(queue) }
    }

    /// Reads and proves a file from its first leaf. Where it is sound nobody else is kept waiting; otherwise it is put
    /// right first, and what was found is said where all findings are.
    ///
    /// Waits for the disk: this is for threads nobody waits for.
    pub fn read(&self, scope: &Scope) -> Result<Chapter, JournalError> {
        let examined = examine(Store::look, &place::file(scope, &self.state)?, scope, self.known.get(scope));
        match examined {
            Ok(examined) if examined.state == State::Sound => Ok(examined.chapter),
            Ok(_) | Err(_) => self.ask(scope)?.blocking_recv().map_err(|_| JournalError::Gone)?,
        }
    }

    /// The same through the thread that writes, which keeps the file open: for what will be written to at once.
    pub async fn open(&self, scope: &Scope) -> Result<Chapter, JournalError> {
        self.ask(scope)?.await.map_err(|_| JournalError::Gone)?
    }

    fn ask(&self, scope: &Scope) -> Result<oneshot::Receiver<Result<Chapter, JournalError>>, JournalError> {
        let (answer, chapter) = oneshot::channel();
        let queue = self.queue.upgrade().ok_or(JournalError::Gone)?;
        queue.send(Task::Read(scope.clone(), answer)).map_err(|_| JournalError::Gone)?;
        Ok(chapter)
    }
}
