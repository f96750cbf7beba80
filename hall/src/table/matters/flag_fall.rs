//! Flags that fall: how many moves were completed, whether the opponent can mate, and what follows if it is so.

use laws::{
    Rule,
    clock::{self, BothFlags, OnTime},
    loss::Cause,
};
use protocol::feed::{Action, Alert, AlertKind, Because, GameResult, ResultReason, Side};
use shakmaty::{ByColor, Color, Move, Position as _};

use crate::{
    Refusal,
    table::{
        clocks::Fallen,
        desk::{Awaiting, Forfeit, Prospect},
        finding,
        turn::Turn,
        whole::Table,
    },
};

/// What is known of a player who has no time left.
pub(crate) struct Overstepped {
    /// So many moves are completed,
    completed: u32,
    /// in this period,
    period: usize,
    /// and they are all of them.
    pub(crate) in_time: bool,
    pub(crate) judged: Prospect,
}

impl Table {
    /// Flags the clock shows now and did not show before.
    pub(crate) fn note_flags(&mut self, turn: &mut Turn) {
        let shown = [Side::White, Side::Black].map(|side| self.clocks.clock.flag(side, self.hand.lie()));
        let [Some(white), Some(black)] = shown else { return };
        let fallen = self.clocks.flags.hear(ByColor { white, black });
        if fallen.is_empty() || self.record.game().is_none() || !self.desk.is_on() {
            return;
        }
        if !self.agreed.rules().analogue {
            self.clocks.flags.note_first(&fallen);
        }
        for side in fallen {
            self.flag_falls(side, !self.agreed.conditions().waits_for_a_claim(), turn);
        }
        if self.clocks.flags.both_open().is_some() {
            self.both_flags_fell(turn);
        }
    }

    /// A player claims that the opponent's flag, `side`'s, has fallen.
    pub(crate) fn claim_flag(&mut self, side: Side, turn: &mut Turn) -> Result<(), Refusal> {
        if self.clocks.clock.flag(side, self.hand.lie()) == Some(false) {
            let sentence = "the clock shows no such flag: look at it, and give the result by hand if it has fallen";
            return Err(Refusal::because(sentence).known_as(Because::NoFlag));
        }
        if !self.close(turn) {
            return Ok(());
        }
        if self.clocks.flags.both_open().is_some() {
            // Both are down, and that has been said: whoever claims has no time left either.
            return Ok(());
        }
        self.flag_falls(side, true, turn);
        Ok(())
    }

    fn flag_falls(&mut self, side: Side, announced: bool, turn: &mut Turn) {
        let Some(Overstepped { completed, period, in_time, judged }) = self.overstep(side, announced) else { return };
        let fallen = Fallen { period, proposal: judged.proposal.clone() };
        self.clocks.flags.fall(side, fallen, in_time);
        if !announced {
            return;
        }
        let note = finding::by(Rule::FlagFall, AlertKind::FlagFall, Some(side), self.agreed.conditions());
        let facts = |note| Alert { completed_moves: Some(completed), ..judged.note(note) };
        turn.say(note.map(facts));
        // With all moves completed nothing is lost, and the next move shows that the players know.
        let awaiting = if in_time { Awaiting::Board } else { Awaiting::Decision };
        self.propose(judged.proposal, awaiting, turn);
    }

    /// What follows if this player has no time left. `told`: the arbiter is told of it now.
    pub(crate) fn overstep(&mut self, side: Side, told: bool) -> Option<Overstepped> {
        let completed = self.record.game()?.moves_completed(side);
        let control = self.agreed.control();
        let period = self.period_of(side, completed);
        let needed = control.as_ref().and_then(|control| control.needed(period));
        let (lost, drawn) = (ResultReason::Time, ResultReason::TimeVsCannotMate);
        let forfeit = Forfeit { side, cause: Cause::Time, lost, drawn };
        let seen = self.record.tail().to_vec();
        let (edition, board) = (self.agreed.conditions().edition(), self.record.seen().board().clone());
        let in_time = clock::out_of_time(edition, &board, side.into(), completed, needed, None) == OnTime::InTime;
        let judged = if in_time { self.nothing_lost(side, &seen) } else { self.judge(forfeit, &seen, told) };
        Some(Overstepped { completed, period, in_time, judged })
    }

    /// All moves of the period were made in time: whether the opponent can mate is a fact on which nothing hangs.
    fn nothing_lost(&mut self, side: Side, seen: &[Move]) -> Prospect {
        let budget = self.agreed.budget();
        let can = self.record.game_mut().and_then(|game| game.can_mate(seen, side.other(), budget));
        Prospect { can, proposal: finding::doing(Action::Continue) }
    }

    fn both_flags_fell(&mut self, turn: &mut Turn) {
        let Some(fallen) = self.clocks.flags.both_open() else { return };
        let control = self.agreed.control();
        let is_last = |fallen: &&Fallen| control.as_ref().is_none_or(|control| control.is_last(fallen.period));
        let last = fallen.iter().all(is_last);
        let first = self.clocks.flags.first().map(Color::from);
        let (edition, increment) = (self.agreed.conditions().edition(), self.agreed.has_increment());
        let proposal = match clock::both_flags(edition, first, last, increment) {
            BothFlags::First(color) => fallen[color].proposal.clone(),
            BothFlags::GoesOn => finding::doing(Action::Continue),
            BothFlags::Drawn => finding::proposed(GameResult::Draw, ResultReason::BothFlagsLastPeriod),
            BothFlags::NotRegulated => finding::doing(Action::ContinueUnlessArbiterRules),
        };
        turn.say(finding::by(Rule::BothFlags, AlertKind::BothFlags, None, self.agreed.conditions()));
        self.propose(proposal, Awaiting::Decision, turn);
    }

    /// All the rest of the moves have to be made in the time this player has.
    pub(crate) fn is_in_last_period(&self, side: Side) -> bool {
        let period = self.period_now(side);
        self.agreed.control().is_none_or(|control| control.is_last(period))
    }

    /// Which period a player is in, from 0.
    pub(crate) fn period_now(&self, side: Side) -> usize {
        self.period_of(side, self.record.game().map_or(0, |game| game.moves_completed(side)))
    }

    fn period_of(&self, side: Side, completed: u32) -> usize {
        self.agreed.period(completed, self.clocks.flags.in_time(side))
    }
}
