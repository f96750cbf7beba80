//! Boards that belong to tables, and games that go on at another table.

use std::collections::BTreeSet;

use hall::{HandedOver, Input, Out};
use protocol::board::{Link, Observation};
use protocol::feed::{
    AlertKind, BoardTrouble, Clocks, Command, Entry, Order, Place, Rules, Score, Side, State, TableId,
};

use crate::events::{Day, E4, START, open, pairings, round_of, table};

fn list(places: &[(u16, &str)]) -> Command {
    let place = |(table, board): &(u16, &str)| Place { table: *table, board: (*board).to_owned() };
    Command::Boards { event: "open".into(), boards: places.iter().map(place).collect() }
}

fn troubles(day: &Day, heard: &[&str]) -> Vec<(String, BoardTrouble)> {
    let heard = heard.iter().map(|board| (*board).to_owned()).collect::<BTreeSet<_>>();
    let view = day.hall.boards_of("open", None, &heard).expect("an event");
    view.boards.into_iter().filter_map(|view| Some((view.board, view.trouble?))).collect()
}

#[test]
fn a_board_sits_down_in_every_round_where_its_event_lists_it() {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D"), (3, "E", "F")])).expect("a list");
    day.order(list(&[(3, "x"), (1, "y")])).expect("a list of boards");
    day.order(open(1)).expect("a round");
    assert_eq!(day.seat("x").as_deref(), Some("open/1/3"));
    day.sit_by_itself("x");
    assert_eq!(day.seat("stranger").as_deref(), Some("open/1/2"), "the first that nobody belongs to");
    day.order(pairings(2, &[(1, "A", "B"), (3, "C", "D")])).expect("a list");
    day.order(open(2)).expect("the next round");
    assert_eq!(day.seat("x").as_deref(), Some("open/2/3"));
    assert_eq!(day.seat("y").as_deref(), Some("open/2/1"));
}

#[test]
fn a_new_board_takes_the_first_paired_table_of_the_open_round_without_a_board() {
    let mut day = Day::default();
    day.give(Order::to_hall(round_of("girls", 1))).expect("another event");
    day.sit_by_itself("g");
    day.order(pairings(1, &[(1, "A", "B"), (4, "C", "D"), (6, "E", "F"), (7, "G", "H")])).expect("a list");
    day.order(open(1)).expect("a round");
    assert_eq!(day.seat("x").as_deref(), Some("open/1/1"), "another event has a board at its own table 1");
    day.sit_by_itself("x");
    assert_eq!(day.seat("y").as_deref(), Some("open/1/4"), "nobody plays at table 2");
    day.at(4, Command::NewGame { fen: None, variant: protocol::feed::Variant::Standard }).expect("it is paired");
    day.at(4, Command::Insert { ply: None, moves: vec!["e4".into()], cut: false }).expect("a move");
    assert_eq!(day.seat("y").as_deref(), Some("open/1/6"), "the game at table 4 is kept by hand");
    day.sit("y", 6);
    day.sit("z", 7);
    assert_eq!(day.seat("w").as_deref(), Some("open/1/2"), "no paired table is free");
}

#[test]
fn a_new_board_leaves_the_tables_of_boards_that_may_still_come_as_long_as_others_are_free() {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    day.order(open(1)).expect("a round");
    day.sit("x", 1);
    day.order(pairings(2, &[(1, "A", "C"), (2, "B", "D")])).expect("a list");
    day.order(open(2)).expect("the next round");
    assert_eq!(day.seat("new").as_deref(), Some("open/2/2"));
    day.sit_by_itself("new");
    assert_eq!(day.seat("spare").as_deref(), Some("open/2/1"), "no other table is left");
    assert_eq!(day.seat("x").as_deref(), Some("open/2/1"), "it keeps its number");
}

