//! What makes a move seen, what makes it final, and what does not.

use protocol::{
    board::Lie,
    feed::{AlertKind, Command, Correction, Entry, GameResult, State},
};
use shakmaty::{Board, Chess, Position, san::San};

use crate::world::World;

#[test]
fn a_man_in_the_hand_is_no_move() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.9 still");
    assert_eq!((world.seen().as_str(), world.record().as_str()), ("", ""));
}

#[test]
fn a_placed_man_is_seen_and_the_press_makes_it_final() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.8 place P e4\n5.0 still");
    assert_eq!((world.seen().as_str(), world.record().as_str()), ("e4", ""));
    world.play("0.0 press\n0.1 still");
    assert_eq!(world.record(), "e4");
}

#[test]
fn with_a_running_clock_stillness_alone_makes_nothing_final() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.8 place P e4\n600.0 still");
    assert_eq!(world.record(), "");
}

#[test]
fn where_no_clock_tells_a_reply_on_top_makes_the_move_below_it_final() {
    let mut world = World::without_clock();
    world.play("0.0 lift e2\n0.5 place P e4\n2.0 lift e7\n2.4 place p e5\n2.6 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4", "e4 e5"));
}

#[test]
fn where_no_clock_tells_an_opponents_hand_after_a_release_makes_the_move_final() {
    let mut world = World::without_clock();
    world.play("0.0 lift e2\n0.5 place P e4\n1.6 lift e7\n1.8 still");
    assert_eq!(world.record(), "");
    world.play("0.2 still");
    assert_eq!(world.record(), "e4");
}

#[test]
fn without_a_clock_stillness_makes_it_final() {
    let mut world = World::without_clock();
    world.play("0.0 lift g1\n0.5 place N f3\n1.9 still");
    assert_eq!(world.record(), "");
    world.play("0.2 still");
    assert_eq!(world.record(), "Nf3");
}

#[test]
fn a_slide_is_one_move() {
    let mut world = World::from_fen("4k3/8/8/8/8/8/R7/4K3 w - - 0 1");
    world.play(
        "0.0 lift a2\n0.1 place R a3\n0.3 lift a3\n0.4 place R a4\n0.9 lift a4\n1.1 place R a7\n2.0 press\n2.3 still",
    );
    assert_eq!(world.record(), "Ra7");
}

#[test]
fn captures_come_in_every_order() {
    for hands in [
        "0.0 lift e4\n0.4 place P d5",
        "0.0 lift d5\n0.2 lift e4\n0.6 place P d5",
        "0.0 lift e4\n0.2 lift d5\n0.6 place P d5",
    ] {
        let mut world = World::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1");
        world.play(hands).play("1.0 press\n2.0 still");
        assert_eq!(world.record(), "exd5", "{hands}");
    }
}

#[test]
fn castling_comes_in_every_order() {
    for hands in [
        "0.0 lift e1\n0.3 place K g1\n0.8 lift h1\n1.1 place R f1",
        "0.0 lift h1\n0.3 place R f1\n0.8 lift e1\n1.1 place K g1",
        "0.0 lift e1\n0.1 lift h1\n0.5 place K g1\n0.6 place R f1",
    ] {
        let mut world = World::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        world.play(hands).play("1.0 press\n2.0 still");
        assert_eq!(world.record(), "O-O", "{hands}");
    }
}

#[test]
fn en_passant_and_promotion_are_moves_too() {
    let mut world = World::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    world.play("0.0 lift e5\n0.4 place P d6\n0.8 lift d5\n1.5 press\n2.0 still");
    assert_eq!(world.record(), "exd6");

    let mut world = World::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    world.play("0.0 lift a7\n0.4 place P a8\n1.2 lift a8\n2.0 place Q a8\n2.5 press\n3.0 still");
    assert_eq!(world.record(), "a8=Q");
}

#[test]
fn on_a_board_that_names_nobody_a_pawn_becomes_a_queen() {
    let mut world = World::from_fen("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    world.play("0.0 lift a7\n0.4 place ? a8\n1.0 press\n2.0 still");
    assert_eq!(world.record(), "a8=Q");
}

#[test]
fn a_press_before_the_release_counts_when_the_man_lands() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.3 press\n0.45 place P e4\n1.0 still");
    assert_eq!(world.record(), "e4");
}

