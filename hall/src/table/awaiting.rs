//! Waiting for the arbiter, and what ends it.

use protocol::feed::{Entry, Proposal, State};

use super::{Table, Turn, game::Game};

/// What a table that waits for the arbiter waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Awaiting {
    /// Nothing.
    #[default]
    Nothing,
    /// The board: a legal move completed on the record's position puts things right by itself. Alerts and penalties
    /// stay open.
    Board,
    /// A decision that nobody else can make.
    Decision,
}

impl Table {
    /// Offers the arbiter something to decide; the latest offer counts. Where nothing is awaited play goes on meanwhile.
    pub(super) fn propose(&mut self, proposal: Proposal, awaiting: Awaiting, turn: &mut Turn) {
        self.proposal = Some(proposal.clone());
        turn.entry(Entry::Proposal(proposal));
        if awaiting != Awaiting::Nothing {
            self.call_arbiter(awaiting, turn);
        }
    }

    /// The arbiter has something to look at. What waits for a decision goes on waiting for it.
    pub(super) fn call_arbiter(&mut self, awaiting: Awaiting, turn: &mut Turn) {
        if matches!(self.state, State::Playing | State::AwaitingArbiter) {
            self.awaiting = self.awaiting.max(awaiting);
            self.called_at = self.game.as_ref().map_or(0, Game::len);
            self.enter(State::AwaitingArbiter, turn);
        }
    }

    /// A legal move was completed. If it was made on the position about which the arbiter was called, the game goes on.
    pub(super) fn go_on_by_itself(&mut self, ply: usize, turn: &mut Turn) {
        if self.state == State::AwaitingArbiter && self.awaiting == Awaiting::Board && ply > self.called_at {
            self.enter(State::Playing, turn);
        }
    }
}
