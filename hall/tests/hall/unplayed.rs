//! Results that come before their game, and names that come after it: both belong to the pairing, whatever stands there.

use hall::{Out, table::Table};
use protocol::feed::{AlertKind, Bye, ByeKind, Command, Entry, Order, Player, Rules, Score, TimeClass, Variant};

use protocol::board::Content;
use shakmaty::{Color, Piece, Role};

use crate::events::{Day, close, open, pairings, player, table};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const NUMBER_345: &str = "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN";

fn paired() -> Day {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    day.order(open(1)).expect("a round");
    day
}

fn begun(day: &Day) -> Vec<u32> {
    let number = |out: &Out| match out {
        Out::Entry(_, _, Entry::Started { game, .. }) => Some(*game),
        Out::Entry(..) | Out::Sight(..) | Out::Round(..) | Out::Said(_) | Out::Ask(_) => None,
    };
    day.out.iter().filter_map(number).collect()
}

fn is_told(day: &Day) -> bool {
    let is_about_it =
        |entry: &Entry| matches!(entry, Entry::Alert(alert) if alert.kind == AlertKind::PlayedAfterResult);
    day.out.iter().any(|out| matches!(out, Out::Entry(_, _, entry) if is_about_it(entry)))
}

fn is_over(day: &Day) -> bool {
    day.hall.table(&table(1)).is_some_and(Table::is_over)
}

#[test]
fn a_result_that_was_given_before_the_board_came_is_found_by_the_men_and_by_the_first_move() {
    for score in [Score::WhiteByForfeit, Score::BothForfeited, Score::Draw] {
        let mut day = paired();
        day.at(1, Command::Result { result: score }).expect("it is paired");
        day.sit("7", 1);
        day.dump_at("7", &table(1), START);
        assert_eq!(begun(&day), Vec::<u32>::new(), "{score}: men that were put up are no game");
        assert!(is_over(&day), "{score}");
        day.report("7", "e2", Content::Empty);
        day.report("7", "e4", Content::Man(Piece { color: Color::White, role: Role::Pawn }));
        day.pass(5_000);
        assert_eq!(begun(&day), [2], "{score}: it is followed as another one");
        day.report("7", "e7", Content::Empty);
        assert!(is_told(&day), "{score}: is it the right table?");
        let sentence = day.order_game(Some(1), Command::Result { result: score }).expect_err("it has it").to_string();
        assert!(sentence.starts_with("nothing has changed"), "{score}: {sentence}");
    }
}

#[test]
fn the_board_may_be_there_already_before_its_men_are_or_before_the_first_move() {
    for is_set_up in [false, true] {
        let mut day = paired();
        day.sit("7", 1);
        if is_set_up {
            day.dump_at("7", &table(1), START);
        }
        day.at(1, Command::Result { result: Score::BlackByForfeit }).expect("it is paired");
        day.play_e4("7", 1);
        assert_eq!(begun(&day).last(), Some(&2), "set up: {is_set_up}");
        day.order_game(Some(1), Command::Result { result: Score::WhiteByForfeit }).expect("another result");
        assert_eq!(day.entries(), ["open/1/1/1 +/- Forfeit"]);
    }
}

#[test]
fn an_array_of_chess960_that_is_announced_later_does_not_take_the_place_of_a_result() {
    let mut day = paired();
    day.at(1, Command::Result { result: Score::WhiteByForfeit }).expect("it is paired");
    let announced = Command::StartPosition { event: Some("open".into()), round: Some(1), number: Some(345) };
    day.order(announced).expect("a round");
    day.sit("7", 1);
    day.dump_at("7", &table(1), NUMBER_345);
    assert!(!begun(&day).contains(&1), "{:?}", begun(&day));
    let again = Command::Result { result: Score::WhiteByForfeit };
    let sentence = day.order_game(Some(1), again).expect_err("it has it").to_string();
    assert!(sentence.starts_with("nothing has changed"), "{sentence}");
}

