//! What is plugged in: the ports, the boards behind them, and who else hears what they say.

use std::{collections::BTreeSet, sync::Arc};

use protocol::{
    board::{Link, Observation, dgt::Identity},
    feed::{Entry, Event, Fleet, TableEvent, TableId},
};

use super::{alarm::too_loud, fleet::Boards, ports::Ports};
use crate::{
    screens::livechess::Tap,
    sensors::{Renewal, Watch},
};

/// Owns everything that is known of boards beside the games that are played on them.
#[derive(Debug)]
pub(super) struct Cables {
    watch: Watch,
    ports: Ports,
    boards: Boards,
    tap: Tap,
}

impl Cables {
    pub(super) fn new(watch: Watch, tap: Tap) -> Cables {
        Cables { watch, ports: Ports::default(), boards: Boards::default(), tap }
    }

    /// Boards are looked for.
    pub(super) fn is_awake(&self, ticks: u64) -> bool {
        self.watch.is_awake(ticks)
    }

    /// What changes where boards are looked for, while everything runs.
    pub(super) fn renewal(&self) -> Renewal {
        self.watch.renewal()
    }

    /// How many boards can be heard, and how many were in this run.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.ports.count(), self.ports.known())
    }

    /// The boards that can be heard.
    pub(super) fn heard(&self) -> impl Iterator<Item = &String> {
        self.ports.boards()
    }

    /// The same, by their numbers.
    pub(super) fn serials(&self) -> BTreeSet<String> {
        self.heard().cloned().collect()
    }

    /// All that is known of each.
    pub(super) fn view<'a>(&self, now: u64, table_of: impl Fn(&str) -> Option<&'a TableId>) -> Fleet {
        self.boards.view(now, table_of)
    }

    /// Asks a board what stands on it.
    pub(super) fn ask(&self, board: &str) {
        if let Some(port) = self.ports.port(board) {
            self.watch.ask_board(port);
        }
    }

    /// A board has said who it is.
    pub(super) fn find(&mut self, port: &Arc<str>, identity: &Identity) {
        let Some(serial) = identity.serial() else {
            tracing::warn!(%port, "a board answers but has no serial number, so no table can be kept for it; give it \
                                   one with its maker's program");
            return;
        };
        if let Some(other) = self.ports.found(port, serial) {
            tracing::warn!(%port, %other, serial, "two ports say they are the same board; the newer one counts");
        }
        tracing::info!(%port, board = serial, "board found");
        self.boards.found(port, serial);
    }

    /// Which board it is that has said something. One that is heard at another port as well has not gone with this one.
    pub(super) fn hear(&mut self, port: &Arc<str>, observation: &Observation, now: u64) -> Option<String> {
        let board = self.ports.board(port).cloned();
        let is_down = *observation == Observation::Link(Link::Down);
        let older = if is_down { self.ports.lost(port) } else { None };
        // What a port says whose board is heard elsewhere is nobody's word.
        let board = board?;
        if let Some(older) = older {
            tracing::warn!(%port, %older, board, "board lost at this port; it is heard at the older one");
            self.boards.found(&older, &board);
            self.watch.ask_board(&older);
            return None;
        }
        if is_down {
            tracing::warn!(%port, board, "board lost");
        }
        self.tap.hear(&board, port, now, observation);
        self.boards.hear(&board, observation, now);
        Some(board)
    }

    /// Something is in the way at a port.
    pub(super) fn note_trouble(&mut self, port: &Arc<str>, trouble: String) {
        tracing::warn!(%port, "{trouble}");
        self.boards.note_port(port, Some(trouble));
    }

    /// Nothing is in the way there any more.
    pub(super) fn forget_trouble(&mut self, port: &Arc<str>) {
        self.boards.note_port(port, None);
    }

    /// A port says more than is listened to. Gives the board that was heard there last.
    pub(super) fn note_flood(&mut self, port: &Arc<str>) -> Option<String> {
        let board = self.ports.last_at(port).cloned();
        let sentence = too_loud(port, board.as_deref());
        tracing::error!(event = "port_too_loud", %port, board = board.as_deref().unwrap_or("unknown"), "{sentence}");
        self.boards.note_port(port, Some(sentence));
        board
    }

    /// The board there has said something that could not be true.
    pub(super) fn disbelieve(&mut self, port: &str) {
        if let Some(board) = self.ports.board(port) {
            self.boards.disbelieve(board);
        }
    }

    /// Changes of so many squares were lost on the way.
    pub(super) fn lose(&mut self, port: &str, squares: usize) {
        if let Some(board) = self.ports.board(port) {
            self.boards.lose(board, squares);
        }
    }

    /// What was published of the games on each board says how good it is.
    pub(super) fn count(&mut self, events: &[TableEvent], boards_at: impl Fn(&TableId) -> Vec<String>) {
        for TableEvent { table, event, .. } in events {
            let (games, corrections) = match event {
                Event::Entry(Entry::Started { .. }) => (1, 0),
                Event::Entry(Entry::Corrected { .. }) => (0, 1),
                Event::Entry(_) | Event::Sight(_) => continue,
            };
            let sitting = table.iter().flat_map(&boards_at);
            sitting.for_each(|board| self.boards.count(&board, games, corrections));
        }
    }
}
