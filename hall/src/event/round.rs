//! One round: what it is played by, who plays whom.

use std::collections::{BTreeMap, BTreeSet};

use protocol::feed::{Bye, Notation, Period, Player, Rules, Stage, TimeControl};

use super::plan::is_one;
use crate::Settings;

/// One round.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    /// As they were written down when the round started.
    pub(super) settings: Option<Settings>,
    pub(super) stage: Stage,
    pub(super) given: Given,
    pub(super) pairings: BTreeMap<u16, (Player, Player)>,
    pub(super) byes: Vec<Bye>,
    /// Tables whose players somebody has named one by one since a list said who has a bye.
    pub(super) named: BTreeSet<u16>,
    /// Tables of which a game has names of its own.
    pub(super) renamed: BTreeSet<u16>,
    /// Tables that were taken away.
    pub(super) away: BTreeSet<u16>,
    /// Tables whose games begin from another start position of Chess960 than those of the round.
    pub(super) arrays: BTreeMap<u16, u16>,
}

/// What an event or a round was given; what is absent was not.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Given {
    pub(crate) title: Option<String>,
    pub(crate) site: Option<String>,
    pub(crate) date: Option<String>,
    pub(crate) days: Option<Vec<String>>,
    pub(crate) time_control: Option<TimeControl>,
    pub(crate) rules: Option<Rules>,
    pub(crate) notation: Option<Notation>,
    pub(crate) chess960: Option<u16>,
}

impl Round {
    /// Who has a bye still: nobody who was given somebody to play since.
    pub(super) fn byes_left(&self) -> Vec<Bye> {
        let named = self.named.iter().filter_map(|table| self.pairings.get(table));
        let named = named.flat_map(|(white, black)| [white, black]).collect::<Vec<_>>();
        let is_left = |bye: &&Bye| !named.iter().any(|player| is_one(player, &bye.player));
        self.byes.iter().filter(is_left).cloned().collect()
    }

    /// The other tables at which this player is to play.
    pub(super) fn elsewhere(&self, player: &Player, but: u16) -> Vec<u16> {
        let sits = |(white, black): &(Player, Player)| is_one(white, player) || is_one(black, player);
        let tables = self.pairings.iter().filter(|(table, players)| **table != but && sits(players));
        tables.map(|(table, _)| *table).collect()
    }

    /// Nobody plays at this table.
    pub(super) fn take_away(&mut self, table: u16) {
        self.pairings.remove(&table);
        self.away.insert(table);
    }
}

impl Given {
    /// What is given besides counts from here on. False if it says nothing new.
    pub(super) fn add(&mut self, more: Given) -> bool {
        let before = self.clone();
        let Given { title, site, date, days, time_control, rules, notation, chess960 } = more;
        put(&mut self.title, title);
        put(&mut self.site, site);
        put(&mut self.date, date);
        put(&mut self.days, days);
        put(&mut self.time_control, time_control);
        put(&mut self.rules, rules);
        put(&mut self.notation, notation);
        put(&mut self.chess960, chess960);
        *self != before
    }

    /// The day of this round of the event.
    pub(super) fn day_of(&self, round: u16) -> Option<&String> {
        self.days.as_ref()?.get(usize::from(round).checked_sub(1)?)
    }

    /// Name and place count where none were given.
    pub(super) fn name(&mut self, other: &Given) {
        self.title = self.title.take().or_else(|| other.title.clone());
        self.site = self.site.take().or_else(|| other.site.clone());
    }

    /// The rules of the first of these that has some. A time control is a clock of one period, where nothing more is said
    /// about it.
    pub(super) fn rules_of<'a>(given: impl Iterator<Item = &'a Given> + Clone) -> Rules {
        let mut rules = given.clone().find_map(|given| given.rules.clone()).unwrap_or_default();
        rules.chess960 = given.clone().find_map(|given| given.chess960).or(rules.chess960);
        let control = given.clone().find_map(|given| given.time_control);
        if let Some(TimeControl { base_s, increment_s }) = control.filter(|_| rules.periods.is_empty()) {
            rules.periods.push(Period { moves: None, base_s, increment_s });
        }
        rules
    }
}

fn put<T>(old: &mut Option<T>, new: Option<T>) {
    if new.is_some() {
        *old = new;
    }
}
