//! Offences at a table: what each alert is raised for, and the look-alike it is not raised for.

use protocol::feed::{
    Alert, AlertKind, Claim, Command, Entry, GameResult, Proposal, Rules, Side, State, Supervision, TimeClass, Variant,
};

use hall::table::{Said, Say};

use crate::world::World;

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SCANDINAVIAN: &str = "rnbqkbnr/ppp1pppp/8/3p4/4P3/2N5/PPPP1PPP/R1BQKBNR w KQkq - 1 3";
const BOTH_MAY_CASTLE: &str = "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 9";
const ABOUT_TO_PROMOTE: &str = "8/4P1k1/8/8/8/8/6K1/8 w - - 0 60";
const PINNED: &str = "7k/4r3/8/8/8/8/4R3/4K3 w - - 0 40";

const ILLEGAL_KNIGHT: &str = "0.4 lift g1
                              0.8 place N g3
                              1.8 press";
/// The same move, and a reply to it.
const ANSWERED: &str = "0.4 lift g1
                        0.8 place N g3
                        1.6 press
                        5.0 lift b8
                        5.4 place n c6
                        6.2 press";

#[test]
fn a_completed_illegal_move_is_one_only_at_the_press() {
    let found = raised(&laws_of(2023), AFTER_E4_E5, ILLEGAL_KNIGHT);
    assert_eq!(found, ["illegal_move_completed white 7.5.1, 7.5.5"]);
    let corrected = "0.4 lift g1
                     0.8 place N g3
                     2.7 lift g3
                     3.1 place N f3
                     3.9 press";
    assert_eq!(raised(&laws_of(2023), AFTER_E4_E5, corrected), [""; 0]);
}

#[test]
fn in_1993_it_is_one_when_it_is_released() {
    let left = "0.4 lift g1
                0.8 place N g3
                2.7 lift g3
                3.1 place N f3
                3.9 press";
    assert_eq!(raised(&laws_of(1993), AFTER_E4_E5, left), ["illegal_move_completed white 8.1"]);
    let sliding = left.replace("2.7", "1.6").replace("3.1", "2.0");
    assert_eq!(raised(&laws_of(1993), AFTER_E4_E5, &sliding), [""; 0]);
}

#[test]
fn in_1993_a_king_on_its_way_to_castling_has_not_moved_yet() {
    let slowly = "0.4 lift e1
                  0.8 place K g1
                  3.0 lift h1
                  3.4 place R f1";
    let world = played(&laws_of(1993), BOTH_MAY_CASTLE, slowly);
    assert_eq!((world.record().as_str(), alerts(&world)), ("O-O", vec![]));
}

#[test]
fn the_second_one_is_too_many_and_counts_for_one_player_only() {
    let twice = "0.4 lift g1
                 0.8 place N g3
                 1.8 press
                 4.0 lift g3
                 4.4 place N g1
                 8.0 lift g1
                 8.4 place N g3
                 10.0 press white";
    let world = played(&laws_of(2018), AFTER_E4_E5, twice);
    let illegal = "illegal_move_completed white 7.5.1, 7.5.5";
    assert_eq!(alerts(&world), [illegal, illegal, "illegal_limit_reached white 7.5.5"]);
    assert_eq!(offer(&world), "0-1 second_illegal_move");

    let mut world = under(&laws_of(2018), AFTER_E4_E5);
    world.order(&Command::IllegalMoves { white: 0, black: 1 });
    world.play(ILLEGAL_KNIGHT);
    assert_eq!(alerts(&world), [illegal]);
}

#[test]
fn one_about_which_there_is_nothing_to_do_counts_against_nobody() {
    let mut world = played(&laws_of(2018), AFTER_E4_E5, ILLEGAL_KNIGHT);
    let raised = |(_, say): &&Said| matches!(say, Say::Entry(Entry::Alert(_)));
    let at = world.said.iter().find(raised).map(|(at, _)| *at).expect("it is told");
    let dismissed = Command::Dismiss { kind: AlertKind::IllegalMoveCompleted, at, note: "a misreading".into() };
    // Said once more it is no other one.
    world.order(&dismissed);
    world.order(&dismissed);
    world.order(&Command::Restore { to: 0 });
    world.play("1 lift g3\n1.4 place N g1\n6 lift g1\n6.4 place N g3\n8 press white\n9 still");
    let illegal = "illegal_move_completed white 7.5.1, 7.5.5";
    assert_eq!(alerts(&world), [illegal, illegal]);
    world.play("1 lift g3\n1.4 place N g1\n6 lift g1\n6.4 place N g3\n8 press white\n9 still");
    assert_eq!(alerts(&world).last().map(String::as_str), Some("illegal_limit_reached white 7.5.5"));
}

#[test]
fn at_the_limit_the_game_is_drawn_where_the_opponent_cannot_mate() {
    let mut world = under(&laws_of(2023), "4k3/8/8/8/8/8/R7/4K3 w - - 0 40");
    world.order(&Command::IllegalMoves { white: 1, black: 0 });
    world.play(
        "0.4 lift a2
         0.8 place R b3
         1.8 press",
    );
    assert_eq!(offer(&world), "1/2-1/2 second_illegal_move");
}

