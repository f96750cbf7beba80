//! Families of positions, for proofs that no enumeration could finish: pawns where they are, pieces anywhere they may
//! have wandered.
//!
//! Every rule here may only err to one side: a family may hold more positions than can arise, never fewer.

use shakmaty::{Bitboard, ByColor, Chess, Color, Piece, Position, Rank, Role, Square, attacks};

use super::material::Force;

/// All positions with these pawns, each of these pieces on one of its squares, and either side to move.
///
/// Castling and en passant are not among the rights in a family: one is only made of a position without them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Family {
    pub(super) pawns: ByColor<Bitboard>,
    pub(super) pieces: Vec<Wanderer>,
}

/// A piece and where it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wanderer {
    pub(super) piece: Piece,
    pub(super) squares: Bitboard,
    /// Which man it was at the root, by its square there. A promoted pawn keeps the number of its file, and pieces of
    /// one number and kind are kept in the order they came to be.
    pub(super) origin: u8,
}

/// What tells families apart that must not be joined.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Signature {
    pawns: (u64, u64),
    pieces: Vec<(u8, u8)>,
}

impl Family {
    /// The family of one position. `None` where castling or an en passant capture is still possible.
    pub(super) fn of(position: &Chess) -> Option<Family> {
        if position.castles().any() || position.legal_ep_square().is_some() {
            return None;
        }
        let board = position.board();
        let pawns = board.pawns();
        let pieces = (board.occupied() & !pawns).into_iter().map(|square| Wanderer {
            piece: board.piece_at(square).expect("an occupied square"),
            squares: square.into(),
            origin: u8::from(square),
        });
        Some(Family {
            pawns: ByColor { white: pawns & board.white(), black: pawns & board.black() },
            pieces: pieces.collect(),
        })
    }

    pub(super) fn signature(&self) -> Signature {
        let kind = |piece: Piece| u8::from(piece.role) * 2 + u8::from(piece.color.is_white());
        Signature {
            pawns: (self.pawns.white.0, self.pawns.black.0),
            pieces: self.pieces.iter().map(|man| (man.origin, kind(man.piece))).collect(),
        }
    }

    /// Whether every position of `other` is in this family. Both have one signature.
    pub(super) fn holds(&self, other: &Family) -> bool {
        self.pawns == other.pawns
            && self.pieces.len() == other.pieces.len()
            && self
                .pieces
                .iter()
                .zip(&other.pieces)
                .all(|(own, others)| own.piece == others.piece && others.squares.is_subset(own.squares))
    }

    /// Takes the squares of `other` in. Both have one signature.
    pub(super) fn join(&mut self, other: &Family) {
        for (own, others) in self.pieces.iter_mut().zip(&other.pieces) {
            own.squares |= others.squares;
        }
    }

    pub(super) fn all_pawns(&self) -> Bitboard {
        self.pawns.white | self.pawns.black
    }

    /// Squares that are occupied in every position of the family, and by the same man: those of the pawns, and of the
    /// pieces that have only one.
    pub(super) fn fixed(&self) -> Bitboard {
        let lone = self.pieces.iter().filter(|man| man.squares.single_square().is_some());
        lone.fold(self.all_pawns(), |fixed, man| fixed | man.squares)
    }

    fn somewhere(&self) -> Bitboard {
        self.pieces.iter().fold(self.all_pawns(), |squares, man| squares | man.squares)
    }

    /// Adds every square a piece can step to without capturing, until no piece finds a new one.
    ///
    /// Why this keeps every position that arises by such moves: take a legal move of a piece from `a` to `b`, neither
    /// a capture nor castling, in a position of the family. The squares between and `b` itself are empty there, so
    /// none of them is fixed; and if it is the king's, no enemy man attacks `b` afterwards, so `b` is not among the
    /// squares that are attacked in every position of the family.
    pub(super) fn saturate(&mut self) {
        while self.step() {}
    }

    /// Whether `saturate` would change nothing.
    pub(super) fn is_saturated(&self) -> bool {
        !self.clone().step()
    }

    fn step(&mut self) -> bool {
        let fixed = self.fixed();
        let mut grown = false;
        for at in 0..self.pieces.len() {
            let Wanderer { piece, squares, .. } = self.pieces[at];
            let barred = match piece.role {
                Role::King => fixed | self.guarded(!piece.color, None),
                Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => fixed,
            };
            let mut all = squares;
            let mut fresh = squares;
            while let Some(square) = fresh.pop_front() {
                let further = attacks::attacks(square, piece, fixed) & !barred & !all;
                all |= further;
                fresh |= further;
            }
            grown |= all != squares;
            self.pieces[at].squares = all;
        }
        grown
    }

