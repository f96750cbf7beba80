//! What was not heard, and what may have happened meanwhile.

use protocol::feed::AlertKind;
use shakmaty::{Move, san::SanPlus};

use super::{Table, Turn, finding, game::Game, mending::Choice};

impl Table {
    pub(super) fn note_gap(&mut self, plies: usize, others: &[Vec<Move>], turn: &mut Turn) {
        let mut note = finding::plain(AlertKind::Resync);
        note.plies = Some(plies);
        turn.say(note);
        if !others.is_empty() {
            self.note_alternatives(std::iter::once(&self.tail).chain(others).cloned().collect(), turn);
        }
    }

    /// Which moves were played nobody knows: the operator may choose.
    pub(super) fn note_alternatives(&mut self, lines: Vec<Vec<Move>>, turn: &mut Turn) {
        let mut note = finding::plain(AlertKind::Ambiguous);
        note.alternatives = lines.iter().map(|line| self.sans_after(line)).collect();
        let told = self.choice.as_ref().is_some_and(|choice| choice.lines == lines);
        self.keep_alternatives(lines);
        if !told {
            turn.say(note);
        }
    }

    /// The moves to choose from, those that were played on top of them included.
    pub(super) fn keep_alternatives(&mut self, lines: Vec<Vec<Move>>) {
        let before = self.game.as_ref().map_or(0, Game::len);
        self.choice = Some(Choice { before, lines });
    }

    pub(super) fn sans_after(&self, line: &[Move]) -> Vec<String> {
        let Some(game) = &self.game else { return Vec::new() };
        let mut position = game.position().clone();
        line.iter().map(|played| SanPlus::from_move_and_play_unchecked(&mut position, *played).to_string()).collect()
    }
}
