//! The table as a whole: its parts, and what goes from one to another.

use super::{
    agreed::Agreed,
    boards::Boards,
    clocks::Clocks,
    desk::Desk,
    record::{Game, Record},
    searches::Searches,
    spoken::Spoken,
    told::Told,
    voices::Voices,
};
use crate::{Course, Ply, Settings, StoredRecord, hand::Hand};
use protocol::{
    board::Contents,
    feed::{GameResult, Score, Side},
};
use shakmaty::Position as _;

/// One table, from the first start array to the last result of the round.
///
/// Drive it in rounds: for each input first `elapse` to its time, then call what the input asks for, then drain `out`.
/// Times never go backwards; two inputs of the same millisecond keep the order they are given in.
#[derive(Clone, Debug)]
pub struct Table {
    pub(crate) hand: Hand,
    pub(crate) agreed: Agreed,
    pub(crate) clocks: Clocks,
    pub(crate) record: Record,
    pub(crate) desk: Desk,
    pub(crate) boards: Boards,
    pub(crate) spoken: Spoken,
    pub(crate) searches: Searches,
    pub(crate) told: Told,
    pub(crate) voices: Voices,
}

impl Table {
    /// An empty table.
    pub fn new(settings: Settings) -> Table {
        Table {
            hand: Hand::new(settings.clone()),
            agreed: Agreed::new(settings),
            clocks: Clocks::default(),
            record: Record::default(),
            desk: Desk::default(),
            boards: Boards::default(),
            spoken: Spoken::default(),
            searches: Searches::default(),
            told: Told::default(),
            voices: Voices::default(),
        }
    }

    /// From here on these thresholds count.
    pub fn set(&mut self, settings: Settings) {
        self.agreed.set(settings.clone());
        self.hand.set(settings);
    }

    /// A move of a game was made that has not ended, and the men were not put up for another.
    pub fn is_in_play(&self) -> bool {
        let on = self.desk.is_on() && !self.hand.is_set_up();
        on && (!self.record.tail().is_empty() || self.record.ply() > Ply::START)
    }

    /// What a game that is over has left on this board, if it is the one that is followed.
    pub fn left_on(&self, board: &str) -> Option<Contents> {
        let is_over = self.games() > 0 && !self.is_in_play();
        (is_over && self.boards.follows(board)).then(|| *self.hand.contents())
    }

    /// Somebody has still to decide something, about the game that is on or was last, or about an earlier one.
    pub fn is_undecided(&self) -> bool {
        self.desk.is_undecided()
    }

    /// The table's board can be heard.
    pub fn is_linked(&self) -> bool {
        self.boards.is_linked()
    }

    /// Something has been asked aside that is not answered yet.
    pub fn is_in_doubt(&self) -> bool {
        self.searches.is_open()
    }

    /// Nobody is heard here, nothing is on, and nothing will follow by itself.
    pub(crate) fn is_at_rest(&self) -> bool {
        let speaks = [Side::White, Side::Black].into_iter().any(|side| self.voices.of(side).is_some());
        !self.is_linked() && !self.is_in_play() && !self.is_in_doubt() && self.deadline().is_none() && !speaks
    }

    /// What stands on the board, as squares of the game.
    pub fn physical(&self) -> String {
        self.hand.board().to_string()
    }

    /// The how-many-eth game is on; 0 before the first.
    pub fn games(&self) -> u32 {
        self.record.games()
    }

    /// The last game before that one, and what both scored in it.
    pub(crate) fn before(&self) -> Option<(u32, Score)> {
        self.record.before()
    }

    /// The result the pairing was given before anybody had moved, while the game that is played all the same has none.
    pub(crate) fn given_before(&self) -> Option<(u32, Score)> {
        self.record.given_before()
    }

    /// The men stand as a game begins, but not as was announced.
    pub fn stands_wrong(&self) -> bool {
        let differs = |array: Course| !self.hand.difference(array.start().board()).is_empty();
        self.hand.is_set_up() && self.agreed.array().is_some_and(differs)
    }

    /// How many plies of the current game are final.
    pub fn plies(&self) -> usize {
        self.record.ply().count()
    }

    /// The current game has ended.
    pub fn is_over(&self) -> bool {
        self.desk.has_ended()
    }

    /// A board has told of its games, and not people alone.
    pub(crate) fn has_had_board(&self) -> bool {
        self.boards.were_heard()
    }

    /// The board that had gone when the game was opened again.
    pub(crate) fn recalled(&self) -> Option<&String> {
        self.boards.recalled()
    }

    /// This game or one before it has ended.
    pub(crate) fn has_result(&self) -> bool {
        self.is_over() || self.record.has_ended_before()
    }

    /// The pairing was given a result, and nobody has moved.
    pub fn is_unplayed(&self) -> bool {
        self.is_over() && self.plies() == 0
    }

    /// The result the arbiter is offered to confirm, of this game or of the one before it.
    pub fn offered(&self) -> Option<GameResult> {
        let offered = self.desk.offered().filter(|_| !self.desk.has_ended());
        offered.or_else(|| self.desk.left()).and_then(|proposal| proposal.result)
    }

    /// The current game as it would be stored; none before the first.
    pub fn record(&self) -> Option<StoredRecord> {
        self.record.game().map(Game::to_stored)
    }
}