#[test]
fn a_list_in_the_middle_of_a_round_moves_boards_of_which_no_game_is_on() {
    let mut day = Day::default();
    day.order(open(1)).expect("a round");
    for (board, number) in [("x", 1), ("y", 2), ("z", 3)] {
        day.sit(board, number);
    }
    day.play_e4("y", 2);
    day.order(list(&[(3, "x"), (1, "y"), (2, "w")])).expect("a list of boards");
    assert_eq!(day.seat("x").as_deref(), Some("open/1/3"));
    assert_eq!(day.seat("y"), None, "its game is on");
    assert_eq!(day.seat("w"), None, "somebody plays at its table");
    day.sit_by_itself("x");
    assert_eq!(day.seat("z").as_deref(), Some("open/1/4"), "its table belongs to another board");
}

#[test]
fn before_a_round_it_is_said_which_boards_are_missing_too_many_or_elsewhere() {
    use BoardTrouble::{Missing, TooMany, WrongTable};
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D"), (3, "E", "F")])).expect("a list");
    day.order(list(&[(1, "x"), (2, "y"), (3, "z"), (9, "spare")])).expect("a list of boards");
    day.order(open(1)).expect("a round");
    let all = [("y".to_owned(), Missing), ("z".to_owned(), Missing), ("stranger".to_owned(), TooMany)];
    assert_eq!(BTreeSet::from_iter(names(troubles(&day, &["x", "stranger"]))), BTreeSet::from_iter(names(all.into())));
    day.sit("z", 2);
    day.order(list(&[(1, "x"), (2, "y"), (3, "z")])).expect("a list of boards");
    assert_eq!(troubles(&day, &["x", "y", "z"]), [("z".to_owned(), WrongTable)]);
    let view = day.hall.boards_of("open", Some(1), &BTreeSet::new()).expect("an event");
    assert!(view.troubles()[0].starts_with("table 1 lacks its board x"), "{:?}", view.troubles());
    assert!(day.hall.boards_of("nowhere", None, &BTreeSet::new()).is_err());
    let sentence =
        day.hall.boards_of("open", Some(99), &BTreeSet::new()).expect_err("nobody has spoken of it").to_string();
    assert!(sentence.starts_with("there is no round 99 of open: known are 1"), "{sentence}");
}

#[test]
fn without_a_list_a_board_where_nobody_plays_is_said_while_a_table_lacks_one() {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D"), (3, "E", "F")])).expect("a list");
    day.order(open(1)).expect("a round");
    day.sit("x", 1);
    day.sit("y", 9);
    let said = |day: &Day, heard: &[&str]| {
        let heard = heard.iter().map(|board| (*board).to_owned()).collect();
        day.hall.boards_of("open", None, &heard).expect("an event").troubles()
    };
    assert_eq!(
        said(&day, &["x", "y"]),
        [
            "board y is at open/1/9, where nobody is to play, and tables 2, 3 have no boards: \"assign\" gives it a table"
        ]
    );
    assert_eq!(said(&day, &["x"]), [""; 0], "whoever can't be heard stands nowhere");
    day.at(2, Command::Result { result: Score::WhiteByForfeit }).expect("a result");
    assert_eq!(
        said(&day, &["x", "y"]),
        ["board y is at open/1/9, where nobody is to play, and table 3 has no board: \"assign\" gives it a table"]
    );
    day.sit("z", 3);
    assert_eq!(said(&day, &["x", "y", "z"]), [""; 0], "nobody lacks it");
    day.sit("y", 2);
    assert_eq!(said(&day, &["x", "y", "z"]), [""; 0]);
}

fn names(troubles: Vec<(String, BoardTrouble)>) -> Vec<String> {
    troubles.into_iter().map(|(board, trouble)| format!("{board} {trouble:?}")).collect()
}

#[test]
fn a_board_that_takes_the_place_of_a_broken_one_belongs_there_from_then_on() {
    let mut day = Day::default();
    day.order(list(&[(1, "x"), (2, "y")])).expect("a list of boards");
    day.order(open(1)).expect("a round");
    day.sit("new", 2);
    assert_eq!(troubles(&day, &["x", "new"]), []);
    day.order(open(2)).expect("the next round");
    assert_eq!(day.seat("new").as_deref(), Some("open/2/2"));
}

