//! What another list of pairings would change in a round, said before it is done.

use std::collections::{BTreeMap, BTreeSet};

use protocol::feed::{Bye, Pairing, Player};

use crate::Refusal;

/// How a table stands, for whoever wants to change who plays there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// So many moves of the game that is on or was last are in the record.
    pub(crate) plies: usize,
    /// It is over.
    pub(crate) is_over: bool,
}

/// What is to be done, and sentences that say so.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Plan {
    /// Tables with other players than before.
    pub(crate) set: Vec<Pairing>,
    /// Tables where nobody plays any more.
    pub(crate) gone: Vec<u16>,
    /// Tables that stay as they are, whatever the list says.
    pub(crate) kept: Vec<Pairing>,
    /// Tables at which others play on a game that is on.
    pub(crate) disturbed: Vec<u16>,
    /// Everything, for people.
    pub(crate) said: Vec<String>,
}

/// So many tables are named one by one; of more only their number is said.
const NAMED: usize = 400;

/// What the list would change. A finished game keeps its players: they are corrected by name.
pub(super) fn plan(
    (known, known_byes): (&BTreeMap<u16, Pairing>, &[Bye]),
    (pairings, byes): (&[Pairing], &[Bye]),
    standing: impl Fn(u16) -> Standing,
) -> Result<Plan, Refusal> {
    check(pairings)?;
    let mut plan = Plan::default();
    for pairing in pairings {
        let before = known.get(&pairing.table);
        if before != Some(pairing) {
            plan.change(before, pairing, standing(pairing.table));
        }
    }
    let listed = pairings.iter().map(|pairing| pairing.table).collect::<BTreeSet<_>>();
    for (table, before) in known.iter().filter(|(table, _)| !listed.contains(table)) {
        plan.take_away(*table, before, standing(*table));
    }
    plan.look_for_people_at_two_tables(pairings);
    if byes != known_byes {
        plan.said.extend(byes.iter().map(|bye| format!("bye: {}", shown(&bye.player))));
        if byes.is_empty() {
            plan.said.push("nobody has a bye any more".to_owned());
        }
    }
    if plan.said.len() > NAMED {
        let more = plan.said.len() - NAMED;
        plan.said.truncate(NAMED);
        plan.said.push(format!("and {more} more"));
    }
    Ok(plan)
}

impl Plan {
    fn change(&mut self, before: Option<&Pairing>, now: &Pairing, standing: Standing) {
        let Standing { plies, is_over } = standing;
        let table = now.table;
        let Some(before) = before else {
            let goes_on =
                if plies > 0 { format!("; {} theirs", moves(plies, "its ", ["is", "are"])) } else { String::new() };
            self.said.push(format!("table {table}: {}{goes_on}", both(now)));
            return self.set.push(now.clone());
        };
        if is_over {
            let sentence = format!(
                "table {table}: its game is over and stays {}, not {}; \"pair\" with the game's address renames it",
                both(before),
                both(now)
            );
            self.kept.push(before.clone());
            return self.said.push(sentence);
        }
        let what = difference(before, now);
        let effect = match plies {
            0 => String::new(),
            _ => format!("; {} in the record{}", moves(plies, "", ["stays", "stay"]), on_air(before, now)),
        };
        if plies > 0 && !is_played_by_the_same(before, now) {
            self.disturbed.push(table);
        }
        self.said.push(format!("table {table}: {what}{effect}"));
        self.set.push(now.clone());
    }

    fn take_away(&mut self, table: u16, before: &Pairing, Standing { plies, is_over }: Standing) {
        if plies > 0 || is_over {
            let sentence =
                format!("table {table}: {} is not in the list; something was played there, so it stays", both(before));
            self.kept.push(before.clone());
            return self.said.push(sentence);
        }
        self.said.push(format!("table {table}: {} is taken away", both(before)));
        self.gone.push(table);
    }

