//! A game that was over goes on: somebody takes its result back, or mends the moves so that the rule that gave it holds no
//! more.

use protocol::feed::{Entry, GameResult, Score, Side, State};
use shakmaty::Position as _;

use crate::{
    MendedEnd, Ply,
    hand::Order,
    table::{
        over::Over,
        record::{Game, Ground},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// The game has no result any more, and goes on.
    pub(crate) fn open_again(&mut self, turn: &mut Turn) {
        let reason = Score::Open.reason();
        self.record.give(Score::Open, reason);
        self.boards.recall();
        turn.entry(Entry::Result { result: GameResult::Open, reason, score: None });
        if self.desk.reopen() {
            // What somebody had decided with it is open again. Spectators, who never hear what waits for the arbiter, hear
            // that the game is on.
            if self.desk.offered().is_some() {
                self.offer_anew(turn);
            }
            turn.entry(Entry::State { state: State::Playing });
            turn.entry(Entry::State { state: State::AwaitingArbiter });
        } else {
            self.play_on(turn);
        }
        self.order_hand([Order::Resume], turn);
    }

    /// Somebody has mended the moves after the ply `kept`: a result that only a rule gave falls, unless the same rule gives
    /// the same one still.
    pub(crate) fn fall_back_to(&mut self, kept: Ply, turn: &mut Turn) {
        let (number, falls) = (self.record.games(), self.agreed.settings().mended_end == MendedEnd::Falls);
        let Some(ground) = self.record.shaken(number, kept).filter(|_| falls && self.desk.has_ended()) else { return };
        let over = self.over();
        let Some(game) = self.record.game() else { return };
        if self.is_given_by(over, game, ground) {
            let ply = game.ply();
            return self.record.rest_on(number, Ground { ply, ..ground });
        }
        self.open_again(turn);
    }

    /// The same of an earlier game, which nobody plays on. What it was proven by is not kept: a dead position is one that
    /// shows it at a glance.
    pub(crate) fn falls_earlier(&self, game: &mut Game, kept: Ply) -> bool {
        let falls = self.agreed.settings().mended_end == MendedEnd::Falls;
        let Some(ground) = self.record.shaken(game.number, kept).filter(|_| falls) else { return false };
        let (edition, budget) = (self.agreed.conditions().edition(), self.agreed.budget());
        let over = Over::at(game.position(), game.history(), edition);
        let over = over.or_else(|| Over::proven(edition, || game.is_dead(budget)));
        !self.is_given_by(over, game, ground)
    }

    /// What ends this game gives it the result it has, on the same ground.
    fn is_given_by(&self, over: Option<Over>, game: &Game, ground: Ground) -> bool {
        let mover = Side::from(!game.position().turn());
        let found = over.and_then(|over| over.found(game.position(), mover, self.agreed.conditions()));
        found.is_some_and(|(_, result, reason)| (result, reason) == (game.score.result(), ground.reason))
    }
}
