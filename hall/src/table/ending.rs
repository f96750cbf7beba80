//! How a game ends, and what the kings in the centre say about it.

use laws::Rule;
use protocol::feed::{Alert, AlertKind, Entry, GameResult, ResultReason, State};
use shakmaty::Color;

use super::{Awaiting, Table, Turn, finding};
use crate::hand::Order;

impl Table {
    pub(super) fn finish(&mut self, result: GameResult, reason: ResultReason, turn: &mut Turn) {
        if let Some(game) = &mut self.game {
            game.result = result;
        }
        turn.entry(Entry::Result { result, reason });
        self.enter(State::Ended, turn);
        self.order_hand([Order::End], turn);
    }

    pub(super) fn enter(&mut self, state: State, turn: &mut Turn) {
        if state != State::AwaitingArbiter {
            self.awaiting = Awaiting::Nothing;
            self.flags.rule();
            self.pending.clear();
        }
        if self.state != state {
            self.state = state;
            turn.entry(Entry::State { state });
        }
    }

    pub(super) fn note_signal(&mut self, winner: Option<Color>, turn: &mut Turn) {
        let result = winner.map_or(GameResult::Draw, |color| GameResult::win(color.into()));
        let Some(game) = &self.game else { return };
        if std::mem::replace(&mut self.signalled, true) {
            return;
        }
        let given = game.result;
        let (rule, kind) = if given == GameResult::Open || given == result {
            (Rule::ResultSignalled, AlertKind::ResultSignalled)
        } else {
            (Rule::ResultConflict, AlertKind::ResultConflict)
        };
        let note = finding::by(rule, kind, None, self.conditions);
        turn.say(note.map(|note| Alert { signalled: Some(result), ..note }));
        if given == GameResult::Open {
            let proposal = finding::proposed(result, ResultReason::KingsInCentre);
            self.propose(proposal, Awaiting::Decision, turn);
        }
    }
}
