//! Flags that fall: how many moves were completed, whether the opponent can mate, and what follows if it is so.

use laws::{
    Rule,
    clock::{self, BothFlags, Control, Extra, NextPeriod, OnTime, Period},
    loss::Cause,
};
use protocol::feed::{
    Action, Alert, AlertKind, ClockMode, GameResult, PeriodStart, Proposal, ResultReason, Rules, Side, State,
};
use shakmaty::{Color, Move, Position as _};

use super::{
    Awaiting, Table, Turn,
    claims::doing,
    finding,
    mate::{Forfeit, Judged},
};
use crate::Refusal;

/// What is known of the flags, White's and Black's.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags {
    /// What the clock shows.
    down: [bool; 2],
    /// Those that fell in this game and nobody has ruled about.
    open: [Option<Fallen>; 2],
    /// Whose fell first, if that is known.
    first: Option<Side>,
    /// How many periods each player has left behind when time was up, all moves completed.
    in_time: [usize; 2],
}

/// A flag that has fallen.
#[derive(Clone, Debug)]
struct Fallen {
    period: usize,
    proposal: Proposal,
}

impl Flags {
    /// A new game: what the clock still shows of the last one says nothing.
    pub(super) fn begin(&mut self) {
        *self = Flags { down: self.down, ..Flags::default() };
    }

    /// What follows from a flag that fell is something else.
    pub(super) fn amend(&mut self, place: usize, proposal: &Proposal) {
        if let Some(fallen) = &mut self.open[place] {
            fallen.proposal = proposal.clone();
        }
    }

    /// The arbiter has ruled.
    pub(super) fn rule(&mut self) {
        self.open = [None, None];
        self.first = None;
    }
}

impl Table {
    /// Flags the clock shows now and did not show before.
    pub(super) fn note_flags(&mut self, turn: &mut Turn) {
        let shown = [Side::White, Side::Black].map(|side| self.clock.flag(side, self.hand.lie()));
        let [Some(white), Some(black)] = shown else { return };
        let before = std::mem::replace(&mut self.flags.down, [white, black]);
        let fallen = [Side::White, Side::Black].into_iter().filter(|side| {
            let index = place(*side);
            self.flags.down[index] && !before[index]
        });
        let fallen = fallen.collect::<Vec<_>>();
        if fallen.is_empty() || self.game.is_none() || !matches!(self.state, State::Playing | State::AwaitingArbiter) {
            return;
        }
        // Both in one reading: the clock may know which was first, we do not.
        if self.flags.first.is_none() && !self.rules.analogue {
            let nobody = self.flags.open.iter().all(Option::is_none);
            self.flags.first = if let ([only], true) = (&fallen[..], nobody) { Some(*only) } else { None };
        }
        for side in fallen {
            self.flag_falls(side, !self.conditions.waits_for_a_claim(), turn);
        }
        if self.flags.open.iter().all(Option::is_some) {
            self.both_flags_fell(turn);
        }
    }

    /// A player claims that the opponent's flag, `side`'s, has fallen.
    pub(super) fn claim_flag(&mut self, side: Side, turn: &mut Turn) -> Result<(), Refusal> {
        if self.clock.flag(side, self.hand.lie()) == Some(false) {
            return Err(Refusal::because(
                "the clock shows no such flag: look at it, and give the result by hand if it has fallen",
            ));
        }
        if self.flags.open.iter().all(Option::is_some) {
            // Both are down, and that has been said: whoever claims has no time left either.
            return Ok(());
        }
        self.flag_falls(side, true, turn);
        Ok(())
    }

    fn flag_falls(&mut self, side: Side, announced: bool, turn: &mut Turn) {
        let Some(game) = &self.game else { return };
        let completed = game.moves_completed(side);
        let control = control(&self.rules);
        let period = self.period_of(side, completed);
        let needed = control.as_ref().and_then(|control| control.needed(period));
        let (lost, drawn) = (ResultReason::Time, ResultReason::TimeVsCannotMate);
        let forfeit = Forfeit { side, cause: Cause::Time, lost, drawn };
        let seen = self.tail.clone();
        let (edition, board) = (self.conditions.edition(), self.seen().board().clone());
        let in_time = clock::out_of_time(edition, &board, side.into(), completed, needed, None) == OnTime::InTime;
        let judged = if in_time { self.nothing_lost(side, &seen) } else { self.judge(forfeit, &seen, announced) };
        let fallen = Fallen { period, proposal: judged.proposal.clone() };
        let known = self.flags.open[place(side)].replace(fallen).is_some();
        if in_time && !known {
            self.flags.in_time[place(side)] += 1;
        }
        if !announced {
            return;
        }
        let note = finding::by(Rule::FlagFall, AlertKind::FlagFall, Some(side), self.conditions);
        let facts = |note| Alert { completed_moves: Some(completed), ..judged.note(note) };
        turn.say(note.map(facts));
        // With all moves completed nothing is lost, and the next move shows that the players know.
        let awaiting = if in_time { Awaiting::Board } else { Awaiting::Decision };
        self.propose(judged.proposal, awaiting, turn);
    }

