//! Verdicts beside plain enumeration, on positions made up by dice: walls of pawns with pieces shut in or out.
//!
//! `PROVE_FUZZ=100000` says how many positions; without it there are as many as fit in a minute. The dice are the same
//! every time unless `PROVE_SEED` throws others.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "how long it goes on is for who runs it, and the figures too"
)]

use std::collections::{HashSet, VecDeque};

use laws::dead::{Budget, Proof, Verdict, can_mate};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, Role, Setup, Square,
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
const ENUMERATED: usize = 1_500;
/// What a verdict may cost.
const BUDGET: Budget = Budget(3_000);
/// A walk from a position that is said to be dead, to look for what should not be there.
const WALK: usize = 60;

#[test]
#[ignore = "a minute: make test and make prove-fuzz run it"]
fn verdicts_agree_with_enumeration() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let wanted = number("PROVE_FUZZ");
    let mut dice = Dice(number("PROVE_SEED").unwrap_or(2026));
    let began = std::time::Instant::now();
    let mut seen = Seen::default();
    while wanted.map_or(began.elapsed().as_secs() < 60, |wanted| seen.positions < wanted) {
        let position = dice.position();
        seen.positions += 1;
        compare(&position, &mut dice, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.closed > 0 && seen.walls > 0 && seen.mates > 0, "the dice make all kinds: {seen:?}");
}

#[derive(Debug, Default)]
struct Seen {
    positions: u64,
    /// Enumerated to the end.
    closed: u64,
    mates: u64,
    material: u64,
    enumerated: u64,
    walls: u64,
    unknown: u64,
}

fn compare(position: &Chess, dice: &mut Dice, seen: &mut Seen) {
    let Enumeration { closed, mated } = enumerate(position);
    seen.closed += u64::from(closed);
    for color in Color::ALL {
        let here = || format!("{}, {color}", Fen::from_position(position, EnPassantMode::Legal));
        match can_mate(position, color, BUDGET) {
            Verdict::CanMate(mate) => {
                seen.mates += 1;
                assert!(!closed || mated[usize::from(color.is_white())], "no mate among all positions: {}", here());
                let mut after = position.clone();
                for next in mate.line() {
                    assert!(after.is_legal(*next), "not legal: {}", here());
                    after.play_unchecked(*next);
                }
                assert!(after.is_checkmate() && after.turn() != color, "no mate: {}", here());
            }
            Verdict::CannotMate(proof) => {
                match proof.proof() {
                    Proof::Material(_) => seen.material += 1,
                    Proof::Enumerated { .. } => seen.enumerated += 1,
                    Proof::Walls { .. } => seen.walls += 1,
                }
                assert!(!mated[usize::from(color.is_white())], "there is a mate: {}", here());
                walk(position, color, dice);
            }
            Verdict::Unknown { .. } => seen.unknown += 1,
        }
    }
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

struct Enumeration {
    closed: bool,
    /// By Black, by White.
    mated: [bool; 2],
}

/// Breadth first, with no rule but the moves: the obvious way.
fn enumerate(root: &Chess) -> Enumeration {
    let mut met = HashSet::from([root.clone()]);
    let mut open = VecDeque::from([root.clone()]);
    let mut mated = [false; 2];
    while let Some(position) = open.pop_front() {
        let moves = position.legal_moves();
        if moves.is_empty() && position.is_check() {
            mated[usize::from(position.turn().is_black())] = true;
        }
        for next in moves {
            let mut after = position.clone();
            after.play_unchecked(next);
            if !met.contains(&after) {
                if met.len() >= ENUMERATED {
                    return Enumeration { closed: false, mated };
                }
                met.insert(after.clone());
                open.push_back(after);
            }
        }
    }
    Enumeration { closed: true, mated }
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
