//! Two boards in one game, as with a blind player: each move is taken from the board of the player who made it.

use hall::{Settings, table::Table};
use protocol::{
    board::{Content, Contents, Lie, Link, Observation},
    feed::{AlertKind, Blind, Command, Entry, Rules, Side},
};
use shakmaty::{Board, Square};

use crate::pair::{D5, E3, E4, E5, NF3, Pair, START};

#[test]
fn a_move_is_taken_from_the_board_of_the_player_who_made_it() {
    // The clock is plugged into either board, and the boards may lie either way round to one another.
    for (clock, lie) in [("1", Lie::Straight), ("1", Lie::Turned), ("2", Lie::Straight), ("2", Lie::Turned)] {
        let mut pair = Pair::blind(2023);
        pair.dump("2", START, lie);
        pair.read_clock(clock, Side::White, if clock == "1" { Lie::Straight } else { lie });
        for (side, placement) in [(Side::White, E4), (Side::Black, E5), (Side::White, NF3)] {
            let (own, other) = if side == Side::White { ("1", "2") } else { ("2", "1") };
            pair.dump(own, placement, if own == "1" { Lie::Straight } else { lie });
            pair.pass(2_000);
            pair.read_clock(clock, side.other(), if clock == "1" { Lie::Straight } else { lie });
            pair.pass(3_000);
            pair.dump(other, placement, if other == "1" { Lie::Straight } else { lie });
            pair.pass(3_000);
        }
        assert_eq!(pair.record(), ["e4", "e5", "Nf3"], "clock {clock}, {lie:?}");
        assert_eq!(pair.alerts(), [], "clock {clock}, {lie:?}");
    }
}

#[test]
fn where_one_of_them_names_nobody_moves_are_taken_from_the_first() {
    let mut pair = Pair::blind(2023);
    pair.tell("2", nameless(START));
    for placement in [E4, E5, NF3] {
        pair.tell("2", nameless(placement));
        pair.pass(5_000);
        pair.dump("1", placement, Lie::Straight);
        pair.pass(5_000);
    }
    assert_eq!((pair.record(), pair.alerts()), (vec!["e4", "e5", "Nf3"], vec![]));
}

#[test]
fn what_is_done_on_the_opponents_board_meanwhile_is_no_move() {
    let mut pair = Pair::after_e4();
    pair.dump("1", D5, Lie::Straight);
    pair.pass(10_000);
    assert_eq!(pair.record(), ["e4"]);
    pair.dump("2", E5, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.record(), ["e4", "e5"]);
    assert_eq!(pair.differing().len(), 1, "White has brought another move to the other board");
}

#[test]
fn who_presses_and_has_moved_on_the_other_board_only_has_moved() {
    let mut pair = Pair::after_e4();
    pair.read_clock("1", Side::Black, Lie::Straight);
    pair.dump("1", E5, Lie::Straight);
    pair.pass(2_000);
    assert_eq!(pair.record(), ["e4"]);
    pair.read_clock("1", Side::White, Lie::Straight);
    pair.pass(2_000);
    assert_eq!((pair.record(), pair.alerts()), (vec!["e4", "e5"], vec![]));
}

#[test]
fn a_move_may_become_another_one_until_the_clock_is_pressed_though_it_was_repeated() {
    let mut pair = Pair::blind(2023);
    pair.dump("2", START, Lie::Straight);
    pair.read_clock("1", Side::White, Lie::Straight);
    pair.dump("1", E3, Lie::Straight);
    pair.pass(1_000);
    pair.dump("2", E3, Lie::Straight);
    pair.pass(1_000);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(1_000);
    pair.read_clock("1", Side::Black, Lie::Straight);
    pair.pass(2_000);
    assert_eq!(pair.record(), ["e4"]);
    assert_eq!(pair.differing().len(), 1, "until it is put right on the other board");
    pair.dump("2", E4, Lie::Straight);
    pair.dump("2", E5, Lie::Straight);
    pair.pass(2_000);
    pair.read_clock("1", Side::White, Lie::Straight);
    pair.pass(2_000);
    assert_eq!(pair.record(), ["e4", "e5"]);
}

#[test]
fn who_was_said_to_move_on_a_board_does_so_whatever_it_shows_first() {
    let mut pair = Pair::blind(2023);
    pair.order(&Command::Blind { players: Blind::Black, white_board: Some("2".to_owned()) });
    pair.dump("2", START, Lie::Straight);
    pair.dump("1", E3, Lie::Straight);
    pair.pass(400);
    pair.dump("2", E4, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.record(), ["e4"]);
}

