//! What the table asks aside, and what becomes of it when the answer comes: a game that was over, perhaps some moves ago;
//! a proposal that hung on it.

use laws::{Edition, Ending};
use protocol::feed::{Alert, Correction, Entry, Proposal, State};

use super::{Awaiting, Table, Turn, draws::Over, finding, game::Game, mate};
use crate::{Answer, Doubt, Refusal, hand::Order};

impl Table {
    /// What a search aside has found, if it is still asked and the checker accepts it.
    pub(super) fn learn(&mut self, answer: &Answer, turn: &mut Turn) -> Result<(), Refusal> {
        let question = &answer.question;
        let doubt = self.doubts().into_iter().find(|doubt| doubt.question == *question);
        let nobody_asks = || Refusal::because(format!("nobody asks about ply {} any more", question.ply));
        let verdict = answer.verdict(&doubt.ok_or_else(nobody_asks)?)?;
        self.asked.retain(|asked| asked != question);
        let (edition, budget) = (self.conditions.edition(), self.budget());
        let Some(game) = &mut self.game else { return Ok(()) };
        let was_over = game.proving().over_at().is_some();
        let over = edition != Edition::E1993 && game.learn(question, &verdict, budget) && !was_over;
        if over {
            self.say_proofs(turn);
            self.settle(question, &verdict, turn);
            let plies = self.game.as_ref().map_or(0, Game::len);
            let last_mover = self.game.as_ref().and_then(|game| game.mover_of(plies)).unwrap_or(question.side);
            let questioned = self.in_question == Some(plies);
            self.note_over(Over::Position(Ending::DeadPosition), last_mover, questioned, turn);
        } else {
            let found = mate::verdict(game, question, &verdict);
            let from = turn.mark();
            if self.settle(question, &verdict, turn) {
                turn.entry_before(from, found);
            }
            self.order_hand([Order::JudgeEndAgain], turn);
        }
        Ok(())
    }

    /// Says what has to be searched aside, whenever that has changed.
    pub(super) fn ask_aside(&mut self, turn: &mut Turn) {
        self.judge_again(turn);
        self.withdraw(turn);
        let doubts = self.doubts();
        let same = doubts.len() == self.asked.len()
            && doubts.iter().zip(&self.asked).all(|(doubt, asked)| doubt.question == *asked);
        if !same {
            self.asked = doubts.iter().map(|doubt| doubt.question.clone()).collect();
            turn.ask_proof(doubts);
        }
    }

    /// What is proposed about a ply that has left the record is not proposed any more.
    fn withdraw(&mut self, turn: &mut Turn) {
        let Some(ply) = self.proposal.as_ref().and_then(|proposal| proposal.ends_at_ply) else { return };
        if self.game.as_ref().and_then(|game| game.proving().over_at()) != Some(ply) {
            self.proposal = None;
            turn.entry(Entry::Proposal(Proposal::default()));
        }
    }

    /// Something has been asked aside that is not answered yet.
    pub fn is_in_doubt(&self) -> bool {
        !self.asked.is_empty()
    }

    /// What has to be searched: first what the arbiter waits for.
    fn doubts(&self) -> Vec<Doubt> {
        let Some(game) = &self.game else { return Vec::new() };
        if !matches!(self.state, State::Playing | State::AwaitingArbiter) {
            return Vec::new();
        }
        let mut doubts = Vec::<Doubt>::new();
        for doubt in self.doubts_of_forfeits().chain(game.doubts()) {
            if !doubts.iter().any(|known| known.question == doubt.question) {
                doubts.push(doubt);
            }
        }
        doubts
    }

    /// Why neither player can mate any more.
    fn say_proofs(&self, turn: &mut Turn) {
        let Some(game) = &self.game else { return };
        let ply = game.proving().over_at().unwrap_or(game.len());
        for color in shakmaty::Color::ALL {
            let proof = game.proving().proof(color);
            let side = color.into();
            turn.entry(Entry::Verdict { ply, side, can_mate: Some(false), line: Vec::new(), proof });
        }
    }

    /// The game was over before the record's last ply: what was played after it is void, and the arbiter confirms that.
    pub(super) fn note_over_before(&mut self, ply: usize, turn: &mut Turn) {
        let Some(game) = &self.game else { return };
        let (Some(position), Some(mover)) = (game.position_after(ply), game.mover_of(ply).or(game.mover_of(1))) else {
            return;
        };
        let Some((note, result, reason)) = finding::ending(Ending::DeadPosition, position, mover, self.conditions)
        else {
            return;
        };
        let void = game.sans().skip(ply).map(str::to_owned).collect::<Vec<_>>();
        let known = self.proposal.as_ref().is_some_and(|proposal| proposal.ends_at_ply == Some(ply));
        if !known {
            turn.say(Alert { plies: Some(void.len()), ..note });
        }
        let proposal = Proposal { ends_at_ply: Some(ply), void, ..finding::proposed(result, reason) };
        self.propose(proposal, Awaiting::Decision, turn);
    }

    /// The record ends with this ply. What was played after it is void: it is told once more, and kept with the events.
    pub(super) fn void_after(&mut self, ply: usize, turn: &mut Turn) {
        let Some(game) = self.game.as_mut().filter(|game| game.len() > ply) else { return };
        let old = game.take_back(game.len() - ply);
        turn.entry(Entry::Corrected { from_ply: ply + 1, old, new: Vec::new(), reason: Correction::AfterTheEnd });
        let (position, earlier) = (game.position().clone(), game.earlier());
        self.choice.take_if(|choice| choice.before > ply);
        self.tail.clear();
        self.shown = None;
        self.order_hand([Order::Correct { position, earlier }, Order::End], turn);
        self.show(turn);
    }

    /// The arbiter has the game go on. If it was over by proof, nobody is told so again.
    pub(super) fn overrule(&mut self) {
        if let Some(game) = &mut self.game {
            game.proving_mut().overrule();
        }
    }
}

/// The ply with which a game was over that nobody knew to be over, if more was played since.
pub(super) fn over_before(game: &Game) -> Option<usize> {
    game.proving().over_at().filter(|ply| *ply < game.len())
}