#[test]
fn a_result_that_is_taken_back_leaves_the_game_to_be_played() {
    let mut day = paired();
    day.at(1, Command::Result { result: Score::WhiteByForfeit }).expect("it is paired");
    day.at(1, Command::Result { result: Score::Open }).expect("it has one");
    day.sit("7", 1);
    day.play_e4("7", 1);
    assert_eq!(begun(&day), Vec::<u32>::new(), "it is the game of the pairing");
    day.report("7", "e7", Content::Empty);
    assert!(!is_told(&day));
    assert_eq!(day.hall.table(&table(1)).map(|table| (table.games(), table.plies())), Some((1, 1)));
}

#[test]
fn a_result_that_is_taken_back_once_somebody_has_moved_is_that_of_the_pairing() {
    let mut day = paired();
    day.at(1, Command::Result { result: Score::BlackByForfeit }).expect("it is paired");
    day.at(1, Command::NewGame { fen: None, variant: Variant::Standard }).expect("they play all the same");
    day.at(1, Command::Insert { ply: None, moves: vec!["e4".to_owned()], cut: false }).expect("a game is on");
    day.at(1, Command::Result { result: Score::Open }).expect("it has one");
    assert_eq!(day.entries(), ["open/1/1/1 * Arbiter"]);
    assert_eq!(
        day.said(),
        "open/1/1/1 was given -/+ before anybody had moved: that is taken back, and open/1/1/2 is the game of the pairing"
    );
    day.at(1, Command::Result { result: Score::Open }).expect("there is none any more");
    let said = day.said();
    assert!(said.starts_with("nothing has changed: the result of open/1/1 is * already"), "{said}");
    assert!(said.contains("open/1/1/1 before it has no result"), "{said}");
    day.at(1, Command::Result { result: Score::Draw }).expect("a game is on");
    assert_eq!(day.entries()[0], "open/1/1 1/2-1/2 Arbiter");
}

#[test]
fn a_result_that_is_not_there_to_be_taken_back_names_the_game_before_with_its_own() {
    let mut day = paired();
    day.at(1, Command::NewGame { fen: None, variant: Variant::Standard }).expect("a game");
    day.at(1, Command::Insert { ply: None, moves: vec!["e4".to_owned()], cut: false }).expect("a game is on");
    day.at(1, Command::Result { result: Score::WhiteWins }).expect("a game is on");
    day.at(1, Command::NewGame { fen: None, variant: Variant::Standard }).expect("another one");
    day.at(1, Command::Insert { ply: None, moves: vec!["d4".to_owned()], cut: false }).expect("a game is on");
    day.at(1, Command::Result { result: Score::Open }).expect("it has none");
    assert!(day.said().contains("open/1/1/1 before it stays 1-0, and takes one by its own address"), "{}", day.said());
}

#[test]
fn a_result_of_a_round_nobody_sees_yet_changes_nothing_about_how_it_is_opened() {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    day.at(1, Command::Result { result: Score::WhiteByForfeit }).expect("it is paired");
    assert_eq!(day.entries()[0], "open/1/1 leaves", "nobody sees it yet");
    let rules = Rules { time_class: TimeClass::Rapid, ..Rules::default() };
    let Command::OpenRound { event, round, title, site, date, time_control, .. } = open(1) else { unreachable!() };
    let opened = Command::OpenRound { event, round, title, site, date, time_control, rules: Box::new(rules) };
    day.order(opened).expect("nobody has moved");
    assert_eq!(day.entries(), ["round 1 open", "open/1/1 comes", "open/1/1 A-B"]);
}

#[test]
fn a_game_without_moves_has_its_address_for_names_too() {
    let mut day = paired();
    let pair =
        |white: &str, black: &str| Command::Pair { white: Box::new(player(white)), black: Box::new(player(black)) };
    day.order_game(Some(1), pair("Ann", "B")).expect("nobody has begun: it is the pairing");
    assert_eq!(day.entries(), ["open/1/1 Ann-B"]);
    day.at(1, Command::Result { result: Score::WhiteByForfeit }).expect("it is paired");
    day.order_game(Some(1), pair("Ann", "Ben")).expect("it has a result");
    assert_eq!(day.entries(), ["open/1/1/1 Ann-Ben"]);
    let sentence = day.order_game(Some(2), pair("Ann", "Ben")).expect_err("there is none").to_string();
    assert!(sentence.contains("there is no game open/1/1/2: 1 have begun"), "{sentence}");
}

