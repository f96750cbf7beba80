//! An arbiter comes to the table, and sees how the board stands beside the record.

use protocol::feed::{Command, Sight, State};
use shakmaty::{Bitboard, Position as _, Square};

use crate::table::{finding, turn::Turn, whole::Table};

impl Table {
    /// The arbiter has seen what was raised. That changes nothing at the table; it is known, and kept with the game.
    pub(crate) fn acknowledge(&mut self, command: &Command, turn: &mut Turn) {
        self.note(command, turn);
        self.told.acknowledge();
    }

    /// Whether an arbiter is at the table, and what stands on a board that is looked at, whenever that has changed.
    pub(crate) fn tell_staff(&mut self, turn: &mut Turn) {
        if let Some(attended) = self.told.attended_news(self.clocks.clock.stands()) {
            turn.show(Sight::Attended { attended });
        }
        let differing = self.looked_at();
        let board = differing.any().then(|| self.hand.board().to_string());
        if let Some(board) = self.told.board_news(board) {
            let placement = board.unwrap_or_else(|| self.hand.board().to_string());
            turn.show(Sight::Board { placement, squares: finding::names(differing) });
        }
    }

    /// On which squares the board differs from the record, while somebody has to look at it.
    fn looked_at(&self) -> Bitboard {
        let is_looked_at = self.told.is_held() || self.desk.state() == State::AwaitingArbiter;
        let Some(game) = self.record.game().filter(|_| is_looked_at) else { return Bitboard::EMPTY };
        let mut made = game.position().clone();
        self.record.tail().iter().for_each(|played| made.play_unchecked(*played));
        let (record, board) = (made.board(), self.hand.board());
        Square::ALL.into_iter().filter(|square| record.piece_at(*square) != board.piece_at(*square)).collect()
    }
}
