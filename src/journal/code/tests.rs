//! The bytes of layout 2. Red here means that journals already written can't be read again: take the change back.

use hall::{Input, Scope};
use proptest::prelude::*;
use protocol::{
    board::{ClockReading, ClockSense, Content, Contents, Face, FaceReading, Link, Observation, WireSquare},
    feed::{Entry, Side, TableEvent, TableId},
};

use super::{Decoder, Encoder, Step, read_entries, write_entry};
use crate::journal::{Row, Said};

fn scope() -> Scope {
    Scope::Round { event: "open".to_owned(), round: 1 }
}

fn observed(table: u16, board: u16, t: u64, observation: Observation) -> Row {
    let table = TableId { event: "open".to_owned(), round: 1, table };
    Row { t, said: Input::Observed { table, board: board.to_string(), observation }.into() }
}

fn clock(left: u32, right: u32, running: bool, high: Face) -> Observation {
    let face = |seconds| FaceReading { seconds, flag: seconds == 0 };
    let to_move = running.then_some(high);
    let reading = ClockReading { left: face(left), right: face(right), running, high, to_move, battery_low: false };
    Observation::Clock(ClockSense::Reading(reading))
}

fn written(rows: &[Row]) -> Vec<u8> {
    let (mut encoder, mut out) = (Encoder::default(), Vec::new());
    rows.iter().for_each(|row| encoder.write(&mut out, &scope(), row));
    out
}

fn read(bytes: &[u8]) -> Vec<Row> {
    let (mut decoder, mut left, mut rows) = (Decoder::new(scope()), bytes, Vec::new());
    while decoder.step(&mut left) == Ok(Step::Input) {
        let (t, said) = decoder.current().expect("one was read");
        rows.push(Row { t, said: said.clone() });
    }
    rows
}

#[test]
fn the_bytes_of_a_round_are_what_they_were() {
    let rows = [
        observed(7, 30_001, 1_000, Observation::Link(Link::Up)),
        observed(7, 30_001, 1_010, clock(5_400, 5_400, true, Face::Left)),
        observed(7, 30_001, 2_012, clock(5_399, 5_400, true, Face::Left)),
        observed(
            7,
            30_001,
            2_013,
            Observation::Square { square: WireSquare::new(52).expect("a square"), content: Content::Empty },
        ),
        Row {
            t: 3_000,
            said: Input::Elapsed { table: TableId { event: "open".to_owned(), round: 1, table: 7 } }.into(),
        },
    ];
    let expected = [
        &[1, 7, 5][..],
        b"30001",
        &[6, 0xE8, 7, 0],
        &[4, 10, 0b0010_0100, 0x98, 0x2A, 0x98, 0x2A],
        &[3, 0xA9, 0x1F],
        &[2, 1, 52, b'.'],
        &[1, 7, 0, 0b0000_1101, 0xDB, 7],
    ]
    .concat();
    assert_eq!(written(&rows), expected);
    assert_eq!(read(&expected), rows);
}

#[test]
fn a_clock_that_counts_takes_three_bytes_at_most() {
    let ticks = (0..100).map(|n| {
        let t = 5_000 + 1_000 * u64::from(n) + u64::from(n % 7);
        observed(1, 1, t, clock(3_600 - n, 3_600, true, Face::Left))
    });
    let rows = ticks.collect::<Vec<_>>();
    assert!(written(&rows).len() < 100 * 3 + 20, "{}", written(&rows).len());
}

#[test]
fn what_is_no_input_alone_is_kept_word_for_word() {
    let ordered = r#"{"input":"ordered","command":"undo","plies":1,"by":{"role":"arbiter","name":"Anna"}}"#;
    let texts = [ordered, r#"{"input":"revoked","pass":3}"#, "what a later build says"];
    let rows = (1..).zip(texts).map(|(t, text)| Row { t, said: Said::Text(text.to_owned()) }).collect::<Vec<_>>();
    assert_eq!(read(&written(&rows)), rows);
}

fn any_observation() -> impl Strategy<Value = Observation> {
    let content = prop::sample::select(".PNBRQKpnbrqk?".chars().collect::<Vec<_>>());
    let content = content.prop_map(|letter| Content::try_from(letter).expect("a man"));
    let face = prop_oneof![Just(Face::Left), Just(Face::Right)];
    prop_oneof![
        (0..64_u8, content.clone()).prop_map(|(square, content)| Observation::Square {
            square: WireSquare::new(square).expect("a square"),
            content,
        }),
        (0..9_u32, 0..9_u32, any::<bool>(), face)
            .prop_map(|(left, right, running, high)| { clock(left, right, running, high) }),
        Just(Observation::Clock(ClockSense::Absent)),
        prop_oneof![Just(Link::Up), Just(Link::Down)].prop_map(Observation::Link),
        prop::collection::vec(content, 64)
            .prop_map(|men| { Observation::Board(Box::new(Contents(men.try_into().expect("sixty-four")))) }),
    ]
}

fn any_row() -> impl Strategy<Value = Row> {
    let observed = (1..50_u16, 0..3_u16, 0..9_000_u64, any_observation())
        .prop_map(|(table, board, t, observation)| observed(table, board, t, observation));
    let elsewhere = TableId { event: "other".to_owned(), round: 9, table: 1 };
    let pressed = Input::Pressed { table: elsewhere, side: Side::White };
    prop_oneof![9 => observed, 1 => (0..9_000_u64).prop_map(move |t| Row { t, said: pressed.clone().into() })]
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(rows in prop::collection::vec(any_row(), 0..80)) {
        prop_assert_eq!(read(&written(&rows)), rows);
    }

    #[test]
    fn no_bytes_at_all_make_the_reader_stumble(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read_entries(&bytes, &scope(), |_| {});
    }
}

#[test]
fn a_final_move_and_its_instants_are_read_again() {
    let table = Some(TableId { event: "open".to_owned(), round: 1, table: 300 });
    let told = |entry: Entry| TableEvent { table: table.clone(), t: 12_345, event: entry.into() };
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2".to_owned();
    let all = [
        told(Entry::Final {
            ply: 2,
            san: "e5".to_owned(),
            uci: "e7e5".to_owned(),
            fen,
            clock_ms: Some(5_399_000),
            inferred: true,
            illegal: false,
        }),
        told(Entry::Instants { ply: 2, touched: Some(11_000), placed: None, pressed: Some(12_344), settled: 12_345 }),
        TableEvent { table: None, t: 1, event: Entry::State { state: protocol::feed::State::Ended }.into() },
    ];
    let mut out = Vec::new();
    all.iter().for_each(|told| write_entry(&mut out, &scope(), told));
    let mut read = Vec::new();
    assert_eq!(read_entries(&out, &scope(), |told| read.push(told)), Ok(0));
    assert_eq!(read, all);
}
