//! What is counted while the loop runs, and what of it is said in the log.

use std::time::Duration;

use protocol::feed::{Entry, Event, TableEvent};

use crate::screens::Counts;

/// Counts what was published, and says in the log what an arbiter may be asked about later: each with its `event`, so
/// that the system's journal finds all of a kind.
pub(super) fn note_told(counts: &mut Counts, events: &[TableEvent]) {
    for told in events {
        let Event::Entry(entry) = &told.event else { continue };
        *counts.entries.entry(name(entry)).or_default() += 1;
        let Some(table) = &told.table else { continue };
        match entry {
            Entry::Alert(alert) => {
                let kind = alert.kind.to_string();
                tracing::info!(event = %kind, %table, t = told.t, "an alert was raised");
                *counts.alerts.entry(kind).or_default() += 1;
            }
            Entry::Started { game, .. } => tracing::info!(event = "game_started", %table, game, "a game began"),
            // What PGN has no word for is in the score.
            Entry::Result { result, score, .. } => {
                let result = score.unwrap_or((*result).into());
                tracing::info!(event = "game_result", %table, %result, "a game has its result");
            }
            Entry::Corrected { from_ply, .. } => {
                tracing::info!(event = "game_corrected", %table, from_ply, "the record was corrected");
            }
            Entry::Paired { .. }
            | Entry::Final { .. }
            | Entry::Instants { .. }
            | Entry::State { .. }
            | Entry::Proposal(_)
            | Entry::Earlier { .. }
            | Entry::Shown { .. }
            | Entry::Round { .. }
            | Entry::Confirmed { .. }
            | Entry::Verdict { .. }
            | Entry::Voice { .. }
            | Entry::Noted { .. } => {}
        }
    }
}

/// A disk that takes so long is said in the log, once a commit.
const SLOW: Duration = Duration::from_millis(500);

/// A commit is done. Of what the disk had refused first it is said why, and that is no slowness.
pub(super) fn note_commit(counts: &mut Counts, took: Duration, was_refused: bool) {
    if took >= SLOW && !was_refused {
        tracing::warn!(event = "slow_commit", took_ms = took.as_millis(), "the disk is slow");
    }
    counts.note_commit(took);
}

fn name(entry: &Entry) -> &'static str {
    match entry {
        Entry::Started { .. } => "started",
        Entry::Paired { .. } => "paired",
        Entry::Final { .. } => "final",
        Entry::Instants { .. } => "instants",
        Entry::Corrected { .. } => "corrected",
        Entry::State { .. } => "state",
        Entry::Proposal(_) => "proposal",
        Entry::Result { .. } => "result",
        Entry::Earlier { .. } => "earlier",
        Entry::Shown { .. } => "shown",
        Entry::Round { .. } => "round",
        Entry::Confirmed { .. } => "confirmed",
        Entry::Verdict { .. } => "verdict",
        Entry::Noted { .. } => "noted",
        Entry::Voice { .. } => "voice",
        Entry::Alert(_) => "alert",
    }
}
