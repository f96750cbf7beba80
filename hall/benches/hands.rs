//! What reading hands costs: `cargo bench -p hall`.
//!
//! Tables are fed what boards and clocks say of random legal games, as fast as they take it. The bars: 150,000 field
//! updates a second on one core; for one update 50 µs at the 99th percentile and 1 ms at worst, 5 ms where a gap is
//! searched or reports are missing and the last plies are weighed; 128 KiB a table; half a core for 500 blitz tables at
//! their own pace.

use std::{fs, time::Instant};

use hall::{
    Settings,
    table::{Say, Table},
};
use protocol::board::{
    ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare,
};
use shakmaty::{Board, Chess, Move, Position, Square};

const TABLES: usize = 500;
const PLIES: usize = 80;
/// Between one contact and the next: a blitz move takes 350 ms in the air and some seconds in the head.
const STEP_MS: u64 = 350;
const THINK_MS: u64 = 2500;
/// A clock speaks about once a second while it runs.
const CLOCK_MS: u64 = 1000;
/// On a worn board one report of so many is lost.
const WORN: u64 = 40;
/// Plies that nobody heard, in the gaps that are searched.
const LOST: usize = 4;

#[expect(clippy::disallowed_macros, reason = "the figures are for the person who asked for them")]
fn main() {
    let games = (0..TABLES).map(|seed| Game::random(seed as u64)).collect::<Vec<_>>();
    let before = resident_bytes();
    let mut tables = games.iter().map(|_| Seat::new()).collect::<Vec<_>>();
    let mut costs = Costs::default();
    let mut fields = Costs::default();
    for (table, game) in tables.iter_mut().zip(&games) {
        for (at, observation) in &game.said {
            let cost = table.hear(observation, *at);
            costs.note(cost);
            if matches!(observation, Observation::Square { .. }) {
                fields.note(cost);
            }
        }
    }
    let each = resident_bytes().saturating_sub(before) / TABLES;
    let exact = tables.iter().zip(&games).filter(|(table, game)| game.is_recorded(table)).count();
    let virtual_seconds =
        games.iter().map(|game| game.said.last().map_or(0, |(at, _)| *at)).max().unwrap_or(0) as f64 / 1000.0;
    println!("{TABLES} games of up to {PLIES} plies, {exact} recorded as played");
    println!("field updates: {:>9.0} a second", fields.rate());
    println!("one update:    {}", fields.spread());
    println!("memory:        {:>9} KiB a table", each / 1024);
    println!("all tables:    {:>9.2} % of a core at their own pace", 100.0 * costs.sum() / virtual_seconds);

    let mut gaps = Costs::default();
    for game in &games {
        game.lose(&mut gaps);
    }
    println!("gap searches:  {}", gaps.spread());

    let mut worn = Costs::default();
    let followed = games.iter().enumerate().filter(|(seed, game)| game.wear(*seed as u64, &mut worn)).count();
    println!("worn boards:   {}, {followed} recorded as played", worn.spread());
}

/// What a board and a clock say in a game.
struct Game {
    moves: Vec<Move>,
    said: Vec<(u64, Observation)>,
}

impl Game {
    fn random(seed: u64) -> Game {
        let mut dice = Dice(seed);
        let mut game = Game { moves: Vec::new(), said: Vec::new() };
        let mut position = Chess::default();
        let (mut at, mut high) = (10_000, Face::Left);
        while game.moves.len() < PLIES && !position.is_game_over() {
            let legal = position.legal_moves();
            let played = legal[dice.index(legal.len())];
            let before = position.board().clone();
            position.play_unchecked(played);
            let think = THINK_MS / 2 + dice.below(THINK_MS);
            for second in 1..=think / CLOCK_MS {
                game.said.push((at + second * CLOCK_MS, clock(high)));
            }
            at += think;
            for (square, content) in contacts(&before, position.board(), played) {
                game.said.push((at, Observation::Square { square: WireSquare::under(square, Lie::Straight), content }));
                at += STEP_MS;
            }
            high = high.other();
            game.said.push((at, clock(high)));
            game.moves.push(played);
        }
        game.said.push((at + 5 * CLOCK_MS, clock(high)));
        game
    }

    fn is_recorded(&self, seat: &Seat) -> bool {
        let mut position = Chess::default();
        let played = self.moves.iter().map(|played| {
            let uci = played.to_uci(shakmaty::CastlingMode::Standard).to_string();
            position.play_unchecked(*played);
            uci
        });
        let record = seat.table.record().map(|record| record.moves).unwrap_or_default();
        played.eq(record)
    }

    /// The same game on a worn board. True if it is recorded all the same.
    fn wear(&self, seed: u64, costs: &mut Costs) -> bool {
        let (mut dice, mut seat) = (Dice(seed), Seat::new());
        for (at, observation) in &self.said {
            let square = matches!(observation, Observation::Square { .. });
            if square && dice.below(WORN) == 0 {
                seat.stand(observation);
            } else {
                costs.note(seat.hear(observation, *at));
            }
        }
        self.is_recorded(&seat)
    }