#[test]
fn what_an_illegal_move_costs_stands_in_the_tables() {
    use Supervision::{Full, Limited};
    use TimeClass::{Blitz, Rapid, Standard};
    for (year, class, supervision, expected) in [
        (1993, Standard, Full, "restore"),
        (2009, Standard, Full, "restore_and_penalise black 120"),
        (2014, Rapid, Full, "restore_and_penalise black 120"),
        (2014, Rapid, Limited, "0-1 illegal_move_rapid_limited"),
        (2014, Blitz, Full, "restore_and_penalise black 60"),
        (2014, Blitz, Limited, "0-1 illegal_move_blitz_limited"),
        (2018, Rapid, Limited, "restore_and_penalise black 120"),
        (2018, Blitz, Limited, "restore_and_penalise black 60"),
        (2023, Rapid, Full, "restore_and_penalise black 60"),
        (2023, Standard, Full, "restore_and_penalise black 120"),
    ] {
        let rules = Rules { time_class: class, supervision, ..laws_of(year) };
        let world = played(&rules, AFTER_E4_E5, ILLEGAL_KNIGHT);
        assert_eq!(offer(&world), expected, "{year} {class:?} {supervision:?}");
        assert_eq!(world.state(), State::AwaitingArbiter);
    }
}

#[test]
fn in_2009_under_limited_supervision_a_player_has_to_claim() {
    let rules = Rules { time_class: TimeClass::Rapid, supervision: Supervision::Limited, ..laws_of(2009) };
    let world = played(&rules, AFTER_E4_E5, ILLEGAL_KNIGHT);
    assert_eq!((alerts(&world), offer(&world)), (vec![], String::new()));
    assert_eq!(world.state(), State::Playing);

    let mut world = played(&rules, AFTER_E4_E5, ILLEGAL_KNIGHT);
    world.order(&Command::Claim { side: Side::Black, claim: Claim::IllegalMove, intended: None });
    assert_eq!(alerts(&world), ["illegal_move_completed white A.4.c"]);
    assert_eq!(offer(&world), "restore_and_penalise black 120");
}

#[test]
fn what_is_proposed_says_what_to_restore_and_what_binds() {
    let world = played(&laws_of(2023), AFTER_E4_E5, ILLEGAL_KNIGHT);
    let Proposal { restore, squares, touch_move, .. } = last_proposal(&world).expect("the tariff");
    assert_eq!(restore.as_deref(), Some(AFTER_E4_E5));
    assert_eq!(squares, ["g1", "g3"]);
    assert_eq!(touch_move.and_then(|bound| bound.must_move).as_deref(), Some("g1"));
}

#[test]
fn under_limited_supervision_a_move_stands_once_the_opponent_has_moved() {
    let illegal = "illegal_move_completed white A.5.2, A.3";
    let world = played(&limited(), AFTER_E4_E5, ANSWERED);
    assert_eq!(alerts(&world), [illegal, "illegal_move_stands white A.5.2"]);
    assert_eq!((world.record().as_str(), world.state()), ("g1g3 Nc6", State::Playing));

    let full = Rules { supervision: Supervision::Full, ..limited() };
    let world = played(&full, AFTER_E4_E5, ANSWERED);
    assert_eq!(alerts(&world), ["illegal_move_completed white A.3, A.4, 7.5.5"]);
    assert_eq!((world.record().as_str(), world.state()), ("", State::AwaitingArbiter));
}

#[test]
fn once_an_illegal_move_stands_nothing_is_offered_about_it_any_more() {
    for (year, class, before, cost) in [
        (2014, TimeClass::Rapid, 0, "0-1 illegal_move_rapid_limited"),
        (2014, TimeClass::Blitz, 0, "0-1 illegal_move_blitz_limited"),
        (2018, TimeClass::Rapid, 0, "restore_and_penalise black 120"),
        (2018, TimeClass::Rapid, 1, "0-1 second_illegal_move"),
        (2023, TimeClass::Blitz, 0, "restore_and_penalise black 60"),
        (2023, TimeClass::Blitz, 1, "0-1 second_illegal_move"),
    ] {
        let rules = Rules { time_class: class, ..Rules { edition: year, ..limited() } };
        let mut world = under(&rules, AFTER_E4_E5);
        world.order(&Command::IllegalMoves { white: before, black: 0 });
        let mut undecided = under(&rules, AFTER_E4_E5);
        undecided.order(&Command::IllegalMoves { white: before, black: 0 });
        undecided.play(ILLEGAL_KNIGHT).play("4.0 still");
        assert_eq!(offer(&undecided), cost, "{year} {class:?}");
        world.play(ANSWERED).play("4.0 still");
        assert_eq!((offer(&world).as_str(), world.state()), ("", State::Playing), "{year} {class:?}");
        assert!(world.refuse(&Command::Confirm).contains("nothing is proposed"));
    }
}

