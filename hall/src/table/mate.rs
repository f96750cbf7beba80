//! Losses that are draws if the opponent can't mate by any series of legal moves: flags, limits, sealed moves,
//! resignations. Where that is not known, the arbiter is told so, and told again once it is.

use laws::{
    dead::Verdict,
    loss::{Cause, Loss},
};
use protocol::feed::{Alert, Entry, GameResult, MateSearch, Proposal, ResultReason, Side};
use shakmaty::{Chess, Color, Move, Position as _};

use super::{Table, Turn, finding, flags::place, game::Game};
use crate::{Doubt, Question};

/// A player would lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Forfeit {
    pub(super) side: Side,
    pub(super) cause: Cause,
    /// The ground of the loss.
    pub(super) lost: ResultReason,
    /// The ground of the draw, if the opponent can't mate.
    pub(super) drawn: ResultReason,
}

/// What is known of it, and what the arbiter is offered.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) can: Option<bool>,
    pub(super) proposal: Proposal,
}

/// A forfeit of which it is being searched whether the opponent can mate.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    pub(super) doubt: Doubt,
    /// How many plies the record had, and its position: if that changes, it is another question.
    record: (usize, Chess),
    forfeit: Forfeit,
    proposed: Proposal,
    /// The arbiter was told. What nobody may act on without a claim is not told before it is made.
    told: bool,
}

impl Judged {
    /// The facts for an alert.
    pub(super) fn note(&self, note: Alert) -> Alert {
        Alert { opponent_can_mate: self.can, mate_search: self.proposal.mate_search, ..note }
    }
}

impl Forfeit {
    fn proposal(&self, table: &Table, position: &Chess, can: Option<bool>, unknown: MateSearch) -> Proposal {
        let loser = Color::from(self.side);
        let won = GameResult::win(self.side.other());
        match self.cause.outcome(table.conditions.edition(), position.board(), loser, can) {
            Loss::Lost => finding::proposed(won, self.lost),
            Loss::Open => Proposal { mate_search: Some(unknown), ..finding::proposed(won, self.lost) },
            Loss::Drawn => finding::proposed(GameResult::Draw, self.drawn),
        }
    }
}

impl Table {
    /// Whether the opponent can mate in the record's position and after what is `seen` beyond it; and what follows. What
    /// hangs on it and is not known is asked aside. `told`: the arbiter is told of it now.
    pub(super) fn judge(&mut self, forfeit: Forfeit, seen: &[Move], told: bool) -> Judged {
        let budget = self.budget();
        let Some(game) = &mut self.game else { return Judged { can: None, proposal: Proposal::default() } };
        let opponent = forfeit.side.other();
        let can = game.can_mate(seen, opponent, budget);
        let mut position = game.position().clone();
        seen.iter().for_each(|played| position.play_unchecked(*played));
        let record = (game.len(), game.position().clone());
        let doubt = game.doubt(game.len() + seen.len(), opponent, position);
        let proposal = forfeit.proposal(self, doubt.position(), can, MateSearch::Pending);
        self.pending.retain(|pending| pending.forfeit != forfeit);
        // The arbiter is told whether the opponent can mate even where the edition makes nothing of it.
        if can.is_none() {
            self.pending.push(Pending { doubt, record, forfeit, proposed: proposal.clone(), told });
        }
        Judged { can, proposal }
    }

    /// Forfeits in a position that has left the record are judged in the one that stands there now.
    pub(super) fn judge_again(&mut self, turn: &mut Turn) {
        let Some(game) = &self.game else { return self.pending.clear() };
        let stands = |pending: &Pending| game.position_after(pending.record.0) == Some(&pending.record.1);
        let (stay, gone) = std::mem::take(&mut self.pending).into_iter().partition(stands);
        self.pending = stay;
        for pending in gone {
            let seen = match pending.forfeit.cause {
                Cause::Time | Cause::Resignation => self.tail.clone(),
                Cause::IllegalMoves | Cause::SealedMove | Cause::Telephone => Vec::new(),
            };
            let judged = self.judge(pending.forfeit, &seen, pending.told);
            self.amend(&pending, judged.proposal, turn);
        }
    }

    /// The search for one question has come to an end: what hangs on it is settled. True if the arbiter was told of any.
    pub(super) fn settle(&mut self, question: &Question, verdict: &Verdict, turn: &mut Turn) -> bool {
        let found = verdict.can_mate();
        // Who can't mate can't later either.
        let answers = |pending: &Pending| {
            let asked = &pending.doubt.question;
            asked == question || (found == Some(false) && asked.side == question.side && asked.ply >= question.ply)
        };
        let (answered, open) = std::mem::take(&mut self.pending).into_iter().partition::<Vec<_>, _>(answers);
        self.pending = open;
        for pending in &answered {
            let position = pending.doubt.position();
            let proposal = pending.forfeit.proposal(self, position, found, MateSearch::Undecided);
            self.amend(pending, proposal, turn);
        }
        answered.iter().any(|pending| pending.told)
    }

    /// The arbiter is offered something else about the same forfeit, unless the last offer was about another matter.
    fn amend(&mut self, pending: &Pending, proposal: Proposal, turn: &mut Turn) {
        if pending.forfeit.cause == Cause::Time {
            self.flags.amend(place(pending.forfeit.side), &proposal);
        }
        if self.proposal.as_ref() == Some(&pending.proposed) && proposal != pending.proposed {
            self.proposal = Some(proposal.clone());
            turn.entry(Entry::Proposal(proposal));
        }
    }

    /// What is being asked for forfeits.
    pub(super) fn doubts_of_forfeits(&self) -> impl Iterator<Item = Doubt> {
        self.pending.iter().map(|pending| pending.doubt.clone())
    }
}

/// What a search has found out, for who decides.
pub(super) fn verdict(game: &Game, question: &Question, verdict: &Verdict) -> Entry {
    let (line, proof) = match verdict {
        Verdict::CanMate(mate) => (mate.line().iter().map(|next| next.to_uci(game.mode).to_string()).collect(), None),
        Verdict::CannotMate(proof) => (Vec::new(), Some(proof.proof().to_string())),
        Verdict::Unknown { .. } => (Vec::new(), None),
    };
    Entry::Verdict { ply: question.ply, side: question.side, can_mate: verdict.can_mate(), line, proof }
}