#[test]
fn a_list_of_boards_that_makes_no_sense_changes_nothing() {
    let mut day = Day::default();
    for bad in [&[(1, "x"), (2, "x")][..], &[(0, "x")], &[(1, " ")], &[(1, "x"), (1, "y"), (1, "z")]] {
        day.order(list(bad)).expect_err("it makes no sense");
    }
    assert!(day.hall.boards_of("open", None, &BTreeSet::new()).is_err());
}

#[test]
fn a_game_that_was_begun_too_early_goes_on_in_the_round_with_all_that_is_known_of_it() {
    let mut day = Day::default();
    day.give(Order::to_hall(round_of("2026-11-22", 1))).expect("a day");
    day.sit_by_itself("7");
    let early: TableId = "2026-11-22/1/1".parse().expect("a table");
    day.play_e4_at("7", &early);
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    day.order(open(1)).expect("a round");
    assert_eq!(day.hall.running_strays("open", 1), std::slice::from_ref(&early));

    let all = Order::to_hall(Command::TakeOver { event: "open".into(), round: 1, number: None });
    let [(from, to)] = &day.hall.games_to_take_over(&all)[..] else { panic!("one game") };
    assert_eq!((from, to.to_string().as_str()), (&early, "open/1/1"));
    let to = to.clone();
    let game = handed(&day, &early);
    day.give(all).expect("a game runs");
    day.give(Order::to_table(early.clone(), Command::TakeOver { event: "open".into(), round: 1, number: None }))
        .expect("its game is on");
    assert!(day.entries().contains(&format!("{early} {:?}", State::Ended)), "{:?}", day.entries());
    day.give(Order::to_table(to.clone(), Command::Assign { board: "7".into() })).expect("a free table");
    day.take(Input::TakenOver { table: to.clone(), game: Box::new(game.clone()) });
    let finals = |out: &Out| matches!(out, Out::Entry(id, _, Entry::Final { san, .. }) if *id == to && san == "e4");
    assert_eq!(day.out.iter().filter(|out| finals(out)).count(), 1);
    assert_eq!(handed(&day, &to), HandedOver { record: handed(&day, &to).record, ..game });

    day.observe("7", &to, Observation::Link(Link::Up));
    day.dump_at("7", &to, E4);
    day.dump_at("7", &to, "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR");
    assert_eq!(day.hall.table(&to).map(hall::table::Table::plies), Some(2), "it goes on there");
    assert_eq!(day.hall.strays("open"), [("2026-11-22".to_owned(), 1)], "nothing is played there any more");
}

#[test]
fn an_adjourned_game_takes_its_envelope_and_what_was_counted_along() {
    let mut day = Day::default();
    day.give(Order::to_hall(round_of("2026-11-22", 1))).expect("a day");
    day.sit_by_itself("7");
    let early: TableId = "2026-11-22/1/1".parse().expect("a table");
    day.play_e4_at("7", &early);
    day.give(Order::to_table(early.clone(), Command::IllegalMoves { white: 1, black: 0 })).expect("numbers");
    let clocks_ms = Some(Clocks { white: 1_800_000, black: 600_000 });
    day.give(Order::to_table(early.clone(), Command::Adjourn { clocks_ms })).expect("a game is on");
    day.order(open(1)).expect("a round");
    let to: TableId = "open/1/5".parse().expect("a table");
    let game = handed(&day, &early);
    assert_eq!((game.offences, game.adjourned, game.adjourned_ms), ([1, 0], true, clocks_ms));
    let into = Command::TakeOver { event: "open".into(), round: 1, number: Some(5) };
    day.give(Order::to_table(early, into)).expect("its game is on");
    day.give(Order::to_table(to.clone(), Command::Assign { board: "7".into() })).expect("a free table");
    day.take(Input::TakenOver { table: to.clone(), game: Box::new(game) });
    assert!(
        day.entries().contains(&format!("open/1/5 Noted {{ order: {:?} }}", Command::Adjourn { clocks_ms })),
        "{:?}",
        day.entries()
    );
    day.observe("7", &to, Observation::Link(Link::Up));
    day.dump_at("7", &to, E4);
    day.give(Order::to_table(to.clone(), Command::OpenSealed { text: "e5".into() })).expect("the men stand right");
    assert_eq!(day.hall.table(&to).map(hall::table::Table::plies), Some(2), "{:?}", day.entries());
}

