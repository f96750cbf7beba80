//! What the arbiter decides, and what players declare: kept with the game, and followed.

use protocol::feed::{Command, Correction, Entry, GameResult, Penalty, Proposal, ResultReason, Side, State};

use super::{Awaiting, Table, Turn, game::Game};
use crate::{Refusal, hand::Order};

impl Table {
    /// Keeps an order with the game, so that it is answered and can be read afterwards.
    pub(super) fn note(&self, command: &Command, turn: &mut Turn) {
        turn.entry(Entry::Noted { order: Box::new(command.clone()) });
    }

    /// The arbiter stops the game.
    pub(super) fn stop(&mut self, turn: &mut Turn) {
        self.call_arbiter(Awaiting::Decision, turn);
    }

    /// The game goes on as the record has it.
    pub(super) fn go_on(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        if self.state == State::Ended {
            return Err(Refusal::because("the game has ended: take its result back with \"result\": \"*\" first"));
        }
        self.proposal = None;
        self.overrule();
        self.enter(State::Playing, turn);
        self.order_hand([Order::Resume], turn);
        Ok(())
    }

    /// The position after `to` plies is set up again; what was played after it leaves the record.
    pub(super) fn restore(&mut self, to: usize, turn: &mut Turn) -> Result<(), Refusal> {
        let plies = self.game.as_ref().map_or(0, Game::len);
        if to > plies {
            return Err(Refusal::because(format!("the record has {plies} moves: restore after 0 to {plies} of them")));
        }
        self.go_on(turn)?;
        if to < plies {
            self.offer_times(to, turn);
            return self.take_back(plies - to, Correction::Arbiter, true, turn);
        }
        Ok(())
    }

    /// What is proposed is accepted.
    pub(super) fn confirm(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        let Proposal { result, reason, ends_at_ply, .. } = self.proposal.take().ok_or_else(nothing_proposed)?;
        if let Some(ply) = ends_at_ply {
            self.void_after(ply, turn);
        }
        match (result, reason) {
            (Some(result), Some(reason)) => self.finish(result, reason, turn),
            (Some(_) | None, Some(_) | None) => self.enter(State::Playing, turn),
        }
        Ok(())
    }

    /// What is proposed is not accepted.
    pub(super) fn reject(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        self.proposal.take().ok_or_else(nothing_proposed)?;
        self.go_on(turn)
    }

    /// A penalty; a lost game ends.
    pub(super) fn penalise(&mut self, side: Side, penalty: Penalty, turn: &mut Turn) {
        if penalty == Penalty::Loss {
            self.finish(GameResult::win(side.other()), ResultReason::Arbiter, turn);
        }
    }
}

fn nothing_proposed() -> Refusal {
    Refusal::because("nothing is proposed at this table: give a result or an order instead")
}
