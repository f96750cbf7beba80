//! The record: what is final, and the position hands play from.
//!
//! There is one record of a game, and this is its owner. Everybody else is told a version of it with each deed that makes
//! another one, and asks that.

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Piece, Position, Role};

use crate::{Course, Ply};

/// The squares kings meet on to show a result.
pub(super) const CENTRE: Bitboard = Bitboard::CENTER;

/// The game as far as it is final, and where hands play on.
#[derive(Clone, Debug)]
pub(super) struct Record {
    settled: Course,
    /// With the plies on which hands have played on, and which wait for a press.
    followed: Course,
    /// Its end; or while nobody knows what was played unheard, that of a story, with what waits on top of it.
    root: Course,
    /// So many of its last plies may be thought over.
    open: usize,
}

impl Record {
    pub(super) fn new() -> Record {
        let settled = Course::begin(Chess::default(), CastlingMode::Standard);
        Record { root: settled.clone(), followed: settled.clone(), settled, open: 0 }
    }

    /// It is this one. How it came about is not thought over.
    pub(super) fn set(&mut self, course: Course) {
        self.settled = course.clone();
        self.go_back_to(course);
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
        self.go_back_to(self.followed.clone());
    }

    fn go_back_to(&mut self, course: Course) {
        self.root = course.clone();
        self.followed = course;
        self.open = 0;
    }

    /// Hands play on with this move. So many of the last ones may be thought over.
    pub(super) fn follow(&mut self, played: Move, rethought: usize) {
        self.wait(played, rethought);
        self.followed = self.root.clone();
    }

    /// The first of the moves that are followed is final.
    pub(super) fn settle(&mut self) {
        if let Some(settled) = self.followed.at(self.settled.ply().next()) {
            self.settled = settled;
        }
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

    /// So many of the last moves were these instead. As many are final as before, but for those that are gone.
    pub(super) fn rewrite(&mut self, plies: usize, moves: &[Move], rethought: usize) {
        let Some(kept) = self.followed.at(self.followed.ply().back(plies)) else { return };
        let (settled, open) = (self.settled.ply(), self.open.saturating_sub(plies));
        self.go_back_to(kept);
        self.open = open;
        for played in moves {
            self.follow(*played, rethought);
        }
        self.settled = self.followed.at(settled).unwrap_or_else(|| self.followed.clone());
    }

    /// What is final.
    pub(super) fn course(&self) -> &Course {
        &self.settled
    }

    /// Where it ends with what is followed.
    pub(super) fn end(&self) -> &Chess {
        self.followed.position()
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
        self.followed.back_to(self.followed.ply().back(plies))
    }

    /// The last move, if it may be thought over, and the position it was played in.
    pub(super) fn last(&self) -> Option<(&Chess, Move)> {
        self.recent().next()
    }

    /// The position before this ply, and the moves from it on.
    pub(super) fn since(&self, ply: Ply) -> Option<(&Chess, Vec<Move>)> {
        let plies = self.root.ply().since(ply) + 1;
        let mut moves = self.root.moves_back().take(plies).collect::<Vec<_>>();
        moves.reverse();
        let (before, _) = moves.first().filter(|_| moves.len() == plies)?;
        Some((before, moves.iter().map(|(_, played)| *played).collect()))
    }

    /// The last moves that may be thought over, the latest first, each with the position it was played in.
    pub(super) fn recent(&self) -> impl Iterator<Item = (&Chess, Move)> {
        self.root.moves_back().take(self.open)
    }
}

/// The position after these moves, if they are legal.
pub(crate) fn play_all(from: &Chess, moves: &[Move]) -> Option<Chess> {
    moves.iter().try_fold(from.clone(), |position, played| position.play(*played).ok())
}

/// The position after this move, which is known to be legal.
pub(super) fn after(position: &Chess, played: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(played);
    after
}

/// The man who stands where this ply of a player has taken him.
pub(super) fn becomes(played: Move, side: Color) -> Piece {
    played.promotion().unwrap_or(played.role()).of(side)
}

/// A king to one of the squares where it shows the result.
pub(super) fn is_to_centre(played: Move) -> bool {
    matches!(played, Move::Normal { role: Role::King, to, .. } if CENTRE.contains(to))
}