fn handed(day: &Day, id: &TableId) -> HandedOver {
    day.hall.table(id).and_then(hall::table::Table::handed_over).expect("a game is on")
}

#[test]
fn nothing_is_taken_over_that_is_not_played_or_into_a_table_that_has_a_game() {
    let mut day = Day::default();
    let take = |day: &mut Day, order: Order| day.give(order).expect_err("it can't be").to_string();
    let into = |number| Command::TakeOver { event: "open".into(), round: 1, number };
    assert!(take(&mut day, Order::to_hall(into(None))).contains("is not open"));
    day.order(open(1)).expect("a round");
    assert!(take(&mut day, Order::to_hall(into(None))).contains("no game runs"));
    day.give(Order::to_hall(round_of("2026-11-22", 1))).expect("a day");
    let early: TableId = "2026-11-22/1/1".parse().expect("a table");
    day.give(Order::to_table(early.clone(), Command::Assign { board: "7".into() })).expect("a table");
    day.observe("7", &early, Observation::Link(Link::Up));
    assert!(take(&mut day, Order::to_table(early.clone(), into(None))).contains("no game is on"));
    day.play_e4_at("7", &early);
    day.sit("8", 1);
    day.play_e4("8", 1);
    assert!(take(&mut day, Order::to_hall(into(None))).contains("open/1/1 has a game of its own"));
    // A table of that number could be written into no journal that is read again.
    assert!(take(&mut day, Order::to_table(early.clone(), into(Some(0)))).contains("tables count from 1"));
    let elsewhere = Order::to_table(early, into(Some(5)));
    assert_eq!(day.hall.games_to_take_over(&elsewhere)[0].1.to_string(), "open/1/5");
    day.give(elsewhere).expect("table 5 is free");
}

#[test]
fn a_round_that_closes_names_the_results_nobody_has_confirmed() {
    let mut day = Day::with_a_game();
    day.at(1, Command::Resign { side: Side::White }).expect("a game is on");
    day.order(Command::CloseRound { event: "open".into(), round: 1 }).expect("it is open");
    assert!(day.said().contains("a result waits for the arbiter"), "{}", day.said());
    assert!(day.said().contains("open/1/1 (0-1)"), "{}", day.said());
}

/// Whoever hears a flag fall may give the result as well as confirm it.
#[test]
fn a_result_that_was_offered_and_given_waits_for_nobody() {
    let mut day = Day::with_a_game();
    day.at(1, Command::Resign { side: Side::White }).expect("a game is on");
    day.at(1, Command::Result { result: Score::BlackWins }).expect("the arbiter's word");
    day.order(Command::CloseRound { event: "open".into(), round: 1 }).expect("it is open");
    assert!(!day.said().contains("waits for the arbiter"), "{}", day.said());
}

#[test]
fn a_round_in_which_something_waits_for_a_decision_stays_on_the_wall_until_it_is_decided() {
    let resigned = Command::Resign { side: Side::White };
    let draw = || Command::Result { result: Score::Draw };
    for (left_by, decided_by) in [
        (resigned.clone(), Command::Confirm),
        (resigned.clone(), Command::Reject),
        (resigned, draw()),
        (Command::Stop, draw()),
        (Command::Adjourn { clocks_ms: None }, draw()),
    ] {
        let mut day = put_up_after(left_by.clone());
        assert_eq!(day.hall.played_out("open", 2), NO_ROUND, "{left_by:?}");
        assert_eq!(day.hall.undecided_before("open", 2), [table(1)], "{left_by:?}");
        day.order_game(Some(1), decided_by.clone()).expect("it waits for that");
        assert_eq!(day.hall.played_out("open", 2), [1], "{left_by:?} {decided_by:?}");
        assert_eq!(day.hall.undecided_before("open", 2), [], "{left_by:?} {decided_by:?}");
    }
}

