//! Our prover beside chasolver, in one run: `cargo run --release -- games.pgn`.
//!
//! Whole games in order: ours keeps its certificates from move to move, the other is asked position by position. Single
//! positions: both are asked out of the blue. Each is asked three times and the shortest time counts, since what else the
//! machine was doing belongs to neither. Walls, which the dice make, and those of the known positions: who decides how many
//! within the budget of a search aside, and do they agree?

use std::{fs::File, hint::black_box, io, ops::ControlFlow, str::FromStr, time::Instant};

use chasolver::{Winnability, winnability};
use laws::dead::{Budget, Certificates, Tally, Verdict, can_mate};
use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position, Role, Setup, Square, fen::Fen,
};

/// What ours may spend on one question here. No position of an ordinary game comes near.
const BUDGET: Budget = Budget(1_000_000);
/// How often each question is asked.
const ASKED: usize = 3;
/// How many walls.
const WALLS: usize = 1_000;
/// Walls that others have found hard, and those of long games: the last two lines need the longest searches we know.
const NAMED: [&str; 16] = [
    "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1",
    "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1",
    "5b2/p7/Pp3k2/1Pp1pBp1/2P1P1P1/5K2/8/8 w - - 0 1",
    "Bb2kb2/bKp1p1p1/1pP1P1P1/pP6/6P1/P7/8/8 b - - 0 1",
    "8/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N3b3 b - - 0 1",
    "1b3kBR/4pP1P/1p1pP2P/1P1P4/8/K5p1/6P1/1B6 b - - 0 1",
    "1k6/pPp5/BpP4b/1P6/8/7B/8/5B1K b - - 0 1",
    "8/8/1k1p1p2/3PpP2/3pKp2/b2P1P2/8/3B1B2 b - - 0 1",
    "B2b4/8/4k3/8/1p1p1p1p/1PpP1P1P/K1P4b/RB6 b - - 0 1",
    "8/2b4B/4k3/8/8/2p1p1p1/2PpP1P1/1B1K3n b - - 0 1",
    "4kb2/4p3/2pp4/3p2p1/1p1K1pP1/1P1P1P2/8/1B6 b - - 0 1",
    "8/1p2p1p1/1P2P1P1/Bp2pBp1/1P2P1P1/7k/1P2P3/7K b - - 0 1",
    "6bk/5p1p/5PpP/6P1/8/8/8/6K1 w - - 0 1",
    "1B6/1p2k3/bPp5/BpP5/1P4K1/8/1P6/8 b - - 0 1",
    "1Bb5/1p6/pPp3k1/2Pp3p/P2PpBpP/4P1P1/5K2/8 w - - 0 1",
    "3k1b2/2p1pBp1/KpP1P1P1/1P3B2/4B1B1/5B2/8/8 w - - 0 1",
];

fn main() -> io::Result<()> {
    let games = read(&std::env::args().nth(1).unwrap_or_else(|| "games.pgn".into()))?;
    // First, so that the memory is ours alone.
    named_walls();
    whole_games(&games);
    walls();
    Ok(())
}

fn whole_games(games: &[Vec<Move>]) {
    let (mut ours, mut alone, mut theirs) = (Times::default(), Times::default(), Times::default());
    let (mut unknown, mut differ) = (0, 0);
    let mut tally = Tally::default();
    for game in games {
        let positions = positions(game);
        let in_order = in_order(game);
        let held = in_order.1;
        tally.held += held.held;
        tally.bent += held.bent;
        tally.searched += held.searched;
        ours.0.extend(in_order.0);
        for position in &positions {
            let mut verdicts = None;
            alone.0.push(shortest(|| verdicts = Some(Color::ALL.map(|color| can_mate(position, color, BUDGET)))));
            let board = other(position);
            let mut others = None;
            theirs.0.push(shortest(|| others = Some(Color::ALL.map(|color| winnability(&board, colour(color))))));
            for (verdict, other) in verdicts.iter().flatten().zip(others.iter().flatten()) {
                unknown += u64::from(matches!(verdict, Verdict::Unknown { .. }));
                differ += u64::from(contradicts(verdict, other));
            }
        }
    }
    println!("{} games, {} positions, both colours each", games.len(), ours.0.len());
    println!("ours, in order      {ours}");
    println!("ours, single        {alone}");
    println!("chasolver, single   {theirs}");
    println!(
        "mean below chasolver's: in order {:.1} times, single {:.1} times",
        theirs.mean() / ours.mean(),
        theirs.mean() / alone.mean()
    );
    let all = (tally.held + tally.bent + tally.searched) as f64 / 100.0;
    println!(
        "after a real move the line was held {:.1} %, bent {:.1} %, searched anew {:.1} %; unknown {unknown}, contradictions {differ}",
        tally.held as f64 / all,
        tally.bent as f64 / all,
        tally.searched as f64 / all,
    );
}

fn positions(game: &[Move]) -> Vec<Chess> {
    let mut position = Chess::default();
    let mut all = vec![position.clone()];
    for played in game {
        position.play_unchecked(*played);
        all.push(position.clone());
    }
    all
}

/// What each position of a game costs, both colours and telling the move, with the certificates of those before.
fn in_order(game: &[Move]) -> (Vec<f64>, Tally) {
    let mut shortest = vec![f64::INFINITY; game.len() + 1];
    let mut tally = Tally::default();
    for _ in 0..ASKED {
        let mut certificates = Certificates::new(Chess::default());
        for (played, shortest) in std::iter::once(None).chain(game.iter().map(Some)).zip(&mut shortest) {
            let began = Instant::now();
            if let Some(played) = played {
                certificates.play(*played);
            }
            for color in Color::ALL {
                black_box(certificates.can_mate(color, BUDGET));
            }
            *shortest = shortest.min(began.elapsed().as_secs_f64() * 1e6);
        }
        tally = certificates.tally();
    }
    (shortest, tally)
}

