//! What the arbiter decides, and what players declare: kept with the game, and followed.

use protocol::feed::{
    Alert, AlertKind, Because, Command, Correction, Entry, GameResult, Penalty, Proposal, ResultReason, Side, State,
};

use crate::{
    Ply, Refusal,
    hand::Order,
    table::{
        desk::{Awaiting, Raised},
        finding,
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// Keeps an order with the game, so that it is answered and can be read afterwards.
    pub(crate) fn note(&self, command: &Command, turn: &mut Turn) {
        turn.entry(Entry::Noted { order: Box::new(command.clone()) });
    }

    /// Offers the arbiter something to decide; the latest offer counts. Where nothing is awaited play goes on meanwhile.
    pub(crate) fn propose(&mut self, proposal: Proposal, awaiting: impl Into<Option<Awaiting>>, turn: &mut Turn) {
        self.propose_about(turn.last_alert().as_slice(), proposal, awaiting, turn);
    }

    /// The same about these alerts, each of which has followed from those before it.
    pub(crate) fn propose_about(
        &mut self,
        from: &[Raised],
        proposal: Proposal,
        awaiting: impl Into<Option<Awaiting>>,
        turn: &mut Turn,
    ) {
        self.desk.offer(from.to_vec(), proposal.clone());
        turn.entry(Entry::Proposal(proposal));
        if let Some(awaiting) = awaiting.into() {
            self.call_about(from, awaiting, turn);
        }
    }

    /// The arbiter has something to look at.
    pub(crate) fn call_arbiter(&mut self, awaiting: Awaiting, turn: &mut Turn) {
        self.call_about(turn.last_alert().as_slice(), awaiting, turn);
    }

    pub(crate) fn call_about(&mut self, from: &[Raised], awaiting: Awaiting, turn: &mut Turn) {
        if self.desk.call(from.to_vec(), awaiting, self.record.ply()) {
            turn.entry(Entry::State { state: State::AwaitingArbiter });
        }
    }

    /// There is nothing to do about an alert: nothing that came from it alone is offered or waited for any more, and if it
    /// told of an offence, that was none.
    pub(crate) fn dismiss(&mut self, command: &Command, alert: Raised, turn: &mut Turn) {
        self.note(command, turn);
        self.desk.discount(alert);
        let (state, offered) = (self.desk.state(), self.desk.offered().cloned());
        for (of, _) in self.desk.take_away(alert) {
            turn.say(Alert { of: Some(of), ..finding::plain(AlertKind::AlertWithdrawn) });
        }
        // Of a game that has ended nothing is offered, whatever lies on the desk.
        if self.desk.is_on() && self.desk.offered() != offered.as_ref() {
            self.offer_anew(turn);
        }
        if self.desk.state() != state {
            turn.entry(Entry::State { state: self.desk.state() });
        }
    }

    /// A legal move was completed. If it was made on the position about which the arbiter was called, the game goes on.
    /// Nothing is left to restore then, and what the offence costs stays open.
    pub(crate) fn go_on_by_itself(&mut self, ply: Ply, turn: &mut Turn) {
        if self.desk.is_put_right_by(ply) {
            if self.desk.keep_cost() {
                self.offer_anew(turn);
            }
            self.play_on(turn);
        }
    }

    /// Something else is offered from here on, or nothing.
    pub(crate) fn offer_anew(&self, turn: &mut Turn) {
        turn.entry(Entry::Proposal(self.desk.offered().cloned().unwrap_or_default()));
    }

    /// The arbiter stops the game.
    pub(crate) fn stop(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        self.call_arbiter(Awaiting::Decision, turn);
        Ok(())
    }

    /// The game goes on as the record has it.
    pub(crate) fn go_on(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        self.must_be_on()?;
        self.desk.take_offer();
        // A game that goes on is not adjourned, whatever its clock does then.
        self.spoken.open_envelope();
        self.overrule();
        self.play_on(turn);
        self.clocks.clock.forget_rest();
        self.order_hand([Order::Resume], turn);
        Ok(())
    }

    /// The position after the ply `to` is set up again; what was played after it leaves the record.
    pub(crate) fn restore(&mut self, to: Ply, turn: &mut Turn) -> Result<(), Refusal> {
        let last = self.record.ply();
        if to > last {
            let refusal = Refusal::because(format!("the record has {last} moves: restore after 0 to {last} of them"));
            return Err(refusal.known_as(Because::FewerMoves { moves: last.count() }));
        }
        self.go_on(turn)?;
        if to < last {
            self.offer_times(to, turn);
            return self.take_back(last.since(to), Correction::Arbiter, true, turn);
        }
        Ok(())
    }

    /// What is proposed is accepted.
    pub(crate) fn confirm(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        let offered = self.desk.offered().cloned().ok_or_else(nothing_proposed)?;
        let Proposal { result, reason, ends_at_ply, .. } = offered;
        if result.is_some() {
            self.close(turn);
        }
        if let Some(ply) = ends_at_ply {
            // The moves are gone, and with them what was offered about them: taking the result back brings back neither.
            self.desk.clear();
            self.void_after(Ply::new(ply), turn);
        }
        match (result, reason) {
            (Some(result), Some(reason)) => self.finish(result, reason, turn),
            // What was offered before the game ended is done, and the end stays.
            (Some(_) | None, Some(_) | None) if self.desk.has_ended() => {}
            (Some(_) | None, Some(_) | None) => {
                self.play_on(turn);
                self.order_hand([Order::Resume], turn);
            }
        }
        self.desk.take_offer();
        Ok(())
    }

    /// What is proposed is not accepted.
    pub(crate) fn reject(&mut self, turn: &mut Turn) -> Result<(), Refusal> {
        self.desk.take_offer().ok_or_else(nothing_proposed)?;
        self.go_on(turn)
    }

    /// What was proposed for an earlier game is told again once nothing else is.
    pub(crate) fn tell_left(&mut self, turn: &mut Turn) {
        if let Some(left) = self.desk.uncover_left() {
            turn.entry(Entry::Proposal(left));
        }
    }

    /// A penalty; a lost game ends.
    pub(crate) fn penalise(&mut self, side: Side, penalty: Penalty, turn: &mut Turn) {
        if penalty == Penalty::Loss {
            self.close(turn);
            self.finish(GameResult::win(side.other()), ResultReason::Arbiter, turn);
        }
    }
}

fn nothing_proposed() -> Refusal {
    Refusal::because("nothing is proposed at this table: give a result or an order instead")
        .known_as(Because::NothingProposed)
}
