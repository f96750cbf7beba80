//! What hands did while nothing was heard, and just after.

use std::ops::Range;

use protocol::feed::{AlertKind, Command, Entry};

use crate::world::World;

#[test]
fn a_press_that_comes_before_its_man_is_heard_is_read_off_the_lever_and_is_no_bounce() {
    for landing in [50, 140, 400] {
        let mut world = World::at_start();
        world.play("0.0 lift e2\n0.5 place P e4\n0.8 press\n1.0 down\n1.3 unheard lift e7\n2.0 up\n2.5 press");
        let heard = format!("{} place p e5", f64::from(landing) / 1000.0);
        world.play(&heard).play("0.5 still");
        assert_eq!(world.record(), "e4 e5", "{landing} ms after the press");
    }
}

#[test]
fn a_press_on_a_clock_whose_start_was_not_heard_is_read_off_the_lever() {
    let mut world = World::at_start();
    world.play("0.0 stop\n5.0 unheard start\n5.2 lift e2\n5.5 place P e4\n5.9 press\n6.2 still");
    assert_eq!(world.record(), "e4");
    world.play("0.0 lift e7\n0.4 place p e5\n0.6 still");
    assert_eq!((world.seen().as_str(), world.record().as_str()), ("e4 e5", "e4"), "this one was not pressed");
}

#[test]
fn hands_that_go_on_after_a_gap_nobody_can_explain_are_shown_as_held() {
    let mut world = World::at_start();
    // Two men of White's are gone and none of Black's has moved: no eight plies lead there.
    world.play("0.0 down\n1.0 unheard lift a1\n1.1 unheard lift h1\n2.0 up");
    for (from, man, to) in [("e2", "P", "e4"), ("e7", "p", "e5"), ("g1", "N", "f3"), ("b8", "n", "c6")] {
        world.play(&format!("0.5 lift {from}\n0.9 place {man} {to}\n1.0 press"));
    }
    assert!(world.is_held(), "it is said, though nobody rests");
    assert_eq!(world.record(), "");
}

#[test]
fn of_orders_that_explain_a_gap_the_one_that_takes_back_at_once_is_the_likeliest() {
    let mut world = World::from_fen("r1bqkbnr/1pp3pp/p1p2p2/8/3QP3/2N2N2/PPP2PPP/R1B1K2R b KQkq - 0 8");
    // White is a queen down and takes back at once, and only then develops the other bishop.
    world.play("0.0 lift d4\n0.1 lift d8\n0.6 place q d4\n0.9 press\n1.5 down");
    world.play("0.1 unheard lift d4\n0.2 unheard lift f3\n0.6 unheard place N d4");
    world.play("0.1 unheard lift c8\n0.6 unheard place b d7\n1.0 unheard lift c1\n1.5 unheard place B f4\n3.0 up");
    world.play("1.0 still");
    assert_eq!(world.record(), "Qxd4");
    assert_eq!(world.seen(), "Qxd4 Nxd4 Bd7 Bf4");
    world.play("0.2 press\n0.4 still");
    assert_eq!(world.record(), "Qxd4 Nxd4 Bd7 Bf4", "what nobody heard was pressed unheard");
    assert!(world.alerts().contains(&AlertKind::Ambiguous));
}

#[test]
fn men_put_up_again_after_the_clock_was_stopped_are_no_move_and_reply() {
    let mut world = World::from_fen("r4rk1/p1qn1pp1/2nbp1bp/2pp4/4P1PP/2PP1NN1/P1BBQPK1/R3R3 b - - 2 19");
    world.play("1.0 stop");
    // The game was given up. A rook goes home, then the queen: on their way there are positions of a game.
    world.play("6.0 lift e1\n6.4 place R h1\n6.5 lift c7\n6.9 place q d8\n7.0 lift c3\n7.4 place P h2");
    world.play("0.2 lift c5\n0.6 place p c7\n0.8 lift f3\n1.2 place N b1");
    assert_eq!(world.record(), "");
}

#[test]
fn a_table_that_has_gone_on_over_a_hole_for_long_follows_its_position_at_once_when_it_is_restored() {
    let mut world = World::at_start();
    world.play("0.0 down\n1.0 unheard lift a1\n1.1 unheard lift h1\n2.0 up");
    // Knights go out and home again, and each search in vain makes the pause before the next one longer.
    for _ in 0..20 {
        for (from, man, to) in [("g1", "N", "f3"), ("g8", "n", "f6"), ("f3", "N", "g1"), ("f6", "n", "g8")] {
            world.play(&format!("1.0 lift {from}\n1.5 place {man} {to}\n2.0 press"));
        }
    }
    assert!(!world.is_held(), "what was played is followed from the men that stood there");
    world.play("1.0 place R a1\n2.0 place R h1\n2.1 lift e2\n2.5 place P e4\n3.0 press\n3.1 still");
    assert_eq!((world.seen().as_str(), world.record().as_str()), ("e4", "e4"));
}