#[test]
fn once_the_players_have_restored_the_position_only_what_the_offence_costs_is_offered() {
    let put_right = "0.4 lift g1
                     0.8 place N g3
                     1.8 press
                     4.0 lift g3
                     4.4 place N g1
                     6.0 lift g1
                     6.4 place N f3
                     8.0 press white";
    for (year, cost) in [(2023, "penalise black 120"), (1993, "")] {
        let world = played(&laws_of(year), AFTER_E4_E5, put_right);
        assert_eq!((world.record().as_str(), world.state()), ("Nf3", State::Playing));
        assert_eq!(offer(&world), cost);
        let Proposal { restore, squares, touch_move, clocks_ms, .. } = last_proposal(&world).expect("something was");
        assert_eq!((restore, squares.len(), touch_move, clocks_ms), (None, 0, None, None), "{year}");
    }
}

#[test]
fn a_record_with_a_move_that_stands_is_read_back() {
    let world = played(&limited(), AFTER_E4_E5, ANSWERED);
    let record = world.table.record().expect("a game is on");
    let mut again = under(&limited(), AFTER_E4_E5);
    again.table.resume(Some(&record), 60_000, &mut Vec::new());
    assert_eq!(again.table.record(), Some(record));
}

#[test]
fn both_kings_in_check_wait_for_the_next_move() {
    let discovered = "0.4 lift e2
                      0.8 place R h2
                      1.6 press";
    let world = played(&limited(), PINNED, discovered);
    assert_eq!(alerts(&world), ["both_kings_in_check - A.5.4", "illegal_move_completed white A.5.2, A.3"]);
    assert_eq!(world.state(), State::Playing);

    let mut world = played(&limited(), PINNED, discovered);
    world.play(
        "0.4 lift h8
         0.8 place k g8
         1.6 press",
    );
    assert_eq!((world.record().as_str(), world.state()), ("e2h2 Kg8+", State::Playing));

    let mut world = played(&limited(), PINNED, discovered);
    world.play(
        "0.4 lift e7
         0.8 place r e6
         1.6 press",
    );
    assert_eq!((offer(&world).as_str(), world.state()), ("1/2-1/2 illegal_position", State::AwaitingArbiter));

    let quiet = discovered.replace("h2", "a2");
    assert_eq!(raised(&limited(), PINNED, &quiet), ["illegal_move_completed white A.5.2, A.3"]);
}

#[test]
fn a_pawn_on_its_last_rank_waits_only_under_limited_supervision() {
    let left = "0.4 lift e7
                0.8 place P e8
                1.7 press";
    let incomplete = "promotion_incomplete white 7.5.2";
    let world = played(&limited(), ABOUT_TO_PROMOTE, left);
    assert_eq!(alerts(&world), ["pawn_on_last_rank white A.5.4", incomplete]);
    assert_eq!((offer(&world).as_str(), world.state()), ("replace_by_queen_and_penalise black 60", State::Playing));
    assert_eq!(raised(&laws_of(2023), ABOUT_TO_PROMOTE, left), [incomplete]);
}

#[test]
fn a_pawn_that_still_stands_there_after_the_next_move_draws_the_game() {
    let left = "0.4 lift e7\n0.8 place P e8\n1.7 press";
    let step = "0.4 lift g7\n0.8 place k h6\n1.8 press\n6 still";
    let mut stays = played(&limited(), ABOUT_TO_PROMOTE, left);
    stays.play(step);
    assert_eq!((offer(&stays).as_str(), stays.state()), ("1/2-1/2 illegal_position", State::AwaitingArbiter));
    let mut replaced = played(&limited(), ABOUT_TO_PROMOTE, left);
    replaced.play("1 lift e8\n1.5 place Q e8\n2 still");
    replaced.play(step);
    assert_eq!((replaced.record().as_str(), replaced.state()), ("e8=Q Kh6", State::Playing));
}

#[test]
fn a_reply_that_is_not_legal_either_is_told_too_and_the_first_one_may_stand_still() {
    let illegal_reply = "0.4 lift b8\n0.8 place n b6\n1.8 press";
    let mut world = played(&limited(), AFTER_E4_E5, ILLEGAL_KNIGHT);
    world.play(illegal_reply);
    let (first, second) = ("illegal_move_completed white A.5.2, A.3", "illegal_move_completed black A.5.2, A.3");
    assert_eq!(alerts(&world), [first, second]);
    world.play("2 press black\n4 still");
    assert_eq!(alerts(&world), [first, second], "once is enough");
    world.play("1 lift b6\n1.4 place n c6\n3 press black\n5 still");
    assert_eq!(alerts(&world)[2..], ["illegal_move_stands white A.5.2".to_owned()]);
    assert_eq!(world.record(), "g1g3 Nc6");
}

#[test]
fn a_pawn_left_on_its_last_rank_is_a_queen_since_2014() {
    let left = "0.4 lift e7
                0.8 place P e8
                1.7 press";
    let world = played(&laws_of(2014), ABOUT_TO_PROMOTE, left);
    assert_eq!(
        (world.record().as_str(), alerts(&world)),
        ("e8=Q", vec!["promotion_incomplete white 7.5.a".to_owned()])
    );
    assert_eq!(offer(&world), "replace_by_queen_and_penalise black 120");
    let world = played(&laws_of(2009), ABOUT_TO_PROMOTE, left);
    assert_eq!((world.record().as_str(), offer(&world).as_str()), ("", "restore_and_penalise black 120"));
    let replaced = "0.4 lift e7
                    0.8 place P e8
                    1.2 lift e8
                    1.6 place Q e8
                    2.4 press";
    assert_eq!(raised(&laws_of(2014), ABOUT_TO_PROMOTE, replaced), [""; 0]);
}

