//! Holes in the record: more was played unheard than anybody can work out, and hands go on.

use protocol::feed::{AlertKind, Command, Entry, State};
use shakmaty::Board;

use crate::world::World;

/// Twelve plies without a trace.
const UNHEARD: [(&str, &str, &str); 12] = [
    ("g1", "N", "f3"),
    ("b8", "n", "c6"),
    ("g2", "P", "g3"),
    ("g7", "p", "g6"),
    ("f1", "B", "g2"),
    ("f8", "b", "g7"),
    ("d2", "P", "d3"),
    ("d7", "p", "d6"),
    ("c2", "P", "c3"),
    ("a7", "p", "a6"),
    ("b2", "P", "b3"),
    ("h7", "p", "h6"),
];
const SANS: [&str; 12] = ["Nf3", "Nc6", "g3", "g6", "Bg2", "Bg7", "d3", "d6", "c3", "a6", "b3", "h6"];

/// A game of which so many plies were not heard.
fn after(plies: usize) -> World {
    let mut world = World::at_start();
    world.play("0.0 down");
    play_unheard(&mut world, &UNHEARD[..plies]);
    world
}

/// They are pressed, and then the board is heard again.
fn play_unheard(world: &mut World, plies: &[(&str, &str, &str)]) {
    hide(world, plies);
    world.play("1.0 up\n5.0 still");
}

/// They are pressed, and nobody hears of them.
fn hide(world: &mut World, plies: &[(&str, &str, &str)]) {
    for (from, man, to) in plies {
        world.play(&format!("0.5 unheard lift {from}\n0.9 unheard place {man} {to}\n1.2 unheard press"));
    }
}

/// Three plies more are pressed, and only the last of them makes four in turn.
fn follows_the_fourth(world: &mut World) {
    world
        .play("0.0 lift b8\n0.5 place n c6\n0.9 press\n2.5 still")
        .play("0.0 lift e2\n0.5 place P e4\n0.9 press\n2.5 still");
    assert!(!shows_its_board(world), "the arbiter may still put it right");
    world.play("0.0 lift e7\n0.5 place p e5\n0.9 press\n2.5 still");
    assert!(shows_its_board(world));
}

fn insert(moves: &[&str]) -> Command {
    Command::Insert { ply: None, moves: moves.iter().map(|played| (*played).to_owned()).collect(), cut: false }
}

fn shows_its_board(world: &World) -> bool {
    world.shown().parse::<Board>().expect("a placement") == world.board()
}

#[test]
fn after_any_number_of_hidden_plies_play_is_followed_from_what_stands_on_the_board() {
    for plies in [11, 12] {
        let mut world = after(plies);
        assert!(shows_its_board(&world) && !world.is_held(), "after {plies}");
        let resyncs = world.alerts().into_iter().filter(|kind| *kind == AlertKind::Resync).count();
        assert_eq!(resyncs, 1, "it is said once that moves are missing");
        let white = "0.0 lift e2\n0.5 place P e4\n0.9 press\n1.4 still";
        let black = "0.0 lift e7\n0.5 place p e5\n0.9 press\n1.4 still";
        let replies = if plies.is_multiple_of(2) { [white, black] } else { [black, white] };
        replies.iter().for_each(|reply| {
            world.play(reply);
            assert!(shows_its_board(&world), "after {plies} and {reply}");
        });
        assert_eq!(world.record(), "", "what lies beyond a hole is never final");
        assert!(!world.is_held() && !world.alerts().contains(&AlertKind::PositionMismatch));
    }
}

#[test]
fn players_who_go_on_from_a_board_that_was_found_wrong_are_followed() {
    let mut world = World::at_start();
    world.play("0.0 lift a2\n0.1 lift h7\n0.5 lift g1\n1.0 place N f3\n1.2 press\n5.0 still");
    assert_eq!(world.alerts(), [AlertKind::PositionMismatch], "two men have gone, and nobody says where");
    follows_the_fourth(&mut world);
    assert_eq!(world.alerts().last(), Some(&AlertKind::Resync), "it is said that moves are missing");
    world.play("0.0 lift f1\n0.5 place B b5\n0.9 press\n2.5 still");
    assert!(shows_its_board(&world), "and what follows is followed");
    assert_eq!((world.state(), world.record().as_str()), (State::AwaitingArbiter, ""), "nothing of it is final");
}

#[test]
fn players_who_go_on_from_a_move_that_is_not_legal_are_followed_too() {
    let mut world = World::at_start();
    world.play("0.0 lift g1\n0.5 place N g4\n0.9 press\n5.0 still");
    assert_eq!(world.alerts(), [AlertKind::IllegalMoveCompleted]);
    follows_the_fourth(&mut world);
    assert_eq!(world.alerts(), [AlertKind::IllegalMoveCompleted], "nothing is missing but that move");
    assert_eq!((world.state(), world.record().as_str()), (State::AwaitingArbiter, ""), "what was said stands");
}

