//! What screens were told last of the arbiter at the table, and of a board that differs from the record.

/// What was told last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// An arbiter has acknowledged what the table has raised, and nobody has ruled about it yet.
    acknowledged: bool,
    /// Something that may be a misreading.
    unconfirmed: bool,
    /// The board can't be explained.
    held: bool,
    attended: bool,
    board: Option<String>,
}

impl Told {
    /// An arbiter is on the way.
    pub(crate) fn acknowledge(&mut self) {
        self.acknowledged = true;
    }

    /// It has been ruled about, or the game is another one.
    pub(crate) fn rule(&mut self) {
        self.acknowledged = false;
    }

    /// The board can't be explained, or can again.
    pub(crate) fn hold(&mut self, held: bool) {
        self.held = held;
    }

    /// Something was told, or withdrawn, that may be a misreading, or not.
    pub(crate) fn doubt(&mut self, unconfirmed: bool) {
        self.unconfirmed = unconfirmed;
    }

    /// Whether what may have been a misreading is none, where that is news.
    pub(crate) fn confirmed_news(&mut self, unconfirmed: bool) -> bool {
        !unconfirmed && std::mem::take(&mut self.unconfirmed)
    }

    pub(crate) fn is_held(&self) -> bool {
        self.held
    }

    /// Whether an arbiter is at the table, where that is news. Nobody is said to be there while a clock runs.
    pub(crate) fn attended_news(&mut self, clocks_stand: bool) -> Option<bool> {
        let attended = self.acknowledged && clocks_stand;
        (std::mem::replace(&mut self.attended, attended) != attended).then_some(attended)
    }

    /// What stands on a board that differs, where that is news; `None` inside once all is right again.
    pub(crate) fn board_news(&mut self, board: Option<String>) -> Option<Option<String>> {
        if self.board == board {
            return None;
        }
        self.board.clone_from(&board);
        Some(board)
    }
}
