//! What an order has changed, in sentences for whoever gave it.

use protocol::feed::{Command, Entry, Event, GameResult, Player, Side, TableEvent, TableId, VoiceNews};

/// What events say; nothing where something else says it better.
pub(super) fn sentences(told: &[TableEvent]) -> Vec<String> {
    let entries = told.iter().filter_map(entry).collect::<Vec<_>>();
    let has_result =
        |table: &TableId| entries.iter().any(|(at, entry)| *at == table && matches!(entry, Entry::Result { .. }));
    // A game that begins with its result was not played.
    let begins = |table: &TableId, entry: &Entry| matches!(entry, Entry::Started { .. }) && has_result(table);
    let said = entries.iter().filter(|(table, entry)| !begins(table, entry));
    said.filter_map(|(table, entry)| of(&table.to_string(), entry)).collect()
}

fn entry(told: &TableEvent) -> Option<(&TableId, &Entry)> {
    if let (Some(table), Event::Entry(entry)) = (&told.table, &told.event) { Some((table, entry)) } else { None }
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
        Entry::Noted { order } if matches!(**order, Command::Adjourn { .. }) => {
            Some(format!("{place} is adjourned: nothing that is done there counts before \"open_sealed\""))
        }
        Entry::Noted { .. } => Some(format!("{place}: noted with the game")),
        Entry::Voice { side, news } => Some(format!("{place}: {} {}", player(*side), heard(news)?)),
        Entry::Final { ply, san, .. } => Some(format!("{place}: ply {ply} is {san}")),
        Entry::Instants { .. }
        | Entry::State { .. }
        | Entry::Shown { .. }
        | Entry::Round { .. }
        | Entry::Confirmed { .. }
        | Entry::Verdict { .. }
        | Entry::Alert(_) => None,
    }
}

fn player(side: Side) -> &'static str {
    match side {
        Side::White => "White",
        Side::Black => "Black",
    }
}

fn heard(news: &VoiceNews) -> Option<&'static str> {
    match news {
        VoiceNews::Listens { earphone: Some(_) } => Some("is told moves aloud from here on"),
        VoiceNews::Listens { earphone: None } => Some("is told no moves aloud any more"),
        VoiceNews::Asked { .. } => Some("has asked, and is answered aloud"),
        VoiceNews::Spoken(_) => None,
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
