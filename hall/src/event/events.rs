//! All events, and which of their rounds are open.

use std::collections::BTreeMap;

use protocol::feed::{Because, Bye, Notation, Pairing, Player, RoundView, Rules, Stage, TableId, TimeControl};

use super::{
    plan::{Plan, Standing, plan},
    round::{Given, Round},
};
use crate::{Refusal, Settings};

/// Tables are numbered from 1: what is asked of this one is true of the whole round.
const NO_TABLE: u16 = 0;

/// An event and the number of its round.
pub(crate) type Key = (String, u16);

/// All events.
///
/// What is given for an event is inherited by its rounds; what a round is given itself counts more. Nothing that is
/// left out of an order wipes what was given before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    events: BTreeMap<String, Event>,
    /// The rounds that are open, in the order in which they were opened.
    open: Vec<Key>,
}

/// One event.
#[derive(Clone, Debug, Default)]
struct Event {
    given: Given,
    rounds: BTreeMap<u16, Round>,
    /// The table each board belongs to, where somebody has listed them.
    places: BTreeMap<String, u16>,
}

impl Events {
    /// Says what an event is, or more about it. False if all of it was known.
    pub(crate) fn describe(&mut self, event: &str, given: Given) -> bool {
        self.events.entry(event.to_owned()).or_default().given.add(given)
    }

    /// What an event is called, where nobody has said so.
    pub(crate) fn name(&mut self, event: &str, given: Given) {
        self.events.entry(event.to_owned()).or_default().given.name(&given);
    }

    /// Opens a round. The name of an event without one is the one its round was given. Gives how far it was before.
    pub(crate) fn open(&mut self, key: &Key, given: Given) -> Stage {
        let event = self.events.entry(key.0.clone()).or_default();
        event.given.name(&given);
        let round = event.rounds.entry(key.1).or_default();
        round.given.add(given);
        let before = std::mem::replace(&mut round.stage, Stage::Open);
        if before != Stage::Open || self.open.last() != Some(key) {
            self.open.retain(|open| open != key);
            self.open.push(key.clone());
        }
        before
    }

    /// Closes a round, or says why it can't be.
    pub(crate) fn close(&mut self, key: &Key) -> Result<(), Refusal> {
        let round = self.round_mut(key)?;
        if round.stage != Stage::Open {
            let sentence = format!("round {} of {} is not open: nothing to close", key.1, key.0);
            return Err(Refusal::because(sentence));
        }
        round.stage = Stage::Closed;
        self.open.retain(|open| open != key);
        Ok(())
    }

    /// Forgets a round, or all of an event. Gives the rounds that are gone.
    pub(crate) fn remove(&mut self, event: &str, round: Option<u16>) -> Vec<u16> {
        let Some(found) = self.events.get_mut(event) else { return Vec::new() };
        let gone = found.rounds.keys().copied().filter(|number| round.is_none_or(|one| one == *number));
        let gone = gone.collect::<Vec<_>>();
        found.rounds.retain(|number, _| !gone.contains(number));
        self.open.retain(|(name, number)| name != event || !gone.contains(number));
        if round.is_none() {
            self.events.remove(event);
        }
        gone
    }

    /// Games begin from this start position of Chess960 at one table, or at all of the round. False if it was said before.
    pub(crate) fn begin_from(&mut self, key: &Key, table: Option<u16>, number: u16) -> Result<bool, Refusal> {
        let round = self.round_mut(key)?;
        if let Some(table) = table {
            return Ok(round.arrays.insert(table, number) != Some(number));
        }
        let had_others = !std::mem::take(&mut round.arrays).is_empty();
        Ok(round.given.add(Given { chess960: Some(number), ..Given::default() }) || had_others)
    }

    /// Names the players of a table.
    pub(crate) fn pair(&mut self, id: &TableId, white: &Player, black: &Player) -> Result<(), Refusal> {
        let round = self.round_mut(&key_of(id))?;
        round.pairings.insert(id.table, (white.clone(), black.clone()));
        round.named.insert(id.table);
        Ok(())
    }

