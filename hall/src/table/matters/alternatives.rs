//! What was not heard, and what may have happened meanwhile.

use protocol::feed::AlertKind;
use shakmaty::Move;

use crate::table::{finding, turn::Turn, whole::Table};

impl Table {
    pub(crate) fn note_gap(&mut self, plies: usize, others: &[Vec<Move>], turn: &mut Turn) {
        // That a board is held and that hands are followed from it at the same moment is one silence.
        if plies == 0 && turn.has_just_said(AlertKind::Resync) {
            return;
        }
        let mut note = finding::plain(AlertKind::Resync);
        note.plies = Some(plies);
        turn.say(note);
        if !others.is_empty() {
            self.note_alternatives(self.record.tails(others), turn);
        }
    }

    /// Which moves were played nobody knows: the operator may choose.
    pub(crate) fn note_alternatives(&mut self, lines: Vec<Vec<Move>>, turn: &mut Turn) {
        let mut note = finding::plain(AlertKind::Ambiguous);
        note.alternatives = lines.iter().map(|line| self.record.sans_after(line)).collect();
        let told = self.record.choice().is_some_and(|choice| choice.lines == lines);
        self.record.keep_choice(lines);
        if !told {
            turn.say(note);
        }
    }
}