#[test]
fn fast_replies_are_not_lost() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.14 lift e7\n0.26 place P e4\n0.3 press\n0.42 place p e5\n0.5 press\n1.0 still");
    assert_eq!(world.record(), "e4 e5");
}

#[test]
fn a_board_lying_turned_is_read_turned() {
    let mut world = World::turned();
    world.play("0.0 lift e2\n0.5 place P e4\n1.0 press\n2.0 lift d7\n2.5 place p d5\n3.0 press\n4.0 still");
    assert_eq!(world.record(), "e4 d5");
}

#[test]
fn mate_ends_the_game_without_a_press() {
    let mut world = World::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    world.play("0.0 lift a1\n0.5 place R a8\n4.0 still");
    assert_eq!((world.record().as_str(), world.result(), world.state()), ("Ra8#", GameResult::WhiteWins, State::Ended));
}

#[test]
fn after_the_end_hands_are_not_the_game_and_a_start_array_is_the_next() {
    let mut world = World::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    world.play("0.0 lift a1\n0.5 place R a8\n4.0 lift a8\n5.0 place R a1\n30.0 still");
    assert_eq!((world.record().as_str(), world.state()), ("Ra8#", State::Ended));
    world.play("0.0 set rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\n1.9 still");
    assert_eq!(world.table.games(), 1);
    world.play("0.2 still");
    assert_eq!((world.table.games(), world.state(), world.record().as_str()), (2, State::Playing, ""));
}

#[test]
fn a_chess960_array_begins_a_chess960_game() {
    let board = Board::from_ascii_board_fen(b"bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR").expect("a placement");
    let mut world = World::with(&board, Lie::Straight, None);
    world.play("0.0 lift g1\n0.5 lift h1\n1.0 place K g1\n1.5 lift g1\n2.0 place R h1\n2.2 place K g1\n6.0 still");
    assert_eq!(world.record(), "", "a king and a rook put back are no castling");
    assert!(
        world.entries().any(|entry| matches!(entry, Entry::Started { variant: protocol::feed::Variant::Chess960, .. }))
    );
}

#[test]
fn a_board_nobody_can_explain_is_held_until_it_makes_sense_again() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 place P e5\n3.4 still");
    assert!(!world.is_held());
    world.play("0.2 still");
    assert!(world.is_held());
    assert!(world.asked_for_dumps() > 0, "only a dump is authoritative");
    world.play("0.0 lift e5\n0.5 place P e4\n0.6 still");
    assert!(!world.is_held());
    assert_eq!(world.seen(), "e4");
}

#[test]
fn the_board_is_asked_before_a_press_is_told_to_be_without_a_move() {
    // Nobody heard the knight go up, and he is read beside his square for a moment.
    let mut world = World::at_start();
    world.play("1.0 lift e2\n1.5 place P e4\n2.0 press\n3.0 place n e5\n3.06 lift e5\n3.2 press\n3.6 still");
    assert_eq!((world.asked_for_dumps(), world.alerts().len()), (1, 0));
}

#[test]
fn a_restored_illegal_move_leaves_no_press_behind() {
    let mut world = World::at_start();
    world.play(
        "0.0 lift e2\n0.5 place P e5\n0.8 press\n2.0 lift e5\n2.5 place P e2\n2.6 lift d2\n2.9 place P d4\n3.3 still",
    );
    assert_eq!(world.record(), "");
}

#[test]
fn a_missed_place_is_found_by_the_dump() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 unheard place P e4\n0.9 press\n2.0 dump\n3.0 still");
    assert_eq!(world.record(), "e4");
}

#[test]
fn moves_made_while_nothing_was_heard_are_found_and_marked() {
    let mut world = World::at_start();
    world.play(
        "0.0 down
         1.0 unheard lift e2
         1.0 unheard place P e4
         2.0 unheard lift e7
         2.0 unheard place p e5
         9.0 up
         9.5 still",
    );
    assert_eq!(world.record(), "e4 e5", "the lever stands for White again, so Black has pressed");
    assert!(world.entries().any(|entry| matches!(entry, Entry::Final { inferred: true, .. })));
    assert!(
        [AlertKind::LinkLost, AlertKind::LinkRestored, AlertKind::Resync]
            .iter()
            .all(|kind| world.alerts().contains(kind))
    );
}

