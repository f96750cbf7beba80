//! Boards that are first heard when a game is on already.

use protocol::{
    board::{Face, Lie},
    feed::{AlertKind, Command, Entry, Side, State},
};
use shakmaty::Board;

use crate::world::World;

const OPEN_GAME: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";

fn heard(placement: &str, lie: Lie, clock: Option<Face>) -> World {
    World::with(&Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement"), lie, clock)
}

#[test]
fn what_a_board_shows_first_is_where_the_game_begins() {
    let mut world = heard(OPEN_GAME, Lie::Straight, Some(Face::Left));
    assert_eq!((world.state(), world.table.games()), (State::Playing, 1));
    world.play("0.5 lift g1\n0.9 place N f3\n1.2 press\n2.0 lift b8\n2.4 place n c6\n2.8 press\n3 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("Nf3 Nc6", vec![]));
}

#[test]
fn whoever_moves_first_had_the_move() {
    // The clock says it is White's turn, and a man moved before it was pressed.
    for clock in [None, Some(Face::Left), Some(Face::Right)] {
        let mut world = heard("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", Lie::Straight, clock);
        world.play("0.5 lift e7\n0.9 place p e5");
        assert_eq!(world.seen(), "e5");
        world.play("5 lift g1\n5.4 place N f3\n8 still");
        assert!(world.seen().starts_with("e5"), "{}", world.seen());
        assert_eq!(world.alerts(), []);
    }
}

#[test]
fn of_two_hands_at_once_the_one_that_landed_first_had_the_move() {
    let mut world = heard(OPEN_GAME, Lie::Straight, Some(Face::Left));
    world.play("0.5 lift b8\n0.6 lift g1\n0.9 place n c6\n1.1 place N f3");
    assert_eq!(world.seen(), "Nc6 Nf3");
}

#[test]
fn a_player_who_only_presses_had_moved_before() {
    let mut world = heard(OPEN_GAME, Lie::Straight, Some(Face::Left));
    world.play("0.5 press\n3 lift b8\n3.4 place n c6\n3.8 press\n5 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("Nc6", vec![]));
}

#[test]
fn pawns_tell_how_the_board_lies() {
    let mut world = heard(OPEN_GAME, Lie::Turned, Some(Face::Right));
    world.play("0.5 lift g1\n0.9 place N f3\n1.2 press\n2 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("Nf3", "Nf3"));
}

#[test]
fn the_first_pawn_that_moves_shows_that_the_board_lies_turned_after_all() {
    // One pawn each, both far from home.
    let mut world = heard("4k3/8/1P6/8/8/6p1/8/4K3", Lie::Straight, Some(Face::Left));
    world.play("0.5 lift b6\n0.9 place P b7\n1.2 press\n2 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("b7", vec![]));
}

#[test]
fn a_pawn_may_be_taken_in_passing_though_nobody_saw_it_pass() {
    let mut world = heard("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR", Lie::Straight, Some(Face::Left));
    world.play("0.5 lift e5\n0.9 place P f6\n1.2 lift f5\n1.6 press\n2 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("exf6", vec![]));
}

#[test]
fn the_operator_says_whose_turn_it_is_and_how_the_board_lies() {
    let mut world = heard("4k3/8/8/8/8/8/8/R3K3", Lie::Straight, None);
    world.order(&Command::SetTurn { side: Side::Black });
    world.play("0.5 lift e8\n0.9 place k d7\n4 still");
    assert_eq!(world.record(), "Kd7");
    world.order(&Command::TurnBoard);
    assert_eq!(world.alerts(), []);
}

#[test]
fn men_that_are_put_up_are_no_game_and_no_offence() {
    // Somebody left an ending on the board; the men are put up for a game, with all the time in the world.
    let mut world = heard("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR", Lie::Straight, None);
    for (man, file) in "rnbqkbnr".chars().zip('a'..='h') {
        world.play(&format!("4 place p {file}7"));
        if file != 'e' {
            world.play(&format!("4 place {man} {file}8"));
        }
    }
    world.play("5 still");
    assert_eq!((world.alerts(), world.record().as_str(), world.table.games()), (vec![], "", 1));
    world.play("0.5 lift e2\n0.9 place P e4\n5 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4", vec![]));
}

#[test]
fn an_illegal_move_is_one_from_the_first() {
    let mut world = heard(OPEN_GAME, Lie::Straight, Some(Face::Left));
    world.play("0.5 lift g1\n0.9 place N g3\n1.6 press\n3 still");
    assert_eq!((world.alerts(), world.record().as_str()), (vec![AlertKind::IllegalMoveCompleted], ""));
}

#[test]
fn kings_that_show_a_result_begin_no_game() {
    let mut world = heard("8/8/8/3k4/4K3/8/8/8", Lie::Straight, Some(Face::Left));
    world.play("5 still");
    assert_eq!((world.table.games(), world.state()), (0, State::Waiting));
}

#[test]
fn a_start_array_of_men_without_names_shows_how_it_lies_in_the_first_move() {
    let mut world = World::nameless("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    // White's pawn, on the side where Black is taken to sit.
    world.play("0.5 lift d7\n0.9 place ? d5\n3 lift d2\n3.4 place ? d4\n5 still");
    assert_eq!((world.seen().as_str(), world.alerts()), ("e4 e5", vec![]));
}

#[test]
fn the_clock_says_whose_turn_it_is_before_anybody_moves() {
    let turn = |world: &World| {
        let begun = world.entries().filter_map(|entry| {
            let Entry::Started { fen, .. } = entry else { return None };
            fen.split(' ').nth(1).map(str::to_owned)
        });
        begun.last().expect("a game")
    };
    let mut world = heard(OPEN_GAME, Lie::Straight, Some(Face::Left));
    assert_eq!(turn(&world), "w");
    // It stood when the board was heard, and is started for the other player.
    world.play("1 stop\n2 unheard press\n3 go");
    assert_eq!((turn(&world).as_str(), world.table.games(), world.alerts()), ("b", 1, vec![]));
    assert_eq!(turn(&heard(OPEN_GAME, Lie::Straight, Some(Face::Right))), "b");
}