#[test]
fn wherever_a_gap_begins_and_ends_no_move_that_was_not_played_is_final() {
    const BEFORE: &str = "4r1k1/5pp1/4b2p/p1qB4/P1p5/4PQ2/1r3PPP/2RR2K1 w - - 0 26";
    const PLAYED: &str = "Bxe6 fxe6 Qe4 c3 g3 c2 Rd2 Rb1";
    let captures = ["lift e6\nlift d5\nplace B e6\npress\n", "lift d5\nlift e6\nplace B e6\npress\n"];
    let replies = ["lift e6\nlift f7\nplace p e6\npress\n", "lift f7\nlift e6\nplace p e6\npress\n"];
    let later = "lift f3\nplace Q e4\npress\nlift c4\nplace p c3\npress\nlift g2\nplace P g3\npress\n\
                 lift c3\nplace p c2\npress\nlift d1\nplace R d2\npress\nlift b2\nplace r b1\npress";
    for (capture, reply) in captures.into_iter().flat_map(|capture| replies.map(|reply| (capture, reply))) {
        let hands = format!("{capture}{reply}{later}");
        let deeds = hands.lines().collect::<Vec<_>>();
        for (from, to) in (0..12).flat_map(|from| (from..18).map(move |to| (from, to))) {
            let mut world = World::from_fen(BEFORE);
            play_with_a_gap(&mut world, &deeds, from..to, |_, _| {});
            let record = world.record();
            assert!(PLAYED.starts_with(&record), "{from} to {to} of {deeds:?}: {record}, {}", world.seen());
        }
    }
}

/// Plays these deeds, of which a part is not heard, and looks after each.
fn play_with_a_gap(world: &mut World, deeds: &[&str], gap: Range<usize>, mut look: impl FnMut(&mut World, usize)) {
    for (at, deed) in deeds.iter().enumerate() {
        if at == gap.start {
            world.play("0.05 down");
        }
        if at == gap.end {
            world.play("0.05 up");
        }
        let heard = if gap.contains(&at) { "unheard " } else { "" };
        world.play(&format!("0.3 {heard}{deed}"));
        look(world, at);
    }
    world.play("1.0 still");
}

#[test]
fn castling_that_is_half_made_when_the_board_is_heard_again_is_waited_for() {
    const BEFORE: &str = "rnb1k2r/1p2bppp/p2ppn2/6B1/3NPP2/2N5/PqPQB1PP/1R2K2R b Kkq - 1 10";
    let deeds = ["lift b2", "place q a3", "press", "lift e1", "place K g1", "lift h1", "place R f1", "press"];
    for (from, to) in (0..7).flat_map(|from| (from + 1..8).map(move |to| (from, to))) {
        let mut world = World::from_fen(BEFORE);
        play_with_a_gap(&mut world, &deeds, from..to, |world, at| {
            if !(from..to).contains(&at) {
                // A board that can't be explained is asked for a dump while hands go on.
                world.play("0.1 dump");
            }
            let record = world.record();
            assert!("Qa3 O-O".starts_with(&record), "{from} to {to}, {}: {record}, {}", deeds[at], world.seen());
        });
        assert_eq!(world.record(), "Qa3 O-O", "{from} to {to}: {}", world.seen());
    }
}

#[test]
fn a_story_that_is_only_shown_while_a_gap_is_undecided_is_no_ground_for_the_next() {
    let mut world = World::at_start();
    // The knight went a way round without a trace, so it may have gone another way.
    world.play("0.0 down\n1.0 unheard lift g1\n1.2 unheard place N e5\n1.3 unheard lift a7\n1.4 unheard place p a6");
    world.play("0.5 up\n1.0 lift h7\n1.2 dump\n1.9 still");
    assert_eq!(world.seen(), "Nf3 a6 Ne5");
    assert_eq!(world.record(), "", "a man in the air decides nothing");
}

#[test]
fn a_board_that_shows_an_earlier_position_after_a_gap_was_not_played_back_to_it() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n0.8 press\n1.2 lift e7\n1.6 place p e5\n2.0 press");
    world.play("0.0 lift g1\n0.4 place N f3\n0.8 press\n1.2 lift g8\n1.6 place n f6\n2.0 press\n2.4 down");
    world.play("0.1 unheard lift g8\n0.2 unheard lift f6\n0.5 unheard place n g8");
    world.play("0.1 unheard lift f3\n0.5 unheard place N g1\n0.9 up\n4.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nf6", "somebody has put the knights back, or another board was plugged in");
    assert!(world.is_held());
    world.play("0.1 lift g1\n0.5 place N f3\n0.9 lift g8\n1.3 place n f6\n2.0 still");
    assert!(!world.is_held());
    world.play("0.1 lift f1\n0.5 place B c4\n0.9 press\n1.4 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nf6 Bc4");
}