#[test]
fn names_and_results_of_a_closed_round_are_mended_and_it_stays_off_the_wall() {
    let mut day = paired();
    day.at(1, Command::Result { result: Score::Draw }).expect("it is paired");
    day.order(close(1)).expect("it is open");
    let pair =
        |white: &str, black: &str| Command::Pair { white: Box::new(player(white)), black: Box::new(player(black)) };
    day.at(1, pair("Ann", "B")).expect("a name that was wrong");
    assert_eq!(day.entries(), ["open/1/1 leaves", "open/1/1 Ann-B"]);
    assert_eq!(day.said(), "round 1 of open stays closed, off the wall");
    day.at(1, pair("Ann", "B")).expect("it is no fault");
    assert!(day.said().starts_with("nothing has changed"), "{}", day.said());
    let sentence = day.at(1, pair("X", "Y")).expect_err("whom?").to_string();
    assert!(sentence.contains("stays Ann – B: \"pair\" with its address open/1/1/1 renames both"), "{sentence}");
    day.order_game(Some(1), pair("X", "Y")).expect("it is named");
    assert_eq!(day.entries(), ["open/1/1/1 X-Y"]);
    day.at(1, Command::Result { result: Score::WhiteWins }).expect("it is over");
    assert_eq!(day.entries()[0], "open/1/1 1-0 Arbiter");
    day.order(open(1)).expect("it was closed");
    assert!(!day.entries().iter().any(|entry| entry.ends_with("Ann-B")), "old names are not told: {:?}", day.entries());
}

#[test]
fn a_result_that_names_an_empty_game_is_that_ones_and_one_that_names_none_belongs_to_the_game_that_was_played() {
    for (named, expected) in [(Some(2), "open/1/1 1/2-1/2 Arbiter"), (None, "open/1/1/1 1/2-1/2 Arbiter")] {
        let mut day = paired();
        day.sit("7", 1);
        day.play_e4("7", 1);
        day.at(1, Command::NewGame { fen: None, variant: Variant::Standard }).expect("a game");
        day.order_game(named, Command::Result { result: Score::Draw }).expect("there is such a game");
        assert_eq!(day.entries()[0], expected);
    }
}

#[test]
fn a_result_that_goes_to_a_game_somebody_began_after_the_one_that_was_played_says_to_which() {
    let mut day = paired();
    day.sit("7", 1);
    day.play_e4("7", 1);
    day.at(1, Command::NewGame { fen: None, variant: Variant::Standard }).expect("a game");
    let shown = Command::Insert { ply: None, moves: vec!["d4".to_owned()], cut: false };
    day.at(1, shown).expect("they show each other something");
    day.at(1, Command::Result { result: Score::WhiteWins }).expect("a game is on");
    assert_eq!(day.entries()[0], "open/1/1 1-0 Arbiter");
    assert_eq!(
        day.said(),
        "open/1/1/2 is meant, the last game there: open/1/1/1 before it has no result, and takes one by its own address"
    );
    day.order_game(Some(1), Command::Result { result: Score::Draw }).expect("it is named");
    assert_eq!((day.entries(), day.said().as_str()), (vec!["open/1/1/1 1/2-1/2 Arbiter".to_owned()], ""));
}