#[test]
fn what_waits_for_a_decision_is_not_forgotten_over_games_that_are_played_since() {
    let mut day = put_up_after(Command::Stop);
    day.play_e4("7", 1);
    day.at(1, Command::Result { result: Score::WhiteWins }).expect("a game is on");
    day.dump_at("7", &table(1), START);
    assert_eq!(day.hall.played_out("open", 2), NO_ROUND);
    day.order_game(Some(1), Command::Result { result: Score::Draw }).expect("it was stopped");
    assert_eq!(day.hall.played_out("open", 2), [1]);
}

#[test]
fn a_game_that_was_only_broken_off_keeps_no_round_on_the_wall() {
    let mut day = put_up_after(Command::DrawOffer { side: Side::White });
    assert_eq!(day.hall.played_out("open", 2), [1]);
    day.order(Command::CloseRound { event: "open".into(), round: 1 }).expect("it is open");
    assert!(!day.said().contains("decision"), "{}", day.said());
}

#[test]
fn a_round_that_closes_names_the_tables_that_wait_for_a_decision() {
    let mut day = put_up_after(Command::Stop);
    day.order(Command::CloseRound { event: "open".into(), round: 1 }).expect("it is open");
    assert!(day.said().contains("the arbiter has something to decide at open/1/1"), "{}", day.said());
}

const NO_ROUND: [u16; 0] = [];

/// A game in which somebody said this, and after which the men were put up again.
fn put_up_after(said: Command) -> Day {
    let mut day = Day::with_a_game();
    day.at(1, said).expect("a game is on");
    day.dump_at("7", &table(1), START);
    day
}

#[test]
fn a_game_without_a_board_is_kept_by_hand_and_ends_like_any_other() {
    let mut day = Day::default();
    let begin = || Command::NewGame { fen: None, variant: protocol::feed::Variant::Standard };
    let moves = |moves: &[&str]| Command::Insert {
        ply: None,
        moves: moves.iter().map(|san| (*san).to_owned()).collect(),
        cut: false,
    };
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    let early = day.at(1, begin()).expect_err("nobody has sat down").to_string();
    assert!(early.contains("there is no table open/1/1"), "{early}");
    day.order(open(1)).expect("a round");
    let unbegun = day.at(1, moves(&["f3"])).expect_err("it has not begun").to_string();
    assert!(unbegun.contains("\"new_game\" begins a game there"), "{unbegun}");
    assert!(day.at(2, begin()).is_err(), "nobody plays there");
    day.at(1, begin()).expect("they have sat down");
    day.at(1, moves(&["f3"])).expect("a move");
    day.at(1, Command::Adjourn { clocks_ms: None }).expect("a game is on");
    day.at(1, Command::OpenSealed { text: "e5".into() }).expect("no board has to be set up");
    day.at(1, moves(&["g4", "Qh4#"])).expect("moves");
    let table = day.hall.table(&"open/1/1".parse().expect("a table")).expect("it is there");
    assert_eq!((table.plies(), table.is_over()), (4, true), "mate ends it: {:?}", day.entries());
}

