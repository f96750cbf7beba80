//! What a table is played by: the rules it was given, as the Laws read them.

use laws::{Conditions, Edition};
use protocol::feed::{Rules, Supervision, TimeClass};

use super::{Table, Turn};
use crate::{Refusal, hand::Sign};

impl Table {
    /// Plays by these rules from here on.
    pub(super) fn play_by(&mut self, rules: &Rules, turn: &mut Turn) -> Result<(), Refusal> {
        self.conditions = conditions(rules)?;
        self.rules = rules.clone();
        self.tell_hand(&Sign::Pegs(rules.pegs), turn);
        self.tell_hand(&Sign::Limited(self.is_limited()), turn);
        self.tell_pressing(turn);
        Ok(())
    }

    /// Under limited supervision nobody restores once the opponent has moved.
    pub(super) fn is_limited(&self) -> bool {
        self.conditions.supervision() == laws::Supervision::Limited
    }
}

/// The rows of the Laws that apply under `rules`.
pub(crate) fn conditions(rules: &Rules) -> Result<Conditions, Refusal> {
    let edition = Edition::of(rules.edition).ok_or_else(|| {
        let known = Edition::ALL.map(|edition| edition.year().to_string()).join(", ");
        Refusal::because(format!("there are no Laws of {}: write one of {known}", rules.edition))
    })?;
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

/// The class the periods make; the increment is that of the first period, in which most of sixty moves are made.
fn class_of(edition: Edition, rules: &Rules) -> laws::TimeClass {
    let Some(first) = rules.periods.first() else { return laws::TimeClass::Standard };
    let base_s = rules.periods.iter().map(|period| period.base_s).fold(0, u32::saturating_add);
    laws::TimeClass::of(edition, base_s, first.increment_s)
}
