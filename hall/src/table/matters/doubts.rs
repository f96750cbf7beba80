//! What the table asks aside, and what becomes of it when the answer comes: a game that was over, perhaps some moves ago;
//! a proposal that hung on it.

use laws::{Edition, Ending};
use protocol::feed::{Alert, Correction, Entry, Proposal};

use crate::{
    Answer, Doubt, Ply, Refusal,
    hand::Order,
    table::{desk::Awaiting, finding, over::Over, turn::Turn, whole::Table},
};

impl Table {
    /// What a search aside has found, if it is still asked and the checker accepts it.
    pub(crate) fn learn(&mut self, answer: &Answer, turn: &mut Turn) -> Result<(), Refusal> {
        let question = &answer.question;
        let doubt = self.doubts().into_iter().find(|doubt| doubt.question == *question);
        let nobody_asks = || Refusal::because(format!("nobody asks about ply {} any more", question.ply));
        let verdict = answer.verdict(&doubt.ok_or_else(nobody_asks)?)?;
        self.searches.settle(question);
        let (edition, budget) = (self.agreed.conditions().edition(), self.agreed.budget());
        let Some(game) = self.record.game_mut() else { return Ok(()) };
        let was_over = game.proving().over_at().is_some();
        let over = edition != Edition::E1993 && game.learn(question, &verdict, budget) && !was_over;
        if over {
            self.say_proofs(turn);
            self.settle(question, &verdict, turn);
            let last = self.record.ply();
            let last_mover = self.record.game().and_then(|game| game.mover_of(last)).unwrap_or(question.side);
            let questioned = self.desk.is_questioned(last);
            self.note_over(Over::Position(Ending::DeadPosition), last_mover, questioned, turn);
        } else {
            let found = game.found(question, &verdict);
            let from = turn.mark();
            if self.settle(question, &verdict, turn) {
                turn.entry_before(from, found);
            }
            self.order_hand([Order::JudgeEndAgain], turn);
        }
        Ok(())
    }

    /// Says what has to be searched aside, whenever that has changed.
    pub(crate) fn ask_aside(&mut self, turn: &mut Turn) {
        self.judge_again(turn);
        self.withdraw(turn);
        let doubts = self.doubts();
        if self.searches.ask(&doubts) {
            turn.ask_proof(doubts);
        }
    }

    /// What is proposed about a ply that has left the record is not proposed any more.
    fn withdraw(&mut self, turn: &mut Turn) {
        let Some(ply) = self.desk.offered().and_then(|proposal| proposal.ends_at_ply) else { return };
        if self.record.game().and_then(|game| game.proving().over_at()) != Some(Ply::new(ply)) {
            self.desk.take_offer();
            turn.entry(Entry::Proposal(Proposal::default()));
        }
    }

    /// What has to be searched: first what the arbiter waits for.
    fn doubts(&self) -> Vec<Doubt> {
        let Some(game) = self.record.game() else { return Vec::new() };
        if !self.desk.is_on() {
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
        let Some(game) = self.record.game() else { return };
        let ply = game.proving().over_at().unwrap_or(game.ply()).count();
        for color in shakmaty::Color::ALL {
            let proof = game.proving().proof(color);
            let side = color.into();
            turn.entry(Entry::Verdict { ply, side, can_mate: Some(false), line: Vec::new(), proof });
        }
    }

    /// The game was over before the record's last ply: what was played after it is void, and the arbiter confirms that.
    pub(crate) fn note_over_before(&mut self, ply: Ply, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        let (Some(position), Some(mover)) =
            (game.position_after(ply), game.mover_of(ply).or(game.mover_of(Ply::FIRST)))
        else {
            return;
        };
        let Some((note, result, reason)) =
            finding::ending(Ending::DeadPosition, position, mover, self.agreed.conditions())
        else {
            return;
        };
        let void = game.sans().skip(ply.count()).map(str::to_owned).collect::<Vec<_>>();
        let known = self.desk.offered().is_some_and(|proposal| proposal.ends_at_ply == Some(ply.count()));
        if !known {
            turn.say(Alert { plies: Some(void.len()), ..note });
        }
        let proposal = Proposal { ends_at_ply: Some(ply.count()), void, ..finding::proposed(result, reason) };
        self.propose(proposal, Awaiting::Decision, turn);
    }

    /// The record ends with this ply. What was played after it is void: it is told once more, and kept with the events.
    pub(crate) fn void_after(&mut self, ply: Ply, turn: &mut Turn) {
        let Some(game) = self.record.game().filter(|game| game.ply() > ply) else { return };
        let Some(record) = game.course().back_to(ply) else { return };
        self.tell_corrected(&record, Correction::AfterTheEnd, turn);
        self.lay_out([Order::Correct(record), Order::End], turn);
    }

    /// The arbiter has the game go on. If it was over by proof, nobody is told so again.
    pub(crate) fn overrule(&mut self) {
        if let Some(game) = self.record.game_mut() {
            game.proving_mut().overrule();
        }
    }
}
