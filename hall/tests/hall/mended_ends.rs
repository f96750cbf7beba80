//! A result that only a rule gave rests on its position: who mends the moves takes it back with them.

use hall::{Hall, Input, MendedEnd, Settings};
use protocol::feed::{Command, GameResult, Score, Side, State, Variant};

use crate::{
    events::{Day, open, pairings},
    world::World,
};

const OPEN: &str = "open/1/1 * Arbiter";

fn begin() -> Command {
    Command::NewGame { fen: None, variant: Variant::Standard }
}

fn insert(moves: &[&str]) -> Command {
    Command::Insert { ply: None, moves: moves.iter().map(|san| (*san).to_owned()).collect(), cut: false }
}

fn replace(ply: usize, played: &str) -> Command {
    Command::Replace { ply, played: played.to_owned(), cut: false }
}

/// The fool's mate, kept by hand.
fn mated() -> Day {
    mated_under(None)
}

fn mated_under(settings: Option<Settings>) -> Day {
    let mut day = Day::default();
    day.order(pairings(1, &[(1, "A", "B"), (2, "C", "D")])).expect("a list");
    day.order(open(1)).expect("a round");
    if let Some(settings) = settings {
        day.take(Input::Settings { event: "open".into(), round: 1, settings: Box::new(settings) });
    }
    day.at(1, begin()).expect("they are paired");
    day.at(1, insert(&["f3", "e5", "g4", "Qh4"])).expect("a game is on");
    assert!(day.entries().contains(&"open/1/1 0-1 Checkmate".to_owned()), "{:?}", day.entries());
    day
}

fn is_over(hall: &Hall) -> Option<bool> {
    hall.table(&crate::events::table(1)).map(hall::table::Table::is_over)
}

#[test]
fn a_mate_that_is_taken_back_takes_its_result_along_and_the_answer_says_so() {
    for mending in [replace(4, "Qf6"), Command::Undo { plies: 1 }, replace(1, "e3")] {
        let mut day = mated();
        day.at(1, mending.clone()).expect("there is such a ply");
        assert!(day.entries().contains(&OPEN.to_owned()), "{mending:?}: {:?}", day.entries());
        assert!(day.said().contains("falls with it: the game has no result now"), "{mending:?}: {}", day.said());
        assert_eq!(is_over(&day.hall), Some(false), "{mending:?}: it goes on");
    }
}

#[test]
fn a_mate_that_is_one_still_keeps_its_result_and_another_end_gives_its_own() {
    let mut day = mated();
    day.at(1, replace(1, "f4")).expect("it is a ply");
    assert_eq!((day.said().as_str(), is_over(&day.hall)), ("", Some(true)), "it is mate all the same");
    day.at(1, Command::Undo { plies: 1 }).expect("it has moves");
    assert_eq!(is_over(&day.hall), Some(false), "it rested on the mended moves");
    day.at(1, insert(&["Qh4"])).expect("a game is on");
    assert_eq!(is_over(&day.hall), Some(true));
    let fen = Some("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1".to_owned());
    day.at(1, Command::NewGame { fen, variant: Variant::Standard }).expect("another one");
    day.at(1, insert(&["Qg7"])).expect("a game is on");
    day.at(1, replace(1, "Kf6")).expect("it is a ply");
    let results = day.entries().into_iter().filter(|entry| entry.contains("open/1/1 ") && entry.ends_with("mate"));
    assert_eq!(results.collect::<Vec<_>>(), ["open/1/1 1/2-1/2 Stalemate"]);
    assert_eq!((day.said().as_str(), is_over(&day.hall)), ("", Some(true)));
}

#[test]
fn what_somebody_gave_stays_whatever_becomes_of_the_moves() {
    let mut day = mated();
    day.at(1, Command::Result { result: Score::BlackWins }).expect("it is theirs from here on");
    day.at(1, Command::Undo { plies: 1 }).expect("it has moves");
    assert_eq!((day.said().as_str(), is_over(&day.hall)), ("", Some(true)));
}

#[test]
fn a_mate_in_an_earlier_game_falls_too() {
    let mut day = mated();
    day.at(1, begin()).expect("another one");
    day.order_game(Some(1), replace(4, "Qf6")).expect("there is such a game");
    assert!(day.entries().contains(&"open/1/1/1 * Arbiter".to_owned()), "{:?}", day.entries());
    assert!(day.said().contains("the result of open/1/1/1 rested on"), "{}", day.said());
    day.order_game(Some(1), Command::Result { result: Score::Draw }).expect("it has none");
    day.order_game(Some(1), Command::Undo { plies: 1 }).expect("it has moves");
    assert_eq!(day.said(), "", "somebody gave it");
}

#[test]
fn a_draw_by_counting_and_a_stalemate_fall_with_their_positions() {
    let mut world = World::from_fen_without_clock("7k/8/8/6Q1/8/8/8/4K3 w - - 0 1");
    world.order(&insert(&["Qg6"]));
    assert_eq!(world.result(), GameResult::Draw);
    world.order(&replace(1, "Qg3"));
    assert_eq!((world.result(), world.state()), (GameResult::Open, State::Playing));
    let mut world = World::without_clock();
    let round = ["Nf3", "Nf6", "Ng1", "Ng8"];
    world.order(&insert(&round.repeat(4)));
    assert_eq!(world.result(), GameResult::Draw);
    world.order(&Command::Undo { plies: 1 });
    assert_eq!((world.result(), world.state()), (GameResult::Open, State::Playing));
}

#[test]
fn on_a_board_a_game_goes_on_from_where_the_mate_was_taken_back() {
    let mut world = World::from_fen("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1");
    world.play("0.5 lift f7\n1.0 place Q g7\n2.0 press\n4.0 still");
    assert_eq!(world.result(), GameResult::win(Side::White));
    world.play("0.5 lift g7\n1.0 place Q f7\n1.5 press\n3.0 still");
    world.order(&Command::Undo { plies: 1 });
    world.play("1.0 lift f7\n1.5 place Q f1\n2.0 press\n5.0 still");
    assert_eq!((world.record().as_str(), world.result()), ("Qf1", GameResult::Open));
}

#[test]
fn a_round_whose_settings_say_nothing_of_it_is_read_again_as_it_was_written() {
    let written = serde_json::to_value(Settings::default()).expect("they are written down");
    let written = written.as_object().expect("one a line").clone().into_iter().filter(|(name, _)| name != "mended_end");
    let old = serde_json::from_value::<Settings>(written.collect()).expect("those of a version before it");
    assert_eq!(old, Settings { mended_end: MendedEnd::Stays, ..Settings::default() });
    let mut day = mated_under(Some(old));
    day.at(1, Command::Undo { plies: 1 }).expect("it has moves");
    assert_eq!((day.said().as_str(), is_over(&day.hall)), ("", Some(true)));
}