    /// Every so many plies the cable is out while as many are played as are searched for.
    fn lose(&self, gaps: &mut Costs) {
        let mut position = Chess::default();
        for (index, lost) in self.moves.chunks(LOST).enumerate() {
            let mut seat = Seat::new();
            let at = index as u64 * 100_000 + 100_000;
            let fen = shakmaty::fen::Fen::from_position(&position, shakmaty::EnPassantMode::Legal).to_string();
            let order = protocol::feed::Command::NewGame { fen: Some(fen), variant: Default::default() };
            seat.table.order(&order, at, &mut Vec::new()).expect("a position of a game");
            seat.hear(&board(position.board()), at);
            seat.hear(&Observation::Link(Link::Down), at);
            for played in lost {
                position.play_unchecked(*played);
            }
            seat.hear(&Observation::Link(Link::Up), at + 50_000);
            gaps.note(seat.hear(&board(position.board()), at + 50_000));
        }
    }
}

fn board(board: &Board) -> Observation {
    Observation::Board(Box::new(Contents::of(board, Lie::Straight)))
}

fn clock(high: Face) -> Observation {
    let face = FaceReading { seconds: 300, flag: false };
    let reading =
        ClockReading { left: face, right: face, running: true, high, to_move: Some(high), battery_low: false };
    Observation::Clock(ClockSense::Reading(reading))
}

/// The mover leaves its square, then every other square changes to what it is after the move.
fn contacts(before: &Board, after: &Board, played: Move) -> Vec<(Square, Content)> {
    let content = |board: &Board, square| board.piece_at(square).map_or(Content::Empty, Content::Man);
    let from = played.from().expect("nobody drops men in this game");
    let changed = |square: &Square| *square != from && before.piece_at(*square) != after.piece_at(*square);
    let mut contacts = vec![(from, Content::Empty)];
    contacts.extend(Square::ALL.into_iter().filter(changed).map(|square| (square, content(after, square))));
    // A rook may stand where the king stood.
    if after.piece_at(from).is_some() {
        contacts.push((from, content(after, from)));
    }
    contacts
}

/// A table, and the board that answers it.
struct Seat {
    table: Table,
    stands: Contents,
}

impl Seat {
    /// A game is about to begin.
    fn new() -> Seat {
        let mut seat = Seat { table: Table::new(Settings::default()), stands: Contents::EMPTY };
        seat.hear(&Observation::Link(Link::Up), 0);
        seat.hear(&board(Chess::default().board()), 0);
        seat.hear(&clock(Face::Left), 0);
        seat
    }

    /// The board shows this from here on, whether it says so or not.
    fn stand(&mut self, observation: &Observation) {
        match observation {
            Observation::Square { square, content } => self.stands.set(*square, *content),
            Observation::Board(contents) => self.stands = **contents,
            Observation::Clock(_) | Observation::Link(_) => {}
        }
    }

    /// Seconds it took. A dump that is asked for is answered, and what that takes is in it if it is more.
    #[expect(clippy::disallowed_methods, reason = "measuring is what a benchmark does")]
    fn hear(&mut self, observation: &Observation, at: u64) -> f64 {
        self.stand(observation);
        let mut said = Vec::new();
        let start = Instant::now();
        self.table.elapse(at, &mut said);
        self.table.observe("01025", observation, at, &mut said);
        let cost = start.elapsed().as_secs_f64();
        let asked = said.iter().any(|(_, say)| matches!(say, Say::AskDump(_)));
        if asked { cost.max(self.hear(&Observation::Board(Box::new(self.stands)), at)) } else { cost }
    }
}

/// Seconds, one for each measured thing.
#[derive(Default)]
struct Costs(Vec<f64>);

impl Costs {
    fn note(&mut self, seconds: f64) {
        self.0.push(seconds);
    }

    fn sum(&self) -> f64 {
        self.0.iter().sum()
    }

    #[expect(clippy::cast_precision_loss, reason = "some thousands are exact in an f64")]
    fn rate(&self) -> f64 {
        self.0.len() as f64 / self.sum()
    }

    fn spread(&self) -> String {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let at = |per_mille: usize| sorted[(sorted.len() - 1) * per_mille / 1000] * 1e6;
        format!("p50 {:.1} µs, p99 {:.1} µs, worst {:.1} µs of {}", at(500), at(990), at(1000), sorted.len())
    }
}

/// The same games every time.
struct Dice(u64);

impl Dice {
    /// SplitMix64.
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % count
    }

    fn index(&mut self, count: usize) -> usize {
        usize::try_from(self.below(count as u64)).expect("less than a usize")
    }
}

/// What the process takes of the memory, as the kernel counts it.
fn resident_bytes() -> usize {
    let status = fs::read_to_string("/proc/self/status").expect("a Linux kernel");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a kernel that counts");
    let kib = line.split_whitespace().nth(1).and_then(|kib| kib.parse::<usize>().ok()).expect("a number");
    kib * 1024
}
