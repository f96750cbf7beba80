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
            if looked_at > limit || family.may_be_mate(winner) {
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
