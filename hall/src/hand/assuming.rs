//! A game that was on before anybody listened: what the board shows first is all there is. Whose turn it is, and how the
//! board lies, shows in the first move.

use protocol::board::Contents;
use shakmaty::{Color, Position};

use super::{Deed, Hand, Opening, explain};
use crate::Millis;

impl Hand {
    /// Begins a game at a position nobody has set up: the first final move shows whether it was read right.
    pub fn assume(&mut self, opening: &Opening, now: Millis, out: &mut Vec<Deed>) {
        let Opening { lie, position, mode, .. } = opening;
        self.begin(position.clone(), *mode, *lie, now, out);
        self.assumed = true;
    }

    /// Where the game begins was read off the board, and nothing is final yet.
    pub fn is_assumed(&self) -> bool {
        self.assumed
    }

    /// This player's clock runs: as far as nobody has moved, it is their turn.
    pub fn expect_turn(&mut self, turn: Color, now: Millis, out: &mut Vec<Deed>) {
        if self.assumed && self.tail.is_empty() && self.root.turn() != turn {
            self.pass_turn(now, out);
        }
    }

    /// A position of a game, read off a board that was just heard.
    pub(super) fn assume_anew(&mut self, contents: &Contents, now: Millis, out: &mut Vec<Deed>) {
        let Some(opening) = Opening::in_mid_game(contents) else { return };
        let before = self.begins_at();
        // Whose turn it was said to be is as likely as before.
        let opening = opening.with_turn(before.position.turn());
        if opening.position.board() != before.position.board() || opening.lie != before.lie {
            self.begin_otherwise(opening, now, out);
        }
    }

    /// The board fits nothing, or only if the reply came before the move: perhaps the game began otherwise.
    pub(super) fn guess_again(&mut self, now: Millis, out: &mut Vec<Deed>) -> bool {
        if !self.assumed {
            return false;
        }
        let known = explain::lines(&self.root, &self.squares, &self.settings);
        let doubts = known.first().map(|line| line.doubts());
        let busy = !self.squares.lifted().is_empty();
        let explains = |other: &Opening| {
            let mut squares = self.squares.clone();
            if other.lie != self.lie() {
                squares.lay(other.lie, now);
                squares.start_from(other.position.board());
            }
            let lines = explain::lines(&other.position, &squares, &self.settings);
            let better = |line: &explain::Line| doubts.is_none_or(|doubts| line.doubts() < doubts);
            lines.first().is_some_and(|line| !line.moves.is_empty() && better(line))
        };
        let may_be = |other: &Opening| other.lie == self.lie() || doubts.is_none() && !busy;
        let others = self.begins_at().others();
        let Some(found) = others.into_iter().filter(may_be).find(explains) else { return false };
        self.begin_otherwise(found, now, out);
        true
    }

    /// It is the other player's turn, if that may be.
    pub(super) fn pass_turn(&mut self, now: Millis, out: &mut Vec<Deed>) -> bool {
        let turn = !self.root.turn();
        let passed = self.begins_at().with_turn(turn);
        let may_be = self.assumed && passed.position.turn() == turn;
        if may_be {
            self.begin_otherwise(passed, now, out);
        }
        may_be
    }

    fn begins_at(&self) -> Opening {
        Opening { lie: self.lie(), position: self.root.clone(), mode: self.mode, assumed: true }
    }

    fn begin_otherwise(&mut self, opening: Opening, now: Millis, out: &mut Vec<Deed>) {
        let turned = opening.lie != self.lie();
        if turned {
            self.squares.lay(opening.lie, now);
        }
        if turned || opening.position.board() != self.root.board() {
            self.squares.start_from(opening.position.board());
        }
        self.root = opening.position.clone();
        self.tail.clear();
        out.push(Deed::Reopened(Box::new(opening)));
    }
}
