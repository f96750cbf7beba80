//! The record as chess: the position hands play from, and what led there.

use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Move, Position, Role};

/// The squares kings meet on to show a result.
pub(super) const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// What the record has left behind with one ply.
#[derive(Clone, Debug, PartialEq)]
pub struct Earlier {
    /// The placement.
    pub board: Board,
    /// The position; none where a move that is not legal stands.
    pub position: Option<Chess>,
}

/// The position of the record, those before it, and its last moves.
#[derive(Clone, Debug)]
pub(super) struct Record {
    mode: CastlingMode,
    position: Chess,
    earlier: Vec<Earlier>,
    recent: Vec<(Chess, Move)>,
}

impl Record {
    pub(super) fn new() -> Record {
        Record { mode: CastlingMode::Standard, position: Chess::default(), earlier: Vec::new(), recent: Vec::new() }
    }

    /// This kind of chess is played from here on.
    pub(super) fn play_by(&mut self, mode: CastlingMode) {
        self.mode = mode;
    }

    /// It is this one, after these. How it came about is not thought over.
    pub(super) fn set(&mut self, position: Chess, earlier: Vec<Earlier>) {
        self.position = position;
        self.earlier = earlier;
        self.recent.clear();
    }

    /// Hands play from this position, after as many plies as before.
    pub(super) fn stand_at(&mut self, position: Chess) {
        self.position = position;
    }

    /// It is back at this position after so many plies, and what led there is not thought over.
    pub(super) fn go_back(&mut self, position: Chess, plies: usize) {
        self.position = position;
        self.earlier.truncate(plies);
        self.recent.clear();
    }

    /// Hands play from this position, and what led there is not thought over.
    pub(super) fn leap_to(&mut self, position: Chess) {
        self.position = position;
        self.recent.clear();
    }

    /// A move enters it. So many of the last ones may be thought over.
    pub(super) fn play(&mut self, played: Move, rethought: usize) {
        let (board, position) = (self.position.board().clone(), Some(self.position.clone()));
        self.earlier.push(Earlier { board, position });
        self.recent.push((self.position.clone(), played));
        if self.recent.len() > rethought {
            self.recent.remove(0);
        }
        self.position.play_unchecked(played);
    }

    /// The last move was none.
    pub(super) fn withdraw(&mut self) {
        if let Some((before, _)) = self.recent.pop() {
            self.position = before;
            self.earlier.pop();
        }
    }

    /// From the remembered move `back` on the moves were these, played from `before`.
    pub(super) fn rewrite(&mut self, back: usize, before: Chess, moves: &[Move], rethought: usize) {
        self.earlier.truncate(self.earlier.len() - moves.len());
        self.recent.truncate(back);
        self.position = before;
        for played in moves {
            self.play(*played, rethought);
        }
    }

    pub(super) fn mode(&self) -> CastlingMode {
        self.mode
    }

    pub(super) fn position(&self) -> &Chess {
        &self.position
    }

    pub(super) fn board(&self) -> &Board {
        self.position.board()
    }

    pub(super) fn turn(&self) -> Color {
        self.position.turn()
    }

    /// How many plies led here.
    pub(super) fn plies(&self) -> usize {
        self.earlier.len()
    }

    /// The placements before this one, the first one first.
    pub(super) fn boards(&self) -> impl DoubleEndedIterator<Item = &Board> {
        self.earlier.iter().map(|earlier| &earlier.board)
    }

    /// The position so many plies ago, and those before it. A move that is not legal stands only with the reply on top of
    /// it.
    pub(super) fn before(&self, plies: usize) -> Option<(Chess, Vec<Earlier>)> {
        let left = self.earlier.get(..=self.earlier.len().checked_sub(plies)?)?;
        let kept = left.iter().rposition(|earlier| earlier.position.is_some())?;
        Some((left[kept].position.clone()?, left[..kept].to_vec()))
    }

    /// The last moves that may be thought over, each with the position it was played in.
    pub(super) fn recent(&self) -> &[(Chess, Move)] {
        &self.recent
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