    /// The other tables of its round at which a player of this one is to play.
    pub(crate) fn elsewhere(&self, id: &TableId, player: &Player) -> Vec<u16> {
        self.round(&key_of(id)).map(|round| round.elsewhere(player, id.table)).unwrap_or_default()
    }

    /// Who has a bye, and was not given somebody to play since.
    pub(crate) fn byes_left(&self, key: &Key) -> Vec<Bye> {
        self.round(key).map(Round::byes_left).unwrap_or_default()
    }

    /// Takes a table out of its round.
    pub(crate) fn take_away(&mut self, id: &TableId) {
        if let Some(round) = self.events.get_mut(&id.event).and_then(|event| event.rounds.get_mut(&id.round)) {
            round.take_away(id.table);
        }
    }

    /// A table that was taken away is there again. True if it had been.
    pub(crate) fn bring_back(&mut self, id: &TableId) -> bool {
        let event = self.events.get_mut(&id.event);
        event.and_then(|event| event.rounds.get_mut(&id.round)).is_some_and(|round| round.away.remove(&id.table))
    }

    /// Lists which board belongs to which table. False if it was listed like this.
    pub(crate) fn list(&mut self, event: &str, places: BTreeMap<String, u16>) -> bool {
        let known = &mut self.events.entry(event.to_owned()).or_default().places;
        let before = std::mem::replace(known, places);
        before != *known
    }

    /// A board was put on a table. Where the event lists boards it belongs there from here on if it is listed, or if it
    /// takes the place of the only one that is. True if the list is another one by that.
    pub(crate) fn relist(&mut self, id: &TableId, board: &str) -> bool {
        let Some(event) = self.events.get_mut(&id.event) else { return false };
        let there = event.places.iter().filter(|(_, table)| **table == id.table).map(|(other, _)| other.clone());
        let there = there.collect::<Vec<_>>();
        if there.iter().any(|other| other == board) || (there.is_empty() && !event.places.contains_key(board)) {
            return false;
        }
        if let [only] = &there[..] {
            event.places.remove(only);
        }
        event.places.insert(board.to_owned(), id.table);
        true
    }

    /// The table each board belongs to; none where nobody has listed them.
    pub(crate) fn places(&self, event: &str) -> impl Iterator<Item = (&str, u16)> {
        let places = self.events.get(event).into_iter().flat_map(|event| &event.places);
        places.map(|(board, table)| (board.as_str(), *table))
    }

    /// The table a board belongs to.
    pub(crate) fn place_of(&self, event: &str, board: &str) -> Option<u16> {
        self.events.get(event)?.places.get(board).copied()
    }

    /// A board may stand there: it belongs to this table, or neither it nor the table is listed.
    pub(crate) fn fits(&self, event: &str, board: &str, table: u16) -> bool {
        let own = self.place_of(event, board);
        own.map_or_else(|| self.places(event).all(|(_, listed)| listed != table), |own| own == table)
    }

    /// Somebody has spoken of it.
    pub(crate) fn is_known(&self, event: &str) -> bool {
        self.events.contains_key(event)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.events.keys().map(String::as_str)
    }

    /// The open rounds, the one that was opened last first.
    pub(crate) fn open_rounds(&self) -> impl Iterator<Item = &Key> {
        self.open.iter().rev()
    }

    /// What a list of pairings would change in a round.
    pub(crate) fn plan(
        &self,
        key: &Key,
        pairings: &[Pairing],
        byes: &[Bye],
        standing: impl Fn(u16) -> Standing,
    ) -> Result<Plan, Refusal> {
        let known = self.pairings(key).map(|pairing| (pairing.table, pairing)).collect();
        plan((&known, self.byes(key)), (pairings, byes), standing)
    }

