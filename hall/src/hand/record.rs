//! The record: what is final, and the position hands play from.
//!
//! There is one record of a game, and this is its owner. Everybody else is told a version of it with each deed that makes
//! another one, and asks that.

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Position, Role};

use crate::{Course, Ply};

/// The squares kings meet on to show a result.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The game as far as it is final, and where hands play on.
#[derive(Clone, Debug)]
pub(super) struct Record {
    settled: Course,
    /// Its end; or while nobody knows what was played unheard, that of a story, with what waits on top of it.
    root: Course,
    /// So many of its last plies may be thought over.
    open: usize,
}

impl Record {
    pub(super) fn new() -> Record {
        let settled = Course::begin(Chess::default(), CastlingMode::Standard);
        Record { root: settled.clone(), settled, open: 0 }
    }

    /// It is this one. How it came about is not thought over.
    pub(super) fn set(&mut self, course: Course) {
        self.root = course.clone();
        self.settled = course;
        self.open = 0;
    }

    /// Hands play from this position, as many plies after the beginning. What led there is not thought over.
    pub(super) fn leap_to(&mut self, position: Chess) {
        self.stand_at(position);
        self.open = 0;
    }

    /// Hands play from this position, and it was the last moves that led there.
    pub(super) fn stand_at(&mut self, position: Chess) {
        self.root = self.root.instead(position);
    }

    /// Hands play from its end again. What led there is not thought over.
    pub(super) fn return_to_end(&mut self) {
        self.set(self.settled.clone());
    }

    /// A move enters it. So many of the last ones may be thought over.
    pub(super) fn play(&mut self, played: Move, rethought: usize) {
        self.wait(played, rethought);
        self.settled = self.root.clone();
    }

    /// Hands play on with this move, which waits with what is below it.
    pub(super) fn wait(&mut self, played: Move, rethought: usize) {
        self.root = self.root.play(played);
        self.open = (self.open + 1).min(rethought);
    }

    /// The last move was none.
    pub(super) fn withdraw(&mut self) {
        self.rewrite(1, &[], 0);
    }

    /// So many of the last moves were these instead.
    pub(super) fn rewrite(&mut self, plies: usize, moves: &[Move], rethought: usize) {
        let Some(kept) = self.settled.at(self.settled.ply().back(plies)) else { return };
        let open = self.open.saturating_sub(plies);
        self.set(kept);
        self.open = open;
        for played in moves {
            self.play(*played, rethought);
        }
    }

    /// What is final.
    pub(super) fn course(&self) -> &Course {
        &self.settled
    }

    pub(super) fn mode(&self) -> CastlingMode {
        self.settled.mode()
    }

    pub(super) fn position(&self) -> &Chess {
        self.root.position()
    }

    pub(super) fn board(&self) -> &Board {
        self.position().board()
    }

    pub(super) fn turn(&self) -> Color {
        self.position().turn()
    }

    /// The last ply that hands have made.
    pub(super) fn ply(&self) -> Ply {
        self.root.ply()
    }

    /// The placements before this one, the latest first.
    pub(super) fn boards_back(&self) -> impl Iterator<Item = &Board> {
        self.root.boards_before()
    }

    /// The array the game began with, if a ply has been made since.
    pub(super) fn array(&self) -> Option<&Board> {
        (self.ply() > Ply::START).then(|| self.root.start().board())
    }

    /// It as it was so many plies ago.
    pub(super) fn before(&self, plies: usize) -> Option<Course> {
        self.settled.back_to(self.settled.ply().back(plies))
    }

    /// The last move, if it may be thought over, and the position it was played in.
    pub(super) fn last(&self) -> Option<(&Chess, Move)> {
        self.recent().next()
    }

    /// The last moves that may be thought over, the latest first, each with the position it was played in.
    pub(super) fn recent(&self) -> impl Iterator<Item = (&Chess, Move)> {
        self.root.moves_back().take(self.open)
    }
}

/// The position after these moves, if they are legal.
pub(super) fn play_all(from: &Chess, moves: &[Move]) -> Option<Chess> {
    moves.iter().try_fold(from.clone(), |position, played| position.play(*played).ok())
}

/// A king to one of the squares where it shows the result.
pub(super) fn is_to_centre(played: Move) -> bool {
    matches!(played, Move::Normal { role: Role::King, to, .. } if CENTRE.contains(to))
}