    /// Squares that men of `color` attack in every position of the family, without the piece `except`.
    ///
    /// A pawn's are known. A piece's are those it attacks from each of its squares, lines being cut at every square
    /// where any man might stand; a cut line still reaches the square of the cut. The king that would step there may
    /// itself stand in the line: that square is then among those where a man might stand, and cuts it too.
    fn guarded(&self, color: Color, except: Option<usize>) -> Bitboard {
        let somewhere = self.somewhere();
        let pieces = self.pieces.iter().enumerate();
        let guards = pieces.filter(|(at, man)| man.piece.color == color && Some(*at) != except);
        guards.fold(self.guarded_by_pawns(color), |guarded, (_, man)| {
            guarded | intersection(man.squares, |square| attacks::attacks(square, man.piece, somewhere))
        })
    }

    fn guarded_by_pawns(&self, color: Color) -> Bitboard {
        union(*self.pawns.get(color), |square| attacks::pawn_attacks(color, square))
    }

    /// The families that the moves which can't be taken back lead to: captures, pawn moves, promotions.
    ///
    /// Why none is missing: take such a legal move in a position of this saturated family. A capturing piece attacks
    /// its victim's square, with no fixed man between; a king does not step where it would be attacked by another
    /// man than the victim. A pawn takes diagonally or steps to a square that is empty, and so is not fixed. A double
    /// step passes over a square that is empty, so the single step is there, too; whoever may take en passant takes
    /// the pawn after the single step, and all else stands where it may stand then.
    pub(super) fn successors(&self) -> Vec<Family> {
        let fixed = self.fixed();
        let mut families = Vec::new();
        for at in 0..self.pieces.len() {
            self.captures_by_piece(at, fixed, &mut families);
        }
        for color in Color::ALL {
            for from in *self.pawns.get(color) {
                self.captures_by_pawn(color, from, &mut families);
                self.pushes(color, from, fixed, &mut families);
            }
        }
        families
    }

    fn captures_by_piece(&self, at: usize, fixed: Bitboard, families: &mut Vec<Family>) {
        let man = self.pieces[at];
        let enemy = !man.piece.color;
        let reach = union(man.squares, |square| attacks::attacks(square, man.piece, fixed));
        for (victim, other) in self.pieces.iter().enumerate() {
            if other.piece.color == enemy && other.piece.role != Role::King {
                let meet = reach & other.squares & !self.barred(man.piece, Some(victim));
                if meet.any() {
                    families.extend(self.with(|family| {
                        family.pieces[at].squares = meet;
                        family.pieces.remove(victim);
                    }));
                }
            }
        }
        for square in reach & *self.pawns.get(enemy) & !self.barred_among_pawns(man.piece) {
            families.extend(self.with(|family| {
                family.pieces[at].squares = square.into();
                family.pawns.get_mut(enemy).discard(square);
            }));
        }
    }

    /// Where a piece may not capture `victim` because it is a king.
    fn barred(&self, piece: Piece, victim: Option<usize>) -> Bitboard {
        match piece.role {
            Role::King => self.guarded(!piece.color, victim),
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => Bitboard::EMPTY,
        }
    }

    fn barred_among_pawns(&self, piece: Piece) -> Bitboard {
        // A pawn does not guard its own square, so none has to be left out.
        self.barred(piece, None)
    }

    fn captures_by_pawn(&self, color: Color, from: Square, families: &mut Vec<Family>) {
        let reach = attacks::pawn_attacks(color, from);
        for (victim, other) in self.pieces.iter().enumerate() {
            if other.piece.color != color && other.piece.role != Role::King {
                for to in reach & other.squares {
                    self.pawn_moves(
                        color,
                        from,
                        to,
                        &|family| {
                            family.pieces.remove(victim);
                        },
                        families,
                    );
                }
            }
        }
        for to in reach & *self.pawns.get(!color) {
            self.pawn_moves(color, from, to, &|family| family.pawns.get_mut(!color).discard(to), families);
        }
    }

    fn pushes(&self, color: Color, from: Square, fixed: Bitboard, families: &mut Vec<Family>) {
        let ahead = |square: Square| square.offset(color.fold_wb(8, -8)).filter(|to| !fixed.contains(*to));
        let Some(to) = ahead(from) else { return };
        self.pawn_moves(color, from, to, &|_| {}, families);
        if from.rank() == color.fold_wb(Rank::Second, Rank::Seventh)
            && let Some(to) = ahead(to)
        {
            self.pawn_moves(color, from, to, &|_| {}, families);
        }
    }

