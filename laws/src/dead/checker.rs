//! The only place where a verdict can be made. Whatever looks for one has to show its evidence here.

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{
    family::Family,
    key::Key,
    material::{self, Lack},
    positions::Positions,
    walls::Walls,
};

/// What is known about whether a colour can mate by any series of legal moves.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It can.
    CanMate(CanMate),
    /// It can't.
    CannotMate(CannotMate),
    /// The budget was spent before either was known: the game goes on.
    Unknown {
        /// How many positions were looked at.
        spent: u64,
    },
}

/// A line of legal moves to mate, replayed.
#[derive(Clone, Debug)]
pub struct CanMate {
    of: Key,
    winner: Color,
    line: Vec<Move>,
    /// How many of them the game has played.
    played: usize,
}

/// A proof that no legal moves lead to mate by a colour.
#[derive(Clone, Debug)]
pub struct CannotMate {
    of: Key,
    winner: Color,
    proof: Proof,
}

/// Which kind of proof it is, and its measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The men do not suffice.
    Material(Lack),
    /// Every position that can arise was met, and none is mate.
    Enumerated {
        /// How many positions.
        positions: usize,
        /// How many more were met whose walls prove the same, so that nothing beyond them was looked at.
        walled: usize,
        /// Where the same man stands in all of them.
        locked: Bitboard,
    },
    /// The pieces never get to where they could mate.
    Walls {
        /// How many families of positions the proof has: one for each set of pawns and pieces that can arise.
        families: usize,
        /// Where a man stands in all of them.
        locked: Bitboard,
    },
}

impl Verdict {
    /// Whether the player can mate, if that is known.
    pub fn can_mate(&self) -> Option<bool> {
        match self {
            Verdict::CanMate(_) => Some(true),
            Verdict::CannotMate(_) => Some(false),
            Verdict::Unknown { .. } => None,
        }
    }

    /// Whether it says something about whether `winner` can mate from `position`.
    pub fn is_about(&self, position: &Chess, winner: Color) -> bool {
        match self {
            Verdict::CanMate(mate) => mate.played == 0 && mate.winner == winner && mate.of == Key::of(position),
            Verdict::CannotMate(proof) => proof.winner == winner && proof.of == Key::of(position),
            Verdict::Unknown { .. } => false,
        }
    }
}

impl Proof {
    /// The kind in one word: `material`, `enumerated` or `walls`.
    pub fn kind(&self) -> &'static str {
        match self {
            Proof::Material(_) => "material",
            Proof::Enumerated { .. } => "enumerated",
            Proof::Walls { .. } => "walls",
        }
    }

    /// How many positions were enumerated.
    pub fn positions(&self) -> Option<usize> {
        match self {
            Proof::Enumerated { positions, .. } => Some(*positions),
            Proof::Material(_) | Proof::Walls { .. } => None,
        }
    }

    /// How many families of positions a proof by walls has.
    pub fn families(&self) -> Option<usize> {
        match self {
            Proof::Walls { families, .. } => Some(*families),
            Proof::Material(_) | Proof::Enumerated { .. } => None,
        }
    }

    /// The squares on which a man stands for good.
    pub fn locked(&self) -> Bitboard {
        match self {
            Proof::Material(_) => Bitboard::EMPTY,
            Proof::Enumerated { locked, .. } | Proof::Walls { locked, .. } => *locked,
        }
    }
}

impl CanMate {
    /// The moves to mate, from the position that was asked about.
    pub fn line(&self) -> &[Move] {
        &self.line[self.played..]
    }

    /// Who mates.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The position the line was found for, before any of it was played.
    pub(super) fn of(&self) -> &Key {
        &self.of
    }

    /// First along a way, then on as before. `None` if the way leads elsewhere.
    ///
    /// Positions of one key have the same legal moves, and each of these leads to positions of one key again, so the line
    /// that was replayed once is legal and mates from the end of the way as well.
    pub(super) fn after(way: &Way, mate: &CanMate) -> Option<CanMate> {
        let line = || [&way.moves, &mate.line[..]].concat();
        (way.to == mate.of).then(|| CanMate { of: way.of, winner: mate.winner, line: line(), played: 0 })
    }

    /// Plays on. `false`, and the certificate is void, if that is not the next move of the line.
    pub(super) fn play(&mut self, played: Move) -> bool {
        let follows = self.line().first() == Some(&played);
        self.played += usize::from(follows);
        follows
    }
}

impl CannotMate {
    /// What the proof is.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Who can't mate.
    pub fn winner(&self) -> Color {
        self.winner
    }

    /// The position it was proven for.
    pub(super) fn of(&self) -> &Key {
        &self.of
    }

    fn new(position: &Chess, winner: Color, proof: Proof) -> CannotMate {
        CannotMate { of: Key::of(position), winner, proof }
    }

