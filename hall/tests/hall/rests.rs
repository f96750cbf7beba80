//! How long something has rested: what a flicker does not end, and a silence does.

use hall::table::Say;
use protocol::feed::{AlertKind, Correction, Entry, GameResult, State};

use crate::world::World;

/// When this was said first, in milliseconds from the beginning.
fn said_at(world: &World, is_meant: impl Fn(&Entry) -> bool) -> Option<u64> {
    let meant = world.said.iter().find(|(_, say)| matches!(say, Say::Entry(entry) if is_meant(entry)));
    meant.map(|(at, _)| at - 10_000)
}

fn alerted_at(world: &World, kind: AlertKind) -> Option<u64> {
    said_at(world, |entry| matches!(entry, Entry::Alert(alert) if alert.kind == kind))
}

fn final_at(world: &World) -> Option<u64> {
    said_at(world, |entry| matches!(entry, Entry::Final { .. }))
}

#[test]
fn a_flicker_does_not_begin_a_rest_anew() {
    for flicker in ["1.0 lift h7\n1.04 place p h7", "1.0 lift f3\n1.04 place N f3"] {
        let mut world = World::without_clock();
        world.play(&format!("0.0 lift g1\n0.4 place N f3\n{flicker}\n5.0 still"));
        assert_eq!(final_at(&world), Some(1900), "{flicker}");
    }
}

#[test]
fn what_is_due_while_a_square_flickers_is_never_said_in_the_past() {
    let mut world = World::without_clock();
    world.play("0.0 lift g1\n0.4 place N f3\n1.88 lift f3\n1.92 place N f3\n5.0 still");
    assert_eq!(final_at(&world), Some(1920));
}

#[test]
fn an_absence_longer_than_a_flicker_begins_a_rest_anew() {
    let mut world = World::without_clock();
    world.play("0.0 lift g1\n0.4 place N f3\n1.0 lift h7\n1.1 place p h7\n5.0 still");
    assert_eq!(final_at(&world), Some(2600));
}

#[test]
fn a_move_out_of_turn_kings_and_a_mate_rest_through_a_flicker() {
    let mut world = World::at_start();
    world.play("0.0 lift e7\n0.4 place p e5\n2.0 lift h2\n2.04 place P h2\n6.0 still");
    assert_eq!(alerted_at(&world, AlertKind::MoveOutOfTurn), Some(3400));

    let mut world = World::from_fen("8/p7/2k5/8/8/4K3/P7/8 w - - 0 60");
    world.play("0.0 lift e3\n0.4 place K e4\n1.0 lift c6\n1.5 place k d5\n2.0 lift d5\n2.04 place k d5\n4.0 still");
    assert_eq!(alerted_at(&world, AlertKind::ResultSignalled), Some(2500));

    let mut world = World::from_fen("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1");
    world.play("0.0 lift e5\n0.4 place N f7\n1.0 lift f7\n1.04 place N f7\n4.0 still");
    assert_eq!((final_at(&world), world.result()), (Some(1400), GameResult::WhiteWins));
}

#[test]
fn a_release_is_one_rest_through_a_flicker() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    world.play("0.0 lift a1\n0.2 place R a2\n0.7 lift a2\n0.74 place R a2\n1.31 lift a2\n1.5 place R a5\n2.2 press");
    world.play("1.0 still");
    assert!(world.alerts().contains(&AlertKind::ReleasedPieceMoved));
}

#[test]
fn men_that_flicker_together_were_not_knocked_over() {
    let mut world = World::at_start();
    world.play("0.0 lift a2\n0.02 lift b2\n0.04 lift c2\n0.07 place P a2\n0.095 place P b2\n0.1 place P c2\n3.0 still");
    assert_eq!(world.alerts(), []);
    world.play("0.0 lift a2\n0.02 lift b2\n0.04 lift c2\n0.5 place P a2\n0.6 place P b2\n0.7 place P c2\n3.0 still");
    assert_eq!(world.alerts(), [AlertKind::DisplacedPieces, AlertKind::PositionRestored]);
}

#[test]
fn no_rest_goes_on_while_nothing_is_heard() {
    let mut world = World::without_clock();
    world.play("0.0 lift g1\n0.4 place N f3\n0.9 down\n10.0 up\n15.0 still");
    assert_eq!(final_at(&world), Some(11_500), "it settles");

    let mut world = World::from_fen("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1");
    world.play("0.0 lift e5\n0.4 place N f7\n0.7 down\n10.0 up\n15.0 still");
    assert_eq!(final_at(&world), Some(11_000), "it is mate");

    let mut world = World::from_fen("8/p7/2k5/8/8/4K3/P7/8 w - - 0 60");
    world.play("0.0 lift e3\n0.4 place K e4\n1.0 lift c6\n1.5 place k d5\n1.8 down\n10.0 up\n15.0 still");
    assert_eq!(alerted_at(&world, AlertKind::ResultSignalled), Some(11_000), "kings meet");

    let mut world = World::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    world.play("0.0 lift a1\n0.2 place R a2\n0.7 down\n5.0 up\n5.4 lift a2\n5.7 place R a5\n7.0 press\n9.0 still");
    assert_eq!(world.record(), "Ra5");
    assert!(!world.alerts().contains(&AlertKind::ReleasedPieceMoved));
}