#[test]
fn a_start_array_ends_a_gap_nobody_could_explain() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 place P e4\n0.8 press\n1.0 down\n1.1 unheard lift a1\n1.2 unheard lift h1\n2.0 up");
    world.play("4.0 lift e4\n5.0 place P e2\n6.0 place R a1\n7.0 place R h1\n9.5 still");
    assert_eq!(world.games(), 2);
    assert!(world.alerts().contains(&AlertKind::Resync), "it is said that moves may be missing");
    world.play("0.0 press\n0.5 lift d2\n0.9 place P d4\n1.4 press\n1.9 still");
    assert_eq!(world.record(), "d4");
}

#[test]
fn a_start_array_that_was_put_up_while_nothing_was_heard_begins_a_game() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.5 place P e4\n0.8 press\n1.0 down\n1.1 unheard lift a1\n1.2 unheard lift h1\n2.0 up");
    world.play("4.0 lift e4\n5.0 place P e2\n6.0 place R a1\n6.5 down\n7.0 unheard place R h1\n7.5 up\n9.9 still");
    assert_eq!(world.games(), 2);
}

/// The knight on a1, a rook or the king went out and home again while Black's knight went to f8.
const OUT_AND_HOME: &str = "0.0 down\n1.0 unheard lift h8\n1.5 unheard place n f8\n3.0 up\n3.5 still";

#[test]
fn a_way_round_that_left_no_trace_is_believed_once_it_has_stood() {
    let mut world = World::from_fen("8/8/8/8/4k3/8/P7/K7 w - - 0 1");
    world.play("0.0 down\n1.0 unheard lift a2\n1.5 unheard place P a5\n2.0 unheard lift e4\n2.5 unheard place k d5");
    world.play("5.0 up\n5.9 still");
    assert_eq!((world.seen().as_str(), world.alerts().last()), ("a4 Kd5 a5", Some(&AlertKind::LinkRestored)));
    world.play("0.2 still");
    assert_eq!((world.seen().as_str(), world.record().as_str()), ("a4 Kd5 a5", ""), "none of them was pressed");
    assert_eq!((world.is_held(), world.alerts().last()), (false, Some(&AlertKind::Resync)));
}

#[test]
fn hands_that_are_in_the_middle_of_a_move_after_a_silence_prove_no_way_round() {
    let mut world = World::from_fen("8/8/8/8/4k3/8/P7/K7 w - - 0 1");
    world.play("0.0 down\n1.0 unheard lift a2\n1.5 unheard place P a5\n2.0 unheard lift e4\n2.5 unheard place k d5");
    // The king was only passing, and the pawn stands where it was put by the way.
    world.play("5.0 up\n5.3 lift d5\n5.6 place k e4\n5.8 lift a5\n6.1 place P a4\n9.5 still");
    assert_eq!((world.seen().as_str(), world.record().as_str()), ("a4", ""));
}

#[test]
fn play_on_top_of_stories_is_shown_and_chosen_with_them() {
    let mut world = World::from_fen("4k2n/8/8/8/8/8/2P5/N3K2R w K - 0 1");
    world.play(OUT_AND_HOME);
    assert!(world.is_held() && world.alternatives().len() > 2, "{:?}", world.alternatives());
    world.play("0.0 lift c2\n0.5 place P c4\n0.9 press\n2.0 lift e8\n2.5 place k e7\n3.0 press\n5.0 still");
    world.play("0.0 lift c4\n0.5 place P c5\n0.9 press\n2.0 still");
    assert_eq!(world.record(), "", "nobody knows how it began");
    assert!(world.seen().ends_with(" c4 Ke7 c5"), "{}", world.seen());
    assert_eq!(world.alerts().iter().filter(|kind| **kind == AlertKind::Ambiguous).count(), 1, "once");
    let alternatives = world.alternatives();
    let knight = alternatives.iter().position(|line| line == "Nb3 Ng6 Na1 Nf8").expect("the knight may have gone");
    world.order(&Command::Choose { alternative: knight + 1 });
    assert_eq!(world.record(), "Nb3 Ng6 Na1 Nf8 c4 Ke7 c5");
    assert!(!world.is_held());
    world.play("0.0 lift e7\n0.5 place k e6\n0.9 press\n2.0 still");
    assert_eq!(world.record(), "Nb3 Ng6 Na1 Nf8 c4 Ke7 c5 Ke6");
}

#[test]
fn what_is_played_later_rules_stories_out() {
    let mut world = World::from_fen("4k2n/8/8/8/8/8/2P5/N3K2R w K - 0 1");
    world.play(OUT_AND_HOME);
    assert!(world.is_held());
    world.play("0.0 lift e1\n0.4 place K g1\n0.6 lift h1\n0.9 place R f1\n1.4 press\n2.0 still");
    assert_eq!(world.record(), "Nb3 Ng6 Na1 Nf8 O-O", "neither king nor rook had moved");
    assert_eq!((world.is_held(), world.alerts().last()), (false, Some(&AlertKind::Resync)));
}

