//! Presses that complete no move, and what the arbiter is offered about them.

use laws::Rule;
use protocol::feed::{Action, Alert, AlertKind, Entry, Proposal, Side, State};
use shakmaty::Position as _;

use super::{Said, Table, finding, say, say_entry};
use crate::{
    Millis,
    hand::press::{Mismatch, Verdict},
};

impl Table {
    /// A press that completed no move.
    pub(super) fn note_press(&mut self, side: Side, verdict: Verdict, now: Millis, out: &mut Vec<Said>) {
        match verdict {
            Verdict::NoMove => {
                let kind = AlertKind::NoMoveClockPress;
                let Some(note) = finding::by(Rule::NoMovePress, kind, Some(side), self.conditions) else { return };
                let count = Some(self.count(side));
                say(out, now, Alert { count, ..note });
                self.propose(finding::penalty(Action::Penalise, side), now, out);
            }
            Verdict::PromotionLeft(promotion) => {
                let (rule, kind) = (Rule::PromotionIncomplete, AlertKind::PromotionIncomplete);
                let count = Some(self.count(side));
                let evidence = Some(finding::on(promotion.to()));
                let note = finding::by(rule, kind, Some(side), self.conditions);
                say(out, now, note.map(|note| Alert { count, evidence, ..note }));
                // Since 2014 the pawn counts as a queen at once.
                let mut deeds = Vec::new();
                self.hand.force(promotion, now, &mut deeds);
                self.follow(deeds, now, out);
                self.propose(finding::penalty(Action::ReplaceByQueenAndPenalise, side), now, out);
            }
            Verdict::Illegal(illegality) => {
                let count = self.count(side);
                say(out, now, finding::illegal(illegality, side, count, self.conditions));
                self.propose(finding::penalty(Action::RestoreAndPenalise, side), now, out);
            }
            Verdict::Mismatch(mismatch) | Verdict::Unseen(mismatch) => self.note_mismatch(mismatch, now, out),
        }
    }

    pub(super) fn note_mismatch(&mut self, mismatch: Mismatch, now: Millis, out: &mut Vec<Said>) {
        let Some(game) = &self.game else { return };
        let note = finding::mismatch(mismatch, game.position().board(), self.hand.board(), self.conditions);
        say(out, now, note);
        self.call_arbiter(now, out);
    }

    pub(super) fn count(&mut self, side: Side) -> u32 {
        let count = &mut self.offences[usize::from(side == Side::Black)];
        *count += 1;
        *count
    }

    /// Offers the arbiter something to decide; the latest offer counts.
    pub(super) fn propose(&mut self, proposal: Proposal, now: Millis, out: &mut Vec<Said>) {
        self.proposal = Some(proposal.clone());
        say_entry(out, now, Entry::Proposal(proposal));
        self.call_arbiter(now, out);
    }

    pub(super) fn call_arbiter(&mut self, now: Millis, out: &mut Vec<Said>) {
        if self.state == State::Playing {
            self.enter(State::AwaitingArbiter, now, out);
        }
    }
}
