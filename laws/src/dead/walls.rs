//! Proof by walls: families of positions that no move leaves and none of which is mate.

use std::collections::BTreeMap;

use shakmaty::{Bitboard, Color};

use super::family::{Family, Signature};

/// Families that hold all positions that can arise from the first one, as long as `winner` has the men to mate.
#[derive(Clone, Debug)]
pub(super) struct Walls(BTreeMap<Signature, Family>);

impl Walls {
    /// Looks for such families, at most `limit` of them, and how many it has looked at.
    pub(super) fn around(root: &Family, winner: Color, limit: usize) -> (Option<Walls>, usize) {
        Walls::gather(root, winner, limit, |family| family.may_be_mate(winner))
    }

    fn gather(root: &Family, winner: Color, limit: usize, stop: impl Fn(&Family) -> bool) -> (Option<Walls>, usize) {
        let mut families = BTreeMap::new();
        let mut open = vec![root.clone()];
        let mut looked_at = 0;
        while let Some(mut family) = open.pop() {
            if family.lacks_material(winner) {
                continue;
            }
            let signature = family.signature();
            match families.get(&signature) {
                Some(known) if Family::holds(known, &family) => continue,
                Some(known) => family.join(known),
                None => {}
            }
            family.saturate();
            looked_at += 1;
            if looked_at > limit || stop(&family) {
                return (None, looked_at);
            }
            open.extend(family.successors());
            families.insert(signature, family);
        }
        (Some(Walls(families)), looked_at)
    }

    /// Whether these families prove that `winner` can't mate from any position of `root`.
    ///
    /// By induction over the moves of a game from there: the first position is in one of them; a move that can be
    /// taken back leads to a position of the same family, since it is saturated; any other leads to one of its
    /// successors, which is within one of them or leaves `winner` without the men to mate; and no position of theirs
    /// is mate.
    pub(super) fn prove(&self, root: &Family, winner: Color) -> bool {
        let held = |family: &Family| {
            family.lacks_material(winner) || self.0.get(&family.signature()).is_some_and(|known| known.holds(family))
        };
        let sound = |family: &Family| {
            family.is_saturated() && !family.may_be_mate(winner) && family.successors().iter().all(held)
        };
        held(root) && self.0.values().all(sound)
    }

    /// How many families there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Squares on which a man stands in every position of every family.
    pub(super) fn locked(&self) -> Bitboard {
        self.0.values().fold(Bitboard::FULL, |locked, family| locked & family.fixed())
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, Position, Square, fen::Fen};

    use super::*;
    use crate::dead::family::Wanderer;

    /// Some dead, some not: what the families claim about moves has to hold for all.
    const POSITIONS: [&str; 11] = [
        "8/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N3b3 b - - 0 1",
        "B2b4/8/4k3/8/1p1p1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1",
        "8/8/1k1p1p2/3PpP2/3pKp2/b2P1P2/8/3B1B2 b - - 0 1",
        "8/2b4B/4k3/8/8/2p1p1p1/2PpP1P1/1B1K3n b - - 0 1",
        "4kb2/4p3/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B6 b - - 0 1",
        "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1",
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/1P6/2B1K3 w - - 0 1",
        "1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1",
        "4k3/3p4/8/2P1p3/4P3/8/8/4K3 b - - 0 1",
        "k1b5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5B1K w - - 0 1",
        "8/8/3k4/1p1p4/1PpP1n2/2P5/3K4/5R2 w - - 0 1",
    ];

    #[test]
    fn no_game_leaves_the_families() {
        let mut dice = 1_u64;
        let mut throw = |end: usize| {
            dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(dice >> 33).expect("31 bits") % end
        };
        for fen in POSITIONS {
            let root =
                fen.parse::<Fen>().expect("a FEN").into_position::<Chess>(CastlingMode::Standard).expect("legal");
            let family = Family::of(&root).expect("no rights");
            let Some(walls) = Walls::gather(&family, Color::White, 4_000, |_| false).0 else { continue };
            for _ in 0..40 {
                let mut position = root.clone();
                for _ in 0..120 {
                    let moves = position.legal_moves();
                    let held = walls.0.values().filter(|family| holds(family, &position)).collect::<Vec<_>>();
                    let lacks = Family::of(&position).is_some_and(|family| family.lacks_material(Color::White));
                    assert!(lacks || !held.is_empty(), "{fen}: {:?}", position.board());
                    if lacks || moves.is_empty() {
                        let mate = position.is_checkmate() && position.turn().is_black();
                        assert!(!mate || held.iter().any(|family| family.may_be_mate(Color::White)), "{fen}");
                        break;
                    }
                    position.play_unchecked(moves[throw(moves.len())]);
                }
            }
        }
    }

    #[test]
    fn without_any_of_its_families_a_proof_proves_nothing() {
        let mut removed = 0;
        for fen in POSITIONS {
            let root: Chess = fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("legal");
            let family = Family::of(&root).expect("no rights");
            let Some(walls) = Walls::around(&family, Color::White, 400).0 else { continue };
            assert!(walls.prove(&family, Color::White), "{fen}");
            for signature in walls.0.keys() {
                let mut fewer = walls.clone();
                fewer.0.remove(signature);
                assert!(!fewer.prove(&family, Color::White), "{fen}");
                removed += 1;
            }
        }
        assert!(removed > 10, "{removed}");
    }

    /// Whether the men of a position can be dealt out to those of a family.
    fn holds(family: &Family, position: &Chess) -> bool {
        let board = position.board();
        let pieces = board.occupied() & !board.pawns();
        family.pawns.white == board.pawns() & board.white()
            && family.pawns.black == board.pawns() & board.black()
            && family.pieces.len() == pieces.count()
            && deal(&pieces.into_iter().collect::<Vec<_>>(), &family.pieces, position)
    }

    fn deal(squares: &[Square], men: &[Wanderer], position: &Chess) -> bool {
        let Some((square, rest)) = squares.split_first() else { return true };
        let fits =
            |man: &Wanderer| Some(man.piece) == position.board().piece_at(*square) && man.squares.contains(*square);
        (0..men.len()).any(|at| fits(&men[at]) && deal(rest, &[&men[..at], &men[at + 1..]].concat(), position))
    }
}