#[test]
fn the_shortest_story_is_believed_though_a_man_took_another_on_a_way_round() {
    // Black's bishop has met the pawn on b4, and was driven back; shorter is a way round by a3.
    let mut world = World::from_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2");
    world.play("0.0 down\n1.0 unheard lift b2\n1.5 unheard lift f8\n2.0 unheard place b b2");
    world.play("3.0 unheard lift g1\n3.5 unheard place N f3\n6.0 up\n9.0 still");
    assert_eq!((world.seen().as_str(), world.is_held()), ("Ba3 Nf3 Bxb2", false));
    world.play("0.0 lift b1\n0.5 place N c3\n0.9 press\n2.0 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("Ba3 Nf3 Bxb2", "Ba3 Nf3 Bxb2 Nc3"));
    assert_eq!(world.alerts().last(), Some(&AlertKind::Resync));
}

#[test]
fn a_second_silence_multiplies_the_stories() {
    let mut world = World::from_fen("4k2n/8/8/8/8/8/2P5/N3K2R w K - 0 1");
    world.play(OUT_AND_HOME);
    let stories = world.alternatives().len();
    world.play("0.0 down\n1.0 unheard lift c2\n1.5 unheard place P c4\n2.0 unheard lift e8\n2.5 unheard place k e7");
    world.play("3.0 up\n6.0 still");
    assert_eq!((world.alternatives().len(), world.record().as_str()), (stories, ""));
    assert!(world.seen().ends_with(" c4 Ke7"), "{}", world.seen());
    world.order(&Command::Choose { alternative: 1 });
    assert!(world.record().ends_with(" c4 Ke7"), "{}", world.record());
}

#[test]
fn of_orders_that_explain_a_gap_the_one_that_leaves_nothing_standing_is_the_likeliest() {
    let mut world = World::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    world.play("0.0 down\n1.0 unheard lift f1\n1.1 unheard place B c4\n1.2 unheard lift g8\n1.3 unheard place n f6");
    world.play("0.1 unheard lift f3\n0.2 unheard place N g5\n0.3 unheard lift d7\n0.4 unheard lift e4");
    world.play("0.1 unheard place P d5\n2.0 up\n3.0 still");
    // Before the knight has come to f6, the queen takes what goes to g5; and nobody leaves a knight to a pawn.
    assert_eq!(world.seen(), "Bc4 Nf6 Ng5 d5 exd5");
}

#[test]
fn what_was_to_be_thought_over_when_the_board_fell_silent_does_not_keep_the_table_busy() {
    let mut world = World::at_start();
    let script =
        "0.3 lift e2\n0.6 place P e5\n0.9 lift g1\n1.0 dump\n1.2 down\n1.3 unheard place N g5\n1.4 up\n6.0 still";
    world.play(script);
    assert_eq!(world.record(), "", "nothing of it was a move");
}

/// Presses with ten seconds each, so that the increment is known, then the given hands unheard.
fn unheard_with_increment(hands: &str) -> World {
    let mut world = with_increment();
    world.play("1.0 down").play(hands);
    world
}

fn with_increment() -> World {
    let moves = [("e2", "P", "e4"), ("e7", "p", "e5"), ("g1", "N", "f3"), ("b8", "n", "c6")];
    adding_ten(World::at_start(), &moves)
}

/// These moves, with a clock that adds ten seconds at each press.
fn adding_ten(mut world: World, moves: &[(&str, &str, &str)]) -> World {
    world.play("0.0 clock 900 900");
    for (from, man, to) in moves {
        world.play(&format!("2.0 lift {from}\n2.5 place {man} {to}\n2.9 tick\n3.0 press adds 10"));
    }
    world
}

/// Moves as hands make them unheard, each pressed.
fn unheard(moves: &[(&str, &str, &str)]) -> String {
    let seconds = (2..).step_by(4);
    let hand = |(at, (from, man, to)): (u32, &(&str, &str, &str))| {
        format!("{at} unheard lift {from}\n{at} unheard place {man} {to}\n{at} unheard press adds 10\n")
    };
    seconds.zip(moves).map(hand).collect()
}

#[test]
fn a_way_round_shows_in_what_the_clock_has_added() {
    // The board alone says Bb5 a6 Ba4, and takes three plies for it.
    let round = [("f1", "B", "c4"), ("a7", "p", "a6"), ("c4", "B", "b5"), ("c6", "n", "b8"), ("b5", "B", "a4")];
    let mut world = unheard_with_increment(&unheard(&[&round[..], &[("b8", "n", "c6")]].concat()));
    world.play("1.0 up").play("5.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6", "but the clock was pressed six times");
    assert!(world.alerts().contains(&AlertKind::Ambiguous));
    assert!(world.alternatives().contains(&"Bb5 a6 Ba4".to_owned()), "somebody may still know better");
}

#[test]
fn presses_before_the_silence_for_which_nothing_was_heard_count_among_its_plies() {
    let mut world = with_increment();
    for (from, man, to) in [("f1", "B", "c4"), ("a7", "p", "a6"), ("c4", "B", "b5"), ("c6", "n", "b8")] {
        world.play(&format!("2.0 unheard lift {from}\n2.0 unheard place {man} {to}\n2.1 press adds 10"));
    }
    world.play("0.1 down").play(&unheard(&[("b5", "B", "a4"), ("b8", "n", "c6")]));
    world.play("1.0 up").play("5.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6", "the clock was pressed six times, not twice");
    assert!(world.alternatives().contains(&"Bb5 a6 Ba4".to_owned()), "somebody may still know better");
}

#[test]
fn men_that_have_come_back_unheard_show_in_what_the_clock_has_added() {
    let there = [("f3", "N", "g1"), ("c6", "n", "b8"), ("g1", "N", "f3"), ("b8", "n", "c6")];
    let mut world = unheard_with_increment(&unheard(&there));
    world.play("1.0 up").play("1.0 still");
    assert!(world.alerts().contains(&AlertKind::Resync), "moves are missing, and it is said");
    let mut world = unheard_with_increment("");
    world.play("20.0 up").play("1.0 still");
    assert!(!world.alerts().contains(&AlertKind::Resync), "nobody has moved");
}

#[test]
fn as_many_presses_as_plies_leave_no_doubt() {
    let mut world = unheard_with_increment("4.0 unheard lift f1\n4.5 unheard place B b5\n5.0 unheard press adds 10");
    world.play("2.0 up").play("2.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn a_clock_that_is_stopped_while_the_cable_is_mended_tells_nothing() {
    let mut world = unheard_with_increment("4.0 unheard lift f1\n4.5 unheard place B b5\n5.0 unheard press adds 10");
    // A quarter of a minute is no multiple of two increments.
    world.play("1.0 unheard stop\n16.0 unheard start\n18.0 up").play("2.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn a_clock_that_comes_later_than_its_board_is_waited_for() {
    let mut world = unheard_with_increment("4.0 unheard lift f1\n4.5 unheard place B b5\n5.0 unheard press adds 10");
    world.play("1.0 up without clock\n1.4 still");
    assert_eq!(world.seen(), "e4 e5 Nf3 Nc6");
    world.play("0.2 still");
    assert_eq!(world.seen(), "e4 e5 Nf3 Nc6 Bb5", "but not for ever");
}

#[test]
fn every_ply_that_was_played_unheard_is_marked() {
    let mut world = unheard_with_increment(&unheard(&[("f1", "B", "b5"), ("a7", "p", "a6"), ("b5", "B", "a4")]));
    world.play("1.0 up").play("2.0 lift g8\n2.5 place n f6\n3.0 press adds 10").play("1.0 still");
    let finals = world.entries().filter_map(|entry| {
        let Entry::Final { san, inferred: true, .. } = entry else { return None };
        Some(san.as_str())
    });
    assert_eq!(finals.collect::<Vec<_>>(), ["Bb5", "a6", "Ba4"], "the last one, too, and nothing seen");
}

#[test]
fn a_clock_that_comes_back_long_after_its_board_counts_nothing() {
    let mut world = unheard_with_increment("");
    world.play("20.0 up without clock");
    for hand in ["lift f1\nplace B b5\nunheard press adds 10", "lift a7\nplace p a6\nunheard press adds 10"] {
        for line in hand.lines() {
            world.play(&format!("1.0 {line}"));
        }
    }
    world.play("1.0 tick\n2.0 still");
    assert_eq!(world.seen(), "e4 e5 Nf3 Nc6 Bb5 a6");
    assert!(!world.alerts().contains(&AlertKind::Resync), "all of it was heard");
}

#[test]
fn what_is_heard_landing_after_a_silence_was_not_played_before_what_the_board_showed() {
    let mut world = World::from_fen("rnbqk2r/ppp2p2/3pp1pp/8/3P4/2N5/PPPQPPPP/R3KBNR w KQkq - 0 13");
    let mut hands = unheard(&[("f2", "P", "f4"), ("d8", "q", "e7"), ("g1", "N", "f3"), ("b8", "n", "d7")]);
    hands += "17.0 unheard lift e1\n17.0 unheard lift a1\n17.2 unheard place R d1\n";
    world.play("1.0 down").play(&hands).play("0.1 up\n0.4 place K c1\n1.5 still");
    assert!(world.seen().ends_with(" O-O-O"), "{}", world.seen());
}

#[test]
fn of_two_men_that_are_gone_the_one_that_cannot_take_the_other_is_in_no_hand() {
    let mut world = World::from_fen("3r1b1k/p5pp/8/1pp1pq2/8/PPBr2P1/2QR1PKP/4R3 w - - 0 30");
    let captures = unheard(&[("d2", "R", "d3"), ("f5", "q", "d3"), ("c2", "Q", "d3")]);
    world.play("1.0 down").play(&captures).play("0.5 up\n1.0 still");
    assert_eq!(world.seen(), "Rxd3 Qxd3 Qxd3", "rook and queen were taken, and nobody holds them");
}

#[test]
fn what_is_heard_landing_last_came_last_even_if_that_takes_a_ply_more() {
    let mut world = World::from_fen("3R4/2pbr1k1/1p4p1/p1p4p/2P1N2P/P2K1P2/1P4P1/8 w - - 8 37");
    let moves = unheard(&[("e4", "N", "c3"), ("d7", "b", "f5"), ("d3", "K", "d2")]);
    world.play("1.0 down").play(&moves).play("0.5 unheard lift f5\n0.6 up\n0.8 place b e6\n1.2 press\n2.0 still");
    assert_eq!(world.record(), "", "Kd2 Be6 Nc3 would be three plies, and the bishop has landed last");
    assert!(world.alternatives().contains(&"Nc3 Bf5+ Kd2 Be6".to_owned()), "{:?}", world.alternatives());
}

/// A clock that tells every second, for so many of them.
fn seconds(count: u32) -> String {
    (0..count).map(|second| format!("{second}.0 tick\n")).collect()
}

#[test]
fn a_man_that_has_gone_while_the_clock_was_missed_too_was_taken() {
    let mut world = World::from_fen("4r3/pp1b2k1/3N1ppq/3P4/2p5/P1P2P2/2Q1r1P1/4R1K1 w - - 0 35");
    world.play(&seconds(7)).play("0.2 lift e1\n0.5 unheard place R e2\n0.9 unheard press");
    world.play("1.0 unheard lift e8\n1.4 unheard place r e2\n1.8 unheard press\n2.5 tick\n2.6 dump\n3.0 still");
    assert_eq!(world.seen(), "Rxe2 Rxe2");
}

#[test]
fn presses_of_a_clock_that_was_missed_are_read_off_its_faces() {
    // Bc4 and Bb5 in two moves look like one from f1; the clock was pressed three times.
    let round = [("f1", "B", "c4"), ("a7", "p", "a6"), ("c4", "B", "b5")];
    let mut world = with_increment();
    world.play(&seconds(4)).play(&unheard(&round)).play("1.0 tick\n1.1 dump\n4.0 still");
    assert_eq!(world.record(), "e4 e5 Nf3 Nc6");
    assert!(world.alternatives().contains(&"Bc4 a6 Bb5".to_owned()), "{:?} {}", world.alternatives(), world.seen());
}

#[test]
fn the_men_of_a_hurry_are_waited_for_as_long_as_somebody_holds_one() {
    // Each report while White holds the pawn is a search that ends early; the one that tells is none too many.
    let mut world = World::from_fen("r1b1k1r1/pp3p2/2p1p2p/q3P3/2B1Q3/2P4p/P4PPP/1R1R2K1 w q - 0 33");
    world.play("1.0 down\n1.5 unheard lift g2\n1.6 unheard place P g3\n1.8 unheard press");
    world.play("1.5 unheard lift g8\n1.6 unheard place r g5\n1.8 unheard press\n1.9 unheard lift f2\n2.0 up");
    world.play("0.2 dump\n0.4 dump\n0.6 dump\n0.8 dump\n1.0 dump\n1.2 place P f4\n1.6 press\n3.0 still");
    assert_eq!(world.record(), "g3 Rg5 f4");
}

/// Knight to c6 unheard, and White's bishop in two moves to b5; the last one is not pressed when the board is heard again.
fn lacking_a_ply() -> World {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n0.6 press\n2.0 lift e7\n2.4 place p e5\n2.6 press\n4.0 down");
    world.play("1.0 unheard lift f1\n1.4 unheard place B c4\n1.6 unheard press");
    world.play("1.0 unheard lift b8\n1.4 unheard place n c6\n1.6 unheard press");
    world.play("1.0 unheard lift c4\n1.4 unheard place B b5\n1.5 up\n3.0 still");
    world
}

#[test]
fn a_press_on_the_board_as_it_was_found_says_that_a_ply_of_the_presser_lies_on_top() {
    let mut world = lacking_a_ply();
    assert_eq!(world.seen(), "e4 e5 Bb5 Nc6");
    world.play("0.5 press\n3.0 still\n4.0 lift a7\n4.4 place p a6\n4.6 press\n7.0 still");
    assert_eq!(accusations(&world), []);
    let line = world.seen().split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!((line.len(), line[3..].join(" ").as_str()), (6, "Nc6 Bb5 a6"), "{line:?}");
}

#[test]
fn a_press_on_top_of_a_ply_that_only_a_dump_has_shown_is_one_without_a_move() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n0.6 press\n2.0 lift e7\n2.4 place p e5\n2.6 press");
    world.play("2.0 unheard lift g1\n2.4 unheard place N f3\n2.5 dump\n2.8 press\n6.0 still");
    assert_eq!((world.record().as_str(), accusations(&world)), ("e4 e5 Nf3", vec![]));
    world.play("2.0 press\n9.0 still");
    assert_eq!((world.record().as_str(), accusations(&world)), ("e4 e5 Nf3", vec![AlertKind::NoMoveClockPress]));
}

#[test]
fn a_press_that_was_open_when_the_board_fell_silent_is_not_judged_by_what_nothing_explains() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n0.6 press\n2.0 lift e7\n2.3 press\n2.4 down");
    world.play("1.0 unheard place p e5\n1.2 unheard lift a1\n1.4 unheard place R d5\n2.0 up\n2.9 still");
    assert_eq!(accusations(&world), []);
}

fn accusations(world: &World) -> Vec<AlertKind> {
    let told = [AlertKind::LinkLost, AlertKind::LinkRestored, AlertKind::Resync, AlertKind::Ambiguous];
    world.alerts().into_iter().filter(|kind| !told.contains(kind)).collect()
}

/// White's knight has taken on e6. Nobody hears the rook go to d7, the knight to c5 and the rook to e7.
fn rook_on_e7_unheard() -> World {
    let mut world = World::from_fen("3rr1k1/2p4p/p1n1p3/1p1p1pN1/8/2P5/PP3PPP/3RR1K1 w - - 0 27");
    world.play("0.5 lift g5\n0.7 lift e6\n0.8 place N e6\n0.86 down");
    world.play("0.6 unheard lift d8\n0.8 unheard place r d7\n1.2 unheard lift e6\n1.5 unheard place N c5");
    world.play("1.0 unheard lift d7\n1.3 unheard place r e7");
    world
}

#[test]
fn a_man_who_is_carried_off_after_a_gap_accuses_nobody() {
    // For a moment the rook that is taken on e7 is read on f8: three stories lead there, and none of them was played.
    let mut world = rook_on_e7_unheard();
    world.play("1.7 up\n2.9 lift e1\n3.0 lift e7\n3.06 place R e7");
    world.play("0.1 place r f8\n0.15 lift f8\n0.18 press\n1.5 still");
    assert_eq!(accusations(&world), []);
    assert_eq!(world.seen(), "Nxe6 Rd7 Nc5 Rde7 Rxe7");
}

#[test]
fn players_who_go_on_from_an_illegal_move_after_a_gap_are_followed() {
    let mut world = rook_on_e7_unheard();
    world.play("1.7 up\n3.6 lift h7\n3.7 lift a2\n4.2 place P b4\n4.7 press");
    assert!(world.alerts().contains(&AlertKind::IllegalMoveCompleted));
    for (from, man, to) in
        [("c7", "p", "c6"), ("h2", "P", "h3"), ("g8", "k", "g7"), ("g1", "K", "h2"), ("g7", "k", "g6")]
    {
        world.play(&format!("1.5 lift {from}\n1.9 place {man} {to}\n2.2 press"));
    }
    world.play("6.0 still\n1.5 lift h2\n1.9 place K g1\n2.2 press\n3.0 still");
    assert_eq!(world.shown(), world.board().to_string());
}

#[test]
fn a_man_who_was_in_the_hand_when_the_board_was_heard_again_was_not_taken() {
    // The queen was on her way from e6: without her, 1...Qb3 2. Bxb3 leads to what stands there.
    let mut world = World::from_fen("r3r1k1/5ppn/p5np/3qp3/Pb2N3/5Q1P/1PB2PP1/R1B1R1K1 w - - 0 25");
    world.play("0.5 lift e1\n0.9 place R d1\n1.1 down\n1.2 unheard press\n2.0 unheard lift d5\n2.5 unheard place q e6");
    world.play("0.2 unheard press\n0.5 unheard lift c2\n0.9 unheard place B b3\n1.1 unheard press\n1.9 unheard lift e6\n2.2 up");
    world.play("0.2 place q e7\n0.35 press\n1.5 lift f3\n1.8 place Q f5\n2.0 press\n3.0 still");
    assert_eq!(accusations(&world), []);
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("Rd1", "Rd1 Qe6 Bb3 Qe7 Qf5"));
}

