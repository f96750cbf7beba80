//! How far the moves of a board are said: a ply at a time, and none that a hand may still take with it.
//!
//! Receivers play what they are told and can't take it back, so a ply is said once it is final or has stood a while with
//! nothing in the air, and what was said gets shorter only when the board shows it.

use protocol::feed::Line;

/// What is seen of the moves at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen<'a> {
    pub(super) line: &'a Line,
    /// How many of them are final.
    pub(super) settled: usize,
    /// The board has shown their end for a while, and nothing else.
    pub(super) stands: bool,
}

/// What was said.
#[derive(Clone, Debug, Default)]
pub(super) struct Told(Line);

impl Told {
    pub(super) fn line(&self) -> &Line {
        &self.0
    }

    /// Goes one step further. False where there is nothing to say.
    pub(super) fn go_on(&mut self, seen: Seen<'_>) -> bool {
        let upto = if seen.stands { seen.line.len() } else { seen.settled.min(seen.line.len()) };
        let common = self.0.common(seen.line);
        if common == self.0.len() {
            let next = seen.line.get(common).filter(|_| common < upto);
            self.0.extend(next);
            return next.is_some();
        }
        // Something else was played than was said: it is replaced in one piece, so that it gets no shorter on the way.
        if seen.stands || common < upto {
            let as_long = self.0.len().min(upto);
            self.0.truncate(common);
            self.0.extend(seen.line.iter().take(as_long).skip(common));
            return true;
        }
        false
    }

    /// How much of what is seen is not said.
    pub(super) fn is_behind(&self, line: &Line) -> bool {
        self.0 != *line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_ply_at_a_time_and_only_what_stands_or_is_final() {
        let line = moves("e4 e5 Nf3");
        let mut told = Told::default();
        assert_eq!(said(&mut told, &line, 0, false), Vec::<String>::new());
        assert_eq!(said(&mut told, &line, 1, false), ["e4"]);
        assert_eq!(said(&mut told, &line, 1, true), ["e4 e5", "e4 e5 Nf3"]);
    }

    #[test]
    fn what_was_said_gets_shorter_only_when_the_board_shows_it() {
        let mut told = Told::default();
        said(&mut told, &moves("e4 e5"), 0, true);
        assert_eq!(said(&mut told, &moves("e4"), 1, false), Vec::<String>::new(), "the pawn is in the air");
        assert_eq!(said(&mut told, &moves("e4"), 1, true), ["e4"]);
    }

    #[test]
    fn a_wrong_reading_is_replaced_in_one_piece() {
        let mut told = Told::default();
        said(&mut told, &moves("e4 e5 Nf3 Nc6"), 0, true);
        assert_eq!(said(&mut told, &moves("e4 e6 Nf3 Nc6 Bb5"), 0, true), ["e4 e6 Nf3 Nc6", "e4 e6 Nf3 Nc6 Bb5"]);
    }

    fn said(told: &mut Told, line: &Line, settled: usize, stands: bool) -> Vec<String> {
        let mut said = Vec::new();
        while told.go_on(Seen { line, settled, stands }) {
            said.push(told.line().to_string());
        }
        said
    }

    fn moves(text: &str) -> Line {
        text.split(' ').collect()
    }
}