#[test]
fn touched_goes_by_the_board_of_the_player() {
    let suspects = |board: &str| {
        let mut pair = Pair::after_e4();
        pair.lift(board, Square::G8);
        pair.pass(2_000);
        pair.place(board, Square::G8, 'n');
        pair.pass(1_000);
        pair.lift("2", Square::E7);
        pair.pass(400);
        pair.place("2", Square::E5, 'p');
        pair.pass(5_000);
        assert_eq!(pair.record(), ["e4", "e5"]);
        pair.alerts()
    };
    assert_eq!(suspects("2"), [AlertKind::TouchMoveSuspect], "taken out of its hole by the player's own hand");
    assert_eq!(suspects("1"), [], "on the opponent's board it was not");
}

#[test]
fn each_board_that_goes_or_comes_back_is_told() {
    let mut pair = Pair::after_e4();
    for link in [Link::Down, Link::Up] {
        pair.tell("1", Observation::Link(link));
    }
    assert_eq!(pair.alerts(), [AlertKind::LinkLost, AlertKind::LinkRestored]);
    pair.dump("1", E4, Lie::Straight);
    pair.dump("2", E5, Lie::Straight);
    pair.pass(5_000);
    for link in [Link::Down, Link::Up] {
        pair.tell("2", Observation::Link(link));
    }
    pair.dump("2", E5, Lie::Straight);
    pair.dump("1", E5, Lie::Straight);
    pair.pass(5_000);
    pair.dump("1", NF3, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.record(), ["e4", "e5", "Nf3"]);
    assert_eq!(pair.alerts().len(), 4);
}