#[test]
fn a_man_who_is_gone_with_a_ply_nobody_has_heard_was_taken_in_plies_nobody_has_heard() {
    let mut world = World::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3");
    // Bc5, b4 and Bxb4, of which neither the squares nor the clock have told.
    world.play("1.0 unheard lift f8\n1.5 unheard press\n2.0 unheard lift b2\n2.5 unheard press");
    world.play("1.0 unheard place b b4\n1.5 unheard press\n1.8 dump\n2.3 tick\n9.0 still");
    assert_eq!(world.record(), "", "Bb4 alone does not take the pawn off b2");
    assert!(world.seen().ends_with(" b4 Bxb4"), "{}", world.seen());
}

#[test]
fn a_lever_that_was_read_before_a_man_landed_tells_nothing_of_his_ply() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n0.6 press\n2.0 lift e7\n2.4 place p e5\n2.6 press\n3.0 down");
    // Black replies before White presses.
    world.play("1.0 unheard lift g1\n1.4 unheard place N f3\n1.5 unheard lift b8\n1.6 up\n1.9 place n c6\n2.2 press\n3.0 still");
    assert_eq!((world.record().as_str(), world.seen().as_str()), ("e4 e5 Nf3", "e4 e5 Nf3 Nc6"));
}

#[test]
fn men_that_have_come_back_unheard_with_the_turn_passed_are_followed() {
    let round = [("f1", "B", "c4"), ("c6", "n", "b8"), ("c4", "B", "b5"), ("b8", "n", "c6"), ("b5", "B", "f1")];
    let mut world = unheard_with_increment(&unheard(&round));
    world.play("1.0 up\n3.0 still\n4.0 lift a7\n4.4 place p a6\n4.6 press adds 10\n7.0 still");
    assert_eq!(accusations(&world), []);
    assert_eq!(world.shown(), world.board().to_string());
}

