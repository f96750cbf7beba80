//! What one input costs the hall beside quiet tables: `cargo bench -p hall --bench floor`.
//!
//! The bar: a clock reading with 400 quiet tables costs at most 1.5 times what it costs with one. Halls of all sizes are
//! measured in turns within the same run, so that whatever else the machine does meets them alike.

use std::time::Instant;

use hall::{Hall, Input};
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{Command, Order, TableId},
};
use shakmaty::{Chess, Position as _, Square};

const SIZES: [u16; 3] = [1, 50, 400];
const ROUNDS: usize = 400;
/// Readings in a row at one table: enough for a clock that tells tenths of microseconds.
const READINGS: u64 = 50;

#[expect(clippy::disallowed_macros, reason = "the figures are for the person who asked for them")]
fn main() {
    let mut halls = SIZES.map(Floor::of);
    let mut costs = SIZES.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for (floor, costs) in halls.iter_mut().zip(&mut costs) {
            costs.push(floor.read_clock());
        }
    }
    let typical = costs.map(|mut costs| {
        costs.sort_by(f64::total_cmp);
        costs[costs.len() / 2]
    });
    for (size, cost) in SIZES.iter().zip(typical) {
        println!("{size:>4} tables: {:>8.2} µs a reading, {:.2} times one table's", cost * 1e6, cost / typical[0]);
    }
}

/// A hall in which a game is on at every table, and nobody moves.
struct Floor {
    hall: Hall,
    now: u64,
}

impl Floor {
    fn of(tables: u16) -> Floor {
        let mut floor = Floor { hall: Hall::new(), now: 0 };
        for number in 1..=tables {
            let command = Command::Assign { board: number.to_string() };
            floor.handle(&Input::Ordered(Order::to_table(id(number), command)));
            floor.tell(number, Observation::Link(Link::Up));
            floor.tell(number, Observation::Board(Box::new(Contents::of(Chess::default().board(), Lie::Straight))));
            floor.tell(number, clock(3_600));
        }
        floor.now += 10_000;
        // A man in the air for long is something to come back for.
        for number in 1..=tables {
            let square = WireSquare::under(Square::E2, Lie::Straight);
            floor.tell(number, Observation::Square { square, content: Content::Empty });
        }
        floor.now += 60_000;
        floor.handle(&Input::Elapsed { table: id(1) });
        floor
    }

    /// Seconds for one reading of one table's clock.
    #[expect(clippy::cast_precision_loss, reason = "fifty is exact in an f64")]
    #[expect(clippy::disallowed_methods, reason = "a measurement reads the clock")]
    fn read_clock(&mut self) -> f64 {
        let start = Instant::now();
        for _ in 0..READINGS {
            self.now += 1;
            self.tell(1, clock(3_600));
        }
        start.elapsed().as_secs_f64() / READINGS as f64
    }

    fn tell(&mut self, number: u16, observation: Observation) {
        self.handle(&Input::Observed { table: id(number), board: number.to_string(), observation });
    }

    fn handle(&mut self, input: &Input) {
        self.hall.handle(input, self.now, &mut Vec::new()).expect("nothing here is refused");
    }
}

fn id(table: u16) -> TableId {
    TableId { event: "open".to_owned(), round: 1, table }
}

fn clock(seconds: u32) -> Observation {
    let face = FaceReading { seconds, flag: false };
    let (running, high) = (true, Face::Left);
    let reading = ClockReading { left: face, right: face, running, high, to_move: Some(high), battery_low: false };
    Observation::Clock(ClockSense::Reading(reading))
}
