//! How a game ends, and what the kings in the centre say about it.

use laws::Rule;
use protocol::feed::{Alert, AlertKind, Entry, GameResult, ResultReason, Score, State};
use shakmaty::Color;

use crate::{
    hand::{Order, Sign},
    table::{desk::Awaiting, finding, turn::Turn, whole::Table},
};

impl Table {
    pub(crate) fn finish(&mut self, result: GameResult, reason: ResultReason, turn: &mut Turn) {
        self.finish_with(result.into(), reason, turn);
    }

    /// The same with a score PGN may have no word for.
    pub(crate) fn finish_with(&mut self, score: Score, reason: ResultReason, turn: &mut Turn) {
        let result = score.result();
        self.record.give(score, reason);
        turn.entry(Entry::Result { result, reason, score: score.beyond_result() });
        self.clocks.flags.rule();
        self.told.rule();
        if self.desk.end() {
            turn.entry(Entry::State { state: State::Ended });
        }
        self.tell_hand(&Sign::Ordered(Order::End), turn);
    }

    /// The game closes: of what nobody has pressed the last ply may belong to it. False if the game has ended with that.
    pub(crate) fn close(&mut self, turn: &mut Turn) -> bool {
        self.order_hand([Order::Close], turn);
        !self.desk.has_ended()
    }

    /// The game goes on: whatever was open is ruled about.
    pub(crate) fn play_on(&mut self, turn: &mut Turn) {
        self.clocks.flags.rule();
        self.told.rule();
        if self.desk.go_on() {
            turn.entry(Entry::State { state: State::Playing });
            // Nobody had to press meanwhile.
            self.spoken.stand_anew(turn.now());
            self.show_owed_clock(turn);
        }
    }

    pub(crate) fn note_signal(&mut self, winner: Option<Color>, turn: &mut Turn) {
        let result = winner.map_or(GameResult::Draw, |color| GameResult::win(color.into()));
        let Some(game) = self.record.game() else { return };
        if !self.desk.signal(result) {
            return;
        }
        let given = game.score.result();
        let (rule, kind) = if given == GameResult::Open || given == result {
            (Rule::ResultSignalled, AlertKind::ResultSignalled)
        } else {
            (Rule::ResultConflict, AlertKind::ResultConflict)
        };
        let note = finding::by(rule, kind, None, self.agreed.conditions());
        turn.say(note.map(|note| Alert { signalled: Some(result), ..note }));
        if given == GameResult::Open {
            let proposal = finding::proposed(result, ResultReason::KingsInCentre);
            self.propose(proposal, Awaiting::Decision, turn);
        }
    }
}
