//! Which board stands on which table.

use hall::{Hall, Input};
use protocol::feed::{Command, Order, TableId};

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
