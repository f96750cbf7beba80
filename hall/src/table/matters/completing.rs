//! When a ply is completed, and what follows from it: by its player's press, by their next ply, or at once where no
//! press can come.

use protocol::feed::{Alert, AlertKind, Entry, Side};
use shakmaty::Position as _;

use crate::{
    Millis, Ply,
    hand::Finished,
    table::{finding, record::Made, turn::Turn, whole::Table},
};

impl Table {
    /// The record's last ply is final; completed too, if it was pressed or needs no press.
    pub(crate) fn note_made(&mut self, finished: &Finished, ends_game: bool, turn: &mut Turn) {
        let Some(game) = self.record.game_mut() else { return };
        let ply = game.ply();
        if let Some(made) = game.made_mut(ply) {
            let Finished { touched, placed, pressed, .. } = *finished;
            *made = Made { touched, placed: Some(placed), pressed, settled: turn.now(), completed: false };
        }
        self.complete_ply(ply.back(2), None, turn);
        if finished.pressed.is_some() || ends_game || !self.hand.awaits_press() {
            self.complete_ply(ply, finished.pressed, turn);
        }
    }

    /// When a move will have stood for long while its player's clock runs on.
    pub(crate) fn unpressed_at(&self) -> Option<Millis> {
        let since = self.spoken.stands_since()?;
        let awaited = self.desk.is_playing() && self.hand.awaits_press();
        awaited.then(|| since.saturating_add(self.agreed.settings().press_missing_ms))
    }

    /// The clock was not pressed. To say so to anybody would be to say it to the player.
    pub(crate) fn note_unpressed(&mut self, turn: &mut Turn) {
        self.spoken.note_unpressed();
        let side = self.record.game().map(|game| Side::from(game.position().turn()));
        turn.say(Alert { side, ..finding::plain(AlertKind::ClockNotPressed) });
    }

    /// The player has pressed for the last of their plies.
    pub(crate) fn complete(&mut self, side: Side, at: Millis, turn: &mut Turn) {
        let Some(game) = self.record.game() else { return };
        let last = game.ply();
        let completed = if game.mover_of(last) == Some(side) { last } else { last.back(1) };
        self.complete_ply(completed, Some(at), turn);
    }

    pub(crate) fn complete_ply(&mut self, ply: Ply, pressed: Option<Millis>, turn: &mut Turn) {
        let Some(made) = self.record.game_mut().and_then(|game| game.made_mut(ply)).filter(|made| !made.completed)
        else {
            return;
        };
        made.completed = true;
        made.pressed = made.pressed.or(pressed);
        let Made { touched, placed, pressed, settled, .. } = *made;
        turn.entry(Entry::Instants { ply: ply.count(), touched, placed, pressed, settled });
        self.compare_announced(ply, turn);
        self.go_on_by_itself(ply, turn);
    }
}