#[test]
fn a_pawn_can_become_neither_a_king_nor_a_man_of_the_opponent() {
    for wrong in ["K", "q"] {
        let script = format!(
            "0.4 lift e7
             0.8 place {wrong} e8
             1.7 press"
        );
        let found = raised(&laws_of(2023), ABOUT_TO_PROMOTE, &script);
        assert_eq!(found, ["illegal_move_completed white 7.5.1, 7.5.5"], "{wrong}");
    }
}

#[test]
fn before_2014_the_pawn_went_to_its_last_rank_first() {
    let straight = "0.4 lift e7
                    0.8 place Q e8
                    1.6 press";
    assert_eq!(raised(&laws_of(2009), ABOUT_TO_PROMOTE, straight), ["promotion_procedure white 3.7.e, 4.6.c"]);
    assert_eq!(raised(&laws_of(2014), ABOUT_TO_PROMOTE, straight), [""; 0]);
    let stepped = "0.4 lift e7
                   0.8 place P e8
                   1.2 lift e8
                   1.6 place Q e8
                   2.4 press";
    assert_eq!(raised(&laws_of(2009), ABOUT_TO_PROMOTE, stepped), [""; 0]);
}

#[test]
fn a_press_without_a_move_is_judged_by_its_edition() {
    let press = "3.4 press";
    for (year, expected) in [
        (1993, vec![]),
        (2009, vec!["improper_clock_use white 6.7.c"]),
        (2014, vec!["improper_clock_use white 6.2.c"]),
        (2018, vec!["no_move_clock_press white 7.5.3"]),
        (2023, vec!["no_move_clock_press white 7.5.3"]),
    ] {
        assert_eq!(raised(&laws_of(year), AFTER_E4_E5, press), expected, "{year}");
    }
    let moved = "0.4 lift g1
                 0.8 place N f3
                 3.4 press";
    assert_eq!(raised(&laws_of(2023), AFTER_E4_E5, moved), [""; 0]);
    let leaning = "3.4 press
                   6.0 press white";
    assert_eq!(raised(&laws_of(2023), AFTER_E4_E5, leaning), ["no_move_clock_press white 7.5.3"]);
}

#[test]
fn restoring_is_neither_a_touch_nor_a_takeback_and_the_game_goes_on_by_itself() {
    let put_right = "0.4 lift g1
                     0.8 place N g3
                     1.8 press
                     5.0 lift g3
                     6.5 place N g1
                     9.0 lift b1
                     9.4 place N c3
                     11.0 press white";
    let world = played(&laws_of(2023), AFTER_E4_E5, put_right);
    assert_eq!((world.record().as_str(), world.state()), ("Nc3", State::Playing));
    assert_eq!(alerts(&world), ["illegal_move_completed white 7.5.1, 7.5.5"]);
}

#[test]
fn a_new_game_does_not_wait_for_what_the_last_one_waited_for() {
    let mut world = World::from_fen(AFTER_E4_E5);
    world.order(&Command::Stop);
    world.order(&Command::NewGame { fen: Some(AFTER_E4_E5.to_owned()), variant: Variant::Standard });
    world.play(
        "3.4 lift g1
         3.8 place N g3
         4.8 press
         8.0 lift g3
         8.4 place N f3
         10.0 press white
         14.0 still",
    );
    assert_eq!((world.record().as_str(), world.state()), ("Nf3", State::Playing));
}

#[test]
fn a_legal_move_straight_from_the_illegal_one_goes_on_too() {
    let moved_on = "0.4 lift g1
                    0.8 place N g3
                    1.8 press
                    5.0 lift g3
                    5.4 place N f3
                    7.0 press white";
    let world = played(&laws_of(2023), AFTER_E4_E5, moved_on);
    assert_eq!((world.record().as_str(), world.state()), ("Nf3", State::Playing));
}

#[test]
fn another_illegal_square_after_the_press_is_out_of_turn() {
    let again = "0.4 lift g1
                 0.8 place N g3
                 1.8 press
                 5.0 lift g3
                 5.4 place N g4
                 7.0 press white";
    let found = raised(&laws_of(2023), AFTER_E4_E5, again);
    assert_eq!(found, ["illegal_move_completed white 7.5.1, 7.5.5", "move_out_of_turn white 1.2, 7.5.1"]);
}

#[test]
fn replies_to_an_illegal_move_are_followed_without_further_alerts() {
    let answered = "0.4 lift g1
                    0.8 place N g3
                    1.8 press
                    4.0 lift b8
                    4.4 place n c6
                    6.0 press
                    8.0 lift g3
                    8.4 place N h5
                    12.0 still";
    let world = played(&laws_of(2023), AFTER_E4_E5, answered);
    assert_eq!((world.record().as_str(), world.state()), ("", State::AwaitingArbiter));
    assert_eq!(alerts(&world), ["illegal_move_completed white 7.5.1, 7.5.5"]);
}

