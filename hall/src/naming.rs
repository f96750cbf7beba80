//! Who plays at a table and who played a game there: said before a round, and mended at any later time.

use std::collections::BTreeSet;

use protocol::feed::{Address, Bye, Entry, Player, Stage, TableId};

use crate::{
    Millis,
    event::{Key, key_of},
    floor::{Hall, shown},
    input::Out,
    refusal::Refusal,
    table::Table,
};

impl Hall {
    pub(crate) fn pair(
        &mut self,
        id: TableId,
        white: &Player,
        black: &Player,
        now: Millis,
        out: &mut Vec<Out>,
    ) -> Result<(), Refusal> {
        let key = key_of(&id);
        if self.events.is_paired_like(&id, white, black) {
            out.push(Out::Said(format!("nothing has changed: {id} is paired like this already")));
            return Ok(());
        }
        self.check_renaming(&id, white, black)?;
        let byes = self.events.byes_left(&key);
        self.events.pair(&id, white, black)?;
        self.tell_byes(&key, &byes, now, out);
        out.extend(self.doubled(&id, [white, black]).map(Out::Said));
        let stage = self.events.stage(&key).unwrap_or_default();
        let comes_back = stage == Stage::Open && self.events.bring_back(&id);
        out.extend(comes_back.then(|| shown(&id, now, true)));
        self.tell_changed(&key, stage, &[id.table].into(), now, out);
        match stage {
            Stage::Open => {}
            Stage::Prepared => out.push(Out::Said(unseen(&key))),
            Stage::Closed => out.push(Out::Said(format!("round {} of {} stays closed, off the wall", key.1, key.0))),
        }
        Ok(())
    }

    /// Who is to play there, whether or not anybody was told.
    pub fn players(&self, id: &TableId) -> Option<(Player, Player)> {
        self.events.players(id).cloned()
    }

    /// Everybody of an event, those of the last round first: who is paired, and then who has a bye.
    pub fn people(&self, event: &str) -> Vec<Player> {
        let rounds = self.events.rounds_of(event).into_iter().rev().map(|round| (event.to_owned(), round));
        let of_round = |key: Key| {
            let seated = self.events.pairings(&key).flat_map(|pairing| [pairing.white, pairing.black]);
            seated.chain(self.events.byes(&key).iter().map(|bye| bye.player.clone())).collect::<Vec<_>>()
        };
        rounds.flat_map(of_round).collect()
    }

    /// Whose bye has gone or come back with the players of a table.
    pub(crate) fn tell_byes(&self, key: &Key, before: &[Bye], now: Millis, out: &mut Vec<Out>) {
        let left = self.events.byes_left(key);
        if left == before {
            return;
        }
        self.tell_round(key, now, out);
        let gone = before.iter().filter(|bye| !left.contains(bye)).map(|bye| (bye, "no bye any more"));
        let back = left.iter().filter(|bye| !before.contains(bye)).map(|bye| (bye, "the bye again"));
        out.extend(gone.chain(back).map(|(bye, what)| Out::Said(format!("{} has {what}", bye.player.name))));
    }

    /// Nobody plays twice in a round. Of two tables that change players one is first, so it is said and not refused.
    fn doubled(&self, id: &TableId, players: [&Player; 2]) -> impl Iterator<Item = String> {
        let elsewhere = players.map(|player| (&player.name, self.events.elsewhere(id, player)));
        let TableId { table: here, .. } = *id;
        elsewhere.into_iter().flat_map(move |(name, tables)| {
            tables.into_iter().map(move |table| {
                format!("{name} is at tables {here} and {table} by that: say with \"pair\" who plays at table {table}")
            })
        })
    }

    /// Two other players in place of both are those of another game: whoever means the one that is over names it.
    fn check_renaming(&self, id: &TableId, white: &Player, black: &Player) -> Result<(), Refusal> {
        let Some((last_white, last_black)) = self.events.players(id) else { return Ok(()) };
        let is_kept = last_white.name == white.name || last_black.name == black.name;
        let Some(over) = self.table(id).filter(|table| table.is_over() && !is_kept) else { return Ok(()) };
        let game = over.games();
        Err(Refusal::because(format!(
            "the game at {id} is over and stays {} – {}: \"pair\" with its address {id}/{game} renames both",
            last_white.name, last_black.name
        )))
    }

    /// Who plays at these tables is told of every round that somebody has seen. Tables of a closed one stay off the wall.
    pub(crate) fn tell_changed(
        &self,
        key: &Key,
        stage: Stage,
        tables: &BTreeSet<u16>,
        now: Millis,
        out: &mut Vec<Out>,
    ) {
        if stage == Stage::Prepared {
            return;
        }
        if stage == Stage::Closed {
            let id = |table: &u16| TableId { event: key.0.clone(), round: key.1, table: *table };
            out.extend(tables.iter().map(|table| shown(&id(table), now, false)));
        }
        self.tell_pairings(key, |table| tables.contains(&table), now, out);
    }

    /// The first game of a table is its pairing until it has begun.
    pub(crate) fn settle_name(&self, at: &mut Address) -> Result<(), Refusal> {
        let games = self.table(&at.table).map_or(0, Table::games);
        match at.game {
            Some(1) if games == 0 && self.events.is_paired(&at.table) => at.game = None,
            Some(game) if game > games => return Err(no_game(at, games)),
            Some(_) | None => {}
        }
        Ok(())
    }

    /// The players of one game, whoever plays the next ones. Whether there is such a game was looked at before.
    pub(crate) fn rename(
        &mut self,
        at: &Address,
        white: &Player,
        black: &Player,
        now: Millis,
        out: &mut Vec<Out>,
    ) -> Result<(), Refusal> {
        let Some(game) = at.game else { return Err(no_game(at, 0)) };
        self.events.note_renamed(&at.table);
        let time_control = self.events.time_control(&key_of(&at.table));
        let entry = Box::new(Entry::Paired { white: white.clone(), black: black.clone(), time_control });
        out.push(Out::Entry(at.table.clone(), now, Entry::Earlier { game, entry }));
        Ok(())
    }
}

/// The table has no such game.
pub(crate) fn no_game(at: &Address, games: u32) -> Refusal {
    let begun = if games == 0 { "none has".to_owned() } else { format!("{games} have") };
    Refusal::because(format!("there is no game {at}: {begun} begun at this table"))
}

/// Nobody sees what was said of a round.
pub(crate) fn unseen((event, round): &Key) -> String {
    format!("round {round} of {event} is prepared: nobody sees it before it is opened")
}