    /// All moves of the period were made in time: whether the opponent can mate is a fact on which nothing hangs.
    fn nothing_lost(&mut self, side: Side, seen: &[Move]) -> Judged {
        let budget = self.budget();
        let can = self.game.as_mut().and_then(|game| game.can_mate(seen, side.other(), budget));
        Judged { can, proposal: doing(Action::Continue) }
    }

    fn both_flags_fell(&mut self, turn: &mut Turn) {
        let fallen = self.flags.open.clone();
        let is_last = |fallen: &Option<Fallen>| {
            let control = control(&self.rules);
            fallen.as_ref().is_some_and(|fallen| control.is_none_or(|control| control.is_last(fallen.period)))
        };
        let last = fallen.iter().all(is_last);
        let first = self.flags.first.map(Color::from);
        let (edition, increment) = (self.conditions.edition(), self.has_increment());
        let proposal = match clock::both_flags(edition, first, last, increment) {
            BothFlags::First(color) => {
                let fallen = fallen[place(color.into())].clone();
                fallen.map_or_else(Proposal::default, |fallen| fallen.proposal)
            }
            BothFlags::GoesOn => doing(Action::Continue),
            BothFlags::Drawn => finding::proposed(GameResult::Draw, ResultReason::BothFlagsLastPeriod),
            BothFlags::NotRegulated => doing(Action::ContinueUnlessArbiterRules),
        };
        turn.say(finding::by(Rule::BothFlags, AlertKind::BothFlags, None, self.conditions));
        self.propose(proposal, Awaiting::Decision, turn);
    }

    /// All the rest of the moves have to be made in the time this player has.
    pub(super) fn is_in_last_period(&self, side: Side) -> bool {
        let period = self.period_now(side);
        control(&self.rules).is_none_or(|control| control.is_last(period))
    }

    /// Something is added for each move.
    pub(super) fn has_increment(&self) -> bool {
        self.rules.clock_mode != ClockMode::Plain && self.rules.periods.iter().any(|period| period.increment_s > 0)
    }

    /// Which period a player is in, from 0.
    pub(super) fn period_now(&self, side: Side) -> usize {
        self.period_of(side, self.game.as_ref().map_or(0, |game| game.moves_completed(side)))
    }

    /// The same with so many moves completed: the clock counts moves, or the time that was used up.
    fn period_of(&self, side: Side, completed: u32) -> usize {
        let Some(control) = control(&self.rules) else { return 0 };
        let reached = |period: &usize| control.needed(*period).is_some_and(|needed| completed >= needed);
        let by_moves = (0..self.rules.periods.len()).take_while(reached).count();
        match control.next_period() {
            NextPeriod::ByMoves => by_moves,
            NextPeriod::ByTime => by_moves.min(self.flags.in_time[place(side)]),
        }
    }
}

/// The periods as the Laws read them; none where the time control is not known.
pub(super) fn control(rules: &Rules) -> Option<Control> {
    let period = |period: &protocol::feed::Period| {
        let ms = u64::from(period.increment_s) * 1000;
        let extra = match rules.clock_mode {
            ClockMode::Plain => Extra::None,
            _ if ms == 0 => Extra::None,
            ClockMode::Fischer => Extra::Fischer(ms),
            ClockMode::Bronstein => Extra::Bronstein(ms),
            ClockMode::Delay => Extra::Delay(ms),
        };
        let moves = period.moves.and_then(|moves| u32::from(moves).try_into().ok());
        Period { moves, base_ms: u64::from(period.base_s) * 1000, extra }
    };
    let mut periods = rules.periods.iter().map(period);
    let first = periods.next()?;
    let next = match rules.second_period_start {
        PeriodStart::ByMoves => NextPeriod::ByMoves,
        PeriodStart::ByTime => NextPeriod::ByTime,
    };
    Some(Control::new(first, periods.collect(), next))
}

/// White's place in a pair, or Black's.
pub(super) fn place(side: Side) -> usize {
    usize::from(side == Side::Black)
}
