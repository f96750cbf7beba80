//! Where one game ends and the next one begins.

use protocol::feed::{AlertKind, Command, Correction, Entry, GameResult, Proposal, Score, State};

use crate::world::World;

const E4_E5: &str = "0.0 lift e2\n0.5 place P e4\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press\n4.0 still";
const HOME: &str = "0.0 lift e4\n0.5 place P e2\n1.0 lift e5\n1.5 place p e7\n4.0 still";

fn earlier_result(world: &World) -> Option<(u32, GameResult)> {
    world.entries().find_map(|entry| {
        let Entry::Earlier { game, entry } = entry else { return None };
        let Entry::Result { result, .. } = &**entry else { return None };
        Some((*game, *result))
    })
}

#[test]
fn a_result_that_comes_after_the_men_went_home_belongs_to_the_game_that_was_played() {
    let mut world = World::at_start();
    world.play(E4_E5).play("0.0 stop\n1.0 still").play(HOME);
    assert_eq!(world.games(), 2, "the array has stood");
    world.order(&Command::Result { result: Score::WhiteWins });
    assert_eq!(earlier_result(&world), Some((1, GameResult::WhiteWins)));
    assert_eq!(
        (world.result(), world.state()),
        (GameResult::Open, State::Playing),
        "the next game waits for its moves"
    );

    world.play("0.0 go\n0.5 lift d2\n1.0 place P d4\n1.5 press\n2.0 still");
    world.order(&Command::Result { result: Score::Draw });
    assert_eq!((world.record().as_str(), world.result()), ("d4", GameResult::Draw), "once it has one, it is the last");
}

#[test]
fn a_result_the_kings_have_shown_can_still_be_confirmed_when_the_men_are_home() {
    let fen = "rnbq1bnr/pppp1ppp/4k3/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR w - - 0 9";
    let mut world = World::from_fen(fen);
    world.play("0.0 lift f1\n0.5 place B a6\n1.0 press\n2.0 stop");
    world.play("0.0 lift e4\n0.2 lift e3\n0.5 place K e4\n1.0 lift e6\n1.5 place k d5\n4.0 still");
    assert_eq!(world.state(), State::AwaitingArbiter);
    world.play("0.0 set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n3.0 still");
    assert_eq!((world.games(), world.state()), (3, State::Playing));
    world.order(&Command::Confirm);
    assert_eq!(earlier_result(&world), Some((1, GameResult::WhiteWins)));
    assert_eq!(world.refuse(&Command::Confirm), "nothing is proposed at this table: give a result or an order instead");
}

#[test]
fn a_game_whose_array_nobody_saw_standing_has_begun_all_the_same() {
    let home = "0.0 lift e4\n0.5 place P e2\n1.0 lift e5\n1.5 place p e7\n";
    let mut pressed = World::at_start();
    pressed.play(E4_E5).play(home).play("0.5 lift d2\n1.0 place P d4\n1.2 press\n1.5 still");
    assert_eq!((pressed.games(), pressed.record().as_str()), (2, "d4"));
    pressed.play("0.0 lift d7\n0.5 place p d5\n1.0 press\n1.5 lift d1\n2.0 press\n3.5 still");
    assert_eq!(pressed.record(), "d4 d5", "the square the first man left is not one that reads nothing");

    let mut early = World::at_start();
    early.play(E4_E5).play(home).play("0.5 lift d2\n0.9 press\n1.0 place P d4\n1.5 still");
    assert_eq!((early.games(), early.record().as_str()), (2, "d4"), "the press came before the man had landed");

    let mut rested = World::without_clock();
    rested.play(E4_E5.replace("1.0 press\n", "").replace("3.0 press\n", "").as_str());
    rested.play(home).play("0.5 lift d2\n1.0 place P d4\n1.9 still");
    assert_eq!(rested.games(), 1, "it has not rested yet");
    rested.play("0.2 still");
    assert_eq!((rested.games(), rested.seen().as_str()), (2, "d4"));
}