    pub(super) fn by_material(position: &Chess, winner: Color) -> Option<CannotMate> {
        // A set-up mate with men that do not suffice is still mate, and is asked about first.
        let lack = material::lack(position.board(), winner).filter(|_| !is_mate(position, winner))?;
        Some(CannotMate::new(position, winner, Proof::Material(lack)))
    }

    /// The proof and how many families were looked at.
    pub(super) fn by_walls(position: &Chess, winner: Color, limit: usize) -> (Option<CannotMate>, usize) {
        let Some(root) = Family::of(position) else { return (None, 0) };
        let (walls, looked_at) = Walls::around(&root, winner, limit);
        let proven = walls.filter(|walls| walls.prove(&root, winner));
        let proof = |walls: Walls| Proof::Walls { families: walls.count(), locked: walls.locked() };
        (proven.map(|walls| CannotMate::new(position, winner, proof(walls))), looked_at)
    }
}

/// Legal moves from one position to another, replayed.
#[derive(Clone, Debug)]
pub(super) struct Way {
    of: Key,
    to: Key,
    moves: Vec<Move>,
}

/// Plays a line move by move, and makes the certificate of it if it ends in mate.
pub(super) struct Replay {
    of: Key,
    winner: Color,
    position: Chess,
    line: Vec<Move>,
}

impl Replay {
    pub(super) fn new(position: Chess, winner: Color) -> Replay {
        Replay { of: Key::of(&position), winner, position, line: Vec::new() }
    }

    /// Plays a move if it is legal.
    pub(super) fn play(&mut self, next: Move) -> bool {
        let legal = self.position.is_legal(next);
        if legal {
            self.position.play_unchecked(next);
            self.line.push(next);
        }
        legal
    }

    pub(super) fn position(&self) -> &Chess {
        &self.position
    }

    pub(super) fn certificate(self) -> Option<CanMate> {
        let Replay { of, winner, position, line } = self;
        is_mate(&position, winner).then_some(CanMate { of, winner, line, played: 0 })
    }
}

impl Replay {
    /// The moves so far, if they have led to the position of this key.
    pub(super) fn way(self, to: &Key) -> Option<Way> {
        let Replay { of, position, line, .. } = self;
        (Key::of(&position) == *to).then_some(Way { of, to: *to, moves: line })
    }
}

fn is_mate(position: &Chess, winner: Color) -> bool {
    position.turn() != winner && position.is_checkmate()
}

/// Goes through a set of positions that is said to be closed, in steps.
pub(super) struct Audit {
    root: Chess,
    winner: Color,
    met: Positions,
    walled: Positions,
    /// How many families each of the walled may need.
    limit: usize,
    next: u32,
    locked: Bitboard,
    /// Where the moves from one position lead.
    ahead: Vec<Key>,
}

impl Audit {
    pub(super) fn new(root: Chess, winner: Color, met: Positions, walled: Positions, limit: usize) -> Audit {
        let locked = root.board().occupied();
        Audit { root, winner, met, walled, limit, next: 0, locked, ahead: Vec::new() }
    }

    /// Looks at up to `count` more positions. `Ok(None)`: not through yet. `Err`: the set proves nothing.
    ///
    /// The set proves that `winner` can't mate if the first position is in it, none in it is mate, and each legal
    /// move from any of them leads into it, to a position whose walls prove the same, or to one where `winner` lacks
    /// the men.
    pub(super) fn step(&mut self, count: u64) -> Result<Option<CannotMate>, Refuted> {
        if !self.met.contains(&Key::of(&self.root)) {
            return Err(Refuted);
        }
        for _ in 0..count {
            if self.next as usize == self.met.len() {
                return self.check_walled().map(Some);
            }
            let position = self.met.get(self.next).position();
            self.check(&position)?;
            self.next += 1;
        }
        Ok(None)
    }

    fn check(&mut self, position: &Chess) -> Result<(), Refuted> {
        self.locked &= same_men(self.root.board(), position.board());
        let moves = position.legal_moves();
        if moves.is_empty() && is_mate(position, self.winner) {
            return Err(Refuted);
        }
        self.ahead.clear();
        self.ahead.extend(moves.iter().map(|next| Key::after(position, *next)));
        if self.met.has_all(&self.ahead) {
            return Ok(());
        }
        for next in moves {
            let mut after = position.clone();
            after.play_unchecked(next);
            let key = Key::of(&after);
            let settled = self.met.contains(&key)
                || self.walled.contains(&key)
                || (material::lack(after.board(), self.winner).is_some() && !is_mate(&after, self.winner));
            if !settled {
                return Err(Refuted);
            }
        }
        Ok(())
    }

