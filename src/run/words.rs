//! What an order has changed, in sentences for whoever gave it.

use protocol::feed::{Entry, Event, GameResult, Player, TableEvent};

/// What an event says; nothing where something else says it better.
pub(super) fn sentence(told: &TableEvent) -> Option<String> {
    let (Some(table), Event::Entry(entry)) = (&told.table, &told.event) else { return None };
    of(&table.to_string(), entry)
}

fn of(place: &str, entry: &Entry) -> Option<String> {
    match entry {
        Entry::Started { game, .. } => Some(format!("{place}: game {game} begins")),
        Entry::Paired { white, black, .. } => Some(format!("{place}: {} – {}", name(white), name(black))),
        Entry::Corrected { from_ply, old, new, .. } => Some(format!("{place}: {}", corrected(*from_ply, old, new))),
        Entry::Result { result, score, .. } => Some(match score {
            Some(score) => format!("{place}: {score}"),
            None if *result == GameResult::Open => format!("{place}: no result any more"),
            None => format!("{place}: {result}"),
        }),
        Entry::Earlier { game, entry } => of(&format!("{place}/{game}"), entry),
        Entry::Proposal(_) => Some(format!("{place}: something waits for the arbiter, \"confirm\" or \"reject\"")),
        Entry::Noted { .. } => Some(format!("{place}: noted with the game")),
        Entry::Final { ply, san, .. } => Some(format!("{place}: ply {ply} is {san}")),
        Entry::Instants { .. }
        | Entry::State { .. }
        | Entry::Shown { .. }
        | Entry::Round { .. }
        | Entry::Voice { .. }
        | Entry::Verdict { .. }
        | Entry::Alert(_) => None,
    }
}

fn name(player: &Player) -> &str {
    if player.name.is_empty() { "?" } else { &player.name }
}

fn corrected(from_ply: usize, old: &[String], new: &[String]) -> String {
    let was = if old.is_empty() { String::new() } else { format!(" in place of {}", old.join(" ")) };
    match new {
        [] => format!("from ply {from_ply} on, {} taken back", old.join(" ")),
        new => format!("from ply {from_ply} on, {}{was}", new.join(" ")),
    }
}