#[test]
fn a_first_move_that_only_a_dump_shows_begins_the_next_game() {
    let mut world = World::without_clock();
    world.play("0.0 lift e2\n0.5 place P e4\n3.0 lift e7\n3.5 place p e5\n6.0 lift g1\n6.5 place N f3\n9.0 still");
    world.play("0.0 down\n1.0 unheard lift g1\n1.0 unheard lift f3\n1.0 unheard lift e4\n1.0 unheard lift e5");
    world.play("0.0 unheard place N g1\n0.0 unheard place P e2\n0.0 unheard place p e7\n0.0 unheard lift d2");
    world.play("0.0 unheard place P d4\n1.0 up\n4.0 still");
    assert_eq!((world.games(), world.seen().as_str()), (2, "d4"));
}

#[test]
fn kings_that_stand_show_a_result_while_other_men_go_home() {
    let mut world = World::from_fen("8/8/2k5/8/8/4K3/8/R6R w - - 0 1");
    world.play("0.0 lift e3\n0.5 place K e4\n1.0 lift c6\n1.5 place k d5");
    world.play("0.4 lift h1\n0.8 place R h2\n1.2 lift h2\n1.4 still");
    assert_eq!(world.alerts(), [AlertKind::ResultSignalled]);
}

#[test]
fn men_that_go_home_play_no_moves() {
    let mut world = World::without_clock();
    world.play("0.0 lift e2\n0.5 place P e4\n3.0 lift e7\n3.5 place p e5\n6.0 lift g1\n6.5 place N f3");
    world.play("3.0 lift b8\n3.5 place n c6\n8.0 lift f3\n8.5 place N g1\n12.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6 Ng1", "nobody can know yet");
    world.play("0.0 lift c6\n0.5 place n b8\n1.0 lift e4\n1.5 place P e2\n2.0 lift e5\n2.5 place p e7\n5.0 still");
    let taken_out = world.entries().find_map(|entry| {
        let Entry::Corrected { old, reason, .. } = entry else { return None };
        Some((old.join(" "), *reason))
    });
    assert_eq!(taken_out, Some(("Ng1".to_owned(), Correction::AfterTheEnd)));
    assert_eq!(world.games(), 2);
}

#[test]
fn king_and_queen_put_right_late_cost_no_move() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR".parse().expect("a placement");
    let mut world = World::with(&board, protocol::board::Lie::Straight, Some(protocol::board::Face::Left));
    world.play(E4_E5).play("0.0 stop\n1.0 lift d1\n1.3 lift e1\n2.0 place K e1\n2.5 place Q d1\n6.0 go");
    assert_eq!(world.record(), "e4 e5");
    assert!(world.alerts().contains(&AlertKind::InitialPositionWrong));
    assert!(!world.alerts().contains(&AlertKind::PositionMismatch));
    world.order(&Command::Resume);
    world.play("0.0 lift g1\n0.5 place N f3\n1.0 press\n2.0 lift b8\n2.5 place n c6\n3.0 press");
    world.play("0.0 lift f1\n0.5 place B c4\n1.0 press\n2.0 lift a7\n2.5 place p a6\n3.0 press");
    world.play("0.0 lift e1\n0.5 place K g1\n1.0 lift h1\n1.3 place R f1\n2.0 press\n3.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6 Bc4 a6 O-O", "and the king may castle");
}