    /// A list has everybody once. Who stays at a table against it may sit at another one in it.
    fn look_for_people_at_two_tables(&mut self, listed: &[Pairing]) {
        let is_kept = |pairing: &&Pairing| self.kept.iter().any(|kept| kept.table == pairing.table);
        let listed = listed.iter().filter(|pairing| !is_kept(pairing));
        let mut tables = BTreeMap::<&str, Vec<(u16, &Player)>>::new();
        for Pairing { table, white, black } in listed {
            [white, black].into_iter().for_each(|one| tables.entry(&one.name).or_default().push((*table, one)));
        }
        for Pairing { table: kept, white, black } in &self.kept {
            for one in [white, black] {
                let elsewhere = tables.get(&*one.name).into_iter().flatten().find(|(_, other)| is_one(one, other));
                self.said.extend(elsewhere.map(|(table, _)| {
                    format!(
                        "{} is at tables {kept} and {table} by that: mend the list, or say with \"pair\" who plays at table {kept}",
                        shown(one)
                    )
                }));
            }
        }
    }
}

/// The same player: nothing that is known of both tells two of one name apart.
pub(super) fn is_one(one: &Player, other: &Player) -> bool {
    let agree = |one: Option<u32>, other: Option<u32>| one.zip(other).is_none_or(|(one, other)| one == other);
    by_fide_id(one, other).unwrap_or_else(|| {
        let [rating, others] = [one, other].map(|player| player.rating.map(u32::from));
        one.name == other.name && agree(one.number, other.number) && agree(rating, others)
    })
}

/// Whatever they are called.
fn is_played_by_the_same(before: &Pairing, now: &Pairing) -> bool {
    let is_same = |one: &Player, other: &Player| by_fide_id(one, other).unwrap_or_else(|| one.name == other.name);
    is_same(&before.white, &now.white) && is_same(&before.black, &now.black)
}

/// Whether they are the same player, where both have a number that tells.
fn by_fide_id(one: &Player, other: &Player) -> Option<bool> {
    let given = |player: &Player| player.fide_id.filter(|id| *id > 0);
    given(one).zip(given(other)).map(|(one, other)| one == other)
}

/// Receivers of a broadcast tell games by their players: another name is another game to them.
fn on_air(before: &Pairing, now: &Pairing) -> &'static str {
    if is_played_by_the_same(before, now) {
        ", and a broadcast goes on with them"
    } else {
        ", and a broadcast shows them a second time, as another game: reset the round there"
    }
}

fn difference(before: &Pairing, now: &Pairing) -> String {
    if before.white == now.black && before.black == now.white {
        return format!("colours swapped, {} has White now", shown(&now.white));
    }
    let renamed = [(&before.white, &now.white), (&before.black, &now.black)];
    let changed = renamed.iter().filter(|(before, now)| before != now).collect::<Vec<_>>();
    match changed[..] {
        [(before, now)] if before.name == now.name => format!("{} has another title, rating or number", now.name),
        [(before, now)] => format!("{} in place of {}", shown(now), shown(before)),
        _ => format!("{} in place of {}", both(now), both(before)),
    }
}

fn check(pairings: &[Pairing]) -> Result<(), Refusal> {
    let mut tables = BTreeSet::new();
    for Pairing { table, white, black } in pairings {
        if *table == 0 || !tables.insert(*table) {
            let sentence =
                format!("table {table} stands in the list twice or is no number: give each table once, from 1");
            return Err(Refusal::because(sentence));
        }
        if white.name.trim().is_empty() || black.name.trim().is_empty() {
            let sentence = format!("table {table} lacks a player: name both, and who plays nobody under \"byes\"");
            return Err(Refusal::because(sentence));
        }
    }
    Ok(())
}

/// So many moves do something: of one and of many.
fn moves(plies: usize, whose: &str, [one, many]: [&str; 2]) -> String {
    match plies.div_ceil(2) {
        1 => format!("{whose}1 move {one}"),
        number => format!("{whose}{number} moves {many}"),
    }
}

fn both(pairing: &Pairing) -> String {
    format!("{} – {}", shown(&pairing.white), shown(&pairing.black))
}

fn shown(player: &Player) -> String {
    player.title.iter().chain([&player.name]).map(String::as_str).collect::<Vec<_>>().join(" ")
}
