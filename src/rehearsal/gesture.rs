//! How one move is done by a hand: carried or slid, with what is captured, castled or promoted.

use shakmaty::{Color, Move, Piece, Role, Square, attacks};

use super::{
    count::Kind,
    deed::{Deed, Offence, Timed},
    hand::{Hand, touches},
    noise::Spread,
};

/// What is left to do once the clock has been pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Nothing,
    /// The pawn taken en passant still stands here.
    Victim(Square),
    /// The pawn on the last row still has to become this.
    Promotion(Square, Piece),
}

impl Left {
    pub(super) fn offence(self) -> Option<Offence> {
        match self {
            Left::Nothing => None,
            Left::Victim(_) => Some(Offence::VictimForgotten),
            Left::Promotion(..) => Some(Offence::PromotionForgotten),
        }
    }
}

/// Between two things one hand does without thinking.
const QUICK: (u64, u64) = (60, 250);

impl Hand<'_> {
    /// Does `mv` on the board, up to the last man landing.
    pub(super) fn perform(&mut self, mv: Move, color: Color) -> Left {
        match mv {
            Move::Normal { from, to, promotion: Some(role), .. } => return self.promote(from, to, role.of(color)),
            Move::Normal { from, to, capture: Some(_), .. } => self.capture(from, to),
            Move::Normal { from, to, .. } => self.carry(from, to),
            Move::EnPassant { from, to } => return self.en_passant(from, to),
            Move::Castle { king, rook } => self.castle(mv, king, rook, color),
            Move::Put { .. } => {}
        }
        Left::Nothing
    }

    /// One man from square to square, lifted or slid.
    pub(super) fn carry(&mut self, from: Square, to: Square) {
        let Some(piece) = self.board.piece_at(from) else { return };
        let crossed = crossed(from, to, piece.role);
        let far = !crossed.is_empty() && piece.role != Role::Pawn;
        let slide = self.noise.slide;
        let slid = if piece.role == Role::Knight {
            false
        } else if far {
            self.dice.happens(Kind::SlideFar, slide.far)
        } else {
            self.dice.happens(Kind::SlideNear, slide.near)
        };
        let hesitates = !crossed.is_empty() && self.dice.happens(Kind::Hesitation, slide.hesitate);
        if slid || hesitates {
            return self.slide(from, to, piece, &crossed, slid, hesitates);
        }
        let late_lift = self.dice.happens(Kind::PlaceBeforeLift, self.noise.place_first);
        if late_lift {
            self.place_before_lift(from, to, piece);
        } else {
            self.lift(from);
            self.takes(self.noise.carry);
            self.place(to, piece);
        }
    }

    /// The scan comes by the new square before the old one.
    fn place_before_lift(&mut self, from: Square, to: Square, piece: Piece) {
        self.takes(self.noise.carry);
        self.place(to, piece);
        let scan = self.dice.between((5, 60));
        self.wait(scan);
        self.lift(from);
    }

    fn slide(&mut self, from: Square, to: Square, piece: Piece, crossed: &[Square], slid: bool, hesitates: bool) {
        let rest = if hesitates { self.dice.pick(crossed) } else { None };
        let slide = self.noise.slide;
        self.lift(from);
        for &square in crossed {
            self.wait_between((20, 60));
            let seen = slid && self.dice.happens(Kind::CrossedSeen, slide.seen);
            if rest == Some(square) {
                self.stand(square, piece, slide.hesitation);
            } else if seen {
                self.stand(square, piece, slide.dwell);
            } else {
                self.takes(slide.dwell);
            }
        }
        self.wait_between(QUICK);
        self.place(to, piece);
    }

    /// Puts a man down for a moment.
    fn stand(&mut self, square: Square, piece: Piece, spread: Spread) {
        self.place(square, piece);
        self.takes(spread);
        self.lift(square);
    }

    fn capture(&mut self, from: Square, to: Square) {
        let Some(piece) = self.board.piece_at(from) else { return };
        let victim = self.board.piece_at(to);
        let way = self.capture_way();
        if way == Kind::CaptureVictimFirst {
            self.lift(to);
            self.flash(to, victim);
            self.wait_between(QUICK);
        }
        if self.dice.happens(Kind::SetDownBeside, self.noise.capture.beside) {
            self.lift(from);
            self.takes(self.noise.carry);
            if let Some(beside) = self.free_beside(to) {
                self.stand(beside, piece, Spread { median: 400, sd: self.noise.carry.sd });
            }
            self.wait_between(QUICK);
            self.place(to, piece);
        } else if way == Kind::CaptureMoverFirst {
            self.lift(from);
            self.takes(self.noise.carry);
            self.lift(to);
            self.flash(to, victim);
            self.wait_between(QUICK);
            self.place(to, piece);
        } else {
            self.carry(from, to);
        }
        if way == Kind::CaptureReplaced {
            self.show_gap(to);
            self.flash(to, victim);
        }
    }

    /// The taker is put on top, and for a moment the square was empty: the fingers that hold the taker sweep the victim
    /// off. Boards that name their men read the one and then the other; those that don't have only this moment, and one
    /// that is shorter than a scan is read as often as it is long.
    fn show_gap(&mut self, to: Square) {
        /// The sweep takes this part of the time the taker is carried.
        const SWEEP: u64 = 5;
        if !self.shows_gaps {
            return;
        }
        let Spread { median, sd } = self.noise.carry;
        let gap = self.dice.time(Spread { median: median / SWEEP, sd });
        let landing = self.deeds.iter().rposition(|timed| touches(timed.deed) == Some(to));
        let seen = self.dice.between((1, self.noise.sensors.scan)) <= gap;
        let Some(landing) = landing.filter(|_| seen) else { return };
        let before = landing.checked_sub(1).map_or(0, |before| self.deeds[before].at);
        let at = self.deeds[landing].at.saturating_sub(gap).max(before);
        self.deeds.insert(landing, Timed { at, deed: Deed::Lift(to) });
    }

    fn capture_way(&mut self) -> Kind {
        let mix = self.noise.capture;
        self.dice.choose([
            (Kind::CaptureReplaced, mix.replaced),
            (Kind::CaptureVictimFirst, mix.victim_first),
            (Kind::CaptureMoverFirst, mix.mover_first),
        ])
    }

    /// The victim is seen on a square it is carried over.
    fn flash(&mut self, from: Square, victim: Option<Piece>) {
        if !self.dice.happens(Kind::VictimFlash, self.noise.capture.flash) {
            return;
        }
        let (Some(beside), Some(victim)) = (self.free_beside(from), victim) else { return };
        self.wait_between((20, 60));
        self.stand(beside, victim, self.noise.capture.flash_dwell);
    }

    fn en_passant(&mut self, from: Square, to: Square) -> Left {
        let mix = self.noise.capture;
        let victim = Square::from_coords(to.file(), from.rank());
        if self.dice.happens(Kind::EnPassantVictimForgotten, mix.passant_forgotten) {
            self.carry(from, to);
            return Left::Victim(victim);
        }
        let way = self.dice.choose([
            (Kind::EnPassantVictimLast, mix.passant_last),
            (Kind::EnPassantVictimFirst, mix.passant_first),
            (Kind::EnPassantBothInHand, mix.passant_both),
        ]);
        if way == Kind::EnPassantVictimFirst {
            self.lift(victim);
            self.wait_between(QUICK);
            self.carry(from, to);
        } else if way == Kind::EnPassantBothInHand {
            let pawn = self.lift(from);
            self.wait_between(QUICK);
            self.lift(victim);
            self.takes(self.noise.carry);
            pawn.into_iter().for_each(|pawn| self.place(to, pawn));
        } else {
            self.carry(from, to);
            self.takes(self.noise.castling.gap);
            self.lift(victim);
        }
        Left::Nothing
    }

    fn promote(&mut self, from: Square, to: Square, piece: Piece) -> Left {
        let mix = self.noise.promotion;
        let captures = self.board.piece_at(to).is_some();
        // An unexchanged pawn counts as a queen, so only a queen is forgotten.
        if piece.role == Role::Queen && self.dice.happens(Kind::PromotionForgotten, mix.forgotten) {
            if captures {
                self.capture(from, to)
            } else {
                self.carry(from, to)
            }
            return Left::Promotion(to, piece);
        }
        let way = self.dice.choose([
            (Kind::PromotionSwapped, mix.swapped),
            (Kind::PromotionPawnOff, mix.pawn_off),
            (Kind::PromotionPieceFirst, mix.piece_first),
        ]);
        if way == Kind::PromotionSwapped {
            if captures {
                self.capture(from, to)
            } else {
                self.carry(from, to)
            }
            self.wait_between(QUICK);
            self.lift(to);
            self.takes(mix.search);
            self.place(to, piece);
        } else if way == Kind::PromotionPawnOff {
            self.lift(from);
            self.takes(mix.search);
            self.lift(to);
            self.wait_between(QUICK);
            self.place(to, piece);
        } else {
            self.takes(mix.search);
            self.place(to, piece);
            self.wait_between(QUICK);
            self.lift(from);
        }
        Left::Nothing
    }

    fn castle(&mut self, mv: Move, king: Square, rook: Square, color: Color) {
        let mix = self.noise.castling;
        let Some(side) = mv.castling_side() else { return };
        let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
        // In Chess960 one may stand where the other goes: then both have to be in hand.
        let in_the_way = king_to == rook || rook_to == king;
        let both = self.dice.happens(Kind::CastlingBothLifted, mix.both);
        if in_the_way || both {
            return self.castle_with_both((king, king_to), (rook, rook_to));
        }
        let rook_first = self.dice.happens(Kind::CastlingRookFirst, mix.rook_first);
        self.dice.count.note(Kind::CastlingKingFirst, !rook_first);
        if rook_first {
            self.carry_if_apart(rook, rook_to);
            self.castling_gap();
            self.carry_if_apart(king, king_to);
        } else {
            self.carry_king(king, king_to);
            self.castling_gap();
            self.carry_if_apart(rook, rook_to);
        }
    }

    fn carry_king(&mut self, from: Square, to: Square) {
        let crossed = crossed(from, to, Role::Rook);
        let slid = self.dice.happens(Kind::CastlingKingSlid, self.noise.castling.slid);
        match self.board.piece_at(from) {
            Some(king) if slid && !crossed.is_empty() => self.slide(from, to, king, &crossed, true, false),
            _ => self.carry_if_apart(from, to),
        }
    }

    /// Castling men are not counted as slides: their own kinds say what they do.
    fn carry_if_apart(&mut self, from: Square, to: Square) {
        if from == to {
            return;
        }
        if let Some(piece) = self.lift(from) {
            self.takes(self.noise.carry);
            self.place(to, piece);
        }
    }

    fn castling_gap(&mut self) {
        const PAUSE: (u64, u64) = (2_000, 6_000);
        if self.dice.happens(Kind::CastlingHesitation, self.noise.castling.hesitate) {
            self.wait_between(PAUSE);
        } else {
            self.takes(self.noise.castling.gap);
        }
    }

    fn castle_with_both(&mut self, (king_from, king_to): (Square, Square), (rook_from, rook_to): (Square, Square)) {
        let king = self.lift(king_from);
        self.wait_between((5, 60));
        let rook = self.lift(rook_from);
        self.takes(self.noise.carry);
        king.into_iter().for_each(|king| self.place(king_to, king));
        self.wait_between((5, 60));
        rook.into_iter().for_each(|rook| self.place(rook_to, rook));
    }

    pub(super) fn wait_between(&mut self, range: (u64, u64)) {
        let ms = self.dice.between(range);
        self.wait(ms);
    }
}

/// The squares a man passes over in the order of its way.
fn crossed(from: Square, to: Square, role: Role) -> Vec<Square> {
    if role == Role::Knight {
        return Vec::new();
    }
    let between: Vec<Square> = attacks::between(from, to).into_iter().collect();
    if from < to { between } else { between.into_iter().rev().collect() }
}
