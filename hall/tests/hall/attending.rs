//! An arbiter comes to a table: what screens are told of that, and of the board beside the record.

use protocol::feed::{Command, Entry, State};

use crate::world::World;

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const ILLEGAL_KNIGHT: &str = "0.4 lift g1
                              0.8 place N g3
                              1.8 press
                              4.0 still";

#[test]
fn nobody_is_said_to_be_at_the_table_before_somebody_has_acknowledged_and_both_clocks_stand() {
    let mut world = called();
    assert_eq!((world.state(), world.attended()), (State::AwaitingArbiter, vec![true; 0]));
    world.order(&Command::Acknowledge { until: 4_000 });
    assert_eq!(world.attended(), [true; 0]);
    world.play("1.0 stop");
    assert_eq!(world.attended(), [true]);
}

#[test]
fn clocks_that_stand_without_an_acknowledgement_say_nothing_of_an_arbiter() {
    let mut world = called();
    world.play("1.0 stop");
    assert_eq!(world.attended(), [true; 0]);
}

#[test]
fn the_arbiter_has_left_once_there_is_a_ruling_or_a_clock_runs() {
    let mut world = called();
    world.order(&Command::Acknowledge { until: 4_000 });
    world.play("1.0 stop").play("1.0 go");
    assert_eq!(world.attended(), [true, false]);
    world.play("1.0 stop");
    world.order(&Command::Restore { to: 0 });
    assert_eq!(world.attended(), [true, false, true, false]);
}

#[test]
fn an_acknowledgement_is_kept_with_the_game_and_changes_nothing_else() {
    let mut world = called();
    let before = (world.state(), world.record(), world.alerts());
    let order = Command::Acknowledge { until: 4_000 };
    world.order(&order);
    assert_eq!((world.state(), world.record(), world.alerts()), before);
    assert!(world.entries().any(|entry| *entry == Entry::Noted { order: Box::new(order.clone()) }));
}

#[test]
fn squares_that_differ_are_told_as_they_become_fewer() {
    let mut world = called();
    world.play("1.0 lift g3");
    world.play("1.0 place N g1");
    assert_eq!(world.differing(), ["g1 g3", "g1", ""]);
}

#[test]
fn while_nobody_has_to_look_at_a_board_nothing_is_told_of_what_stands_on_it() {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.play("0.4 lift g1").play("0.4 place N f3").play("1.0 press");
    assert_eq!(world.differing(), [""; 0]);
}

/// A table at which White has completed an illegal move.
fn called() -> World {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.play(ILLEGAL_KNIGHT);
    world
}
