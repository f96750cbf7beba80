//! How fast a start folds what was written down: a hundred tables in the mix of a recorded day, one input in ten a square
//! and the others readings of clocks, beside a bare walk over the same bytes.
//!
//! `cargo bench --bench fold`. The bar: 300,000 inputs a second and core.

use std::time::{Duration, Instant};

use escaque::{
    journal::{Batch, Chapter, Past, Row},
    run::fold,
};
use hall::{Hall, Input, Out, Scope};
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{Command, Order, TableEvent, TableId},
};
use shakmaty::{Chess, Position, uci::UciMove};

const TABLES: u16 = 100;
const INPUTS: u64 = 1_000_000;
const RUNS: usize = 5;

/// Inputs of one leaf.
const TOGETHER: usize = 64;

/// Seconds between two moves: with them one input in ten is a square.
const THOUGHT: u32 = 20;

/// A game to and fro, for as long as it is wanted.
const LINE: [&str; 12] =
    ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "d2d3", "d7d6", "c1e3", "c8e6", "b1d2", "g8f6"];

fn main() {
    let past = day();
    let inputs = past.chapters.values().map(|chapter| chapter.end().inputs).sum::<u64>();
    let entries = past.chapters.values().map(|chapter| chapter.end().entries).sum::<u64>();
    let (walked, folded) = (best(|| walk(&past)), best(|| drop(fold(&past))));
    let rate = |time: Duration| inputs as f64 / time.as_secs_f64();
    println!("{inputs} inputs and {entries} entries of {TABLES} tables");
    println!("  walked over: {:.0} inputs/s", rate(walked));
    println!("  folded: {:.0} inputs/s (bar 300,000 a core)", rate(folded));
}

fn best(mut act: impl FnMut()) -> Duration {
    let time = |_| {
        let began = Instant::now();
        act();
        began.elapsed()
    };
    (0..RUNS).map(time).min().unwrap_or_default()
}

/// What reading costs by itself.
fn walk(past: &Past) {
    for chapter in past.chapters.values() {
        let mut inputs = chapter.inputs();
        while let Some(input) = inputs.next_input() {
            std::hint::black_box(input);
        }
    }
}

/// A round as a hall wrote it down.
fn day() -> Past {
    let (mut hall, mut past) = (Hall::new(), Past::default());
    let mut writing = Writing { past: &mut past, rows: Vec::new(), entries: Vec::new() };
    let open = Command::OpenRound {
        event: "open".to_owned(),
        round: 1,
        title: String::new(),
        site: String::new(),
        date: "2026.11.20".to_owned(),
        time_control: None,
        rules: Box::default(),
    };
    let mut company = (1..=TABLES).map(Seat::new).collect::<Vec<_>>();
    writing.order(&mut hall, Order::to_hall(open));
    for seat in &company {
        let command = Command::Assign { board: seat.board() };
        writing.order(&mut hall, Order::to_table(seat.table(), command));
    }
    let settings = hall.start("open", 1).expect("nothing was written down yet");
    writing.take(&mut hall, settings, 0);
    for seat in &company {
        writing.take(&mut hall, seat.says(Observation::Link(Link::Up)), 1);
        let men = Contents::of(seat.game.board(), Lie::Straight);
        writing.take(&mut hall, seat.says(Observation::Board(Box::new(men))), 2);
    }
    let mut count = 0;
    for second in 1.. {
        for seat in &mut company {
            for (late, observation) in seat.second(second) {
                let t = u64::from(second) * 1_000 + u64::from(seat.number) * 9 + late;
                writing.take(&mut hall, seat.says(observation), t);
                count += 1;
            }
        }
        if count >= INPUTS {
            break;
        }
    }
    writing.close();
    past
}

/// Somebody's journal.
struct Writing<'a> {
    past: &'a mut Past,
    rows: Vec<Row>,
    entries: Vec<TableEvent>,
}