#[test]
fn who_is_told_that_boards_differ_sees_both_and_how_they_came_there() {
    let mut pair = Pair::after_e4();
    pair.dump("2", E5, Lie::Straight);
    pair.pass(5_000);
    pair.dump("1", D5, Lie::Straight);
    pair.pass(1_000);
    let Some(Entry::Alert(alert)) = pair.entries().last() else { panic!("{:?}", pair.said) };
    let shown = alert.boards.iter().map(|shown| {
        let sans = shown.moves.iter().map(|played| played.san.as_str()).collect::<Vec<_>>().join(" ");
        assert!(shown.moves.iter().all(|played| played.at.is_some()), "{shown:?}");
        (shown.board.as_str(), shown.side, shown.placement.as_str(), sans)
    });
    let expected = [("2", Some(Side::Black), E5, "e4 e5".to_owned()), ("1", Some(Side::White), D5, "e4 d5".to_owned())];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn boards_of_which_one_repeats_another_move_differ() {
    for lie in [Lie::Straight, Lie::Turned] {
        let mut pair = Pair::blind(2023);
        pair.dump("2", START, lie);
        pair.dump("1", E4, Lie::Straight);
        pair.pass(2_000);
        pair.dump("2", E3, lie);
        pair.pass(700);
        assert_eq!(pair.differing(), [], "it may still be put right");
        pair.pass(200);
        assert_eq!(pair.differing(), [(Some(0), vec!["e3".to_owned(), "e4".to_owned()], Some("D.2.9".to_owned()))]);
        pair.pass(60_000);
        assert_eq!(pair.differing().len(), 1);

        // Put right, and wrong again.
        pair.dump("2", E4, lie);
        pair.pass(5_000);
        pair.dump("2", E5, lie);
        pair.pass(5_000);
        pair.dump("1", E5, Lie::Straight);
        pair.pass(5_000);
        assert_eq!(pair.differing().len(), 1);
        pair.dump("2", E3, lie);
        pair.pass(5_000);
        let last = pair.differing().pop().expect("they differ");
        assert_eq!((pair.differing().len(), last.0), (2, Some(2)), "a man that slipped: both wrote the same moves");
    }
}

#[test]
fn a_board_that_is_two_moves_behind_differs_and_one_that_is_one_behind_or_ahead_does_not() {
    let mut pair = Pair::blind(2023);
    pair.dump("2", START, Lie::Straight);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(60_000);
    assert_eq!(pair.differing(), [], "Black has not repeated it yet");
    pair.dump("2", E4, Lie::Straight);
    pair.pass(5_000);
    pair.dump("2", E5, Lie::Straight);
    pair.pass(60_000);
    assert_eq!(pair.differing(), [], "White has not repeated it yet");
    pair.dump("1", E5, Lie::Straight);
    pair.pass(5_000);
    pair.dump("2", E4, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.differing(), []);
    pair.dump("1", NF3, Lie::Straight);
    pair.pass(5_000);
    assert_eq!(pair.record(), ["e4", "e5", "Nf3"]);
    let plies = pair.differing().into_iter().map(|(plies, ..)| plies).collect::<Vec<_>>();
    assert_eq!(plies, [Some(3)], "no other move was made there");
}

#[test]
fn a_hand_between_two_squares_makes_no_difference() {
    let mut pair = Pair::blind(2023);
    pair.dump("2", START, Lie::Straight);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(5_000);
    pair.lift("2", Square::G1);
    pair.pass(2_000);
    pair.dump("2", E4, Lie::Straight);
    pair.pass(60_000);
    assert_eq!(pair.differing(), []);
}

#[test]
fn the_last_position_in_common_is_the_last_one_both_boards_have_shown() {
    const NC6: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";
    const NC3: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR";
    let mut pair = Pair::blind(2023);
    for (placement, boards) in [(START, &["2"][..]), (E4, &["1", "2"]), (E5, &["2", "1"]), (NF3, &["1"])] {
        for board in boards {
            pair.dump(board, placement, Lie::Straight);
            pair.pass(3_000);
        }
    }
    pair.dump("2", NC3, Lie::Straight);
    pair.dump("1", NC6, Lie::Straight);
    pair.pass(10_000);
    let plies = pair.differing().into_iter().map(|(plies, ..)| plies).collect::<Vec<_>>();
    assert_eq!(plies, [Some(2)]);
}

#[test]
fn a_board_that_is_gone_is_not_compared() {
    let mut pair = Pair::blind(2023);
    pair.dump("2", E3, Lie::Straight);
    pair.dump("1", E4, Lie::Straight);
    pair.pass(2_000);
    pair.tell("2", Observation::Link(Link::Down));
    pair.pass(60_000);
    assert_eq!(pair.differing(), []);
}

#[test]
fn boards_are_compared_in_blind_play_only_and_where_the_laws_speak_of_two() {
    let differs = |mut pair: Pair| {
        pair.dump("2", START, Lie::Straight);
        pair.dump("1", E4, Lie::Straight);
        pair.pass(2_000);
        pair.dump("2", E3, Lie::Straight);
        pair.pass(10_000);
        !pair.differing().is_empty()
    };
    let sighted = Pair::at_start();
    assert!(!differs(sighted), "a board that stands by");
    for (edition, known) in [(1993, false), (2009, true), (2014, true), (2018, true)] {
        assert_eq!(differs(Pair::blind(edition)), known, "{edition}");
    }
}

#[test]
fn a_board_without_names_is_compared_by_where_men_stand() {
    let mut pair = Pair::blind(2023);
    pair.tell("2", nameless(START));
    pair.dump("1", E4, Lie::Straight);
    pair.pass(5_000);
    pair.tell("2", nameless(E4));
    pair.pass(5_000);
    assert_eq!(pair.differing(), []);
    pair.tell("2", nameless(E3));
    pair.pass(5_000);
    assert_eq!(pair.differing().len(), 1);
}

#[test]
fn two_boards_without_a_game_are_left_alone() {
    let rules = Rules { blind: Blind::Black, ..Rules::default() };
    let table = Table::under(Settings::default(), &rules);
    let mut pair = Pair { table, said: Vec::new(), heard: 0, now: 0 };
    for board in ["1", "2"] {
        pair.tell(board, Observation::Link(Link::Up));
        pair.dump(board, "8/8/8/8/8/8/8/8", Lie::Straight);
    }
    pair.pass(10_000);
    assert_eq!(pair.differing(), []);
}

/// What a board reports that knows no names.
fn nameless(placement: &str) -> Observation {
    let men = Board::from_ascii_board_fen(placement.as_bytes()).expect("a placement");
    let mut contents = Contents::of(&men, Lie::Straight);
    contents.0.iter_mut().filter(|content| **content != Content::Empty).for_each(|man| *man = Content::Occupied);
    Observation::Board(Box::new(contents))
}
