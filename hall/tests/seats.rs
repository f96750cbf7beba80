//! Which board stands on which table.

use hall::{
    Hall, Input, Settings,
    table::{Said, Say, Table},
};
use protocol::{
    board::{Content, Contents, Lie, Link, Observation, WireSquare},
    feed::{Command, Entry, Order, TableId},
};
use shakmaty::{Board, Square};

#[test]
fn a_table_takes_two_boards_and_no_third() {
    let mut hall = Hall::new();
    let mut assign = |board: &str, number| {
        let table = Some(TableId { event: "open".to_owned(), round: 1, table: number });
        let order = Order { table, command: Command::Assign { board: board.to_owned() } };
        hall.handle(&Input::Ordered(order), 0, &mut Vec::new())
    };
    assert_eq!((assign("1", 1), assign("2", 1)), (Ok(()), Ok(())));
    assert_eq!(assign("2", 1), Ok(()), "it stands there already");
    let refusal = assign("3", 1).expect_err("there are two").to_string();
    assert_eq!(refusal, "open/1/1 has its two boards, 1 and 2: give one of them another table first");
    assert_eq!((assign("1", 2), assign("3", 1)), (Ok(()), Ok(())));
}

#[test]
fn a_table_is_heard_as_long_as_one_of_its_boards_is() {
    let mut table = Table::new(Settings::default());
    let mut said = Vec::new();
    for (board, link, heard) in [
        ("1", Link::Up, true),
        ("2", Link::Up, true),
        ("2", Link::Down, true),
        ("2", Link::Down, true),
        ("1", Link::Down, false),
    ] {
        table.observe(board, &Observation::Link(link), 0, &mut said);
        assert_eq!(table.is_linked(), heard, "board {board} {link:?}");
    }
}

/// The men on their squares, after 1. e4, and after 1... e5 too.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
const E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";

#[test]
fn of_two_boards_at_a_table_only_one_is_followed() {
    let mut pair = Pair::at_start();
    // The second board stands there with its men in disorder, and somebody goes on tidying up.
    pair.tell("2", Observation::Link(Link::Up));
    pair.dump("2", E5, Lie::Straight);
    pair.lift("2", Square::G1);
    assert_eq!(pair.said.len(), pair.heard, "nobody is told of it: {:?}", pair.said);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.record(), ["e4"]);
    pair.tell("2", Observation::Link(Link::Down));
    pair.lift("1", Square::E7);
    assert_eq!(pair.record(), ["e4"]);
    assert!(pair.said.iter().all(|(_, say)| !matches!(say, Say::AskDump(_))), "the board that left was not needed");
}

#[test]
fn the_second_board_takes_over_after_a_dump_when_the_first_falls_silent() {
    for lie in [Lie::Straight, Lie::Turned] {
        let mut pair = Pair::at_start();
        pair.tell("2", Observation::Link(Link::Up));
        pair.dump("2", E4, lie);
        pair.dump("1", E4, Lie::Straight);
        pair.pass(5_000);
        assert_eq!(pair.record(), ["e4"]);

        pair.tell("1", Observation::Link(Link::Down));
        assert!(pair.said.iter().any(|(_, say)| *say == Say::AskDump("2".to_owned())), "it is asked how it stands");
        assert!(pair.table.is_linked());
        pair.pass(60_000);
        assert_eq!(pair.record(), ["e4"], "nothing is concluded before it has said so");
        pair.dump("2", E4, lie);
        // The first board comes back and is not needed.
        pair.tell("1", Observation::Link(Link::Up));
        pair.dump("1", START, Lie::Straight);
        pair.pass(1_000);
        pair.dump("2", E5, lie);
        pair.pass(5_000);
        assert_eq!(pair.record(), ["e4", "e5"], "{lie:?}");
    }
}

/// A table with two boards and no clock, the first of them with the men on their squares.
struct Pair {
    table: Table,
    said: Vec<Said>,
    /// How much was said before the second board.
    heard: usize,
    now: u64,
}

impl Pair {
    fn at_start() -> Pair {
        let mut pair = Pair { table: Table::new(Settings::default()), said: Vec::new(), heard: 0, now: 0 };
        pair.tell("1", Observation::Link(Link::Up));
        pair.dump("1", START, Lie::Straight);
        pair.pass(5_000);
        pair.heard = pair.said.len();
        pair
    }

    fn tell(&mut self, board: &str, observation: Observation) {
        self.table.observe(board, &observation, self.now, &mut self.said);
    }

    fn dump(&mut self, board: &str, placement: &str, lie: Lie) {
        let men = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
        self.tell(board, Observation::Board(Box::new(Contents::of(&men, lie))));
    }

    fn lift(&mut self, board: &str, square: Square) {
        let square = WireSquare::under(square, Lie::Straight);
        self.tell(board, Observation::Square { square, content: Content::Empty });
    }

    fn pass(&mut self, ms: u64) {
        self.now += ms;
        self.table.elapse(self.now, &mut self.said);
    }

    fn record(&self) -> Vec<&str> {
        let finals = self.said.iter().filter_map(|(_, say)| match say {
            Say::Entry(Entry::Final { san, .. }) => Some(san.as_str()),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        });
        finals.collect()
    }
}