#[test]
fn kings_in_the_centre_propose_a_result_and_are_no_moves() {
    let mut world = World::from_fen("8/8/2k5/8/8/4K3/8/R7 w - - 0 1");
    world.play("0.0 lift e3\n0.5 place K e4\n1.0 lift c6\n1.5 place k d5\n3.0 still");
    assert_eq!(
        (world.record().as_str(), world.result(), world.state()),
        ("", GameResult::Open, State::AwaitingArbiter)
    );
    assert!(
        world
            .entries()
            .any(|entry| matches!(entry, Entry::Proposal(proposal) if proposal.result == Some(GameResult::WhiteWins)))
    );
}

#[test]
fn of_two_pairs_of_kings_the_latest_counts() {
    let mut world = World::from_fen("8/8/2k5/8/8/4K3/8/R7 w - - 0 1");
    // White and Black meet on the light squares and rest there; then Black's king goes on, and it is a draw.
    world.play("0.0 lift e3\n0.5 place K e4\n1.0 lift c6\n1.5 place k d5\n3.0 lift d5\n3.4 place k e5\n6 still");
    let proposed = |result: GameResult| {
        world.entries().any(|entry| matches!(entry, Entry::Proposal(proposal) if proposal.result == Some(result)))
    };
    assert!(proposed(GameResult::WhiteWins) && proposed(GameResult::Draw));
    // The same pair again is no news.
    world.play("0.0 lift e5\n0.4 place k f6\n1.0 lift f6\n1.4 place k e5\n4 still");
    assert_eq!(world.alerts(), [AlertKind::ResultSignalled; 2]);
    assert_eq!((world.record().as_str(), world.state()), ("", State::AwaitingArbiter));
}

#[test]
fn a_board_without_names_shows_the_kings_too() {
    const BARE: &str = "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 40";
    let kings = "0.4 lift g1\n0.8 place ? d4\n1.2 lift g8\n1.6 place ? e5\n4 still";
    let mut world = World::nameless(BARE);
    world.play(kings);
    assert_eq!((world.alerts(), world.state()), (vec![AlertKind::ResultSignalled], State::AwaitingArbiter));
    let mut beside = World::nameless(BARE);
    beside.play(&kings.replace("e5", "e6"));
    assert_eq!(beside.alerts(), []);
}

#[test]
fn kings_that_pass_through_the_centre_or_stand_beside_it_say_nothing() {
    let signal = "0.0 lift e3\n0.5 place K e4\n1.0 lift c6\n1.5 place k d5\n";
    for other in [
        format!("{signal}2.3 lift d5\n2.6 place k c6\n9 still"),
        signal.replace("d5", "d6") + "9 still",
        "0.0 lift e3\n0.5 place K e4\n9 still".to_owned(),
    ] {
        let mut world = World::from_fen("8/8/2k5/8/8/4K3/8/R7 w - - 0 1");
        world.play(&other);
        assert!(!world.alerts().contains(&AlertKind::ResultSignalled), "{other}");
    }
}

#[test]
fn kings_that_say_something_else_than_the_board_are_in_conflict_with_it() {
    let mate = "0.4 lift a1\n0.8 place R a8\n5 lift g1\n5.4 place K e4\n6 lift g8\n6.4 place k d5\n9 still";
    let told = |kings: &str| {
        let mut world = World::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 30");
        world.play(kings);
        (world.alerts(), world.result())
    };
    let white_wins = GameResult::WhiteWins;
    assert_eq!(told(mate), (vec![AlertKind::Checkmate, AlertKind::ResultSignalled], white_wins));
    let drawn = mate.replace("d5", "e5");
    assert_eq!(told(&drawn), (vec![AlertKind::Checkmate, AlertKind::ResultConflict], white_wins));
}

#[test]
fn a_game_goes_on_after_kings_that_meant_nothing() {
    let mut world = World::from_fen("8/8/2k5/8/8/4K3/8/R7 w - - 0 1");
    world.play("0.0 lift e3\n0.5 place K e4\n1.0 lift c6\n1.5 place k d5\n3.0 still");
    world.order(&Command::Resume);
    world.play("0.4 lift d5\n0.8 place k c6\n1.2 lift e4\n1.6 place K e3\n4 lift a1\n4.4 place R a5\n5 press\n7 still");
    assert_eq!((world.record().as_str(), world.state()), ("Ra5", State::Playing));
}