    /// Who plays whom in a round from here on, as planned.
    pub(crate) fn carry_out(&mut self, key: &Key, plan: &Plan, byes: Vec<Bye>) {
        let round = self.events.entry(key.0.clone()).or_default().rounds.entry(key.1).or_default();
        plan.gone.iter().for_each(|table| round.take_away(*table));
        for Pairing { table, white, black } in &plan.set {
            round.away.remove(table);
            round.pairings.insert(*table, (white.clone(), black.clone()));
            round.named.remove(table);
        }
        round.byes = byes;
    }

    /// These thresholds were written down for a round.
    pub(crate) fn write_down(&mut self, key: &Key, settings: Settings) {
        let event = self.events.entry(key.0.clone()).or_default();
        event.rounds.entry(key.1).or_default().settings = Some(settings);
    }

    /// Thresholds were written down for a round.
    pub(crate) fn has_settings(&self, key: &Key) -> bool {
        self.round(key).is_some_and(|round| round.settings.is_some())
    }

    /// With which thresholds and rules a table begins.
    pub(crate) fn terms(&self, id: &TableId) -> (Settings, Rules) {
        let (event, round) = (self.events.get(&id.event), self.round(&key_of(id)));
        let settings = round.and_then(|round| round.settings.clone()).unwrap_or_default();
        let given = [round.map(|round| &round.given), event.map(|event| &event.given)];
        let mut rules = Given::rules_of(given.into_iter().flatten());
        rules.chess960 = round.and_then(|round| round.arrays.get(&id.table)).copied().or(rules.chess960);
        (settings, rules)
    }

    /// The rules a round was given itself, or has from its event.
    pub(crate) fn rules(&self, key: &Key) -> Rules {
        self.terms(&TableId { event: key.0.clone(), round: key.1, table: NO_TABLE }).1
    }

    /// In which letters people write moves there.
    pub(crate) fn notation(&self, key: &Key) -> Notation {
        self.events.get(&key.0).and_then(|event| event.given.notation).unwrap_or_default()
    }

    /// The time control as old screens hear it.
    pub(crate) fn time_control(&self, key: &Key) -> Option<TimeControl> {
        let own = self.round(key).and_then(|round| round.given.time_control);
        own.or_else(|| self.events.get(&key.0)?.given.time_control)
    }

