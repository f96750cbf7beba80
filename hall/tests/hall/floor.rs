//! The floor: many tables in one hall, and nobody is asked who has nothing to do.

use std::collections::BTreeMap;

use hall::{
    Ask, Hall, Input, Out,
    table::{Said, Say, Table},
};
use proptest::prelude::*;
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Lie, Link, Observation, WireSquare},
    feed::{Command, Order, TableId},
};
use shakmaty::{Board, Square};

const TABLES: u16 = 4;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// As if there were no other table: whoever else is heard, no time passes at this one.
    #[test]
    fn a_hall_says_what_each_of_its_tables_says_alone(
        told in prop::collection::vec((1..=TABLES, 0_u64..3_000, 0_u8..6, 0_usize..64), 1..120)
    ) {
        let mut hall = Hall::new();
        let mut alone = BTreeMap::new();
        for number in 1..=TABLES {
            let command = Command::Assign { board: number.to_string() };
            let order = Order::to_table(id(number), command);
            hall.handle(&Input::Ordered(order), 0, &mut Vec::new()).expect("it sits down");
            alone.insert(number, Table::new(hall::Settings::default()));
        }
        let mut now = 0;
        let begin = (1..=TABLES).flat_map(|number| [(number, 0, 0, 0), (number, 0, 1, 0)]);
        for (number, passed, kind, square) in begin.chain(told) {
            now += passed;
            let observation = observation(kind, square);
            let input =
                Input::Observed { table: id(number), board: number.to_string(), observation: observation.clone() };
            let mut out = Vec::new();
            hall.handle(&input, now, &mut out).expect("boards are heard");
            let table = alone.get_mut(&number).expect("a table");
            let mut expected = all(number, |said| table.elapse(now, said));
            expected.extend(all(number, |said| table.observe(&number.to_string(), &observation, now, said)));
            prop_assert_eq!(out, expected);
            prop_assert_eq!(hall.deadline(), alone.values().filter_map(Table::deadline).min());
        }
    }
}

fn all(number: u16, act: impl FnOnce(&mut Vec<Said>)) -> Vec<Out> {
    let mut said = Vec::new();
    act(&mut said);
    let out = |(at, say)| match say {
        Say::Sight(sight) => Out::Sight(id(number), at, sight),
        Say::Entry(entry) => Out::Entry(id(number), at, entry),
        Say::AskDump(board) => Out::Ask(Ask::Dump { board }),
        Say::AskProof(doubts) => Out::Ask(Ask::Proof { table: id(number), doubts }),
    };
    said.into_iter().map(out).collect()
}

fn observation(kind: u8, square: usize) -> Observation {
    let high = if square.is_multiple_of(2) { Face::Left } else { Face::Right };
    let square = Square::ALL[square];
    let named = |content| Observation::Square { square: WireSquare::under(square, Lie::Straight), content };
    let start = Board::new();
    match kind {
        0 => Observation::Link(Link::Up),
        1 => Observation::Board(Box::new(Contents::of(&start, Lie::Straight))),
        2 | 3 => named(Content::Empty),
        4 => named(start.piece_at(square).map_or(Content::Empty, Content::Man)),
        _ => {
            let face = FaceReading { seconds: 3_600, flag: false };
            let running = true;
            let reading =
                ClockReading { left: face, right: face, running, high, to_move: Some(high), battery_low: false };
            Observation::Clock(ClockSense::Reading(reading))
        }
    }
}

fn id(table: u16) -> TableId {
    TableId { event: "open".to_owned(), round: 1, table }
}
