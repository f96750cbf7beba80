//! Hands that hurry, sensors that miss a man, and what may and may not change a move that was final.

use protocol::feed::{AlertKind, Correction, Entry};

use crate::world::World;

fn corrections(world: &World) -> Vec<Correction> {
    let reason = |entry: &Entry| if let Entry::Corrected { reason, .. } = entry { Some(*reason) } else { None };
    world.entries().filter_map(reason).collect()
}

#[test]
fn a_captured_man_that_flashes_beside_its_square_corrects_nothing() {
    let mut world = World::from_fen_without_clock("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1");
    world.play("0.0 lift d2\n0.5 place P d4\n4.0 still");
    assert_eq!(world.record(), "d4");
    world.play("0.0 lift d4\n0.05 place P d3\n0.15 lift d3\n0.9 lift e4\n1.2 place p d3\n6.0 still");
    assert_eq!((world.record().as_str(), corrections(&world)), ("d4 exd3", vec![]));
}

#[test]
fn a_flash_under_the_capture_does_not_change_which_move_was_captured() {
    let mut world = World::from_fen_without_clock("3r4/7k/8/8/8/1B6/8/7K b - - 0 1");
    world.play("0.0 lift d8\n0.4 place r d1\n0.9 lift b3\n1.1 place B d1\n1.14 place r d2\n1.28 lift d2\n9.0 still");
    assert_eq!(world.record(), "Rd1+ Bxd1");
}

#[test]
fn a_rest_that_was_taken_for_the_end_of_the_move_is_corrected_once_the_man_has_stood() {
    let mut world = World::from_fen_without_clock("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    world.play("0.0 lift a1\n0.5 place R a3\n3.5 lift a3\n4.0 place R a6\n4.9 still");
    assert_eq!(world.record(), "Ra3");
    world.play("0.3 still");
    assert_eq!((world.record().as_str(), corrections(&world)), ("Ra6", vec![Correction::SlideContinued]));
}

#[test]
fn the_next_ply_but_one_may_land_before_the_reply_has() {
    let mut world = World::at_start();
    world.play(
        "0.0 lift e2\n0.3 place P e4\n0.5 press\n0.9 lift e7\n1.0 press\n1.1 lift g1\n1.3 place N f3\n1.5 press
        1.6 place p e5\n3.0 still",
    );
    assert_eq!((world.record().as_str(), world.alerts()), ("e4 e5 Nf3", vec![]));
}

#[test]
fn a_man_that_was_taken_before_it_was_read_is_in_the_record() {
    let mut world = World::from_fen("4k3/1p6/2p5/3P4/8/8/8/4K3 w - - 0 1");
    world.play(
        "0.0 lift d5\n0.2 lift c6\n0.5 press\n0.9 lift b7\n1.2 place p c6\n1.5 press\n1.8 dump\n4.0 dump\n9.0 still",
    );
    assert_eq!((world.record().as_str(), world.alerts()), ("dxc6 bxc6", vec![]));
}

#[test]
fn a_king_on_its_way_to_castle_keeps_the_rook_from_being_the_move() {
    let mut world = World::from_fen("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8");
    world.play(
        "0.0 lift h1\n0.4 place R f1\n0.9 lift e1\n1.0 lift a7\n1.2 place p a6\n1.3 press\n1.4 place K g1\n3.0 still",
    );
    assert_eq!((world.record().as_str(), corrections(&world)), ("O-O", vec![]));
    assert_eq!(world.alerts(), vec![AlertKind::CastlingRookFirst]);
}

#[test]
fn a_man_that_goes_on_after_the_reply_has_landed_has_not_stopped_there() {
    let mut world = World::from_fen("4k3/5p2/8/8/2B5/8/8/4K3 w - - 0 1");
    world.play(
        "0.0 lift c4\n0.3 place B d5\n0.35 lift e8\n0.48 lift d5\n0.6 press\n0.7 place k d8\n0.86 place B f7\n2.0 still",
    );
    assert_eq!(world.record(), "Bxf7+");
    assert_eq!(corrections(&world), vec![]);
}

#[test]
fn a_press_is_for_what_had_landed_by_then() {
    let mut world = World::from_fen("r3k2r/1pp2ppp/pnnqR3/8/3p4/5N2/PPP2PPP/RN1Q2K1 b kq - 1 14");
    // Where the pawn went is read late, when White has replied and Black has begun to castle with the rook.
    world.play("0.0 lift f7\n0.1 lift e6\n0.5 unheard place p e6\n0.9 press\n1.4 lift d1\n1.8 place Q e2\n2.2 press");
    world.play("0.5 lift a8\n0.7 place r d8\n0.9 place p e6\n1.2 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("fxe6 Qe2", "fxe6 Qe2 Rd8"));
    world.play("0.0 lift e8\n0.4 place k c8\n0.8 press\n1.2 still");
    assert_eq!(world.record(), "fxe6 Qe2 O-O-O");
}

#[test]
fn a_pawn_that_is_taken_as_it_lands_was_not_taken_in_passing() {
    let mut world = World::from_fen("4k3/2p5/8/3P4/8/8/8/4K3 b - - 0 1");
    // It rested on c5 and went back; White's pawn is on c6 before the sensor under d5 has told that it left.
    world.play("0.0 lift c7\n0.2 place p c5\n0.7 lift c5\n0.9 press\n1.05 place p c6\n1.11 place P c6\n1.14 lift d5");
    world.play("0.6 press\n1.2 still");
    assert_eq!((world.record().as_str(), corrections(&world)), ("c6 dxc6", vec![]));
}
