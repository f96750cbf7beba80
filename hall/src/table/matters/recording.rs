//! Games begin, moves go into the record, and screens see the line.

use protocol::{
    board::Lie,
    feed::{AlertKind, Clocks, Correction, Entry, Side, State},
};
use shakmaty::Position as _;

use crate::{
    Course, Ply,
    hand::{Finished, Order},
    table::{
        finding,
        record::{Game, Written},
        spoken::Spoken,
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// The hand has begun a game.
    pub(crate) fn open(&mut self, record: &Course, instead: bool, turn: &mut Turn) {
        // Men that were put up in another order first have begun nothing.
        let mended = self.agreed.array().is_some_and(|array| array.start() == record.start()) && self.stood_wrong();
        let game = Game::new(self.next_number(instead || mended), record);
        self.begin_game(game, turn);
    }

    /// The game whose beginning was read off the board began otherwise.
    pub(crate) fn reopen(&mut self, record: &Course, turn: &mut Turn) {
        let game = Game::new(self.record.games(), record);
        turn.entry(game.started());
        turn.entry(Entry::State { state: self.desk.state() });
        self.record.replace(game);
        self.show(turn);
    }

    /// The game that is on is this one, from another beginning: it is told once more from there.
    pub(crate) fn tell_again(&mut self, record: &Course, turn: &mut Turn) {
        let Some(game) = self.record.game().map(|game| game.begun_from(record)) else { return };
        turn.entry(game.started());
        turn.entry(Entry::State { state: self.desk.state() });
        for ply in game.course().since(Ply::START).iter().map(Course::ply) {
            let Some(Written { ply: number, san, uci, fen }) = game.written(ply) else { continue };
            let clocks = game.clocks_at(ply).zip(game.mover_of(ply));
            let clock_ms = clocks.map(|(clocks, mover)| match mover {
                Side::White => clocks.white,
                Side::Black => clocks.black,
            });
            turn.entry(Entry::Final { ply: number, san, uci, fen, clock_ms, inferred: false, illegal: false });
        }
        self.record.replace(game);
        self.show(turn);
    }

    /// The number of the game that begins now. One that was only read off the board, in which nobody has moved and to
    /// which nobody has given a result, was none.
    pub(crate) fn next_number(&self, assumed: bool) -> u32 {
        let none_yet = assumed && self.record.game().is_some() && !self.record.says_something();
        if none_yet { self.record.games() } else { self.record.games() + 1 }
    }

    /// Somebody begins a game on a board that lies like this.
    pub(crate) fn begin(&mut self, game: Game, lie: Lie, turn: &mut Turn) {
        let begin = Order::Begin { record: game.course().clone(), lie };
        self.begin_game(game, turn);
        self.order_hand([begin], turn);
    }

    pub(crate) fn begin_game(&mut self, game: Game, turn: &mut Turn) {
        turn.entry(game.started());
        let was_played = self.record.ply() > Ply::START && self.record.games() < game.number;
        let played = was_played.then(|| self.record.games());
        self.record.begin(game);
        self.desk.begin(played);
        self.told.rule();
        self.told.doubt(false);
        self.clocks.begin();
        self.boards.pair_mut().begin();
        self.spoken = Spoken::default();
        // Said even if the last game was still on: a new game starts its own life.
        turn.entry(Entry::State { state: State::Playing });
        self.show_owed_clock(turn);
        self.show(turn);
    }

    /// A move is final.
    pub(crate) fn write(&mut self, record: &Course, finished: &Finished, turn: &mut Turn) {
        let Some(mover) = self.record.game().map(|game| Side::from(game.position().turn())) else { return };
        let Some(Written { ply, san, uci, fen }) = self.record.write(record, finished.played) else { return };
        self.desk.forget_before();
        let left_ms = |side| self.clocks.clock.left_ms(side, self.hand.lie());
        let (clock_ms, clocks) = (left_ms(mover), left_ms(Side::White).zip(left_ms(Side::Black)));
        self.record.note_clocks(clocks.map(|(white, black)| Clocks { white, black }));
        turn.entry(Entry::Final { ply, san, uci, fen, clock_ms, inferred: finished.inferred, illegal: false });
        self.compare_array(turn);
        self.compare_result(turn);
        let over = self.over();
        self.note_made(finished, over.is_some(), turn);
        let questioned = self.note_suspicions(finished, mover, turn);
        self.desk.question(questioned.then_some(record.ply()));
        self.examine(over, mover, questioned, turn);
    }

    /// The first move has been made: the pairing may have its result already. Then somebody sits at the wrong table, or it
    /// was given for another one.
    fn compare_result(&self, turn: &mut Turn) {
        if self.record.ply() == Ply::FIRST && self.record.was_given_before() {
            turn.say(finding::plain(AlertKind::PlayedAfterResult));
        }
    }

    /// Final moves were something else.
    pub(crate) fn rewrite(&mut self, record: &Course, reason: Correction, turn: &mut Turn) {
        self.unplay(record, reason, turn);
        self.show(turn);
        // What the last move has turned out to be may end the game.
        if let (Some(over), Some(game)) = (self.over(), self.record.game()) {
            let mover = Side::from(!game.position().turn());
            self.examine(Some(over), mover, false, turn);
        }
    }

    /// The record goes back, and perhaps on from there.
    pub(crate) fn unplay(&mut self, record: &Course, reason: Correction, turn: &mut Turn) {
        self.tell_corrected(record, reason, turn);
        self.record.follow(record);
        self.record.forget_seen();
    }

    /// Tells how this version of the record differs from what was told before, if it does.
    pub(crate) fn tell_corrected(&self, record: &Course, reason: Correction, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        let (from_ply, old, new) = game.corrected(record);
        if !old.is_empty() || !new.is_empty() {
            turn.entry(Entry::Corrected { from_ply: from_ply.count(), old, new, reason });
        }
    }

    /// The record is another one, or has to be set up again: the hand begins from there, and screens see what it makes
    /// of the board.
    pub(crate) fn lay_out<const N: usize>(&mut self, orders: [Order; N], turn: &mut Turn) {
        self.record.forget_seen();
        self.record.forget_choice();
        self.order_hand(orders, turn);
        self.show(turn);
    }

    /// The record has moves that nobody has made on the board. Whoever has one brings it up to date; until then it shows
    /// no moves, and no takeback.
    pub(crate) fn bring_up_to_date(&mut self, turn: &mut Turn) {
        if let Some(game) = self.record.game().filter(|_| self.boards.is_linked()) {
            self.order_hand([Order::Restore(game.course().clone())], turn);
        }
    }

    /// Tells screens the visible line, if they were told another.
    pub(crate) fn show(&mut self, turn: &mut Turn) {
        if let Some(seen) = self.record.news() {
            turn.show(seen);
        }
    }
}
