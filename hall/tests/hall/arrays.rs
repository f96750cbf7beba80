//! Rounds that begin from a numbered start position of Chess960.

use std::collections::BTreeSet;

use protocol::feed::{AlertKind, BoardTrouble, Command, Entry, Order, Rules, TableId, Variant};

use crate::{
    events::{Day, open, pairings},
    world::World,
};

const FIRST: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR";
const USUAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const USUAL_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

fn start_position(number: Option<u16>) -> Command {
    Command::StartPosition { event: Some("open".into()), round: Some(1), number }
}

fn table() -> TableId {
    "open/1/1".parse().expect("a table")
}

/// A round from the first position, with a board at its first table.
fn day() -> Day {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    day.order(start_position(Some(0))).expect("a prepared round");
    day.order(open(1)).expect("a round");
    day.sit("x", 1);
    day
}

fn starts(day: &Day) -> Vec<(u32, String, Variant)> {
    let started = |out: &hall::Out| match out {
        hall::Out::Entry(_, _, Entry::Started { game, fen, variant }) => Some((*game, fen.clone(), *variant)),
        hall::Out::Entry(..) | hall::Out::Sight(..) | hall::Out::Round(..) | hall::Out::Said(_) | hall::Out::Ask(_) => {
            None
        }
    };
    day.out.iter().filter_map(started).collect()
}

fn trouble(day: &Day) -> Option<BoardTrouble> {
    let heard = BTreeSet::from(["x".to_owned()]);
    let view = day.hall.boards_of("open", None, &heard).expect("an event");
    view.boards.iter().find_map(|board| board.trouble)
}

#[test]
fn men_are_compared_with_the_position_of_the_round_before_the_start() {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B")])).expect("a list");
    day.order(start_position(Some(0))).expect("a prepared round");
    assert!(day.said().contains("round 1 of open begins from position 0: BBQNNRKR"), "{}", day.said());
    assert_eq!(day.round().and_then(|round| round.chess960), Some(0));
    day.order(open(1)).expect("a round");
    day.sit("x", 1);
    day.dump_at("x", &table(), USUAL);
    assert_eq!(trouble(&day), Some(BoardTrouble::WrongArray));
    day.dump_at("x", &table(), FIRST);
    assert_eq!(trouble(&day), None);
    let (game, fen, variant) = starts(&day).pop().expect("a game");
    assert_eq!((game, variant), (1, Variant::Chess960), "men in another order have begun nothing");
    assert!(fen.starts_with(FIRST), "{fen}");
}

#[test]
fn a_game_from_another_array_is_followed_and_the_arbiter_told() {
    let mut day = day();
    day.dump_at("x", &table(), USUAL);
    let alert = |day: &Day| day.entries().iter().any(|entry| entry.contains("initial_position_wrong"));
    assert!(!alert(&day), "nobody has moved yet");
    day.dump_at("x", &table(), USUAL_E4);
    let mut world = World::at_start();
    world.order(&Command::Rules { rules: Box::new(Rules { chess960: Some(0), ..Rules::default() }) });
    world.play("0.4 lift e2\n0.8 place P e4\n2 press\n3 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4", vec![AlertKind::InitialPositionWrong]));
}

#[test]
fn the_arbiter_starts_what_was_announced() {
    let mut world = World::at_start();
    world.order(&Command::Rules { rules: Box::new(Rules { chess960: Some(0), ..Rules::default() }) });
    world.order(&Command::Start);
    assert_eq!(world.alerts(), [AlertKind::InitialPositionWrong]);
    let started = world.entries().filter(|entry| matches!(entry, Entry::Started { variant: Variant::Chess960, .. }));
    assert_eq!(started.count(), 1);
}

#[test]
fn men_that_nobody_can_name_stand_as_was_announced() {
    let mut world = World::nameless("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    world.order(&Command::Rules { rules: Box::new(Rules { chess960: Some(0), ..Rules::default() }) });
    world.order(&Command::NewGame { fen: None, variant: Variant::Standard });
    world.play("0.4 lift d1\n0.8 place ? e3\n2 press\n3 still");
    assert_eq!(world.record(), "Ne3");
}

#[test]
fn a_table_has_its_own_position_and_what_has_begun_keeps_its_one() {
    let mut day = day();
    let own = Command::StartPosition { event: None, round: None, number: Some(518) };
    day.give(Order::to_table(table(), own)).expect("nobody has moved");
    day.dump_at("x", &table(), USUAL);
    assert_eq!(trouble(&day), None);
    assert_eq!(starts(&day).last().map(|(_, _, variant)| *variant), Some(Variant::Standard));
    day.dump_at("x", &table(), USUAL_E4);
    let refused = day.order(start_position(Some(7))).expect_err("a game has begun");
    assert!(refused.to_string().contains("somebody has moved at open/1/1"), "{refused}");
}

#[test]
fn a_game_that_is_begun_by_order_stands_as_was_announced_however_the_order_calls_it() {
    for variant in [Variant::Standard, Variant::Chess960] {
        let mut day = day();
        day.give(Order::to_table(table(), Command::NewGame { fen: None, variant })).expect("they are paired");
        let started = starts(&day);
        let [(_, fen, Variant::Chess960)] = &started[..] else { panic!("{variant:?}: {started:?}") };
        assert!(fen.starts_with("bbqnnrkr/"), "{variant:?}: {fen}");
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let mut day = day();
    for (order, sentence) in [
        (start_position(Some(960)), "numbered 0 to 959"),
        (start_position(None), "none was drawn"),
        (Command::StartPosition { event: Some("open".into()), round: None, number: Some(1) }, "for which games?"),
        (Command::StartPosition { event: Some("open".into()), round: Some(9), number: Some(1) }, "there is no round 9"),
    ] {
        let refused = day.order(order).expect_err(sentence).to_string();
        assert!(refused.contains(sentence), "{refused}");
    }
    day.out.clear();
    day.order(start_position(Some(0))).expect("no harm");
    assert!(day.said().contains("nothing has changed"), "{}", day.said());
}
