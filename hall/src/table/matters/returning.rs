//! The daemon comes back: what stood in the record stands.

use protocol::{
    board::Link,
    feed::{AlertKind, Entry, Score, Sight},
};

use crate::{
    StoredRecord,
    hand::{Order, Sign},
    table::{finding, record::Game, turn::Turn, whole::Table},
};

impl Table {
    pub(crate) fn come_back(&mut self, stored: Option<&StoredRecord>, turn: &mut Turn) {
        self.searches.forget();
        if let Some(board) = self.boards.fall_silent(turn.now()) {
            // No alert: nobody pulled a cable. But a board that does not come back must not be shown as heard.
            turn.show(Sight::Link { board, state: Link::Down });
        }
        self.lose_clock(turn);
        self.signal_hand(&Sign::Link(false), turn);
        if let Some(game) = stored.and_then(|stored| Game::stored(stored).ok()) {
            self.take_up(game, turn);
        }
    }

    /// The game is on, or has ended, as it stood when the daemon stopped.
    fn take_up(&mut self, game: Game, turn: &mut Turn) {
        let is_on = game.score == Score::Open;
        let record = game.course().clone();
        self.record.replace(game);
        if is_on {
            self.desk.go_on();
        } else {
            self.desk.end();
        }
        self.order_hand([Order::Correct(record), if is_on { Order::Resume } else { Order::End }], turn);
        turn.say(finding::plain(AlertKind::RecordDiffers));
        turn.entry(Entry::State { state: self.desk.state() });
        self.show(turn);
    }
}
