//! What men would attack around a king from any square, worked out once for all of them.

use shakmaty::{Bitboard, ByRole, Color, Role, Square, attacks};

/// The squares from which men attack a king.
pub(super) struct Checks {
    pawn: Bitboard,
    knight: Bitboard,
    diagonal: Bitboard,
    straight: Bitboard,
}

impl Checks {
    pub(super) fn on(king: Square, by: Color, occupied: Bitboard) -> Checks {
        Checks {
            pawn: attacks::pawn_attacks(!by, king),
            knight: attacks::knight_attacks(king),
            diagonal: attacks::bishop_attacks(king, occupied),
            straight: attacks::rook_attacks(king, occupied),
        }
    }

    /// From where a man checks. Checks that are only discovered are passed over; the search will find them.
    #[inline]
    pub(super) fn of(&self, role: Role) -> Bitboard {
        match role {
            Role::Pawn => self.pawn,
            Role::Knight => self.knight,
            Role::Bishop => self.diagonal,
            Role::Rook => self.straight,
            Role::Queen => self.diagonal | self.straight,
            Role::King => Bitboard::EMPTY,
        }
    }
}

/// How many squares of a zone each man would attack, for every square it may stand on.
///
/// It is seen from the zone: a man attacks a square if from there one would, moving like the man, come to where it stands.
/// So a man that steps back on its own line is taken to attack nothing beyond the square it comes from, which makes such
/// steps look a little worse than they are.
pub(super) struct Hits(ByRole<Counts>);

impl Hits {
    pub(super) fn on(zone: Bitboard, by: Color, occupied: Bitboard) -> Hits {
        let mut hits = ByRole::<Counts>::default();
        for at in zone {
            let (diagonal, straight) = (attacks::bishop_attacks(at, occupied), attacks::rook_attacks(at, occupied));
            hits.pawn.add(attacks::pawn_attacks(!by, at));
            hits.knight.add(attacks::knight_attacks(at));
            hits.bishop.add(diagonal);
            hits.rook.add(straight);
            hits.queen.add(diagonal | straight);
            hits.king.add(attacks::king_attacks(at));
        }
        Hits(hits)
    }

    /// How many it attacks from there.
    #[inline]
    pub(super) fn from(&self, role: Role, square: Square) -> i32 {
        self.0.get(role).at(square)
    }

    /// Those of the squares from which it attacks the most.
    #[inline]
    pub(super) fn most(&self, role: Role, squares: Bitboard) -> Bitboard {
        self.0.get(role).highest(squares)
    }
}

/// A number from 0 to 7 for each square, as three binary digits, each digit for all squares at once. A king has eight
/// neighbours, but no man attacks all of them.
#[derive(Clone, Copy, Default)]
struct Counts {
    ones: Bitboard,
    twos: Bitboard,
    fours: Bitboard,
}

impl Counts {
    #[inline]
    fn add(&mut self, squares: Bitboard) {
        let to_twos = self.ones & squares;
        let to_fours = self.twos & to_twos;
        self.ones ^= squares;
        self.twos ^= to_twos;
        self.fours ^= to_fours;
    }

    #[inline]
    fn at(&self, square: Square) -> i32 {
        let digit = |squares: Bitboard| i32::from(squares.contains(square));
        digit(self.ones) + 2 * digit(self.twos) + 4 * digit(self.fours)
    }

    #[inline]
    fn highest(&self, squares: Bitboard) -> Bitboard {
        [self.fours, self.twos, self.ones].into_iter().fold(squares, |best, digit| {
            let with = best & digit;
            if with.any() { with } else { best }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dead::reach::reach;

    #[test]
    fn counts_are_what_each_man_attacks() {
        let occupied = Bitboard::from(Square::F8) | Square::G8 | Square::F7 | Square::E5 | Square::C3;
        let zone = attacks::king_attacks(Square::G8);
        let hits = Hits::on(zone, Color::White, occupied);
        let checks = Checks::on(Square::G8, Color::White, occupied);
        for role in Role::ALL {
            let most = Square::ALL.map(|at| hits.from(role, at)).into_iter().max();
            for at in Square::ALL {
                let attacked = reach(role, Color::White, at, occupied);
                assert_eq!(
                    hits.from(role, at),
                    i32::try_from((attacked & zone).count()).expect("few"),
                    "{role:?} on {at}"
                );
                assert_eq!(hits.most(role, Bitboard::FULL).contains(at), Some(hits.from(role, at)) == most);
                assert_eq!(checks.of(role).contains(at), role != Role::King && attacked.contains(Square::G8));
            }
        }
    }
}