    fn check_walled(&self) -> Result<CannotMate, Refuted> {
        for number in 0..self.walled.len() {
            let number = u32::try_from(number).expect("numbered so when put in");
            let position = self.walled.get(number).position();
            CannotMate::by_walls(&position, self.winner, self.limit).0.ok_or(Refuted)?;
        }
        let (positions, walled) = (self.met.len(), self.walled.len());
        let proof = Proof::Enumerated { positions, walled, locked: self.locked };
        Ok(CannotMate::new(&self.root, self.winner, proof))
    }
}

/// The set that was shown proves nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refuted;

/// Squares on which both boards have the same man.
fn same_men(one: &shakmaty::Board, other: &shakmaty::Board) -> Bitboard {
    let roles = [one.pawns() & other.pawns(), one.knights() & other.knights(), one.bishops() & other.bishops()]
        .into_iter()
        .chain([one.rooks() & other.rooks(), one.queens() & other.queens(), one.kings() & other.kings()]);
    roles.fold(Bitboard::EMPTY, |all, squares| all | squares) & !(one.white() ^ other.white())
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Square, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position")
    }

    fn step(role: shakmaty::Role, from: Square, to: Square) -> Move {
        Move::Normal { role, from, capture: None, to, promotion: None }
    }

    const KING_AND_ROOK: &str = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";

    #[test]
    fn only_legal_moves_to_mate_are_a_line() {
        let mut replay = Replay::new(position(KING_AND_ROOK), Color::White);
        assert!(!replay.play(step(shakmaty::Role::Rook, Square::A1, Square::B2)), "no rook moves so");
        assert!(replay.play(step(shakmaty::Role::Rook, Square::A1, Square::A8)));
        assert!(replay.certificate().is_some());
        let mut check = Replay::new(position(KING_AND_ROOK), Color::White);
        assert!(check.play(step(shakmaty::Role::Rook, Square::A1, Square::H1)));
        assert!(check.certificate().is_none(), "a check is no mate");
        assert!(Replay::new(position(KING_AND_ROOK), Color::Black).certificate().is_none());
    }

    #[test]
    fn a_way_goes_on_only_where_it_leads() {
        let root = position(KING_AND_ROOK);
        let mut replay = Replay::new(root.clone(), Color::White);
        assert!(replay.play(step(shakmaty::Role::Rook, Square::A1, Square::A8)));
        let mate = replay.certificate().expect("mate");
        let other = position("7k/8/6K1/8/8/8/R7/8 b - - 0 1");
        let walk = || {
            let mut walk = Replay::new(other.clone(), Color::White);
            assert!(walk.play(step(shakmaty::Role::King, Square::H8, Square::G8)));
            assert!(walk.play(step(shakmaty::Role::Rook, Square::A2, Square::A1)));
            assert!(walk.play(step(shakmaty::Role::King, Square::G8, Square::H8)));
            walk
        };
        let there = walk().way(&Key::of(&root)).expect("it leads there");
        assert_eq!(CanMate::after(&there, &mate).expect("and on to mate").line().len(), 4);
        assert!(walk().way(&Key::of(&other)).is_none(), "it does not lead back to its beginning");
        let elsewhere = Replay::new(other.clone(), Color::White).way(&Key::of(&other)).expect("no move, no change");
        assert!(CanMate::after(&elsewhere, &mate).is_none(), "the line is from another position");
    }

    #[test]
    fn a_set_that_is_not_closed_proves_nothing() {
        // Both kings shuffle between two squares.
        let root = position("k1b5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5B1K w - - 0 1");
        let mut met = Positions::new();
        met.insert(Key::of(&root));
        let mut open = vec![root.clone()];
        while let Some(position) = open.pop() {
            for next in position.legal_moves() {
                let key = Key::after(&position, next);
                if met.insert(key).is_some() {
                    open.push(key.position());
                }
            }
        }
        let audit = |met: Positions, root: &Chess| {
            Audit::new(root.clone(), Color::Black, met, Positions::new(), 48).step(1_000)
        };
        assert!(matches!(audit(met.clone(), &root), Ok(Some(_))));
        let mut without_the_last = Positions::new();
        for number in 0..u32::try_from(met.len()).expect("few") - 1 {
            without_the_last.insert(*met.get(number));
        }
        assert!(audit(without_the_last, &root).is_err());
        assert!(audit(met, &position(KING_AND_ROOK)).is_err(), "the position asked about is not in it");
        let mut mates = Positions::new();
        let mated = position("R6k/8/6K1/8/8/8/8/8 b - - 0 1");
        mates.insert(Key::of(&mated));
        let audit = Audit::new(mated, Color::White, mates, Positions::new(), 48).step(10);
        assert!(audit.is_err(), "a mate is in it");
    }
}
