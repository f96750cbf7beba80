//! What was not heard, and what may have happened meanwhile.

use protocol::feed::AlertKind;
use shakmaty::{Move, san::SanPlus};

use super::{Said, Table, finding, game::Game, mending::Choice, say};
use crate::Millis;

impl Table {
    pub(super) fn note_gap(&mut self, plies: usize, others: &[Vec<Move>], now: Millis, out: &mut Vec<Said>) {
        let mut note = finding::plain(AlertKind::Resync);
        note.plies = Some(plies);
        say(out, now, note);
        self.note_alternatives(others, now, out);
    }

    pub(super) fn note_alternatives(&mut self, others: &[Vec<Move>], now: Millis, out: &mut Vec<Said>) {
        if others.is_empty() {
            return;
        }
        let mut note = finding::plain(AlertKind::Ambiguous);
        let lines = std::iter::once(&self.tail).chain(others).cloned().collect::<Vec<_>>();
        note.alternatives = lines.iter().map(|line| self.sans_after(line)).collect();
        let before = self.game.as_ref().map_or(0, Game::len);
        self.choice = Some(Choice { before, lines });
        say(out, now, note);
    }

    pub(super) fn sans_after(&self, line: &[Move]) -> Vec<String> {
        let Some(game) = &self.game else { return Vec::new() };
        let mut position = game.position().clone();
        line.iter().map(|played| SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string()).collect()
    }
}
