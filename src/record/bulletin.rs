//! Bulletins: the games of a round as they leave for receivers, all of those that are on air.
//!
//! Pure.

use std::{collections::BTreeMap, sync::Arc};

use protocol::feed::{ClockView, TableId, Variant};

use super::{
    book::Games,
    sheet::{Game, INITIAL, Sheet},
    slip::Slip,
};

/// The games of a round that are on air, and what they have in common.
#[derive(Clone, Debug, Default)]
pub struct Bulletin {
    /// The event's name in addresses.
    pub event: String,
    /// From 1.
    pub round: u16,
    /// Of each round of the event, the first first: how many boards it has, and how many of them play.
    pub programme: Vec<(u16, u16)>,
    /// Every table of the round with its games; none where it is not on air.
    pub tables: BTreeMap<u16, Option<Vec<Arc<Slip>>>>,
    /// What the clocks of tables on air show, where it is known.
    pub clocks: BTreeMap<u16, ClockView>,
}

impl Bulletin {
    /// Of each table on air the game that counts for the round, in the order of their boards.
    pub fn slips(&self) -> impl Iterator<Item = &Arc<Slip>> {
        self.parts().filter(|slip| slip.counts())
    }

    /// What the clock at a game's table shows. While another game is on there it tells nothing of this one.
    pub fn clock_of(&self, slip: &Slip) -> Option<&ClockView> {
        self.clocks.get(&slip.table().table).filter(|_| self.is_on_its_board(slip))
    }

    /// Whether nothing was begun at a game's table since.
    pub fn is_on_its_board(&self, slip: &Slip) -> bool {
        let last = self.tables.get(&slip.table().table).and_then(|games| games.as_ref()?.last());
        last.is_none_or(|last| last.nth() == slip.nth())
    }

    /// Everything that was played at them: all games of each table, with all their parts.
    pub fn parts(&self) -> impl Iterator<Item = &Arc<Slip>> {
        self.tables.values().flatten().flatten()
    }
}

impl Games {
    /// All rounds there are.
    pub fn rounds(&self) -> impl Iterator<Item = (&str, u16)> {
        self.each_round().map(|((event, round), _)| (event.as_str(), *round))
    }

    /// The tables of a round.
    pub fn tables_of(&self, event: &str, round: u16) -> Vec<TableId> {
        let found = self.round(event, round).into_iter().flat_map(|found| found.there());
        found.map(|(table, _)| TableId { event: event.to_owned(), round, table }).collect()
    }

    /// Of each round of an event, the first first: the highest board of those that `shows` shows, and how many of them play.
    pub fn programme(&self, event: &str, shows: impl Fn(&TableId) -> bool) -> Vec<(u16, u16)> {
        let mut rounds = Vec::new();
        for round in self.rounds_of(event) {
            let (Some(found), Some(at)) = (self.round(event, round), usize::from(round).checked_sub(1)) else {
                continue;
            };
            rounds.resize(at + 1, (0, 0));
            let is_shown = |table: u16| shows(&TableId { event: event.to_owned(), round, table });
            let shown = found.there().filter(|(table, _)| is_shown(*table));
            let plays = |sheet: &Sheet| sheet.met().is_some_and(|game| game.is_open() && !game.moves.is_empty());
            let (count, live) = shown.fold((0, 0), |(_, live), (table, sheet)| (table, live + u16::from(plays(sheet))));
            rounds[at] = (count, live);
        }
        rounds
    }

    /// The games of a table as receivers are told them; the coming one while none has begun.
    pub fn slips(&self, table: &TableId) -> Vec<Slip> {
        let Some(round) = self.round(&table.event, table.round) else { return Vec::new() };
        let Some(sheet) = round.sheet(table.table) else { return Vec::new() };
        if sheet.games.is_empty() && sheet.pairing.is_some() {
            let not_begun = Game::new(0, INITIAL.to_owned(), Variant::Standard, sheet.pairing.clone());
            return Slip::all_of(round, table, sheet, 1, &not_begun);
        }
        sheet.told().flat_map(|(nth, game)| Slip::all_of(round, table, sheet, nth, game)).collect()
    }
}