#[test]
fn a_list_that_comes_after_a_result_leaves_the_same_pairings_when_the_journal_of_the_hall_is_read_again() {
    let mut day = paired();
    day.at(1, Command::Result { result: Score::WhiteByForfeit }).expect("it is paired");
    let list = Order::to_hall(pairings(1, &[(1, "C", "B"), (2, "A", "D")]));
    let (settled, said) = day.hall.settled(list).expect("a list");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].starts_with("table 1: its game is over and stays A – B, not C – B"), "{said:?}");
    assert!(said[1].starts_with("A is at tables 1 and 2 by that"), "{said:?}");
    day.give(settled.clone()).expect("a list");
    assert!(day.said().contains("table 2: A in place of C"), "{}", day.said());
    // Of the games of a round nothing stands in that journal.
    let mut again = paired();
    again.give(settled).expect("a list");
    assert_eq!(again.hall.programme(), day.hall.programme());
    // What is not in a list stays too where something was played.
    let (settled, _) = day.hall.settled(Order::to_hall(pairings(1, &[(2, "A", "D")]))).expect("a list");
    again.give(settled).expect("a list");
    assert_eq!(again.hall.programme(), day.hall.programme());
}

fn pair(white: &str, black: &str) -> Command {
    Command::Pair { white: Box::new(player(white)), black: Box::new(player(black)) }
}

#[test]
fn who_is_paired_twice_by_an_order_is_named_and_a_swap_of_two_tables_ends_well() {
    let mut day = paired();
    day.at(1, pair("A", "D")).expect("half of a swap");
    assert_eq!(day.said(), "D is at tables 1 and 2 by that: say with \"pair\" who plays at table 2");
    day.at(2, pair("C", "B")).expect("the other half");
    assert_eq!(day.said(), "");
    let (elder, younger) = (Player { rating: Some(2000), ..player("A") }, Player { rating: Some(1500), ..player("A") });
    day.at(1, Command::Pair { white: Box::new(elder), black: Box::new(player("D")) }).expect("it has a rating");
    day.at(2, Command::Pair { white: Box::new(younger), black: Box::new(player("B")) }).expect("a namesake");
    assert_eq!(day.said(), "", "two people");
}

#[test]
fn who_is_given_somebody_to_play_has_no_bye_any_more_and_has_it_again_when_that_was_wrong() {
    let mut day = Day::default();
    let mut list = pairings(1, &[(1, "A", "B"), (2, "C", "D")]);
    let bye = Bye { player: player("E"), kind: ByeKind::Half };
    if let Command::Pairings { byes, .. } = &mut list {
        byes.push(bye.clone());
    }
    day.order(list.clone()).expect("a list");
    day.order(open(1)).expect("a round");
    let byes = |day: &Day| day.hall.programme().rounds[0].round.byes.clone();
    day.at(1, pair("A", "E")).expect("B does not come");
    assert_eq!((day.said().as_str(), byes(&day)), ("E has no bye any more", Vec::new()));
    assert_eq!(day.round().map(|round| round.byes.len()), Some(0), "it is told");
    day.at(1, pair("A", "B")).expect("B has come");
    assert_eq!((day.said().as_str(), byes(&day)), ("E has the bye again", vec![bye.clone()]));
    day.at(1, pair("A", "E")).expect("B goes home");
    day.order(list).expect("the same list again");
    assert_eq!(byes(&day), [bye], "who has a bye stands in it");
}

#[test]
fn names_of_one_game_are_not_those_of_its_pairing_when_the_journal_of_the_hall_is_read_again() {
    let mut day = paired();
    day.sit("7", 1);
    day.play_e4("7", 1);
    let pair = Command::Pair { white: Box::new(player("X")), black: Box::new(player("Y")) };
    let at = protocol::feed::Address { table: table(1), game: Some(1) };
    let (settled, _) = day.hall.settled(Order { at: Some(at), command: pair }).expect("it has begun");
    day.give(settled.clone()).expect("it is named");
    let mut again = paired();
    again.hall.handle(&hall::Input::Ordered(settled), 0, &mut Vec::new()).expect("it was done");
    assert_eq!(again.hall.programme(), day.hall.programme());
}

#[test]
fn a_game_that_is_begun_by_order_after_a_result_is_another_one() {
    let mut day = paired();
    day.at(1, Command::Result { result: Score::BothForfeited }).expect("it is paired");
    day.at(1, Command::NewGame { fen: None, variant: Variant::Standard }).expect("they play all the same");
    assert_eq!(begun(&day), [2]);
}