#[test]
fn what_a_press_without_a_move_costs_is_reckoned_from_the_clocks_at_that_press() {
    let mut world = under(&laws_of(2023), AFTER_E4_E5);
    world.play("0 clock 600 500\n0.1 tick\n5 tick\n5.4 press adds 30\n20 tick\n30 tick");
    assert_eq!((offer(&world).as_str(), world.alerts()), ("penalise black 120", vec![AlertKind::NoMoveClockPress]));
    let clocks = last_proposal(&world).and_then(|proposal| proposal.clocks_ms).expect("the clock is heard");
    assert_eq!((clocks.white, clocks.black), (595_000, 500_000), "nothing was gained, and Black's time has stood");
}

#[test]
fn what_may_be_a_misreading_is_confirmed_once_and_never_repeated() {
    // Beside b3 stands a3, where the knight might have gone.
    let beside = "0.4 lift b1\n0.8 place N b3\n1.1 press";
    let confirmed = |world: &World| {
        let at = |(at, say): &Said| match say {
            Say::Entry(Entry::Confirmed { of: AlertKind::IllegalMoveCompleted }) => Some(*at),
            Say::Entry(_) | Say::Sight(_) | Say::AskDump(_) | Say::AskProof(_) => None,
        };
        world.said.iter().filter_map(at).collect::<Vec<_>>()
    };
    let mut world = under(&laws_of(2023), AFTER_E4_E5);
    let begun = world.play(beside).said.last().map_or(0, |(at, _)| *at);
    assert_eq!(confirmed(&world), [0; 0]);
    world.play("4.0 still");
    assert_eq!(confirmed(&world), [begun + 700], "the man has stood for a second");
    assert_eq!(world.alerts(), [AlertKind::IllegalMoveCompleted]);

    let mut restored = under(&laws_of(2023), AFTER_E4_E5);
    restored.play(beside).order(&Command::Restore { to: 0 });
    assert_eq!(confirmed(&restored).len(), 1, "who decides about it has looked at it");

    let mut sure = under(&laws_of(2023), AFTER_E4_E5);
    sure.play(ILLEGAL_KNIGHT).play("4.0 still");
    assert_eq!(confirmed(&sure), [0; 0], "it was sure from the beginning");
}

#[test]
fn however_many_plies_are_played_on_top_of_an_illegal_move_none_is_said_to_be_missing() {
    let played_on = "0.4 lift b1\n0.8 place N b3\n1.8 press
                     3.4 lift g8\n3.8 place n f6\n4.8 press
                     5.4 lift d2\n5.8 place P d3\n6.8 press
                     7.4 lift d7\n7.8 place p d6\n8.8 press
                     9.4 lift c1\n9.8 place B e3\n10.8 press";
    let world = played(&laws_of(2023), AFTER_E4_E5, played_on);
    assert_eq!(world.alerts(), [AlertKind::IllegalMoveCompleted]);
    assert_eq!(world.shown(), world.board().to_string(), "screens follow the board");
}

#[test]
fn a_decision_of_the_arbiter_is_not_taken_by_playing_on() {
    let mut world = under(&laws_of(2023), AFTER_E4_E5);
    world.order(&Command::IllegalMoves { white: 1, black: 0 });
    world.play(ILLEGAL_KNIGHT).play(
        "2.0 lift g3
         2.4 place N f3
         4.0 press white
         4.1 still",
    );
    assert_eq!((world.record().as_str(), world.state()), ("Nf3", State::AwaitingArbiter));
    world.order(&Command::Reject);
    assert_eq!(world.state(), State::Playing);
}

#[test]
fn while_an_earlier_position_is_set_up_again_nothing_is_a_move() {
    let mut world = under(&laws_of(2023), START);
    world.play(
        "0.4 lift e2
         0.8 place P e4
         2.0 press
         3.0 lift e7
         3.4 place p e5
         5.0 press
         5.2 still",
    );
    world.order(&Command::Restore { to: 1 });
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4", "e4"));
    // The black pawn rests where it stood, a white man is lifted: what would make e5 final again.
    world.play(
        "3.0 lift g1
         4.0 place N g1
         6.0 lift e5
         6.4 place p e7
         9.0 lift c7
         9.4 place p c5
         10.4 press black
         10.8 still",
    );
    assert_eq!((world.record().as_str(), alerts(&world)), ("e4 c5", vec![]));
}

#[test]
fn a_board_that_names_nobody_shows_an_illegal_move_too() {
    let script = ILLEGAL_KNIGHT.replace("place N", "place ?");
    assert_eq!(raised(&laws_of(2023), AFTER_E4_E5, &script), ["illegal_move_completed white 7.5.1, 7.5.5"]);
}

#[test]
fn a_promoted_piece_nobody_has_seen_is_taken_for_a_queen() {
    let unseen = "0.4 lift e7
                  0.8 place ? e8
                  1.2 lift e8
                  1.6 place ? e8
                  2.4 press";
    assert_eq!(raised(&laws_of(2023), ABOUT_TO_PROMOTE, unseen), ["promotion_piece_unconfirmed white 3.7.3.3, 4.4.4"]);
    assert_eq!(raised(&laws_of(2023), ABOUT_TO_PROMOTE, &unseen.replace('?', "Q")), [""; 0]);
}

