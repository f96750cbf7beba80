//! The daemon comes back: what stood in the record stands.

use protocol::{
    board::Link,
    feed::{AlertKind, Entry, Score, Sight},
};

use crate::{
    Millis, StoredRecord,
    hand::{Hand, Order, Sign},
    table::{
        finding,
        record::Game,
        turn::{Said, Turn},
        whole::Table,
    },
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

    /// Something in here has panicked in the middle of an input: what hands were at is not to be trusted. The record stands,
    /// and the board is read anew.
    pub(crate) fn begin_anew(&mut self, now: Millis, out: &mut Vec<Said>) {
        self.take_turn(now, out, |table, turn| {
            let (lie, settings) = (table.hand.lie(), table.agreed.settings().clone());
            table.searches.forget();
            table.record.forget_seen();
            table.hand = Hand::new(settings);
            table.brief_hand(turn);
            if let Some(record) = table.record.game().map(|game| game.course().clone()) {
                table.order_hand([Order::Begin { record, lie }], turn);
            }
            if table.desk.has_ended() {
                table.order_hand([Order::End], turn);
            } else if table.spoken.has_envelope(table.record.ply()) {
                table.order_hand([Order::StandStill], turn);
            }
            table.note_gap(0, &[], turn);
            if let Some(board) = table.boards.followed().filter(|_| table.boards.is_linked()) {
                turn.ask_dump(board.clone());
            }
            table.show(turn);
        });
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
