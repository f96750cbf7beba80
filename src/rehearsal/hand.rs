//! One hand over the board: it knows what stands where, and notes what it does and when.

use shakmaty::{Board, Color, Piece, Square};

use super::{
    deed::{Deed, Timed},
    dice::Dice,
    noise::{Noise, Spread},
};

/// A hand, its board and its time. Squares it names must hold what it expects there: it plays known games.
pub(super) struct Hand<'a> {
    pub(super) noise: &'a Noise,
    pub(super) dice: &'a mut Dice,
    pub(super) board: Board,
    pub(super) now: u64,
    pub(super) deeds: Vec<Timed>,
    /// Between a victim and its taker a square shows that it is empty.
    pub(super) shows_gaps: bool,
}

impl Hand<'_> {
    pub(super) fn does(&mut self, deed: Deed) {
        self.deeds.push(Timed { at: self.now, deed });
    }

    pub(super) fn wait(&mut self, ms: u64) {
        self.now += ms;
    }

    pub(super) fn takes(&mut self, spread: Spread) {
        let ms = self.dice.time(spread);
        self.wait(ms);
    }

    /// Takes up what stands on `square`, if anything does.
    pub(super) fn lift(&mut self, square: Square) -> Option<Piece> {
        let piece = self.board.remove_piece_at(square)?;
        self.does(Deed::Lift(square));
        Some(piece)
    }

    pub(super) fn place(&mut self, square: Square, piece: Piece) {
        self.board.set_piece_at(square, piece);
        self.does(Deed::Place(square, piece));
    }

    pub(super) fn press(&mut self, color: Color) {
        self.does(Deed::Press(color));
    }

    /// An empty square beside `square`.
    pub(super) fn free_beside(&mut self, square: Square) -> Option<Square> {
        let free = shakmaty::attacks::king_attacks(square) & !self.board.occupied();
        let free: Vec<Square> = free.into_iter().collect();
        self.dice.pick(&free)
    }

    /// When this hand last touched `square`.
    pub(super) fn last_touch(deeds: &[Timed], square: Square) -> Option<u64> {
        deeds.iter().filter(|timed| touches(timed.deed) == Some(square)).map(|timed| timed.at).max()
    }
}

/// The square a deed is about.
pub(super) fn touches(deed: Deed) -> Option<Square> {
    match deed {
        Deed::Lift(square) | Deed::Place(square, _) => Some(square),
        Deed::Press(_) | Deed::StopClock | Deed::StartClock | Deed::SetClock(_) | Deed::Await | Deed::Meant(_) => None,
    }
}