#[test]
fn a_man_read_beside_its_square_accuses_nobody() {
    let mut world = World::at_start();
    world.play("0.0 lift g1\n0.5 place N f4\n0.8 press\n1.0 still");
    assert_eq!((world.state(), world.alerts()), (State::AwaitingArbiter, vec![AlertKind::IllegalMoveCompleted]));
    world.play("0.0 lift f4\n0.02 place N f3\n1.0 still");
    assert_eq!((world.state(), world.record().as_str()), (State::Playing, "Nf3"));
    let withdrawn = world.entries().find_map(|entry| {
        let Entry::Alert(alert) = entry else { return None };
        alert.of.filter(|_| alert.kind == AlertKind::AlertWithdrawn)
    });
    assert_eq!(withdrawn, Some(AlertKind::IllegalMoveCompleted));
    let offered = world.entries().filter_map(|entry| {
        let Entry::Proposal(offer) = entry else { return None };
        Some(offer.clone())
    });
    assert_eq!(offered.last(), Some(Proposal::default()), "nothing is offered any more");
}

#[test]
fn a_man_read_beside_its_square_is_not_taken_for_one_that_stands_beside_it() {
    let mut world = World::from_fen("4k3/pp6/8/8/8/8/8/4K3 b - - 0 1");
    world.play("0.0 lift b7\n0.5 place p a6\n0.8 press\n1.8 lift a6\n1.82 place p b5\n3.0 still");
    assert_eq!((world.state(), world.record().as_str()), (State::Playing, "b5"), "the pawn on a7 has not moved");
}

#[test]
fn what_is_read_within_the_scan_that_stops_the_clock_was_played_by_then() {
    let tried = |landed: &str| {
        let mut world = World::at_start();
        world
            .play(E4_E5)
            .play(&format!("0.0 lift g1\n0.5 place N f3\n1.0 lift b8\n1.5 stop\n{landed} place n c6\n3.0 still"));
        world.play("0.0 lift c6\n0.5 place n b8\n1.0 lift f3\n1.5 place N g1\n2.0 still").play(HOME);
        let finals = world.entries().filter(|entry| matches!(entry, Entry::Final { .. })).count();
        (world.games(), finals)
    };
    assert_eq!(tried("1.52"), (2, 2), "two plies were tried while it ran, and neither was played");
    assert_eq!(tried("1.60"), (2, 3), "one was played by then");
}

#[test]
fn a_man_put_right_by_hand_leaves_the_accusation() {
    for right in ["0.0 lift f4\n0.2 place N f3\n1.0 still", "3.0 lift f4\n3.02 place N f3\n4.0 still"] {
        let mut world = World::at_start();
        world.play("0.0 lift g1\n0.5 place N f4\n0.8 press\n1.0 still").play(right);
        assert_eq!((world.state(), world.record().as_str()), (State::AwaitingArbiter, ""), "{right}");
        assert!(!world.alerts().contains(&AlertKind::AlertWithdrawn), "{right}");
    }
}

#[test]
fn a_loss_waits_until_the_man_has_stood() {
    let twice = "0.0 lift g1\n0.5 place N f4\n0.8 press white\n3.0 lift f4\n3.5 place N g1\n5.0 lift g1\n5.5 place N f3\n6.0 press";
    let mut world = World::at_start();
    world
        .play(twice)
        .play("1.0 lift b8\n1.5 place n c6\n2.0 press\n3.0 lift b1\n3.5 place N c4\n3.8 press white\n4.0 still");
    let limits = |world: &World| world.alerts().iter().filter(|kind| **kind == AlertKind::IllegalLimitReached).count();
    assert_eq!(limits(&world), 0, "it may be a misreading");
    world.play("0.6 still");
    assert_eq!(limits(&world), 1);
}

#[test]
fn a_result_given_before_a_move_stays_while_men_are_put_straight_and_the_next_move_begins_the_next_game() {
    let mut world = World::at_start();
    world.order(&Command::Result { result: Score::WhiteByForfeit });
    world.play("1.0 lift e1\n1.5 lift e8\n3.0 place k e8\n3.5 place K e1\n9.0 still");
    assert_eq!((world.games(), world.result(), world.state()), (1, GameResult::WhiteWins, State::Ended));
    world.play(E4_E5);
    assert_eq!((world.games(), world.record().as_str(), world.result()), (2, "e4 e5", GameResult::Open));
}