#[test]
fn a_takeback_rests_from_the_dump_on() {
    let mut world = World::from_fen_without_clock("rnbqkbnr/1ppppppp/p7/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 0 2");
    world.play("0.0 lift g1\n0.5 place N f3\n4.0 lift f3\n4.4 place N g1\n4.8 down\n10.0 up\n15.0 still");
    assert_eq!((world.record().as_str(), alerted_at(&world, AlertKind::Takeback)), ("", Some(11_500)));
    assert!(!world.alerts().contains(&AlertKind::Ambiguous));
}

#[test]
fn a_board_that_stands_as_before_a_silence_was_not_played_on() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.3 down\n5.0 up\n6.0 place P e4\n7.0 press\n9.0 still");
    assert_eq!(world.record(), "e4");
    assert!(!world.alerts().contains(&AlertKind::Resync), "it was all heard");

    let mut world = World::at_start();
    world.play("0.0 lift e7\n0.4 place p e5\n1.0 down\n10.0 up\n16.0 still");
    assert_eq!(alerted_at(&world, AlertKind::MoveOutOfTurn), Some(13_000));
    assert!(!world.alerts().contains(&AlertKind::Ambiguous));
}

#[test]
fn a_gap_that_is_open_stays_open_over_a_second_silence() {
    let mut world = World::at_start();
    // Black's pawn is in the hand when the board is heard again, and still is after the second silence.
    world.play("0.0 down\n1.0 unheard lift e2\n1.4 unheard place P e4\n1.5 unheard lift e7\n2.0 up");
    world.play("1.0 down\n2.0 up\n2.5 place p e5\n4.0 still");
    assert!(world.alerts().contains(&AlertKind::Resync));
    assert_eq!(world.seen(), "e4 e5");
}

#[test]
fn a_clock_that_is_not_heard_yet_after_a_silence_is_no_clock_that_was_taken_away() {
    let mut world = World::at_start();
    world.play("0.0 down\n1.0 unheard lift e2\n1.4 unheard place P e4\n2.0 unheard lift e7\n2.4 unheard place p e5");
    world.observe(protocol::board::Observation::Link(protocol::board::Link::Up));
    world.play("0.1 dump\n5.0 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("", "e4 e5"), "presses decide");
}

#[test]
fn an_unexplained_board_is_judged_once_the_man_in_the_air_is_back() {
    let mut world = World::without_clock();
    world.play("0.0 lift a7\n0.4 place p a4\n1.0 lift e2\n6.0 place P e2\n8.9 still");
    assert_eq!(alerted_at(&world, AlertKind::PositionMismatch), None);
    world.play("3.0 still");
    assert_eq!(alerted_at(&world, AlertKind::PositionMismatch), Some(9000));
    assert_eq!(world.state(), State::AwaitingArbiter);
}

#[test]
fn a_king_that_was_final_by_rest_before_it_met_the_other_has_not_moved() {
    let start = "8/p7/2k5/8/8/5K2/P7/8 w - - 0 60";
    let mut world = World::from_fen_without_clock(start);
    world.play("0.0 lift a2\n0.5 place P a4\n3.0 lift a7\n3.5 place p a5\n6.0 lift f3\n6.4 place K e4\n13 still");
    assert_eq!(world.record(), "a4 a5 Ke4");
    world.play("0.5 lift c6\n0.9 place k d5\n2.5 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("a4 a5", "a4 a5"));
    let gesture = |entry: &Entry| matches!(entry, Entry::Corrected { reason: Correction::ResultGesture, .. });
    assert!(world.entries().any(gesture));
    // It may have been a move all the same, and that is said.
    assert_eq!(world.alerts(), [AlertKind::Resync, AlertKind::ResultSignalled]);

    let mut world = World::from_fen_without_clock(start);
    world.play("0.0 lift f3\n0.5 place K g2\n4 lift g2\n4.5 place K e4\n4.7 lift c6\n5.2 place k d5\n8 still");
    assert_eq!(world.record(), "Kg2", "that was a move");
}

#[test]
fn a_rook_that_flickers_while_its_king_is_carried_takes_no_second_hand() {
    let castles = |flicker: &str| {
        let mut world = World::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        world.play(&format!("0.0 lift e1\n{flicker}0.5 place K g1\n0.8 lift h1\n1.2 place R f1\n1.6 press\n2 still"));
        (world.record(), world.alerts())
    };
    assert_eq!(castles("0.2 lift h1\n0.24 place R h1\n"), ("O-O".to_owned(), vec![]));
    assert_eq!(castles("0.2 lift h1\n0.35 place R h1\n"), ("O-O".to_owned(), vec![AlertKind::TwoHandsSuspect]));
}

#[test]
fn a_man_that_is_back_for_a_flicker_only_was_held_all_the_time() {
    let mut world = World::at_start();
    world.play("0.0 lift b1\n0.7 place N b1\n0.74 lift b1\n1.4 place N b1\n2.0 lift e2\n2.5 place P e4\n2.9 press");
    assert_eq!(world.play("1 still").alerts(), [AlertKind::TouchMoveSuspect]);
}
