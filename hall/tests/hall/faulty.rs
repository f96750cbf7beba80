//! Squares that read nothing: what stands there shows in everything else.

use protocol::{
    board::{Face, Lie},
    feed::{AlertKind, Command, Entry, Score, State},
};

use crate::world::World;

fn faulty(world: &World) -> Vec<String> {
    let square = |entry: &Entry| {
        let Entry::Alert(alert) = entry else { return None };
        let evidence = alert.evidence.as_ref().filter(|_| alert.kind == AlertKind::SquareFaulty)?;
        evidence.square.clone()
    };
    world.entries().filter_map(square).collect()
}

#[test]
fn an_array_that_lacks_the_man_of_one_square_begins_a_game_and_the_square_is_named() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1".parse().expect("a placement");
    let mut world = World::with(&board, Lie::Straight, Some(Face::Left));
    world.play("0.0 lift g1\n0.5 place N f3\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press\n4.0 still");
    assert_eq!((world.record().as_str(), faulty(&world)), ("Nf3 e5", vec!["h1".to_owned()]));
    world.play("0.0 lift e2\n0.5 place P e3\n1.0 press\n2.0 lift e5\n2.5 place p e4\n3.0 press");
    world.play("0.0 lift f1\n0.5 place B e2\n1.0 press\n2.0 lift a7\n2.5 place p a6\n3.0 press");
    world.play("0.0 lift e1\n0.5 place K g1\n1.0 place R f1\n1.5 press\n2.0 still");
    assert_eq!(world.record(), "Nf3 e5 e3 e4 Be2 a6 O-O", "the rook came from there");
    assert_eq!(faulty(&world).len(), 1, "once");
}

#[test]
fn a_man_that_was_put_up_late_leaves_no_square_in_doubt() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1".parse().expect("a placement");
    let mut world = World::with(&board, Lie::Straight, Some(Face::Left));
    world.play("3.0 place R h1\n4.0 still");
    world.play("0.0 lift g1\n0.5 place N f3\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press\n4.0 still");
    assert_eq!((world.record().as_str(), faulty(&world)), ("Nf3 e5", Vec::new()));
}

#[test]
fn a_man_that_goes_up_again_alone_begins_no_game_without_its_square() {
    let mut world = World::without_clock();
    world.play("0.4 lift e2\n0.8 place P e4\n3.0 lift e4\n6.0 place P e3\n9.0 still");
    assert_eq!((world.record().as_str(), faulty(&world)), ("e3", Vec::new()));
}

#[test]
fn a_square_that_reads_nothing_is_played_past_once_the_reply_has_shown_it() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/2P5/N3K3 w - - 0 1");
    world.play("0.0 lift a1\n1.0 press\n1.8 dump\n5.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::PositionMismatch]));
    world.play("0.0 lift e8\n0.5 place k e7\n1.0 press\n1.1 still");
    assert_eq!((world.record().as_str(), world.state()), ("Nb3 Ke7", State::Playing), "it can be nowhere else");
    world.play("2.0 place N d4\n2.5 press\n3.0 still");
    assert_eq!((world.record().as_str(), faulty(&world)), ("Nb3 Ke7 Nd4", vec!["b3".to_owned()]));
}

#[test]
fn once_it_is_known_a_square_that_reads_nothing_accuses_nobody() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/2P5/N3K3 w - - 0 1");
    world.play("0.0 lift a1\n1.0 press\n1.8 dump\n2.0 lift e8\n2.5 place k e7\n3.0 press");
    world.play("0.0 lift b3\n0.5 place N d4\n1.0 press\n1.5 lift e7\n2.0 place k e8\n2.5 press");
    world.play("0.0 lift d4\n1.0 press\n2.0 still\n2.5 lift e8\n3.0 place k e7\n3.5 press\n9.0 still");
    assert_eq!(world.record(), "Nb3 Ke7 Nd4 Ke8 Nb3 Ke7");
    assert_eq!(world.alerts(), vec![AlertKind::SquareFaulty], "the dump told before anybody had to be asked");
}

#[test]
fn of_two_squares_that_may_read_nothing_the_next_ply_of_the_man_tells_which_it_is() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.9 press\n5.0 lift d7\n5.4 place p d5\n6.0 press\n7.0 still");
    assert_eq!((world.record().as_str(), world.seen()), ("", "e4 d5".to_owned()), "nothing of it is final");
    world.play("0.0 place P d5\n1.0 press\n2.0 still");
    assert_eq!((world.record().as_str(), faulty(&world)), ("e4 d5 exd5", vec!["e4".to_owned()]));
}

#[test]
fn whoever_was_told_of_a_square_is_told_when_it_was_another_one() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.9 press\n5.0 lift d7\n5.4 place p d5\n6.0 press\n7.0 still");
    assert_eq!(faulty(&world), ["e4"], "the likeliest");
    world.play("0.0 place P e4\n1.0 press\n1.5 lift d5\n2.0 place p d4\n2.5 press\n3.0 still");
    assert_eq!((world.record().as_str(), faulty(&world)), ("e3 d5 e4 d4", vec!["e4".to_owned(), "e3".to_owned()]));
    assert_eq!(world.alerts()[2..], [AlertKind::SquareFaulty, AlertKind::AlertWithdrawn, AlertKind::SquareFaulty]);
}

#[test]
fn a_man_that_is_gone_through_a_ply_of_each_player_stands_on_a_square_that_has_died() {
    let mut world = World::at_start();
    world
        .play("0.0 lift e2\n0.5 place P e4\n1.0 press\n1.5 lift e7\n2.0 place p e6\n2.5 press\n2.6 lift a7\n3.0 still");
    world.play("0.0 lift d2\n0.5 place P d4\n1.0 press\n1.5 lift d7\n2.0 place p d5\n2.5 press\n3.5 still");
    assert_eq!((world.record().as_str(), faulty(&world)), ("e4 e6 d4 d5", vec!["a7".to_owned()]));
    world.play("0.0 lift b1\n0.5 place N c3\n1.0 press\n1.5 lift g8\n2.0 place n f6\n2.5 press\n3.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("e4 e6 d4 d5 Nc3 Nf6", vec![AlertKind::SquareFaulty]));
}

#[test]
fn a_man_that_is_taken_off_in_the_turn_of_its_player_is_missing() {
    let mut world = World::at_start();
    world.play("0.0 lift a2\n2.0 lift e2\n2.5 place P e4\n3.0 press\n7.0 still");
    assert_eq!((world.record().as_str(), world.alerts()), ("", vec![AlertKind::PositionMismatch]));
}

#[test]
fn where_a_man_has_stopped_the_operator_may_say() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.9 press\n5.0 lift d7\n5.4 place p d5\n6.0 press\n7.0 still");
    world.order(&Command::Choose { alternative: 2 });
    assert_eq!(world.record(), "e3 d5");
    world.play("0.0 lift b1\n0.5 place N c3\n1.0 press\n1.5 lift g8\n2.0 place n f6\n2.5 press\n3.0 still");
    let told = vec!["e4".to_owned(), "e3".to_owned()];
    assert_eq!((world.record().as_str(), faulty(&world)), ("e3 d5 Nc3 Nf6", told));
}

#[test]
fn a_game_that_closes_keeps_the_likeliest_of_what_no_square_has_told() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.9 press\n5.0 lift d7\n5.4 place p d5\n6.0 press\n7.0 still");
    world.order(&Command::Result { result: Score::Draw });
    assert_eq!(world.record(), "e4 d5");
    assert_eq!(world.alerts()[..2], [AlertKind::PositionMismatch, AlertKind::Ambiguous]);
}