#[test]
fn a_promoted_piece_stays() {
    let exchanged = "0.4 lift e7
                     0.8 place Q e8
                     1.2 lift e8
                     1.6 place R e8
                     2.4 press";
    assert_eq!(raised(&laws_of(2023), ABOUT_TO_PROMOTE, exchanged), ["released_piece_moved white 4.4.4"]);
    let world = played(&laws_of(2023), ABOUT_TO_PROMOTE, exchanged);
    let evidence =
        world.entries().find_map(|entry| if let Entry::Alert(alert) = entry { alert.evidence.clone() } else { None });
    let told = evidence.map(|told| (told.square, told.expected, told.dwell_ms));
    assert_eq!(told, Some((Some("e8".to_owned()), Some("Q".to_owned()), Some(400))));
    let passing = exchanged.replace("1.2 lift", "0.85 lift");
    assert_eq!(raised(&laws_of(2023), ABOUT_TO_PROMOTE, &passing), [""; 0]);
}

#[test]
fn the_arbiter_confirms_what_is_proposed() {
    let mut world = under(&laws_of(2023), AFTER_E4_E5);
    world.order(&Command::IllegalMoves { white: 1, black: 0 });
    world.play(ILLEGAL_KNIGHT);
    world.order(&Command::Confirm);
    assert_eq!((world.state(), world.result()), (State::Ended, GameResult::BlackWins));
}

#[test]
fn a_touched_man_that_can_move_must_be_moved() {
    let touched = "0.4 lift g1
                   1.7 place N g1
                   3.0 lift e2
                   3.4 place P e4
                   4.2 press";
    assert_eq!(raised(&laws_of(2023), START, touched), ["touch_move_suspect white 4.3.1"]);
    let stuck = touched.replace("g1", "a1").replace('N', "R");
    assert_eq!(raised(&laws_of(2023), START, &stuck), [""; 0]);
}

#[test]
fn adjusting_that_was_announced_is_no_touch() {
    let touched = "0.4 lift g1
                   1.7 place N g1
                   3.0 lift e2
                   3.4 place P e4
                   4.2 press";
    let mut world = under(&laws_of(2023), START);
    world.order(&Command::AdjustAnnounced { side: Side::White });
    world.play(touched).play("1.0 still");
    assert_eq!(alerts(&world), [""; 0]);
    let mut world = under(&laws_of(2023), START);
    world.order(&Command::AdjustAnnounced { side: Side::Black });
    world.play(touched).play("1.0 still");
    assert_eq!(alerts(&world), ["touch_move_suspect white 4.3.1"]);
}

#[test]
fn on_a_peg_board_a_man_is_touched_when_it_leaves_its_hole() {
    let felt = "0.4 lift g1
                0.7 place N g1
                3.0 lift e2
                3.4 place P e4
                4.2 press";
    let pegs = Rules { pegs: true, ..laws_of(2023) };
    assert_eq!(raised(&pegs, START, felt), ["touch_move_suspect white D.2.2, 4.3.1"]);
    assert_eq!(raised(&laws_of(2023), START, felt), [""; 0]);
}

#[test]
fn a_touched_man_of_the_opponent_that_can_be_taken_must_be_taken() {
    let touched = "0.4 lift d5
                   1.7 place p d5
                   3.0 lift d2
                   3.4 place P d3
                   4.2 press";
    assert_eq!(raised(&laws_of(2023), SCANDINAVIAN, touched), ["touch_capture_suspect white 4.3.2"]);
    let safe = touched.replace("d5", "d8").replace('p', "q").replace("qlace", "place").replace("qress", "press");
    assert_eq!(raised(&laws_of(2023), SCANDINAVIAN, &safe), ["touch_out_of_turn black 4.2.1, 6.2.5"], "whose hand?");
}

#[test]
fn two_touched_men_that_can_meet_must_meet() {
    let by_pawn = "0.4 lift c3
                   1.5 place N c3
                   2.4 lift d5
                   3.1 lift e4
                   3.5 place P d5
                   4.3 press";
    assert_eq!(raised(&laws_of(2023), SCANDINAVIAN, by_pawn), ["touch_both_suspect white 4.3.3"]);
    let out_of_reach = "0.4 lift g1
                        1.5 place N g1
                        2.4 lift d5
                        3.5 place p d5
                        4.4 lift g1
                        4.8 place N f3
                        5.6 press";
    assert_eq!(raised(&laws_of(2023), SCANDINAVIAN, out_of_reach), [""; 0]);
}

#[test]
fn castling_begins_with_the_king() {
    let rook_first = "0.4 lift h1
                      0.8 place R f1
                      1.7 lift e1
                      2.1 place K g1
                      3.0 press";
    let world = played(&laws_of(2023), BOTH_MAY_CASTLE, rook_first);
    assert_eq!(alerts(&world), ["castling_rook_first white 4.4.2"]);
    assert_eq!((offer(&world).as_str(), world.state()), ("rule_4_4 h1", State::AwaitingArbiter));
    let world = played(&laws_of(1993), BOTH_MAY_CASTLE, rook_first);
    assert_eq!(offer(&world), "rule_5_1_C h1");
    let king_first = "0.4 lift e1
                      0.8 place K g1
                      1.7 lift h1
                      2.1 place R f1
                      3.0 press";
    assert_eq!(raised(&laws_of(2023), BOTH_MAY_CASTLE, king_first), [""; 0]);
}

