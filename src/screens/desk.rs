//! The desk between the run loop and the gallery: notes, and a bell.

use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use protocol::feed::{HallView, TableEvent};
use rustix::event::{EventfdFlags, eventfd};
use tokio::sync::oneshot;

use super::{
    air::Picture, doors::Door, glimpses::Glimpses, ledger::Place, line::Line, notice::Notice, shelf::Document,
    stream::Subject, views::Views,
};

/// Where notes for the gallery lie.
#[derive(Debug)]
pub(super) struct Desk {
    notes: Mutex<Vec<Note>>,
    bell: OwnedFd,
    viewers: AtomicUsize,
}

/// What the gallery is told.
#[derive(Debug)]
pub(super) enum Note {
    Happened(Vec<TableEvent>),
    /// What spectators are shown is otherwise.
    Aired(Vec<Picture>),
    /// The journal is being read: nobody is shown anything before it is.
    Held,
    /// It is read.
    Released,
    Restored(Box<Views>),
    /// A round that was over is read again: what was published of it, and what is only seen.
    Recalled(Vec<TableEvent>, Box<Glimpses>),
    /// What everybody should know of the record.
    Noticed(Notice),
    /// Someone came, by this pass where they needed one.
    Came {
        subject: Subject,
        pass: Option<u32>,
        guest: Guest,
    },
    /// A pass was taken back.
    Expelled(u32),
    /// Someone asks how everything stands.
    Asked(Door, oneshot::Sender<HallView>),
    /// Someone wants that as a document.
    Read(Door, oneshot::Sender<Document>),
    Over,
}

/// Whose handshake is good.
#[derive(Debug)]
pub(super) struct Guest {
    pub(super) line: Line,
    /// What the handshake has still to be answered with.
    pub(super) answer: Bytes,
    /// What they have said behind their handshake.
    pub(super) said: Bytes,
}

impl Guest {
    /// The same, who takes up a place until they go.
    pub(super) fn taking(self, place: Place) -> Guest {
        Guest { line: self.line.taking(Some(place)), ..self }
    }
}

impl Desk {
    pub(super) fn new() -> io::Result<Desk> {
        let bell = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Desk { notes: Mutex::default(), bell, viewers: AtomicUsize::new(0) })
    }

    pub(super) fn leave(&self, note: Note) {
        let is_first = {
            let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
            notes.push(note);
            notes.len() == 1
        };
        // Whoever left the first of them rings for all: they are taken together.
        if is_first {
            let _ = rustix::io::write(&self.bell, &1u64.to_ne_bytes());
        }
    }

    /// All notes, and the bell set back.
    pub(super) fn clear(&self) -> Vec<Note> {
        // Set back before the notes are taken: a note that comes in between rings once more, and none is overlooked.
        let _ = rustix::io::read(&self.bell, &mut [0; 8]);
        std::mem::take(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    pub(super) fn count(&self, viewers: usize) {
        self.viewers.store(viewers, Ordering::Relaxed);
    }

    /// How many there are.
    pub(super) fn viewers(&self) -> usize {
        self.viewers.load(Ordering::Relaxed)
    }
}
