//! Verdicts beside plain enumeration, on positions made up by dice: walls of pawns with pieces shut in or out.
//!
//! A position counts as compared when all that can arise from it, by the moves alone, was met: then it is known for both
//! colours whether they can mate, and every verdict is compared with that. From the others a few are taken for what can be
//! seen without it: lines are replayed, and games from positions that are said to be dead must not end in mate.
//!
//! `PROVE_FUZZ=100000` says how many positions are to be compared. The dice are the same every time unless `PROVE_SEED`
//! throws others.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "how much is compared is for who runs it, and the figures too"
)]

use std::{
    collections::HashSet,
    hash::{BuildHasherDefault, Hasher},
    ops::AddAssign,
    time::Instant,
};

use laws::dead::{Budget, Proof, Verdict, can_mate};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role, Setup, Square,
    fen::Fen,
};

/// Walls to begin from; the dice change them.
const WALLS: [&str; 12] = [
    "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
    "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1",
    "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1",
    "Bb2kb2/bKp1p1p1/1pP1P1P1/pP6/6P1/P7/8/8 b - - 0 1",
    "8/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N3b3 b - - 0 1",
    "4K3/8/8/8/8/p1p2p1p/P1pppp1P/bnrqkrnb b - - 0 1",
    "k1b5/1p1p4/1P1P4/8/8/4p1p1/4P1P1/5B1K w - - 0 1",
    "1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1",
    "1k6/pPp5/BpP4b/1P6/8/7B/8/5B1K b - - 0 1",
    "B2b4/8/4k3/8/1p1p1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1",
    "4kb2/4p3/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B6 b - - 0 1",
    "6bk/5p1p/5PpP/6P1/8/8/8/6K1 w - - 0 1",
];

/// How many positions one enumeration may have.
const ENUMERATED: usize = 800;
/// What a verdict may cost: enough to meet all of them, and to go through them once more.
const BUDGET: Budget = Budget(40_000);
/// One in so many of the positions that have more is asked about all the same, for less.
const OTHERS: usize = 64;
const OTHERS_BUDGET: Budget = Budget(1_000);
/// A walk from a position that is said to be dead, to look for what should not be there.
const WALK: usize = 60;
/// How many are compared if nobody says: what two cores do in a minute.
const COMPARED: u64 = 18_000;
/// How many throw dice at once, each its own.
const THROWERS: u64 = 2;

#[test]
#[ignore = "a minute: make test and make prove-fuzz run it"]
fn verdicts_agree_with_enumeration() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let wanted = number("PROVE_FUZZ").unwrap_or(COMPARED).div_ceil(THROWERS);
    let seed = number("PROVE_SEED").unwrap_or(2026);
    let began = Instant::now();
    let seen = std::thread::scope(|scope| {
        let throwers = (0..THROWERS).map(|at| {
            scope.spawn(move || {
                let (mut dice, mut seen) = (Dice(seed + (at << 32)), Seen::default());
                while seen.compared < wanted {
                    let position = dice.position();
                    compare(&position, &mut dice, &mut seen);
                }
                seen
            })
        });
        let mut all = Seen::default();
        for thrower in throwers.collect::<Vec<_>>() {
            all += thrower.join().expect("a verdict that is wrong: see above");
        }
        all
    });
    println!("{seen:?}, in {} s", began.elapsed().as_secs());
    assert!(seen.enumerated > 0 && seen.walls > 0 && seen.mates > 0, "the dice make all kinds: {seen:?}");
}

#[derive(Debug, Default)]
struct Seen {
    /// Enumerated to the end: whatever is said about these is compared with that.
    compared: u64,
    /// Too many positions can arise.
    skipped: u64,
    /// Verdicts about those compared, two for each.
    mates: u64,
    material: u64,
    enumerated: u64,
    walls: u64,
    unknown: u64,
    /// Asked about although not enumerated.
    asked_beyond: u64,
    dead_beyond: u64,
}

impl AddAssign for Seen {
    fn add_assign(&mut self, other: Seen) {
        self.compared += other.compared;
        self.skipped += other.skipped;
        self.mates += other.mates;
        self.material += other.material;
        self.enumerated += other.enumerated;
        self.walls += other.walls;
        self.unknown += other.unknown;
        self.asked_beyond += other.asked_beyond;
        self.dead_beyond += other.dead_beyond;
    }
}

fn compare(position: &Chess, dice: &mut Dice, seen: &mut Seen) {
    let Some(mated) = enumerate(position) else {
        seen.skipped += 1;
        if dice.below(OTHERS) == 0 {
            seen.asked_beyond += 1;
            ask_beyond(position, dice, seen);
        }
        return;
    };
    seen.compared += 1;
    for color in Color::ALL {
        let can = mated[usize::from(color.is_white())];
        let here = || format!("{}, {color}", Fen::from_position(position, EnPassantMode::Legal));
        match can_mate(position, color, BUDGET) {
            Verdict::CanMate(mate) => {
                seen.mates += 1;
                assert!(can, "no mate among all positions: {}", here());
                replay(position, mate.line(), color);
            }
            Verdict::CannotMate(proof) => {
                match proof.proof() {
                    Proof::Material(_) => seen.material += 1,
                    Proof::Enumerated { .. } => seen.enumerated += 1,
                    Proof::Walls { .. } => seen.walls += 1,
                }
                assert!(!can, "there is a mate: {}", here());
            }
            Verdict::Unknown { .. } => seen.unknown += 1,
        }
    }
}