/// How long it takes at the least, in microseconds.
fn shortest(mut ask: impl FnMut()) -> f64 {
    let times = (0..ASKED).map(|_| {
        let began = Instant::now();
        ask();
        began.elapsed().as_secs_f64() * 1e6
    });
    times.fold(f64::INFINITY, f64::min)
}

fn named_walls() {
    let mut unknown = 0;
    let mut longest = (0.0, String::new());
    for fen in NAMED {
        let position = fen.parse::<Fen>().expect("a FEN").into_position(CastlingMode::Standard).expect("a position");
        for color in Color::ALL {
            let began = Instant::now();
            let verdict = can_mate(&position, color, Budget::BACKGROUND);
            let seconds = began.elapsed().as_secs_f64();
            if seconds > longest.0 {
                longest = (seconds, format!("{fen}, {color}"));
            }
            if matches!(verdict, Verdict::Unknown { .. }) {
                unknown += 1;
                println!("unknown: {fen}, {color}");
            }
        }
    }
    println!("{} named walls, unknown {unknown}; longest {:.1} s: {}", NAMED.len(), longest.0, longest.1);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    if let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        println!("memory at most {}", peak.trim());
    }
}

fn walls() {
    let mut dice = Dice(2026);
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    let (mut unknown, mut unknown_theirs, mut differ) = (0, 0, 0);
    for _ in 0..WALLS {
        let position = dice.wall();
        let board = other(&position);
        for color in Color::ALL {
            let began = Instant::now();
            let verdict = can_mate(&position, color, Budget::BACKGROUND);
            ours.add(began);
            let began = Instant::now();
            let other = winnability(&board, colour(color));
            theirs.add(began);
            let fen = Fen::from_position(&position, EnPassantMode::Legal);
            if let Verdict::Unknown { .. } = verdict {
                unknown += 1;
                println!("unknown: {fen}, {color}; chasolver: {}", if other.is_some() { "decides" } else { "no" });
            }
            unknown_theirs += u64::from(other.is_none());
            if contradicts(&verdict, &other) {
                differ += 1;
                println!("contradiction: {fen}, {color}");
            }
        }
    }
    println!("{WALLS} walls, a question for each colour; unknown {:.2} %", unknown as f64 / (WALLS * 2) as f64 * 100.0);
    println!("ours                {ours}, unknown {unknown}");
    println!("chasolver           {theirs}, unknown {unknown_theirs}; contradictions {differ}");
}

fn contradicts(verdict: &Verdict, other: &Option<Winnability>) -> bool {
    match (verdict, other) {
        (Verdict::CanMate(_), Some(Winnability::Unwinnable)) => true,
        (Verdict::CannotMate(_), Some(Winnability::Winnable { .. })) => true,
        _ => false,
    }
}

#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn add(&mut self, began: Instant) {
        self.0.push(began.elapsed().as_secs_f64() * 1e6);
    }

    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |part: usize| sorted[(sorted.len() - 1) * part / 1000];
        write!(
            f,
            "median {:9.1} us   mean {:9.1} us   99 % {:9.1} us   longest {:9.1} us",
            at(500),
            self.mean(),
            at(990),
            at(1000)
        )
    }
}

fn other(position: &Chess) -> chess::Board {
    let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
    chess::Board::from_str(&fen).expect("a position of both")
}

fn colour(color: Color) -> chess::Color {
    color.fold_wb(chess::Color::White, chess::Color::Black)
}

/// Pawns head to head on most files, kings and a few pieces on both sides.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(end)) as u32
    }

    fn wall(&mut self) -> Chess {
        loop {
            let mut setup = Setup::empty();
            let pawn = |color| Piece { color, role: Role::Pawn };
            let mut rank = 2 + self.below(3);
            for file in 0..8 {
                rank = (rank + self.below(3)).saturating_sub(1).clamp(1, 5);
                if self.below(8) > 0 {
                    setup.board.set_piece_at(Square::new(rank * 8 + file), pawn(Color::White));
                    setup.board.set_piece_at(Square::new(rank * 8 + 8 + file), pawn(Color::Black));
                }
            }
            for color in Color::ALL {
                // A third bishop's place goes to a knight or a rook now and then: walls that keep them in or out.
                let other = [Role::Bishop, Role::Bishop, Role::Knight, Role::Rook][self.below(4) as usize];
                for role in [Role::King, Role::Bishop, other] {
                    let square = Square::new(self.below(64));
                    let taken = setup.board.occupied().contains(square);
                    if !taken && (role == Role::King || self.below(3) > 0) {
                        setup.board.set_piece_at(square, Piece { color, role });
                    }
                }
            }
            setup.turn = if self.below(2) == 0 { Color::White } else { Color::Black };
            if let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) {
                return position;
            }
        }
    }
}

fn read(path: &str) -> io::Result<Vec<Vec<Move>>> {
    let mut reader = Reader::new(File::open(path)?);
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Moves)? {
        games.push(game);
    }
    Ok(games)
}

struct Moves;

impl Visitor for Moves {
    type Tags = ();
    type Movetext = (Chess, Vec<Move>);
    type Output = Vec<Move>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Self::Output, Self::Movetext> {
        ControlFlow::Continue((Chess::default(), Vec::new()))
    }

    fn san(&mut self, (position, moves): &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(next) = san.san.to_move(position) else { return ControlFlow::Break(std::mem::take(moves)) };
        position.play_unchecked(next);
        moves.push(next);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (_, moves): Self::Movetext) -> Self::Output {
        moves
    }
}
