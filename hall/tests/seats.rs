//! Which board stands on which table.

use hall::{Hall, Input, Settings, table::Table};
use protocol::{
    board::{Link, Observation},
    feed::{Command, Order, TableId},
};

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
