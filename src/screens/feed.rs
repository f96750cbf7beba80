//! The feed: what the run loop says, said to everyone who follows.
//!
//! The run loop only drops a note on a desk and rings a bell; a thread of its own ([`super::gallery`]) does the rest.
//! So ten thousand screens never hold up the reading of a board.

use std::{io, net::TcpStream, sync::Arc, thread::JoinHandle};

use bytes::Bytes;
use protocol::feed::{HallView, Sight, TableEvent, TableId};
use tokio::sync::oneshot;

#[cfg(test)]
use super::overheard::Overheard;
use super::{
    air::Picture,
    desk::{Desk, Guest, Note},
    doors::Door,
    gallery::Gallery,
    glimpses::Glimpses,
    notice::Notice,
    shelf::Document,
    stream::Subject,
    views::Views,
};
use crate::journal::{Committed, Entries};

/// The run loop's end of the feed.
///
/// Sights are shown at once. Entries are published when they are committed.
/// Within one stream everything arrives in the order it was given here. Nothing waits: all calls only leave a note.
/// When the feed is dropped, viewers are told good-bye.
#[derive(Debug)]
pub struct Feed {
    desk: Arc<Desk>,
    gallery: Option<JoinHandle<()>>,
}

/// The doorkeeper's end of the feed: lets viewers in, and can't publish.
#[derive(Clone, Debug)]
pub struct Entrance {
    desk: Arc<Desk>,
}

impl Feed {
    /// Opens the feed of one run of the daemon. `run` is new at each start; `clock` is the clock of every `t`.
    pub fn open(run: String, clock: impl Fn() -> u64 + Send + 'static) -> io::Result<Feed> {
        let desk = Arc::new(Desk::new()?);
        let gallery = Gallery::open(run, Box::new(clock), Arc::clone(&desk))?;
        let thread = std::thread::Builder::new().name("feed".to_owned()).spawn(move || gallery.run())?;
        Ok(Feed { desk, gallery: Some(thread) })
    }

    /// A feed whose notes nobody reads but whoever overhears them.
    #[cfg(test)]
    pub(crate) fn by_hand() -> io::Result<(Feed, Overheard)> {
        let desk = Arc::new(Desk::new()?);
        Ok((Feed { desk: Arc::clone(&desk), gallery: None }, Overheard::at(desk)))
    }

    /// Shows what is only seen: nothing that belongs in the record has room in a [`Sight`].
    pub fn show(&self, table: &TableId, t: u64, sights: Vec<Sight>) {
        let at_table = |sight: Sight| TableEvent { table: Some(table.clone()), t, event: sight.into() };
        self.tell(sights.into_iter().map(at_table).collect());
    }

    /// Publishes what is in the record, to the hall.
    pub fn publish(&self, committed: &Committed<Entries>) {
        self.tell(committed.get().events.clone());
    }

    /// Whoever comes from here on waits until it is known how everything stands: an empty hall that fills up later would
    /// look as if games were lost.
    pub fn hold(&self) {
        self.desk.leave(Note::Held);
    }

    /// It is known how everything stands: whoever waits is let in.
    pub fn release(&self) {
        self.desk.leave(Note::Released);
    }

    /// Says something about the record to everybody who looks, at once and until it is said otherwise.
    pub fn notice(&self, notice: Notice) {
        self.desk.leave(Note::Noticed(notice));
    }

    /// Adds the tables of a round that was over: what was published of them, and what is only seen.
    pub fn recall(&self, record: &Committed<Entries>, glimpses: Glimpses) {
        self.desk.leave(Note::Recalled(record.get().events.clone(), Box::new(glimpses)));
    }

    /// Shows spectators what is on air.
    pub fn air(&self, pictures: Vec<Picture>) {
        if !pictures.is_empty() {
            self.desk.leave(Note::Aired(pictures));
        }
    }

    /// Puts what was folded from the journal in the place of all that was known.
    pub fn restore(&self, views: Views) {
        self.desk.leave(Note::Restored(Box::new(views)));
    }

    /// The doorkeeper's end.
    pub fn entrance(&self) -> Entrance {
        Entrance { desk: Arc::clone(&self.desk) }
    }

    fn tell(&self, events: Vec<TableEvent>) {
        if !events.is_empty() {
            self.desk.leave(Note::Happened(events));
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.desk.leave(Note::Over);
        if let Some(thread) = self.gallery.take()
            && thread.join().is_err()
        {
            tracing::error!("the feed's thread had panicked; screens were standing still");
        }
    }
}

impl Entrance {
    /// Lets in a viewer whose handshake is done.
    pub fn admit(&self, subject: Subject, socket: TcpStream) -> io::Result<()> {
        socket.set_nonblocking(true)?;
        self.admit_by(None, subject, Guest { line: socket.into(), answer: Bytes::new(), said: Bytes::new() });
        Ok(())
    }

    /// Lets in who came by a pass, and goes with it.
    pub(super) fn admit_by(&self, pass: Option<u32>, subject: Subject, guest: Guest) {
        self.desk.leave(Note::Came { subject, pass, guest });
    }

    /// Hangs up on all who came by this pass.
    pub(super) fn expel(&self, pass: u32) {
        self.desk.leave(Note::Expelled(pass));
    }

    /// How everything stands as `door` shows it; `None` once the feed is over.
    pub async fn view(&self, door: Door) -> Option<HallView> {
        let (answer, view) = oneshot::channel();
        self.desk.leave(Note::Asked(door, answer));
        view.await.ok()
    }

    /// The same as a document, made once for all who ask until something changes.
    pub(super) async fn document(&self, door: Door) -> Option<Document> {
        let (answer, document) = oneshot::channel();
        self.desk.leave(Note::Read(door, answer));
        document.await.ok()
    }

    /// How many viewers there are.
    pub fn viewers(&self) -> usize {
        self.desk.viewers()
    }
}
