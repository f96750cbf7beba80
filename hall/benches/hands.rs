//! What reading hands costs: `cargo bench -p hall`.
//!
//! Tables are fed what boards and clocks say of random legal games, as fast as they take it. The bars: 100,000 field
//! updates a second on one core; for one update 50 µs at the 99th percentile and 1 ms at worst, 50 ms where a gap is
//! searched; 1 MiB a table; half a core for 500 blitz tables at their own pace.

use std::{fs, time::Instant};

use hall::{Settings, table::Table};
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
/// Plies that nobody heard, in the gaps that are searched.
const LOST: usize = 4;

#[expect(clippy::disallowed_macros, reason = "the figures are for the person who asked for them")]
fn main() {
    let games = (0..TABLES).map(|seed| Game::random(seed as u64)).collect::<Vec<_>>();
    let before = resident_bytes();
    let mut tables = games.iter().map(|game| game.seat()).collect::<Vec<_>>();
    let mut costs = Costs::default();
    let mut fields = Costs::default();
    for (table, game) in tables.iter_mut().zip(&games) {
        for (at, observation) in &game.said {
            let cost = feed(table, observation, *at);
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
        game
    }

    /// A table at which the game is about to begin.
    fn seat(&self) -> Table {
        let mut table = Table::new(Settings::default());
        feed(&mut table, &Observation::Link(Link::Up), 0);
        feed(&mut table, &Observation::Board(Box::new(Contents::of(Chess::default().board(), Lie::Straight))), 0);
        feed(&mut table, &clock(Face::Left), 0);
        table
    }

    fn is_recorded(&self, table: &Table) -> bool {
        let mut position = Chess::default();
        let played = self.moves.iter().map(|played| {
            let uci = played.to_uci(shakmaty::CastlingMode::Standard).to_string();
            position.play_unchecked(*played);
            uci
        });
        let last = self.moves.len().saturating_sub(1);
        let record = table.record().map(|record| record.moves).unwrap_or_default();
        // The last press of a drawn-out game is 150 ms short of being judged.
        played.take(last).eq(record.into_iter().take(last))
    }

    /// Every so many plies the cable is out while as many are played as are searched for.
    fn lose(&self, gaps: &mut Costs) {
        let mut position = Chess::default();
        for (index, lost) in self.moves.chunks(LOST).enumerate() {
            let mut table = self.seat();
            let at = index as u64 * 100_000 + 100_000;
            let fen = shakmaty::fen::Fen::from_position(&position, shakmaty::EnPassantMode::Legal).to_string();
            let order = protocol::feed::Command::NewGame { fen: Some(fen), variant: Default::default() };
            table.order(&order, at, &mut Vec::new()).expect("a position of a game");
            feed(&mut table, &board(position.board()), at);
            feed(&mut table, &Observation::Link(Link::Down), at);
            for played in lost {
                position.play_unchecked(*played);
            }
            feed(&mut table, &Observation::Link(Link::Up), at + 50_000);
            gaps.note(feed(&mut table, &board(position.board()), at + 50_000));
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

/// Seconds it took.
#[expect(clippy::disallowed_methods, reason = "measuring is what a benchmark does")]
fn feed(table: &mut Table, observation: &Observation, at: u64) -> f64 {
    let mut said = Vec::new();
    let start = Instant::now();
    table.elapse(at, &mut said);
    table.observe("01025", observation, at, &mut said);
    start.elapsed().as_secs_f64()
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
