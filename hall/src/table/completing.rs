//! When a ply is completed, and what follows from it: by its player's press, by their next ply, or at once where no
//! press can come.

use protocol::feed::{Alert, AlertKind, Entry, Side, State};
use shakmaty::Position as _;

use super::{Table, Turn, finding, game::Made, spoken::Standing};
use crate::{Millis, hand::Finished};

impl Table {
    /// The record's last ply is final; completed too, if it was pressed or needs no press.
    pub(super) fn note_made(&mut self, finished: &Finished, ends_game: bool, turn: &mut Turn) {
        let Some(game) = &mut self.game else { return };
        let ply = game.len();
        if let Some(made) = game.made_mut(ply) {
            let Finished { touched, placed, pressed, .. } = *finished;
            *made = Made { touched, placed: Some(placed), pressed, settled: turn.now(), completed: false };
        }
        if let Some(before) = ply.checked_sub(2) {
            self.complete_ply(before, None, turn);
        }
        if finished.pressed.is_some() || ends_game || !self.hand.awaits_press() {
            self.complete_ply(ply, finished.pressed, turn);
        }
    }

    /// Remembers since when the move that is seen stands.
    pub(super) fn note_standing(&mut self, now: Millis) {
        let head = self.tail.first().copied();
        if self.spoken.standing.map(|standing| standing.played) != head {
            self.spoken.standing = head.map(|played| Standing { played, since: now, noted: false });
        }
    }

    /// When a move will have stood for long while its player's clock runs on.
    pub(super) fn unpressed_at(&self) -> Option<Millis> {
        let standing = self.spoken.standing.filter(|standing| !standing.noted)?;
        let awaited = self.state == State::Playing && self.hand.awaits_press();
        awaited.then(|| standing.since.saturating_add(self.counting.settings().press_missing_ms))
    }

    /// The clock was not pressed. To say so to anybody would be to say it to the player.
    pub(super) fn note_unpressed(&mut self, turn: &mut Turn) {
        if let Some(standing) = &mut self.spoken.standing {
            standing.noted = true;
        }
        let side = self.game.as_ref().map(|game| Side::from(game.position().turn()));
        turn.say(Alert { side, ..finding::plain(AlertKind::ClockNotPressed) });
    }

    /// The player has pressed for the last of their plies.
    pub(super) fn complete(&mut self, side: Side, at: Millis, turn: &mut Turn) {
        let Some(game) = &self.game else { return };
        let plies = game.len();
        let last = if game.mover_of(plies) == Some(side) { plies } else { plies.saturating_sub(1) };
        self.complete_ply(last, Some(at), turn);
    }

    pub(super) fn complete_ply(&mut self, ply: usize, pressed: Option<Millis>, turn: &mut Turn) {
        let Some(made) = self.game.as_mut().and_then(|game| game.made_mut(ply)).filter(|made| !made.completed) else {
            return;
        };
        made.completed = true;
        made.pressed = made.pressed.or(pressed);
        let Made { touched, placed, pressed, settled, .. } = *made;
        turn.entry(Entry::Instants { ply, touched, placed, pressed, settled });
        self.compare_announced(ply, turn);
        self.go_on_by_itself(ply, turn);
    }
}