#[test]
fn rules_that_are_given_before_the_board_comes_hold_when_it_does() {
    for is_open in [true, false] {
        let mut day = Day::default();
        day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
        if is_open {
            day.order(open(1)).expect("a round");
        }
        let numbered =
            |number| Command::Rules { rules: Box::new(Rules { chess960: Some(number), ..Rules::default() }) };
        let unknown = Command::Rules { rules: Box::new(Rules { edition: 1900, ..Rules::default() }) };
        day.at(1, unknown).expect_err("there are no such Laws");
        assert!(day.hall.table(&table(1)).is_none(), "what is refused brings no table");
        day.at(1, numbered(345)).expect("it is paired");
        assert_eq!(
            day.entries().first().is_some_and(|entry| entry == "open/1/1 leaves"),
            !is_open,
            "{:?}",
            day.entries()
        );
        let nowhere = day.at(3, numbered(345)).expect_err("nobody plays there").to_string();
        assert!(nowhere.contains("there is no table open/1/3"), "{nowhere}");
        let rules = Box::new(Rules { chess960: Some(518), ..Rules::default() });
        let (title, site, date) = (String::new(), String::new(), String::new());
        let event = "open".to_owned();
        let opened = Command::OpenRound { event, round: 1, title, site, date, time_control: None, rules };
        day.order(opened).expect("nothing has begun");
        for (board, number) in [("7", 1), ("8", 2)] {
            day.sit(board, number);
            day.dump_at(board, &table(number), "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN");
        }
        let stands_wrong = |number| day.hall.table(&table(number)).map(hall::table::Table::stands_wrong);
        assert_eq!((stands_wrong(1), stands_wrong(2)), (Some(false), Some(true)), "open before: {is_open}");
    }
}

#[test]
fn a_board_that_is_given_another_table_is_missed_at_the_old_one_no_more() {
    let silent_ms = 600_000;
    for is_pulled_first in [false, true] {
        let mut day = Day::default();
        day.order(open(1)).expect("a round");
        day.sit("7", 1);
        day.play_e4("7", 1);
        day.out.clear();
        if is_pulled_first {
            day.observe("7", &table(1), Observation::Link(Link::Down));
            day.pass(silent_ms);
            assert_eq!(alerts(&day), [AlertKind::LinkLost, AlertKind::BoardSilent]);
        }
        day.at(2, Command::Assign { board: "7".into() }).expect("a free table");
        day.take(Input::Left { table: table(1), board: "7".into() });
        let withdrawn = if is_pulled_first { vec![AlertKind::AlertWithdrawn; 2] } else { Vec::new() };
        assert_eq!(alerts(&day), withdrawn);
        day.pass(silent_ms);
        assert_eq!(alerts(&day), withdrawn, "nobody looks for it");
    }
}

/// Round 1 is over on board 7, and round 2 is open: the board has gone to its table there, with the men as they stand.
fn next_round() -> (Day, TableId) {
    let mut day = Day::with_a_game();
    day.at(1, Command::Result { result: Score::WhiteWins }).expect("a game");
    day.order(open(2)).expect("the next round");
    let contents = day.hall.table(&table(1)).and_then(|table| table.left_on("7")).map(Box::new);
    let at: TableId = "open/2/1".parse().expect("a table");
    day.give(day.hall.seat("7").expect("a seat")).expect("the hall has offered it");
    day.take(Input::Left { table: table(1), board: "7".into() });
    let contents = contents.expect("the men of its game");
    day.take(Input::LeftOver { table: at.clone(), board: "7".into(), contents });
    day.observe("7", &at, Observation::Link(Link::Up));
    (day, at)
}

#[test]
fn men_that_a_game_of_the_last_round_has_left_standing_are_no_game_of_the_next() {
    const E4_D5: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR";
    let (mut day, at) = next_round();
    let games = |day: &Day| day.hall.table(&at).map(hall::table::Table::games);
    day.dump_at("7", &at, E4);
    assert_eq!(games(&day), Some(0), "they stand as they stood");
    day.dump_at("7", &at, E4_D5);
    assert_eq!(games(&day), Some(0), "somebody looks at that game again");
    day.play_e4_at("7", &at);
    assert_eq!(games(&day), Some(1), "the men were put up");
    let record = day.hall.table(&at).and_then(hall::table::Table::record).expect("a game");
    assert!(record.fen.starts_with(START), "{record:?}");
}

#[test]
fn a_board_that_was_out_of_hearing_since_its_last_game_may_come_back_in_the_middle_of_the_next() {
    const LATER: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    let (mut day, at) = next_round();
    day.dump_at("7", &at, LATER);
    assert_eq!(day.hall.table(&at).map(hall::table::Table::games), Some(1));
}