#[test]
fn players_who_go_on_after_a_gap_from_a_board_that_was_wrong_before_it_are_followed() {
    let mut world = World::at_start();
    world.play("0.0 lift a2\n0.1 lift h7\n0.5 lift g1\n1.0 place N f3\n1.2 press\n5.0 still\n5.1 down");
    play_unheard(&mut world, &UNHEARD[1..10]);
    assert!(!shows_its_board(&world), "somebody may be putting it right");
    for (from, man, to) in [("e2", "P", "e4"), ("e7", "p", "e5"), ("b1", "N", "d2"), ("g8", "n", "f6")] {
        world.play(&format!("0.0 lift {from}\n0.5 place {man} {to}\n0.9 press\n2.5 still"));
    }
    assert!(shows_its_board(&world), "{}", world.shown());
}

#[test]
fn where_no_clock_tells_the_moves_they_make_tell_that_players_go_on() {
    let mut world = World::without_clock();
    world.play("0.0 lift a7\n0.5 place p a4\n4.0 still");
    assert_eq!(world.alerts(), [AlertKind::PositionMismatch]);
    for (from, man, to) in [("e2", "P", "e4"), ("e7", "p", "e5"), ("g1", "N", "f3")] {
        world.play(&format!("0.0 lift {from}\n0.5 place {man} {to}\n3.5 still"));
        assert!(!shows_its_board(&world), "the arbiter may still put it right");
    }
    world.play("0.0 lift b8\n0.5 place n c6\n5.0 still");
    assert!(shows_its_board(&world), "{}", world.shown());
}

#[test]
fn nobody_is_judged_by_what_stands_on_a_hole_of_only_some_plies_ago() {
    let mut world = after(12);
    world.play("0.0 lift e2\n0.5 place P e4\n0.9 press\n1.4 still");
    // No square tells of Black's reply, and the lever is read again only after White's next move.
    world.play("0.5 unheard lift e7\n0.9 unheard place p e5\n1.3 unheard press");
    world.play("0.0 lift d1\n0.5 place Q e2\n0.9 press white\n1.4 dump\n5.0 still");
    assert!(shows_its_board(&world), "{}", world.shown());
    let judged = [AlertKind::IllegalMoveCompleted, AlertKind::PositionMismatch, AlertKind::MoveOutOfTurn];
    assert!(!world.alerts().iter().any(|kind| judged.contains(kind)), "{:?}", world.alerts());
}

#[test]
fn a_second_hole_is_followed_like_the_first() {
    let mut world = after(12);
    world.play("0.0 lift e2\n0.5 place P e4\n0.9 press\n1.4 lift e7\n1.9 place p e5\n2.3 press\n2.9 still\n3.0 down");
    let more = [
        ("b1", "N", "d2"),
        ("g8", "n", "f6"),
        ("a2", "P", "a4"),
        ("a6", "p", "a5"),
        ("h2", "P", "h4"),
        ("h6", "p", "h5"),
        ("d1", "Q", "e2"),
        ("d8", "q", "e7"),
        ("c1", "B", "b2"),
        ("c8", "b", "d7"),
        ("f3", "N", "g5"),
        ("c6", "n", "d8"),
    ];
    play_unheard(&mut world, &more);
    assert!(shows_its_board(&world) && !world.is_held(), "{}", world.shown());
}

#[test]
fn men_knocked_over_on_top_of_a_hole_keep_nobody_from_playing_on() {
    let mut world = after(12);
    world.play("0.0 lift c3\n0.2 lift d3\n0.4 lift f3\n0.5 lift b3\n3.0 place P c3\n4.5 place P d3\n6.0 place P b3");
    assert!(world.alerts().contains(&AlertKind::DisplacedPieces));
    // One of them is put up elsewhere: the accident is not over.
    world.play("1.5 place N g5");
    let later = [("e2", "P", "e4"), ("e7", "p", "e5"), ("a2", "P", "a4"), ("a6", "p", "a5"), ("h2", "P", "h4")];
    for (from, man, to) in later {
        world.play(&format!("0.0 lift {from}\n0.5 place {man} {to}\n0.9 press\n2.4 still"));
    }
    assert!(shows_its_board(&world), "{} {:?}", world.shown(), world.alerts());
}

#[test]
fn a_press_in_a_gap_tells_that_nobody_holds_a_man() {
    let mut world = World::at_start();
    world.play("0.0 down");
    hide(&mut world, &UNHEARD[..11]);
    world.play("1.0 up\n1.4 lift h7\n1.8 place p h6\n2.0 press\n3.0 still");
    assert!(shows_its_board(&world), "a second of rest is enough: {}", world.shown());
    world.play("0.0 press\n0.5 lift e2\n0.9 place P e4\n1.2 press\n2.0 still");
    assert!(shows_its_board(&world), "{}", world.shown());
}

