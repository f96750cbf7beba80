//! What the feed is told, for tests that have no screens.

use std::sync::Arc;

use protocol::feed::{TableEvent, TableId, TableView};

use super::{
    air::Pictured,
    desk::{Desk, Note},
};

/// Who reads the notes in the gallery's place.
#[derive(Debug)]
pub(crate) struct Overheard(Arc<Desk>);

/// One thing the feed was told.
#[derive(Debug)]
pub(crate) enum Told {
    /// This happened.
    Happened(Vec<TableEvent>),
    /// Spectators are shown these tables so, or not any more.
    Aired(Vec<(TableId, Option<TableView>)>),
}

impl Overheard {
    pub(super) fn at(desk: Arc<Desk>) -> Overheard {
        Overheard(desk)
    }

    /// Everything since the last look.
    pub(crate) fn notes(&self) -> Vec<Told> {
        self.0.clear().into_iter().filter_map(told).collect()
    }
}

fn told(note: Note) -> Option<Told> {
    match note {
        Note::Happened(events) => Some(Told::Happened(events)),
        Note::Aired(pictures) => {
            let shown = pictures.into_iter().filter_map(|picture| match picture.into_pictured() {
                Pictured::Table(table, view) => Some((table, view.map(|view| *view))),
                Pictured::Round(_) => None,
            });
            Some(Told::Aired(shown.collect()))
        }
        Note::Held
        | Note::Restored(_)
        | Note::Noticed(_)
        | Note::Released
        | Note::Recalled(..)
        | Note::Came { .. }
        | Note::Expelled(_)
        | Note::Asked(..)
        | Note::Read(..)
        | Note::Over => None,
    }
}