#[test]
fn castling_with_the_rook_first_is_settled_by_the_next_move_not_by_its_own_press() {
    let unpressed = "0.4 lift h1
                     0.8 place R f1
                     1.7 lift e1
                     2.1 place K g1
                     4.0 lift g7
                     4.6 still";
    let mut world = played(&laws_of(2023), BOTH_MAY_CASTLE, unpressed);
    world.play("0.1 press\n0.2 still");
    assert_eq!(world.state(), State::AwaitingArbiter);
    world.play(
        "0.4 place p g6
         1.5 press
         1.8 still",
    );
    assert_eq!((world.record().as_str(), world.state()), ("O-O g6", State::Playing));
}

#[test]
fn a_king_released_two_squares_away_has_to_castle() {
    let released = "0.4 lift e1
                    0.8 place K g1
                    2.7 lift g1
                    3.1 place K f1
                    4.0 press";
    assert_eq!(raised(&laws_of(2023), BOTH_MAY_CASTLE, released), ["castling_duty_suspect white 4.4.1, 4.7.2"]);
    let passing = released.replace("2.7", "1.4").replace("3.1", "1.8");
    assert_eq!(raised(&laws_of(2023), BOTH_MAY_CASTLE, &passing), [""; 0]);
}

#[test]
fn king_and_rook_that_were_both_touched_have_to_castle() {
    let both = |first: &str, then: &str| {
        let man = |square: &str| if square == "e1" { "K" } else { "R" };
        format!(
            "0.4 lift {first}\n1.6 place {} {first}\n2.2 lift {then}\n3.4 place {} {then}
             4.4 lift e1\n4.8 place K f1\n5.8 press",
            man(first),
            man(then)
        )
    };
    let duty = "castling_duty_suspect white 4.4.1, 4.7.2";
    assert_eq!(raised(&laws_of(2023), BOTH_MAY_CASTLE, &both("e1", "h1")), [duty]);
    let rook_first = raised(&laws_of(2023), BOTH_MAY_CASTLE, &both("h1", "e1"));
    assert_eq!(rook_first, ["touch_move_suspect white 4.3.1"], "the rook was bound to move");
    let brushed = both("e1", "h1").replace("3.4", "2.6");
    assert_eq!(raised(&laws_of(2023), BOTH_MAY_CASTLE, &brushed), [""; 0]);
    let hindered = BOTH_MAY_CASTLE.replace("KQkq", "Qkq");
    assert_eq!(raised(&laws_of(2023), &hindered, &both("e1", "h1")), [""; 0], "castling there is not legal");
}

#[test]
fn a_released_man_stays() {
    let moved_on = "0.4 lift e2
                    0.8 place P e4
                    2.8 lift e4
                    3.2 place P e3
                    4.1 press";
    assert_eq!(raised(&laws_of(2023), START, moved_on), ["released_piece_moved white 4.7"]);
    let passing = moved_on.replace("2.8", "1.5").replace("3.2", "1.9");
    assert_eq!(raised(&laws_of(2023), START, &passing), [""; 0]);
}

#[test]
fn king_and_rook_in_the_air_together_are_in_two_hands() {
    let together = "0.4 lift e1
                    0.8 lift h1
                    1.2 place K g1
                    1.6 place R f1
                    2.4 press";
    assert_eq!(raised(&laws_of(2023), BOTH_MAY_CASTLE, together), ["two_hands_suspect white 4.1, 7.5.4"]);
    assert_eq!(raised(&laws_of(1993), BOTH_MAY_CASTLE, together), [""; 0]);
    let through_check = "4k3/8/8/8/8/8/5r2/R3K2R w KQ - 0 1";
    let illegal = ["illegal_move_completed white 7.5.1, 7.5.5", "two_hands_suspect white 4.1, 7.5.4"];
    assert_eq!(raised(&laws_of(2023), through_check, together), illegal, "the castling need not be legal");
    let one_by_one = "0.4 lift e1
                      0.8 place K g1
                      1.2 lift h1
                      1.6 place R f1
                      2.4 press";
    assert_eq!(raised(&laws_of(2023), BOTH_MAY_CASTLE, one_by_one), [""; 0]);
}

#[test]
fn who_does_not_have_the_move_may_not_move() {
    let black_first = "0.4 lift e7
                       0.8 place p e5
                       1.6 press black";
    assert_eq!(raised(&laws_of(2023), START, black_first), ["move_out_of_turn black 1.2, 7.5.1"]);
    let fast_reply = "0.4 lift e2
                      0.8 place P e4
                      0.9 press
                      1.0 lift e7
                      1.2 place p e5
                      1.6 press";
    assert_eq!(raised(&laws_of(2023), START, fast_reply), [""; 0]);
}

#[test]
fn who_does_not_have_the_move_may_not_touch() {
    let touched = "0.4 lift d7
                   1.7 place p d7
                   3.0 lift e2
                   3.4 place P e4
                   4.2 press";
    assert_eq!(raised(&laws_of(2023), START, touched), ["touch_out_of_turn black 4.2.1, 6.2.5"]);
    let adjusted = touched.replace("1.7", "0.9");
    assert_eq!(raised(&laws_of(2023), START, &adjusted), [""; 0]);
}