impl Writing<'_> {
    fn order(&mut self, hall: &mut Hall, order: Order) {
        let input = Input::Ordered(order);
        hall.handle(&input, 0, &mut Vec::new()).expect("a good order");
        let batch = Batch { scope: Scope::Hall, inputs: vec![Row { t: 0, said: input.into() }], entries: Vec::new() };
        add(self.past, &batch);
    }

    fn take(&mut self, hall: &mut Hall, input: Input, t: u64) {
        let mut out = Vec::new();
        hall.handle(&input, t, &mut out).expect("only orders are refused");
        self.rows.push(Row { t, said: input.into() });
        for out in out {
            if let Out::Entry(table, t, entry) = out {
                self.entries.push(TableEvent { table: Some(table), t, event: entry.into() });
            }
        }
        if self.rows.len() >= TOGETHER {
            self.close();
        }
    }

    fn close(&mut self) {
        let scope = Scope::Round { event: "open".to_owned(), round: 1 };
        let (inputs, entries) = (std::mem::take(&mut self.rows), std::mem::take(&mut self.entries));
        add(self.past, &Batch { scope, inputs, entries });
    }
}

fn add(past: &mut Past, batch: &Batch) {
    let chapter = past.chapters.entry(batch.scope.clone());
    chapter.or_insert_with(|| Chapter::begin(batch.scope.clone(), "bench")).add(&[batch], "bench", 0);
}

/// A board with a clock, and two who play for ever.
struct Seat {
    number: u16,
    game: Chess,
    played: usize,
    left: [u32; 2],
}

impl Seat {
    fn new(number: u16) -> Seat {
        Seat { number, game: Chess::default(), played: 0, left: [90_000; 2] }
    }

    fn table(&self) -> TableId {
        TableId { event: "open".to_owned(), round: 1, table: self.number }
    }

    fn board(&self) -> String {
        (30_000 + u32::from(self.number)).to_string()
    }

    fn says(&self, observation: Observation) -> Input {
        Input::Observed { table: self.table(), board: self.board(), observation }
    }

    /// What is heard within a second, each a little later than the one before.
    fn second(&mut self, second: u32) -> Vec<(u64, Observation)> {
        let mut heard = Vec::new();
        if (second + u32::from(self.number)).is_multiple_of(THOUGHT) {
            self.make(&mut heard);
        }
        let at = usize::from(self.played % 2 == 1);
        self.left[at] = self.left[at].saturating_sub(1);
        heard.push((8, self.clock()));
        heard
    }

    fn make(&mut self, heard: &mut Vec<(u64, Observation)>) {
        let text = self.next_move();
        let played = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(&self.game).ok()).expect("a known line");
        let before = Contents::of(self.game.board(), Lie::Straight);
        self.game.play_unchecked(played);
        let after = Contents::of(self.game.board(), Lie::Straight);
        let changed = WireSquare::all().filter(|square| before.get(*square) != after.get(*square));
        let emptied = |square: &WireSquare| after.get(*square) == Content::Empty;
        let (from, to): (Vec<WireSquare>, Vec<WireSquare>) = changed.partition(emptied);
        let mut late = 0;
        for square in from.into_iter().chain(to) {
            heard.push((late, Observation::Square { square, content: after.get(square) }));
            late += 3;
        }
        self.played += 1;
    }

    /// The line, and then knights to and fro.
    fn next_move(&self) -> &'static str {
        const KNIGHTS: [&str; 4] = ["f3g1", "f6g8", "g1f3", "g8f6"];
        LINE.get(self.played).copied().unwrap_or_else(|| KNIGHTS[(self.played - LINE.len()) % 4])
    }

    fn clock(&self) -> Observation {
        let face = |seconds| FaceReading { seconds, flag: false };
        let high = if self.played.is_multiple_of(2) { Face::Left } else { Face::Right };
        Observation::Clock(ClockSense::Reading(ClockReading {
            left: face(self.left[0]),
            right: face(self.left[1]),
            running: true,
            high,
            to_move: Some(high),
            battery_low: false,
        }))
    }
}
