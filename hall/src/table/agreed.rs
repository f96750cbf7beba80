//! What a table is played by: the rules it was given, as the Laws read them, and the thresholds of the round.

use laws::{
    Conditions, Edition, chess960,
    clock::{Control, Extra, NextPeriod, Period},
    dead::Budget,
    draws::{Limits, annex_1993},
};
use protocol::feed::{ClockMode, PeriodStart, Rules, Supervision, TimeClass};
use shakmaty::{CastlingMode, Chess};

use crate::{Course, MateSearch, Refusal, Settings};

/// What was agreed before the game.
#[derive(Clone, Debug)]
pub(crate) struct Agreed {
    rules: Rules,
    conditions: Conditions,
    settings: Settings,
}

impl Agreed {
    pub(crate) fn new(settings: Settings) -> Agreed {
        Agreed { rules: Rules::default(), conditions: Conditions::default(), settings }
    }

    /// These rules count from here on.
    pub(crate) fn play_by(&mut self, rules: &Rules) -> Result<(), Refusal> {
        self.conditions = conditions(rules)?;
        self.rules = rules.clone();
        Ok(())
    }

    /// From here on these thresholds count.
    pub(crate) fn set(&mut self, settings: Settings) {
        self.settings = settings;
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The rows of the Laws that apply.
    pub(crate) fn conditions(&self) -> Conditions {
        self.conditions
    }

    pub(crate) fn edition(&self) -> Edition {
        self.conditions.edition()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// From where games begin, if somebody has said.
    pub(crate) fn array(&self) -> Option<Course> {
        let number = self.rules.chess960?;
        if number == chess960::USUAL {
            return Some(Course::begin(Chess::default(), CastlingMode::Standard));
        }
        chess960::start(number).map(|start| Course::begin(start, CastlingMode::Chess960))
    }

    /// How many positions are looked at to tell at once whether a player can mate.
    pub(crate) fn budget(&self) -> Budget {
        match self.settings.mate_search {
            MateSearch::Strolls => Budget(self.settings.mate_positions),
        }
    }

    /// Under limited supervision nobody restores once the opponent has moved.
    pub(crate) fn is_limited(&self) -> bool {
        self.conditions.supervision() == laws::Supervision::Limited
    }

    /// What was announced before the event about the moves to be counted.
    pub(crate) fn limits(&self) -> Limits {
        let annex = self.rules.annex_75_moves && self.edition() == Edition::E1993;
        Limits { annex: annex.then(annex_1993::Blockade::default), ..Limits::default() }
    }

    /// Something is added for each move.
    pub(crate) fn has_increment(&self) -> bool {
        self.rules.clock_mode != ClockMode::Plain && self.rules.periods.iter().any(|period| period.increment_s > 0)
    }

    /// What is added a move, as far as is known.
    pub(crate) fn added_ms(&self) -> u64 {
        let most = self.rules.periods.iter().map(|period| period.increment_s).max();
        u64::from(most.unwrap_or(0)) * 1000
    }

    /// The periods as the Laws read them; none where the time control is not known.
    pub(crate) fn control(&self) -> Option<Control> {
        let period = |period: &protocol::feed::Period| {
            let ms = u64::from(period.increment_s) * 1000;
            let extra = match self.rules.clock_mode {
                ClockMode::Plain => Extra::None,
                _ if ms == 0 => Extra::None,
                ClockMode::Fischer => Extra::Fischer(ms),
                ClockMode::Bronstein => Extra::Bronstein(ms),
                ClockMode::Delay => Extra::Delay(ms),
            };
            let moves = period.moves.and_then(|moves| u32::from(moves).try_into().ok());
            Period { moves, base_ms: u64::from(period.base_s) * 1000, extra }
        };
        let mut periods = self.rules.periods.iter().map(period);
        let first = periods.next()?;
        let next = match self.rules.second_period_start {
            PeriodStart::ByMoves => NextPeriod::ByMoves,
            PeriodStart::ByTime => NextPeriod::ByTime,
        };
        Some(Control::new(first, periods.collect(), next))
    }

    /// Which period a player is in, from 0, with so many moves completed, having left so many behind when time was up:
    /// the clock counts moves, or the time that was used up.
    pub(crate) fn period(&self, completed: u32, in_time: usize) -> usize {
        let Some(control) = self.control() else { return 0 };
        let reached = |period: &usize| control.needed(*period).is_some_and(|needed| completed >= needed);
        let by_moves = (0..self.rules.periods.len()).take_while(reached).count();
        match control.next_period() {
            NextPeriod::ByMoves => by_moves,
            NextPeriod::ByTime => by_moves.min(in_time),
        }
    }
}

/// The rows of the Laws that apply under `rules`.
pub(crate) fn conditions(rules: &Rules) -> Result<Conditions, Refusal> {
    let edition = Edition::of(rules.edition).ok_or_else(|| {
        let known = Edition::ALL.map(|edition| edition.year().to_string()).join(", ");
        Refusal::because(format!("there are no Laws of {}: write one of {known}", rules.edition))
    })?;
    rules.chess960.map_or(Ok(()), check_array)?;
    let class = match rules.time_class {
        TimeClass::Auto => class_of(edition, rules),
        TimeClass::Standard => laws::TimeClass::Standard,
        TimeClass::Rapid => laws::TimeClass::Rapid,
        TimeClass::Blitz => laws::TimeClass::Blitz,
    };
    let supervision = match rules.supervision {
        Supervision::Full => laws::Supervision::Full,
        Supervision::Limited => laws::Supervision::Limited,
    };
    Ok(Conditions::new(edition, class, supervision))
}

/// There are so many start positions, and no more.
pub(crate) fn check_array(number: u16) -> Result<(), Refusal> {
    let last = chess960::POSITIONS - 1;
    let is_one = number <= last;
    is_one
        .then_some(())
        .ok_or_else(|| Refusal::because(format!("there is no start position {number}: they are numbered 0 to {last}")))
}

/// The class the periods make; the increment is that of the first period, in which most of sixty moves are made.
fn class_of(edition: Edition, rules: &Rules) -> laws::TimeClass {
    let Some(first) = rules.periods.first() else { return laws::TimeClass::Standard };
    let base_s = rules.periods.iter().map(|period| period.base_s).fold(0, u32::saturating_add);
    laws::TimeClass::of(edition, base_s, first.increment_s)
}