#[test]
fn three_men_in_the_air_are_an_accident_and_two_are_not() {
    let knocked = "0.4 lift d1
                   0.8 lift d2
                   1.2 lift e2
                   4.1 place Q d1
                   4.8 place P d2
                   5.5 place P e4
                   6.5 press";
    assert_eq!(raised(&laws_of(2023), START, knocked), ["displaced_pieces white 7.4"]);
    let two = "0.4 lift d2
               0.5 lift e2
               0.9 place P d2
               1.3 place P e4
               2.5 press";
    assert_eq!(raised(&laws_of(2023), START, two), [""; 0]);
}

#[test]
fn a_man_left_on_a_wrong_square_is_a_mismatch_until_it_is_put_right() {
    let left = "0.4 lift c2
                0.8 place P c3
                1.5 lift e2
                1.9 place P e4
                2.9 press";
    let world = played(&laws_of(2023), START, left);
    assert_eq!(alerts(&world), ["position_mismatch white 7.6"]);
    let put_right = "0.4 lift c2
                     0.8 place P c3
                     1.5 lift e2
                     1.9 place P e4
                     2.2 lift c3
                     2.5 place P c2
                     2.9 press";
    // It had been let go there for more than a second.
    let questions = ["touch_move_suspect white 4.3.1", "released_piece_moved white 4.7"];
    assert_eq!(raised(&laws_of(2023), START, put_right), questions, "other questions");
}

#[test]
fn mate_by_a_move_that_is_in_question_is_for_the_arbiter() {
    let questioned = "0.4 lift b1
                      1.7 place N b1
                      3.0 lift a1
                      3.4 place R a8
                      6.0 still";
    let world = played(&laws_of(2023), "6k1/5ppp/8/8/8/8/8/RN2K3 w - - 0 30", questioned);
    assert_eq!(alerts(&world), ["touch_move_suspect white 4.3.1", "checkmate white 5.1.1"]);
    assert_eq!((world.state(), world.result()), (State::AwaitingArbiter, GameResult::Open));
    assert_eq!(offer(&world), "1-0 checkmate");
}

#[test]
fn each_ply_has_its_instants() {
    let world = played(
        &laws_of(2023),
        START,
        "0.4 lift e2
         0.8 place P e4
         2.0 press",
    );
    let instants = world.entries().find_map(|entry| {
        let Entry::Instants { ply, touched, placed, pressed, settled } = entry else { return None };
        Some((*ply, *touched, *placed, *pressed, *settled))
    });
    assert_eq!(instants, Some((1, Some(10_400), Some(10_800), Some(12_000), 12_000)));
}

fn laws_of(edition: u16) -> Rules {
    Rules { edition, ..Rules::default() }
}

fn limited() -> Rules {
    Rules { time_class: TimeClass::Rapid, supervision: Supervision::Limited, ..laws_of(2023) }
}

fn under(rules: &Rules, fen: &str) -> World {
    let mut world = World::from_fen(fen);
    world.order(&Command::Rules { rules: Box::new(rules.clone()) });
    world
}

fn played(rules: &Rules, fen: &str, script: &str) -> World {
    let mut world = under(rules, fen);
    world.play(script).play("4.0 still");
    world
}

fn raised(rules: &Rules, fen: &str, script: &str) -> Vec<String> {
    alerts(&played(rules, fen, script))
}

/// The alerts above trace that have to do with the Laws, each as kind, side and article.
fn alerts(world: &World) -> Vec<String> {
    let alert = |entry: &Entry| if let Entry::Alert(alert) = entry { Some(alert.clone()) } else { None };
    let told = |alert: Box<Alert>| {
        let article = alert.article.clone()?;
        let side = alert.side.map_or("-".to_owned(), |side| word(&side));
        let counts = alert.severity > protocol::feed::Severity::Trace;
        counts.then(|| format!("{} {side} {article}", word(&alert.kind)))
    };
    world.entries().filter_map(alert).filter_map(told).collect()
}

fn last_proposal(world: &World) -> Option<Proposal> {
    let proposal = |entry: &Entry| if let Entry::Proposal(proposal) = entry { Some(proposal.clone()) } else { None };
    world.entries().filter_map(proposal).last()
}

/// What is proposed: `0-1 reason`, or `action side seconds`, or `action square`.
fn offer(world: &World) -> String {
    let Some(Proposal { result, reason, action, bonus_s, must_move, .. }) = last_proposal(world) else {
        return String::new();
    };
    let mut words = Vec::new();
    words.extend(result.map(|result| result.to_string()));
    words.extend(reason.map(|reason| word(&reason)));
    words.extend(action.map(|action| word(&action)));
    let bonus = bonus_s.unwrap_or_default();
    words.extend(bonus.white.map(|seconds| format!("white {seconds}")));
    words.extend(bonus.black.map(|seconds| format!("black {seconds}")));
    words.extend(must_move);
    words.join(" ")
}

fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).expect("plain data").as_str().expect("a word").to_owned()
}
