//! Two boards in one game, as with a blind player: the one that is not followed is compared with the game.

use laws::Rule;
use protocol::{
    board::Observation,
    feed::{Alert, AlertKind, Blind, Evidence},
};

use crate::{
    Millis,
    table::{finding, turn::Turn, whole::Table},
};

impl Table {
    /// The board that is not followed reported something.
    pub(crate) fn hear_twin(&mut self, observation: &Observation, now: Millis) {
        if self.boards.hear_twin(observation, now) {
            self.meet_twin();
        }
    }

    /// The record or what is seen has changed.
    pub(crate) fn stir_twin(&mut self, now: Millis) {
        self.boards.stir_twin(now);
        self.meet_twin();
    }

    fn meet_twin(&mut self) {
        if self.boards.has_twin()
            && let Some(game) = self.record.game()
        {
            self.boards.meet_twin(game, &self.record.seen());
        }
    }

    /// When the boards have been at rest for long enough to be compared.
    pub(crate) fn twin_at(&self) -> Option<Millis> {
        let rests_since = self.boards.twin_rests_since().filter(|_| self.agreed.rules().blind != Blind::None)?;
        Some(rests_since.saturating_add(self.agreed.settings().mismatch_rest_ms))
    }

    pub(crate) fn compare_boards(&mut self, turn: &mut Turn) {
        let seen = self.record.seen();
        let played = self.record.game().filter(|_| self.desk.is_playing());
        let twin = self.boards.judge_twin(played.map(|game| (game, &seen)));
        let Some((twin, game)) = twin.zip(played) else { return };
        let (common, squares) = twin.difference(game, self.hand.board());
        let note = finding::by(Rule::BoardsDiffer, AlertKind::BoardsDiffer, None, self.agreed.conditions());
        let evidence = Some(Evidence { squares: finding::names(squares), ..Evidence::default() });
        turn.say(note.map(|note| Alert { plies: Some(common.count()), evidence, ..note }));
    }
}
