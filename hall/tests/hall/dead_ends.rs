//! Games that end because nobody can mate any more.

use protocol::feed::{AlertKind, GameResult, State};

use crate::world::World;

/// A wall from edge to edge: both kings walk about behind their pawns for ever.
const WALL: &str = "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/8/4K3 w - - 0 1";

/// The same with a pawn missing: the king comes through.
const BREACH: &str = "4k3/8/p1p1p1p1/PpPpPpPp/1P1P1P2/8/8/4K3 w - - 0 1";

const KING_STEPS: &str = "0.0 lift e1\n0.4 place K d2\n3.0 still";

#[test]
fn a_wall_nobody_comes_through_ends_the_game_without_a_press() {
    let mut world = World::from_fen(WALL);
    world.play(KING_STEPS);
    assert_eq!((world.record().as_str(), world.result(), world.state()), ("Kd2", GameResult::Draw, State::Ended));
    assert_eq!(world.alerts(), [AlertKind::DeadPosition]);
}

#[test]
fn a_wall_with_a_breach_does_not() {
    let mut world = World::from_fen(BREACH);
    world.play(KING_STEPS);
    assert_eq!((world.record().as_str(), world.result(), world.state()), ("", GameResult::Open, State::Playing));
    world.play("0.1 press\n0.5 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("Kd2", vec![]));
}

#[test]
fn the_only_reply_being_the_capture_of_the_last_queen_ends_it_too() {
    let mut world = World::from_fen("k7/2Q5/8/8/8/8/8/6K1 w - - 0 1");
    world.play("0.0 lift c7\n0.4 place Q b7\n3.0 still");
    assert_eq!((world.record().as_str(), world.result()), ("Qb7+", GameResult::Draw));
}