    fn pawn_moves(
        &self,
        color: Color,
        from: Square,
        to: Square,
        capture: &dyn Fn(&mut Family),
        families: &mut Vec<Family>,
    ) {
        let step = |family: &mut Family| {
            capture(family);
            family.pawns.get_mut(color).discard(from);
        };
        if !Bitboard::BACKRANKS.contains(to) {
            families.extend(self.with(|family| {
                step(family);
                family.pawns.get_mut(color).add(to);
            }));
            return;
        }
        for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
            families.extend(self.with(|family| {
                step(family);
                // Promoted pieces follow the others, numbered by file beyond the squares of the board.
                let origin = 64 + u8::from(from.file());
                family.pieces.push(Wanderer { piece: Piece { color, role }, squares: to.into(), origin });
            }));
        }
    }

    /// A changed copy, unless it holds no position: no piece stands on a pawn.
    fn with(&self, change: impl FnOnce(&mut Family)) -> Option<Family> {
        let mut family = self.clone();
        change(&mut family);
        let pawns = family.all_pawns();
        for man in &mut family.pieces {
            man.squares &= !pawns;
        }
        family.pieces.iter().all(|man| man.squares.any()).then_some(family)
    }

    /// Whether the men alone keep `winner` from mating.
    pub(super) fn lacks_material(&self, winner: Color) -> bool {
        self.force(winner).lack(&self.force(!winner)).is_some()
    }

    fn force(&self, color: Color) -> Force {
        let mut force = Force::default();
        for square in *self.pawns.get(color) {
            force.add(Role::Pawn, square.into());
        }
        for man in self.pieces.iter().filter(|man| man.piece.color == color) {
            force.add(man.piece.role, man.squares);
        }
        force
    }

    /// Whether some position of the family might be mate by `winner`.
    ///
    /// In a mate on `k` a man of the winner attacks `k`, and every neighbour of `k` without a pawn of the loser is
    /// attacked by the winner or has a piece of the loser on it. Each of the winner's pieces attacks from one square,
    /// each of the loser's pieces fills one. `no` where no choice of squares does that for any `k`; lines are cut by
    /// fixed men only, and the king itself does not cut them.
    pub(super) fn may_be_mate(&self, winner: Color) -> bool {
        let king = self.pieces.iter().find(|man| man.piece == Piece { color: !winner, role: Role::King });
        king.expect("a king is never taken").squares.into_iter().any(|square| self.may_be_mate_on(square, winner))
    }

    fn may_be_mate_on(&self, king: Square, winner: Color) -> bool {
        let flights = attacks::king_attacks(king) & !*self.pawns.get(!winner);
        let fixed = self.fixed().without(king);
        let wanted = flights.with(king);
        // All that the winner's men looked at so far can attack at once, among the king's square and its flights.
        let mut attacked = vec![self.guarded_by_pawns(winner) & wanted];
        for man in self.pieces.iter().filter(|man| man.piece.color == winner) {
            let mut places = man.squares.without(king);
            if man.piece.role == Role::King {
                places &= !attacks::king_attacks(king);
            }
            let mut choices = Vec::new();
            for place in places {
                widen(&mut choices, attacks::attacks(place, man.piece, fixed) & wanted);
            }
            let mut together = Vec::new();
            for (before, now) in attacked.iter().flat_map(|before| choices.iter().map(move |now| (*before, *now))) {
                widen(&mut together, before | now);
            }
            attacked = together;
            // Where few men suffice, the rest need not be looked at: more men attack no less.
            if attacked.iter().any(|attacked| self.is_enough(king, *attacked, flights, winner)) {
                return true;
            }
        }
        attacked.iter().any(|attacked| self.is_enough(king, *attacked, flights, winner))
    }

    fn is_enough(&self, king: Square, attacked: Bitboard, flights: Bitboard, winner: Color) -> bool {
        attacked.contains(king) && self.may_block(flights & !attacked, winner)
    }

    /// Whether pieces of the loser, each on one of its squares, might fill all of `open`.
    fn may_block(&self, open: Bitboard, winner: Color) -> bool {
        let blockers = self.pieces.iter().filter(|man| man.piece.color != winner && man.piece.role != Role::King);
        fill(open, &blockers.map(|man| man.squares).collect::<Vec<_>>())
    }
}

fn fill(open: Bitboard, blockers: &[Bitboard]) -> bool {
    let Some(square) = open.first() else { return true };
    let mut candidates = blockers.iter().enumerate().filter(|(_, squares)| squares.contains(square));
    candidates.any(|(at, _)| fill(open.without(square), &[&blockers[..at], &blockers[at + 1..]].concat()))
}

/// Keeps the sets that no other one holds.
fn widen(sets: &mut Vec<Bitboard>, set: Bitboard) {
    if !sets.iter().any(|other| set.is_subset(*other)) {
        sets.retain(|other| !other.is_subset(set));
        sets.push(set);
    }
}

fn union(squares: Bitboard, of: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |all, square| all | of(square))
}

fn intersection(squares: Bitboard, of: impl Fn(Square) -> Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::FULL, |all, square| all & of(square))
}
