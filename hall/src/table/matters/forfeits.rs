//! Losses that are draws if the opponent can't mate by any series of legal moves: flags, limits, sealed moves,
//! resignations. Where that is not known, the arbiter is told so, and told again once it is.

use laws::{dead::Verdict, loss::Cause};
use protocol::feed::{Entry, MateSearch, Proposal};
use shakmaty::{Move, Position as _};

use crate::{
    Doubt, Question,
    table::{
        desk::{Forfeit, Pending, Prospect},
        turn::Turn,
        whole::Table,
    },
};

impl Table {
    /// Whether the opponent can mate in the record's position and after what is `seen` beyond it; and what follows. What
    /// hangs on it and is not known is asked aside. `told`: the arbiter is told of it now.
    pub(crate) fn judge(&mut self, forfeit: Forfeit, seen: &[Move], told: bool) -> Prospect {
        let budget = self.agreed.budget();
        let Some(game) = self.record.game_mut() else { return Prospect::default() };
        let opponent = forfeit.side.other();
        let can = game.can_mate(seen, opponent, budget);
        let mut position = game.position().clone();
        seen.iter().for_each(|played| position.play_unchecked(*played));
        let record = game.course().clone();
        let doubt = game.doubt(game.ply().on(seen.len()), opponent, position);
        let proposal = forfeit.proposal(self.agreed.edition(), doubt.position(), can, MateSearch::Pending);
        // The arbiter is told whether the opponent can mate even where the edition makes nothing of it.
        let pending = Pending { doubt, record, forfeit, proposed: proposal.clone(), told };
        self.desk.await_search(forfeit, can.is_none().then_some(pending));
        Prospect { can, proposal }
    }

    /// Forfeits in a position that has left the record are judged in the one that stands there now.
    pub(crate) fn judge_again(&mut self, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return self.desk.await_nothing() };
        let is_gone = |pending: &Pending| game.position_after(pending.record.ply()) != Some(pending.record.position());
        for pending in self.desk.take_pending(is_gone) {
            let seen = match pending.forfeit.cause {
                Cause::Time | Cause::Resignation => self.record.tail().to_vec(),
                Cause::IllegalMoves | Cause::SealedMove | Cause::Telephone => Vec::new(),
            };
            let judged = self.judge(pending.forfeit, &seen, pending.told);
            self.amend(&pending, judged.proposal, turn);
        }
    }

    /// The search for one question has come to an end: what hangs on it is settled. True if the arbiter was told of any.
    pub(crate) fn settle(&mut self, question: &Question, verdict: &Verdict, turn: &mut Turn) -> bool {
        let found = verdict.can_mate();
        // Who can't mate can't later either.
        let answers = |pending: &Pending| {
            let asked = &pending.doubt.question;
            asked == question || (found == Some(false) && asked.side == question.side && asked.ply >= question.ply)
        };
        let answered = self.desk.take_pending(answers);
        for pending in &answered {
            let position = pending.doubt.position();
            let proposal = pending.forfeit.proposal(self.agreed.edition(), position, found, MateSearch::Undecided);
            self.amend(pending, proposal, turn);
        }
        answered.iter().any(|pending| pending.told)
    }

    /// The arbiter is offered something else about the same forfeit, unless the last offer was about another matter.
    fn amend(&mut self, pending: &Pending, proposal: Proposal, turn: &mut Turn) {
        if pending.forfeit.cause == Cause::Time {
            self.clocks.flags.amend(pending.forfeit.side, &proposal);
        }
        if self.desk.amend(&pending.proposed, &proposal) {
            turn.entry(Entry::Proposal(proposal));
        }
    }

    /// What is being asked for forfeits.
    pub(crate) fn doubts_of_forfeits(&self) -> impl Iterator<Item = Doubt> {
        self.desk.pending().iter().map(|pending| pending.doubt.clone())
    }
}