#[test]
fn taking_back_without_a_clock_is_a_correction_and_never_silence() {
    let mut world = World::without_clock();
    world.play("0.0 lift e2\n0.4 place P e4\n3.0 lift e7\n3.4 place p e5\n9.0 lift e5\n9.5 place p e7\n11.5 still");
    assert_eq!(world.record(), "e4");
    let taken = world.entries().any(|entry| matches!(entry, Entry::Corrected { reason: Correction::Takeback, .. }));
    assert!(taken && world.alerts().contains(&AlertKind::Takeback));
}

#[test]
fn orders_change_the_record_and_say_so() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 place P e4\n1.0 press\n2.0 lift e7\n2.5 place p e5\n3.0 press\n4.0 still");
    world.order(&Command::Undo { plies: 1 });
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4", "e4 e5"), "the board still shows it");
    world.order(&Command::Result { result: GameResult::Draw.into() });
    assert_eq!((world.result(), world.state(), world.seen().as_str()), (GameResult::Draw, State::Ended, "e4"));
    let too_many = world.table.order(&Command::Undo { plies: 9 }, 99_000, &mut Vec::new()).expect_err("nine moves");
    assert_eq!(too_many.to_string(), "the record has 1 moves: take back 1 to 1 of them");
}

#[test]
fn after_a_restart_nothing_is_concluded_before_the_first_dump() {
    let mut world = World::without_clock();
    world.play("0.0 lift e2\n0.5 place P e4\n0.7 still");
    let mut said = Vec::new();
    world.table.resume(None, 20_000, &mut said);
    world.table.elapse(90_000, &mut said);
    assert!(said.iter().all(|(_, say)| !matches!(say, hall::table::Say::Entry(Entry::Final { .. }))));
}

#[test]
fn up_to_eight_plies_are_found() {
    let line = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6";
    for plies in 1..=8 {
        let gap = line.split_whitespace().take(plies).collect::<Vec<_>>().join(" ");
        let found = after_gap("", &gap);
        assert_eq!(found.split_whitespace().count(), plies, "{gap} became {found}");
    }
}

#[test]
fn a_man_in_the_hand_is_waited_for_and_never_taken_for_captured() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n0.8 press\n1.0 lift d7\n1.4 place p d5\n1.8 press\n2.0 still");
    world.play("0.0 down\n0.5 unheard lift d1\n1.0 up\n4.0 still");
    assert_eq!(world.record(), "e4 d5", "the queen is in White's hand");
    world.play("0.0 place Q h5\n0.5 press\n1.0 still");
    assert_eq!(world.record(), "e4 d5 Qh5");
}

#[test]
fn a_ply_pressed_while_nothing_was_heard_is_no_press_without_a_move() {
    let mut world = World::at_start();
    world.play("0.0 down\n0.5 unheard lift e2\n0.9 unheard place P e4\n1.2 unheard press\n3.0 up\n4.0 still");
    assert_eq!(world.record(), "e4");
    world.play("0.0 lift e7\n0.5 place p e5\n0.8 press\n2.0 still");
    assert_eq!((world.record().as_str(), world.state()), ("e4 e5", State::Playing));
}

#[test]
fn a_way_round_that_left_no_trace_is_taken_if_it_is_the_only_one() {
    assert_eq!(after_gap("e4 e5", "Bb5 a6 Ba4 Nf6"), "e4 e5 Bb5 a6 Ba4 Nf6");
    assert_eq!(after_gap("e4 e5", "Nf3 a6 Ng5 Nf6"), "e4 e5", "or by way of h3");
}

#[test]
fn a_game_set_up_by_order_waits_for_its_position() {
    let mut world = World::at_start();
    let fen = "4k3/8/8/8/8/8/R7/4K3 w - - 0 1".to_owned();
    world.order(&Command::NewGame { fen: Some(fen), variant: Default::default() });
    world.play("60.0 still");
    assert_eq!(world.games(), 2, "the start array that stands there untouched begins nothing");
}

#[test]
fn different_stories_of_one_board_are_shown_and_none_is_final() {
    // Either knight may have gone out and come back while the bishop's pawn moved.
    let found = after_gap("", "Nf3 a6 Ng1 a5");
    assert_eq!(found, "", "nobody knows what White played");
}