fn alerts(day: &Day) -> Vec<AlertKind> {
    let kind = |out: &Out| match out {
        Out::Entry(_, _, Entry::Alert(alert)) => Some(alert.kind),
        Out::Entry(..) | Out::Sight(..) | Out::Round(..) | Out::Said(_) | Out::Ask(_) => None,
    };
    day.out.iter().filter_map(kind).collect()
}

#[test]
fn a_board_stays_where_somebody_has_put_it_until_its_own_event_goes_on() {
    let mut day = Day::default();
    for round in [3, 4] {
        day.order(pairings(round, &[(5, "A", "B")])).expect("a list");
    }
    day.order(open(3)).expect("a round");
    day.sit("7", 5);
    day.order(open(4)).expect("the next round");
    assert_eq!(day.seat("7").as_deref(), Some("open/4/5"));
    day.sit_by_itself("7");
    let back: TableId = "open/3/5".parse().expect("a table");
    day.give(Order::to_table(back, Command::Assign { board: "7".into() })).expect("a table");
    day.give(Order::to_hall(round_of("girls", 1))).expect("a second event");
    assert_eq!(day.seat("7"), None, "another event goes on");
    day.order(open(4)).expect("it is open");
    assert_eq!(day.seat("7"), None, "nothing has changed");
    day.order(open(5)).expect("the next round");
    assert_eq!(day.seat("7").as_deref(), Some("open/5/5"));
}

/// Somebody has typed the result of a game that is on, and its board has gone on to the next round.
fn gone_on() -> Day {
    let mut day = Day::default();
    for round in [1, 2] {
        day.order(pairings(round, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    }
    day.order(open(1)).expect("a round");
    day.sit("7", 1);
    day.play_e4("7", 1);
    day.order(open(2)).expect("a round");
    assert_eq!(day.seat("7"), None, "a game is on");
    day.at(1, Command::Result { result: Score::WhiteWins }).expect("a game is on");
    assert_eq!(day.seat("7"), Some("open/2/1".to_owned()));
    day.sit_by_itself("7");
    day.take(Input::Left { table: table(1), board: "7".to_owned() });
    day
}

#[test]
fn the_board_of_a_result_that_is_taken_back_comes_back_and_goes_on_when_the_game_is_over() {
    let mut day = gone_on();
    assert_eq!(day.hall.bring_back(&table(1)), None, "it is over");
    day.at(1, Command::Result { result: Score::Open }).expect("it has one");
    let assign = day.hall.bring_back(&table(1)).expect("it is wanted").expect("nobody has moved in round 2");
    day.give(assign).expect("the hall has offered it");
    assert_eq!(day.hall.table_of("7"), Some(&table(1)));
    day.observe("7", &table(1), Observation::Link(Link::Up));
    day.dump_at("7", &table(1), E4);
    assert_eq!((day.seat("7"), day.hall.bring_back(&table(1))), (None, None), "a game is on");
    day.at(1, Command::Result { result: Score::Draw }).expect("a game is on");
    assert_eq!(day.seat("7"), Some("open/2/1".to_owned()));
    day.sit_by_itself("7");
    day.take(Input::Left { table: table(1), board: "7".to_owned() });
    day.sit("7", 1);
    assert_eq!(day.seat("7"), None, "somebody wants it there");
}

#[test]
fn a_board_with_which_the_next_game_was_begun_stays_there_and_it_is_said_where() {
    let mut day = gone_on();
    let next = TableId { round: 2, ..table(1) };
    day.play_e4_at("7", &next);
    day.at(1, Command::Result { result: Score::Open }).expect("it has one");
    let sentence = day.hall.bring_back(&table(1)).expect("it is wanted").expect_err("somebody has moved");
    assert_eq!(
        sentence,
        "the game at open/1/1 has no board now: board 7 has its place at open/2/1, and \"assign\" brings it back"
    );
}