#[test]
fn a_captured_man_that_is_read_once_more_does_not_pass_the_turn_that_a_press_has_told() {
    let mut world = World::at_start();
    world.play("0.0 down");
    let plies = [
        ("g1", "N", "f3"),
        ("d7", "p", "d5"),
        ("g2", "P", "g3"),
        ("d8", "q", "d6"),
        ("f1", "B", "g2"),
        ("d6", "q", "f4"),
        ("d2", "P", "d3"),
        ("a7", "p", "a6"),
        ("c2", "P", "c3"),
        ("a6", "p", "a5"),
        ("b2", "P", "b3"),
    ];
    hide(&mut world, &plies);
    world.play("1.0 up\n1.4 lift h7\n1.8 place p h6\n2.0 press\n3.5 still");
    // The victim is put beside its square for a moment, as it is taken off.
    world.play(
        "0.0 lift c1\n0.3 lift f4\n0.35 place B f4\n0.36 lift f4\n0.36 place q f4\n0.37 place q g4\n0.38 lift f4",
    );
    world.play("0.0 place B f4\n0.05 lift g4\n0.3 press\n1.0 still");
    assert!(shows_its_board(&world), "{}", world.shown());
    world.play("0.0 lift e7\n0.5 place p e5\n0.8 press\n1.5 still\n5.0 still");
    assert!(shows_its_board(&world) && !world.alerts().contains(&AlertKind::PositionMismatch), "{}", world.shown());
}

#[test]
fn whoever_fills_a_hole_need_not_give_again_what_was_played_on() {
    let mut world = after(12);
    world.play("0.0 lift e2\n0.5 place P e4\n0.9 press\n1.4 lift e7\n1.9 place p e5\n2.3 press\n2.9 still");
    world.order(&insert(&SANS));
    assert_eq!(world.record(), [&SANS[..], &["e4", "e5"]].concat().join(" "));
    world.play("0.0 lift e1\n0.4 lift h1\n0.5 place K g1\n0.9 place R f1\n1.3 press\n2.0 still");
    assert!(world.record().ends_with("e4 e5 O-O"), "nobody has lost a right by it: {}", world.record());
}

#[test]
fn moves_that_do_not_fill_a_hole_leave_one() {
    let mut world = after(12);
    world.order(&insert(&SANS[..2]));
    world.play("5.0 still");
    assert_eq!(world.record(), "Nf3 Nc6");
    world.order(&insert(&SANS[2..4]));
    world.play("1.0 still\n1.1 lift e2\n1.5 place P e4\n1.9 press\n2.5 still");
    assert!(shows_its_board(&world), "{}", world.shown());
}

#[test]
fn whose_turn_it_is_after_a_hole_the_first_press_tells() {
    // The men were set down as the board was heard again, and the press comes later.
    let mut world = World::at_start();
    world.play("0.0 down");
    for (from, man, to) in &UNHEARD[..11] {
        world.play(&format!("0.5 unheard lift {from}\n0.9 unheard place {man} {to}"));
        if *from != "b2" {
            world.play("0.1 unheard press");
        }
    }
    world.play("1.0 up\n5.0 still\n5.5 press\n6.0 lift h7\n6.5 place p h6\n7.0 press\n9.0 still");
    assert!(shows_its_board(&world) && !world.is_held());
    assert!(!world.alerts().contains(&AlertKind::NoMoveClockPress));
    world.order(&insert(&SANS[..11]));
    assert_eq!(world.record(), SANS.join(" "));
}

#[test]
fn men_on_their_way_are_looked_at_again_when_they_have_landed() {
    let mut world = World::at_start();
    world.play("0.0 down");
    hide(&mut world, &UNHEARD);
    world.play("1.0 unheard lift d8\n1.5 up\n6.0 still");
    world.play("0.0 place q d8\n3.0 still");
    assert!(shows_its_board(&world) && !world.is_held(), "{}", world.shown());
}

#[test]
fn a_board_that_was_heard_in_a_muddle_makes_no_hole_of_its_own_game() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 place P e4\n0.9 press\n1.5 down\n2.0 unheard lift a1\n2.1 unheard lift h1\n3.0 up");
    world.play("5.0 still\n5.1 place R a1\n5.2 place R h1\n6.0 lift e7\n6.4 place p e5\n6.8 press\n7.5 still");
    assert_eq!(world.record(), "e4 e5", "men that are back where they stood were not played");
}

#[test]
fn plies_that_only_a_dump_has_shown_are_told_as_worked_out() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 place P e4\n0.9 press\n1.4 lift e7\n1.9 place p e5\n2.3 press\n2.9 still");
    for (from, man, to) in [("g1", "N", "f3"), ("b8", "n", "c6"), ("d2", "P", "d4")] {
        world.play(&format!("0.5 unheard lift {from}\n0.9 unheard place {man} {to}\n1.2 unheard press"));
    }
    world.play("0.1 dump\n0.2 tick\n1.0 lift e5\n1.2 lift d4\n1.5 place p d4\n2.0 press\n3.0 still");
    assert!(world.record().ends_with("exd4"), "{}", world.record());
    let worked_out = world.entries().filter(|entry| matches!(entry, Entry::Final { inferred: true, .. }));
    assert_eq!(worked_out.count(), 3);
    assert!(world.alerts().contains(&AlertKind::Ambiguous), "White's moves may have come in the other order");
}