#[test]
fn a_castling_that_is_half_made_at_the_end_of_a_gap_is_no_walk_of_the_king() {
    // Bh6 Kf1 Bg7 Kg1 would lead to this board, too.
    let mut world = World::without_clock();
    let mut position = Chess::default();
    for san in "e4 e5 f4 exf4 Nf3 g5 Bc4".split_whitespace() {
        play(&mut world, &mut position, san, "");
        world.play("3.0 still");
    }
    world.play("0.0 down");
    play(&mut world, &mut position, "Bg7", "unheard ");
    world.play("0.2 unheard lift e1\n0.4 unheard place K g1\n0.5 up\n0.9 still");
    assert_eq!(world.record(), "e4 e5 f4 exf4 Nf3 g5 Bc4");
    world.play("0.1 lift h1\n0.3 place R f1\n9.0 still");
    assert_eq!(world.record(), "e4 e5 f4 exf4 Nf3 g5 Bc4 Bg7 O-O");
}

#[test]
fn captures_and_castlings_are_found() {
    assert_eq!(after_gap("e4 e5 Nf3 Nc6 Bc4 Bc5", "O-O Nf6"), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6");
    assert_eq!(after_gap("e4 d5", "exd5 Qxd5 Nc3 Qa5"), "e4 d5 exd5 Qxd5 Nc3 Qa5");
    assert_eq!(after_gap("e4 a6 e5 d5", "exd6 exd6"), "e4 a6 e5 d5 exd6 exd6");
}

/// Plays the line, then the gap's line while nothing is heard; gives the record after the board came back.
fn after_gap(before: &str, gap: &str) -> String {
    let mut world = World::without_clock();
    let mut position = Chess::default();
    for san in before.split_whitespace() {
        play(&mut world, &mut position, san, "");
        world.play("3.0 still");
    }
    world.play("0.0 down\n1.0 still");
    for san in gap.split_whitespace() {
        play(&mut world, &mut position, san, "unheard ");
    }
    world.play("1.0 up\n9.0 still");
    world.record()
}

fn play(world: &mut World, position: &mut Chess, san: &str, how: &str) {
    let played = san.parse::<San>().expect("a move").to_move(position).expect("a legal move");
    let before = position.board().clone();
    position.play_unchecked(played);
    let after = position.board();
    let emptied = before.occupied() & !after.occupied();
    for square in emptied {
        world.play(&format!("0.1 {how}lift {square}"));
    }
    for (square, piece) in after.clone() {
        if before.piece_at(square) != Some(piece) {
            world.play(&format!("0.2 {how}place {} {square}", piece.char()));
        }
    }
}

#[test]
fn a_victim_taken_off_right_after_a_press_is_no_illegal_move_of_the_presser() {
    let mut world = World::from_fen("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8");
    world.play(
        "0.0 lift a2\n0.3 place P a3\n0.3 press\n0.35 lift e4\n0.6 lift f6\n1.3 place n e4\n1.4 press\n3.0 still",
    );
    assert_eq!((world.record().as_str(), world.alerts()), ("a3 Nxe4", vec![]));
}

#[test]
fn a_reply_that_rests_on_its_way_leaves_no_press_behind() {
    let mut world = World::from_fen("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 6 8");
    world.play(
        "0.0 lift a2\n0.069 lift c5\n0.07 place P a3\n0.07 press\n0.139 place b b4\n0.219 lift b4
         0.289 lift e3\n0.359 place b e3\n0.87 press\n2.0 still",
    );
    assert_eq!((world.record().as_str(), world.alerts()), ("a3 Bxe3", vec![]));
}

#[test]
fn a_promoted_piece_captured_at_once_is_the_one_that_was_seen() {
    let mut world = World::from_fen_without_clock("r2n1k2/1P3ppp/8/3pP3/4p3/8/2pP2PP/R3K1N1 b Q - 0 20");
    world.play("0.0 lift c2\n0.1 place p c1\n0.2 lift c1\n0.3 place q c1\n0.4 lift a1\n0.5 place R c1\n9.0 still");
    assert_eq!(world.record(), "c1=Q+ Rxc1");
}

#[test]
fn a_pawn_that_paused_is_captured_en_passant_where_it_passed() {
    let mut world = World::from_fen_without_clock("4k3/8/8/8/p7/8/1P6/4K3 w - - 0 1");
    world.play(
        "0.0 lift b2\n0.1 place P b3\n0.2 lift b3\n0.3 place P b4\n0.4 lift a4\n0.5 place p b3\n0.6 lift b4\n9.0 still",
    );
    assert_eq!(world.record(), "b4 axb3");
}
