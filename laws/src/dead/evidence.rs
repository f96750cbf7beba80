//! What a verdict rests on, short enough to be written down, and shown to the checker again when it is read.

use shakmaty::{Chess, Color, Move};

use super::{
    checker::{CannotMate, Proof, Replay, Verdict},
    question::{Budget, can_mate},
};

/// What a verdict rests on.
///
/// A line is whole. Of a proof only its kind is kept: a closed set may have millions of positions, so the checker makes it
/// again, which takes as long as the search that found it.
///
/// ```
/// use laws::dead::{Budget, Evidence, Verdict, can_mate};
/// use shakmaty::{Chess, Color};
///
/// let start = Chess::default();
/// let evidence = can_mate(&start, Color::White, Budget::TABLE).evidence().expect("mates are everywhere");
/// assert!(matches!(evidence.check(&start, Color::White), Some(Verdict::CanMate(_))));
/// assert!(evidence.check(&start, Color::Black).is_none(), "White's line shows nothing about Black");
/// assert!(Evidence::Material.check(&start, Color::White).is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// A line of moves to mate.
    Line(Vec<Move>),
    /// The men do not suffice.
    Material,
    /// Every position that can arise was met.
    Enumerated,
    /// The pieces never get to where they could mate.
    Walls,
}

/// More families than any search looks at around one position.
const FAMILIES: usize = 10_000;

impl Evidence {
    /// The verdict about whether `winner` can mate from `position`, if this shows it.
    pub fn check(&self, position: &Chess, winner: Color) -> Option<Verdict> {
        let proof = match self {
            Evidence::Line(line) => {
                let mut replay = Replay::new(position.clone(), winner);
                let legal = line.iter().all(|next| replay.play(*next));
                return replay.certificate().filter(|_| legal).map(Verdict::CanMate);
            }
            Evidence::Material => CannotMate::by_material(position, winner),
            Evidence::Walls => CannotMate::by_walls(position, winner, FAMILIES).0,
            Evidence::Enumerated => match can_mate(position, winner, Budget::BACKGROUND) {
                Verdict::CannotMate(proof) => Some(proof),
                Verdict::CanMate(_) | Verdict::Unknown { .. } => None,
            },
        };
        proof.map(Verdict::CannotMate)
    }
}

impl Verdict {
    /// What it rests on; nothing if nothing is known.
    pub fn evidence(&self) -> Option<Evidence> {
        match self {
            Verdict::CanMate(mate) => Some(Evidence::Line(mate.line().to_vec())),
            Verdict::CannotMate(proof) => Some(match proof.proof() {
                Proof::Material(_) => Evidence::Material,
                Proof::Enumerated { .. } => Evidence::Enumerated,
                Proof::Walls { .. } => Evidence::Walls,
            }),
            Verdict::Unknown { .. } => None,
        }
    }
}