#[test]
fn what_was_said_of_a_board_that_could_not_be_heard_is_withdrawn_though_nobody_knows_what_was_played() {
    let mut world = World::at_start();
    world.play("0.0 lift e2\n0.4 place P e4\n0.6 press\n2.0 lift e7\n2.2 press\n5.4 still");
    assert_eq!(accusations(&world), [AlertKind::PositionMismatch]);
    world.play("0.1 down\n1.0 unheard lift a1\n1.1 unheard lift h1\n2.0 unheard place p e5\n9.1 up\n14.0 still");
    for (from, man, to) in
        [("g1", "N", "f3"), ("b8", "n", "c6"), ("f1", "B", "c4"), ("f8", "b", "c5"), ("e1", "K", "e2")]
    {
        world.play(&format!("0.5 lift {from}\n0.9 place {man} {to}\n1.0 press"));
    }
    world.play("9.0 still");
    assert_eq!(accusations(&world), [AlertKind::PositionMismatch, AlertKind::AlertWithdrawn]);
    assert_eq!(world.shown(), world.board().to_string());
}

#[test]
fn who_goes_on_from_what_is_taken_for_their_last_ply_has_played_it_before() {
    // Bc3, Qe3 and Bd4 look like Bd4 and Qe3.
    let mut world = World::from_fen("4r1k1/2q2pbp/p5p1/1n1P4/4p3/P5P1/3Q1BBP/2R3K1 b - - 1 35");
    world.play("1.0 down\n2.0 unheard lift g7\n2.5 unheard press\n3.0 unheard lift d2\n3.2 unheard place Q e3");
    world.play("0.5 unheard press\n1.0 unheard place b d4\n1.5 unheard press\n2.0 up\n4.0 still");
    assert_eq!(world.seen(), "Bd4 Qe3");
    world.play("0.0 lift c1\n0.5 place R c7\n0.7 press\n1.0 dump\n4.0 still");
    assert_eq!(accusations(&world), []);
    let line = world.seen();
    assert!(line.ends_with(" Qe3 Bd4 Rxc7"), "{line}");
}

