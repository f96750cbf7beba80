//! Which board stands on which table.

use hall::{
    Hall, Input, Settings,
    table::{Say, Table},
};
use protocol::{
    board::{Lie, Link, Observation},
    feed::{Command, Order, Side, TableId},
};
use shakmaty::Square;

use crate::pair::{E4, E5, NC3, NF3, NF6, Pair, START, contents};

#[test]
fn a_table_takes_two_boards_and_no_third() {
    let mut hall = Hall::new();
    let mut assign = |board: &str, number| {
        let table = Some(TableId { event: "open".to_owned(), round: 1, table: number });
        let order = Order { at: table.map(TableId::into), command: Command::Assign { board: board.to_owned() } };
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

#[test]
fn a_spare_board_that_was_left_behind_plays_nothing_and_leaves_the_game_to_the_first() {
    for left_behind in [START, E5] {
        let mut pair = Pair::at_start();
        pair.tell("2", Observation::Link(Link::Up));
        pair.dump("2", START, Lie::Straight);
        for placement in [E4, E5, NF3, NF6] {
            pair.dump("1", placement, Lie::Straight);
            pair.pass(5_000);
        }
        // Its men stand as they stood moves ago: as after 3. Ng1 Ng8, as after a takeback, as for another game.
        pair.tell("1", Observation::Link(Link::Down));
        pair.dump("2", left_behind, Lie::Straight);
        pair.pass(60_000);
        assert_eq!((pair.record(), pair.table.games()), (vec!["e4", "e5", "Nf3", "Nf6"], 1), "{left_behind}");
        pair.tell("1", Observation::Link(Link::Up));
        pair.dump("1", NF6, Lie::Straight);
        pair.dump("1", NC3, Lie::Straight);
        pair.pass(5_000);
        assert_eq!(pair.record(), ["e4", "e5", "Nf3", "Nf6", "Nc3"], "{left_behind}");
    }
}

/// A hall in which board 1 stands at the first table of the open round.
fn hall_with_a_board() -> (Hall, TableId) {
    let mut hall = Hall::new();
    open_round(&mut hall, 1);
    let order = hall.seat("1").expect("it has no table yet");
    let table = order.table().cloned().expect("a table");
    hall.handle(&Input::Ordered(order), 0, &mut Vec::new()).expect("it sits down");
    tell_board(&mut hall, &table, Observation::Link(Link::Up), 0);
    tell_board(&mut hall, &table, Observation::Board(contents(START, Lie::Straight)), 1);
    (hall, table)
}

fn open_round(hall: &mut Hall, round: u16) {
    let (title, site, date) = (String::new(), String::new(), "2026.11.20".to_owned());
    let (event, time_control, rules) = ("open".to_owned(), None, Box::default());
    let command = Command::OpenRound { event, round, title, site, date, time_control, rules };
    hall.handle(&Input::Ordered(Order::to_hall(command)), 0, &mut Vec::new()).expect("it is opened");
}

fn tell_board(hall: &mut Hall, table: &TableId, observation: Observation, now: u64) {
    let input = Input::Observed { table: table.clone(), board: "1".to_owned(), observation };
    hall.handle(&input, now, &mut Vec::new()).expect("boards are heard");
}

#[test]
fn a_game_that_is_on_when_the_next_round_opens_is_played_to_its_end_where_it_was_begun() {
    let (mut hall, table) = hall_with_a_board();
    hall.elapse(3_000, &mut Vec::new());
    tell_board(&mut hall, &table, Observation::Board(contents(E4, Lie::Straight)), 4_000);
    open_round(&mut hall, 2);
    assert_eq!(hall.seat("1"), None, "a move was made");
    let resign = Order::to_table(table.clone(), Command::Resign { side: Side::White });
    hall.handle(&Input::Ordered(resign), 5_000, &mut Vec::new()).expect("it is carried out");
    let confirm = Order::to_table(table.clone(), Command::Confirm);
    let _ = hall.handle(&Input::Ordered(confirm), 5_100, &mut Vec::new());
    let next = hall.seat("1").and_then(|order| order.at).map(|at| at.to_string());
    assert_eq!(next.as_deref(), Some("open/2/1"));
}

#[test]
fn a_board_somebody_has_seated_after_the_round_was_opened_stays_there() {
    let (mut hall, table) = hall_with_a_board();
    open_round(&mut hall, 2);
    let order = hall.seat("1").expect("nobody has played there yet");
    hall.handle(&Input::Ordered(order), 0, &mut Vec::new()).expect("it sits down");
    let back = Order::to_table(table, Command::Assign { board: "1".to_owned() });
    hall.handle(&Input::Ordered(back), 0, &mut Vec::new()).expect("somebody knows better");
    assert_eq!(hall.seat("1"), None);
}
