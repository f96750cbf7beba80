//! What a press means when the board shows no move, or shows one that sensors have only half told.

use protocol::{
    board::{ClockReading, ClockSense, Face, FaceReading, Observation},
    feed::{AlertKind, Entry, IllegalReason, State},
};

use crate::world::World;

/// Both sides may castle either way, and nothing stands between.
const CASTLING: &str = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8";

fn reasons(world: &World) -> Vec<IllegalReason> {
    let reason = |entry: &Entry| if let Entry::Alert(alert) = entry { alert.reason } else { None };
    world.entries().filter_map(reason).collect()
}

#[test]
fn a_square_that_tells_nothing_is_found_out_by_the_next_ply_of_its_man() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.9 press\n1.5 lift d7\n1.9 place p d5\n2.2 press\n2.9 place P d5\n3.3 press\n8.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4 d5 exd5", vec![AlertKind::SquareFaulty]));
}

#[test]
fn it_is_found_out_even_after_the_arbiter_was_called() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.9 press\n5.0 lift d7\n5.4 place p d5\n6.0 press\n7.9 still");
    assert_eq!(
        (world.record().as_str(), world.alerts()),
        ("", vec![AlertKind::PositionMismatch, AlertKind::Ambiguous, AlertKind::SquareFaulty])
    );
    world.play("0.1 place P d5\n1.1 press\n2.0 still");
    assert_eq!((world.record().as_str(), world.state()), ("e4 d5 exd5", State::Playing));
}

#[test]
fn two_ways_past_a_silent_square_are_not_guessed_at() {
    let mut world = World::from_fen("4k3/7p/8/8/8/8/8/R3K3 w - - 0 1");
    world.play("0.0 lift a1\n0.9 press\n1.5 lift h7\n1.9 place p h6\n2.2 press\n2.9 place R c5\n3.3 press\n8.0 still");
    assert_eq!(world.record(), "");
}

#[test]
fn a_man_that_was_nowhere_after_the_press_makes_no_illegal_move_when_it_lands() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 press\n2.0 place P e5\n3.4 still");
    assert_eq!(world.alerts(), vec![]);
    world.play("5.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::PositionMismatch]));
}

#[test]
fn king_and_rook_anywhere_are_an_illegal_move() {
    let mut world = World::from_fen(CASTLING);
    world.play("0.0 lift e1\n0.4 place K g1\n0.8 lift h1\n1.2 place R e1\n2.0 press\n7.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::IllegalMoveCompleted]));
    assert_eq!(reasons(&world), [IllegalReason::NotALegalMove], "castling was allowed");
}

#[test]
fn a_pawn_replaced_by_a_man_of_the_opponent_is_an_illegal_move() {
    let mut world = World::from_fen("8/P6k/8/8/8/8/7p/K7 w - - 0 1");
    world.play("0.0 lift a7\n0.4 place q a8\n1.0 press\n6.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::IllegalMoveCompleted]));
}

#[test]
fn a_pawn_that_vanishes_beside_the_man_it_was_to_take_is_no_illegal_move() {
    let mut world = World::from_fen("1n6/P6k/8/8/8/8/7p/K7 w - - 0 1");
    world.play("0.0 lift a7\n1.0 press\n6.0 still");
    assert_eq!(world.alerts(), vec![AlertKind::PositionMismatch]);
}

#[test]
fn a_press_that_comes_after_the_reply_completes_the_own_ply() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 place P e4\n2.0 lift e7\n2.5 place p e5\n4.0 press\n5.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4", vec![]));
    world.play("0.0 press\n2.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4 e5", vec![]));
}

#[test]
fn a_capture_no_sensor_has_told_of_is_taken_where_there_is_only_one() {
    let mut world = World::nameless("rnbqkbnr/ppp1pppp/8/3p4/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 2");
    world.play("0.0 lift c3\n1.0 press\n6.0 still");
    assert_eq!((world.record().as_str(), world.alerts(), world.is_held()), ("Nxd5", vec![], false));
}