fn ask_beyond(position: &Chess, dice: &mut Dice, seen: &mut Seen) {
    for color in Color::ALL {
        match can_mate(position, color, OTHERS_BUDGET) {
            Verdict::CanMate(mate) => replay(position, mate.line(), color),
            Verdict::CannotMate(_) => {
                seen.dead_beyond += 1;
                walk(position, color, dice);
            }
            Verdict::Unknown { .. } => {}
        }
    }
}

fn replay(position: &Chess, line: &[Move], color: Color) {
    let here = || format!("{}, {color}", Fen::from_position(position, EnPassantMode::Legal));
    let mut after = position.clone();
    for next in line {
        assert!(after.legal_moves().contains(next), "not legal: {}", here());
        after.play_unchecked(*next);
    }
    assert!(after.is_checkmate() && after.turn() != color, "no mate: {}", here());
}

/// Where a colour can't mate it never can, however the game goes on.
fn walk(position: &Chess, color: Color, dice: &mut Dice) {
    let mut after = position.clone();
    for ply in 0..WALK {
        let moves = after.legal_moves();
        if moves.is_empty() {
            break;
        }
        let zeroing = moves.iter().filter(|next| next.is_zeroing()).collect::<Vec<_>>();
        // What can't be taken back is what changes walls: half of the steps, if there are any.
        let next = if zeroing.is_empty() || dice.below(2) == 0 {
            moves[dice.below(moves.len())]
        } else {
            *zeroing[dice.below(zeroing.len())]
        };
        after.play_unchecked(next);
        let lost = after.is_checkmate() && after.turn() != color;
        let found = ply % 12 == 11 && matches!(can_mate(&after, color, Budget(400)), Verdict::CanMate(_));
        assert!(
            !lost && !found,
            "{color} can't mate from {}, and can from {}",
            Fen::from_position(position, EnPassantMode::Legal),
            Fen::from_position(&after, EnPassantMode::Legal),
        );
    }
}

/// Whether Black and White can mate, found by meeting every position there is, with no rule but the moves: the obvious way.
/// `None`: there are too many.
fn enumerate(root: &Chess) -> Option<[bool; 2]> {
    let mut met = HashSet::<Chess, BuildHasherDefault<Folded>>::default();
    met.insert(root.clone());
    let mut open = vec![root.clone()];
    let mut mated = [false; 2];
    while let Some(position) = open.pop() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            mated[usize::from(position.turn().is_black())] = true;
        }
        for next in moves {
            let mut after = position.clone();
            after.play_unchecked(next);
            if met.insert(after.clone()) {
                if met.len() > ENUMERATED {
                    return None;
                }
                open.push(after);
            }
        }
    }
    Some(mated)
}

/// A quick hash. Positions are compared whole all the same.
#[derive(Default)]
struct Folded(u64);

impl Hasher for Folded {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("below a usize")
    }

    fn square(&mut self) -> Square {
        Square::new(u32::try_from(self.below(64)).expect("64 squares"))
    }

    /// A position with few moves.
    fn position(&mut self) -> Chess {
        loop {
            let mut board = if self.below(2) == 0 {
                WALLS[self.below(WALLS.len())].parse::<Fen>().expect("a FEN").into_setup().board
            } else {
                self.wall()
            };
            for _ in 0..self.below(6) {
                self.change(&mut board);
            }
            let turn = if self.below(2) == 0 { Color::White } else { Color::Black };
            let setup = Setup { board, turn, ..Setup::empty() };
            if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard)
                && position.legal_moves().len() <= 16
            {
                return position;
            }
        }
    }

    /// Pairs of pawns head to head, sometimes with others behind or beside, two kings and a few pieces.
    fn wall(&mut self) -> Board {
        let mut board = Board::empty();
        let mut rank = 2 + self.below(3);
        for file in 0..8 {
            // The wall goes up and down by a step from file to file.
            rank = (rank + self.below(3)).saturating_sub(1).clamp(1, 5);
            if self.below(5) > 0 {
                self.put(&mut board, file, rank, Piece { color: Color::White, role: Role::Pawn });
                self.put(&mut board, file, rank + 1, Piece { color: Color::Black, role: Role::Pawn });
            }
        }
        for color in Color::ALL {
            let king = self.square();
            board.discard_piece_at(king);
            board.set_piece_at(king, Piece { color, role: Role::King });
        }
        board
    }

    fn put(&mut self, board: &mut Board, file: usize, rank: usize, piece: Piece) {
        board.set_piece_at(Square::new(u32::try_from(rank * 8 + file).expect("a square")), piece);
    }

    fn change(&mut self, board: &mut Board) {
        let (from, to) = (self.square(), self.square());
        let free = !board.occupied().contains(to);
        match (self.below(4), board.piece_at(from)) {
            (0 | 1, Some(piece)) if free && !(piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(to)) => {
                board.discard_piece_at(from);
                board.set_piece_at(to, piece);
            }
            (2, Some(piece)) if piece.role != Role::King => board.discard_piece_at(from),
            (3, _) if free => {
                let roles = [Role::Bishop, Role::Bishop, Role::Knight, Role::Pawn, Role::Pawn, Role::Rook];
                let role = roles[self.below(roles.len())];
                if !(role == Role::Pawn && Bitboard::BACKRANKS.contains(to)) {
                    let color = if self.below(2) == 0 { Color::White } else { Color::Black };
                    board.set_piece_at(to, Piece { color, role });
                }
            }
            _ => {}
        }
    }
}