/// A game in which each press adds ten seconds, with the kings gone there and back, and these moves after it unheard.
fn unheard_after_kings(fen: &str, kings: [(&str, &str, &str); 4], moves: &[(&str, &str, &str)]) -> World {
    let mut world = adding_ten(World::from_fen(fen), &kings);
    world.play("1.0 down").play(&unheard(moves)).play("1.0 up\n1.5 still");
    world
}

#[test]
fn a_story_with_fewer_plies_than_were_pressed_is_not_believed_because_others_were_not_found() {
    let kings = [("g7", "k", "g8"), ("g1", "K", "h1"), ("g8", "k", "g7"), ("h1", "K", "g1")];
    let moves = [("e8", "r", "e7"), ("e4", "B", "c6"), ("f8", "r", "f7"), ("c6", "B", "d5"), ("e7", "r", "e1")];
    let moves = [&moves[..], &[("f1", "R", "e1")]].concat();
    let mut world = unheard_after_kings("4rr2/p5k1/1p1p1q1p/2p5/2P1BPb1/1P4P1/P2Q4/4RRK1 b - - 0 29", kings, &moves);
    world.play("0.0 lift f7\n0.5 place r e7\n0.7 press adds 10\n2.0 still");
    assert_eq!(world.record(), "Kg8 Kh1 Kg7 Kg1", "six plies were pressed before this one");
}

#[test]
fn a_man_who_flashes_beside_the_square_where_he_is_taken_proves_no_story() {
    let kings = [("b1", "K", "a1"), ("g8", "k", "h8"), ("a1", "K", "b1"), ("h8", "k", "g8")];
    let moves = [("d7", "R", "a7"), ("c6", "b", "b5"), ("f3", "B", "e4"), ("e5", "r", "e4"), ("b3", "N", "c5")];
    let moves = [&moves[..], &[("e4", "r", "e7"), ("a7", "R", "e7")]].concat();
    let mut world = unheard_after_kings("4r1k1/3R1ppp/p1b5/4r3/1p2n3/1N3B2/PPP3PP/1KR5 w - - 4 28", kings, &moves);
    world.play("0.0 lift e8\n0.5 place r e7\n0.6 place R d7\n0.61 lift d7\n0.8 press adds 10");
    world.play("1.0 lift c2\n1.4 place P c4\n1.6 press adds 10\n3.0 still");
    assert!(world.seen().ends_with(" R4e7 Rxe7 Rxe7 c4"), "{}", world.seen());
}