#[test]
fn of_two_captures_no_sensor_has_told_of_the_reply_tells_which_it_was() {
    let mut world = World::nameless("4k3/8/8/1p1p4/8/2N5/8/4K3 w - - 0 1");
    world.play("0.0 lift c3\n1.0 press\n4.1 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::Ambiguous]));
    world.play("0.0 lift b5\n0.4 place ? b4\n1.0 press\n5.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("Nxd5 b4", vec![AlertKind::Ambiguous]));
}

#[test]
fn a_board_that_names_nobody_shows_an_illegal_move_too() {
    let mut world = World::nameless("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    world.play("0.0 lift g1\n0.4 place ? g3\n1.0 press\n6.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::IllegalMoveCompleted]));
}

#[test]
fn in_chess960_king_or_rook_may_castle_alone() {
    let mut world = World::chess960("4k3/p7/8/8/8/8/P7/6KR w H - 0 1");
    world.play("0.0 lift h1\n0.4 place R f1\n1.2 press\n4.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("O-O", vec![]), "the rook");
    let mut world = World::chess960("4k3/p7/8/8/8/8/P7/4KR2 w F - 0 1");
    world.play("0.0 lift e1\n0.4 place K g1\n1.2 press\n4.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("O-O", vec![]), "the king");
    let mut world = World::chess960("rnbqbkrn/pppppppp/8/8/8/8/PPPPPPPP/RNBQBKRN w GAga - 0 1");
    world.play("0.0 lift f1\n0.4 lift g1\n0.8 place K g1\n1.2 place R f1\n2.0 press\n4.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("O-O", vec![]), "they change places");
}

#[test]
fn a_man_put_up_late_was_not_touched() {
    let mut world = World::at_start();
    world.play(
        "0.0 set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R\n5.0 place N g1\n7.0 lift e2\n7.5 place P e4\n8.0 press\n9.0 still",
    );
    assert_eq!((world.record().as_str(), world.alerts()), ("e4", vec![]));
}

#[test]
fn putting_right_what_was_out_of_turn_is_no_touch() {
    let mut world = World::at_start();
    world.play(
        "0.0 lift e7\n0.4 place p e5\n6.0 lift e5\n6.6 place p e7\n8.0 lift e2\n8.5 place P e4\n9.0 press\n9.9 still",
    );
    assert_eq!((world.record().as_str(), world.alerts()), ("e4", vec![AlertKind::MoveOutOfTurn]));
}

#[test]
fn a_touch_after_the_board_was_put_right_is_one() {
    let mut world = World::at_start();
    world.play("0.0 lift e7\n0.4 place p e5\n6.0 lift e5\n6.6 place p e7\n8.0 lift g1\n9.5 place N g1");
    world.play("0.5 lift e2\n0.9 place P e4\n2.0 press\n3.0 still");
    assert_eq!(world.alerts(), vec![AlertKind::MoveOutOfTurn, AlertKind::TouchMoveSuspect]);
}

#[test]
fn a_man_let_go_and_taken_back_for_another_move_is_noted() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    world.play(
        "0.0 lift a1\n0.2 place R a2\n1.7 lift a2\n2.0 place R a1\n4.0 lift e1\n4.4 place K e2\n5.0 press\n6.0 still",
    );
    assert_eq!(world.record(), "Ke2");
    assert!(world.alerts().contains(&AlertKind::ReleasedPieceMoved), "{:?}", world.alerts());
}

#[test]
fn a_queen_nobody_has_put_there_is_seen_before_she_is_final() {
    let mut world = World::from_fen("8/P6k/8/8/8/8/7p/K7 w - - 0 1");
    world.play("0.0 lift a7\n0.4 place P a8\n0.9 press\n5.0 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("a8=Q", "a8=Q"));
}

#[test]
fn moves_on_top_of_an_illegal_one_are_followed_without_a_word() {
    let mut world = World::at_start();
    world.play("0.0 lift g1\n0.4 place N g3\n1.0 press\n3.0 lift b8\n3.5 place n c6\n4.0 press");
    world.play("2.0 lift e2\n2.5 place P e4\n3.0 press\n5.0 still");
    assert_eq!(world.alerts(), vec![AlertKind::IllegalMoveCompleted]);
}

#[test]
fn a_press_made_under_a_question_to_the_sensors_completes_the_reply() {
    let mut world = World::from_fen("r7/5kpp/8/n4N2/4P3/8/3P2PP/2R2K2 w - - 4 26");
    // White presses with the knight in the hand, puts it down on g7, and Black takes it off before it is read twice.
    world.play("0.0 lift f5\n0.5 press\n0.58 place N g7\n0.62 lift g7");
    // Black wavers for as long as the sensors have to find the knight, and presses as the king comes down.
    world.play(
        "0.6 lift f7\n1.2 place k g6\n1.8 lift g6\n2.4 place k e7\n2.6 lift e7\n2.85 press\n2.94 place k g7\n4.0 still",
    );
    assert_eq!(world.record(), "Nxg7 Kxg7");
}

#[test]
fn presses_on_a_board_that_is_behind_its_clock_wait_for_its_men() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.3 press\n0.42 place P e4\n2.0 lift e7\n2.3 press\n2.42 place p e5");
    world.play("2.0 lift g1\n2.3 press\n2.42 place N f3\n4.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3");
    // No man of Black has stirred when the press is heard: the fourth ply is as late as the others were.
    world.play("0.0 press\n0.05 lift b8\n0.2 place n c6\n3.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4 e5 Nf3 Nc6", vec![]));
}

#[test]
fn a_lever_that_sticks_is_read_off_the_faces() {
    let shows = |left, right| {
        let face = |seconds| FaceReading { seconds, flag: false };
        let (left, right, high) = (face(left), face(right), Face::Left);
        let reading = ClockReading { left, right, running: true, high, to_move: None, battery_low: false };
        Observation::Clock(ClockSense::Reading(reading))
    };
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n2.0 still");
    for (left, right) in [(3000, 3000), (2999, 3000)] {
        world.observe(shows(left, right));
        world.play("1.0 still");
    }
    assert_eq!(world.record(), "", "White's face goes down");
    world.observe(shows(2999, 2999));
    world.play("1.0 still");
    assert_eq!(world.record(), "e4");
}

#[test]
fn a_face_that_goes_down_after_a_silence_is_no_second_press() {
    let mut world = World::from_fen("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    world.play("0.0 tick\n1.0 tick\n2.0 tick\n2.1 down\n3.0 unheard lift e4\n3.4 unheard place P d5");
    world.play("0.0 unheard press\n0.5 up\n1.5 lift d5\n1.6 tick\n1.8 lift d8\n2.5 place q d5\n2.7 press\n5.0 still");
    assert_eq!(world.record(), "exd5 Qxd5");
    assert_eq!(world.alerts(), [AlertKind::LinkLost, AlertKind::LinkRestored, AlertKind::Resync]);
}

#[test]
fn a_press_on_top_of_one_that_is_judged_does_not_wait_for_ever() {
    let mut world = World::at_start();
    world.play("0.0 lift a2\n0.1 lift h7\n0.5 lift g1\n1.0 place N f3\n1.2 press\n5.0 still");
    assert_eq!(world.alerts(), [AlertKind::PositionMismatch]);
    world.play("0.0 lift c2\n0.1 press white\n0.4 press black\n5.0 still");
    world.play("0.0 place P c2\n0.5 place P a2\n1.0 place p h7\n2.0 press white\n4.0 still");
    assert_eq!(world.record(), "Nf3", "{}", world.seen());
}
