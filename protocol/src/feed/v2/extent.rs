//! How much of a line a page needs.

use crate::feed::TableView;

/// How much of a line a page needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All moves, and the position they began from.
    WholeLine,
    /// The last move.
    LastMove,
}

impl Extent {
    /// How many moves of the line come before those that are told.
    pub(super) fn first_of(self, view: &TableView) -> usize {
        match self {
            Extent::WholeLine => 0,
            Extent::LastMove => view.line.len().saturating_sub(1),
        }
    }
}