    /// Who plays whom.
    pub(crate) fn pairings(&self, key: &Key) -> impl Iterator<Item = Pairing> + use<'_> {
        let pairings = self.round(key).map(|round| &round.pairings).into_iter().flatten();
        pairings.map(|(table, (white, black))| Pairing { table: *table, white: white.clone(), black: black.clone() })
    }

    /// Who is to play there.
    pub(crate) fn players(&self, id: &TableId) -> Option<&(Player, Player)> {
        self.round(&key_of(id))?.pairings.get(&id.table)
    }

    /// These two are to play there, and no game there was named otherwise.
    pub(crate) fn is_paired_like(&self, id: &TableId, white: &Player, black: &Player) -> bool {
        let is_renamed = self.round(&key_of(id)).is_some_and(|round| round.renamed.contains(&id.table));
        !is_renamed && self.players(id).is_some_and(|known| (&known.0, &known.1) == (white, black))
    }

    /// One of the games there was given names of its own.
    pub(crate) fn note_renamed(&mut self, id: &TableId) {
        if let Ok(round) = self.round_mut(&key_of(id)) {
            round.renamed.insert(id.table);
        }
    }

    /// Whether somebody is to play there.
    pub(crate) fn is_paired(&self, id: &TableId) -> bool {
        self.round(&key_of(id)).is_some_and(|round| round.pairings.contains_key(&id.table))
    }

    /// Who plays nobody, as a list has said.
    pub(crate) fn byes(&self, key: &Key) -> &[Bye] {
        self.round(key).map_or(&[], |round| &round.byes)
    }

    /// How far a round is; none where nobody has spoken of it.
    pub(crate) fn stage(&self, key: &Key) -> Option<Stage> {
        self.round(key).map(|round| round.stage)
    }

    /// The round as people see it.
    pub(crate) fn view(&self, key: &Key) -> RoundView {
        let nothing = Given::default();
        let event = self.events.get(&key.0).map_or(&nothing, |event| &event.given);
        let round = self.round(key);
        let given = round.map_or(&nothing, |round| &round.given);
        let rules = self.rules(key);
        let text = |own: &Option<String>, inherited: &Option<String>| own.clone().or(inherited.clone());
        RoundView {
            event: key.0.clone(),
            round: key.1,
            stage: round.map_or(Stage::Prepared, |round| round.stage),
            title: text(&given.title, &event.title).unwrap_or_default(),
            site: text(&given.site, &event.site).unwrap_or_default(),
            date: given.date.as_ref().or_else(|| event.day_of(key.1)).cloned().unwrap_or_default(),
            periods: rules.periods,
            chess960: rules.chess960,
            byes: self.byes_left(key),
            notation: event.notation,
        }
    }

    /// The round that was opened last.
    pub(crate) fn latest(&self) -> Option<&Key> {
        self.open.last()
    }

    /// The round of an event that was opened last.
    pub(crate) fn latest_of(&self, event: &str) -> Option<&Key> {
        self.open.iter().rev().find(|(name, _)| name == event)
    }

    /// The open rounds of which nobody has said anything but that they are.
    pub(crate) fn unplanned(&self) -> impl Iterator<Item = &Key> {
        self.open.iter().filter(|key| !self.is_planned(key))
    }

    /// Somebody has said who plays there, or what it is called: no round of the day.
    pub(crate) fn is_planned(&self, key: &Key) -> bool {
        let named = self.events.get(&key.0).is_some_and(|event| event.given.title.is_some());
        named || self.round(key).is_some_and(|round| !round.pairings.is_empty())
    }

    /// The rounds of an event that are open.
    pub(crate) fn open_of(&self, event: &str) -> impl Iterator<Item = u16> + use<'_> {
        let event = event.to_owned();
        self.open.iter().filter(move |(name, _)| *name == event).map(|(_, round)| *round)
    }

    /// The rounds of an event that are known.
    pub(crate) fn rounds_of(&self, event: &str) -> Vec<u16> {
        self.events.get(event).map(|event| event.rounds.keys().copied().collect()).unwrap_or_default()
    }

    /// All rounds that are known.
    pub(crate) fn keys(&self) -> impl Iterator<Item = Key> + use<'_> {
        let rounds = |(name, event): (&'_ String, &'_ Event)| {
            let name = name.clone();
            event.rounds.keys().map(move |round| (name.clone(), *round)).collect::<Vec<_>>()
        };
        self.events.iter().flat_map(rounds)
    }

    /// One round apart from all others.
    pub(crate) fn only(&self, key: &Key) -> Events {
        let Some((event, round)) = self.events.get(&key.0).zip(self.round(key)) else { return Events::default() };
        let (given, rounds) = (event.given.clone(), [(key.1, round.clone())].into());
        let event = Event { given, rounds, places: BTreeMap::new() };
        Events { events: [(key.0.clone(), event)].into(), open: Vec::new() }
    }

    /// What became of a round apart.
    pub(crate) fn take_back(&mut self, part: Events) {
        for (name, event) in part.events {
            for (number, apart) in event.rounds {
                let round = self.events.entry(name.clone()).or_default().rounds.entry(number).or_default();
                round.settings = apart.settings;
            }
        }
    }

    fn round(&self, key: &Key) -> Option<&Round> {
        self.events.get(&key.0)?.rounds.get(&key.1)
    }

    /// A round somebody has spoken of.
    fn round_mut(&mut self, (event, number): &Key) -> Result<&mut Round, Refusal> {
        let round = self.events.get_mut(event).and_then(|event| event.rounds.get_mut(number));
        round.ok_or_else(|| {
            let sentence =
                format!("there is no round {number} of {event}: \"open_round\" opens it, \"pairings\" prepares it");
            Refusal::because(sentence).known_as(Because::NoRound { event: event.clone(), round: *number })
        })
    }
}

/// The round of a table.
pub(crate) fn key_of(id: &TableId) -> Key {
    (id.event.clone(), id.round)
}
